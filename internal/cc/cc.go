// Package cc finds the system's C compiler and builds small programs from the embedded sources of a Go package.
package cc

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

// ErrNone is the error of [Find] if there is no C compiler.
var ErrNone = errors.New("no C compiler")

// Find returns the path of the system's C compiler.
func Find() (string, error) {
	for _, name := range []string{"cc", "gcc", "clang"} {
		if cc, err := exec.LookPath(name); err == nil {
			return cc, nil
		}
	}
	return "", fmt.Errorf("%w: no cc, gcc or clang on PATH", ErrNone)
}

// Run runs a compiler and returns what it writes to standard output.
func Run(cc string, args ...string) ([]byte, error) { return Output(exec.Command(cc, args...)) }

// Output runs cmd and returns its standard output. If cmd fails, the error has every line that cmd wrote to standard
// error.
func Output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		faults := []error{fmt.Errorf("%s: %w", cmd.Path, err)}
		for line := range bytes.Lines(stderr.Bytes()) {
			faults = append(faults, errors.New(string(bytes.TrimRight(line, "\r\n"))))
		}
		return nil, errors.Join(faults...)
	}
	return out, nil
}

// Unpack copies files into the folder dir. The patterns select the files by their paths in sources. Unpack creates no
// subfolders.
func Unpack(dir string, sources fs.FS, patterns ...string) error {
	for _, pattern := range patterns {
		names, err := fs.Glob(sources, pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			text, err := fs.ReadFile(sources, name)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, path.Base(name)), text, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}
