package validate

import (
	"math"
	"math/bits"

	"github.com/perfblock/perfblock/layout"
)

// First 8 bytes, dwDataSize and dwSize, of a value of 4 or 8 bytes.
const (
	plain4 = 16<<32 | 4
	plain8 = 16<<32 | 8
)

// plainInstanceHeaders passes over instances that are certain to break no rule, with their
// values. It starts at an offset, with instance k, and ends at lim at the latest. It
// returns the offset and the index of the first instance of which it is not certain.
func (p *pass) plainInstanceHeaders(a *result, at, lim int64, k, most int64) (int64, int64) {
	if p.everyRule {
		return at, k
	}
	b, i, n := p.b[:lim], int(at), int(a.shape.values)
	// An instance without values needs a check that the next record is an instance.
	if n == 0 || n > (len(b)-i)/16 {
		return at, k
	}
	names := &p.names
	var before begun
	for k < most && len(b)-i >= shortestInstance {
		hash, size := names.seed.plainName(b[i:], &before)
		end := i + size
		if size == 0 || len(b)-end < 16*n || !plainValues(b[end:end+16*n], a.widths) || !names.fresh(hash, uint32(i)+1) {
			break
		}
		i = end + 16*n
		k++
	}
	return int64(i), k
}

// fresh adds a reference if no entry has the same hash, and reports whether it did.
func (s *set) fresh(hash uint64, ref uint32) bool {
	if (s.used+1)*3 > len(s.slots)*2 {
		s.grow()
	}
	short, slots := uint32(hash>>32), s.slots
	mask := uint32(len(slots) - 1)
	i := short & mask
	for slots[i].ref != 0 {
		if slots[i].hash == short {
			return false
		}
		i = (i + 1) & mask
	}
	slots[i] = slot{short, ref}
	s.used++
	return true
}

// plainShape handles a result with instances whose declared sizes are consistent. It
// records the shape and the instances passed over, which need no further check.
func (p *pass) plainShape(a *result, t layout.PerfCounterDataType, at int64) bool {
	if p.everyRule || !hasInstances(t) || a.set != nil { // the widths of the values are not known yet
		return false
	}
	s := shape{values: 1}
	if hasIDs(t) {
		n, size, ok := idsAt(p.b, at, a.end)
		if !ok || size != aligned(multiCountersSize+idSize*n) {
			return false
		}
		s.ids, s.values = size, n
		at += size
	}
	if a.end-at < multiInstancesSize || int64(le.Uint32(p.b[at:])) != a.end-at {
		return false
	}
	n := int64(le.Uint32(p.b[at+4:]))
	s.instances, s.end = n, a.end
	a.shape = s
	p.beginNames(n, a.end-at)
	a.plainEnd, a.plain = p.plainInstanceHeaders(a, at+multiInstancesSize, a.end, 0, n)
	if a.plainEnd != a.end || a.plain != n {
		// A failed attempt does not use up looks, because saidShape reads the same bytes again.
		looks := p.looks
		if a.shaped = p.agreed(a.plainEnd, a.end, s.values, n-a.plain) && p.looks > 0; !a.shaped {
			p.looks = looks
		}
		return a.shaped
	}
	a.shaped = true
	return true
}

// plainValues reports whether b consists of values of 4 or 8 bytes, with the widths of
// their counter types where these are known.
func plainValues(b []byte, widths []int64) bool {
	for i := 0; len(b) >= 16; i++ {
		width := int64(8)
		switch le.Uint64(b) {
		case plain8:
		case plain4:
			if le.Uint32(b[12:]) != 0 {
				return false
			}
			width = 4
		default:
			return false
		}
		if i < len(widths) && widths[i] != width && widths[i] != 0 {
			return false
		}
		b = b[16:]
	}
	return true
}

