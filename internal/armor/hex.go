package armor

import (
	"bytes"
	"errors"
	"strconv"
)

func quoteRune(r rune) string { return strconv.QuoteRune(r) }

// decodeHex reads bytes as pairs of hex digits, in one of three forms:
//
//   - plain: pairs one after the other or apart by white space, commas or dashes;
//     each byte may have 0x before it, and needs but one digit then;
//   - an array of C or Go: what stands between the first { and the } after it, as above;
//   - lines with an offset, if the first line has one: "0000 | 20 00 | anything", as a
//     dump has them, "0000: 2000  anything" as of xxd, "0000  20 00  |anything|" as of
//     hexdump -C. Offsets count from that of the first line. A line may give bytes
//     again that are there already, and must agree with them then.
//
// Lines that start with # are comments, and the colours of a dump are left out. An
// offset without a mark behind it, as od prints it, is refused: see [bareOffset].
func decodeHex(text []byte) ([]byte, error) {
	text = withoutColour(text)
	if err := bareOffset(text); err != nil {
		return nil, err
	}
	d := hexDecoder{text: text, out: make([]byte, 0, len(text)/2)}
	if open := d.opening(); open >= 0 {
		end := bytes.IndexByte(text[open:], '}')
		if end < 0 {
			return nil, place(text, open, "{ without } to close it")
		}
		err := d.array(open+1, open+end)
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

// form is how the lines of a text give their bytes.
type form uint8

const (
	unknown form = iota
	plain
	withOffset
)

// errNoBytes is wrapped by the error of text that is hex, of nothing.
var errNoBytes = errors.New("there are no bytes")

// array reads the elements of an array, of which there may be none.
func (d *hexDecoder) array(at, end int) error { return d.bytes(at, end, false) }

// bytes reads text[at:end] to the end, or in a column to the first two spaces
// behind a byte, and appends what it finds.
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

// word reads one run of digits at i and returns where it ends.
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
	case n == 0:
		return 0, place(d.text, i, "%s is no hex digit", character(d.text[i:]))
	case i < end && !isSpace(d.text[i]) && d.text[i] != ',' && d.text[i] != '-':
		return 0, place(d.text, i, "%s is no hex digit", character(d.text[i:]))
	case prefixed && n > 2:
		return 0, place(d.text, start, "0x with %d digits is more than a byte, and says nothing of the order of bytes", n)
	case prefixed && n == 1:
		d.out = append(d.out, byte(nibble(d.text[run])))
	case n%2 != 0:
		return 0, place(d.text, start, "%d hex digits: a byte has two", n)
	default:
		for j := run; j < i; j += 2 {
			d.out = append(d.out, byte(nibble(d.text[j])<<4|nibble(d.text[j+1])))
		}
	}
	return i, nil
}

func nibble(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
