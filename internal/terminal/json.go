package terminal

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendJSON appends JSON to dst. It writes escapes for characters that are not printable, because
// terminals interpret some of them. A JSON reader gets the same text.
func AppendJSON(dst, encoded []byte) []byte {
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
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, hi, lo)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
		encoded = encoded[n:]
	}
	return dst
}

// plainLen returns the number of bytes at the start of JSON that need no escape: printable ASCII
// characters, and the line ends between values.
func plainLen(encoded []byte) int {
	for i, c := range encoded {
		if (c < ' ' || c > '~') && c != '\n' {
			return i
		}
	}
	return len(encoded)
}
