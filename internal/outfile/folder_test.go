package outfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/perfblock/perfblock/internal/outfile"
)

// TestFolders checks that a Batch makes folders, and that an error leaves none of the new folders.
func TestFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folders := []string{filepath.Join(dir, "a", "b") + string(filepath.Separator), filepath.Join(dir, "a", "c")}
	file := filepath.Join(dir, "a", "b", "file")
	if err := outfile.WriteAllIn(folders, outfile.File{Path: file, Fill: stop}); !errors.Is(err, errStop) {
		t.Errorf("got %v, want the error of fill", err)
	}
	checkFolder(t, dir)
	put(t, filepath.Join(dir, "d"), "", 0o644)
	err := outfile.WriteAllIn([]string{folders[0], filepath.Join(dir, "d", "e")}, outfile.File{Path: file, Fill: text("1")})
	if at, ok := errors.AsType[*os.PathError](err); !ok || at.Path != filepath.Join(dir, "d", "e") {
		t.Errorf("got %v, want an error that names d/e", err)
	}
	checkFolder(t, dir, "d")
	if err := outfile.WriteAllIn(folders, outfile.File{Path: file, Fill: text("1")}); err != nil {
		t.Fatal(err)
	}
	checkFile(t, file, "1", "file")
	if err := outfile.WriteAllIn(folders, outfile.File{Path: file, Fill: stop}); !errors.Is(err, errStop) {
		t.Errorf("got %v, want the error of fill", err)
	}
	checkFolder(t, filepath.Join(dir, "a"), "b", "c") // c is empty, but not new

	// During the run, another process puts a file in the new folder x, and replaces the new folder y with a file.
	dir = t.TempDir()
	folders = []string{filepath.Join(dir, "x"), filepath.Join(dir, "y")}
	err = outfile.WriteAllIn(folders, outfile.File{Path: filepath.Join(dir, "z"), Fill: func(io.Writer) error {
		put(t, filepath.Join(dir, "x", "other"), "1", 0o644)
		if err := os.Remove(folders[1]); err != nil {
			t.Error(err)
		}
		put(t, folders[1], "1", 0o644)
		return errStop
	}})
	if !errors.Is(err, errStop) {
		t.Errorf("got %v, want the error of fill", err)
	}
	checkFolder(t, dir, "x", "y")
	checkFile(t, filepath.Join(dir, "x", "other"), "1", "other")

	// An interrupted run that made the folder v removes it before this run writes the first file.
	dir = t.TempDir()
	folder := filepath.Join(dir, "v")
	b, err := outfile.Begin([]string{folder}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Discard()
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		if err := b.Add(outfile.File{Path: filepath.Join(folder, name), Fill: text("1")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Commit(); err != nil {
		t.Fatal(err)
	}
	checkFile(t, filepath.Join(folder, "one"), "1", "one", "two")
}
