package cc_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/perfblock/perfblock/internal/cc"
)

func TestFindNone(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if found, err := cc.Find(); !errors.Is(err, cc.ErrNone) {
		t.Errorf("got %q and %v, want ErrNone", found, err)
	}
}

func TestUnpack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sources := fstest.MapFS{
		"a.c":     {Data: []byte("int a;")},
		"sub/b.h": {Data: []byte("int b;")},
		"sub/c.h": {Data: []byte("int c;")},
		"d.txt":   {Data: []byte("d")},
	}
	if err := cc.Unpack(dir, sources, "*.c", "sub/b.h"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.c": "int a;", "b.h": "int b;"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: got %q and %v, want %q", name, got, err, want)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%d files and %v, want the 2 that match", len(entries), err)
	}
}
