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

// write writes a file, and creates its folder.
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
	short := filepath.Join(root, "a", "short", ".perfblock.yml")
	write(t, short, "")
	write(t, filepath.Join(root, "both", config.FileName), "")
	write(t, filepath.Join(root, "both", ".perfblock.yml"), "")
	if err := os.MkdirAll(filepath.Join(root, "a", "b", "c", "d"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ reason, dir, want, fault string }{
		{"Find returns the file in the folder", "a", top, ""},
		{"Find returns the file in the folder above", "a/b", top, ""},
		{"Find returns the nearest of two files above", "a/b/c/d", inner, ""},
		{"Find searches above folders that do not exist", "a/none/none", top, ""},
		{"the extension may be .yml", "a/short", short, ""},
		{"a file above may have the extension .yml", "a/short/none", short, ""},
		{"a folder with both names is an error", "both", "", "has both .perfblock.yaml and .perfblock.yml: remove one"},
		{"the path may have the element ..", "a/b/c/d/../..", top, ""},
		{"a folder with the name of the file is an error", "folder", "", "it is a folder, must be a file"},
		{"a folder with the name of the file is also an error if the search starts in it", "folder/" + config.FileName, "", "it is a folder, must be a file"},
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

// TestFindUnreachable checks that Find returns an error for a path that it cannot check. The path must not count as a
// missing file.
func TestFindUnreachable(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a path below a file is a missing file, not an error")
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	if path, err := config.Find(file); err == nil {
		t.Errorf("found %q below a file", path)
	}
}

// TestFindLink checks that Find accepts a link to a file, and returns an error for a link without a target.
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
		t.Errorf("a link without a target: %q, %v", path, err)
	}
}

// TestFindEnds checks that Find ends at the root of the file system.
func TestFindEnds(t *testing.T) {
	t.Parallel()
	root := filepath.VolumeName(t.TempDir()) + string(filepath.Separator)
	if _, err := os.Lstat(filepath.Join(root, config.FileName)); err == nil {
		t.Skip("the root has a file")
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
	if _, err := config.Read(path); err == nil || !strings.Contains(err.Error(), "longer than the 1048576 bytes") {
		t.Errorf("%v", err)
	}
	if _, err := config.Read(filepath.Dir(path)); err == nil {
		t.Error("read a folder")
	}
	if _, err := config.Read(path + "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
