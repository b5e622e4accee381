package armor

import (
	"bytes"
	"strconv"
)

// opening returns where the { of an array stands, -1 if the text is none: if it has
// no { outside of comments, or starts with a line that has an offset.
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

// content returns where the line text[at:end] starts to say anything, if it does.
func (d *hexDecoder) content(at, end int) (int, bool) {
	for at < end && isSpace(d.text[at]) {
		at++
	}
	return at, at < end && d.text[at] != '#'
}

// columns returns the digits of the offset that opens the line and the stretch in
// which its bytes stand; found is false for a line without an offset.
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
	if to := bytes.IndexByte(d.text[bar+1:end], '|'); to >= 0 {
		return offset, bar + 1, bar + 1 + to, true
	}
	return offset, bar + 1, end, true
}

func (d *hexDecoder) line(at, end int) error {
	start, ok := d.content(at, end)
	if !ok {
		return nil
	}
	offset, from, to, found := d.columns(start, end)
	switch {
	case !found && d.form == withOffset:
		return d.lone(start, end)
	case !found:
		d.form = plain
		return d.bytes(start, end, false)
	case d.form == plain:
		return place(d.text, start, "a line with an offset among lines without")
	}
	n, err := strconv.ParseInt(string(offset), 16, 64)
	if err != nil {
		return place(d.text, start, "offset %s is too large", offset)
	}
	if d.form == unknown {
		d.form, d.base = withOffset, n
	}
	had := len(d.out)
	again := int64(had) - (n - d.base) // bytes that are there already
	if n < d.base || again < 0 {
		return place(d.text, start, "offset 0x%x, where 0x%x is next", n, d.base+int64(had))
	}
	if err := d.bytes(from, to, d.text[from-1] == ':'); err != nil {
		return err
	}
	return d.agree(start, had, int(again))
}

// agree takes the bytes from had on, of which the first ones repeat the last
// bytes before them.
func (d *hexDecoder) agree(at, had, again int) error {
	line := d.out[had:]
	n := min(again, len(line))
	if !bytes.Equal(d.out[had-again:had-again+n], line[:n]) {
		return place(d.text, at, "the line gives other bytes than one before it for the same offset")
	}
	d.out = append(d.out[:had], line[n:]...)
	return nil
}

// lone reads a line without bytes among lines with offsets: hexdump ends with
// the offset of the end, and puts a * for lines that it leaves out.
func (d *hexDecoder) lone(start, end int) error {
	word := bytes.TrimSpace(d.text[start:end])
	if bytes.Equal(word, []byte("*")) {
		return place(d.text, start, "* stands for lines left out: print them all (hexdump -v, xxd without -a)")
	}
	if n, err := strconv.ParseInt(string(word), 16, 64); err == nil && n == d.base+int64(len(d.out)) {
		return nil
	}
	return place(d.text, start, "a line without an offset among lines with one")
}
