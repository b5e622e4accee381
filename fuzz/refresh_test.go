package fuzz_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// A refresh of bytes that were changed stays inside them, ends, and either refuses them or
// writes nothing but values that have the lengths they should.

func TestRefreshOfAnyBytes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(rounds) {
		refreshAny(t, fuzz.Seed(seed), damaged(t, seed, layout.ObjectsKind))
		q := plainQuery(fuzz.Seed(seed))
		b, err := q.MarshalBinary()
		fatal(t, err)
		refreshAnyQuery(t, &q, fuzz.Damage(fuzz.Seed(seed), b))
	}
}

func FuzzRefresh(f *testing.F) {
	for seed := range uint64(64) {
		b, err := fuzz.Objects(fuzz.Seed(seed), small).MarshalBinary()
		fatal(f, err)
		f.Add(false, seed, b)
		q := plainQuery(fuzz.Seed(seed))
		b, err = q.MarshalBinary()
		fatal(f, err)
		f.Add(true, seed, b)
	}
	f.Fuzz(func(t *testing.T, query bool, seed uint64, b []byte) {
		if !query {
			refreshAny(t, fuzz.Seed(seed), b)
			return
		}
		q := plainQuery(fuzz.Seed(seed))
		refreshAnyQuery(t, &q, b)
	})
}

// refreshAny has the templates of the objects that s makes refresh b.
func refreshAny(t *testing.T, s *fuzz.Source, b []byte) {
	t.Helper()
	for _, o := range fuzz.Objects(s, fuzz.Config{}) {
		template, err := o.Compile()
		if err != nil {
			t.Fatal(err)
		}
		const behind = 16
		all := append(bytes.Clone(b), bytes.Repeat([]byte{0xEE}, behind)...)
		block, steps := template.CounterBlock(), 0
		r := template.Refresh(all[:len(b):len(b)])
		for ; r.Next(); steps++ {
			r.Block(block)
		}
		rest, err := r.Done()
		switch {
		case steps > len(b)/8:
			t.Fatalf("%d counter blocks in %d bytes", steps, len(b))
		case bytes.Count(all[len(b):], []byte{0xEE}) != behind:
			t.Fatal("bytes behind the input were written to")
		case err == nil && len(rest) > len(b)-int(layout.PERF_OBJECT_TYPE.Size):
			t.Fatalf("%d bytes left of %d", len(rest), len(b))
		case err != nil && !errors.Is(err, builder.ErrForeign):
			t.Fatal(err)
		case err != nil:
			continue
		}
		// What was refreshed without an error can be refreshed again, and is as long.
		again := template.Refresh(all[:len(b)-len(rest)])
		n := 0
		for ; again.Next(); n++ {
		}
		if left, err := again.Done(); err != nil || len(left) > 0 || n != steps {
			t.Fatalf("again: %v, %d bytes left, %d counter blocks instead of %d", err, len(left), n, steps)
		}
	}
}

// refreshAnyQuery has the templates of the answers of q refresh b.
func refreshAnyQuery(t *testing.T, q *builder.QueryData, b []byte) {
	t.Helper()
	const behind = 16
	all := append(bytes.Clone(b), bytes.Repeat([]byte{0xEE}, behind)...)
	f := newQueryFilling(t, q)
	refresh := func() (steps int, err error) {
		r := builder.NewQueryRefresh(all[:len(b):len(b)], f.clocks)
		for i, template := range f.templates {
			for r.Result(template); r.Next(); steps++ {
				r.Values(make([]uint64, len(f.results[i].Counters))...)
			}
		}
		return steps, r.Done()
	}
	steps, err := refresh()
	switch {
	case steps > len(b)/8:
		t.Fatalf("%d instances in %d bytes", steps, len(b))
	case bytes.Count(all[len(b):], []byte{0xEE}) != behind:
		t.Fatal("bytes behind the input were written to")
	case err != nil && !errors.Is(err, builder.ErrForeign):
		t.Fatal(err)
	case err != nil:
		return
	}
	// What was refreshed without an error has as many instances as before, can be refreshed
	// again, and its values are zero.
	if n, err := refresh(); err != nil || n != steps {
		t.Fatalf("again: %v, %d instances instead of %d", err, n, steps)
	}
	data, err := layout.ReadQuery(all[:len(b)])
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for result, err := range data.Results() {
		if n++; err != nil || n > len(f.results) {
			break // there may be more answers than were gone through, of any bytes
		}
		instances, err := result.Instances()
		if err != nil {
			t.Fatal(err)
		}
		for in, err := range instances.All() {
			if err != nil {
				t.Fatal(err)
			}
			for raw := range in.Values() {
				if value, err := raw.Value(); err != nil || bytes.Count(value.Bytes(), []byte{0}) != value.Len() {
					t.Fatalf("a value that was not set to zero: %x, %v", value.Bytes(), err)
				}
			}
		}
	}
}
