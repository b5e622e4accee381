package dump

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A tree writes the contents of a block for reading: objects or results with their
// instances and values, without offsets and lengths. Lines with errors start with a !.
// Padding is shown if it is not zero.
//
// [tree.record] writes the line of a record at its first field. A line that ends with a
// later part, such as the name of an instance, waits for it.
type tree struct {
	w     *bufio.Writer // keeps the first error
	b     []byte
	ink   terminal.Palette
	v1    bool
	none  string // the kind until there is a part
	top   int    // the depth of objects, results and other elements
	depth int    // the depth of the last line of a record

	counters []uint32 // titles or ids of the counters of the current object or result

	line            []byte // the current line; it waits if waiting is true
	waiting         bool
	before, without string   // the text before the part that the line waits for, or in place of it
	after           []byte   // the text after that part
	held            []string // findings to write after the line
	painted         []byte
}

const indent = "  "

func newTree(w *bufio.Writer, kind layout.Kind, b []byte, o Options) printer {
	t := &tree{w: w, b: b, ink: terminal.NewPalette(o.Color), v1: kind.V1(), none: kind.String()}
	switch kind {
	case layout.DataBlockKind, layout.QueryDataKind, layout.RegSetKind, layout.StringsKind, layout.TemplateKind, layout.InstanceBlockKind:
		t.top = 1 // below the line of the header
	}
	if t.v1 {
		t.depth = t.top - 1
	}
	return t
}

func (t *tree) end() {
	t.release(nil)
	if t.none != "" {
		_, _ = t.w.WriteString("no " + t.none + "\n")
	}
}

func (t *tree) part(e *entry) {
	t.none = ""
	t.show(e)
	for _, f := range e.findings {
		if t.waiting {
			t.held = append(t.held, e.findingText(f))
		} else {
			t.fault(t.depth+1, e.findingText(f))
		}
	}
}

func (t *tree) show(e *entry) {
	steps := e.Path.Elems()
	switch e.Sort {
	case layout.FieldPart:
		t.field(e, steps)
	case layout.NamePart:
		t.name(e, steps)
	case layout.ValuePart:
		if t.v1 {
			t.value(e, steps)
		} else {
			t.rawValue(e, steps)
		}
	case layout.PaddingPart:
		if steps[len(steps)-1].Name != "gap" { // the name follows a gap
			t.release(nil)
		}
		t.padding(e, t.enter(steps))
	case layout.UnreadPart:
		t.release(nil)
		if depth := t.enter(steps); !e.findingsOnly() {
			t.fault(depth, fmt.Sprintf("%d bytes at 0x%04x unread: %s", e.Len(), e.Off(), e.reason()))
		}
	}
}

// enter returns the depth of a line for the path. A counter block has no line of its own.
func (t *tree) enter(steps []layout.Elem) int {
	depth := t.top + len(steps) - 1
	if len(steps) > 2 && steps[len(steps)-2].Name == "block" {
		depth--
	}
	if !t.v1 {
		t.depth = depth - 1
	}
	return depth
}

// field writes a GUID of a list, adds an id to the line of a list, or writes the record
// that starts with the field.
func (t *tree) field(e *entry, steps []layout.Elem) {
	last := steps[len(steps)-1]
	switch {
	case last.Name == "guid":
		t.depth = t.top
		t.finish(append(t.start(t.depth, "guid", last.Index), e.value...))
	case last.Name == "id":
		t.id(le.Uint32(e.Bytes()))
	case e.Field.At == 0 && e.Record != &layout.SYSTEMTIME:
		t.release(nil)
		index := 0
		if len(steps) > 1 {
			index = steps[len(steps)-2].Index
		}
		t.depth = t.top + len(steps) - 2
		t.record(e.Record, layout.NewSpan(t.b[e.Base:e.Base+int64(e.Record.Size)], e.Base), index)
	}
}

// id adds an id to the waiting line.
func (t *tree) id(id uint32) {
	between := ", "
	if len(t.counters) == 0 {
		between = ": "
	}
	t.counters = append(t.counters, id)
	t.after = strconv.AppendUint(append(t.after, between...), uint64(id), 10)
}

