package fuzz_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// A Refresh of bytes that were changed stays inside them, ends, and either refuses
// them or writes nothing but counter blocks that have the length they should.

func TestRefreshOfAnyBytes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		refreshAny(t, fuzz.Seed(seed), damaged(t, seed, layout.ObjectsKind))
	}
}

func FuzzRefresh(f *testing.F) {
	for seed := range uint64(64) {
		b, err := fuzz.Objects(fuzz.Seed(seed), fuzz.Config{MaxObjects: 2, MaxCounters: 4, MaxInstances: 3}).MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed, b)
	}
	f.Fuzz(func(t *testing.T, seed uint64, b []byte) { refreshAny(t, fuzz.Seed(seed), b) })
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
