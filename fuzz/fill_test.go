package fuzz_test

import (
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// What templates write is what the model encodes to, byte for byte, into any buffer, and
// what is refreshed is the same.

func TestFillEqualsModel(t *testing.T) {
	t.Parallel()
	for _, kind := range filledKinds {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(rounds) {
				fillEqualsModel(t, kind, fuzz.Seed(seed), allRooms)
			}
		})
	}
}

// filledKinds are those that there are templates for.
var filledKinds = []layout.Kind{layout.DataBlockKind, layout.ObjectsKind}

func FuzzFillEqualsModel(f *testing.F) {
	for i, kind := range filledKinds {
		f.Add(uint8(i), []byte{}, uint8(0))
		for seed := range uint64(32) {
			f.Add(uint8(i), fuzz.Input(kind, seed, fuzz.Config{}), uint8(seed))
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, data []byte, room uint8) {
		fillEqualsModel(t, filledKinds[int(i)%len(filledKinds)], fuzz.FromBytes(data), allRooms.oneOf(room))
	})
}

func fillEqualsModel(t *testing.T, kind layout.Kind, s *fuzz.Source, r rooms) {
	t.Helper()
	switch kind {
	case layout.DataBlockKind:
		d := fuzz.DataBlock(s, fuzz.Config{})
		plainInstances(d.Objects)
		if want, err := d.MarshalBinary(); err == nil { // an instance's own length may have saved it from being too long
			header := d
			header.Objects = nil
			newFilling(t, &header, d.Objects).equals(t, r, want)
		}
	default:
		objects := fuzz.Objects(s, fuzz.Config{})
		plainInstances(objects)
		if want, err := objects.MarshalBinary(); err == nil {
			newFilling(t, nil, objects).equals(t, r, want)
		}
	}
}
