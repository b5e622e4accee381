package validate

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

// letters returns eight characters packed, and 0 if they are of ASCII and rules have
// nothing to say of any of them: no control characters, and none of those that path
// syntax has a use for. fill stands in for those that are not there.
func letters(a, b, fill uint64) (eight, bad uint64) {
	eight = packed(a, b)
	v := eight | fill
	ok := v + (0x80-' ')*each             // from the space on
	ok &= (v ^ '('*each) + (0x80-3)*each  // not one of the three ( ) *
	ok &= (v ^ '#'*each) + (0x80-1)*each  // not #
	ok &= (v ^ '/'*each) + (0x80-1)*each  // not /
	ok &= (v ^ '\\'*each) + (0x80-1)*each // not \
	return eight, (a|b)&notASCII | ^ok&bit7
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
		t.fill = packed(^t.a&low, ^t.b&low) & ('A' * each)
	}
	return list
}()

// units has the bits of the first n of four characters.
func units(n int) uint64 {
	return 1<<(16*max(0, min(n, 4))) - 1
}

// plainName reports whether rules have nothing to say of a name of n bytes, neither of
// its letters nor of where it starts and ends, and all that is behind it in its word is
// zero. It hashes the name as seed.name does. b goes on behind the name.
func (s *seed) plainName(b []byte, n uint32, h uint64) (hash uint64, ok bool) {
	left, bad := n/2, uint64(0)
	first, at := b[0], 0
	if first == ' ' || first == '_' || b[n-2] == ' ' { // or may be _Total
		return 0, false
	}
	for ; left > 8; left -= 8 {
		eight, no := letters(le.Uint64(b[at:]), le.Uint64(b[at+8:]), 0)
		bad |= no
		h = s.letters(h, capitals(eight))
		at += 16
	}
	if len(b)-at < tailBytes {
		return 0, false
	}
	words, t := (*[tailBytes]byte)(b[at:]), &tails[left%uint32(len(tails))]
	x, y, z := le.Uint64(words[0:]), le.Uint64(words[8:]), le.Uint64(words[16:])
	eight, no := letters(x&t.a, y&t.b, t.fill)
	bad |= no | x&t.zeroA | y&t.zeroB | z&t.zeroC
	return s.ended(s.letters(h, capitals(eight)), int(n)), bad == 0
}
