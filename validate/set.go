package validate

import (
	"math/bits"
	"math/rand/v2"
)

// A set finds what was seen before. It keeps a hash and a reference of each, and
// asks whether two of one hash are the same. The hash is seeded, so that no input
// can be made of things that share one; what is found does not depend on it.
type set struct {
	seed  seed
	slots []slot // a power of two, and a third of them empty at least; none before the first thing
	used  int
	about int // how many things are expected

	touched uint32 // means nothing: it is what becomes of slots that are looked at ahead of time
}

type slot struct {
	hash uint32
	ref  uint32 // 0 for an empty slot
}

const fewestSlots = 16

// reset empties the set and says how many things there may be; more will do too.
// Room is made when the first one comes, and kept for the next reset.
func (s *set) reset(n int) {
	if s.seed == (seed{}) {
		s.seed = newSeed()
	}
	s.slots, s.used, s.about = s.slots[:0], 0, n
}

// add returns the reference of the thing of that hash that is the same, or notes
// ref, which is not 0, and returns 0.
func (s *set) add(hash uint64, ref uint32, same func(ref uint32) bool) uint32 {
	s.room(1)
	short := uint32(hash >> 32)
	mask := len(s.slots) - 1
	for i := int(short) & mask; ; i = (i + 1) & mask {
		at := &s.slots[i]
		if at.ref == 0 {
			*at = slot{short, ref}
			s.used++
			return 0
		}
		if at.hash == short && same(at.ref) {
			return at.ref
		}
	}
}

// room makes room for n more things.
func (s *set) room(n int) {
	for (s.used+n)*3 > len(s.slots)*2 {
		s.grow()
	}
}

// grow makes room for what is expected, and for more where that was too little.
func (s *set) grow() {
	if len(s.slots) == 0 {
		size := fewestSlots
		for size*2/3 < s.about {
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

// addNumber is add for a number that stands for itself.
func (s *set) addNumber(n, ref uint32, number func(ref uint32) uint32) uint32 {
	return s.add(s.seed.number(n), ref, func(ref uint32) bool { return number(ref) == n })
}

// findNumber returns the reference of a number that was added, 0 if it was not.
func (s *set) findNumber(n uint32, number func(ref uint32) uint32) uint32 {
	if s.used == 0 {
		return 0
	}
	short := uint32(s.seed.number(n) >> 32)
	mask := len(s.slots) - 1
	for i := int(short) & mask; ; i = (i + 1) & mask {
		if at := s.slots[i]; at.ref == 0 || at.hash == short && number(at.ref) == n {
			return at.ref
		}
	}
}

// A seed hashes. It is drawn at random, so that no one can make things that share a
// hash: the halves of a product with a secret number, one laid over the other, are
// neither a sum nor a xor of what goes in, and each step goes on from a secret start.
// maphash does as much but costs a call for each name, and wants it folded in memory.
type seed struct{ start, step, end uint64 }

func newSeed() seed { return seed{rand.Uint64(), rand.Uint64() | 1, rand.Uint64() | 1} }

// mix is the product of both, its high half laid over the low one.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// number hashes a number.
func (s *seed) number(n uint32) uint64 { return mix(mix(s.start^uint64(n), s.step), s.end) }

// under returns what the hash of a name starts with under a parent, of which the zero
// one is none.
func (s *seed) under(title, position uint32) uint64 {
	if title == 0 {
		return s.start
	}
	return mix(s.start^(uint64(title)|uint64(position)<<32), s.step)
}

// letters goes on with eight characters of ASCII, as packed has them.
func (s *seed) letters(h, packed uint64) uint64 { return mix(h^packed, s.step) }

// name hashes a folded name from what it starts with. Sixteen bytes that are eight
// characters of ASCII are hashed as letters are, for the scan; of others no bit is lost.
func (s *seed) name(h uint64, folded []byte) uint64 {
	for i := 0; i < len(folded); i += 16 {
		var group [16]byte
		copy(group[:], folded[i:])
		a, b := le.Uint64(group[:]), le.Uint64(group[8:])
		if (a|b)&notASCII == 0 {
			h = s.letters(h, packed(a, b))
		} else {
			h = mix(mix(h^a, s.step)^b, s.end)
		}
	}
	return s.ended(h, len(folded))
}

// ended ends the hash of a name of n bytes. Lengths are spread first: of a few numbers in
// a row the products with a secret that is nearly a fraction of 2^64, such as 4/5 of it,
// share their high bits.
func (s *seed) ended(h uint64, n int) uint64 { return mix(h^uint64(n)*spread, s.end) }

// spread is 2^64 over the golden ratio, made odd.
const spread = 0x9e3779b97f4a7c15
