package validate

import (
	"math/rand/v2"
	"testing"
)

// A numbered is a set of the numbers in a list. A reference is a position in the list, from 1
// on.
type numbered struct {
	set
	list []uint32
}

func (n *numbered) put(number uint32) uint32 {
	n.list = append(n.list, number)
	return n.addNumber(number, uint32(len(n.list)), func(ref uint32) uint32 { return n.list[ref-1] })
}

// TestSetEqualsMap adds numbers that repeat to one set again and again and compares it with a
// map.
func TestSetEqualsMap(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var s numbered
	for round := range 200 {
		about, n := r.IntN(3000), r.IntN(3000) // the announced size is too small or too large
		s.reset(about)
		s.list = s.list[:0]
		first := map[uint32]uint32{}
		for range n {
			number := uint32(r.IntN(1 + n/(1+round%4)))
			if r.IntN(8) == 0 {
				number = -number // a number far from the others
			}
			got, want := s.put(number), first[number]
			if got != want {
				t.Fatalf("round %d: the first %d is reported at %d, must be %d", round, number, got, want)
			}
			if want == 0 {
				first[number] = uint32(len(s.list))
			}
		}
		empty := 0
		for _, at := range s.slots {
			if at.ref == 0 {
				empty++
			}
		}
		if s.used != len(first) || len(s.slots)-empty != s.used || empty*3 < len(s.slots) {
			t.Fatalf("round %d: %d numbers are in %d slots, of which %d are empty", round, len(first), len(s.slots), empty)
		}
	}
}

// TestSetComparesEqualHashes adds references with the same hash. The search from the last slot
// continues at the first.
func TestSetComparesEqualHashes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		hash uint64
	}{
		{"the first slot", 0xFFFFFFFF},
		{"the second", 1 << 32},
		{"the last", 1<<64 - 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var s set
			s.reset(0)
			for ref := uint32(1); ref <= 100; ref++ {
				asked := uint32(0)
				other := func(uint32) bool { asked++; return false }
				if got := s.add(tt.hash, ref, other); got != 0 || asked != ref-1 {
					t.Fatalf("reference %d is found as %d after %d comparisons", ref, got, asked)
				}
			}
			for ref := uint32(1); ref <= 100; ref++ {
				if got := s.add(tt.hash, 1000, func(r uint32) bool { return r == ref }); got != ref {
					t.Fatalf("reference %d is found as %d", ref, got)
				}
			}
			if got := s.add(tt.hash+1<<36, 1000, func(uint32) bool { return true }); got != 0 {
				t.Errorf("a reference with another hash is found as %d", got)
			}
		})
	}
}

func TestSetReusesMemory(t *testing.T) {
	var s numbered
	s.list = make([]uint32, 0, 6000)
	fill := func(n int) {
		s.reset(n)
		s.list = s.list[:0]
		for i := range n {
			if s.put(uint32(i)) != 0 {
				t.Fatalf("%d of %d is in the set before it was added", i, n)
			}
		}
	}
	fill(6000)
	if n := testing.AllocsPerRun(10, func() { fill(10); fill(6000); fill(0); fill(5999) }); n != 0 {
		t.Errorf("%v allocations for what there was room for", n)
	}
	if most := 3 * 6000; cap(s.slots) > most {
		t.Errorf("6000 things take %d slots, want %d at most", cap(s.slots), most)
	}
	var none set
	none.reset(1 << 30)
	if none.slots != nil {
		t.Error("an empty set has slots")
	}
}
