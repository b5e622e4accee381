// Package golden compares the output of tests with files. Its own tests check the fixtures in testdata.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the files with the expected output")

// File compares got with the file at path. With -update, it writes got to the file first.
func File(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
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
