package armor

import (
	"bytes"
	"strconv"
)

// A columnForm is a form whose lines start with an offset.
type columnForm struct {
	name    string
	columns func(text []byte, start, end int) columns
}

// columns are the positions of the columns of a line.
type columns struct {
	offset   []byte // the digits of the offset; nil if the line has no offset
	from, to int    // the positions in the text of the first byte and after the last byte
	narrow   bool   // two spaces end the bytes
}

// dumpColumns reads a line such as "0000 | 20 00 | anything", which the dump command writes.
func dumpColumns(text []byte, start, end int) columns {
	i := digitsEnd(text, start, end)
	bar := bytes.IndexByte(text[i:end], '|')
	if i == start || bar < 0 || len(bytes.TrimSpace(text[i:i+bar])) > 0 {
		return columns{}
	}
	from, to := i+bar+1, end
	if bar := bytes.IndexByte(text[from:end], '|'); bar >= 0 {
		to = from + bar
	}
	return columns{text[start:i], from, to, false}
}

// xxdColumns reads a line such as "0000: 2000  anything".
func xxdColumns(text []byte, start, end int) columns {
	i := digitsEnd(text, start, end)
	if i == start || i == end || text[i] != ':' {
		return columns{}
	}
	return columns{text[start:i], i + 1, end, true}
}

// hexdumpColumns reads a line such as "0000  20 00  |anything|".
func hexdumpColumns(text []byte, start, end int) columns {
	i := digitsEnd(text, start, end)
	bar := bytes.IndexByte(text[i:end], '|')
	if i == start || bar < 0 || len(bytes.TrimSpace(text[i:i+bar])) == 0 {
		return columns{}
	}
	return columns{text[start:i], i, i + bar, false}
}

func (f columnForm) decode(text []byte) ([]Block, error) {
	d := rowDecoder{hexDecoder: hexDecoder{text: text}}
	for start, end := range contents(text) {
		c := f.columns(text, start, end)
		if c.offset == nil {
			if err := d.bare(f.name, start, end); err != nil {
				return nil, err
			}
			continue
		}
		had := len(d.out)
		if err := d.bytes(c.from, c.to, c.narrow); err != nil {
			return nil, err
		}
		if err := d.row(start, c.offset, had); err != nil {
			return nil, err
		}
	}
	return d.block()
}

// bare checks a line without bytes.
func (d *rowDecoder) bare(name string, start, end int) error {
	word := bytes.TrimSpace(d.text[start:end])
	if d.started && bytes.Equal(word, []byte("*")) {
		return place(d.text, start, "%w: use hexdump -v, or xxd without -a", errOmitted)
	}
	if n, err := strconv.ParseUint(string(word), 16, 64); err == nil && d.started && n == d.base+uint64(len(d.out)) {
		return nil // hexdump ends its output with the offset of the end
	}
	return notALine(d.text, start, name)
}

// notALine returns the error for a line that is not in the form with the given name, such as "xxd". The parameter at
// is the offset of the line.
func notALine(text []byte, at int, name string) error {
	in, _ := InputNamed(name)
	return place(text, at, "%s is not a line of %s (example: %q)", excerpt(line(text[at:])), name, in.Example)
}

// A rowDecoder joins the bytes of lines that start with an offset.
type rowDecoder struct {
	hexDecoder
	base    uint64 // the first offset, which may be any number
	started bool   // a line was read
}

// row checks the offset of a line, whose bytes are out[had:]. A line may repeat bytes of earlier lines at the same
// offsets. row then checks that the bytes are equal, and removes the second copy from out.
func (d *rowDecoder) row(start int, offset []byte, had int) error {
	n, err := strconv.ParseUint(string(offset), 16, 64)
	if err != nil {
		return place(d.text, start, "offset %s is too large", offset)
	}
	if !d.started {
		d.base, d.started = n, true
	}
	if n-d.base > uint64(had) { // if n is less than d.base, n-d.base wraps to a large number
		return place(d.text, start, "offset is 0x%x, must be 0x%x, the end of the bytes before", n, d.base+uint64(had))
	}
	from := int(n - d.base)
	line := d.out[had:]
	repeated := min(had-from, len(line))
	if !bytes.Equal(d.out[from:from+repeated], line[:repeated]) {
		return place(d.text, start, "the bytes differ from those of an earlier line at the same offset")
	}
	d.out = append(d.out[:had], line[repeated:]...)
	return nil
}
