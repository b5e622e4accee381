package wine

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// environment returns the environment of the programs of an installation, whose folder is prefix.
func environment(prefix string) []string {
	return append(os.Environ(), "WINEPREFIX="+prefix, "WINEARCH=win64", "WINEDEBUG=-all", "DISPLAY=", "WINEDLLOVERRIDES=mscoree,mshtml=")
}

// installation returns the folder of an installation that no test changes. The first test on the machine makes it in the
// cache of the user, because that takes 8 seconds of processor time and writes 700 MB.
func installation(t *testing.T, program string) string {
	t.Helper()
	version, err := exec.Command(program, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	cache = filepath.Join(cache, "perfblock-tests")
	if err := os.MkdirAll(cache, 0o777); err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(strings.TrimSpace(string(version)), " ") // wine-8.0 (Debian 8.0)
	folder := filepath.Join(cache, name)
	unlock, err := lockedfile.MutexAt(folder + ".lock").Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if exists(folder) {
		return folder
	}
	unfinished := folder + ".unfinished" // a test that was killed leaves it
	if err := os.RemoveAll(unfinished); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{program, "wineboot", "--init"}, {"wineserver", "--wait"}} {
		cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
		cmd.Env = environment(unfinished)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
	if err := os.Rename(unfinished, folder); err != nil {
		t.Fatal(err)
	}
	return folder
}

// copyInstallation makes an installation with the folders and the registry of another one, and with links to its other
// files.
func copyInstallation(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		copied := filepath.Join(to, name)
		switch {
		case d.IsDir():
			return os.MkdirAll(copied, 0o777)
		case d.Type() == fs.ModeSymlink: // a drive, or a folder of the user
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(target, copied)
		case name == "wineserver": // the server of the other installation
			return nil
		case filepath.Dir(path) == from: // the registry
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(copied, b, 0o666)
		}
		return os.Symlink(path, copied)
	})
}
