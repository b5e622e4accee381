package armor

import (
	"bytes"
	"strings"
	"unicode"
)

// decodeArray reads the bytes between { and }, as in an array of C or a slice of Go. Each byte
// starts with 0x.
func decodeArray(text []byte) ([]Block, error) {
	open := opening(text)
	if open < 0 {
		at, _ := firstLine(text)
		return nil, doubt{place(text, at, "the text has no {, which starts an array")}
	}
	end := bytes.IndexByte(text[open:], '}')
	if end < 0 {
		return nil, doubt{place(text, open, "the array has no } at its end")}
	}
	d := hexDecoder{text: text}
	for i := open + 1; i < open+end; {
		switch c := text[i]; {
		case isSpace(c), c == ',':
			i++
			continue
		case c != '0' || text[i+1]|0x20 != 'x':
			return nil, doubtUnless(len(d.out) > 0, place(text, i, "the array has %s here, but each byte must start with 0x", quoteFirst(text[i:])))
		}
		next, err := d.word(i, open+end)
		if err != nil {
			return nil, doubtUnless(len(d.out) > 0, err)
		}
		i = next
	}
	if len(d.out) == 0 {
		return nil, doubt{place(text, open, "%w between { and }", errNoBytes)}
	}
	return d.block()
}

// opening returns the position of the { that starts the array, or -1 if there is no array.
func opening(text []byte) int {
	const offset = 4 // digits
	first := true
	for start, end := range contents(text) {
		// If the first line starts with an offset, the text is a dump, not an array. A dump can have a { in its
		// text column.
		if i := digitsEnd(text, start, end); first && i-start >= offset && (i == end || bytes.IndexByte([]byte(" \t:|`"), text[i]) >= 0) {
			return -1
		}
		for i := start; i < end; i++ {
			if text[i] == '{' && (first && i == start || startsArray(text, i)) {
				return i
			}
		}
		first = false
	}
	return -1
}

// startsArray reports whether the brace at offset i starts an array, as in "a[] = {", in "[]byte{", or at the start
// of the text.
func startsArray(text []byte, i int) bool {
	const longest = 200 // bytes before the { that are searched
	before := text[max(i-longest, 0):i]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	if bytes.Contains(before[lineStart:], []byte("//")) {
		return false // the brace is in a comment
	}
	// Remove the comments before the brace.
	for {
		before = bytes.TrimRight(before, " \t\r\n")
		lineStart := bytes.LastIndexByte(before, '\n') + 1
		if comment := bytes.Index(before[lineStart:], []byte("//")); comment >= 0 {
			before = before[:lineStart+comment]
		} else if comment := bytes.LastIndex(before, []byte("/*")); comment >= 0 && bytes.HasSuffix(before, []byte("*/")) {
			before = before[:comment]
		} else {
			break
		}
	}
	if len(before) == 0 {
		return true // nothing but comments is before the brace
	}
	ends := func(characters string) bool {
		return len(before) > 0 && strings.IndexByte(characters, before[len(before)-1]) >= 0
	}
	if ends("=]>") {
		return true
	}
	// The brace may follow a type name, as in []byte{.
	word := bytes.TrimRightFunc(before, func(r rune) bool { return r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r) })
	if len(word) == len(before) {
		return false
	}
	before = bytes.TrimRight(word, " \t\r\n")
	return ends("]>")
}
