package armor

import (
	"bufio"
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const (
	hexLine = 16 // bytes
	digits  = "0123456789abcdef"
)

func writeHex(w *bufio.Writer, _ string, b []byte) {
	var line []byte
	for part := range slices.Chunk(b, hexLine) {
		line = line[:0]
		for _, c := range part {
			line = append(line, digits[c>>4], digits[c&15], ' ')
		}
		line[len(line)-1] = '\n'
		_, _ = w.Write(line)
	}
}

// decodeHex reads bytes as pairs of hex digits, in one of three forms:
//
//   - Plain: pairs with or without white space, commas or dashes between them. After 0x, a
//     byte may have one digit.
//   - An array of C or Go: plain bytes between { and }.
//   - Lines with an offset, if the first line has one: "0000 | 20 00 | anything" of a dump,
//     "0000: 2000  anything" of xxd, "0000  20 00  |anything|" of hexdump -C. The first
//     offset may be any number, and the others must follow without gaps. A line may repeat
//     bytes of the line before it.
//
// Lines that start with # are comments. Terminal colours are ignored. An offset without : or |
// after it, as od prints it, is an error of [odOutput].
func decodeHex(text []byte) ([]byte, error) {
	text = withoutColour(text)
	if err := odOutput(text); err != nil {
		return nil, err
	}
	d := hexDecoder{text: text, out: make([]byte, 0, len(text)/2)}
	if open := d.opening(); open >= 0 {
		end := bytes.IndexByte(text[open:], '}')
		if end < 0 {
			return nil, place(text, open, "{ without a } after it")
		}
		err := d.bytes(open+1, open+end, false)
		if err == nil && len(d.out) == 0 {
			err = place(text, open, "%w between { and }", errNoBytes)
		}
		return d.out, err
	}
	for at := markLen(text); at < len(text); {
		end := at + len(line(text[at:]))
		if err := d.line(at, end); err != nil {
			return nil, err
		}
		at = end + 1
	}
	if len(d.out) == 0 {
		return nil, place(text, len(text), "%w, only spaces, comments and offsets", errNoBytes)
	}
	return d.out, nil
}

type hexDecoder struct {
	text []byte
	out  []byte
	form form  // of the lines before the current one
	base int64 // the offset of the first line
}

// form is the form that all lines of a text must have.
type form uint8

const (
	unknown form = iota
	plain
	withOffset
)

// errNoBytes is wrapped by the error of hex text without bytes.
var errNoBytes = errors.New("there are no bytes")

// opening returns the position of the first { that starts an array, or -1 if the text is not an
// array. A text whose first line has an offset is not an array.
func (d *hexDecoder) opening() int {
	first := true
	for at := markLen(d.text); at < len(d.text); {
		end := at + len(line(d.text[at:]))
		if start, ok := d.content(at, end); ok {
			if _, _, _, found := d.columns(start, end); found && first {
				return -1
			}
			for i := start; i < end; i++ {
				if d.text[i] == '{' && (first && i == start || d.startsArray(i)) {
					return i
				}
			}
			first = false
		}
		at = end + 1
	}
	return -1
}

// startsArray reports whether the { at i starts an array. It starts one after =, ] or >, as in
// "a[] = {", and after ] or > with a name, as in "[]byte{". Comments before the { do not count. A
// { in a comment or in other text starts no array.
func (d *hexDecoder) startsArray(i int) bool {
	const longest = 200 // of the text before { that is searched
	before := d.text[max(i-longest, 0):i]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	if bytes.Contains(before[lineStart:], []byte("//")) {
		return false
	}
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
		return true // only comments
	}
	ends := func(characters string) bool {
		return len(before) > 0 && strings.IndexByte(characters, before[len(before)-1]) >= 0
	}
	if ends("=]>") {
		return true
	}
	word := bytes.TrimRightFunc(before, func(r rune) bool { return r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r) })
	if len(word) == len(before) {
		return false
	}
	before = bytes.TrimRight(word, " \t\r\n")
	return ends("]>")
}

// content returns the position after the white space at the start of the line text[at:end].
// ok is false for an empty line and a comment.
func (d *hexDecoder) content(at, end int) (start int, ok bool) {
	for at < end && isSpace(d.text[at]) {
		at++
	}
	return at, at < end && d.text[at] != '#'
}

// columns finds the columns of a line that starts with an offset. It returns the digits of the
// offset, and the range text[from:to] that has the bytes. found is false for a line without an
// offset.
func (d *hexDecoder) columns(at, end int) (offset []byte, from, to int, found bool) {
	i := at
	for i < end && nibble(d.text[i]) >= 0 {
		i++
	}
	offset = d.text[at:i]
	bar := bytes.IndexByte(d.text[i:end], '|')
	switch {
	case len(offset) == 0:
		return nil, 0, 0, false
	case i < end && d.text[i] == ':': // xxd
		return offset, i + 1, end, true
	case bar < 0:
		return nil, 0, 0, false
	}
	bar += i
	if len(bytes.TrimSpace(d.text[i:bar])) > 0 { // hexdump -C
		return offset, i, bar, true
	}
	if to := bytes.IndexByte(d.text[bar+1:end], '|'); to >= 0 { // dump
		return offset, bar + 1, bar + 1 + to, true
	}
	return offset, bar + 1, end, true
}

