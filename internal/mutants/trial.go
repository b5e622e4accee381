package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A trial builds tests and runs them.
type trial struct {
	dir      string // for what is built
	patience time.Duration
	judges   map[*room][]*judge // of each package, itself first
	sieves   map[*room]*sieve
}

// A fate is what became of a mutant.
type fate int

const (
	lives      fate = iota
	uncompiled      // it is none
	killed          // by the tests of the package
	killedBy        // by those of another
	timedOut
)

type verdict struct {
	fate fate
	by   string
}

func (v verdict) killed() bool { return v.fate >= killed }

func (v verdict) String() string {
	switch v.fate {
	case lives:
		return "lives"
	case uncompiled:
		return "does not compile"
	case timedOut:
		return "killed by time in " + v.by
	}
	return "killed by " + v.by
}

// limitFactor is how much longer tests may take with a mutant: others are tried beside it.
const limitFactor = 5

// prepare runs each test without a mutant, to see that it passes and how long it takes.
func (t *trial) prepare(ctx context.Context, rooms, others []*room, drawn []*mutant, progress io.Writer) error {
	t.judges, t.sieves = make(map[*room][]*judge), make(map[*room]*sieve)
	known := make(map[string]*judge)
	for _, r := range rooms {
		for _, o := range judgesOf(r, others) {
			j := known[o.ImportPath]
			if j == nil {
				fmt.Fprintf(progress, "mutants: the tests of %s as they are\n", o.name())
				j = &judge{room: o}
				if err := t.asItIs(ctx, j); err != nil {
					return err
				}
				known[o.ImportPath] = j
			}
			t.judges[r] = append(t.judges[r], j)
		}
		var list []*mutant
		for _, m := range drawn {
			if m.room == r {
				list = append(list, m)
			}
		}
		fmt.Fprintf(progress, "mutants: the tests of %s with %d mutants in them\n", r.name(), len(list))
		var err error
		if t.sieves[r], err = t.newSieve(ctx, r, list); err != nil {
			return err
		}
	}
	return nil
}

func (t *trial) asItIs(ctx context.Context, j *judge) error {
	binary := filepath.Join(t.dir, "test.exe")
	defer os.Remove(binary)
	if out, err := build(ctx, binary, "", j.room); err != nil {
		return fmt.Errorf("%s does not compile: %w\n%s", j.name(), err, out)
	}
	return j.measure(ctx, t, binary, false)
}

// build builds the tests of a package, without what a debugger wants, which takes longer; overlay may be empty.
func build(ctx context.Context, binary, overlay string, r *room) ([]byte, error) {
	return exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay="+overlay, "-o", binary, r.ImportPath).CombinedOutput()
}

// compiles reports whether the package alone can be built, and not its tests: those may have an index or a sum of constants in mind.
func compiles(ctx context.Context, overlay string, r *room) bool {
	return exec.CommandContext(ctx, "go", "build", "-overlay="+overlay, "-o", os.DevNull, r.ImportPath).Run() == nil
}

// sieve tries a mutant in the binary with the others; that it lives says nothing.
func (t *trial) sieve(ctx context.Context, m *mutant) (verdict, error) {
	if s := t.sieves[m.room]; s != nil {
		return s.try(ctx, t, m)
	}
	return verdict{fate: lives}, ctx.Err()
}

// alone builds the mutant on its own, and runs the tests of the package, and if they pass those of the others.
func (t *trial) alone(ctx context.Context, m *mutant) (verdict, error) {
	dir, err := os.MkdirTemp(t.dir, "mutant")
	if err != nil {
		return verdict{}, err
	}
	defer os.RemoveAll(dir)
	overlay, err := writeDamaged(dir, m)
	if err != nil {
		return verdict{}, err
	}
	own, others := t.judges[m.room][:1], t.judges[m.room][1:]
	for i, list := range [][]*judge{own, others} {
		a := attempt{dir: dir, overlay: overlay, own: i == 0}
		for stage := range 2 {
			for _, j := range list {
				if v, err := a.try(ctx, m, j, stage); v.fate != lives || err != nil {
					return v, err
				}
			}
		}
	}
	return verdict{fate: lives}, nil
}
