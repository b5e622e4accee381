package outfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/perfblock/perfblock/internal/outfile"
)

func TestOverwrites(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	for _, name := range []string{"in", "other"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("the same text"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []struct {
		make func(old, new string) error
		name string
	}{{os.Symlink, "soft"}, {os.Link, "hard"}} {
		if err := link.make(in, filepath.Join(dir, link.name)); err != nil {
			t.Skip(err) // Windows wants a right for it
		}
	}
	read, err := os.Stat(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		want   bool
		reason string
	}{
		{"in", true, "by its own name"},
		{"soft", true, "a link is followed when it is written"},
		{"hard", true, "another name of the same bytes"},
		{"other", false, "the same text in another file"},
	} {
		written, err := outfile.Stat(filepath.Join(dir, tt.name))
		if err != nil {
			t.Fatal(err)
		}
		if got := outfile.Overwrites(written, read); got != tt.want {
			t.Errorf("%s: got %v: %s", tt.name, got, tt.reason)
		}
	}
	if _, err := outfile.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("a file that is not there has been described")
	}
}

// A pipe is read and written at once by who makes a loop of it, and nothing is lost.
func TestPipeIsNotOverwritten(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	info, err := r.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if outfile.Overwrites(info, info) {
		t.Error("a pipe is said to be overwritten")
	}
}