// plainName returns the hash of the name and Size of the instance at the start of b, if it
// is certain to break no rule. Size is 0 otherwise. The name must be ASCII without
// wildcards, its NUL must be in the last 8 bytes with zeros after it, and InstanceId must be
// valid. The function reads words after the name, so it rejects an instance at the end of
// the input. before has the previous such name, and is set to this one.
func (s *seed) plainName(b []byte, before *begun) (hash uint64, size int) {
	head := le.Uint64(b)
	size = int(uint32(head))
	if uint(size-shortestInstance) > longestNameBytes+instanceHeaderSize-shortestInstance || size%8 != 0 || len(b) < size+groupBytes || head>>32 == math.MaxUint32 {
		return 0, 0
	}
	last := le.Uint64(b[size-8:])
	inLast := (bits.Len64(last) + 15) / 16
	letters := (size-shortestInstance)/2 + inLast
	if inLast == 4 || letters == 0 {
		return 0, 0
	}
	hash, step := s.start, s.step
	any, usual := uint64(0), uint64(bit7)
	words, n, k := b[instanceHeaderSize:], letters, 0
	same := before.groups
	before.groups = words[:min(letters/groupLetters, len(before.hashes))*groupBytes]
	for ; n >= groupLetters && len(same) >= groupBytes; n -= groupLetters {
		g, o := (*[groupBytes]byte)(words), (*[groupBytes]byte)(same)
		if (le.Uint64(g[0:])^le.Uint64(o[0:]))|(le.Uint64(g[8:])^le.Uint64(o[8:]))|
			(le.Uint64(g[16:])^le.Uint64(o[16:]))|(le.Uint64(g[24:])^le.Uint64(o[24:])) != 0 {
			break
		}
		hash = before.hashes[k%len(before.hashes)]
		words, same = words[groupBytes:], same[groupBytes:]
		k++
	}
	for ; n >= groupLetters; n -= groupLetters {
		g := (*[groupBytes]byte)(words)
		w, x, y, z := le.Uint64(g[0:]), le.Uint64(g[8:]), le.Uint64(g[16:]), le.Uint64(g[24:])
		e, f := packed(w, x), packed(y, z)
		any |= w | x | y | z
		usual &= inName(e) & inName(f)
		hash = mix(hash^capitals(e), step^capitals(f))
		words = words[groupBytes:]
		if k < len(before.hashes) {
			before.hashes[k] = hash
			k++
		}
	}
	g, m := (*[groupBytes]byte)(words), &groups[letters%groupLetters]
	w, x, y, z := le.Uint64(g[0:])&m.w, le.Uint64(g[8:])&m.x, le.Uint64(g[16:])&m.y, le.Uint64(g[24:])&m.z
	e, f := packed(w, x), packed(y, z)
	any |= w | x | y | z
	usual &= inName(e|m.fillE) & inName(f|m.fillF)
	if any&notASCII != 0 || usual != bit7 && !noWildcard(b[instanceHeaderSize:instanceHeaderSize+2*letters]) {
		return 0, 0
	}
	return s.ended(mix(hash^capitals(e), step^capitals(f)), 2*letters), size
}

// begun has the first groups of letters of a name, and the hash after each. Consecutive
// names often start with the same characters, such as a process or a disk.
type begun struct {
	groups []byte
	hashes [4]uint64
}

// Names of V2 are hashed sixteen letters at a time. The last group has fewer than sixteen
// letters, possibly none.
const (
	groupLetters = 16
	groupBytes   = 2 * groupLetters
)

// A group has masks for a last group of fewer than sixteen letters in four words, and fill
// letters for the missing ones when the words are packed.
type group struct{ w, x, y, z, fillE, fillF uint64 }

var groups = func() (list [groupLetters]group) {
	for n := range list {
		g := &list[n]
		g.w, g.x, g.y, g.z = units(n), units(n-4), units(n-8), units(n-12)
		g.fillE = packed(^g.w&low, ^g.x&low) & ('A' * each)
		g.fillF = packed(^g.y&low, ^g.z&low) & ('A' * each)
	}
	return list
}()

// named hashes a folded name as plainName does. A group with a letter that is not ASCII is
// hashed in full.
func (s *seed) named(folded []byte) uint64 {
	h := s.start
	for i := 0; i <= len(folded); i += groupBytes {
		var g [groupBytes]byte
		copy(g[:], folded[i:])
		w, x, y, z := le.Uint64(g[0:]), le.Uint64(g[8:]), le.Uint64(g[16:]), le.Uint64(g[24:])
		if (w|x|y|z)&notASCII != 0 {
			h = mix(mix(h^w, s.end^x)^y, s.end^z)
			continue
		}
		h = mix(h^packed(w, x), s.step^packed(y, z))
	}
	return s.ended(h, len(folded))
}

// inName sets bit 7 of each of eight ASCII characters that is from the digit 0 upward and
// not a question mark. Such a character is neither NUL nor a wildcard.
func inName(eight uint64) uint64 {
	return (eight + (0x80-'0')*each) & ((eight ^ '?'*each) + 0x7F*each)
}

// noWildcard reports whether an ASCII name has no wildcard and no NUL.
func noWildcard(name []byte) bool {
	for i := 0; i+1 < len(name); i += 2 {
		if c := name[i]; c == 0 || c == '*' || c == '?' {
			return false
		}
	}
	return true
}
