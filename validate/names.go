package validate

// plainNames returns of how many instances in b, from the first on, rules have nothing to
// say of the name, neither of its letters nor of where it starts and ends, and all that
// is behind it in its word is zero. It hashes those names as seed.name does.
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
