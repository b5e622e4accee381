package validate

// plainNames returns the number of instances before the first one whose name could break
// a rule. The checks include the bounds of the name and the zeros after it in its word. It
// hashes these names as seed.name does.
func (s *seed) plainNames(b []byte, list []fresh) int {
	n := 0
	for {
		some, unusual := s.usualNames(b, list[n:])
		if n += some; !unusual || !plainText(b[int(list[n].at)+headBytes:][:list[n].n]) {
			return n
		}
		n++
	}
}

// usualNames is a fast form of plainNames for names of usual letters. It returns the number
// of names before the first other one. unusual is true if unusual letters are the only
// reason to stop there; the name is then hashed.
func (s *seed) usualNames(b []byte, list []fresh) (n int, unusual bool) {
	like := s.alike()
	for j := range list {
		f := &list[j]
		at, left, h, odd := int(f.at)+headBytes, f.n/2, f.hash, uint64(0)
		if first := b[at]; first == ' ' || first == '_' { // the name can be _Total
			return j, false
		}
		if left > 8 {
			at, h, odd = s.groups(b, at, left, h, &like)
			if at == 0 {
				return j, false
			}
			left = (left-1)%8 + 1
		}
		words, t := (*[tailBytes]byte)(b[at:]), &tails[left%uint32(len(tails))]
		x, y, z := le.Uint64(words[0:]), le.Uint64(words[8:]), le.Uint64(words[16:])
		bad := x&t.zeroA | y&t.zeroB | z&t.zeroC
		x, y = x&t.a, y&t.b
		eight := packed(x, y)
		if bad|(x|y)&notASCII != 0 || byte(eight>>(t.last&63)) == ' ' {
			return j, false
		}
		f.hash = s.ended(s.letters(h, capitals(eight)), int(f.n))
		if odd|usual(eight|t.fill) != 0 {
			return j, true
		}
	}
	return len(list), false
}

// alike has the last group of eight characters that was not the end of a name, and the
// hash before and after it. Consecutive names often start with the same characters.
type alike struct{ a, b, from, to uint64 }

// alike returns an initial value.
func (s *seed) alike() alike {
	const four = uint64('a'*each) & low
	return alike{four, four, 0, s.letters(0, capitals(packed(four, four)))}
}

// groups hashes a name of more than eight characters up to its last group of one to eight.
// It returns the offset of that group, the hash and the unusual letters. The offset is 0 if
// a letter is not ASCII or the input ends too soon.
func (s *seed) groups(b []byte, at int, left uint32, h uint64, like *alike) (end int, hash, odd uint64) {
	for ; left > 8; left -= 8 {
		if at > len(b)-16-tailBytes {
			return 0, 0, 0
		}
		words := (*[16]byte)(b[at:])
		x, y := le.Uint64(words[0:]), le.Uint64(words[8:])
		at += 16
		if x == like.a && y == like.b && h == like.from {
			h = like.to
			continue
		}
		if (x|y)&notASCII != 0 {
			return 0, 0, 0
		}
		eight, from := packed(x, y), h
		h = s.letters(h, capitals(eight))
		if o := usual(eight); o != 0 {
			odd |= o
		} else {
			*like = alike{x, y, from, h}
		}
	}
	return at, h, odd
}

// plainText reports whether an ASCII name has no special characters.
func plainText(text []byte) bool {
	for len(text) > 16 {
		if special(packed(le.Uint64(text), le.Uint64(text[8:]))) != 0 {
			return false
		}
		text = text[16:]
	}
	var group [16]byte
	copy(group[:], text)
	return special(packed(le.Uint64(group[:]), le.Uint64(group[8:]))|tails[len(text)/2].fill) == 0
}

// Names are processed eight characters at a time. An ASCII character uses one of the two
// bytes of its code unit, so eight characters fit into a 64-bit number. Additions to bytes
// below 0x80 do not carry into the next byte, and bit 7 of each byte has the result of a
// comparison.

const (
	each     = 0x0101010101010101 // multiplied by a byte, gives that byte eight times
	bit7     = 0x80 * each
	notASCII = 0xFF80FF80FF80FF80 // bits that are 0 in four ASCII characters
	low      = 0x00FF00FF00FF00FF // bytes that have the characters
)

// packed returns eight ASCII characters, given as two words of four, in one word.
func packed(a, b uint64) uint64 { return a | b<<8 }

// usual returns 0 if eight ASCII characters are all spaces or from the digit 0 upward,
// except the backslash. These characters break no rule.
func usual(eight uint64) uint64 {
	ok := (eight + (0x80-'0')*each) | (bit7 - (eight ^ ' '*each)) // from 0 on, or a space
	return ^(ok & ((eight ^ '\\'*each) + (0x80-1)*each)) & bit7   // not \
}

// special returns 0 if eight ASCII characters have no control character and no character
// of the path syntax. It accepts more characters than usual and is slower.
func special(eight uint64) uint64 {
	ok := eight + (0x80-' ')*each             // from the space on
	ok &= (eight ^ '('*each) + (0x80-3)*each  // not one of the three ( ) *
	ok &= (eight ^ '#'*each) + (0x80-1)*each  // not #
	ok &= (eight ^ '/'*each) + (0x80-1)*each  // not /
	ok &= (eight ^ '\\'*each) + (0x80-1)*each // not \
	return ^ok & bit7
}

// capitals returns eight ASCII characters in upper case.
func capitals(eight uint64) uint64 {
	lower := (eight + (0x80-'a')*each) &^ (eight + (0x7F-'z')*each) & bit7
	return eight ^ lower>>2
}

// A tail has masks for the last characters of a name, one to eight, in the three words of
// four code units that start there. They select the name, and the terminator and padding
// after it, which must be 0.
type tail struct {
	a, b                uint64 // the name in the first two words
	zeroA, zeroB, zeroC uint64 // zeros in all three
	fill                uint64 // a letter in the place of each missing character
	last                uint8  // bit position of the last character when packed
}

var tails = func() (list [16]tail) {
	for n := 1; n <= 8; n++ {
		t := &list[n]
		t.a, t.b = units(n), units(n-4)
		t.zeroA = ^t.a
		if n >= 4 {
			t.zeroB = ^t.b
		}
		if n == 8 {
			t.zeroC = ^t.zeroC
		}
		t.last = uint8((n-1)%4*16 + (n-1)/4*8)
		t.fill = packed(^t.a&low, ^t.b&low) & ('A' * each)
	}
	return list
}()

// units returns a mask of the first n of four code units.
func units(n int) uint64 {
	return 1<<(16*max(0, min(n, 4))) - 1
}
