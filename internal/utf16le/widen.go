package utf16le

import "encoding/binary"

var le = binary.LittleEndian

// Masks for the eight bytes of a 64-bit word. [Widen] converts eight characters at a time, because a block can have a
// million names, and most names are ASCII.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// Widen converts the ASCII characters at the start of s to UTF-16LE in dst, and returns their number n.
// Widen stops at the first NUL or non-ASCII character, or up to fifteen characters earlier.
// Widen writes exactly 2*n bytes, but dst must have at least 2*len(s) bytes.
func Widen(dst []byte, s string) int {
	switch n := len(s); {
	case n > 16:
		return widenLong(dst[:2*n], s)
	case n >= 8: // the first and last 8 characters may overlap; both writes then agree
		dst = dst[:2*n]
		first, last := load8(s), load8(s[n-8:])
		if !plainASCII(first) || !plainASCII(last) {
			return 0
		}
		widen8(dst, first)
		widen8(dst[2*n-16:2*n], last)
		return n
	case n >= 4:
		dst = dst[:2*n]
		first, last := load4(s), load4(s[n-4:])
		if !plainASCII(uint64(first) | uint64(last)<<32) {
			return 0
		}
		le.PutUint64(dst, widen4(first))
		le.PutUint64(dst[2*n-8:2*n], widen4(last))
		return n
	}
	for i := range len(s) {
		if c := s[i]; c == 0 || c >= 0x80 {
			return i
		}
		le.PutUint16(dst[2*i:], uint16(s[i]))
	}
	return len(s)
}

// widenLong implements [Widen] for more than 16 characters.
func widenLong(dst []byte, s string) int {
	n := len(s)
	for i := 0; i < n-8; i += 8 {
		w := load8(s[i : i+8])
		if !plainASCII(w) {
			return i
		}
		widen8(dst[2*i:2*i+16], w)
	}
	w := load8(s[n-8:])
	if !plainASCII(w) {
		return (n - 1) &^ 7
	}
	widen8(dst[2*n-16:], w)
	return n
}

// plainASCII reports whether each byte of w is 0x01 to 0x7F. For a byte of 0x80 to 0xFF, the high bit is set in w. For
// a byte of 0, it is set in w-ones.
func plainASCII(w uint64) bool { return (w|(w-ones))&highs == 0 }

func widen8(dst []byte, w uint64) {
	le.PutUint64(dst[8:], widen4(uint32(w>>32)))
	le.PutUint64(dst, widen4(uint32(w)))
}

// widen4 returns the four bytes of b as four code units of 16 bits.
func widen4(b uint32) uint64 {
	w := (uint64(b) | uint64(b)<<16) & 0x0000FFFF0000FFFF
	odd := w & 0x0000FF000000FF00
	// This form is faster than a mask such as 0x00FF00FF00FF00FF. With a mask, the compiler would know that the
	// highest byte of the result is 0, and store this byte with a separate instruction.
	return w - odd + odd<<8
}

func load8(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func load4(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}
