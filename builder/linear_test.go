//go:build !race

// This file is not built with -race: the race detector changes the measured time.

package builder_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// TestWorkIsLinear checks that encoding and decoding take linear time.
func TestWorkIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures, for seconds")
	}
	// The large model has 64 times the size of the small model. Linear work on the large model takes 64 times as
	// long, and quadratic work takes 64 * 64 times as long. The test allows 16 * 64 times as long, because only
	// the small model fits in the caches of the processor.
	const times, slower = 64, 16
	longName := strings.Repeat("ä", 500)
	for _, test := range []struct {
		reason string
		n      int // the size of the large model
		object func(n int) *builder.Object
	}{
		{"names that differ", 100_000, instances(func(i int) builder.Instance { return named(fmt.Sprintf("instance %d", i)) })},
		{"names that differ only in case", 100_000, instances(func(i int) builder.Instance { return named(inCase(i)) })},
		{"the same name", 100_000, instances(func(int) builder.Instance { return named("web") })},
		{"the same name with many parents", 100_000, instances(func(i int) builder.Instance { return child("web", 4, uint32(i)) })},
		{"long names that differ at the end", 5_000, instances(func(i int) builder.Instance { return named(fmt.Sprint(longName, i)) })},
		{"long names that differ at the start", 10_000, instances(func(i int) builder.Instance { return named(fmt.Sprint(i, longName[:200])) })},
		{"two very long names that differ at the end", 1_600_000, func(n int) *builder.Object {
			return builder.NewObject(2).Add(named(strings.Repeat("a", n)+"b"), named(strings.Repeat("A", n)+"c"))
		}},
		{"instances without names", 100_000, instances(func(int) builder.Instance { return builder.Instance{} })},
		{"instances that are mostly padding", 10_000, instances(func(int) builder.Instance { return builder.Instance{Name: "a", ByteLength: 1024} })},
		{"counters", 100_000, func(n int) *builder.Object {
			o := builder.NewObject(2)
			for range n {
				o.Counter(4, layout.PERF_COUNTER_RAWCOUNT)
			}
			return o
		}},
	} {
		n := long.Count(test.n/8, test.n)
		small, large := test.object(n/times), test.object(n)
		for name, run := range map[string]func(o *builder.Object, b []byte) error{
			"encoding": func(o *builder.Object, b []byte) error {
				_, err := o.AppendBinary(b[:0])
				return err
			},
			"decoding": func(_ *builder.Object, b []byte) error {
				var back builder.Objects
				_, err := back.UnmarshalLossy(b)
				return err
			},
		} {
			// cost runs the test several times and returns the shortest time.
			cost := func(o *builder.Object, runs int) time.Duration {
				b, err := o.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				least := time.Hour
				for range runs {
					start := time.Now()
					if err := run(o, b); err != nil {
						t.Fatal(err)
					}
					least = min(least, time.Since(start))
				}
				return least
			}
			least := cost(small, 3)
			limit := least*slower*times + 10*time.Millisecond
			used := cost(large, 1)
			for try := 1; try < 8 && used > limit && used < 8*limit; try++ { // another process may have used the processor
				used = min(used, cost(large, 1))
			}
			if used > limit {
				t.Errorf("%s %s: a model of size %d takes %v and one of size %d takes %v, must take at most %v", name, test.reason, n/times, least, n, used, limit)
			}
			t.Logf("%s %-44s %12v %12v", name, test.reason, least, used)
		}
	}
}

// instances returns a function that makes an object with n instances. The function sets DuplicateNames if names
// repeat.
func instances(instance func(i int) builder.Instance) func(n int) *builder.Object {
	return func(n int) *builder.Object {
		o := builder.NewObject(2)
		for i := range n {
			o.Add(instance(i))
		}
		_, err := o.MarshalBinary()
		o.DuplicateNames = err != nil
		return o
	}
}

// inCase returns a name of 20 letters. Each bit of i sets the case of one letter.
func inCase(i int) string {
	name := []byte("abcdefghijklmnopqrst")
	for bit := range name {
		name[bit] ^= byte(i>>bit&1) << 5
	}
	return string(name)
}
