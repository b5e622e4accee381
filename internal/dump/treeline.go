package dump

import (
	"fmt"

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

func (t *treeShower) fault(depth int, text string) {
	for range depth {
		_, _ = t.w.WriteString(indent)
	}
	_, _ = t.w.WriteString(t.ink.fault.on + "! " + text + t.ink.fault.off + "\n")
}

func (t *treeShower) name(s *said) {
	name := string(t.ink.value.append(nil, s.text))
	if t.waiting != "" {
		t.release(name)
	} else {
		t.line(1, "SystemName", name)
	}
	if s.err != nil {
		t.fault(t.depth+1, s.err.Error())
	}
}

func (t *treeShower) value(s *said, i int) {
	t.release("")
	text := "title unknown"
	if i < len(t.titles) {
		text = title(t.titles[i])
	}
	switch {
	case len(s.text) > 0:
		text += " = " + string(t.ink.value.append(nil, s.text))
	case len(s.value) > 0:
		text += " = " + string(t.ink.value.append(nil, s.value))
	default:
		text += fmt.Sprintf(": %d bytes", s.Len())
	}
	t.line(t.depth+1, fmt.Sprintf("value[%d]", i), text)
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

// title names a counter by its title index; bases have none.
func title(index uint32) string {
	if index == 0 {
		return "no title"
	}
	return fmt.Sprintf("title %d", index)
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
