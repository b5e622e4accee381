package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"
)

// try finds, draws and tries the mutants of each package, and prints those that live and the figures.
func try(ctx context.Context, o options, stdout, stderr io.Writer) error {
	rooms, err := loadRooms(ctx, o.packages)
	if err != nil {
		return err
	}
	equals, err := readEquals(o.equal)
	if err != nil {
		return err
	}
	var drawn []*mutant
	tallies := make(map[*room]*tally)
	for _, r := range rooms {
		all, err := mutantsOf(r)
		if err != nil {
			return err
		}
		if err := equals.find(all); err != nil {
			return err
		}
		some := draw(all, o)
		fmt.Fprintf(stdout, "%s: %d places, %d drawn\n", r.name(), len(all), len(some))
		drawn = append(drawn, some...)
		tallies[r] = new(tally)
	}
	switch {
	case o.n == 0:
		return nil
	case len(drawn) == 0:
		return errors.New("there is no such place")
	}
	dir, err := os.MkdirTemp("", "perfblock-mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	others, err := loadRooms(ctx, o.judges)
	if err != nil {
		return err
	}
	t := trial{dir: dir, patience: o.patience}
	if err := t.prepare(ctx, rooms, others, drawn, stderr); err != nil {
		return err
	}
	untrue := 0
	tell := func(m *mutant, v verdict) {
		tallies[m.room].count(v, equals.reason(m) != "")
		switch {
		case v.killed() && equals.reason(m) != "":
			untrue++
			fmt.Fprintf(stdout, "not equal, but %v: %v\n", v, m)
		case v.fate == lives && equals.reason(m) == "":
			fmt.Fprintf(stdout, "lives: %v\n", m)
		case o.verbose:
			fmt.Fprintf(stdout, "%v: %v\n", v, m)
		}
	}
	var left []*mutant
	err = all(ctx, drawn, o.at, t.sieve, func(m *mutant, v verdict) {
		switch {
		case v.fate != lives:
			tell(m, v)
			return
		case o.verbose:
			fmt.Fprintf(stdout, "to be built on its own: %v\n", m)
		}
		left = append(left, m)
	})
	if err == nil {
		err = all(ctx, left, o.at, t.alone, tell)
	}
	writeTallies(stdout, rooms, tallies) // of those that were tried, where it was ended
	if err == nil && untrue > 0 {
		return fmt.Errorf("%d of equal.txt are not equal", untrue)
	}
	return err
}

// draw returns so many of those that are wanted, at random and by the seed.
func draw(all []*mutant, o options) []*mutant {
	var some []*mutant
	for _, m := range all {
		if o.only.MatchString(m.String()) {
			some = append(some, m)
		}
	}
	random := rand.New(rand.NewPCG(o.seed, 0))
	random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	return some[:min(o.n, len(some))]
}

// all tries the mutants, some at a time, and tells of each one by one.
func all(ctx context.Context, list []*mutant, at int, try func(context.Context, *mutant) (verdict, error), tell func(*mutant, verdict)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan *mutant)
	var telling sync.Mutex
	var workers sync.WaitGroup
	for range at {
		workers.Go(func() {
			for m := range next {
				v, err := try(ctx, m)
				if err != nil {
					stop(err)
					continue
				}
				telling.Lock()
				tell(m, v)
				telling.Unlock()
			}
		})
	}
	for _, m := range list {
		select {
		case next <- m:
		case <-ctx.Done():
		}
	}
	close(next)
	workers.Wait()
	return context.Cause(ctx)
}
