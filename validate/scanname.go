package validate

import "bytes"

// plainNames sets the hashes of names, and returns the number of instances before the first name
// that can break a rule. After a name, it checks only the NUL and the padding in the same 8-byte
// word as the NUL. The function plainDefinition checks further padding.
func (p *pass) plainNames(b []byte, list []scanned) int {
	s := &p.names.seed
	previous := s.newGroup()
	for n := 0; ; n++ {
		some, ascii := s.usualNames(b, list[n:], &previous)
		if n += some; n == len(list) {
			return n
		}
		f := &list[n]
		if ascii && !plainText(b[f.name():][:f.n]) || !ascii && !p.plainUnicode(b, f) {
			return n
		}
	}
}

// plainUnicode sets the hash of a name, which can have characters outside ASCII. It returns false
// if the name can break a rule.
func (p *pass) plainUnicode(b []byte, f *scanned) bool {
	at, n := f.name(), int(f.n)
	if !allZero(b[at+n : at+int(aligned(int64(n)+2))]) {
		return false
	}
	text := b[at : at+n]
	if le.Uint16(text) == ' ' || le.Uint16(text[n-2:]) == ' ' || string(text) == totalName {
		return false
	}
	for i := 0; i+1 < n; i += 2 {
		switch u := le.Uint16(text[i:]); {
		case u < ' ', u >= 0xD800 && u <= 0xDFFF, u >= 0xFFFE:
			return false
		case u == '\\', u == '(', u == ')', u == '/', u == '*', u == '#':
			return false
		}
	}
	p.folded.a = appendFold(p.folded.a[:0], text, 0, [2]uint32{})
	f.hash = p.names.seed.addName(f.hash, p.folded.a[parentBytes:])
	return true
}

// usualNames sets the hashes of names, and returns the index of the first name that the caller must
// check. If ascii is true, the hash of this name is set, and the caller must check only the
// characters.
func (s *seed) usualNames(b []byte, list []scanned, previous *hashedGroup) (n int, ascii bool) {
	for j := range list {
		f := &list[j]
		at, left, h, odd := f.name(), int(f.n), f.hash, uint64(0)
		if first := b[at]; first == ' ' || first == '_' { // the name can break a rule, or be _Total
			return j, false
		}
		end := at + (left+2+7)&^7
		zeros := le.Uint64(b[end-8:end:end]) >> (left % 8 * 8) // the terminator and padding
		for ; left > eightBytes; left -= eightBytes {
			words := eightAt(b, at)
			x, y := le.Uint64(words[0:]), le.Uint64(words[8:])
			at += eightBytes
			// Consecutive names often start with the same group.
			if x == previous.a && y == previous.b && h == previous.hashBefore {
				h = previous.hashAfter
				continue
			}
			if (x|y)&notASCII != 0 {
				return j, false
			}
			eight, before := packEight(x, y), h
			h = s.addLetters(h, capitals(eight))
			if o := unusualBits(eight); o != 0 {
				odd |= o
			} else {
				*previous = hashedGroup{x, y, before, h}
			}
		}
		// The last group ends where the name ends, and can overlap the group before it.
		words, t := eightAt(b, at+left-eightBytes), &tails[min(f.n, eightBytes)/2]
		x, y := le.Uint64(words[0:])&t.a, le.Uint64(words[8:])&t.b
		if zeros|(x|y)&notASCII != 0 || y>>48 == ' ' {
			return j, false
		}
		eight := packEight(x, y)
		f.hash = s.addLength(s.addLetters(h, capitals(eight)), int(f.n))
		if odd|unusualBits(eight|t.fill) != 0 {
			return j, true
		}
	}
	return len(list), false
}

const eightBytes = 16 // size of a group of eight characters

// eightAt returns the eight UTF-16 code units at index i of b. They have 16 bytes.
func eightAt(b []byte, i int) *[eightBytes]byte {
	// Without the third index, the compiler adds instructions for a slice of capacity 0.
	return (*[eightBytes]byte)(b[i : i+eightBytes : i+eightBytes])
}

// A hashedGroup has eight characters of a name in the words a and b, and the hashes of the name
// before and after these characters.
type hashedGroup struct{ a, b, hashBefore, hashAfter uint64 }

// newGroup returns a group with the characters "aaaaaaaa". usualNames compares the first name with
// this group, because no name precedes the first name.
func (s *seed) newGroup() hashedGroup {
	const four = uint64('a'*each) & low
	return hashedGroup{four, four, 0, s.addLetters(0, capitals(packEight(four, four)))}
}

// plainText reports whether an ASCII name has no special characters.
func plainText(text []byte) bool {
	for ; len(text) > eightBytes; text = text[eightBytes:] {
		if specialBits(packEight(le.Uint64(text), le.Uint64(text[8:]))) != 0 {
			return false
		}
	}
	var last [eightBytes]byte
	copy(last[eightBytes-len(text):], text)
	return specialBits(packEight(le.Uint64(last[:]), le.Uint64(last[8:]))|tails[len(text)/2].fill) == 0
}

// Eight ASCII characters of a name fit into a 64-bit number, because the high byte of each code
// unit is 0. One addition compares all eight with a constant. For example, adding 0x80-'0' to each
// byte sets bit 7 of the bytes that are at least '0'. No sum carries into
// the next byte, because ASCII characters are below 0x80.

const (
	each     = 0x0101010101010101 // each*b has the byte b eight times
	bit7     = 0x80 * each
	notASCII = 0xFF80FF80FF80FF80 // the bits that are 0 in four ASCII characters
	low      = 0x00FF00FF00FF00FF // the low bytes of four code units
)

// packEight returns one word with eight ASCII characters. a and b have four code units each.
func packEight(a, b uint64) uint64 { return a | b<<8 }

