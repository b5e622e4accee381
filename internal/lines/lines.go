// Package lines splits a text into lines, and shows a line with a caret under a column.
//
//	list := lines.Of(contents)
//	shown := lines.Marked(list[finding.Line-1], finding.Column, terminal.Printable)
package lines

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Of returns the lines of a UTF-8 or UTF-16 text without line ends. Each byte that is not UTF-8 becomes U+FFFD.
func Of(text []byte) []string {
	list := strings.Split(decoded(text), "\n")
	for i := range list {
		list[i] = strings.TrimSuffix(list[i], "\r")
	}
	return list
}

func decoded(text []byte) string {
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}):
		text = text[2:]
	case bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		text, order = text[2:], binary.BigEndian
	case len(text) > 1 && text[0] < utf8.RuneSelf && text[1] == 0: // UTF-16LE without a byte order mark
	case utf8.Valid(text):
		return strings.TrimPrefix(string(text), "\uFEFF")
	default:
		return string([]rune(string(text)))
	}
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = order.Uint16(text[2*i:])
	}
	return string(utf16.Decode(units))
}

const (
	width  = 100 // characters that Marked shows
	before = 60  // characters before the column, if the line is longer
)

// Marked returns at most 100 characters of a line around a column, and a line with a caret under the column. Columns
// count characters from 1. Function printable makes text safe to show. If the line is empty, or ends long before the
// column, Marked returns "".
func Marked(line string, column int, printable func(string) string) string {
	column = max(column, 1) - 1
	skip := 0
	if column >= width {
		skip = column - before
	}
	for n := skip; n > 0 && line != ""; n-- { // without a copy, because a line can be very long
		_, size := utf8.DecodeRuneInString(line)
		line = line[size:]
	}
	if line == "" {
		return ""
	}
	line = line[:min(len(line), width*utf8.UTFMax)]
	characters := []rune(strings.ReplaceAll(line, "\t", " "))
	characters = characters[:min(len(characters), width)]
	at := min(column-skip, len(characters))
	left, right := printable(string(characters[:at])), printable(string(characters[at:]))
	return strings.TrimRight(left+right, " ") + "\n" + strings.Repeat(" ", utf8.RuneCountInString(left)) + "^"
}

// A Cursor converts offsets in a UTF-8 text to lines and columns. Both count from 1, and columns count characters.
type Cursor struct {
	Text []byte

	off, lines, column int // the last offset, with the line ends and the characters of the line before it
}

// Place returns the line and the column of an offset. A series of calls with rising offsets takes linear time.
func (c *Cursor) Place(off int) (line, column int) {
	if off < c.off {
		*c = Cursor{Text: c.Text}
	}
	part := c.Text[c.off:off]
	if n := bytes.Count(part, []byte("\n")); n > 0 {
		c.lines, c.column = c.lines+n, 0
		part = part[bytes.LastIndexByte(part, '\n')+1:]
	}
	c.off, c.column = off, c.column+utf8.RuneCount(part)
	return c.lines + 1, c.column + 1
}
