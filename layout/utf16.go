package layout

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// The decoder of x/text reports no errors but replaces invalid text by U+FFFD, so text is
// checked before it is converted. IgnoreBOM keeps a leading U+FEFF as a character. The
// encoder is a loop in this file, which does not allocate.
var codec = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)

// CheckUTF8 reports the first byte of s that is not valid UTF-8. The error is an
// [*Error] whose Off counts in s and whose Err wraps [ErrText].
func CheckUTF8(s string) error {
	if utf8.ValidString(s) {
		return nil
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return &Error{Off: int64(i), Len: 1, Err: Faultf(ErrText, "byte 0x%02x of the text is not UTF-8", s[i])}
			}
		}
	}
	return nil
}

// AppendUTF16 appends s to dst as UTF-16LE, without a terminator or byte order mark. NUL
// and U+FEFF have no special meaning. If s is not valid UTF-8, it returns dst unchanged and
// the error of [CheckUTF8].
func AppendUTF16(dst []byte, s string) ([]byte, error) {
	out, start := dst, 0
	if n := len(dst); cap(dst)-n >= 2*len(s) {
		start = WidenASCII(dst[n:cap(dst)], s)
		out = dst[:n+2*start]
	}
	for i, r := range s[start:] {
		switch {
		case r < utf8.RuneSelf:
			out = append(out, byte(r), 0)
		case r < 0x10000 && (r != utf8.RuneError || strings.HasPrefix(s[start+i:], "\uFFFD")):
			out = append(out, byte(r), byte(r>>8))
		case r >= 0x10000:
			high, low := utf16.EncodeRune(r)
			out = append(out, byte(high), byte(high>>8), byte(low), byte(low>>8))
		default:
			return dst, CheckUTF8(s)
		}
	}
	return out, nil
}

// UTF16Len returns the size of s as UTF-16 in bytes. s must be valid UTF-8.
func UTF16Len(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < 0x80 || c >= 0xC0 && c < 0xF0: // a character of the basic plane starts
			n += 2
		case c >= 0xF0: // one beyond it: two units
			n += 4
		}
	}
	return n
}

// DecodeUTF16 decodes all of b as UTF-16LE, including NUL characters and byte order marks.
// The error for an odd length or an unpaired surrogate is an [*Error] whose Off counts in b
// and whose Err wraps [ErrText].
func DecodeUTF16(b []byte) (string, error) {
	if len(b)%2 != 0 {
		return "", &Error{Off: int64(len(b) - 1), Len: 1, Err: Faultf(ErrText, "UTF-16 has %d bytes, must be an even number", len(b))}
	}
	ascii := true
	for i := 0; i < len(b); i += 2 {
		u := le.Uint16(b[i:])
		ascii = ascii && u < utf8.RuneSelf
		if !utf16.IsSurrogate(rune(u)) {
			continue
		}
		if i+2 >= len(b) || utf16.DecodeRune(rune(u), rune(le.Uint16(b[i+2:]))) == utf8.RuneError {
			return "", &Error{Off: int64(i), Len: 2, Err: Faultf(ErrText, "unpaired surrogate 0x%04x", u)}
		}
		i += 2
	}
	if ascii {
		return narrow(b), nil
	}
	s, err := codec.NewDecoder().Bytes(b)
	if err != nil {
		return "", Faultf(ErrText, "%v", err)
	}
	return string(s), nil
}

// narrow decodes UTF-16LE that is all ASCII.
func narrow(b []byte) string {
	var s strings.Builder
	s.Grow(len(b) / 2)
	for i := 0; i < len(b); i += 2 {
		s.WriteByte(b[i])
	}
	return s.String()
}

// Most names are ASCII, and a block can have a million of them, so WidenASCII converts eight
// characters at a time in a 64-bit word.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// WidenASCII writes the ASCII characters at the start of s to dst as UTF-16LE and returns
// their number. It stops at the first NUL or non-ASCII character, or up to fifteen
// characters before that. It panics if dst is shorter than two bytes for each byte of s. It
// writes nothing after the characters that it counts.
func WidenASCII(dst []byte, s string) int {
	switch n := len(s); {
	case n > 16:
		return widenLong(dst[:2*n], s)
	case n >= 8: // the overlap is written twice with the same characters
		dst = dst[:2*n]
		first, last := load8(s), load8(s[n-8:])
		if !plainASCII(first) || !plainASCII(last) {
			return 0
		}
		widen8(dst, first)
		widen8(dst[2*n-16:], last)
		return n
	case n >= 4:
		dst = dst[:2*n]
		first, last := load4(s), load4(s[n-4:])
		if !plainASCII(uint64(first) | uint64(last)<<32) {
			return 0
		}
		le.PutUint64(dst, widen4(first))
		le.PutUint64(dst[2*n-8:], widen4(last))
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

// widenLong implements WidenASCII for more than eight characters.
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

// plainASCII reports whether each byte of w is 0x01 to 0x7F: 0 borrows from the bit
// above when 1 is taken from it.
func plainASCII(w uint64) bool { return (w|(w-ones))&highs == 0 }

func widen8(dst []byte, w uint64) {
	_ = dst[15]
	le.PutUint64(dst, widen4(uint32(w)))
	le.PutUint64(dst[8:], widen4(uint32(w>>32)))
}

// widen4 returns four bytes as four code units.
func widen4(b uint32) uint64 {
	w := uint64(b)
	w = (w | w<<16) & 0x0000FFFF0000FFFF
	return (w | w<<8) & 0x00FF00FF00FF00FF
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
