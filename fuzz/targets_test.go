package fuzz_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTargetsAreListed holds the page that says what is proven to the targets there are.
func TestTargetsAreListed(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/fuzzing.md")
	fatal(t, err)
	_, list, ok := strings.Cut(string(page), "| target | what holds |")
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
				t.Errorf("%s has %s, which the page does not have", path, m[1])
			}
			there[m[1]] = true
		}
		return err
	}))
	for name := range listed {
		if !there[name] {
			t.Errorf("the page has %s, which there is not", name)
		}
	}
}

// TestWhatWasFoundIsTold holds the changelog to name every input that is kept because a
// target once failed on it, and no other.
func TestWhatWasFoundIsTold(t *testing.T) {
	t.Parallel()
	changes, err := os.ReadFile("../CHANGELOG.md")
	fatal(t, err)
	told := map[string]bool{} // by target and name, and the package where it is said
	for _, m := range regexp.MustCompile("\\(found by\\s+`(Fuzz\\w+)`(?:\\s+of\\s+`([\\w/]+)`)?,([^)]*)\\)").FindAllStringSubmatch(string(changes), -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(m[3], -1) {
			told[strings.TrimPrefix(m[2]+" ", " ")+m[1]+"/"+name[1]] = true
		}
	}
	kept := map[string]bool{}
	fatal(t, filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		folder := filepath.ToSlash(filepath.Dir(path))
		at, target, ok := strings.Cut(folder, "/testdata/fuzz/")
		if err != nil || e.IsDir() || !ok {
			return err
		}
		name := target + "/" + e.Name()
		in := strings.TrimPrefix(at, "../") + " " + name
		if kept[name], kept[in] = true, true; !told[name] && !told[in] {
			t.Errorf("what %s keeps has no line in CHANGELOG.md", path)
		}
		return nil
	}))
	for name := range told {
		if !kept[name] {
			t.Errorf("CHANGELOG.md tells of %s, which is not kept", name)
		}
	}
}
