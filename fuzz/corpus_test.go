package fuzz_test

import (
	"slices"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/layout"
)

// small makes blocks that are quick to go through byte by byte.
var small = fuzz.Config{MaxObjects: 2, MaxCounters: 4, MaxInstances: 3}

// fixtures returns what testdata holds, with what is broken in it.
func fixtures(t testing.TB) []fixture.Block {
	t.Helper()
	blocks, err := fixture.Blocks("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// forBlocks calls add with what targets start from: small valid blocks, and the fixtures.
func forBlocks(f *testing.F, add func(layout.Kind, []byte)) {
	f.Helper()
	for seed := range uint64(16) {
		for _, kind := range layout.Kinds() {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), small).MarshalBinary()
			if err != nil {
				f.Fatal(err)
			}
			add(kind, b)
		}
	}
	for _, x := range fixtures(f) {
		add(x.Kind, x.Bytes)
	}
}

// addBlocks gives a target those blocks, each with the number of its kind and what else the
// target takes.
func addBlocks(f *testing.F, more ...any) {
	f.Helper()
	forBlocks(f, func(kind layout.Kind, b []byte) {
		f.Add(slices.Concat([]any{uint8(kind)}, more, []any{b})...)
	})
}

// addChoices gives a target bytes to make choices of, with the number of each kind.
func addChoices(f *testing.F) {
	f.Helper()
	for _, kind := range layout.Kinds() {
		f.Add(uint8(kind), []byte{})
		for seed := range uint64(12) {
			f.Add(uint8(kind), fuzz.Input(kind, seed, fuzz.Config{}))
		}
	}
}
