package dump

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding is how text stands in a block.
type encoding uint8

const (
	utf16Text encoding = iota
	byteText           // of an unknown code page
)

// AppendText appends the text in raw to dst, in quotes and safe to send to a
// terminal: what is no printable character stands as an escape of Go's, so that
// controls, marks that turn the direction of writing and invisible characters
// show. Half a surrogate pair is \ud800, a byte that is no ASCII \x80. Exact is
// false if such are in it, or half a unit of UTF-16 at the end.
func AppendText(dst, raw []byte, as encoding) (out []byte, exact bool) {
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
				dst, exact = append(append(dst, `\u`...), strconv.FormatUint(uint64(r), 16)...), false
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
	return append(dst, '\\', 'x', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
}

// Printable returns s, a message of any number of lines, with escapes for what a
// terminal should not be sent.
func Printable(s string) string {
	var b strings.Builder
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.Write(appendByte(nil, s[i]))
		case r == '\n' || r == '\t' || strconv.IsPrint(r):
			b.WriteString(s[i : i+n])
		default:
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}
