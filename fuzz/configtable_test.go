package fuzz_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// A bounded is a list whose length a Config bounds.
type bounded struct {
	reason          string
	byDefault, most int
	config          func(n int) fuzz.Config
	data            func(n int) string // bytes for a list of n
	length          func(*testing.T, *fuzz.Source, fuzz.Config) int
}

func maxObjects(n int) fuzz.Config   { return fuzz.Config{MaxObjects: n} }
func maxCounters(n int) fuzz.Config  { return fuzz.Config{MaxCounters: n} }
func maxInstances(n int) fuzz.Config { return fuzz.Config{MaxInstances: n} }

func objectParts(n int) string   { return strings.Repeat("\x1D", n) }
func counterParts(n int) string  { return "\x1D" + strings.Repeat("\x1E", n) }
func instanceParts(n int) string { return "\x1D" + strings.Repeat("\x1F", n) }

var boundeds = []bounded{
	{"objects of a model", 4, 10_000, maxObjects, objectParts, func(_ *testing.T, s *fuzz.Source, c fuzz.Config) int {
		return len(*fuzz.Model(layout.ObjectsKind, s, c).(*builder.Objects))
	}},
	{"counters of a model", 10, 1000, maxCounters, counterParts, func(_ *testing.T, s *fuzz.Source, c fuzz.Config) int {
		return len((*fuzz.Model(layout.ObjectsKind, s, c).(*builder.Objects))[0].Counters)
	}},
	{"instances of a model", 6, 10_000, maxInstances, instanceParts, func(_ *testing.T, s *fuzz.Source, c fuzz.Config) int {
		return len((*fuzz.Model(layout.ObjectsKind, s, c).(*builder.Objects))[0].Instances)
	}},
	{"characters of a text, of which there may be any number", 24, 100_000,
		func(n int) fuzz.Config { return fuzz.Config{MaxText: n} },
		func(n int) string { return "\x00" + strings.Repeat("\xFF\x00", min(n, 100_000)) },
		func(_ *testing.T, s *fuzz.Source, c fuzz.Config) int {
			return len(*fuzz.Model(layout.RegStringKind, s, c).(*builder.RegString))
		}},
	{"answers of a Join", 4, 10_000, maxObjects, objectParts, func(_ *testing.T, s *fuzz.Source, c fuzz.Config) int {
		return len(fuzz.Join(s, c).Data.Results)
	}},
	{"counters of an answer of a Join", 10, 1000, maxCounters, counterParts, func(_ *testing.T, s *fuzz.Source, c fuzz.Config) int {
		return len(fuzz.Join(s, c).Data.Results[0].Counters)
	}},
	{"instances of an answer of a Join", 6, 10_000, maxInstances, instanceParts, func(_ *testing.T, s *fuzz.Source, c fuzz.Config) int {
		return len(fuzz.Join(s, c).Data.Results[0].Instances)
	}},
	{"objects of a block to break, beside the one that is broken", 4, 100, maxObjects, objectParts, func(t *testing.T, s *fuzz.Source, c fuzz.Config) int {
		return len(toBreak(t, s, c).Objects) - 1
	}},
	{"counters of a block to break", 10, 100, maxCounters, counterParts, func(t *testing.T, s *fuzz.Source, c fuzz.Config) (n int) {
		for _, o := range toBreak(t, s, c).Objects {
			n = max(n, len(o.Counters))
		}
		return n
	}},
	{"instances of a block to break", 6, 100, maxInstances, instanceParts, func(t *testing.T, s *fuzz.Source, c fuzz.Config) (n int) {
		for _, o := range toBreak(t, s, c).Objects {
			n = max(n, len(o.Instances))
		}
		return n
	}},
}

// toBreak returns a data block of which one object is the breaker's.
func toBreak(t *testing.T, s *fuzz.Source, c fuzz.Config) (d builder.DataBlock) {
	t.Helper()
	broken, err := fuzz.Break("data-version", s, c)
	fatal(t, err)
	fatal(t, d.UnmarshalBinary(broken.Before))
	return d
}

// A list is as long as a Config says: by default where it says nothing or less, and never
// longer than can be.
func TestConfigEnds(t *testing.T) {
	t.Parallel()
	for _, b := range boundeds {
		for _, n := range []int{-1, 0, 1, b.most, b.most + 1} {
			want := min(n, b.most)
			if n <= 0 {
				want = b.byDefault
			}
			data := b.data(b.most + 10)
			if got := b.length(t, fuzz.FromBytes([]byte(data)), b.config(n)); got != want {
				t.Errorf("%s: %d at the most of %d, want %d", b.reason, got, n, want)
			}
		}
	}
}

// The counters that are registered beside those that are asked for are bounded too.
func TestJoinCounters(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3} {
		most := 0
		for seed := range uint64(200) {
			for _, set := range fuzz.Join(fuzz.Seed(seed), maxCounters(n)).Sets {
				most = max(most, len(set.Counters))
			}
		}
		if most != n {
			t.Errorf("%d counters in a set at the most of %d", most, n)
		}
	}
}

// The bytes for the block of a seed make it under the Config that they are of.
func TestInputKeepsToItsConfig(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		for _, n := range []int{-1, 0, 1, 10_000, 10_001} {
			c := fuzz.Config{MaxObjects: n, MaxCounters: n, MaxInstances: n, MaxText: n}
			for seed := range uint64(20) {
				want := fuzz.Model(kind, fuzz.Seed(seed), c)
				if !reflect.DeepEqual(want, fuzz.Model(kind, fuzz.FromBytes(fuzz.Input(kind, seed, c)), c)) {
					t.Errorf("the input of the seed %d makes another %v under numbers of %d", seed, kind, n)
				}
				if n <= 0 && !reflect.DeepEqual(want, fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})) {
					t.Errorf("the seed %d makes another %v by default and under numbers of %d", seed, kind, n)
				}
			}
		}
	}
}
