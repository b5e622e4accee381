package validate

import (
	"math"
	"math/bits"

	"github.com/perfblock/perfblock/layout"
)

// A plain value is a PERF_COUNTER_DATA with a number of 4 or 8 bytes. The first 8 bytes, dwDataSize
// and dwSize, are plain4 or plain8.
const (
	plainValueSize = counterDataSize + 8
	plain4         = plainValueSize<<32 | 4
	plain8         = plainValueSize<<32 | 8
)

// plainInstanceHeaders skips plain instances with their values, starting with instance k at an
// offset. It stops at the instance with the index `most`, and at an instance whose values end after
// lim. The results are the offset and the index of the next instance.
func (p *pass) plainInstanceHeaders(r *result, at, lim int64, k, most int64) (int64, int64) {
	if p.noScan {
		return at, k
	}
	b, i, n := p.b[:lim], int(at), int(r.shape.values)
	// The scan cannot skip instances without values: if no value follows an instance, another
	// instance or the end must follow, and the scan does not check this.
	if n == 0 || n > (len(b)-i)/plainValueSize {
		return at, k
	}
	names := &p.names
	var before nameStart
	for k < most && len(b)-i >= shortestInstance {
		hash, size := names.seed.plainName(b[i:], &before)
		end := i + size
		if size == 0 || len(b)-end < plainValueSize*n || !plainValues(b[end:end+plainValueSize*n], r.widths) || !names.fresh(hash, uint32(i)+1) {
			break
		}
		i = end + plainValueSize*n
		k++
	}
	return int64(i), k
}

// fresh adds ref if no element of the set has the same hash. It reports whether ref was added.
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

// plainShape sets the shape of a result with instances, and returns true only if the declared sizes
// are consistent. The instances up to r.scannedEnd then need no further check. If plainShape returns
// false, the caller must call declaredShape, which accepts more shapes.
func (p *pass) plainShape(r *result, t layout.PerfCounterDataType, at int64) bool {
	if p.noScan || !hasInstances(t) || r.set != nil { // if r.set is known, r.widths is required, but not set yet
		return false
	}
	s := shape{values: 1}
	if hasIDs(t) {
		n, size, ok := idsAt(p.b, at, r.end)
		if !ok || size != aligned(multiCountersSize+idSize*n) {
			return false
		}
		s.ids, s.values = size, n
		at += size
	}
	if r.end-at < multiInstancesSize {
		return false
	}
	header := multiInstancesAt(p.b, at)
	if int64(header.DwTotalSize()) != r.end-at {
		return false
	}
	n := int64(header.DwInstances())
	s.instances, s.end = n, r.end
	r.shape = s
	p.beginNames(n, r.end-at)
	r.scannedEnd, r.scanned = p.plainInstanceHeaders(r, at+multiInstancesSize, r.end, 0, n)
	if r.scannedEnd != r.end || r.scanned != n {
		// If instancesFill returns false, declaredShape reads the same bytes again. The bytes must
		// not count twice toward p.searchable.
		searchable := p.searchable
		if r.shaped = p.instancesFill(r.scannedEnd, r.end, s.values, n-r.scanned) && p.searchable > 0; !r.shaped {
			p.searchable = searchable
		}
		return r.shaped
	}
	r.shaped = true
	return true
}

// plainValues reports whether b has only plain values with the given widths. A width that is 0 or
// missing allows 4 and 8 bytes.
func plainValues(b []byte, widths []int64) bool {
	for i := 0; len(b) >= plainValueSize; i++ {
		width := int64(8)
		switch le.Uint64(b) {
		case plain8:
		case plain4:
			if le.Uint32(b[counterDataSize+4:]) != 0 {
				return false
			}
			width = 4
		default:
			return false
		}
		if i < len(widths) && widths[i] != width && widths[i] != 0 {
			return false
		}
		b = b[plainValueSize:]
	}
	return true
}

