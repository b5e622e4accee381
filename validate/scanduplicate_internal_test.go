package validate

import (
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
)

// TestAlikeComparesEveryByte gives two equal instances the same hash, which different names
// rarely share. It changes each byte of the first instance, whether the byte distinguishes the instances
// or not.
func TestAlikeComparesEveryByte(t *testing.T) {
	t.Parallel()
	const hash = 5 << 32
	for letters := 1; letters <= 40; letters++ {
		n := 2 * letters
		one := wire.InstanceDefinition{ParentObjectTitleIndex: 10, ParentObjectInstance: 3, NameOffset: headBytes, NameLength: uint32(n + 2)}.Append(nil)
		for i := range letters {
			one = append(one, 'a'+byte(i%26), 0)
		}
		name := len(one)
		one = append(one, make([]byte, 2+8-(n+2)%8)...)
		for at := -1; at < len(one); at++ {
			b := slices.Concat(make([]byte, 8), one, one, make([]byte, tailBytes))
			tells := at >= parentTitleAt && at < uniqueIDAt || at >= nameOffsetAt && at < name
			if at >= 0 {
				b[8+at] ^= 0x20
			}
			list := []fresh{{hash: hash, at: 8, n: uint32(n)}, {hash: hash + 1<<32, at: uint32(8 + len(one)), n: uint32(n)}, {hash: hash, at: uint32(8 + len(one)), n: uint32(n)}}
			var s set
			s.reset(0)
			s.room(len(list))
			done, first := len(list), uint32(8)
			if tells {
				done, first = 2, 0
			}
			if got := s.alike(b, list); got != done || list[2].first != first || list[0].first != 0 || list[1].first != 0 || s.used != 2 {
				t.Errorf("%d letters, byte %d changed: %d done, the last duplicates %d, want %d and %d; %d in the set", letters, at, got, list[2].first, done, first, s.used)
			}
		}
	}
}

// TestAlikeFindsAddedNames adds as many names as there is room for, twice.
func TestAlikeFindsAddedNames(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 10, 1000, 4 * nearSlots} {
		var b []byte
		var list []fresh
		s := set{seed: newSeed()}
		s.reset(n)
		for i := range n {
			at := len(b)
			b = wire.InstanceDefinition{NameOffset: headBytes, NameLength: 10}.Append(b)
			b = le.AppendUint64(b, uint64(i)*0x0001000100010001)
			b = le.AppendUint64(b, 0)
			list = append(list, fresh{hash: s.seed.number(uint32(i)), at: uint32(at + 8), n: 8})
		}
		b = slices.Concat(make([]byte, 8), b, make([]byte, tailBytes))
		for round := range 2 {
			for some := range slices.Chunk(list, freshNames) {
				s.room(len(some))
				for done := 0; done < len(some); done++ { // alike may stop where two names share a hash
					done += s.alike(b, some[done:])
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
