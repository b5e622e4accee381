package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// summary prints what each target did and what it failed on, and reports whether one did.
func summary(w io.Writer, targets []*target) (failed bool) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "target\tturns\tinputs\tper second\tnew\tkept\tCPU\t")
	var all target
	for _, t := range targets {
		row(table, t.name, t)
		all.turns += t.turns
		all.execs += t.execs
		all.fresh += t.fresh
		all.corpus += t.corpus
		all.wall += t.wall
		all.cpu += t.cpu
	}
	row(table, "all", &all)
	table.Flush() // w has the error, and there is nobody else to tell
	var ended, idle []string
	for _, t := range targets {
		switch {
		case t.failed != nil:
		case t.ended:
			ended = append(ended, t.name)
		case !t.begun:
			idle = append(idle, t.name)
		}
	}
	if ended != nil {
		fmt.Fprintf(w, "\nBefore their turn was over these ended by themselves, and were not started again: %s\n", strings.Join(ended, ", "))
	}
	if idle != nil {
		fmt.Fprintf(w, "\nNo new input was tried by these, which take more time or more inputs: %s\n", strings.Join(idle, ", "))
	}
	for _, t := range targets {
		if t.failed == nil {
			continue
		}
		failed = true
		fmt.Fprintf(w, "\n%s failed, in %s:\n", t.name, t.dir)
		for _, line := range t.failed {
			fmt.Fprintln(w, line)
		}
	}
	return failed
}

func row(w io.Writer, name string, t *target) {
	rate := int64(0)
	if s := t.wall.Seconds(); s > 0 {
		rate = int64(float64(t.execs) / s)
	}
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%v\t\n", name, t.turns, t.execs, rate, t.fresh, t.corpus, t.cpu.Round(time.Second))
}
