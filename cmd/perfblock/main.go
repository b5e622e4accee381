// Command perfblock builds, shows, validates and generates the binary blocks of Windows
// performance counters that winperf.h and perflib.h define. Run "perfblock --help".
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/perfblock/perfblock/internal/terminal"
)

// The exit statuses of the command.
const (
	exitDone   = 0 // no error
	exitFaulty = 1 // a block has findings, parts of it could not be read, or two blocks or files differ
	exitFailed = 2 // the command could not run

	exitInterrupted = 130 // Ctrl-C stopped the command; shells report the same status
)

// A command that returns one of these errors has printed its messages, so run prints nothing.
var (
	errFaulty    = errors.New("the block could not be read in full")
	errFindings  = errors.New("a block has findings")
	errDifferent = errors.New("the blocks or files differ")
	errFailed    = errors.New("the command failed")

	errInterrupted = errors.New("the command was interrupted")
)

func main() {
	delayFirstCollection()
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
	case err == nil, errors.Is(err, errFaulty), errors.Is(err, errFindings), errors.Is(err, errDifferent), errors.Is(err, errFailed), errors.Is(err, errInterrupted):
	case errors.Is(err, syscall.EPIPE): // the reader has closed the pipe
	default:
		complain(err)
	}
	return exitOf(err)
}

// A stickyWriter writes to w until a write fails, and keeps the error.
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
	case errors.Is(err, errFaulty), errors.Is(err, errFindings), errors.Is(err, errDifferent):
		return exitFaulty
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	}
	return exitFailed
}

// complain writes an error to standard error, one line for each of several joined errors. It
// escapes control characters, which texts and file names can contain.
func complain(err error) {
	var several interface {
		error
		Unwrap() []error
	}
	if errors.As(err, &several) && strings.Contains(several.Error(), "\n") {
		if before, ok := strings.CutSuffix(err.Error(), several.Error()); ok {
			for _, err := range several.Unwrap() {
				complain(fmt.Errorf("%s%w", before, err))
			}
			return
		}
	}
	fmt.Fprintf(os.Stderr, "perfblock: %s\n", terminal.Printable(strings.TrimRight(err.Error(), "\n")))
}
