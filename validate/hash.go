package validate

import (
	"math/bits"
	"math/rand/v2"
)

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
