package config_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

// write makes a file with all folders above it.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	top, inner := filepath.Join(root, "a", config.FileName), filepath.Join(root, "a", "b", "c", config.FileName)
	write(t, top, "")
	write(t, inner, "")
	write(t, filepath.Join(root, "folder", config.FileName, "x"), "")
	write(t, filepath.Join(root, "a", "file"), "")
	if err := os.MkdirAll(filepath.Join(root, "a", "b", "c", "d"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ reason, dir, want, fault string }{
		{"in the folder", "a", top, ""},
		{"a folder up", "a/b", top, ""},
		{"the nearest of two", "a/b/c/d", inner, ""},
		{"what is there is enough", "a/none/none", top, ""},
		{"up by name, as the path is written", "a/b/c/d/../..", top, ""},
		{"a folder of that name is not passed over", "folder", "", "it is a folder, not a file"},
		{"nor from below", "folder/" + config.FileName, "", "it is a folder, not a file"},
	} {
		got, err := config.Find(filepath.Join(root, filepath.FromSlash(tt.dir)))
		if tt.fault != "" {
			if err == nil || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%s: %q, %v", tt.reason, got, err)
			}
		} else if got != tt.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", tt.reason, got, err, tt.want)
		}
	}
}

// What cannot be looked at is not taken for nothing.
func TestFindUnreachable(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("where below a file is nothing, and no error")
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	if path, err := config.Find(file); err == nil {
		t.Errorf("below a file is %q", path)
	}
}

// A link counts as what it leads to, and where that is nothing, is an error.
func TestFindLink(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write(t, filepath.Join(root, "real.yaml"), "profile: nt4")
	write(t, filepath.Join(root, config.FileName), "profile: windows")
	for dir, to := range map[string]string{"good": "../real.yaml", "bad": "none.yaml"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(root, dir, config.FileName)); err != nil {
			t.Skip(err)
		}
	}
	path, err := config.Find(filepath.Join(root, "good"))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := config.Read(path); err != nil || c.Profile == nil || *c.Profile != validate.NT4 {
		t.Errorf("%v, %v", c, err)
	}
	if path, err := config.Find(filepath.Join(root, "bad")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link to nothing gives %q, %v", path, err)
	}
}

// Without a file of that name anywhere, which cannot be told where tests run, there
// is none at the root either.
func TestFindEnds(t *testing.T) {
	t.Parallel()
	root := filepath.VolumeName(t.TempDir()) + string(filepath.Separator)
	if _, err := os.Lstat(filepath.Join(root, config.FileName)); err == nil {
		t.Skip("there is one at the root")
	}
	if path, err := config.Find(root); path != "" || err != nil {
		t.Errorf("%q, %v", path, err)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.yaml")
	write(t, path, "fail-on: none")
	_, err := config.Read(path)
	if e, ok := errors.AsType[*config.Error](err); !ok || e.File != path || e.Line != 1 {
		t.Errorf("%v", err)
	}
	write(t, path, strings.Repeat("#", 2<<20))
	if _, err := config.Read(path); err == nil || !strings.Contains(err.Error(), "1 MiB") {
		t.Errorf("%v", err)
	}
	if _, err := config.Read(filepath.Dir(path)); err == nil {
		t.Error("a folder is read")
	}
	if _, err := config.Read(path + "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
