package report

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// printable returns s as one line that is safe to send to a terminal: what is no
// printable character stands as an escape of Go's, ends of lines among it, so that
// controls, marks that turn the direction of writing and invisible characters show.
func printable(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i, n := 0, 0; i < len(s); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + hex(uint64(s[i]), 2))
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// plain reports whether s is of printable ASCII alone, as nearly all texts are.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// appendJSON appends encoded, which is JSON, with escapes of JSON for what is not
// printable, as JSON ends up on terminals too. The values in it stay what they are.
func appendJSON(dst, encoded []byte) []byte {
	for len(encoded) > 0 {
		if n := plainLen(encoded); n > 0 {
			dst, encoded = append(dst, encoded[:n]...), encoded[n:]
			continue
		}
		r, n := utf8.DecodeRune(encoded)
		switch {
		case strconv.IsPrint(r):
			dst = append(dst, encoded[:n]...)
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			dst = append(append(dst, `\u`+hex(uint64(hi), 4)...), `\u`+hex(uint64(lo), 4)...)
		default:
			dst = append(dst, `\u`+hex(uint64(r), 4)...)
		}
		encoded = encoded[n:]
	}
	return dst
}

// plainLen returns how many bytes at the start are printable ASCII, or end lines, which they
// do between values only. That is nearly all there is.
func plainLen(encoded []byte) int {
	for i, c := range encoded {
		if (c < ' ' || c > '~') && c != '\n' {
			return i
		}
	}
	return len(encoded)
}

// hex returns n in hex, of that many digits at least.
func hex(n uint64, digits int) string {
	s := strconv.FormatUint(n, 16)
	return strings.Repeat("0", max(0, digits-len(s))) + s
}
