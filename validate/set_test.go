package validate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/wire"
)

// A numberSet is a set of the numbers in a list. The reference of a number is its position in
// the list plus 1.
type numberSet struct {
	set
	list []uint32
}

// put adds a number. It returns the reference of the first equal number, or 0 if there is none.
func (n *numberSet) put(number uint32) uint32 {
	n.list = append(n.list, number)
	return n.addNumber(number, uint32(len(n.list)), func(ref uint32) uint32 { return n.list[ref-1] })
}

// TestSetEqualsMap compares a set with a map. It adds random numbers, many of them equal, and
// reuses the set.
func TestSetEqualsMap(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var s numberSet
	for round := range 200 {
		about, n := r.IntN(3000), r.IntN(3000) // about, the expected number of elements, can be too small or too large
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

// TestSetComparesEqualHashes checks that a set compares all references whose hashes are equal, even
// if the search continues from the last slot to the first slot.
func TestSetComparesEqualHashes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		hash uint64
	}{
		{"the hash of the first slot", 0xFFFFFFFF},
		{"the hash of the second slot", 1 << 32},
		{"the hash of the last slot", 1<<64 - 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var s set
			s.reset(0)
			for ref := uint32(1); ref <= 100; ref++ {
				compared := uint32(0)
				other := func(uint32) bool { compared++; return false }
				if got := s.add(tt.hash, ref, other); got != 0 || compared != ref-1 {
					t.Fatalf("reference %d is found as %d after %d comparisons", ref, got, compared)
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

// TestSetReusesMemory checks that a set reuses its slots after a reset, and that 6000 numbers take at
// most 18000 slots.
func TestSetReusesMemory(t *testing.T) {
	var s numberSet
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
		t.Errorf("%v allocations for at most 6000 numbers, for which the set has room", n)
	}
	if most := 3 * 6000; cap(s.slots) > most {
		t.Errorf("6000 numbers take %d slots, must take at most %d", cap(s.slots), most)
	}
	var none set
	none.reset(1 << 30)
	if none.slots != nil {
		t.Error("an empty set has slots")
	}
}

// TestAddEqualComparesEveryByte checks that set.addEqual compares each byte of the parent, of
// NameOffset, of NameLength and of the name, and no other bytes.
func TestAddEqualComparesEveryByte(t *testing.T) {
	t.Parallel()
	const hash = 5 << 32
	for letters := 1; letters <= 40; letters++ {
		n := 2 * letters
		one := wire.Instance{ParentObjectTitleIndex: 10, ParentObjectInstance: 3, NameOffset: definitionBytes, NameLength: uint32(n + 2)}.Append(nil)
		for i := range letters {
			one = append(one, 'a'+byte(i%26), 0)
		}
		name := len(one)
		one = append(one, make([]byte, 2+8-(n+2)%8)...)
		for at := -1; at < len(one); at++ {
			b := slices.Concat(make([]byte, 8), one, one)
			compared := at >= word0+4 && at < word1+4 || at >= word2 && at < name
			if at >= 0 {
				b[8+at] ^= 0x20
			}
			list := []scanned{{hash: hash, at: 8, n: uint32(n)}, {hash: hash + 1<<32, at: uint32(8 + len(one)), n: uint32(n)}, {hash: hash, at: uint32(8 + len(one)), n: uint32(n)}}
			var s set
			s.reset(0)
			s.reserve(len(list))
			done, first := len(list), uint32(8)
			if compared {
				done, first = 2, 0
			}
			if got := s.addEqual(b, list); got != done || list[2].first != first || list[0].first != 0 || list[1].first != 0 || s.used != 2 {
				t.Errorf("%d letters, byte %d changed: %d done, the last duplicates %d, want %d and %d; %d in the set", letters, at, got, list[2].first, done, first, s.used)
			}
		}
	}
}

// TestAddEqualFindsAddedNames adds the same list of n names to a set twice. In the second round,
// addEqual must find each name in the set, at the offset of this name.
func TestAddEqualFindsAddedNames(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 10, 1000, 100_000} {
		var b []byte
		var list []scanned
		s := set{seed: newSeed()}
		s.reset(n)
		for i := range n {
			at := len(b)
			b = wire.Instance{NameOffset: definitionBytes, NameLength: 10}.Append(b)
			b = le.AppendUint64(b, uint64(i)*0x0001000100010001)
			b = le.AppendUint64(b, 0)
			list = append(list, scanned{hash: s.seed.number(uint32(i)), at: uint32(at + 8), n: 8})
		}
		b = slices.Concat(make([]byte, 8), b)
		for round := range 2 {
			for some := range slices.Chunk(list, batchSize) {
				s.reserve(len(some))
				for done := 0; done < len(some); done++ { // addEqual may stop where two names share a hash
					done += s.addEqual(b, some[done:])
				}
			}
			for _, f := range list {
				if round == 1 && f.first != f.at && n <= 1000 || round == 0 && f.first != 0 {
					t.Fatalf("%d names, round %d: the name at %d duplicates %d", n, round, f.at, f.first)
				}
			}
		}
		if most := n - n/1000; s.used < most || s.used > n {
			t.Errorf("%d of %d names are in the set", s.used, n)
		}
	}
}

// TestHashesDiffer checks that similar inputs give hashes that are spread like random numbers. It
// checks only the high 32 bits of each hash, which are the bits that a set stores.
func TestHashesDiffer(t *testing.T) {
	t.Parallel()
	const n = 1 << 14
	wide := func(text string) []byte {
		var b []byte
		for _, c := range []byte(text) {
			b = append(b, c, 0)
		}
		return b
	}
	for _, tt := range []struct {
		name string
		of   func(s *seed, i int) uint64
	}{
		{"consecutive numbers", func(s *seed, i int) uint64 { return s.number(uint32(i)) }},
		{"numbers far apart", func(s *seed, i int) uint64 { return s.number(uint32(i) << 16) }},
		{"names that end in a number", func(s *seed, i int) uint64 {
			return s.addName(s.startUnder(0, 0), wide(fmt.Sprintf("INSTANCE %06d", i)))
		}},
		{"names that start with a number", func(s *seed, i int) uint64 {
			return s.addName(s.startUnder(0, 0), wide(fmt.Sprintf("%06d INSTANCE", i)))
		}},
		{"equal names under different parents", func(s *seed, i int) uint64 { return s.addName(s.startUnder(230, uint32(i)), wide("0")) }},
		{"equal names under parents with different titles", func(s *seed, i int) uint64 { return s.addName(s.startUnder(uint32(1+i), 0), wide("0")) }},
		{"names of NULs with different lengths", func(s *seed, i int) uint64 { return s.addName(s.startUnder(0, 0), make([]byte, i)) }},
		{"pairs of words that are equal when packed", func(s *seed, i int) uint64 {
			var b [16]byte
			le.PutUint64(b[:], ^(uint64(i) << 20))
			le.PutUint64(b[8:], uint64(i)<<20>>8)
			return s.addName(s.startUnder(0, 0), b[:])
		}},
	} {
		rounds := long.Count(1, 4)
		if testing.Short() {
			rounds = 1
		}
		for round := range rounds {
			s := seed{rand.Uint64(), rand.Uint64() | 1, rand.Uint64() | 1}
			if round == 0 { // nearly 4/5 of 2^64: every fifth product has the same high bits
				s.end = 0xccccff3a34fc7459
			}
			for _, shift := range []int{32, 32 + 18} { // the bits that a set of n slots uses, and other bits
				seen := make([]bool, n)
				used := 0
				for i := range n {
					if at := tt.of(&s, i) >> shift % n; !seen[at] {
						seen[at] = true
						used++
					}
				}
				// Random hashes leave 1/e of the slots empty.
				if share := float64(used) / n; share < 0.61 || share > 0.66 {
					t.Errorf("%s: the hashes fill %.3f of the slots with the bits from %d on, want 0.632", tt.name, share, shift)
				}
			}
		}
	}
}

// TestSeedsAreRandom checks that two seeds differ and that the multipliers of a seed are odd.
func TestSeedsAreRandom(t *testing.T) {
	t.Parallel()
	a, b := newSeed(), newSeed()
	if a == b || a.step%2 == 0 || a.end%2 == 0 {
		t.Errorf("%x and %x", a, b)
	}
}
