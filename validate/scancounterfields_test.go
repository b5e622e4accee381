//go:build !race

// The race detector makes these tests slow, and they have no concurrency.

package validate_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestScanChecksEveryCounter writes numbers at the limits of the rules into every field of every
// counter and of the object.
func TestScanChecksEveryCounter(t *testing.T) {
	t.Parallel()
	numbers := []uint32{0, 1, 2, 3, 4, 7, 8, 9, 12, 16, 24, 39, 40, 41, 48, 64, 100, 101, 200, 400, 500, 4000, 4002, 4003, 4004, 4010, 4011, 4022, 4023, 4024,
		1<<32 - 1, 1<<32 - 2, 1<<32 - 4, 1<<32 - 7, 1<<32 - 8, 1 << 31, 4002 + 2048, 4003 + 2048}
	for ty := range layout.CounterTypes() {
		numbers = append(numbers, uint32(ty), uint32(ty)|1<<12)
	}
	contexts := []validate.Context{{}, {FirstCounter: 4002, LastCounter: 4022}, {FirstCounter: 4004, LastCounter: 4020}, {FirstCounter: 4004, LastCounter: 2}}
	sound := blockWithBases(blockSize)
	p := newPair(t, validate.Options{})
	clean, passed := 0, 0
	check := func(b []byte, ctx validate.Context) {
		before := p.defined[0]
		if len(p.same(layout.DataBlockKind, b, ctx).Findings) == 0 {
			clean++
		}
		if p.defined[0] == before {
			passed++
		}
	}
	for at := 88; at < definitionsAt+40*len(paired); at += 4 {
		for i, n := range numbers {
			b := slices.Clone(sound)
			binary.LittleEndian.PutUint32(b[at:], n)
			check(b, contexts[i%len(contexts)])
		}
	}
	r := rand.New(rand.NewPCG(6, 7))
	for range 20_000 {
		b := slices.Clone(sound)
		for range 2 + r.IntN(2) {
			binary.LittleEndian.PutUint32(b[definitionsAt+4*r.IntN(10*len(paired)):], numbers[r.IntN(len(numbers))])
		}
		check(b, contexts[r.IntN(len(contexts))])
	}
	if t.Logf("%d blocks have no findings, in %d no rule checked a counter", clean, passed); clean < 100 || passed < 100 {
		t.Error("the numbers must include valid and invalid ones")
	}
}
