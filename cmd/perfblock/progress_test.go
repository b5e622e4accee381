package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// A screen stores what a progress writes to a terminal.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

// wait waits until the screen has a text.
func (s *screen) wait(t *testing.T, text string) {
	t.Helper()
	shown := ""
	for range 500 {
		s.mu.Lock()
		shown = s.text.String()
		s.mu.Unlock()
		if strings.Contains(shown, text) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("the screen does not show %q:\n%q", text, shown)
}

// TestProgress checks the counts, the elapsed time and the remaining time that a progress shows.
func TestProgress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := startProgress(t.Context(), inputs.List{Args: []string{dir}})
	p.started = p.started.Add(-time.Minute)
	var to screen
	p.showAfter(0, &to)
	to.wait(t, "0 files, 0 MB, 0 findings [1m")
	two := report.File{Result: validate.Result{Findings: make([]validate.Finding, 2)}}
	p.add(outcome{input: 1, bytes: 3 << 20, blocks: []block.Result[lintResult]{{Value: lintResult{file: two}}}})
	to.wait(t, "1 file, 3 MB, 2 findings (1/3) [1m")
	to.wait(t, ":2m") // the remaining time
	p.add(outcome{input: 2, bytes: 1 << 20})
	to.wait(t, "2 files, 4 MB, 2 findings (2/3) [1m")
	p.end()
}

// TestNoProgress checks that a short run shows no progress.
func TestNoProgress(t *testing.T) {
	t.Parallel()
	p := startProgress(t.Context(), inputs.List{})
	var to screen
	p.showAfter(progressAfter, &to)
	p.add(outcome{input: 1})
	p.end()
	if to.text.Len() > 0 {
		t.Errorf("a short run shows %q", to.text.String())
	}
}
