package fuzz_test

import (
	"bytes"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

func TestAnyPerflibBytes(t *testing.T) {
	t.Parallel()
	for _, kind := range perflibKinds {
		var decoded, lossy int
		for seed := range uint64(2 * seeds) {
			data := damaged(t, seed, kind)
			if seed%16 == 0 { // as a buffer is that was larger than it needed to be
				data = append(data, make([]byte, 8)...)
			}
			a, b := anyPerflibBytes(t, kind, data)
			decoded, lossy = decoded+a, lossy+b
		}
		t.Logf("%v: of %d damaged buffers %d decode whole and %d more with losses", kind, 2*seeds, decoded, lossy)
		switch {
		case decoded < seeds/16:
			t.Errorf("%v: nothing survives the damage", kind)
		case kind == layout.GUIDsKind: // which loses nothing
		case lossy < seeds/16 || decoded+lossy > 15*seeds/8:
			t.Errorf("%v: the damage is one-sided", kind)
		}
	}
}

func FuzzAnyPerflibBytes(f *testing.F) {
	for seed := range uint64(64) {
		for i, kind := range perflibKinds {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), b)
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, b []byte) {
		anyPerflibBytes(t, perflibKinds[int(i)%len(perflibKinds)], b)
	})
}

func anyPerflibBytes(t *testing.T, kind layout.Kind, b []byte) (whole, lossy int) {
	t.Helper()
	before := bytes.Clone(b)
	defer func() {
		if !bytes.Equal(before, b) {
			t.Fatal("reading changed the input")
		}
	}()
	return decodes(t, kind, b)
}
