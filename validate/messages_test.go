package validate_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/validate"
)

var update = flag.Bool("update", false, "rewrite testdata/messages.txt")

// TestMessages holds every word and number of what is said of the fixtures.
func TestMessages(t *testing.T) {
	t.Parallel()
	const file = "testdata/messages.txt"
	all := fixtures(t)
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		for _, f := range validate.Bytes(c.Kind, c.Broken, c.Context).Findings {
			fmt.Fprintf(&b, "%s: %v, %d bytes\n", name, f, f.Len)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), b.String()); diff != "" {
		t.Errorf("(-want +got), go test ./validate -update:\n%s", diff)
	}
}
