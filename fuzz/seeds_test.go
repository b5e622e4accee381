package fuzz_test

import (
	"math/rand/v2"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// seeds is how many blocks a test makes that waits for every case to come up many times.
// How many a property is tried on, rounds, depends on what a round costs.
const seeds = 3000

// kindOf returns the kind that a target is given as a number.
func kindOf(n uint8) layout.Kind { return layout.Kinds()[int(n)%len(layout.Kinds())] }

// perflibKinds are the kinds that are not of V1.
var perflibKinds = layout.Kinds()[len(layout.V1Kinds()):]

// forEachKind runs a test of each kind, all at once.
func forEachKind(t *testing.T, test func(*testing.T, layout.Kind)) {
	t.Helper()
	for _, kind := range layout.Kinds() {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			test(t, kind)
		})
	}
}

// valid returns the bytes of the valid block that s makes.
func valid(t testing.TB, s *fuzz.Source, kind layout.Kind) []byte {
	t.Helper()
	b, err := fuzz.Model(kind, s, fuzz.Config{}).MarshalBinary()
	if err != nil {
		t.Fatalf("the generated model does not encode: %v", err)
	}
	return b
}

// damaged returns a valid block with a few bytes changed, and now and then cut.
// Most changes hit a field, where small numbers and the edges do most harm.
func damaged(t testing.TB, seed uint64, kind layout.Kind) []byte {
	t.Helper()
	return damage(seed, valid(t, fuzz.Seed(seed), kind))
}

// damage changes b, or cuts it, as the seed says.
func damage(seed uint64, b []byte) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	if len(b) == 0 {
		return b
	}
	for range 1 + r.IntN(4) {
		at := r.IntN(len(b))
		switch r.IntN(4) {
		case 0:
			b[at] = byte(r.Uint32())
		case 1:
			b[at&^3] = byte(r.IntN(64))
		case 2:
			b[at] ^= 1 << r.IntN(8)
		case 3:
			for i := at &^ 3; i < min(at&^3+4, len(b)); i++ {
				b[i] = 0xFF
			}
		}
	}
	if r.IntN(8) == 0 {
		b = b[:r.IntN(len(b)+1)]
	}
	return b
}