// name writes the line that waits for a name, or a line for any other name.
func (t *tree) name(e *entry, steps []layout.Elem) {
	t.painted = t.ink.Bold.Append(t.painted[:0], e.text)
	if !t.v1 && !t.waiting {
		t.depth = t.top
	}
	switch {
	case t.waiting:
		t.release(t.painted)
	case steps[0].Name == "entry": // its line may be far above
		t.finish(append(t.start(t.depth, "text of entry", steps[0].Index), t.painted...))
	default:
		t.labelled(t.top, steps[0].Name, string(t.painted))
	}
	if e.err != nil {
		t.fault(t.depth+1, e.err.Error())
	}
}

// value writes the value of a V1 counter.
func (t *tree) value(e *entry, steps []layout.Elem) {
	t.release(nil)
	i := steps[len(steps)-1].Index
	b := t.start(t.depth+1, "value", i)
	if i < len(t.counters) {
		b = appendTitle(b, t.counters[i])
	} else {
		b = append(b, "title unknown"...)
	}
	switch {
	case len(e.text) > 0:
		b = t.ink.Bold.Append(append(b, " = "...), e.text)
	case len(e.value) > 0:
		b = t.ink.Bold.Append(append(b, " = "...), e.value)
	default:
		b = append(strconv.AppendInt(append(b, ": "...), int64(e.Len()), 10), " bytes"...)
	}
	t.finish(b)
	if e.err != nil {
		t.fault(t.depth+2, e.err.Error())
	}
}

// rawValue writes the line of a PERF_COUNTER_DATA that waits for its value, or a value in
// an instance block.
func (t *tree) rawValue(e *entry, steps []layout.Elem) {
	t.painted = t.painted[:0]
	if len(e.value) > 0 {
		t.painted = t.ink.Bold.Append(append(t.painted, "= "...), e.value)
	} else {
		t.painted = append(strconv.AppendInt(append(t.painted, "of "...), int64(e.Len()), 10), " bytes"...)
	}
	if t.waiting {
		t.release(t.painted)
		return
	}
	t.depth = t.top
	t.finish(append(t.start(t.depth, "slot", steps[0].Index), t.painted...))
}

// padding writes the first byte of padding that is not zero.
func (t *tree) padding(e *entry, depth int) {
	for i, c := range e.Bytes() {
		if c != 0 {
			t.labelled(depth, "padding", fmt.Sprintf("at 0x%04x is 0x%02x", e.Off()+int64(i), c))
			return
		}
	}
}

// wait keeps a line until a part comes that it shows. The part is written after before; if
// it does not come, without is written instead.
func (t *tree) wait(line []byte, before, without string) {
	t.line, t.waiting, t.before, t.without, t.after = line, true, before, without, t.after[:0]
}

// release writes the waiting line with the part it waited for, or without it if part is
// empty, and then the findings of the line.
func (t *tree) release(part []byte) {
	if !t.waiting {
		return
	}
	b := t.line
	if len(part) > 0 {
		b = append(append(b, t.before...), part...)
	} else {
		b = append(b, t.without...)
	}
	t.waiting = false
	t.finish(append(b, t.after...))
	for _, text := range t.held {
		t.fault(t.depth+1, text)
	}
	t.held = t.held[:0]
}

// labelled writes a line with a label.
func (t *tree) labelled(depth int, label, text string) {
	for range depth {
		_, _ = t.w.WriteString(indent)
	}
	_, _ = t.w.WriteString(t.ink.Cyan.Text(label) + " " + text + "\n")
}

// start returns a line with the label and index of an element. It allocates nothing. The
// caller appends to the line and calls [tree.finish].
func (t *tree) start(depth int, label string, index int) []byte {
	b := append(t.begin(depth, label), '[')
	b = append(strconv.AppendInt(b, int64(index), 10), ']')
	return append(append(b, t.ink.Cyan.Off...), ' ')
}

// begin returns a line with a label whose colour is still on.
func (t *tree) begin(depth int, label string) []byte {
	b := t.line[:0]
	for range depth {
		b = append(b, indent...)
	}
	return append(append(b, t.ink.Cyan.On...), label...)
}

func (t *tree) finish(b []byte) {
	t.line = append(b, '\n')
	_, _ = t.w.Write(t.line)
}

func (t *tree) fault(depth int, text string) {
	for range depth {
		_, _ = t.w.WriteString(indent)
	}
	_, _ = t.w.WriteString(t.ink.Severity(validate.Error).Text("! "+text) + "\n")
}
