package main

import (
	"os"
	"strings"
	"testing"
)

// The page cannot be made anew by a test, but it must have the shape that the command gives it today.
func TestPageHasEveryRow(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(file), "\r\n", "\n")
	rows := map[string]int{}
	for line := range strings.Lines(text) {
		if cells := strings.Split(strings.TrimSpace(line), " | "); len(cells) > 3 {
			rows[strings.TrimPrefix(cells[0], "| ")+", "+cells[2]]++
			rows[strings.TrimPrefix(cells[0], "| ")]++
		}
	}
	for _, w := range workloads() {
		for _, s := range subjects {
			if rows[w.Name+", "+s.name] != 1 {
				t.Errorf("%d rows of %s, %s", rows[w.Name+", "+s.name], w.Name, s.name)
			}
		}
		if rows[w.Name] != len(subjects) {
			t.Errorf("%d rows of %s, there are %d subjects", rows[w.Name], w.Name, len(subjects))
		}
	}
	for _, c := range commands {
		if rows["`"+c.line+"`"] != 1 {
			t.Errorf("%d rows of %s", rows["`"+c.line+"`"], c.line)
		}
	}
	// The words around the tables are those of today too.
	want := page{}.String()
	head, _, _ := strings.Cut(want, "## The machine")
	if !strings.HasPrefix(text, head) {
		t.Error("the page has other words than the command; run go run ./internal/bench -o docs/performance.md")
	}
}
