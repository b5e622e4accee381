package armor

import (
	"bufio"
	"bytes"
	"errors"
	"slices"
	"strconv"
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
//   - plain: pairs with or without white space, commas or dashes between them; a byte may
//     start with 0x and have one digit then;
//   - an array of C or Go: the bytes between the first { and the next }, as above;
//   - lines with an offset, if the first line has one: "0000 | 20 00 | anything" of a dump,
//     "0000: 2000  anything" of xxd, "0000  20 00  |anything|" of hexdump -C. The offsets
//     must be contiguous, from any start. A line may repeat bytes of the line before it.
//
// Lines that start with # are comments. Colours are ignored. An offset without : or | after
// it, as od prints it, is an error: see [odOutput].
func decodeHex(text []byte) ([]byte, error) {
	text = withoutColour(text)
	if err := odOutput(text); err != nil {
		return nil, err
	}
	d := hexDecoder{text: text, out: make([]byte, 0, len(text)/2)}
	if open := d.opening(); open >= 0 {
		end := bytes.IndexByte(text[open:], '}')
		if end < 0 {
			return nil, place(text, open, "{ without }")
		}
		err := d.bytes(open+1, open+end, false)
		if err == nil && len(d.out) == 0 {
			err = place(text, open, "%w between { and }", errNoBytes)
		}
		return d.out, err
	}
	for at := withoutMark(text); at < len(text); {
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
	form form  // of every line
	base int64 // the offset of the first line
}

// form is the form of the lines of a text.
type form uint8

const (
	unknown form = iota
	plain
	withOffset
)

// errNoBytes is wrapped by the error of hex text without bytes.
var errNoBytes = errors.New("there are no bytes")

// opening returns the offset of the { of an array, or -1 if the text is not an array: it
// has no { outside of comments, or its first line has an offset.
func (d *hexDecoder) opening() int {
	first := true
	for at := withoutMark(d.text); at < len(d.text); {
		end := at + len(line(d.text[at:]))
		if start, ok := d.content(at, end); ok {
			if _, _, _, found := d.columns(start, end); found && first {
				return -1
			}
			if i := bytes.IndexByte(d.text[start:end], '{'); i >= 0 {
				return start + i
			}
			first = false
		}
		at = end + 1
	}
	return -1
}

// content returns where the content of the line text[at:end] starts, and false for an empty
// line and a comment.
func (d *hexDecoder) content(at, end int) (int, bool) {
	for at < end && isSpace(d.text[at]) {
		at++
	}
	return at, at < end && d.text[at] != '#'
}

// columns returns the digits of the offset at the start of a line and the range of its
// bytes. found is false for a line without an offset.
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
		return place(d.text, start, "a line with an offset after lines without")
	}
	n, err := strconv.ParseInt(string(offset), 16, 64)
	if err != nil {
		return place(d.text, start, "offset %s is too large", offset)
	}
	if d.form == unknown {
		d.form, d.base = withOffset, n
	}
	had := len(d.out)
	again := int64(had) - (n - d.base) // bytes that the line repeats
	if n < d.base || again < 0 {
		return place(d.text, start, "offset is 0x%x, must be 0x%x, the end of the bytes before", n, d.base+int64(had))
	}
	if err := d.bytes(from, to, d.text[from-1] == ':'); err != nil {
		return err
	}
	return d.merge(start, had, int(again))
}

// merge joins the bytes from had on, of which the first ones repeat the last bytes before
// had, to the bytes before.
func (d *hexDecoder) merge(at, had, again int) error {
	line := d.out[had:]
	n := min(again, len(line))
	if !bytes.Equal(d.out[had-again:had-again+n], line[:n]) {
		return place(d.text, at, "the line has other bytes than a line before it for the same offset")
	}
	d.out = append(d.out[:had], line[n:]...)
	return nil
}

// bare reads a line without : and | among lines with offsets: hexdump ends with the offset
// of the end, and writes * for repeated lines.
func (d *hexDecoder) bare(start, end int) error {
	word := bytes.TrimSpace(d.text[start:end])
	if bytes.Equal(word, []byte("*")) {
		return place(d.text, start, "* means omitted lines, which are needed: use hexdump -v, or xxd without -a")
	}
	if n, err := strconv.ParseInt(string(word), 16, 64); err == nil && n == d.base+int64(len(d.out)) {
		return nil
	}
	return place(d.text, start, "a line without an offset after lines with one")
}

// bytes appends the bytes in text[at:end]. A column ends before two spaces after a byte.
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

// word appends the bytes of the digits at i and returns the end of the digits.
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
	case n == 0, i < end && !isSpace(d.text[i]) && d.text[i] != ',' && d.text[i] != '-':
		return 0, place(d.text, i, "%s is not a hex digit", character(d.text[i:]))
	case prefixed && n > 2:
		return 0, place(d.text, start, "0x with %d digits, must be one byte: the byte order of a number is unknown", n)
	case prefixed && n == 1:
		d.out = append(d.out, byte(nibble(d.text[run])))
	case n%2 != 0:
		return 0, place(d.text, start, "%d hex digits, must be two for a byte", n)
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
