package fuzz

// upTo returns one of 0 to n-1, 0 when the source is spent. n is at least 1.
func (s *Source) upTo(n int) int {
	v := 0
	for span := n - 1; span > 0; span >>= 8 {
		v = v<<8 | int(s.byte())
	}
	return v % n
}

// index returns one of 0 to n-1, 0 where n is 0. It spends the same bytes whatever n is,
// so that what is behind does not depend on how many there are of something else.
func (s *Source) index(n int) int { return s.upTo(1<<16) % max(n, 1) }

// chance returns true n times in 256, never when the source is spent.
func (s *Source) chance(n int) bool { return int(s.byte()) >= 256-n }

// uint64 returns a number of any size; small ones and the edges come often.
func (s *Source) uint64() uint64 {
	switch s.upTo(4) {
	case 0:
		return uint64(s.byte())
	case 1:
		return uint64(s.upTo(1 << 24))
	case 2:
		edges := [...]uint64{0, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<53 + 1, 1<<63 - 1, 1 << 63, 1<<64 - 1}
		return edges[s.upTo(len(edges))]
	}
	var v uint64
	for range 8 {
		v = v<<8 | uint64(s.byte())
	}
	return v
}

func (s *Source) uint32() uint32 { return uint32(s.uint64()) }

// positive returns a number above 0 that fits 63 bits.
func (s *Source) positive() int64 { return max(int64(s.uint64()>>1), 1) }

// pick returns one of the choices, the first when the source is spent.
func pick[T any](s *Source, choices ...T) T { return choices[s.upTo(len(choices))] }
