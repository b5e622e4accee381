// Package cc finds the system's C compiler and builds small programs with it, from sources that a Go package carries in itself.
package cc

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
)

// ErrNone is in the chain of Find's error if there is no C compiler.
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

// Output is cmd.Output with the program's own words in the error.
func Output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd.Path, err, stderr.Bytes())
	}
	return out, nil
}
