package validate_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/validate"
)

var update = flag.Bool("update", false, "rewrite testdata/*.txt")

// A transcript is the full text of the findings of several blocks.
type transcript struct{ strings.Builder }

func (w *transcript) add(of string, findings []validate.Finding) {
	for _, f := range findings {
		fmt.Fprintf(w, "%s: %v, %d bytes\n", of, f, f.Len)
	}
}

// compare compares the transcript with a golden file.
func (w *transcript) compare(t *testing.T, file string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, []byte(w.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), w.String()); diff != "" {
		t.Errorf("(-want +got), go test ./validate -update:\n%s", diff)
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	all := fixtures(t)
	var w transcript
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		w.add(name, validate.Bytes(c.Kind, c.Broken, c.Context).Findings)
	}
	w.compare(t, "messages.txt")
}
