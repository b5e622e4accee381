package validate

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
