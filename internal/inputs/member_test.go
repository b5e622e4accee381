package inputs_test

import (
	"testing"

	"github.com/perfblock/perfblock/internal/inputs"
)

// TestPacked checks that Packed returns true only for the paths of archive members.
func TestPacked(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"a.bin": false, "d/a.bin": false, "a.zip!/b.bin": true, "a.zip!/b.tar!/c.bin": true, "-!/b.bin": true,
		"d!!/b.bin": false, "d!!!/b.bin": true,
	} {
		if got := (inputs.Member{Path: path}).Packed(); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// TestWith checks that Read of a member from With returns the given bytes, at the first and at the second call.
func TestWith(t *testing.T) {
	t.Parallel()
	m := inputs.Member{Path: "a.bin"}.With([]byte("PERF"))
	for range 2 {
		if b, err := m.Read(); string(b) != "PERF" || err != nil {
			t.Errorf("%q, %v", b, err)
		}
	}
}
