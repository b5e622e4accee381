// Command perfblock builds, shows, judges and makes up the binary blocks of Windows
// performance counters that winperf.h and perflib.h describe. Run "perfblock --help".
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/perfblock/perfblock/internal/dump"
)

// What the command's exit status says.
const (
	exitDone   = 0 // it did what was asked
	exitFaulty = 1 // it did, and a block has places that could not be read, or findings
	exitFailed = 2 // it could not run
)

// errFaulty, errFindings and errFailed end the command without another word: what there is to
// say has been said.
var (
	errFaulty   = errors.New("the block could not be read in full")
	errFindings = errors.New("a block has findings")
	errFailed   = errors.New("the command failed")
)

func main() {
	beginWithPatience()
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	out := &stickyWriter{w: os.Stdout}
	root.SetOut(out)
	err := root.Execute()
	if err == nil {
		err = out.err // cobra ignores the errors of help
	}
	switch {
	case err == nil, errors.Is(err, errFaulty), errors.Is(err, errFindings), errors.Is(err, errFailed):
	case errors.Is(err, syscall.EPIPE): // whoever read the output has seen enough
	default:
		complain(err)
	}
	return exitOf(err)
}

// A stickyWriter keeps the first error and writes nothing after it.
type stickyWriter struct {
	w   io.Writer
	err error
}

func (s *stickyWriter) Write(b []byte) (n int, err error) {
	if s.err == nil {
		n, s.err = s.w.Write(b)
	}
	return n, s.err
}

// exitOf returns the exit status of a command that ends with err.
func exitOf(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFaulty), errors.Is(err, errFindings):
		return exitFaulty
	}
	return exitFailed
}

// complain writes an error, or each of several, to standard error. A message may
// hold text of a file or of its name, which must not drive the terminal.
func complain(err error) {
	if several, ok := err.(interface{ Unwrap() []error }); ok && strings.Contains(err.Error(), "\n") {
		for _, err := range several.Unwrap() {
			complain(err)
		}
		return
	}
	fmt.Fprintf(os.Stderr, "perfblock: %s\n", oneLine(strings.TrimRight(err.Error(), "\n")))
}

// oneLine returns s with escapes for all that is not printable, and so for the ends
// of lines too: one in the name of a file would start a message that is none of ours.
func oneLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(dump.Printable(s))
}
