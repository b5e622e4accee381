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

// plainNamed passes over instances of which no rule has anything to say, with their
// values, from an offset on to the end of the table at the most, and returns the first of
// which it is not sure, as plain does for V1. k counts them.
func (p *pass) plainNamed(a *answer, at, lim int64, k, most int64) (int64, int64) {
	if p.everyRule {
		return at, k
	}
	b, i, n := p.b[:lim], int(at), int(a.shape.values)
	if n > (len(b)-i)/16 {
		return at, k
	}
	names := &p.names
	for k < most && len(b)-i >= shortestNamed {
		hash, size := names.seed.plainName(b[i:])
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
func (p *pass) plainShape(a *answer, t layout.PerfCounterDataType, at int64) bool {
	if p.everyRule || !hasInstances(t) || a.set != nil { // how wide values are is not known yet
		return false
	}
	s := shape{values: 1}
	if hasIDs(t) {
		n, size, ok := idsAt(p.b, at, a.end)
		if !ok || size != aligned(idsSize+idSize*n) {
			return false
		}
		s.ids, s.values = size, n
		at += size
	}
	if a.end-at < tableSize || int64(le.Uint32(p.b[at:])) != a.end-at {
		return false
	}
	n := int64(le.Uint32(p.b[at+4:]))
	s.instances, s.end = n, a.end
	a.shape = s
	p.beginNames(n, a.end-at)
	a.plainEnd, a.plain = p.plainNamed(a, at+tableSize, a.end, 0, n)
	if a.plainEnd != a.end || a.plain != n {
		end, count := p.instances(a.plainEnd, a.end, s.values, n-a.plain)
		a.shaped = end == a.end && count == n-a.plain
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
// last 8 bytes and zeros behind it, and an InstanceId that is one. Else the size is 0.
func (s *seed) plainName(b []byte) (hash uint64, size int) {
	head := le.Uint64(b)
	size = int(uint32(head))
	if uint(size-shortestNamed) > longestNameBytes+namedSize-shortestNamed || size%8 != 0 || size > len(b) || head>>32 == math.MaxUint32 {
		return 0, 0
	}
	words := b[namedSize:size]
	last := le.Uint64(words[len(words)-8:])
	letters := (bits.Len64(last) + 15) / 16 // of the last word
	if letters == 4 || letters == 0 && len(words) == 8 {
		return 0, 0
	}
	hash = s.start
	step, any, usual := s.step, last, uint64(bit7)
	for len(words) > 16 {
		two := (*[16]byte)(words)
		x, y := le.Uint64(two[:8]), le.Uint64(two[8:])
		eight := packed(x, y)
		any |= x | y
		usual &= inName(eight)
		hash = mix(hash^capitals(eight), step)
		words = words[16:]
	}
	// What is left are the last word and perhaps a whole one before it.
	eight, fill := last, uint64(fours)<<(16*letters)|fours<<8
	if len(words) == 16 {
		x := le.Uint64(words)
		any |= x
		eight, fill = packed(x, last), uint64(fours)<<(16*letters)<<8
	}
	usual &= inName(eight | fill)
	if any&notASCII != 0 || usual != bit7 && !noWildcard(b[namedSize:size-8+2*letters]) {
		return 0, 0
	}
	if eight != 0 {
		hash = mix(hash^capitals(eight), step)
	}
	return s.ended(hash, size-namedSize-8+2*letters), size
}

// fours is a letter in each of four characters.
const fours = low & ('A' * each)

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