// unusualBits returns 0 if it finds no unusual character among eight ASCII characters. The unusual
// characters are the backslash and all characters below '0' except the space.
func unusualBits(eight uint64) uint64 {
	ok := (eight + (0x80-'0')*each) | (bit7 - (eight ^ ' '*each)) // at least '0', or a space
	return ^(ok & ((eight ^ '\\'*each) + (0x80-1)*each)) & bit7   // not \
}

// specialBits returns 0 if it finds no special character among eight ASCII characters. The special
// characters are ()*#/\ and all characters below the space. The function is slower than unusualBits,
// but accepts more characters, such as + and &.
func specialBits(eight uint64) uint64 {
	ok := eight + (0x80-' ')*each             // at least the space
	ok &= (eight ^ '('*each) + (0x80-3)*each  // not one of the three ( ) *
	ok &= (eight ^ '#'*each) + (0x80-1)*each  // not #
	ok &= (eight ^ '/'*each) + (0x80-1)*each  // not /
	ok &= (eight ^ '\\'*each) + (0x80-1)*each // not \
	return ^ok & bit7
}

// capitals returns the eight ASCII characters in upper case.
func capitals(eight uint64) uint64 {
	lower := (eight + (0x80-'a')*each) &^ (eight + (0x7F-'z')*each) & bit7
	return eight ^ lower>>2
}

// A tail has masks for eight code units. The masks in tails[n] keep the last n code units and clear
// the others.
type tail struct {
	a, b uint64 // masks of the first and the second word
	fill uint64 // for a word of packEight: the letter A in the place of each cleared code unit
}

var tails = func() (list [eightBytes/2 + 1]tail) {
	for n := range list {
		t := &list[n]
		t.a, t.b = ^units(8-n), ^units(4-n)
		t.fill = packEight(^t.a&low, ^t.b&low) & ('A' * each)
	}
	return list
}()

// units returns a mask of the first n of four code units.
func units(n int) uint64 {
	return 1<<(16*max(0, min(n, 4))) - 1
}

// scanned is an instance in a batch of the scan.
type scanned struct {
	hash  uint64 // hash of the parent; plainNames replaces it with the hash of the full name
	at    uint32 // offset in the object
	n     uint32 // number of bytes of the name without its terminator
	first uint32 // offset of the earlier instance with the same name, 0 if there is none
}

// name returns the offset of the name in the object.
func (f *scanned) name() int { return int(f.at) + definitionBytes }

// batchSize is the number of instances that are scanned together.
const batchSize = 16

// checkDuplicates reports the instances that repeat the name of an earlier instance. list[0] is
// instance k of the object.
func (p *pass) checkDuplicates(o *object, list []scanned, k int) {
	if len(list) == 0 || len(onDuplicate.stageIn(p.rules).checks) == 0 {
		return
	}
	if p.collected.active {
		for j := range list {
			p.collected.add(list[j].hash, list[j].at)
		}
		return
	}
	b, s := p.b[o.off:], &p.names
	s.reserve(len(list))
	for j := 0; j < len(list); j++ {
		if j += s.addEqual(b, list[j:]); j < len(list) {
			f := &list[j]
			f.first = s.add(f.hash, f.at, func(ref uint32) bool { return p.sameName(o, ref, f.at) })
		}
	}
	unlisted, full := 0, p.duplicatesFull()
	for j := range list {
		switch f := &list[j]; {
		case f.first == 0:
		case full:
			unlisted++
		default:
			p.reportDuplicate(o, k+j, f.at, f.first)
		}
	}
	if unlisted > 0 {
		p.unlisted(unlisted)
	}
}

// addEqual adds the names in the list to the set, which must have empty slots for all of them. If a
// name has the same bytes and the same parent as an earlier name, addEqual stores the offset of the
// earlier instance in scanned.first. If a name has only the same hash as an earlier
// name, addEqual stops: only the caller can compare the two names without regard to case. addEqual
// returns the number of names that it added or found.
func (s *set) addEqual(b []byte, list []scanned) int {
	slots, mask := s.slots, uint32(len(s.slots)-1)
	for j := range list {
		f := &list[j]
		short := uint32(f.hash >> 32)
		i := short
		for slots[i&mask].ref != 0 && slots[i&mask].hash != short {
			i++
		}
		at := &slots[i&mask]
		if f.first = at.ref; at.ref == 0 {
			*at = slot{short, f.at}
			s.used++
			continue
		}
		if !equalNames(b[at.ref:], b[f.at:], f.n) {
			f.first = 0
			return j
		}
	}
	return len(list)
}

// equalNames reports whether the instances at the start of two slices have the same parent and
// name. The name has n bytes.
func equalNames(one, other []byte, n uint32) bool {
	// ByteLength (in word0) and UniqueID (in word1) may differ.
	differ := (le.Uint64(one[word2:]) ^ le.Uint64(other[word2:])) | (le.Uint64(one[instanceDefinitionParentObjectTitleIndex:]) ^ le.Uint64(other[instanceDefinitionParentObjectTitleIndex:]))
	return differ == 0 && bytes.Equal(one[definitionBytes:definitionBytes+n], other[definitionBytes:definitionBytes+n])
}

// duplicatesFull reports whether further duplicates are counted but not listed, because p.max
// findings of their severity are already listed.
func (p *pass) duplicatesFull() bool {
	for _, c := range onDuplicate.stageIn(p.rules).checks {
		if p.listing(c.rule.severity) {
			return false
		}
	}
	return true
}

// unlisted counts n duplicates without listing them.
func (p *pass) unlisted(n int) {
	for _, c := range onDuplicate.stageIn(p.rules).checks {
		*p.found.Counts.of(c.rule.severity) += n
		p.found.Truncated = true
	}
}
