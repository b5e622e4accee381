package dump

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/perfblock/perfblock/layout"
)

// A perflibTree writes what a buffer of V2 says: answers with instances and values,
// identifiers, counters, texts. It has the lines of a [treeShower]; what it shows of a
// record is in [perflibTree.record].
//
// An instance and an identifier wait for their name, which stands behind them.
type perflibTree struct {
	treeShower
	ids []uint32 // of the counters of this answer, for its values

	before, without string // the name of what waits, or in place of it
	behind          []byte // the name
}

func newPerflibTree(w *bufio.Writer, kind layout.Kind, b []byte, o Options) shower {
	t := &perflibTree{treeShower: treeShower{w: w, b: b, ink: newPaints(o.Color)}}
	switch kind {
	case layout.QueryDataKind, layout.RegSetKind, layout.StringsKind, layout.TemplateKind, layout.InstanceBlockKind:
		t.top = 1 // under the header, whose line comes first
	}
	return t
}

func (t *perflibTree) end() { t.release(nil) }

func (t *perflibTree) part(s *said) {
	steps := s.Path.Elems()
	depth := max(t.top+len(steps)-1, 0)
	if s.Sort != layout.FieldPart && s.Sort != layout.NamePart {
		t.release(nil)
	}
	switch s.Sort {
	case layout.FieldPart:
		t.field(s, steps)
	case layout.NamePart:
		t.name(s, steps, depth)
	case layout.ValuePart:
		t.value(s, steps)
	case layout.PaddingPart:
		t.padding(s, depth)
	case layout.UnreadPart:
		if !s.nothing() {
			t.fault(depth, fmt.Sprintf("%d bytes at 0x%04x unread: %s", s.Len(), s.Off(), s.reason()))
		}
	}
	for _, f := range s.findings {
		t.release(nil)
		t.fault(depth, s.judged(f))
	}
}

// field shows a GUID of a list, and the record of which this is the first field.
func (t *perflibTree) field(s *said, steps []layout.Elem) {
	last := steps[len(steps)-1]
	switch {
	case last.Name == "guid":
		t.finish(append(t.start(0, "guid", last.Index), s.value...))
	case last.Name == "id":
		t.ids = append(t.ids, le.Uint32(s.Bytes()))
	case s.Field.At == 0 && s.Record != &layout.SYSTEMTIME:
		t.release(nil)
		span := layout.NewSpan(t.b[s.Base:s.Base+int64(s.Record.Size)], s.Base)
		index := 0
		if len(steps) > 1 {
			index = steps[len(steps)-2].Index
		}
		t.record(s.Record, span, index, max(t.top+len(steps)-2, 0))
	}
}

// name shows the name of what waits for one, or any other text.
func (t *perflibTree) name(s *said, steps []layout.Elem, depth int) {
	t.painted = t.ink.value.append(t.painted[:0], s.text)
	switch {
	case t.waiting:
		depth--
		t.release(t.painted)
	case len(steps) > 1: // of an entry, whose line may be far above
		t.finish(append(t.start(depth-1, "text of entry", steps[0].Index), t.painted...))
	default:
		t.line(t.top, steps[0].Name, string(t.painted))
	}
	if s.err != nil {
		t.fault(depth+1, s.err.Error())
	}
}

// wait keeps a line until the name comes.
func (t *perflibTree) wait(line []byte, before, without string) {
	t.text, t.waiting, t.before, t.without, t.behind = line, true, before, without, t.behind[:0]
}

// release shows the line that waits, if any, with the name if there is one.
func (t *perflibTree) release(name []byte) {
	if !t.waiting {
		return
	}
	b := t.text
	if len(name) > 0 {
		b = append(append(b, t.before...), name...)
	} else {
		b = append(b, t.without...)
	}
	t.waiting = false
	t.finish(append(b, t.behind...))
}

// value shows a value under the id of its counter where the answer has that.
func (t *perflibTree) value(s *said, steps []layout.Elem) {
	var b []byte
	if len(steps) > 1 { // data[k].value
		k := steps[len(steps)-2].Index
		b = t.start(t.top+len(steps)-2, "data", k)
		if k < len(t.ids) {
			b = append(strconv.AppendUint(append(b, "id "...), uint64(t.ids[k]), 10), ' ')
		}
	} else {
		b = t.start(t.top, "slot", steps[0].Index)
	}
	if len(s.value) > 0 {
		b = t.ink.value.append(append(b, "= "...), s.value)
	} else {
		b = append(strconv.AppendInt(b, int64(s.Len()), 10), " bytes"...)
	}
	t.finish(b)
}
