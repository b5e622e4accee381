package dump

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A tree writes what a block contains: objects or results with their instances and values, without offsets and lengths.
type tree struct {
	w     *bufio.Writer // keeps the first error
	b     []byte
	ink   terminal.Palette
	names func(index uint32) (name string, builtIn bool)
	v1    bool
	none  string // the kind of the block, for the line "no KIND" of a block without parts; "" after the first part
	top   int    // the depth of objects, results and other elements
	depth int    // the depth of the last line of a record

	counters []uint32 // titles or ids of the counters of the current object or result

	line            []byte   // the current line
	pending         bool     // line is not yet written, because it waits for a part
	before, without string   // before: the text before the part; without: the text if there is no part
	after           []byte   // the text after the part
	held            []string // findings to write after the pending line
	painted         []byte
}

const indent = "  "

func newTree(w *bufio.Writer, kind layout.Kind, b []byte, o Options) printer {
	t := &tree{w: w, b: b, ink: terminal.NewPalette(o.Color), names: o.Names, v1: kind.V1(), none: kind.String()}
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
	t.writePending(nil)
	if t.none != "" {
		_, _ = t.w.WriteString("no " + t.none + "\n")
	}
}

func (t *tree) part(e *entry) {
	t.none = ""
	t.show(e)
	for _, f := range e.findings {
		if t.pending {
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
		if steps[len(steps)-1].Name != "gap" { // the name for the pending line follows the gap
			t.writePending(nil)
		}
		t.padding(e, t.enter(steps))
	case layout.UnreadPart:
		t.writePending(nil)
		if depth := t.enter(steps); !e.findingsOnly() {
			t.fault(depth, fmt.Sprintf("%s at 0x%04x unread: %s", quote.Count(e.Len(), "byte"), e.Off(), e.reason()))
		}
	}
}

// enter returns the depth of the line for a part. The depth follows from the length of the path. For a part of a
// counter block, the depth is one less, because the counter block has no line. An empty path is the whole input. For
// V2, enter also sets t.depth.
func (t *tree) enter(steps []layout.Elem) int {
	depth := t.top + max(len(steps), 1) - 1
	if len(steps) > 2 && steps[len(steps)-2].Name == "block" {
		depth--
	}
	if !t.v1 {
		t.depth = depth - 1
	}
	return depth
}

// field writes a GUID of a list of GUIDs, and adds an id of a list of ids to the pending line. For the first field of a
// record, it calls [tree.record], which writes or prepares the line of the whole record. field ignores all other fields
// and the fields of a SYSTEMTIME.
func (t *tree) field(e *entry, steps []layout.Elem) {
	last := steps[len(steps)-1]
	switch {
	case last.Name == "guid":
		t.depth = t.top
		t.finish(append(t.start(t.depth, "guid", last.Index), e.text...))
	case last.Name == "id":
		t.id(le.Uint32(e.Bytes()))
	case e.Field.At == 0 && e.Record != &layout.SYSTEMTIME:
		t.writePending(nil)
		index := 0
		if len(steps) > 1 {
			index = steps[len(steps)-2].Index
		}
		t.depth = t.top + len(steps) - 2
		t.record(e.Record, layout.NewSpan(t.b[e.Base():e.Base()+int64(e.Record.Size)], e.Base()), index)
	}
}

// id adds an id to the pending line of a list of ids.
func (t *tree) id(id uint32) {
	between := ", "
	if len(t.counters) == 0 {
		between = ": "
	}
	t.counters = append(t.counters, id)
	t.after = strconv.AppendUint(append(t.after, between...), uint64(id), 10)
}

// name completes the pending line with the name. If no line is pending, it writes the name on a line of its own.
func (t *tree) name(e *entry, steps []layout.Elem) {
	t.painted = t.ink.Bold.Append(t.painted[:0], e.text)
	if !t.v1 && !t.pending {
		t.depth = t.top
	}
	switch {
	case t.pending:
		t.writePending(t.painted)
	case steps[0].Name == "entry": // the texts follow all entries
		t.finish(append(t.start(t.depth, "text of entry", steps[0].Index), t.painted...))
	default:
		t.labelled(t.top, steps[0].Name, string(t.painted))
	}
	if e.Err != nil {
		t.fault(t.depth+1, e.Err.Error())
	}
}

// value writes the value of a V1 counter.
func (t *tree) value(e *entry, steps []layout.Elem) {
	t.writePending(nil)
	i := steps[len(steps)-1].Index
	b := t.start(t.depth+1, "value", i)
	if i < len(t.counters) {
		b = t.appendTitle(b, t.counters[i], false)
	} else {
		b = append(b, "title unknown"...)
	}
	if e.form != noText {
		b = t.ink.Bold.Append(append(b, " = "...), e.text)
	} else {
		b = append(strconv.AppendInt(append(b, ": "...), int64(e.Len()), 10), " bytes"...)
	}
	t.finish(b)
	if e.Err != nil {
		t.fault(t.depth+2, e.Err.Error())
	}
}

// rawValue completes the pending line of a PERF_COUNTER_DATA with its value. If no line is pending, the value belongs
// to an instance block and gets a line of its own.
func (t *tree) rawValue(e *entry, steps []layout.Elem) {
	t.painted = t.painted[:0]
	if e.form != noText {
		t.painted = t.ink.Bold.Append(append(t.painted, "= "...), e.text)
	} else {
		t.painted = append(strconv.AppendInt(append(t.painted, "of "...), int64(e.Len()), 10), " bytes"...)
	}
	if t.pending {
		t.writePending(t.painted)
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

// setPending stores a line that waits for a later part of the block, such as a name. `before` is the text before this
// part. `without` is the text if the block does not have the part. [tree.writePending] completes the line.
func (t *tree) setPending(line []byte, before, without string) {
	t.line, t.pending, t.before, t.without, t.after = line, true, before, without, t.after[:0]
}

// writePending completes the pending line with the part, and writes it. part is empty if the block does not have the
// part. If no line is pending, writePending does nothing.
func (t *tree) writePending(part []byte) {
	if !t.pending {
		return
	}
	b := t.line
	if len(part) > 0 {
		b = append(append(b, t.before...), part...)
	} else {
		b = append(b, t.without...)
	}
	t.pending = false
	t.finish(append(b, t.after...))
	for _, text := range t.held {
		t.fault(t.depth+1, text)
	}
	t.held = t.held[:0]
}

// labelled writes a line with a label.
func (t *tree) labelled(depth int, label, text string) {
	_, _ = t.w.WriteString(strings.Repeat(indent, depth) + t.ink.Cyan.Text(label) + " " + text + "\n")
}

// start returns the start of a line: the label and index of an element. [tree.finish] writes the line.
func (t *tree) start(depth int, label string, index int) []byte {
	b := append(t.begin(depth, label), '[')
	b = append(strconv.AppendInt(b, int64(index), 10), ']')
	return append(append(b, t.ink.Cyan.Off...), ' ')
}

// begin returns the start of a line: a label in colour. The caller appends the code that ends
// the colour.
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
	_, _ = t.w.WriteString(strings.Repeat(indent, depth) + t.ink.Severity(validate.Error).Text("! "+text) + "\n")
}
