package utf16le

import (
	"unicode/utf16"
	"unicode/utf8"
)

// AppendUTF8 converts b from UTF-16LE to UTF-8 and appends the result to dst. It reports whether b is valid UTF-16LE.
func AppendUTF8(dst, b []byte) ([]byte, bool) {
	dst, n := Narrow(dst, b)
	for b = b[2*n:]; len(b) >= 2; b = b[2:] {
		r := rune(le.Uint16(b))
		if utf16.IsSurrogate(r) {
			if len(b) < 4 {
				return dst, false
			}
			if r = utf16.DecodeRune(r, rune(le.Uint16(b[2:]))); r == utf8.RuneError {
				return dst, false
			}
			b = b[2:]
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, len(b) == 0
}

// Narrow converts the ASCII characters at the start of b from UTF-16LE, appends them to dst, and returns their number.
// Narrow stops at the first NUL or non-ASCII character, or up to three characters earlier.
func Narrow(dst, b []byte) ([]byte, int) {
	const notASCII, lows = 0xFF80_FF80_FF80_FF80, 0x0001_0001_0001_0001
	i := 0
	for ; i <= len(b)-8; i += 8 { // four characters at once
		w := le.Uint64(b[i : i+8 : i+8])
		if (w|(w-lows))&notASCII != 0 { // subtracting 1 from 0 sets the high bits
			return dst, i / 2
		}
		w |= w >> 8
		dst = le.AppendUint32(dst, uint32(w&0xFFFF)|uint32(w>>32)<<16)
	}
	for ; i+2 <= len(b) && b[i+1] == 0 && b[i] != 0 && b[i] < 0x80; i += 2 {
		dst = append(dst, b[i])
	}
	return dst, i / 2
}
