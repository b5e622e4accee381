package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A judge is a package whose tests are run with a mutant: those that take long behind the others, which mostly tell already.
type judge struct {
	*room
	limit time.Duration
	quick []string // flags of its binary
	slow  []string // nil if none takes long
}

// A trial builds tests and runs them.
type trial struct {
	dir      string // for what is built
	patience time.Duration
	judges   map[*room][]*judge // of each package, itself first
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
func (t *trial) prepare(ctx context.Context, rooms, others []*room, progress io.Writer) error {
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
	}
	return nil
}

func (t *trial) asItIs(ctx context.Context, j *judge) error {
	binary := filepath.Join(t.dir, "test.exe")
	defer os.Remove(binary)
	if out, err := build(ctx, binary, "", j.room); err != nil {
		return fmt.Errorf("%s does not compile: %w\n%s", j.name(), err, out)
	}
	start := time.Now()
	out, err := runTests(ctx, binary, j.Dir, t.dir, time.Hour, true, "-test.v")
	if err != nil {
		return fmt.Errorf("%s fails as it is: %w\n%s", j.name(), err, out)
	}
	j.limit = t.patience + limitFactor*time.Since(start)
	if list := slowTests(out); len(list) > 0 {
		pattern := "^(" + strings.Join(list, "|") + ")$"
		j.quick, j.slow = []string{"-test.skip=" + pattern}, []string{"-test.run=" + pattern}
	}
	return nil
}

// slowTests returns the tests that took a second or more, by what they print.
func slowTests(out []byte) (list []string) {
	for _, m := range regexp.MustCompile(`(?m)^--- PASS: (\w+) \((\d+)\.`).FindAllSubmatch(out, -1) {
		if string(m[2]) != "0" {
			list = append(list, string(m[1]))
		}
	}
	return list
}

// build builds the tests of a package, without what a debugger wants, which takes longer; overlay may be empty.
func build(ctx context.Context, binary, overlay string, r *room) ([]byte, error) {
	return exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay="+overlay, "-o", binary, r.ImportPath).CombinedOutput()
}

// compiles reports whether the package alone can be built, and not its tests: those may have an index or a sum of constants in mind.
func compiles(ctx context.Context, overlay string, r *room) bool {
	return exec.CommandContext(ctx, "go", "build", "-overlay="+overlay, "-o", os.DevNull, r.ImportPath).Run() == nil
}

// try runs the tests of the package with the mutant, and if they pass those of the others.
func (t *trial) try(ctx context.Context, m *mutant) (verdict, error) {
	dir, err := os.MkdirTemp(t.dir, "mutant")
	if err != nil {
		return verdict{}, err
	}
	defer os.RemoveAll(dir)
	overlay, err := writeOverlay(dir, m)
	if err != nil {
		return verdict{}, err
	}
	own, others := t.judges[m.room][:1], t.judges[m.room][1:]
	for i, list := range [][]*judge{own, others} {
		a := attempt{dir: dir, overlay: overlay, own: i == 0}
		for _, slow := range []bool{false, true} {
			for _, j := range list {
				if v, err := a.try(ctx, m, j, slow); v.fate != lives || err != nil {
					return v, err
				}
			}
		}
	}
	return verdict{fate: lives}, nil
}
