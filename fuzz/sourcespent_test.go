package fuzz_test

import (
	"reflect"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// Of bytes that made a block, of any kind, there is nothing left for a block of any other.
func TestSourceIsSpent(t *testing.T) {
	t.Parallel()
	for _, first := range layout.Kinds() {
		for seed := range uint64(20) {
			input := fuzz.Input(first, seed, fuzz.Config{})
			for _, second := range layout.Kinds() {
				s := fuzz.FromBytes(input)
				fuzz.Model(first, s, fuzz.Config{})
				if next := fuzz.Model(second, s, fuzz.Config{}); !reflect.DeepEqual(next, fuzz.Model(second, fuzz.FromBytes(nil), fuzz.Config{})) {
					t.Errorf("what made the %v of seed %d makes %#v too", first, seed, next)
				}
			}
		}
	}
}

// A part is for one block, and those that are not taken are for the next.
func TestSourceHasPartsOnce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, data   string
		instances      int // of the list that is made first
		objects        int // of those that are made then
		counters, left int // of the first of them
	}{
		{"what is before the objects leaves them as they are", "\x1F\x1E\x1D\x1E\x1E", 1, 1, 2, 0},
		{"instances of an object that are taken are no more in it, and counters are", "\x1D\x1E\x1F\x1F", 2, 1, 1, 0},
		{"those of the last may be left", "\x1D\x1F\x1F\x1F\x1F\x1F\x1F\x1F\x1F", 6, 1, 0, 2},
		{"an object is left without those behind it too", "\x1D\x1F\x1D\x1F\x1F", 3, 2, 0, 0},
		{"one in the middle of its bytes too", "\x1D\x00\x1F\x1E\x1F\x1F\x1F\x1F\x1F\x1F", 6, 1, 1, 1},
	} {
		s := fuzz.FromBytes([]byte(tt.data))
		list := fuzz.InstanceList(s, fuzz.Config{})
		objects := fuzz.Objects(s, fuzz.Config{})
		if len(list) != tt.instances || len(objects) != tt.objects || len(objects[0].Counters) != tt.counters || len(objects[0].Instances) != tt.left {
			t.Errorf("%s: %d instances, then %#v", tt.reason, len(list), objects)
		}
	}
}

// The zero Source is one of no bytes.
func TestZeroSource(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		if m := fuzz.Model(kind, new(fuzz.Source), fuzz.Config{}); !reflect.DeepEqual(m, fuzz.Model(kind, fuzz.FromBytes(nil), fuzz.Config{})) {
			t.Errorf("it makes %#v", m)
		}
	}
	if n := len(fuzz.Join(new(fuzz.Source), fuzz.Config{}).Data.Results); n != 0 {
		t.Errorf("it makes %d answers", n)
	}
}