// plainName reads the instance at the start of b. It returns the hash of the name, and the Size of the instance. It sets
// `previous`, the start of the preceding name, to the start of this name.
//
// The returned size is 0 if the instance can break a rule, has a name that is not ASCII, or is too near the end of b. The
// caller must then not use `previous` again.
func (s *seed) plainName(b []byte, previous *nameStart) (hash uint64, size int) {
	head := le.Uint64(b)
	size = int(uint32(head))
	// The code below reads up to groupBytes bytes after the end of the instance, so b must have them.
	if uint(size-shortestInstance) > longestNameBytes+instanceHeaderSize-shortestInstance || size%8 != 0 || len(b) < size+groupBytes || head>>32 == math.MaxUint32 {
		return 0, 0
	}
	// The NUL must be in the last 8 bytes, with only zeros after the NUL.
	last := le.Uint64(b[size-8:])
	inLast := (bits.Len64(last) + 15) / 16
	letters := (size-shortestInstance)/2 + inLast
	if inLast == 4 || letters == 0 {
		return 0, 0
	}
	hash, step := s.start, s.step
	any, usual := uint64(0), uint64(bit7)
	words, n, k := b[instanceHeaderSize:], letters, 0
	same := previous.groups
	previous.groups = words[:min(letters/groupLetters, len(previous.hashes))*groupBytes]
	// Consecutive names often start with the same groups, which are not hashed again.
	for ; n >= groupLetters && len(same) >= groupBytes; n -= groupLetters {
		g, o := (*[groupBytes]byte)(words), (*[groupBytes]byte)(same)
		if (le.Uint64(g[0:])^le.Uint64(o[0:]))|(le.Uint64(g[8:])^le.Uint64(o[8:]))|
			(le.Uint64(g[16:])^le.Uint64(o[16:]))|(le.Uint64(g[24:])^le.Uint64(o[24:])) != 0 {
			break
		}
		hash = previous.hashes[k%len(previous.hashes)]
		words, same = words[groupBytes:], same[groupBytes:]
		k++
	}
	for ; n >= groupLetters; n -= groupLetters {
		g := (*[groupBytes]byte)(words)
		w, x, y, z := le.Uint64(g[0:]), le.Uint64(g[8:]), le.Uint64(g[16:]), le.Uint64(g[24:])
		e, f := packEight(w, x), packEight(y, z)
		any |= w | x | y | z
		usual &= inName(e) & inName(f)
		hash = mix(hash^capitals(e), step^capitals(f))
		words = words[groupBytes:]
		if k < len(previous.hashes) {
			previous.hashes[k] = hash
			k++
		}
	}
	g, m := (*[groupBytes]byte)(words), &groups[letters%groupLetters]
	w, x, y, z := le.Uint64(g[0:])&m.w, le.Uint64(g[8:])&m.x, le.Uint64(g[16:])&m.y, le.Uint64(g[24:])&m.z
	e, f := packEight(w, x), packEight(y, z)
	any |= w | x | y | z
	usual &= inName(e|m.fillE) & inName(f|m.fillF)
	if any&notASCII != 0 || usual != bit7 && !noWildcard(b[instanceHeaderSize:instanceHeaderSize+2*letters]) {
		return 0, 0
	}
	return s.addLength(mix(hash^capitals(e), step^capitals(f)), 2*letters), size
}

// A nameStart has up to 64 letters from the start of a name, in groups of 16, and the hash after
// each group.
type nameStart struct {
	groups []byte
	hashes [4]uint64
}

// Names of V2 are hashed in groups of sixteen letters. After the full groups there is always a last
// group, which has 0 to 15 letters.
const (
	groupLetters = 16
	groupBytes   = 2 * groupLetters
)

// A lastGroup has masks for a last group of n letters. A group is read as four 8-byte words. The masks
// keep the first n letters and clear the bytes after them. groups[n] is the lastGroup for n letters.
type lastGroup struct {
	w, x, y, z   uint64 // masks of the four words
	fillE, fillF uint64 // for the two words of packEight: the letter A in the place of each cleared letter
}

var groups = func() (list [groupLetters]lastGroup) {
	for n := range list {
		g := &list[n]
		g.w, g.x, g.y, g.z = units(n), units(n-4), units(n-8), units(n-12)
		g.fillE = packEight(^g.w&low, ^g.x&low) & ('A' * each)
		g.fillF = packEight(^g.y&low, ^g.z&low) & ('A' * each)
	}
	return list
}()

// named returns the hash of a folded name. For an ASCII name it is the hash that plainName returns.
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
		h = mix(h^packEight(w, x), s.step^packEight(y, z))
	}
	return s.addLength(h, len(folded))
}

// inName checks eight ASCII characters. In the result, bit 7 of a byte is 1 if the character is at
// least '0' and is not a question mark. Bit 7 is 0 for all other characters, such as NUL and the
// wildcards * and ?. The other bits have no meaning.
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
