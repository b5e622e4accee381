// Command mutants says how many small damages to a package its tests notice. It finds every place where one can be done, draws some of
// them, and builds and runs the tests with each: those of the package, and if they pass those of the packages that hold it.
// The tree is never written to.
//
//	go run ./internal/mutants ./layout ./builder ./validate ./spec
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
	"runtime"
	"syscall"
	"time"
)

const (
	exitDone   = 0
	exitFailed = 1 // it could not try them, or equal.txt is wrong
	exitUsage  = 2 // it was called wrong
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// judges are the packages whose tests are run when those of the package itself pass, and those of them alone that depend on it. The
// properties come first.
var judges = []string{"./fuzz", "./internal/golden", "./builder", "./spec", "./validate", "./internal/dump"}

// options are what the flags say.
type options struct {
	n        int
	seed     uint64
	only     *regexp.Regexp
	at       int // a time
	verbose  bool
	packages []string
	judges   []string
	patience time.Duration // what tests may take beyond a multiple of what they take without a mutant
	equal    string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err != nil:
		fmt.Fprintf(stderr, "mutants: %v; see mutants -h\n", err)
		return exitUsage
	}
	if err := try(ctx, o, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "mutants: %v\n", err)
		return exitFailed
	}
	return exitDone
}

const usualPatience = 15 * time.Second

const usage = `Usage: go run ./internal/mutants [flags] PACKAGE...

Mutants damages the packages in small ways, one at a time, and says which of the
damages no test notices. It runs tests with -short.

Flags:
  -n N          so many of each package, drawn at random (100); 0 counts alone
  -seed N       what they are drawn by (1)
  -only REGEXP  those alone whose line, as -v prints it, matches: by file, by
                function, by text
  -j N          so many at a time (half of the processors, 2 at the least)
  -own          run the tests of the package alone, which is quicker
  -v            print each, and not only those that live
  -h            show this
`

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{judges: judges, patience: usualPatience, equal: equalFile}
	flags := flag.NewFlagSet("mutants", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are told once, by run
	flags.IntVar(&o.n, "n", 100, "")
	flags.Uint64Var(&o.seed, "seed", 1, "")
	pattern := flags.String("only", "", "")
	flags.IntVar(&o.at, "j", max(2, runtime.NumCPU()/2), "")
	own := flags.Bool("own", false, "")
	flags.BoolVar(&o.verbose, "v", false, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stderr, usage)
		return o, err
	case err != nil:
		return o, err
	case flags.NArg() == 0:
		return o, errors.New("no package is given")
	case o.n < 0 || o.at < 1:
		return o, fmt.Errorf("-n %d -j %d is less than can be", o.n, o.at)
	}
	if *own {
		o.judges = nil
	}
	o.packages = flags.Args()
	var err error
	if o.only, err = regexp.Compile(*pattern); err != nil {
		return o, fmt.Errorf("-only %q: %w", *pattern, err)
	}
	return o, nil
}
