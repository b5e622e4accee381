package validate

// plainNames returns of how many instances in b, from the first on, rules have nothing to
// say of the name, neither of its letters nor of where it starts and ends, and all that
// is after it in its word is zero. It hashes those names as seed.name does.
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

// usualNames is plainNames as far as the letters are usual. It reports whether it stopped
// because they are not, and that alone: the name is hashed.
func (s *seed) usualNames(b []byte, list []fresh) (n int, unusual bool) {
	like := s.alike()
	for j := range list {
		f := &list[j]
		at, left, h, odd := int(f.at)+headBytes, f.n/2, f.hash, uint64(0)
		if first := b[at]; first == ' ' || first == '_' { // which may be _Total
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

// alike is the last eight characters of a name that were not its end, all usual, and what
// they make of the hash. Names often start alike.
type alike struct{ a, b, from, to uint64 }

// alike returns eight letters to begin with.
func (s *seed) alike() alike {
	const four = uint64('a'*each) & low
	return alike{four, four, 0, s.letters(0, capitals(packed(four, four)))}
}

// groups goes on with the hash of a name of more than eight characters to the last eight
// or less, and returns where those are, and what of the letters is unusual. They are at 0
// if a letter is none of ASCII, or the input ends too soon.
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

// plainText reports whether special is 0 of all letters of a name of ASCII.
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

// Names are looked at eight characters at a time, as the bytes of a number: a
// character of ASCII takes half of its two bytes, so that two words of four make one.
// Bytes below 0x80 can be added to without a carry into the next; bit 7 of each is
// the answer to a question.

const (
	each     = 0x0101010101010101 // times a byte, it is that byte eight times
	bit7     = 0x80 * each
	notASCII = 0xFF80FF80FF80FF80 // what no four characters of ASCII have
	low      = 0x00FF00FF00FF00FF // where they have their letters
)

// packed returns eight characters of ASCII, given as two words of four.
func packed(a, b uint64) uint64 { return a | b<<8 }

// usual returns 0 if eight characters of ASCII are among letters, digits, spaces and what
// stands between them there, but for the one of those that rules have something to say of.
func usual(eight uint64) uint64 {
	ok := (eight + (0x80-'0')*each) | (bit7 - (eight ^ ' '*each)) // from 0 on, or a space
	return ^(ok & ((eight ^ '\\'*each) + (0x80-1)*each)) & bit7   // not \
}

// special returns 0 if rules have nothing to say of eight characters of ASCII: no control
// characters, and none of those that path syntax has a use for. It asks of more than usual
// and takes longer.
func special(eight uint64) uint64 {
	ok := eight + (0x80-' ')*each             // from the space on
	ok &= (eight ^ '('*each) + (0x80-3)*each  // not one of the three ( ) *
	ok &= (eight ^ '#'*each) + (0x80-1)*each  // not #
	ok &= (eight ^ '/'*each) + (0x80-1)*each  // not /
	ok &= (eight ^ '\\'*each) + (0x80-1)*each // not \
	return ^ok & bit7
}

// capitals returns eight characters in upper case.
func capitals(eight uint64) uint64 {
	lower := (eight + (0x80-'a')*each) &^ (eight + (0x7F-'z')*each) & bit7
	return eight ^ lower>>2
}

// A tail says what the last characters of a name, eight at most, leave of the three
// words of four characters that they start in: where the name is, and where zeros are,
// which are the terminator and padding as far as the instance goes.
type tail struct {
	a, b                uint64 // the name in the first two words
	zeroA, zeroB, zeroC uint64 // zeros in all three
	fill                uint64 // a letter for each of the eight that is not there
	last                uint8  // where the last one is when they are packed
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

// units has the bits of the first n of four characters.
func units(n int) uint64 {
	return 1<<(16*max(0, min(n, 4))) - 1
}
