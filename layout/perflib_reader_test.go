package layout_test

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// A perflibReader reads all of a block with one Read function of package layout. After a fault, it also calls the
// methods of the view. These methods must not panic.
type perflibReader struct {
	name string
	read func(*visit)
}

var perflibReaders = []perflibReader{
	{"query", visitQuery},
	{"instances", visitInstances},
	{"identifiers", visitIdentifiers},
	{"strings", visitStrings},
	{"registered set", visitRegSet},
	{"registered counter", visitRegCounter},
	{"registered text", func(v *visit) { v.text("Text", layout.ReadRegText(v.b), nil) }},
	{"GUIDs", visitGUIDs},
	{"template", visitTemplate},
	{"set instance", visitSetInstance},
}

func visitQuery(v *visit) {
	q, err := layout.ReadQueryData(v.b)
	v.visitRecord(&layout.PERF_DATA_HEADER, layout.Path{}, q.Span, err)
	n := 0
	for r, err := range q.Results() {
		v.visitRecord(&layout.PERF_COUNTER_HEADER, r.Path(), r.Span, err)
		v.result(r)
		if r.Index() != n {
			v.t.Fatalf("%v has index %d", r.Path(), r.Index())
		}
		n++
	}
	v.checkSteps(n, q.Span, layout.PERF_COUNTER_HEADER.Size)
}

func (v *visit) result(r layout.Result) {
	ids, err := r.IDs()
	if r.HasIDs() {
		v.visitRecord(&layout.PERF_MULTI_COUNTERS, ids.Path(), ids.Span, err)
	} else if err != nil || !zeros(ids.Bytes()) {
		v.t.Fatalf("%v has ids % x, %v", r.Path(), ids.Bytes(), err)
	}
	i := 0
	for id := range ids.All() {
		s, err := ids.Sub(8+4*uint64(i), 4)
		if err != nil {
			v.t.Fatal(err)
		}
		v.saw(s, fmt.Sprintf("%v.id[%d] = %d", ids.Path(), i, id))
		i++
	}
	n := 0
	for value, err := range r.Values() {
		v.value(value, n, err)
		n++
	}
	v.checkSteps(n, r.Span, layout.PERF_COUNTER_DATA.Size)
	in, err := r.Instances()
	if r.HasInstances() {
		v.visitRecord(&layout.PERF_MULTI_INSTANCES, in.Path(), in.Span, err)
	} else if err != nil || !zeros(in.Bytes()) {
		v.t.Fatalf("%v has instances % x, %v", r.Path(), in.Bytes(), err)
	}
	v.instances(in)
}

func (v *visit) instances(in layout.MultiInstances) {
	n := 0
	var broken error
	for one, err := range in.All() {
		if broken != nil && err == nil {
			v.t.Fatalf("%v follows %v", one.Path(), broken)
		}
		v.named(one, err)
		k := 0
		for value, err := range one.Values() {
			v.value(value, k, err)
			broken = err
			k++
		}
		v.checkSteps(k, in.Span, layout.PERF_COUNTER_DATA.Size)
		if err == nil && one.Index() != n {
			v.t.Fatalf("%v has index %d", one.Path(), one.Index())
		}
		n++
	}
	v.checkSteps(n, in.Span, layout.PERF_INSTANCE_HEADER.Size)
}

func (v *visit) named(one layout.InstanceHeader, err error) {
	name := one.Name()
	if v.visitRecord(&layout.PERF_INSTANCE_HEADER, one.Path(), one.Span, err) {
		v.text(one.Path().String()+".Name", name, nil)
	}
}

func (v *visit) value(value layout.CounterData, index int, err error) {
	got, valueErr := value.Value()
	if value.Index() != index && err == nil {
		v.t.Fatalf("%v has index %d", value.Path(), value.Index())
	}
	if !v.visitRecord(&layout.PERF_COUNTER_DATA, value.Path(), value.Span, err) {
		return
	}
	if valueErr != nil {
		v.fault(valueErr)
		return
	}
	v.span(got)
	number, _ := got.Number()
	v.saw(got, fmt.Sprintf("%v.value = %d", value.Path(), number))
}

