package fuzz_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
)

const fuzzingPage = "../docs/fuzzing.md"

// TestTargetsAreListed checks that docs/fuzzing.md lists each fuzz target of the module, and nothing else.
func TestTargetsAreListed(t *testing.T) {
	t.Parallel()
	_, list, ok := strings.Cut(golden.Read(t, fuzzingPage), "| target | what holds |")
	if !ok {
		t.Fatal("the page has no table of targets")
	}
	listed := map[string]bool{}
	for _, name := range regexp.MustCompile("`Fuzz\\w+`").FindAllString(list, -1) {
		listed[strings.Trim(name, "`")] = true
	}
	there := map[string]bool{}
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)
	fatal(t, filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range target.FindAllStringSubmatch(string(source), -1) {
			if !listed[m[1]] {
				t.Errorf("%s has %s, which the page does not list", path, m[1])
			}
			there[m[1]] = true
		}
		return err
	}))
	for name := range listed {
		if !there[name] {
			t.Errorf("the page lists %s, which does not exist", name)
		}
	}
}

// TestKindsAreListed checks that docs/fuzzing.md lists each kind with its model.
func TestKindsAreListed(t *testing.T) {
	t.Parallel()
	const head = "| kind | model |\n|---|---|\n"
	_, rest, ok := strings.Cut(golden.Read(t, fuzzingPage), head)
	if !ok {
		t.Fatal("the page has no table of kinds")
	}
	have, _, _ := strings.Cut(rest, "\n\n")
	var want []string
	for _, kind := range layout.Kinds() {
		want = append(want, fmt.Sprintf("| `%v` | `%v` |", kind, reflect.TypeOf(empty(t, kind)).Elem()))
	}
	if diff := cmp.Diff(want, strings.Split(have, "\n")); diff != "" {
		t.Errorf("the table of kinds is out of date (-want +page):\n%s", diff)
	}
}
