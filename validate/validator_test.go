package validate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestZeroValidator checks that the zero Validator works as New(Options{}), also on
// blocks with one inverted byte: without rules for the bounds, a wrong length would panic.
func TestZeroValidator(t *testing.T) {
	t.Parallel()
	var zero validate.Validator
	made, err := validate.New(validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for kind, b := range map[layout.Kind][]byte{layout.DataBlockKind: twoObjects(), layout.QueryDataKind: manySorts()} {
		findings := 0
		for i := range b {
			damaged := append([]byte(nil), b...)
			damaged[i] ^= 0xFF
			got, want := zero.Bytes(kind, damaged, validate.Context{}), made.Bytes(kind, damaged, validate.Context{})
			if diff := cmp.Diff(told(want), told(got)); diff != "" {
				t.Fatalf("%v, byte %d inverted (-New +zero):\n%s", kind, i, diff)
			}
			findings += len(want.Findings)
		}
		if findings == 0 {
			t.Errorf("%v: no findings to compare", kind)
		}
	}
}
