package dump

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding is the encoding of text in a block.
type encoding uint8

const (
	utf16Text encoding = iota
	byteText           // bytes of a code page; all but ASCII are escaped
)

// appendText appends the text in raw to dst, in quotes. Like Go's %q, it escapes characters that
// are not printable: control characters, invisible characters and characters that change the
// direction of writing. It writes half a surrogate pair as \ud800 and a byte that is not a
// character as \x80; exact is then false.
func appendText(dst, raw []byte, as encoding) (out []byte, exact bool) {
	dst, exact = append(dst, '"'), true
	if as == byteText {
		for _, c := range raw {
			if c < utf8.RuneSelf {
				dst = appendRune(dst, rune(c))
				continue
			}
			dst, exact = appendByte(dst, c), false
		}
		return append(dst, '"'), exact
	}
	for ; len(raw) >= 2; raw = raw[2:] {
		r := rune(le.Uint16(raw))
		if utf16.IsSurrogate(r) {
			pair := utf8.RuneError
			if len(raw) >= 4 {
				pair = utf16.DecodeRune(r, rune(le.Uint16(raw[2:])))
			}
			if pair == utf8.RuneError {
				dst, exact = appendHex(append(dst, `\u`...), uint64(r), 4), false
				continue
			}
			r, raw = pair, raw[2:]
		}
		dst = appendRune(dst, r)
	}
	if len(raw) > 0 {
		dst, exact = appendByte(dst, raw[0]), false
	}
	return append(dst, '"'), exact
}

// appendRune appends one character of a text in double quotes.
func appendRune(dst []byte, r rune) []byte {
	if r != '"' && r != '\\' && strconv.IsPrint(r) {
		return utf8.AppendRune(dst, r)
	}
	if r == '"' {
		return append(dst, '\\', '"')
	}
	q := strconv.AppendQuoteRuneToASCII(nil, r) // in single quotes
	return append(dst, q[1:len(q)-1]...)
}

func appendByte(dst []byte, c byte) []byte {
	return appendHex(append(dst, `\x`...), uint64(c), 2)
}
