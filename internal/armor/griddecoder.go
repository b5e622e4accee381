package armor

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"
)

// A gridDecoder reads the lines of a [gridForm].
type gridDecoder struct {
	gridForm
	rowDecoder // of the current block
	blocks     blockList
	label      string // of the current block
	at         int    // the position of the first line of the current block
	short      bool   // the last line of the current block has fewer words than the grid
}

// A fault is an error at an offset. Unlike a [PlaceError], a fault has no line and column, because counting them takes
// time.
type fault struct {
	at  int
	err error // nil if the fault is an unexpected character at this offset
}

// line reads the line text[start:end].
func (d *gridDecoder) line(start, end int) error {
	var worst *fault
	for i, g := range d.grids {
		had := len(d.out)
		offset, words, f := d.words(g, start, end)
		if f != nil {
			d.out = d.out[:had]
			if worst == nil || f.at > worst.at {
				worst = f
			}
			continue
		}
		d.grids = d.grids[i : i+1]
		return d.add(g, start, offset, words, had)
	}
	if d.describeLine != nil {
		name, startsBlock, noBytes := d.describeLine(string(d.text[start:end]))
		if startsBlock {
			if err := d.end(); err != nil {
				return err
			}
			d.label = cmp.Or(name, d.label)
		}
		if noBytes {
			return nil
		}
	}
	if worst.err == nil {
		return place(d.text, worst.at, "%s is out of place in a line of %s (example: %q)", quoteFirst(d.text[worst.at:end]), d.name, d.example)
	}
	return place(d.text, worst.at, "%w", worst.err)
}

// add adds a line to the current block, or returns an error if the line cannot follow the lines before it. out[had:]
// are the bytes of the line.
func (d *gridDecoder) add(g grid, start int, offset []byte, words, had int) error {
	switch {
	case d.short:
		return place(d.text, start, "the line before has fewer bytes; only the last line of %s may have fewer", d.name)
	case had == 0:
		d.at = start
	}
	d.short = words < g.words
	if len(offset) == 0 {
		return nil
	}
	return d.row(start, bytes.ReplaceAll(offset, []byte("`"), nil), had)
}

// end ends the current block.
func (d *gridDecoder) end() error {
	if len(d.out) == 0 {
		return nil
	}
	err := d.blocks.add(d.at, d.label, d.out)
	d.rowDecoder, d.label, d.short = rowDecoder{hexDecoder: hexDecoder{text: d.text}}, "", false
	return err
}

// words appends the bytes of the line text[start:end]. It returns the digits of the offset and
// the number of words.
func (d *gridDecoder) words(g grid, start, end int) (offset []byte, n int, f *fault) {
	from := start
	if g.digits[0] > 0 {
		i := g.offsetEnd(d.text, start, end)
		from = g.gapEnd(d.text, start, i, end)
		if from < 0 {
			return nil, 0, &fault{at: i}
		}
		offset = d.text[start:i]
	}
	i := from
	for ; n < g.words; n++ {
		next := i + len(g.separator(n))
		if !bytes.HasPrefix(d.text[i:end], []byte(g.separator(n))) || next == end || d.text[next] == ' ' {
			break
		}
		wordEnd := next + 2*g.bytes
		if isUnreadable(d.text[next:min(wordEnd, end)]) {
			return nil, 0, &fault{next, errUnreadable}
		}
		if i = digitsEnd(d.text, next, min(wordEnd, end)); i < wordEnd {
			return nil, 0, &fault{at: i}
		}
		had := len(d.out)
		d.pairs(next, wordEnd)
		slices.Reverse(d.out[had:])
	}
	if n == 0 {
		return nil, 0, &fault{at: from}
	}
	return offset, n, d.rest(g, from+g.width(), i, end)
}

// rest checks that only spaces and a text column follow the words of a line. The text column may be missing. i is the
// end of the words. wordsEnd is where the words of a full line would end.
func (d *gridDecoder) rest(g grid, wordsEnd, i, end int) *fault {
	textAt := min(wordsEnd+g.text, end)
	for ; i < textAt; i++ {
		if d.text[i] != ' ' {
			return &fault{at: i}
		}
	}
	if utf8.RuneCount(d.text[textAt:end]) > g.words*g.bytes {
		return &fault{at: textAt}
	}
	return nil
}

// offsetEnd returns the end of the offset, or start if the line has none.
func (g grid) offsetEnd(text []byte, start, end int) int {
	i := digitsEnd(text, start, end)
	if n := i - start; n < g.digits[0] || n > g.digits[1] {
		return start
	}
	if g.address && i < end && text[i] == '`' {
		if more := digitsEnd(text, i+1, end); more-i-1 == 8 {
			return more
		}
	}
	return i
}

// gapEnd returns the position of the first word in a line with an offset. The digits of the offset are text[start:i],
// and the line ends at end. gapEnd returns -1 if there are no digits, or if the gap does not follow the digits.
func (g grid) gapEnd(text []byte, start, i, end int) int {
	const tab = 8 // columns
	rest := text[i:end]
	switch spaces := start + tab - i; {
	case i == start:
		return -1
	case bytes.HasPrefix(rest, []byte(g.gap)):
		return i + len(g.gap)
	case g.gap == "\t" && spaces > 1 && bytes.HasPrefix(rest, bytes.Repeat([]byte(" "), spaces)):
		return i + spaces
	}
	return -1
}

// separator returns the text before word n.
func (g grid) separator(n int) string {
	switch n {
	case 0:
		return ""
	case g.words / 2:
		return g.middle
	}
	return " "
}

// width returns the number of characters of all words in a line, including the separators between the words.
func (g grid) width() int { return g.words*(2*g.bytes+1) - 1 + len(g.middle) - 1 }

func isUnreadable(word []byte) bool { return len(word) > 0 && len(bytes.Trim(word, "?")) == 0 }
