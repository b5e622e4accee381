package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

// TestGeneratedFilesAreCurrent fails if the record table was changed without "go generate ./layout".
func TestGeneratedFilesAreCurrent(t *testing.T) {
	t.Parallel()
	n := 0
	for name, want := range outputs() {
		n++
		got, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(got), "\r\n", "\n")
		if diff := cmp.Diff(string(want), text); diff != "" {
			t.Errorf("%s is out of date: run go generate ./layout (-want +got):\n%s", name, diff)
		}
		if !strings.Contains(text, "DO NOT EDIT.") {
			t.Errorf("%s has no line DO NOT EDIT", name)
		}
	}
	if n != 9 {
		t.Errorf("%d files are generated", n)
	}
}

// TestPicturesAreSquare checks that all lines of a picture have the same width. A note after an arrow does not count.
func TestPicturesAreSquare(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"docs/layout.md": 1, "docs/layout-v2.md": 14} {
		pictures := strings.Split(string(outputs()[name]), "```text\n")[1:]
		if len(pictures) != want {
			t.Errorf("%s has %d pictures, want %d", name, len(pictures), want)
		}
		for _, text := range pictures {
			text, _, _ = strings.Cut(text, "```")
			widths := map[int]int{}
			for line := range strings.Lines(text) {
				line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), " ← ")
				widths[len([]rune(line))]++
			}
			if len(widths) != 1 {
				t.Errorf("%s: widths of the lines: %v in\n%s", name, widths, text)
			}
		}
	}
}

// TestPagesHaveEveryRecord checks that each record has a table in the page about its header. A record with a view
// must also have a picture.
func TestPagesHaveEveryRecord(t *testing.T) {
	t.Parallel()
	for name, records := range map[string][]*layout.Record{"docs/layout.md": layout.Winperf, "docs/layout-v2.md": layout.Perflib} {
		text := string(outputs()[name])
		for _, r := range records {
			if !strings.Contains(text, "\n## "+r.C+"\n") {
				t.Errorf("%s has no table of %s", name, r.C)
			}
			if r.View != "" && !strings.Contains(text, "│ "+sized(*r)) {
				t.Errorf("%s has no picture with %s", name, r.C)
			}
			for _, f := range r.Fields {
				if f.Role.Kind == layout.Length && f.Role.From == layout.RecordStart && !strings.Contains(text, "← "+f.Name) {
					t.Errorf("%s: no picture shows the end that %s.%s gives", name, r.C, f.Name)
				}
			}
		}
	}
}
