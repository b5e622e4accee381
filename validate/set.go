package validate

import (
	"math/bits"
	"math/rand/v2"
)

// A set is a hash table that finds duplicates of names and numbers. The set stores only hashes and
// references, so the caller must compare elements with equal hashes. The findings do not depend on
// the seed.
type set struct {
	seed     seed   // random, so that an attacker cannot choose equal hashes
	slots    []slot // length 0 before the first element, then a power of two; at least a third of the slots are empty
	used     int    // number of elements
	expected int    // number of elements that the caller expects
}

type slot struct {
	hash uint32
	ref  uint32 // reference of the element, 0 if the slot is empty
}

const fewestSlots = 16

// reset removes all elements. n is the expected number of elements, but not a limit.
func (s *set) reset(n int) {
	if s.seed == (seed{}) {
		s.seed = newSeed()
	}
	s.slots, s.used, s.expected = s.slots[:0], 0, n
}

// add adds an element with a reference other than 0, and returns 0. If the set has an equal
// element, add returns the reference of the earlier element instead. The function equal compares
// the new element with an earlier element of the same hash.
func (s *set) add(hash uint64, ref uint32, equal func(ref uint32) bool) uint32 {
	s.reserve(1)
	short := uint32(hash >> 32)
	mask := len(s.slots) - 1
	for i := int(short) & mask; ; i = (i + 1) & mask {
		at := &s.slots[i]
		if at.ref == 0 {
			*at = slot{short, ref}
			s.used++
			return 0
		}
		if at.hash == short && equal(at.ref) {
			return at.ref
		}
	}
}

// reserve allocates slots for n more elements.
func (s *set) reserve(n int) {
	for (s.used+n)*3 > len(s.slots)*2 {
		s.grow()
	}
}

// grow doubles the number of slots. If the set has no slots, grow allocates slots for the expected
// number of elements.
func (s *set) grow() {
	if len(s.slots) == 0 {
		size := fewestSlots
		for size*2/3 < s.expected {
			size *= 2
		}
		if size > cap(s.slots) {
			s.slots = make([]slot, size)
		}
		s.slots = s.slots[:size]
		clear(s.slots)
		return
	}
	old := s.slots
	s.slots = make([]slot, 2*len(old))
	mask := len(s.slots) - 1
	for _, o := range old {
		if o.ref == 0 {
			continue
		}
		i := int(o.hash) & mask
		for s.slots[i].ref != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = o
	}
}

// addNumber adds the number n with the reference ref, and returns 0. If the set already has n,
// addNumber adds nothing and returns the reference with which n was added. A reference must not be
// 0. The callback numberOf returns the number that was added with a reference.
func (s *set) addNumber(n, ref uint32, numberOf func(ref uint32) uint32) uint32 {
	return s.add(s.seed.number(n), ref, func(ref uint32) bool { return numberOf(ref) == n })
}

// findNumber returns the reference of the number n, or 0 if it is not in the set.
func (s *set) findNumber(n uint32, numberOf func(ref uint32) uint32) uint32 {
	if s.used == 0 {
		return 0
	}
	short := uint32(s.seed.number(n) >> 32)
	mask := len(s.slots) - 1
	for i := int(short) & mask; ; i = (i + 1) & mask {
		if at := s.slots[i]; at.ref == 0 || at.hash == short && numberOf(at.ref) == n {
			return at.ref
		}
	}
}

// A seed has the random constants of a hash function. An attacker who does not know the constants
// cannot make names with equal hashes. Package maphash would require a function call and a folded
// copy for each name.
type seed struct{ start, step, end uint64 }

func newSeed() seed { return seed{rand.Uint64(), rand.Uint64() | 1, rand.Uint64() | 1} }

// mix returns the high half of the 128-bit product, XORed with the low half.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// number returns the hash of a number.
func (s *seed) number(n uint32) uint64 { return mix(mix(s.start^uint64(n), s.step), s.end) }

// startUnder returns the initial hash of a name with the given parent. Title 0 means no parent.
func (s *seed) startUnder(title, position uint32) uint64 {
	if title == 0 {
		return s.start
	}
	return mix(s.start^(uint64(title)|uint64(position)<<32), s.step)
}

// addLetters adds eight ASCII characters to the hash h. The argument eight has one character in
// each byte, in the order of packEight.
func (s *seed) addLetters(h, eight uint64) uint64 { return mix(h^eight, s.step) }

// addName adds a folded name to the hash h and returns the final hash. For ASCII names, usualNames
// must compute the same hash.
func (s *seed) addName(h uint64, folded []byte) uint64 {
	n := len(folded)
	for i := 0; i < n; i += eightBytes {
		var group [eightBytes]byte
		// The last group ends where the name ends.
		copy(group[max(0, eightBytes-n):], folded[max(0, min(i, n-eightBytes)):])
		a, b := le.Uint64(group[:]), le.Uint64(group[8:])
		if (a|b)&notASCII == 0 {
			h = s.addLetters(h, packEight(a, b))
		} else {
			h = mix(mix(h^a, s.step)^b, s.end)
		}
	}
	return s.addLength(h, n)
}

// addLength adds the length of a name in bytes to the hash h and returns the final hash. Without
// the factor `spread`, the hashes of consecutive lengths could share their high bits, for example
// if s.end is close to 4/5 of 2^64.
func (s *seed) addLength(h uint64, n int) uint64 { return mix(h^uint64(n)*spread, s.end) }

// spread is an odd number close to 2^64 divided by the golden ratio. The high bits of its products
// with consecutive numbers differ.
const spread = 0x9e3779b97f4a7c15
