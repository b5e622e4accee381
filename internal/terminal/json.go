package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns v as JSON, on several lines if indent is not empty. Escapes replace characters that are not printable,
// because terminals interpret some of them. JSON panics if v cannot be encoded, for example if v is a channel.
func JSON(v any, indent string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // for readability; the output is not part of a web page
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		panic(err) // structs of strings and numbers have no errors
	}
	return appendPrintable(nil, bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// appendPrintable appends JSON to dst, with escapes for characters that are not printable.
func appendPrintable(dst, encoded []byte) []byte {
	for len(encoded) > 0 {
		if n := plainLen(encoded); n > 0 {
			dst, encoded = append(dst, encoded[:n]...), encoded[n:]
			continue
		}
		r, n := utf8.DecodeRune(encoded)
		switch {
		case strconv.IsPrint(r) && r != utf8.RuneError: // package json escapes it if it replaces a byte that is not UTF-8
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
