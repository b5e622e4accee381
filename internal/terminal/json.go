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
	return printable(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// printable returns JSON with escapes for characters that are not printable. It keeps the line ends between values.
func printable(encoded []byte) []byte {
	if !bytes.ContainsFunc(encoded, isSpecial) {
		return encoded
	}
	dst := make([]byte, 0, len(encoded))
	for _, r := range string(encoded) {
		switch {
		case r == '\n' || strconv.IsPrint(r) && r != utf8.RuneError: // package json escapes it if it replaces a byte that is not UTF-8
			dst = utf8.AppendRune(dst, r)
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, hi, lo)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
	}
	return dst
}
