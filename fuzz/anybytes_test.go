package fuzz_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// Whatever the bytes: decoding ends, and says where it failed or gives a model
// that encodes to the same bytes. What was lost is only lost when asked for, and
// then the model encodes to a block that is free of it.

func TestAnyBytes(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		var decoded, lossy int
		for seed := range uint64(2 * rounds) {
			data := damaged(t, seed, kind)
			if seed%16 == 0 && !kind.V1() { // as a buffer is that was larger than it needed to be
				data = append(data, make([]byte, 8)...)
			}
			a, b := anyBytes(t, kind, data)
			decoded, lossy = decoded+a, lossy+b
		}
		// A generator of damage that nothing survives, or nothing minds, tests little.
		t.Logf("of %d damaged blocks %d decode whole and %d more with losses", 2*rounds, decoded, lossy)
		switch {
		case decoded < rounds/16:
			t.Errorf("nothing survives the damage")
		case kind == layout.GUIDsKind: // which loses nothing
		case lossy < rounds/16 || decoded+lossy > 15*rounds/8:
			t.Errorf("the damage is one-sided")
		}
	})
}

func FuzzAnyBytes(f *testing.F) {
	addBlocks(f)
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) { anyBytes(t, kindOf(kind), b) })
}

// anyBytes reports whether the bytes decoded whole, and whether with losses.
func anyBytes(t *testing.T, kind layout.Kind, b []byte) (whole, lossy int) {
	t.Helper()
	before := bytes.Clone(b)
	defer func() {
		if !bytes.Equal(before, b) {
			t.Fatal("reading changed the input")
		}
	}()
	covers(t, kind, b)
	return decodes(t, kind, b)
}
func decodes(t *testing.T, kind layout.Kind, b []byte) (whole, lossy int) {
	t.Helper()
	got := untouched(t, kind)
	err := got.UnmarshalBinary(b)
	if err == nil {
		again, err := got.AppendBinary(nil)
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%v; a decoded block encodes to other bytes:\nwas % x\nnow % x", err, b, again)
		}
		return 1, 0
	}
	if diff := unlike(untouched(t, kind), got); diff != "" {
		t.Fatalf("a failed decoding changed the model:\n%s", diff)
	}
	inside(t, err, b)
	losses, err := got.UnmarshalLossy(b)
	if err != nil {
		inside(t, err, b)
		return 0, 0
	}
	if len(losses) == 0 {
		t.Fatal("decoding failed but loses nothing")
	}
	for _, e := range losses {
		inside(t, e, b)
		if !errors.Is(e, builder.ErrUnkept) {
			t.Fatalf("%v is listed as a loss", e)
		}
	}
	clean, err := got.AppendBinary(nil)
	if err != nil {
		t.Fatalf("a model decoded with losses does not encode: %v", err)
	}
	if err := empty(t, kind).UnmarshalBinary(clean); err != nil {
		t.Fatalf("a block made of what was kept does not decode: %v", err)
	}
	return 0, 1
}

// inside holds every error to a place in the input.
func inside(t *testing.T, err error, b []byte) {
	t.Helper()
	e, ok := errors.AsType[*layout.Error](err)
	if !ok {
		t.Fatalf("%v is no layout.Error", err)
	}
	if e.Off < 0 || e.Off > int64(len(b)) || e.Len < 0 || e.Off+int64(e.Len) > int64(len(b)) {
		t.Fatalf("%v is at %d for %d bytes, outside the input of %d", err, e.Off, e.Len, len(b))
	}
}
