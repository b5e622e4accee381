package fuzz_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/walktest"
	"github.com/perfblock/perfblock/layout"
)

// TestAnyBytes uses anyBytes to check layout.Walk and the decoder with damaged blocks of each kind.
func TestAnyBytes(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		n, lossless, lossy := sampleSize, 0, 0
		for seed := range uint64(n) {
			data := damaged(t, seed, kind)
			if seed%16 == 0 && !kind.V1() { // a buffer may be larger than its data
				data = append(data, make([]byte, 8)...)
			}
			one, other := anyBytes(t, kind, data)
			lossless, lossy = lossless+one, lossy+other
		}
		t.Logf("of %d damaged blocks %d decode without losses and %d with losses", n, lossless, lossy)
		switch {
		case lossless < n/32:
			t.Error("the damage is too strong: almost no block decodes")
		case kind == layout.GUIDsKind: // a list of GUIDs never decodes with losses
		case lossy < n/32 || lossless+lossy > 15*n/16:
			t.Error("the damage is too weak or one-sided")
		}
	})
}

func FuzzAnyBytes(f *testing.F) {
	addBlocks(f)
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) { anyBytes(t, kindOf(kind), b) })
}

// anyBytes reads b with layout.Walk, decodes b, and checks the results. The bytes of b must not change. lossless is 1
// if UnmarshalBinary succeeds. lossy is 1 if only UnmarshalLossy succeeds.
func anyBytes(t *testing.T, kind layout.Kind, b []byte) (lossless, lossy int) {
	t.Helper()
	before := bytes.Clone(b)
	defer func() {
		if !bytes.Equal(before, b) {
			t.Fatal("reading changed the input")
		}
	}()
	walktest.Check(t, kind, b)
	return decodes(t, kind, b)
}

func decodes(t *testing.T, kind layout.Kind, b []byte) (lossless, lossy int) {
	t.Helper()
	got := nonEmpty(t, kind)
	err := got.UnmarshalBinary(b)
	if err == nil {
		again, err := got.AppendBinary(nil)
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%v; a decoded block encodes to other bytes:\nwas % x\nis  % x", err, b, again)
		}
		return 1, 0
	}
	if diff := unlike(nonEmpty(t, kind), got); diff != "" {
		t.Fatalf("a failed decoding changed the model:\n%s", diff)
	}
	walktest.Inside(t, err, len(b))
	losses, err := got.UnmarshalLossy(b)
	if err != nil {
		walktest.Inside(t, err, len(b))
		return 0, 0
	}
	if len(losses) == 0 {
		t.Fatal("UnmarshalBinary fails but UnmarshalLossy lists no loss")
	}
	for _, e := range losses {
		walktest.Inside(t, e, len(b))
		if !errors.Is(e, builder.ErrUnkept) {
			t.Fatalf("the loss %v does not wrap ErrUnkept", e)
		}
	}
	clean, err := got.AppendBinary(nil)
	if err != nil {
		t.Fatalf("a model decoded with losses does not encode: %v", err)
	}
	if err := empty(t, kind).UnmarshalBinary(clean); err != nil {
		t.Fatalf("the block of a model decoded with losses does not decode: %v", err)
	}
	return 0, 1
}

// nonEmpty returns a model that is not empty. All calls with the same kind return equal models.
func nonEmpty(t *testing.T, kind layout.Kind) builder.Model {
	t.Helper()
	c := fuzz.Config{MaxObjects: 1, MaxCounters: 1, MaxInstances: 1, MaxText: 2}
	for seed := range uint64(100) {
		if m := fuzz.Model(kind, fuzz.Seed(seed), c); !cmp.Equal(m, empty(t, kind)) {
			return m
		}
	}
	t.Fatalf("every %v is empty", kind)
	return nil
}

// TestWalkFindsEveryPart checks that layout.Walk reads each part of a valid block.
func TestWalkFindsEveryPart(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		for seed := range uint64(sampleSize) {
			b := valid(t, fuzz.Seed(seed), kind)
			for p := range layout.Walk(kind, b) {
				if p.Sort == layout.UnreadPart {
					t.Fatalf("seed %d: %v of a valid block is unread, %v", seed, p.Path, p.Err)
				}
			}
			walktest.Check(t, kind, b)
		}
	})
}
