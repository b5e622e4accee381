package fuzz_test

import (
	"hash/crc32"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// sampleSize is the usual number of generated blocks for each kind. In long tests it is coverageSeeds, so that each
// case in docs/fuzz-coverage.md occurs at least twice.
var sampleSize = long.Count(100, coverageSeeds)

// small is the Config for tests that repeat a check for each byte of a block.
var small = fuzz.Config{MaxObjects: 2, MaxCounters: 4, MaxInstances: 3}

// kindOf returns the kind for a number that a fuzz target receives.
func kindOf(n uint8) layout.Kind { return layout.Kinds()[int(n)%len(layout.Kinds())] }

// oneIn returns true for about one in n inputs. Fuzz targets call oneIn before a slow check.
func oneIn(n uint32, input []byte) bool { return crc32.ChecksumIEEE(input)%n == 1 }

// forEachKind runs a parallel subtest for each kind.
func forEachKind(t *testing.T, test func(*testing.T, layout.Kind)) {
	t.Helper()
	for _, kind := range layout.Kinds() {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			test(t, kind)
		})
	}
}

// valid returns the bytes of a generated model.
func valid(t testing.TB, s *fuzz.Source, kind layout.Kind) []byte {
	t.Helper()
	b, err := fuzz.Model(kind, s, fuzz.Config{}).MarshalBinary()
	if err != nil {
		t.Fatalf("the generated model does not encode: %v", err)
	}
	return b
}

func damaged(t testing.TB, seed uint64, kind layout.Kind) []byte {
	t.Helper()
	return fuzz.Damage(fuzz.Seed(seed^1), valid(t, fuzz.Seed(seed), kind))
}

// fixtures returns the blocks of testdata, including the blocks that break a rule.
func fixtures(t testing.TB) []fixture.Block {
	t.Helper()
	blocks, err := fixture.Blocks("../testdata")
	fatal(t, err)
	return blocks
}

// addBlocks adds small valid blocks and the fixtures as seeds of a target. The arguments of the target are the number
// of the kind, the arguments in `more`, and the bytes.
func addBlocks(f *testing.F, more ...any) {
	f.Helper()
	add := func(kind layout.Kind, b []byte) { f.Add(slices.Concat([]any{uint8(kind)}, more, []any{b})...) }
	for seed := range uint64(long.Count(4, 16)) {
		for _, kind := range layout.Kinds() {
			b, err := fuzz.Model(kind, fuzz.Seed(seed), small).MarshalBinary()
			fatal(f, err)
			add(kind, b)
		}
	}
	for _, x := range fixtures(f) {
		add(x.Kind, x.Bytes)
	}
}

// addChoices adds seeds to a fuzz target. The target has two arguments: the number of a kind, and the bytes for
// [fuzz.FromBytes].
func addChoices(f *testing.F) {
	f.Helper()
	for _, kind := range layout.Kinds() {
		f.Add(uint8(kind), []byte{})
		for seed := range uint64(12) {
			f.Add(uint8(kind), fuzz.Input(kind, seed, fuzz.Config{}))
		}
	}
}

// empty returns the zero model of a kind.
func empty(t testing.TB, kind layout.Kind) builder.Model {
	t.Helper()
	m, err := builder.NewModel(kind)
	fatal(t, err)
	return m
}

func fatal(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// unlike returns the difference of two values as cmp.Diff does, or "" if they are equal. It is faster than cmp.Diff for
// equal values.
func unlike(want, got any, options ...cmp.Option) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, options...)
}
