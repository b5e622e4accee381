package layout

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"github.com/perfblock/perfblock/internal/ascii"
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
		start = ascii.Widen(dst[n:cap(dst)], s)
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
