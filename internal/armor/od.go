package armor

import (
	"bytes"
	"errors"
	"strconv"
)

// odOutput returns an error if text looks like the output of od, or of hexdump without options. In such output,
// offsets look like bytes, and the byte order of words is unknown.
func odOutput(text []byte) error {
	var first odLine
	lines, odd, start := 0, 0, 0
	for at := 0; at < len(text); {
		raw := line(text[at:])
		l := newODLine(raw)
		switch {
		case l.blank:
			at += len(raw) + 1
			continue
		case lines == 0:
			first, start = l, at
		case lines == 1 && l.continues(first): // the offset in line 2 is the end of the bytes in line 1
			return first.error(text, start)
		}
		at += len(raw) + 1
		lines++
		if l.words > 0 && (len(l.offset)|l.width)&1 == 1 {
			odd++
		}
		if lines > 1 && odd == 0 {
			return nil // plain hex; do not scan the remaining lines
		}
	}
	if first.words == 0 || odd == 0 || 2*odd < lines {
		return nil
	}
	// In at least half of the lines, the offset or each word has an odd number of digits. Bytes in hex have an even
	// number of digits.
	return first.error(text, start)
}

// The error of odOutput wraps errOD.
var errOD = errors.New("looks like the output of")

// An odLine is a line that od or hexdump could have written: an offset, and words with an equal number of digits. For
// any other line with words, newODLine returns the zero odLine.
type odLine struct {
	offset string // "" if there is none
	words  int
	width  int  // digits in a word
	blank  bool // the line has no word
}

func newODLine(raw []byte) odLine {
	l := odLine{blank: true}
	raw, _, _ = bytes.Cut(raw, []byte("  >")) // text of od -z
	least, wide := 6, hasWideGap(raw)         // an offset has six digits in od -Ax, and seven in od
	if wide {
		least = 4 // an offset has at least four digits in certutil
	}
	for word := range bytes.FieldsSeq(raw) {
		switch {
		case digitsEnd(word, 0, len(word)) < len(word):
			return odLine{}
		case l.blank && len(word) >= least && len(word) <= 16:
			l.offset = string(word)
		case l.blank || l.words > 0 && len(word) != l.width:
			return odLine{}
		default:
			l.words, l.width = l.words+1, len(word)
		}
		l.blank = false
	}
	if l.words > 0 && l.width == len(l.offset) && !wide {
		return odLine{} // words of plain hex, all of one width
	}
	return l
}

// hasWideGap reports whether two or more spaces, or a tab, follow the first word of a line.
func hasWideGap(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	end := bytes.IndexAny(line, " \t")
	return end >= 0 && (line[end] == '\t' || bytes.HasPrefix(line[end:], []byte("  ")))
}

// continues reports whether l continues the line `before`: the offset of l is the end of the bytes in that line.
func (l odLine) continues(before odLine) bool {
	if before.words == 0 || len(l.offset) != len(before.offset) {
		return false
	}
	for _, base := range []int{8, 10, 16} {
		from, err := strconv.ParseUint(before.offset, base, 64)
		to, err2 := strconv.ParseUint(l.offset, base, 64)
		if err == nil && err2 == nil && to > from && to-from == uint64(before.words*before.bytes()) {
			return true
		}
	}
	return false
}

// bytes returns the number of bytes in a word: 1 for two hex or three octal digits, 2 for
// six octal digits.
func (l odLine) bytes() int {
	switch l.width {
	case 3:
		return 1
	case 6:
		return 2
	}
	return max(l.width/2, 1)
}

func (l odLine) error(text []byte, at int) error {
	from := "od or hexdump with words of several bytes, whose byte order is unknown"
	switch l.width {
	case 2:
		from = "od -tx1, whose offsets look like bytes"
	case 3:
		from = "od -b, in octal"
	}
	return place(text, at, "%w %s: use od -An -tx1 -v, hexdump -Cv or xxd", errOD, from)
}
