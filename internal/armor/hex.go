package armor

import (
	"bufio"
	"iter"
	"slices"
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

// decodeHex reads pairs of hex digits, such as "5000", "50 00", "50,00", "50-00" or "0x50 0x0".
func decodeHex(text []byte) ([]Block, error) {
	if err := odOutput(text); err != nil {
		return nil, err
	}
	d := hexDecoder{text: text}
	for start, end := range contents(text) {
		if err := d.bytes(start, end, false); err != nil {
			return nil, err
		}
	}
	return d.block()
}

// contents yields the start and the end of each line, without leading white space. It skips empty lines and
// comments.
func contents(text []byte) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for at := 0; at < len(text); {
			end := at + len(line(text[at:]))
			for at < end && isSpace(text[at]) {
				at++
			}
			if at < end && text[at] != '#' && !yield(at, end) {
				return
			}
			at = end + 1
		}
	}
}

// A hexDecoder decodes the hex digits in text and appends the bytes to out.
type hexDecoder struct {
	text []byte
	out  []byte
}

// block returns the bytes as the only block.
func (d *hexDecoder) block() ([]Block, error) {
	if len(d.out) == 0 {
		return nil, place(d.text, len(d.text), "%w, only spaces, comments and offsets", errNoBytes)
	}
	return []Block{{Bytes: d.out}}, nil
}

// bytes appends the bytes in text[at:end]. If column is true, it stops after a byte that is followed by two spaces,
// where the text column starts.
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
	i = digitsEnd(d.text, i, end)
	switch n := i - run; {
	case n == 0 && prefixed && (i == end || isSpace(d.text[i]) || d.text[i] == ',' || d.text[i] == '-'):
		return 0, place(d.text, start, "0x without a hex digit after it")
	case n == 0, i < end && !isSpace(d.text[i]) && d.text[i] != ',' && d.text[i] != '-':
		return 0, place(d.text, i, "%s is not a hex digit", quoteFirst(d.text[i:]))
	case prefixed && n > 2:
		return 0, place(d.text, start, "0x with %d digits, must have at most 2: the byte order of a longer number is unknown", n)
	case prefixed && n == 1:
		d.out = append(d.out, byte(nibble(d.text[run])))
	case n == 1:
		return 0, place(d.text, start, "1 hex digit, must be two for a byte")
	case n%2 != 0:
		return 0, place(d.text, start, "%d hex digits, must be two for each byte", n)
	default:
		d.pairs(run, i)
	}
	return i, nil
}

// pairs appends a byte for each pair of digits in text[at:end].
func (d *hexDecoder) pairs(at, end int) {
	for ; at < end; at += 2 {
		d.out = append(d.out, byte(nibble(d.text[at])<<4|nibble(d.text[at+1])))
	}
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

// digitsEnd returns the position after the hex digits that start at i.
func digitsEnd(text []byte, i, end int) int {
	for i < end && nibble(text[i]) >= 0 {
		i++
	}
	return i
}
