package fuzz_test

import (
	"bytes"
	"hash/crc32"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// seeds is how many blocks a test makes that waits for every case to come up many times.
// How many a property is tried on, rounds, depends on what a round costs.
const seeds = 3000

// kindOf returns the kind that a target is given as a number.
func kindOf(n uint8) layout.Kind { return layout.Kinds()[int(n)%len(layout.Kinds())] }

// oneIn reports whether an input is one of those, one of n, for which something is done that
// takes as long as n inputs do without. All of it decides: a fuzzer stays with what was new
// of a part. An input of nothing is none of them.
func oneIn(n uint32, input ...[]byte) bool { return crc32.ChecksumIEEE(bytes.Join(input, nil))%n == 1 }

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
func damaged(t testing.TB, seed uint64, kind layout.Kind) []byte {
	t.Helper()
	return fuzz.Damage(fuzz.Seed(seed^1), valid(t, fuzz.Seed(seed), kind))
}
