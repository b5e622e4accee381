package fuzz_test

import (
	"math/rand/v2"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// seeds is how many blocks a seeded test makes: enough for every case to come up
// many times, few enough for a second.
const seeds = 3000

// valid returns the bytes of the valid block that data makes, and their kind.
func valid(t *testing.T, s *fuzz.Source, kind layout.Kind) []byte {
	t.Helper()
	b, err := fuzz.Model(kind, s, fuzz.Config{}).MarshalBinary()
	if err != nil {
		t.Fatalf("the generated model does not encode: %v", err)
	}
	return b
}

// damaged returns a valid block with a few bytes changed, and now and then cut.
// Most changes hit a field, where small numbers and the edges do most harm.
func damaged(t *testing.T, seed uint64, kind layout.Kind) []byte {
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

// addBlocks gives a target small valid blocks to start from, with the number of
// their kind.
func addBlocks(f *testing.F) {
	f.Helper()
	small := fuzz.Config{MaxObjects: 2, MaxCounters: 4, MaxInstances: 3}
	for seed := range uint64(64) {
		for i, kind := range layout.V1Kinds() {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), small).MarshalBinary()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), b)
		}
	}
}