// line reads the line text[at:end].
func (d *hexDecoder) line(at, end int) error {
	start, ok := d.content(at, end)
	if !ok {
		return nil
	}
	offset, from, to, found := d.columns(start, end)
	switch {
	case !found && d.form == withOffset:
		return d.bare(start, end)
	case !found:
		d.form = plain
		return d.bytes(start, end, false)
	case d.form == plain:
		return place(d.text, start, "the line has an offset, but the lines before it have none")
	}
	n, err := strconv.ParseInt(string(offset), 16, 64)
	if err != nil {
		return place(d.text, start, "offset %s is too large", offset)
	}
	if d.form == unknown {
		d.form, d.base = withOffset, n
	}
	had := len(d.out)
	again := int64(had) - (n - d.base) // number of bytes that the line repeats
	if n < d.base || again < 0 {
		return place(d.text, start, "offset is 0x%x, must be 0x%x, the end of the bytes before", n, d.base+int64(had))
	}
	if err := d.bytes(from, to, d.text[from-1] == ':'); err != nil {
		return err
	}
	return d.merge(start, had, int(again))
}

// merge appends the bytes of a line, out[had:], to the bytes of the lines before it, out[:had].
// The offset of the line is `again` bytes before the end of out[:had], so the line must repeat
// the bytes of out[:had] from there on.
func (d *hexDecoder) merge(at, had, again int) error {
	line := d.out[had:]
	n := min(again, len(line))
	if !bytes.Equal(d.out[had-again:had-again+n], line[:n]) {
		return place(d.text, at, "the bytes differ from those of an earlier line at the same offset")
	}
	d.out = append(d.out[:had], line[n:]...)
	return nil
}

// bare reads a line that has no bytes, after lines with offsets. The line may be the offset of
// the end, which hexdump writes as the last line. A * is an error: hexdump writes it in place of
// lines that repeat.
func (d *hexDecoder) bare(start, end int) error {
	word := bytes.TrimSpace(d.text[start:end])
	if bytes.Equal(word, []byte("*")) {
		return place(d.text, start, "* means omitted lines, which are needed: use hexdump -v, or xxd without -a")
	}
	if n, err := strconv.ParseInt(string(word), 16, 64); err == nil && n == d.base+int64(len(d.out)) {
		return nil
	}
	return place(d.text, start, "the line has no offset, but the lines before it have one")
}

// bytes appends the bytes in text[at:end]. If column is true, two spaces after a byte end the
// bytes.
func (d *hexDecoder) bytes(at, end int, column bool) error {
	for i := at; i < end; {
		c := d.text[i]
		if isSpace(c) || c == ',' || c == '-' {
			if column && i > at && i+1 < end && isSpace(c) && isSpace(d.text[i+1]) && !isSpace(d.text[i-1]) {
				return nil
			}
			i++
			continue
		}
		next, err := d.word(i, end)
		if err != nil {
			return err
		}
		i = next
	}
	return nil
}

// word appends the bytes of the hex digits that start at i. It returns the position after the
// digits.
func (d *hexDecoder) word(i, end int) (int, error) {
	start := i
	prefixed := i+1 < end && d.text[i] == '0' && d.text[i+1]|0x20 == 'x'
	if prefixed {
		i += 2
	}
	run := i
	for i < end && nibble(d.text[i]) >= 0 {
		i++
	}
	switch n := i - run; {
	case n == 0 && prefixed && (i == end || isSpace(d.text[i]) || d.text[i] == ',' || d.text[i] == '-'):
		return 0, place(d.text, start, "0x without a hex digit after it")
	case n == 0, i < end && !isSpace(d.text[i]) && d.text[i] != ',' && d.text[i] != '-':
		return 0, place(d.text, i, "%s is not a hex digit", character(d.text[i:]))
	case prefixed && n > 2:
		return 0, place(d.text, start, "0x with %d digits, must be one byte: the byte order of a number is unknown", n)
	case prefixed && n == 1:
		d.out = append(d.out, byte(nibble(d.text[run])))
	case n == 1:
		return 0, place(d.text, start, "1 hex digit, must be two for a byte")
	case n%2 != 0:
		return 0, place(d.text, start, "%d hex digits, must be two for each byte", n)
	default:
		for j := run; j < i; j += 2 {
			d.out = append(d.out, byte(nibble(d.text[j])<<4|nibble(d.text[j+1])))
		}
	}
	return i, nil
}

// nibble returns the value of a hex digit, or -1.
func nibble(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
