// Command bench measures what perfblock costs: every workload of package fuzz built, filled, refreshed, decoded and judged, beside a
// copy of its bytes and beside the same work in C, and the whole command from its start to its end.
//
//	go run ./internal/bench                       all of it, as tables of Markdown
//	go run ./internal/bench -o docs/performance.md  the page that shows them
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/outfile"
)

const (
	exitDone   = 0
	exitFailed = 1 // it could not measure
	exitUsage  = 2 // it was called wrong
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// options are what the flags say.
type options struct {
	workloads []fuzz.Workload
	out       string
	commands  bool
	by        sampling
}

func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err != nil:
		fmt.Fprintf(stderr, "bench: %v; see bench -h\n", err)
		return exitUsage
	}
	if err := bench(o, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return exitFailed
	}
	return exitDone
}

const usage = `Usage: go run ./internal/bench [flags]

Bench measures what perfblock costs and prints it as tables of Markdown: each
workload built, filled, refreshed, decoded and judged, beside a copy of its bytes
and, where there is a C compiler, the same work in C; then whole commands. It
takes a few minutes, 2 GB of memory and 200 MB of the folder for temporary files.

Flags:
  -workload REGEXP  only the workloads whose names match
  -commands=false   leave out the whole commands
  -o FILE           write a page of it to FILE, with what is measured, how to
                    read it and the machine, instead of printing the tables
  -h                show this

Workloads:
`

func parse(args []string, stderr io.Writer) (options, error) {
	o := options{by: usual}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are told once, by run
	pattern := flags.String("workload", "", "")
	flags.StringVar(&o.out, "o", "", "")
	flags.BoolVar(&o.commands, "commands", true, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stderr, usage)
		for _, w := range workloads() {
			fmt.Fprintf(stderr, "  %-16s  %s\n", w.Name, w.Doc)
		}
		return o, err
	case err != nil:
		return o, err
	case flags.NArg() > 0:
		return o, fmt.Errorf("no argument is expected, not %q", flags.Arg(0))
	}
	if err := writable(o.out); err != nil { // to be told now, and not when all is measured
		return o, fmt.Errorf("-o %s: %w", o.out, err)
	}
	re, err := regexp.Compile(*pattern)
	if err != nil {
		return o, fmt.Errorf("-workload %q: %w", *pattern, err)
	}
	var names []string
	for _, w := range workloads() {
		names = append(names, w.Name)
		if re.MatchString(w.Name) {
			o.workloads = append(o.workloads, w)
		}
	}
	if len(o.workloads) == 0 {
		return o, fmt.Errorf("-workload %q matches none of %s", *pattern, strings.Join(names, ", "))
	}
	return o, nil
}

// writable reports why no file of that name can be written, the empty one for none.
func writable(name string) error {
	if name == "" {
		return nil
	}
	if i, err := os.Stat(name); err == nil && i.IsDir() {
		return errors.New("it is a folder")
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".perfblock-bench")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// bench measures and writes. Commands come first: on Linux what a child is said to have had in memory is never less than what its
// parent has had, and before the library is measured that is little.
func bench(o options, stdout, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "perfblock-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer context.AfterFunc(ctx, func() { // what is being measured does not listen
		fmt.Fprintln(stderr, "bench: interrupted")
		_ = os.RemoveAll(dir)
		os.Exit(exitFailed)
	})()
	var p page
	if o.commands {
		has := func(name string) bool {
			return slices.ContainsFunc(o.workloads, func(w fuzz.Workload) bool { return w.Name == name })
		}
		if p.commands, err = measureCommands(dir, has, stderr); err != nil {
			return err
		}
	}
	if p.figures, err = measureWorkloads(o.workloads, dir, o.by, stderr); err != nil {
		return err
	}
	if o.out == "" {
		_, err = io.WriteString(stdout, p.tables())
		return err
	}
	if p.machine, err = thisMachine(); err != nil {
		return err
	}
	return outfile.Write(o.out, func(w io.Writer) error {
		_, err := io.WriteString(w, p.String())
		return err
	})
}
