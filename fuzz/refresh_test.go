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

// A refresh of bytes that were changed stays inside them, ends, and either refuses them or
// writes nothing but values that have the lengths they should.

func TestRefreshOfAnyBytes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(rounds) {
		refreshAny(t, fuzz.Objects(fuzz.Seed(seed), fuzz.Config{}), damaged(t, seed, layout.ObjectsKind))
		for _, kind := range filledKinds { // with templates of what is damaged itself
			b := damaged(t, seed, kind)
			refreshAs(t, kind, b, b)
		}
	}
}

func FuzzRefresh(f *testing.F) {
	forBlocks(f, func(kind layout.Kind, b []byte) {
		if i := slices.Index(filledKinds, kind); i >= 0 {
			f.Add(uint8(i), b, b)
		}
	})
	f.Fuzz(func(t *testing.T, kind uint8, of, b []byte) {
		refreshAs(t, filledKinds[int(kind)%len(filledKinds)], of, b)
	})
}

// TestRefreshAsDecoded has the fixtures refresh themselves, and holds most of them to be
// refreshed to their end: with templates of others a target looks at little.
func TestRefreshAsDecoded(t *testing.T) {
	t.Parallel()
	whole := map[layout.Kind]int{}
	for _, x := range fixtures(t) {
		if slices.Contains(filledKinds, x.Kind) && refreshAs(t, x.Kind, x.Bytes, x.Bytes) {
			whole[x.Kind]++
		}
	}
	for _, kind := range filledKinds {
		if whole[kind] < 40 {
			t.Errorf("%d fixtures refresh themselves as a %v", whole[kind], kind)
		}
	}
}

// refreshAs has the templates of what a block decodes to refresh b, and reports whether there
// is anything that they went through to its end.
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

// refreshAny has the templates of objects refresh b, each what those before it left, and
// reports whether one of them did.
func refreshAny(t *testing.T, objects []builder.Object, b []byte) (done bool) {
	t.Helper()
	const behind = 16
	all := append(bytes.Clone(b), bytes.Repeat([]byte{0xEE}, behind)...)
	left := all[:len(b):len(b)]
	for _, o := range objects {
		template, err := o.Compile()
		if err != nil {
			continue // of what is kept of any bytes there need be none
		}
		var block *builder.CounterBlock // made where there is one: an object without may say any length
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
		case bytes.Count(all[len(b):], []byte{0xEE}) != behind:
			t.Fatal("bytes behind the input were written to")
		case err == nil && len(rest) > len(left)-int(layout.PERF_OBJECT_TYPE.Size):
			t.Fatalf("%d bytes left of %d", len(rest), len(left))
		case err != nil && !errors.Is(err, builder.ErrForeign):
			t.Fatal(err)
		case err != nil:
			continue
		}
		// What was refreshed without an error can be refreshed again, and is as long.
		again := template.Refresh(left[:len(left)-len(rest)])
		n := 0
		for ; again.Next(); n++ {
		}
		if left, err := again.Done(); err != nil || len(left) > 0 || n != steps {
			t.Fatalf("again: %v, %d bytes left, %d counter blocks instead of %d", err, len(left), n, steps)
		}
		left, done = rest, true
	}
	return done
}
