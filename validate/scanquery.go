package validate

import (
	"math"
	"math/bits"

	"github.com/perfblock/perfblock/layout"
)

// Values of the usual size, as the first 8 bytes of them are read: dwDataSize and dwSize.
const (
	plain4 = 16<<32 | 4
	plain8 = 16<<32 | 8
)

// plainInstanceHeaders passes over instances of which no rule has anything to say, with their
// values, from an offset on to the end of the table at the most, and returns the first of
// which it is not sure, as plain does for V1. k counts them.
func (p *pass) plainInstanceHeaders(a *result, at, lim int64, k, most int64) (int64, int64) {
	if p.everyRule {
		return at, k
	}
	b, i, n := p.b[:lim], int(at), int(a.shape.values)
	// Without values an instance may end where none seems to follow, which is looked into.
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

// fresh notes the reference of a thing of that hash, if it is sure that there was none
// like it before.
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

// plainShape finds the shape of an answer with instances that says how it is laid out, and
// in which all is as it says. What is passed over need not be looked at again.
func (p *pass) plainShape(a *result, t layout.PerfCounterDataType, at int64) bool {
	if p.everyRule || !hasInstances(t) || a.set != nil { // how wide values are is not known yet
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
		// What is looked at in vain does not count: saidShape will look at all of it again.
		looks := p.looks
		if a.shaped = p.agreed(a.plainEnd, a.end, s.values, n-a.plain) && p.looks > 0; !a.shaped {
			p.looks = looks
		}
		return a.shaped
	}
	a.shaped = true
	return true
}

// plainValues reports whether b is of values of 4 or 8 bytes, as many as their types say
// where that is known.
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

// plainName returns the hash of the name of the instance at the start of b and its Size,
// if that is sure to be without fault: a name of ASCII without wildcards, its NUL among the
// last 8 bytes and zeros after it, and an InstanceId that is one. Else the size is 0. It
// reads words after the name as well, so an instance at the very end is none of these.
// before is the plain name before it, and this one afterwards.
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

// A name that has begun is its first groups of letters, in place, and what the hash is
// after each. Names often start as the one before did, with the same process or disk.
type begun struct {
	groups []byte
	hashes [4]uint64
}

// Names of V2 are hashed sixteen letters at a time, and what is left of them last, which
// may be nothing.
const (
	groupLetters = 16
	groupBytes   = 2 * groupLetters
)

// A group says what its letters, fewer than sixteen, leave of four words, and has a letter
// for each that is not there when they are packed.
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

// named hashes a folded name as plainName does. Of letters that are not of ASCII no bit is
// lost.
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

// inName has bit 7 of each of eight characters of ASCII that is from 0 on and not ?, as
// the most are that names are made of: it is not NUL then and no wildcard.
func inName(eight uint64) uint64 {
	return (eight + (0x80-'0')*each) & ((eight ^ '?'*each) + 0x7F*each)
}

// noWildcard reports whether a name of ASCII has no wildcard and no NUL.
func noWildcard(name []byte) bool {
	for i := 0; i+1 < len(name); i += 2 {
		if c := name[i]; c == 0 || c == '*' || c == '?' {
			return false
		}
	}
	return true
}