func visitInstances(v *visit) {
	n := 0
	for one, err := range layout.ReadInstanceHeaders(v.b) {
		v.named(one, err)
		for value := range one.Values() {
			v.t.Fatalf("an instance of a list has %v", value.Path())
		}
		n++
	}
	v.checkSteps(n, layout.NewSpan(v.b, 0), layout.PERF_INSTANCE_HEADER.Size)
}

func visitIdentifiers(v *visit) {
	n := 0
	for id, err := range layout.ReadCounterIdentifiers(v.b) {
		name := id.Name()
		if v.visitRecord(&layout.PERF_COUNTER_IDENTIFIER, id.Path(), id.Span, err) {
			v.text(id.Path().String()+".Name", name, nil)
		}
		n++
	}
	v.checkSteps(n, layout.NewSpan(v.b, 0), layout.PERF_COUNTER_IDENTIFIER.Size)
}

func visitStrings(v *visit) {
	s, err := layout.ReadStringBuffer(v.b)
	v.visitRecord(&layout.PERF_STRING_BUFFER_HEADER, layout.Path{}, s.Span, err)
	if base := s.Base(); base < s.Off() || base > s.End() {
		v.t.Fatalf("offsets count from %d, outside the %d bytes", base, s.Len())
	}
	n, looked := 0, 0
	for e := range s.Entries() {
		v.visitRecord(&layout.PERF_STRING_COUNTER_HEADER, e.Path(), e.Span, nil)
		if looked < 10*len(v.b) { // a limit, because the entries may share one long string
			text, err := e.Text()
			looked += text.Len()
			v.text(e.Path().String()+".Text", text, err)
		}
		n++
	}
	v.checkSteps(n, s.Span, layout.PERF_STRING_COUNTER_HEADER.Size)
}

func visitRegSet(v *visit) {
	s, err := layout.ReadCounterSetRegInfo(v.b)
	v.visitRecord(&layout.PERF_COUNTERSET_REG_INFO, layout.Path{}, s.Span, err)
	n := 0
	for c, err := range s.Counters() {
		v.visitRecord(&layout.PERF_COUNTER_REG_INFO, c.Path(), c.Span, err)
		n++
	}
	v.checkSteps(n, s.Span, layout.PERF_COUNTER_REG_INFO.Size)
}

func visitRegCounter(v *visit) {
	c, err := layout.ReadCounterRegInfo(v.b)
	v.visitRecord(&layout.PERF_COUNTER_REG_INFO, c.Path(), c.Span, err)
}

func visitGUIDs(v *visit) {
	n := 0
	for g, err := range layout.ReadGUIDs(v.b) {
		if err != nil {
			v.fault(err)
			if g != (layout.GUID{}) {
				v.t.Fatalf("the view that comes with %v reads %v", err, g)
			}
		} else {
			s, err := layout.NewSpan(v.b, 0).Sub(16*uint64(n), 16)
			if err != nil {
				v.t.Fatal(err)
			}
			v.saw(s, fmt.Sprintf("guid[%d] = %v", n, g))
		}
		n++
	}
	v.checkSteps(n, layout.NewSpan(v.b, 0), layout.GUIDRecord.Size)
}

func visitTemplate(v *visit) {
	s, err := layout.ReadCounterSetInfo(v.b)
	v.visitRecord(&layout.PERF_COUNTERSET_INFO, layout.Path{}, s.Span, err)
	n := 0
	for c, err := range s.Counters() {
		v.visitRecord(&layout.PERF_COUNTER_INFO, c.Path(), c.Span, err)
		n++
	}
	v.checkSteps(n, s.Span, layout.PERF_COUNTER_INFO.Size)
}

func visitSetInstance(v *visit) {
	in, err := layout.ReadCounterSetInstance(v.b)
	ok := v.visitRecord(&layout.PERF_COUNTERSET_INSTANCE, layout.Path{}, in.Span, err)
	n := 0
	for slot := range in.Slots() {
		v.span(slot)
		number, _ := slot.Number()
		v.saw(slot, fmt.Sprintf("slot[%d] = %d", n, number))
		n++
	}
	v.checkSteps(n, in.Span, 8)
	if name, err := in.Name(); ok {
		v.text("Name", name, err)
	}
}
