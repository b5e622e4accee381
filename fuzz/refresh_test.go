package fuzz_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// TestRefreshOfAnyBytes checks that a Refresh of a damaged block ends and changes no bytes after the block.
func TestRefreshOfAnyBytes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(sampleSize) {
		refreshAny(t, *fuzz.New[builder.Objects](fuzz.Seed(seed), fuzz.Config{}), damaged(t, seed, layout.ObjectsKind))
		for _, kind := range v1Kinds { // with the templates of the damaged block
			b := damaged(t, seed, kind)
			refreshAs(t, kind, b, b)
		}
	}
}

func FuzzRefresh(f *testing.F) {
	for _, x := range fixtures(f) {
		if i := slices.Index(v1Kinds, x.Kind); i >= 0 {
			f.Add(uint8(i), x.Bytes, x.Bytes)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, of, b []byte) { refreshAs(t, v1KindOf(kind), of, b) })
}

// TestRefreshAsDecoded checks that a Refresh succeeds for most fixtures, with templates that are decoded from the fixture.
func TestRefreshAsDecoded(t *testing.T) {
	t.Parallel()
	refreshed := map[layout.Kind]int{}
	for _, x := range fixtures(t) {
		if x.Kind.V1() && refreshAs(t, x.Kind, x.Bytes, x.Bytes) {
			refreshed[x.Kind]++
		}
	}
	for _, kind := range v1Kinds {
		if refreshed[kind] < 40 {
			t.Errorf("only %d fixtures of kind %v are refreshed", refreshed[kind], kind)
		}
	}
}

// refreshAs refreshes b with the templates of another block `of`. It returns true if at least one Refresh succeeded.
func refreshAs(t *testing.T, kind layout.Kind, of, b []byte) bool {
	t.Helper()
	m := empty(t, kind)
	if _, err := m.UnmarshalLossy(of); err != nil {
		return false
	}
	switch m := m.(type) {
	case *builder.DataBlock:
		header, err := layout.ReadDataBlock(b)
		return err == nil && refreshAny(t, m.Objects, b[header.HeaderLength():])
	case *builder.Objects:
		return refreshAny(t, *m, b)
	}
	return false
}

// refreshAny refreshes b with the template of each object in turn. It returns true if at least one Refresh succeeded.
func refreshAny(t *testing.T, objects []builder.Object, b []byte) (done bool) {
	t.Helper()
	const after = 16
	all := append(bytes.Clone(b), bytes.Repeat([]byte{0xEE}, after)...)
	left := all[:len(b):len(b)]
	for _, o := range objects {
		template, err := o.Compile()
		if err != nil {
			continue // a model decoded with losses may not compile
		}
		// Allocate block only after Next has found a counter block in `left`. The length that a template declares may
		// be too large to allocate.
		var block *builder.CounterBlock
		steps := 0
		r := template.Refresh(left)
		for ; r.Next(); steps++ {
			if block == nil {
				block = template.CounterBlock()
			}
			r.Block(block)
		}
		rest, err := r.Done()
		switch {
		case steps > len(left)/8:
			t.Fatalf("%d counter blocks in %d bytes", steps, len(left))
		case bytes.Count(all[len(b):], []byte{0xEE}) != after:
			t.Fatal("bytes after the input changed")
		case err == nil && len(rest) > len(left)-layout.SizeofObjectType:
			t.Fatalf("%d bytes are left of %d", len(rest), len(left))
		case err != nil && !errors.Is(err, builder.ErrForeign):
			t.Fatal(err)
		case err != nil:
			continue
		}
		// A successful refresh can be repeated.
		again := template.Refresh(left[:len(left)-len(rest)])
		n := 0
		for ; again.Next(); n++ {
		}
		if left, err := again.Done(); err != nil || len(left) > 0 || n != steps {
			t.Fatalf("the second refresh: %v, %d bytes left, %d counter blocks instead of %d", err, len(left), n, steps)
		}
		left, done = rest, true
	}
	return done
}
