//go:build !race

// What is measured here the race detector changes, and nothing runs at once.

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

// TestWorkIsLinear decodes and encodes what is made to cost much. Sixteen times the
// model may take six times as long for each instance, as caches fill up; where there
// is a loop in a loop it takes sixteen times as long.
func TestWorkIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures, for seconds")
	}
	const times, slower = 16, 6
	longName := strings.Repeat("ä", 500)
	for _, test := range []struct {
		reason string
		n      int
		object func(n int) *builder.Object
	}{
		{"names that differ", 100_000, instances(func(i int) builder.Instance { return named(fmt.Sprintf("instance %d", i)) })},
		{"names that are one but for case", 100_000, instances(func(i int) builder.Instance { return named(inCase(i)) })},
		{"one name", 100_000, instances(func(int) builder.Instance { return named("web") })},
		{"one name under many parents", 100_000, instances(func(i int) builder.Instance { return child("web", 4, uint32(i)) })},
		{"long names that differ at the end", 5_000, instances(func(i int) builder.Instance { return named(fmt.Sprint(longName, i)) })},
		{"long names that differ at the start", 10_000, instances(func(i int) builder.Instance { return named(fmt.Sprint(i, longName[:200])) })},
		{"two names that are nearly all", 16, func(n int) *builder.Object {
			return builder.NewObject(2).Add(named(strings.Repeat("a", n*100_000)+"b"), named(strings.Repeat("A", n*100_000)+"c"))
		}},
		{"no names", 100_000, instances(func(int) builder.Instance { return builder.Instance{} })},
		{"definitions that are mostly padding", 10_000, instances(func(int) builder.Instance { return builder.Instance{Name: "a", ByteLength: 1024} })},
		{"counters", 100_000, func(n int) *builder.Object {
			o := builder.NewObject(2)
			for range n {
				o.Counter(4, layout.PERF_COUNTER_RAWCOUNT)
			}
			return o
		}},
	} {
		n := long.Count(max(times, test.n/8), test.n)
		small, large := test.object(n/times+1), test.object(n)
		for what, run := range map[string]func(o *builder.Object, b []byte) error{
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
			cost := func(o *builder.Object) time.Duration {
				b, err := o.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				least := time.Hour
				for range 3 {
					start := time.Now()
					if err := run(o, b); err != nil {
						t.Fatal(err)
					}
					least = min(least, time.Since(start))
				}
				return least
			}
			least := cost(small)
			limit := least*slower*times + 20*time.Millisecond
			used := cost(large)
			for try := 1; try < 8 && used > limit && used < 8*limit; try++ { // another process may have run
				used = min(used, cost(large))
			}
			if used > limit {
				t.Errorf("%s %s: one in %d takes %v and all %v, want %v at most", what, test.reason, times, least, used, limit)
			}
			t.Logf("%s %-40s %12v %12v", what, test.reason, least, used)
		}
	}
}

// instances returns what makes an object of n instances, whatever their names.
func instances(one func(i int) builder.Instance) func(n int) *builder.Object {
	return func(n int) *builder.Object {
		o := builder.NewObject(2)
		for i := range n {
			o.Add(one(i))
		}
		_, err := o.MarshalBinary()
		o.DuplicateNames = err != nil
		return o
	}
}

// inCase returns name i of those that are one name but for the case of 20 letters.
func inCase(i int) string {
	name := []byte("abcdefghijklmnopqrst")
	for bit := range name {
		name[bit] ^= byte(i>>bit&1) << 5
	}
	return string(name)
}
