package dump

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A treeShower writes what a block says, without the figures that only hold it
// together: its objects, their counters, their instances with name and values.
// What could not be read has a line that starts with !, padding is shown if it is not zero.
//
// A record is shown when its first field comes: then all of it is there. Only an
// instance waits, for its name.
type treeShower struct {
	w     *bufio.Writer
	b     []byte
	ink   paints
	none  string // of what there is nothing, until a part comes
	top   int    // how deep an object stands
	depth int    // how deep what was shown last stands

	titles  []uint32 // of the counters of this object, for its values
	waiting bool     // for the name of an instance, whose index and fields these are
	index   int
	fields  wire.InstanceDefinition
	held    []string // the findings in it until then

	text, painted []byte // for a line, and for what of it has a colour
}

func newTree(w *bufio.Writer, kind layout.Kind, b []byte, o Options) shower {
	if !kind.V1() {
		return newPerflibTree(w, kind, b, o)
	}
	t := &treeShower{w: w, b: b, ink: newPaints(o.Color), none: kind.String()}
	if kind == layout.DataBlockKind {
		t.top = 1 // in the block, whose line comes first
	}
	t.depth = t.top - 1
	return t
}

func (t *treeShower) part(s *said) {
	t.show(s)
	t.find(s)
}

// find shows the findings in what was shown last, or holds them until it is.
func (t *treeShower) find(s *said) {
	for _, f := range s.findings {
		if t.waiting {
			t.held = append(t.held, s.judged(f))
		} else {
			t.fault(t.depth+1, s.judged(f))
		}
	}
}

func (t *treeShower) show(s *said) {
	t.none = ""
	steps := s.Path.Elems()
	switch s.Sort {
	case layout.FieldPart:
		if s.Field.At == 0 {
			t.record(s, steps)
		}
	case layout.NamePart:
		t.name(s)
	case layout.ValuePart:
		t.value(s, steps[len(steps)-1].Index)
	case layout.PaddingPart:
		if steps[len(steps)-1].Name != "gap" {
			t.release(nil)
		}
		t.padding(s, t.below(steps))
	case layout.UnreadPart:
		t.release(nil)
		if s.nothing() {
			return
		}
		t.fault(t.below(steps), fmt.Sprintf("%d bytes at 0x%04x unread: %s", s.Len(), s.Off(), s.reason()))
	}
}

// below returns how deep that stands which is in the place that all steps but the
// last lead to; a counter block has no line of its own.
func (t *treeShower) below(steps []layout.Elem) int {
	if len(steps) > 2 && steps[len(steps)-2].Name == "block" {
		return t.top + len(steps) - 2
	}
	return t.top + len(steps) - 1
}

// end says of an empty list that it is one. No instance waits any more: Walk gives a
// part behind each, its block or why there is none.
func (t *treeShower) end() {
	if t.none != "" {
		_, _ = t.w.WriteString("no " + t.none + "\n") // the writer keeps the error
	}
}

// record shows the record that starts with the part. The views give no more than
// fields here: nothing has checked what the lengths in them lead to.
func (t *treeShower) record(s *said, steps []layout.Elem) {
	if s.Record == &layout.SYSTEMTIME {
		return
	}
	t.release(nil)
	span := layout.NewSpan(t.b[s.Base:s.Base+int64(s.Record.Size)], s.Base)
	index := 0
	if len(steps) > 1 {
		index = steps[len(steps)-2].Index
	}
	switch s.Record {
	case &layout.PERF_DATA_BLOCK:
		t.header(wire.GetDataBlock(span.Bytes()))
	case &layout.PERF_OBJECT_TYPE:
		t.titles = t.titles[:0]
		t.object(index, s.Base, wire.GetObjectType(span.Bytes()))
	case &layout.PERF_COUNTER_DEFINITION:
		t.counter(index, wire.GetCounterDefinition(span.Bytes()))
	case &layout.PERF_INSTANCE_DEFINITION:
		t.instance(index, wire.GetInstanceDefinition(span.Bytes()))
	case &layout.PERF_COUNTER_BLOCK:
		t.depth = t.top + len(steps) - 3 // that of what the block belongs to
	}
}

func (t *treeShower) header(d wire.DataBlock) {
	t.depth = 0
	t.line(0, "block", fmt.Sprintf("of %d bytes, %s", d.TotalByteLength, count(int64(d.NumObjectTypes), "object")))
	if at := moment(t.b, int64(layout.PERF_DATA_BLOCK.Field("SystemTime").At)); at != "" {
		t.line(1, "SystemTime", at)
	}
	t.line(1, "PerfTime", fmt.Sprintf("%d of %d ticks in a second", d.PerfTime, d.PerfFreq))
	t.line(1, "PerfTime100nSec", join(fmt.Sprint(d.PerfTime100nSec), fileTime(d.PerfTime100nSec)))
	t.line(1, "DefaultObject", fmt.Sprint(d.DefaultObject))
}

func (t *treeShower) object(i int, off int64, o wire.ObjectType) {
	t.depth = t.top
	instances := layout.InstancesName(o.NumInstances)
	if instances == "" {
		instances = count(int64(o.NumInstances), "instance")
	}
	text := fmt.Sprintf("title %d, help %d, %s, %s, %s, %d bytes at 0x%04x",
		o.ObjectNameTitleIndex, o.ObjectHelpTitleIndex, detail(o.DetailLevel), count(int64(o.NumCounters), "counter"), instances, o.TotalByteLength, off)
	if o.PerfTime != 0 || o.PerfFreq != 0 {
		text += fmt.Sprintf(", PerfTime %d of %d ticks in a second", o.PerfTime, o.PerfFreq)
	}
	if o.CodePage != 0 {
		text += fmt.Sprintf(", names in code page %d", o.CodePage)
	}
	t.line(t.depth, fmt.Sprintf("object[%d]", i), text)
}

func (t *treeShower) counter(i int, c wire.CounterDefinition) {
	t.depth = t.top + 1
	t.titles = append(t.titles, c.CounterNameTitleIndex)
	text := fmt.Sprintf("%s, %s, %s", appendTitle(nil, c.CounterNameTitleIndex), typeName(c.CounterType), detail(c.DetailLevel))
	if c.DefaultScale != 0 {
		text += fmt.Sprintf(", scale 10^%d", c.DefaultScale)
	}
	t.line(t.depth, fmt.Sprintf("counter[%d]", i), text)
}

func (t *treeShower) instance(i int, in wire.InstanceDefinition) {
	t.depth = t.top + 1
	t.waiting, t.index, t.fields = true, i, in
}

// release shows the instance that waits, if any, under a name in quotes or none.
func (t *treeShower) release(name []byte) {
	if !t.waiting {
		return
	}
	b := t.start(t.depth, "instance", t.index)
	if len(name) == 0 {
		b = append(b, "unnamed"...)
	}
	b = append(b, name...)
	if t.fields.UniqueID != layout.PERF_NO_UNIQUE_ID {
		b = strconv.AppendInt(append(b, ", UniqueID "...), int64(t.fields.UniqueID), 10)
	}
	if t.fields.ParentObjectTitleIndex != 0 {
		b = strconv.AppendUint(append(b, ", parent instance["...), uint64(t.fields.ParentObjectInstance), 10)
		b = strconv.AppendUint(append(b, "] of the object of title "...), uint64(t.fields.ParentObjectTitleIndex), 10)
	}
	t.finish(b)
	t.waiting = false
	for _, text := range t.held {
		t.fault(t.depth+1, text)
	}
	t.held = t.held[:0]
}
