//go:build !race

// The race detector makes these tests slow, and they have no concurrency.

package validate

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestHashesDiffer hashes similar inputs. The half of the hash that a set uses must be as good
// as random, in its low and in its high bits, for every seed.
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
		{"numbers in a row", func(s *seed, i int) uint64 { return s.number(uint32(i)) }},
		{"numbers far apart", func(s *seed, i int) uint64 { return s.number(uint32(i) << 16) }},
		{"names that end in a number", func(s *seed, i int) uint64 { return s.name(s.under(0, 0), wide(fmt.Sprintf("INSTANCE %06d", i))) }},
		{"names that start with one", func(s *seed, i int) uint64 { return s.name(s.under(0, 0), wide(fmt.Sprintf("%06d INSTANCE", i))) }},
		{"parents of one name", func(s *seed, i int) uint64 { return s.name(s.under(230, uint32(i)), wide("0")) }},
		{"titles of parents", func(s *seed, i int) uint64 { return s.name(s.under(uint32(1+i), 0), wide("0")) }},
		{"lengths", func(s *seed, i int) uint64 { return s.name(s.under(0, 0), make([]byte, i)) }},
		{"words that are one when they are packed", func(s *seed, i int) uint64 {
			var b [16]byte
			le.PutUint64(b[:], ^(uint64(i) << 20))
			le.PutUint64(b[8:], uint64(i)<<20>>8)
			return s.name(s.under(0, 0), b[:])
		}},
	} {
		for round := range 4 {
			s := seed{rand.Uint64(), rand.Uint64() | 1, rand.Uint64() | 1}
			if round == 0 { // nearly 4/5 of 2^64: every fifth product has the same high bits
				s.end = 0xccccff3a34fc7459
			}
			for _, shift := range []int{32, 32 + 18} { // the bits that a set of n slots uses, and others
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
					t.Errorf("%s: %.3f of the places are taken by the bits from %d on, want 0.632", tt.name, share, shift)
				}
			}
		}
	}
}

func TestSeedsAreRandom(t *testing.T) {
	t.Parallel()
	a, b := newSeed(), newSeed()
	if a == b || a.step%2 == 0 || a.end%2 == 0 {
		t.Errorf("%x and %x", a, b)
	}
}
