// Command soak runs all fuzz targets of the module it is started in, in turn, for a given
// time. What a target is seen to fail on stays in its corpus, where every test run tries it.
//
//	go run ./internal/soak -time 1h
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
)

const (
	exitDone   = 0
	exitFailed = 1 // a target failed, could not be run or came to nothing
	exitUsage  = 2 // it was called wrong
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// options are what the flags say.
type options struct {
	time    time.Duration // of all targets together, without compiling them
	turn    time.Duration // the longest turn of a target
	inputs  int           // for each target in one turn, where time says nothing
	targets *regexp.Regexp
}

const usage = `Usage: go run ./internal/soak [flags]

Soak runs all fuzz targets of the module in the folder that it is started in, in turn
and again in turn until the time is over. What is new to a target's coverage goes on
counting in the next run, as Go's cache keeps it; with -inputs it does not. An input on
which a target fails is written to testdata/fuzz beside the target, to be kept: from
then on "go test" tries it. Ctrl-C ends the turn and prints the summary; what failed
just before is in it, tried once more for some seconds where Go's engine had no time to
say why. An input that hangs is found only in a turn that goes on for 10 s behind it.

Flags:
  -time DURATION   how long, without compiling (default 1h); there is one turn at least
  -turn DURATION   the longest turn of a target (default 1m)
  -inputs N        in place of both, one turn of N inputs for each target, the seeds
                   and what was once found among them
  -targets REGEXP  only the targets whose names match, such as fuzz.FuzzAnyBytes
  -h               show this

A target that fails is not started again, and neither is one that ends before its turn is
over, as one that skips itself. The summary names them.

The exit status is 0 if all went well, 1 if a target failed or none came to a new input,
or -inputs were too few for a new one of some target or not all of them tried, or there
was nothing to be run, and 2 for wrong flags. "go run" makes a 1 of each but 0, and of an
interrupt always; what "go build ./internal/soak" makes does not.
`

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stderr, usage)
		return exitDone
	case err != nil:
		fmt.Fprintf(stderr, "soak: %v; see soak -h\n", err)
		return exitUsage
	}
	failed, err := soak(ctx, o, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "soak: %v\n", err)
		return exitFailed
	}
	if failed {
		return exitFailed
	}
	return exitDone
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are told once, by run
	flags.DurationVar(&o.time, "time", time.Hour, "")
	flags.DurationVar(&o.turn, "turn", time.Minute, "")
	flags.IntVar(&o.inputs, "inputs", 0, "")
	pattern := flags.String("targets", "", "")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("no argument is expected, not %q", flags.Arg(0))
	}
	if o.time < time.Second || o.turn < time.Second {
		return o, errors.New("-time and -turn are of a second at least")
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case !given["inputs"]:
	case o.inputs < 1:
		return o, errors.New("-inputs is of one at least")
	case given["time"] || given["turn"]:
		return o, errors.New("-inputs goes in place of -time and -turn")
	}
	re, err := regexp.Compile(*pattern)
	if err != nil {
		return o, fmt.Errorf("-targets %q: %w", *pattern, err)
	}
	o.targets = re
	return o, nil
}

// soak reports whether a target failed.
func soak(ctx context.Context, o options, stdout, stderr io.Writer) (failed bool, err error) {
	bin, err := os.MkdirTemp("", "soak")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(bin)
	fmt.Fprintln(stderr, "looking for targets and compiling them")
	targets, err := find(ctx, bin, o.targets)
	switch {
	case ctx.Err() != nil:
		return false, errors.New("interrupted before the first turn")
	case err != nil:
		return false, err
	}
	if len(targets) == 0 {
		return false, errors.New("there is no such target")
	}
	for _, t := range targets {
		if err := t.canKeep(); err != nil {
			return false, fmt.Errorf("what %s fails on could not be kept: %w", t.name, err)
		}
	}
	s := screen{w: stderr, live: isTerminal(stderr)}
	if o.inputs > 0 {
		for _, t := range targets {
			t.cache = t.bin + ".new" // of no run before, which would have to be gone through first
		}
		once(ctx, targets, o.inputs, &s)
	} else {
		inTurn(ctx, targets, o, &s)
	}
	failed = summary(stdout, targets)
	begun := func(t *target) bool { return t.begun }
	if o.inputs > 0 { // whoever gives a number wants all of them tried
		all := !slices.ContainsFunc(targets, func(t *target) bool { return !t.begun || t.ended })
		return failed || ctx.Err() != nil || !all, nil
	}
	return failed || ctx.Err() == nil && !slices.ContainsFunc(targets, begun), nil
}

// once gives every target one turn of so many inputs.
func once(ctx context.Context, targets []*target, inputs int, s *screen) {
	for _, t := range targets {
		if ctx.Err() != nil {
			return
		}
		t.turn(ctx, turn{
			long: fmt.Sprintf("%dx", inputs), shorter: "10x",
			left:  func(now report) string { return fmt.Sprintf("%d inputs", max(0, int64(inputs)-now.execs)) },
			early: func(now report, _ time.Duration) bool { return now.execs < int64(inputs) },
		}, s)
	}
}

// inTurn gives every target its turns until the time is over or ctx is done. There is one turn
// at least, however short the time.
func inTurn(ctx context.Context, targets []*target, o options, s *screen) {
	end := time.Now().Add(o.time)
	for some := false; ctx.Err() == nil; {
		waiting := 0
		for _, t := range targets {
			if t.goesOn() {
				waiting++
			}
		}
		if waiting == 0 {
			return
		}
		for _, t := range targets {
			if !t.goesOn() {
				continue
			}
			left := time.Until(end)
			if ctx.Err() != nil || some && left < time.Second {
				return
			}
			some = true
			long := min(o.turn, max(time.Second, left/time.Duration(waiting)))
			t.turn(ctx, turn{
				long: long.String(), shorter: shorter.String(),
				left:  func(report) string { return max(0, time.Until(end)).Round(time.Second).String() },
				early: func(_ report, wall time.Duration) bool { return wall < long },
			}, s)
			waiting--
		}
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
