// Command perfblock builds, shows, validates and generates binary blocks of Windows performance
// counters. The headers winperf.h and perflib.h define these blocks. Run "perfblock --help".
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/perfblock/perfblock/internal/terminal"
)

// An exitError ends the command with its exit status. The command has printed its messages, so run prints nothing.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

const (
	errFaulty      exitError = 1   // a block has findings, a part of a block could not be read, or two blocks or files differ
	errFailed      exitError = 2   // the command could not run
	errInterrupted exitError = 130 // Ctrl-C stopped the command; shells report the same status
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
	err := cmp.Or(root.Execute(), out.err) // cobra ignores the error if it cannot write the help
	_, printed := errors.AsType[exitError](err)
	if err != nil && !printed && !errors.Is(err, syscall.EPIPE) { // EPIPE: the reader has closed the pipe
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
	if status, is := errors.AsType[exitError](err); is {
		return int(status)
	}
	if err != nil {
		return int(errFailed)
	}
	return 0
}

// complain writes an error to standard error, or a line for each error if the error joins several.
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

// firstCollection is the memory in use at which the first garbage collection runs.
const firstCollection = 64 << 20

// delayFirstCollection delays the first garbage collection until [firstCollection] bytes are in use. Most runs then
// end without a collection, which would take as long as validating the block.
func delayFirstCollection() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" { // the user has set when collections run
		return
	}
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(firstCollection)
	// Nothing refers to the value, so the cleanup runs after the first collection.
	runtime.AddCleanup(new([16]byte), func(struct{}) {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}, struct{}{})
}
