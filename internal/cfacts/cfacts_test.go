package cfacts_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/cfacts"
	"github.com/perfblock/perfblock/internal/long"
)

var update = flag.Bool("update", false, "rewrite the facts in testdata with those of the installed cross compilers")

// TestCompilersAgree compares the facts of the cross compilers with the files in testdata.
func TestCompilersAgree(t *testing.T) {
	compilers := cfacts.Known()
	if !*update {
		compilers = compilers[:long.Count(1, len(compilers))] // by default, only the first
	}
	for _, header := range cfacts.Headers() {
		rewrite := *update
		for _, cc := range compilers {
			// Not parallel: with -update, the first subtest that is not skipped writes the file. Later subtests read
			// the file.
			t.Run(header.String()+" of "+cc, func(t *testing.T) {
				if _, err := exec.LookPath(cc); err != nil {
					cfacts.Absent(t, cc+" is not installed")
				}
				facts, err := header.Ask(cc)
				if err != nil {
					t.Fatal(err)
				}
				got, err := header.Format(facts)
				if err != nil {
					t.Fatal(err)
				}
				if rewrite {
					rewrite = false
					if err := os.WriteFile(header.File(), got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				compare(t, header.File(), got)
			})
		}
		if *update && rewrite {
			t.Errorf("-update requires one of the cross compilers for %s: %v", header, cfacts.Known())
		}
	}
}

// compare fails the test if got, the facts from a compiler, differs from the file. Each line is a fact, such as "sizeof
// SYSTEMTIME 16".
func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
	for _, line := range onlyInFirst(got, want) {
		t.Errorf("only the compiler has: %s", line)
	}
	for _, line := range onlyInFirst(want, got) {
		t.Errorf("only the file has: %s", line)
	}
	if !bytes.Equal(got, want) && !t.Failed() {
		t.Errorf("%s has the right facts in the wrong form: run with -update", file)
	}
}

// onlyInFirst returns the lines that the first text has and the second text does not have.
func onlyInFirst(first, second []byte) []string {
	lines := strings.Split(string(second), "\n")
	return slices.DeleteFunc(strings.Split(string(first), "\n"), func(line string) bool { return slices.Contains(lines, line) })
}

func TestFileRoundTrip(t *testing.T) {
	t.Parallel()
	facts := []cfacts.Fact{{Name: "sizeof B.x", Value: 12}, {Name: "const A", Value: 0xffffffff}}
	file, err := cfacts.Perflib.Format(facts)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(file), " perflib.h from a C compiler. ") || !strings.HasSuffix(string(file), "\nconst A 0xffffffff\nsizeof B.x 12\n") {
		t.Errorf("got %q", file)
	}
	back, err := cfacts.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	if want := []cfacts.Fact{facts[1], facts[0]}; !slices.Equal(back, want) {
		t.Errorf("got %v, want %v", back, want)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ file, reason string }{
		{"", "a comparison with an empty file would always pass"},
		{"# a comment\n", "a file with only a comment has no facts"},
		{"sizeof\n", "a fact must have a value"},
		{"sizeof A four\n", "a value must be a number"},
		{"sizeof A 4\nsizeof A 8\n", "a fact must not be repeated"},
	} {
		if facts, err := cfacts.Parse([]byte(tt.file)); err == nil {
			t.Errorf("%q: got %v, want an error: %s", tt.file, facts, tt.reason)
		}
	}
}
