package fuzz_test

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// covers holds layout.Walk to its promise: parts in order, every byte in one, no
// more parts than bytes; and layout.Index to the same places.
func covers(t *testing.T, kind layout.Kind, b []byte) {
	t.Helper()
	end, parts, shown := int64(0), 0, 0
	index := layout.NewIndex(kind, b)
	for p := range layout.Walk(kind, b) {
		if parts++; parts > len(b)+1 {
			t.Fatalf("more parts than the %d bytes", len(b))
		}
		if p.Off() > end || p.Off() < 0 || p.End() > int64(len(b)) {
			t.Fatalf("%v is at %d to %d after %d of %d bytes", p.Path, p.Off(), p.End(), end, len(b))
		}
		end = max(end, p.End())
		if shown += p.Len(); shown > 9*len(b) {
			t.Fatalf("the %d bytes are shown more than 9 times", len(b))
		}
		if p.Err != nil {
			inside(t, p.Err, b)
		}
		if p.Sort == layout.FieldPart || p.Sort == layout.NamePart || p.Sort == layout.ValuePart {
			found(t, index, p, b)
		}
	}
	if end != int64(len(b)) {
		t.Fatalf("the parts end at %d of %d bytes", end, len(b))
	}
}

// found looks a part up by its path as text. What Walk shows of a record that is
// broken, the index does not have.
func found(t *testing.T, index *layout.Index, p layout.Part, b []byte) {
	t.Helper()
	path, err := layout.ParsePath(p.Path.String())
	if err != nil || path != p.Path {
		t.Fatalf("path %v reads back as %v, %v", p.Path, path, err)
	}
	q, err := index.Find(path)
	if err != nil {
		if !errors.Is(err, layout.ErrPath) {
			inside(t, err, b)
		}
		return
	}
	if q.Off() != p.Off() || q.Len() != p.Len() || q.Sort != p.Sort {
		t.Fatalf("%v is at %d, %d bytes, %v; the index has %d, %d, %v", p.Path, p.Off(), p.Len(), p.Sort, q.Off(), q.Len(), q.Sort)
	}
}

func TestWalkFindsEveryPart(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds / 4) {
		kind := layout.V1Kinds()[seed%2]
		b := valid(t, fuzz.Seed(seed), kind)
		index := layout.NewIndex(kind, b)
		for p := range layout.Walk(kind, b) {
			if p.Sort == layout.UnreadPart {
				t.Fatalf("seed %d: a valid block has %v unread, %v", seed, p.Path, p.Err)
			}
			if _, err := index.Find(p.Path); p.Sort != layout.PaddingPart && err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
}
