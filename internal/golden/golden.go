// Package golden compares the output of tests with files. Its own tests check the fixtures in testdata.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/outfile"
)

var update = flag.Bool("update", false, "rewrite the files with the expected output")

// File compares got with the file at path. With -update, it writes got to the file first.
func File(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		// Another test that reads the file at the same time must not see a part of it.
		if err := outfile.WriteAllIn([]string{filepath.Dir(path)}, outfile.Bytes(path, []byte(got))); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(Read(t, path), got); diff != "" {
		t.Errorf("%s differs from the output (- file, + output); run the test with -update to rewrite the file:\n%s", path, diff)
	}
}

// Read returns the text of a file with LF line ends. On Windows, a checkout can have CR LF.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}
