package libfuzzer

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

// T stands in for [testing.T] while a target runs. Whatever fails a test panics, from
// where it was called, since that is what libFuzzer can see.
type T struct {
	testing.TB // none: for the methods that no target calls
	cleanups   []func()
	skipped    bool
}

// A skip is what Skip panics with.
type skip struct{}

func (t *T) Name() string     { return "libFuzzer" }
func (t *T) Helper()          {}
func (t *T) Parallel()        {}
func (t *T) Log(...any)       {}
func (t *T) Failed() bool     { return false }
func (t *T) Skipped() bool    { return t.skipped }
func (t *T) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

func (t *T) Logf(string, ...any) {}

func (t *T) Deadline() (time.Time, bool) { return time.Time{}, false }
func (t *T) Context() context.Context    { return context.Background() }

func (t *T) Error(args ...any)                 { panic(fmt.Sprintln(args...)) }
func (t *T) Errorf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (t *T) Fatal(args ...any)                 { panic(fmt.Sprintln(args...)) }
func (t *T) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (t *T) Fail()                             { panic("the test fails") }
func (t *T) FailNow()                          { panic("the test fails") }

func (t *T) Skip(...any)          { t.SkipNow() }
func (t *T) Skipf(string, ...any) { t.SkipNow() }
func (t *T) SkipNow() {
	t.skipped = true
	panic(skip{})
}

func (t *T) TempDir() string {
	dir, err := os.MkdirTemp("", "libfuzzer")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// Run runs a subtest, in its turn and to its end.
func (t *T) Run(_ string, f func(*T)) bool {
	run(f)
	return true
}

// run runs f and what it leaves to be done at its end.
func run(f func(*T)) {
	t := new(T)
	defer func() {
		for _, f := range slices.Backward(t.cleanups) {
			f()
		}
		// What is no skip goes on with the stack that it has.
		if t.skipped {
			_ = recover()
		}
	}()
	f(t)
}
