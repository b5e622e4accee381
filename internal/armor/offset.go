package armor

import (
	"bytes"
	"errors"
	"strconv"
)

// bareOffset looks for lines of od and of hexdump without options, which start with
// an offset that nothing sets apart from the bytes behind it. The error says what
// to do; it is nil for other text.
//
// Text that could be read as hex is such only if the offset of the second line is that
// of the end of the first. Where it could not be, because numbers of digits are odd,
// it is enough that most lines look so.
func bareOffset(text []byte) error {
	var first odLine
	lines, odd, start := 0, 0, 0
	for at := withoutMark(text); at < len(text); {
		raw := line(text[at:])
		l := newODLine(raw)
		switch {
		case l.blank:
			at += len(raw) + 1
			continue
		case lines == 0:
			first, start = l, at
		case lines == 1 && l.continues(first):
			return first.error(text, start)
		}
		at += len(raw) + 1
		lines++
		if l.words > 0 && (len(l.offset)|l.width)&1 == 1 {
			odd++
		}
		if lines > 1 && odd == 0 {
			return nil // so that long text of another form is not looked at for nothing
		}
	}
	if first.words == 0 || odd == 0 || 2*odd < lines {
		return nil
	}
	return first.error(text, start)
}

// errOffset is what the error of bareOffset wraps.
var errOffset = errors.New("it looks like the output of")

// An odLine is a line taken for one of od or hexdump: an offset and words, as many
// digits each.
type odLine struct {
	offset string // "" for none
	words  int
	width  int // digits of a word
	blank  bool
}

func newODLine(raw []byte) odLine {
	var l odLine
	raw, _, _ = bytes.Cut(raw, []byte("  >")) // od -z shows text there
	l.blank = true
	for word := range bytes.FieldsSeq(raw) {
		switch {
		case !isHex(word):
			return odLine{}
		case l.blank && len(word) >= 6 && len(word) <= 16: // six of od -Ax, seven of most
			l.offset = string(word)
		case l.blank || l.words > 0 && len(word) != l.width:
			return odLine{}
		default:
			l.words, l.width = l.words+1, len(word)
		}
		l.blank = false
	}
	if l.width == len(l.offset) {
		return odLine{} // plain hex in groups
	}
	return l
}

// continues reports whether the offset of l is that of the end of the line before.
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

// bytes returns how many bytes a word stands for: two digits of hex are one, three
// of octal too, and six of octal are two.
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
	from := "od or hexdump, in words of which nothing says which byte comes first"
	switch l.width {
	case 2:
		from = "od -tx1, whose offsets cannot be told from bytes"
	case 3:
		from = "od -b, in octal"
	}
	return place(text, at, "%w %s: take od -An -tx1 -v, hexdump -Cv or xxd", errOffset, from)
}

func isHex(word []byte) bool {
	for _, c := range word {
		if nibble(c) < 0 {
			return false
		}
	}
	return true
}
