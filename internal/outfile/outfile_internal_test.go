package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestNoFreeName checks the error if each name for a temporary file exists.
func TestNoFreeName(t *testing.T) {
	old := random
	defer func() { random = old }()
	random = func() uint32 { return 35 }
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".perfblock-z.tmp"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a")
	err := WriteAll(Bytes(path, nil))
	if at, is := errors.AsType[*fs.PathError](err); !is || at.Path != path || errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want a PathError with the path %s", err, path)
	}
}
