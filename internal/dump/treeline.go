package dump

import (
	"fmt"
	"strconv"

	"github.com/perfblock/perfblock/layout"
)

const indent = "  "

// line writes a label and what there is to say of it.
func (t *treeShower) line(depth int, label, text string) {
	for range depth {
		_, _ = t.w.WriteString(indent)
	}
	_, _ = t.w.WriteString(t.ink.path.on + label + t.ink.path.off + " " + text + "\n") // the writer keeps the error
}

// start returns a line with its label, for what is many times in a block: nothing is
// allocated for it. More may be appended until [treeShower.finish] writes it.
func (t *treeShower) start(depth int, label string, index int) []byte {
	b := append(t.begin(depth, label), '[')
	b = append(strconv.AppendInt(b, int64(index), 10), ']')
	return append(append(b, t.ink.path.off...), ' ')
}

// begin returns a line up to its label, whose colour is still on.
func (t *treeShower) begin(depth int, label string) []byte {
	b := t.text[:0]
	for range depth {
		b = append(b, indent...)
	}
	return append(append(b, t.ink.path.on...), label...)
}

func (t *treeShower) finish(b []byte) {
	t.text = append(b, '\n')
	_, _ = t.w.Write(t.text) // the writer keeps the error
}

func (t *treeShower) fault(depth int, text string) {
	for range depth {
		_, _ = t.w.WriteString(indent)
	}
	_, _ = t.w.WriteString(t.ink.fault.on + "! " + text + t.ink.fault.off + "\n")
}

func (t *treeShower) name(s *said) {
	t.painted = t.ink.value.append(t.painted[:0], s.text)
	if t.waiting {
		t.release(t.painted)
	} else {
		t.line(1, "SystemName", string(t.painted))
	}
	if s.err != nil {
		t.fault(t.depth+1, s.err.Error())
	}
}

func (t *treeShower) value(s *said, i int) {
	t.release(nil)
	b := t.start(t.depth+1, "value", i)
	if i < len(t.titles) {
		b = appendTitle(b, t.titles[i])
	} else {
		b = append(b, "title unknown"...)
	}
	switch {
	case len(s.text) > 0:
		b = t.ink.value.append(append(b, " = "...), s.text)
	case len(s.value) > 0:
		b = t.ink.value.append(append(b, " = "...), s.value)
	default:
		b = append(strconv.AppendInt(append(b, ": "...), int64(s.Len()), 10), " bytes"...)
	}
	t.finish(b)
	if s.err != nil {
		t.fault(t.depth+2, s.err.Error())
	}
}

// padding shows what no reader looks at, if it is not zero.
func (t *treeShower) padding(s *said, depth int) {
	for i, c := range s.Bytes() {
		if c != 0 {
			t.line(depth, "padding", fmt.Sprintf("at 0x%04x is 0x%02x", s.Off()+int64(i), c))
			return
		}
	}
}

// appendTitle names a counter by its title index; bases have none.
func appendTitle(b []byte, index uint32) []byte {
	if index == 0 {
		return append(b, "no title"...)
	}
	return strconv.AppendUint(append(b, "title "...), uint64(index), 10)
}

func detail(d layout.DetailLevel) string {
	if d.Valid() {
		return d.String()
	}
	return fmt.Sprintf("DetailLevel %d", uint32(d))
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func join(text, more string) string {
	if more == "" {
		return text
	}
	return text + ", " + more
}
