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
// What the line of a record tells and stands behind its fields is waited for: the name
// of an instance or an identifier, a value, all ids of a list.
type perflibTree struct {
	treeShower
	ids []uint32 // of the counters of this answer, for its values, in a line of their own

	before, without string // the name or value that is waited for, or in place of it
	behind          []byte // that
}

func newPerflibTree(w *bufio.Writer, kind layout.Kind, b []byte, o Options) shower {
	t := &perflibTree{treeShower: treeShower{w: w, b: b, ink: newPaints(o.Color), none: kind.String()}}
	switch kind {
	case layout.QueryDataKind, layout.RegSetKind, layout.StringsKind, layout.TemplateKind, layout.InstanceBlockKind:
		t.top = 1 // under the header, whose line comes first
	}
	return t
}

func (t *perflibTree) end() {
	t.release(nil)
	t.treeShower.end()
}

func (t *perflibTree) part(s *said) {
	t.show(s)
	t.find(s)
}

func (t *perflibTree) show(s *said) {
	t.none = ""
	steps := s.Path.Elems()
	switch s.Sort {
	case layout.FieldPart:
		t.field(s, steps)
	case layout.NamePart:
		t.name(s, steps)
	case layout.ValuePart:
		t.value(s, steps)
	case layout.PaddingPart:
		t.release(nil)
		t.depth = t.above(steps)
		t.padding(s, t.depth+1)
	case layout.UnreadPart:
		t.release(nil)
		t.depth = t.above(steps)
		if !s.nothing() {
			t.fault(t.depth+1, fmt.Sprintf("%d bytes at 0x%04x unread: %s", s.Len(), s.Off(), s.reason()))
		}
	}
}

// above returns how deep the line is of what all steps but the last lead to.
func (t *perflibTree) above(steps []layout.Elem) int { return max(t.top+len(steps)-2, -1) }

// field shows a GUID of a list, and the record of which this is the first field.
func (t *perflibTree) field(s *said, steps []layout.Elem) {
	last := steps[len(steps)-1]
	switch {
	case last.Name == "guid":
		t.depth = t.top
		t.finish(append(t.start(t.depth, "guid", last.Index), s.value...))
	case last.Name == "id":
		t.id(le.Uint32(s.Bytes()))
	case s.Field.At == 0 && s.Record != &layout.SYSTEMTIME:
		t.release(nil)
		span := layout.NewSpan(t.b[s.Base:s.Base+int64(s.Record.Size)], s.Base)
		index := 0
		if len(steps) > 1 {
			index = steps[len(steps)-2].Index
		}
		t.depth = t.above(steps)
		t.record(s.Record, span, index)
	}
}

// id adds an id to those of the line that waits.
func (t *perflibTree) id(id uint32) {
	between := ", "
	if len(t.ids) == 0 {
		between = ": "
	}
	t.ids = append(t.ids, id)
	t.behind = strconv.AppendUint(append(t.behind, between...), uint64(id), 10)
}

// name shows the name that is waited for, or any other text.
func (t *perflibTree) name(s *said, steps []layout.Elem) {
	t.painted = t.ink.value.append(t.painted[:0], s.text)
	switch {
	case t.waiting:
		t.release(t.painted)
	case steps[0].Name == "entry": // whose line may be far above
		t.depth = t.top
		t.finish(append(t.start(t.depth, "text of entry", steps[0].Index), t.painted...))
	default:
		t.depth = t.top
		t.line(t.depth, steps[0].Name, string(t.painted))
	}
	if s.err != nil {
		t.fault(t.depth+1, s.err.Error())
	}
}

// value shows a value that is waited for, or one that has no record.
func (t *perflibTree) value(s *said, steps []layout.Elem) {
	t.painted = t.painted[:0]
	if len(s.value) > 0 {
		t.painted = t.ink.value.append(append(t.painted, "= "...), s.value)
	} else {
		t.painted = append(strconv.AppendInt(append(t.painted, "of "...), int64(s.Len()), 10), " bytes"...)
	}
	if t.waiting {
		t.release(t.painted)
		return
	}
	t.depth = t.top
	t.finish(append(t.start(t.depth, "slot", steps[0].Index), t.painted...))
}
