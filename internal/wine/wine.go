// Package wine runs programs for Windows in tests, with Wine.
package wine

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/perfblock/perfblock/internal/cfacts"
	"github.com/perfblock/perfblock/internal/long"
)

// A Wine runs programs with its own registry and its own drive C. Both are removed when the test ends.
type Wine struct {
	program string
	env     []string
	system  string // the folder of the DLLs of Windows
}

//go:embed dll/bcryptprimitives.c
var bcryptprimitives []byte

// slow is the time after which Run stops a program. A program that does not hang takes less time, even on a busy
// machine.
const slow = 3 * time.Minute

// New returns a Wine with a new registry. It skips the test if PERFBLOCK_LONG is not set. If Wine is not installed, it
// skips or fails the test: see [cfacts.Absent].
func New(t *testing.T) *Wine {
	t.Helper()
	if !long.Enabled() {
		t.Skip("Wine takes seconds to start; PERFBLOCK_LONG=1 runs the test")
	}
	program, err := exec.LookPath("wine64")
	if err != nil {
		program, err = exec.LookPath("wine")
	}
	if err != nil {
		cfacts.Absent(t, "Wine is not installed")
	}
	prefix := t.TempDir()
	w := &Wine{program: program, env: environment(prefix), system: filepath.Join(prefix, "drive_c", "windows", "system32")}
	// All tests on the machine use the same Windows files: the copy has only links to them.
	if err := copyInstallation(prefix, installation(t, program)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The server keeps files of the prefix open until it ends.
		server := exec.Command("wineserver", "-k", "-w")
		server.Env = w.env
		_ = server.Run() // it fails if no program ran
	})
	return w
}

// RunGo is [Wine.Run] for a program that was written in Go.
func (w *Wine) RunGo(t *testing.T, program string, args ...string) string {
	t.Helper()
	w.PrepareGo(t)
	return w.Run(t, program, args...)
}

// StartGo starts a program that was written in Go, and returns when the program has written a line. The program is
// killed when the test ends.
func (w *Wine) StartGo(t *testing.T, program string, args ...string) {
	t.Helper()
	w.PrepareGo(t)
	cmd := exec.Command(w.program, append([]string{program}, args...)...)
	cmd.Env = w.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it fails if the program has ended
		_ = cmd.Wait()         // the program was killed
	})
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		_ = cmd.Process.Kill() // it fails if the program has ended
		_ = cmd.Wait()         // stderr is complete now
		t.Fatalf("%s has written no line: %v\n%s", program, err, stderr.Bytes())
	}
}

// PrepareGo prepares Wine for programs that were written in Go.
func (w *Wine) PrepareGo(t *testing.T) {
	t.Helper()
	if !exists(w.system) {
		w.Run(t, "cmd", "/c", "ver") // the first program makes the folders of Windows
	}
	// Programs in Go require this DLL, which some versions of Wine do not have.
	if dll := filepath.Join(w.system, "bcryptprimitives.dll"); !exists(dll) {
		source := filepath.Join(t.TempDir(), "bcryptprimitives.c")
		if err := os.WriteFile(source, bcryptprimitives, 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("x86_64-w64-mingw32-gcc", "-shared", "-o", dll, source, "-ladvapi32").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Run runs a program for Windows or a program of Wine, such as reg. It returns the standard output with LF line ends.
func (w *Wine) Run(t *testing.T, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), slow)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.program, append([]string{program}, args...)...)
	cmd.Env = w.env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = slow // programs that a killed program has started keep its output open
	if err := cmd.Run(); err != nil {
		t.Fatal(fmt.Errorf("%s %q: %w\n%s%s", program, args, err, stdout.Bytes(), stderr.Bytes()))
	}
	return strings.ReplaceAll(stdout.String(), "\r\n", "\n")
}

// environment returns the environment variables for programs of the Wine installation in a folder.
func environment(folder string) []string {
	return append(os.Environ(), "WINEPREFIX="+folder, "WINEARCH=win64", "WINEDEBUG=-all", "DISPLAY=", "WINEDLLOVERRIDES=mscoree,mshtml=")
}

// installation returns the folder of a Wine installation. Tests copy the installation and do not change it.
func installation(t *testing.T, program string) string {
	t.Helper()
	version, err := exec.Command(program, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(strings.TrimSpace(string(version)), " ") // such as wine-8.0 of "wine-8.0 (Debian 8.0)"
	folder := filepath.Join(cache(t), name)
	unlock, err := lockedfile.MutexAt(folder + ".lock").Lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if exists(folder) {
		return folder
	}
	// The first test on the machine makes the installation, which takes 8 seconds of processor time and 700 MB.
	unfinished := folder + ".unfinished" // a test that is killed leaves this folder
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

// copyInstallation copies the folders and the registry of an installation, and makes links to all other files.
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
