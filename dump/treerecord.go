package dump

import (
	"fmt"
	"strconv"

	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// record writes or prepares the line of a record. s has only the C structure. i is the index of the record in its list.
func (t *tree) record(r *layout.Record, s layout.Span, i int) {
	switch r {
	case &layout.PERF_DATA_BLOCK:
		t.dataBlock(layout.DataBlock{Span: s})
	case &layout.PERF_OBJECT_TYPE:
		t.counters = t.counters[:0]
		t.object(i, layout.Object{Span: s})
	case &layout.PERF_COUNTER_DEFINITION:
		t.counter(i, layout.Counter{Span: s})
	case &layout.PERF_INSTANCE_DEFINITION:
		t.instance(i, layout.Instance{Span: s})
	case &layout.PERF_COUNTER_BLOCK:
		t.depth-- // a counter block has no line
	case &layout.PERF_DATA_HEADER:
		t.queryData(layout.QueryData{Span: s})
	case &layout.PERF_COUNTER_HEADER:
		t.counters = t.counters[:0]
		t.result(i, layout.Result{Span: s})
	case &layout.PERF_MULTI_COUNTERS:
		b := append(t.begin(t.depth, "ids"), t.ink.Cyan.Off...)
		t.setPending(append(append(b, " of "...), quote.Count(layout.MultiCounters{Span: s}.DwCounters(), "counter")...), "", "")
	case &layout.PERF_MULTI_INSTANCES:
		t.labelled(t.depth, "instances", fmt.Sprint(layout.MultiInstances{Span: s}.DwInstances()))
	case &layout.PERF_INSTANCE_HEADER:
		t.setPending(t.start(t.depth, "instance", i), "", "unnamed")
		t.after = strconv.AppendUint(append(t.after, ", id "...), uint64(layout.InstanceHeader{Span: s}.InstanceId()), 10)
	case &layout.PERF_COUNTER_DATA:
		b := t.start(t.depth, "data", i)
		if i < len(t.counters) {
			b = append(strconv.AppendUint(append(b, "id "...), uint64(t.counters[i]), 10), ' ')
		}
		t.setPending(b, "", "without a value")
	case &layout.PERF_COUNTER_IDENTIFIER:
		t.identifier(i, layout.CounterIdentifier{Span: s})
	case &layout.PERF_COUNTERSET_REG_INFO:
		v := layout.CounterSetRegInfo{Span: s}
		t.labelled(0, "set", fmt.Sprintf("%v, %s, %s, %s", v.CounterSetGuid(), detail(v.DetailLevel()), instanceType(v.InstanceType()), quote.Count(v.NumCounters(), "counter")))
	case &layout.PERF_COUNTERSET_INFO:
		v := layout.CounterSetInfo{Span: s}
		t.labelled(0, "template", fmt.Sprintf("of set %v, provider %v, %s, %s", v.CounterSetGuid(), v.ProviderGuid(), instanceType(v.InstanceType()), quote.Count(v.NumCounters(), "counter")))
	case &layout.PERF_COUNTER_REG_INFO:
		t.registered(i, layout.CounterRegInfo{Span: s})
	case &layout.PERF_COUNTER_INFO:
		v := layout.CounterInfo{Span: s}
		text := fmt.Sprintf("id %d, %s, %d bytes, %s", v.CounterId(), typeName(v.Type()), v.Size(), detail(v.DetailLevel()))
		t.labelled(t.top, fmt.Sprintf("counter[%d]", i), text+scale(v.Scale())+attributes(v.Attrib()))
	case &layout.PERF_STRING_BUFFER_HEADER:
		v := layout.StringBuffer{Span: s}
		t.labelled(0, "strings", fmt.Sprintf("of %d bytes, for %s", v.DwSize(), quote.Count(v.DwCounters(), "counter")))
	case &layout.PERF_STRING_COUNTER_HEADER:
		v := layout.StringCounter{Span: s}
		b := strconv.AppendUint(append(t.start(t.top, "entry", i), "id "...), uint64(v.DwCounterId()), 10)
		if v.DwOffset() == layout.NoString {
			t.finish(append(b, ", no text"...))
		} else {
			t.finish(strconv.AppendUint(append(b, ", text at offset "...), uint64(v.DwOffset()), 10))
		}
	case &layout.PERF_COUNTERSET_INSTANCE:
		v := layout.CounterSetInstance{Span: s}
		t.labelled(0, "instance", fmt.Sprintf("of set %v, id %d, %d bytes", v.CounterSetGuid(), v.InstanceId(), v.DwSize()))
	}
}

func (t *tree) dataBlock(v layout.DataBlock) {
	t.labelled(0, "block", fmt.Sprintf("of %d bytes, %s", v.TotalByteLength(), quote.Count(v.NumObjectTypes(), "object")))
	t.clock(&layout.PERF_DATA_BLOCK, "PerfTime", v.PerfTime(), v.PerfFreq(), "PerfTime100nSec", v.PerfTime100nSec())
	object := strconv.AppendInt(nil, int64(v.DefaultObject()), 10)
	if name, builtIn := t.title(int64(v.DefaultObject())); name != "" {
		object = quote.AppendTitle(nil, name, uint32(v.DefaultObject()), builtIn)
	}
	t.labelled(1, "DefaultObject", string(object))
}

func (t *tree) queryData(v layout.QueryData) {
	t.labelled(0, "query data", fmt.Sprintf("of %d bytes, %s", v.DwTotalSize(), quote.Count(v.DwNumCounters(), "result")))
	t.clock(&layout.PERF_DATA_HEADER, "PerfTimeStamp", v.PerfTimeStamp(), v.PerfFreq(), "PerfTime100NSec", v.PerfTime100NSec())
}

// clock writes the times in the header of a block.
func (t *tree) clock(r *layout.Record, ticksName string, ticks, freq int64, timeName string, time int64) {
	if at := moment(t.b, int64(r.Field("SystemTime").At)); at != "" {
		t.labelled(1, "SystemTime", at)
	}
	t.labelled(1, ticksName, fmt.Sprintf("%d at %d ticks per second", ticks, freq))
	t.labelled(1, timeName, join(fmt.Sprint(time), fileTime(time)))
}

func (t *tree) object(i int, v layout.Object) {
	instances := cname.Instances(v.NumInstances())
	if instances == "" {
		instances = quote.Count(int(v.NumInstances()), "instance")
	}
	text := fmt.Sprintf("%s, help %d, %s, %s, %s, %d bytes at 0x%04x",
		t.appendIndex(nil, v.ObjectNameTitleIndex(), true), v.ObjectHelpTitleIndex(), detail(v.DetailLevel()), quote.Count(v.NumCounters(), "counter"), instances, v.TotalByteLength(), v.Off())
	if v.PerfTime() != 0 || v.PerfFreq() != 0 {
		text += fmt.Sprintf(", PerfTime %d at %d ticks per second", v.PerfTime(), v.PerfFreq())
	}
	if v.CodePage() != 0 {
		text += fmt.Sprintf(", names in code page %d", v.CodePage())
	}
	t.labelled(t.depth, fmt.Sprintf("object[%d]", i), text)
}

func (t *tree) counter(i int, v layout.Counter) {
	t.counters = append(t.counters, v.CounterNameTitleIndex())
	text := fmt.Sprintf("%s, %s, %s", t.appendTitle(nil, v.CounterNameTitleIndex(), true), typeName(v.CounterType()), detail(v.DetailLevel()))
	t.labelled(t.depth, fmt.Sprintf("counter[%d]", i), text+scale(v.DefaultScale()))
}

func (t *tree) instance(i int, v layout.Instance) {
	t.setPending(t.start(t.depth, "instance", i), "", "unnamed")
	if v.UniqueID() != layout.PERF_NO_UNIQUE_ID {
		t.after = strconv.AppendInt(append(t.after, ", UniqueID "...), int64(v.UniqueID()), 10)
	}
	if v.ParentObjectTitleIndex() != 0 {
		t.after = strconv.AppendUint(append(t.after, ", parent instance["...), uint64(v.ParentObjectInstance()), 10)
		t.after = t.appendIndex(append(t.after, "] of the object of "...), v.ParentObjectTitleIndex(), false)
	}
}

func (t *tree) result(i int, v layout.Result) {
	b := t.start(t.top, "result", i)
	if v.DwType().Valid() {
		b = append(b, v.DwType().String()...)
	} else {
		b = strconv.AppendUint(append(b, "of type "...), uint64(v.DwType()), 10)
	}
	if v.DwStatus() != 0 || v.DwType() == layout.PERF_ERROR_RETURN {
		b = appendStatus(b, v.DwStatus())
	}
	t.finish(b)
}

func (t *tree) identifier(i int, v layout.CounterIdentifier) {
	b := append(v.CounterSetGuid().Append(append(t.start(t.top, "identifier", i), "set "...)), ", "...)
	if v.CounterId() == layout.PERF_WILDCARD_COUNTER {
		b = append(b, "all counters"...)
	} else {
		b = strconv.AppendUint(append(b, "counter "...), uint64(v.CounterId()), 10)
	}
	t.setPending(b, ", instances ", ", no instances named")
	if v.InstanceId() == layout.PERF_WILDCARD_COUNTER {
		t.after = append(t.after, ", any id"...)
	} else {
		t.after = strconv.AppendUint(append(t.after, ", id "...), uint64(v.InstanceId()), 10)
	}
	t.after = strconv.AppendUint(append(t.after, ", index "...), uint64(v.Index()), 10)
	if v.Status() != 0 {
		t.after = appendStatus(t.after, v.Status())
	}
}

func (t *tree) registered(i int, v layout.CounterRegInfo) {
	b := fmt.Appendf(t.start(t.top, "counter", i), "id %d, %s, %s%s%s", v.CounterId(), typeName(v.Type()), detail(v.DetailLevel()), scale(v.DefaultScale()), attributes(v.Attrib()))
	for _, other := range []struct {
		what string
		id   uint32
	}{{"base", v.BaseCounterId()}, {"time", v.PerfTimeId()}, {"frequency", v.PerfFreqId()}, {"items", v.MultiId()}} {
		if other.id != layout.NoString {
			b = fmt.Appendf(b, ", %s in id %d", other.what, other.id)
		}
	}
	if v.AggregateFunc() != layout.PERF_AGGREGATE_UNDEFINED {
		b = fmt.Appendf(b, ", aggregate %v", v.AggregateFunc())
	}
	t.finish(b)
}

// title returns the name of a title index. The name is "" if the index is unknown or not positive.
func (t *tree) title(index int64) (name string, builtIn bool) {
	if t.names == nil || index <= 0 {
		return "", false
	}
	return t.names(uint32(index))
}

// appendTitle calls appendIndex for the title index of a counter. If the index is 0, as for a base counter without a
// title, it appends "no title".
func (t *tree) appendTitle(b []byte, index uint32, defines bool) []byte {
	if index == 0 {
		return append(b, "no title"...)
	}
	return t.appendIndex(b, index, defines)
}

// appendIndex appends a title index and, if known, its name. The argument defines is true if the index is in
// the record that defines the object or the counter.
func (t *tree) appendIndex(b []byte, index uint32, defines bool) []byte {
	if name, builtIn := t.title(int64(index)); name != "" {
		return quote.AppendTitle(b, name, index, builtIn && defines)
	}
	return strconv.AppendUint(append(b, "title "...), uint64(index), 10)
}

func appendStatus(b []byte, status uint32) []byte {
	b = strconv.AppendUint(append(b, ", status "...), uint64(status), 10)
	if name := layout.StatusName(status); name != "" {
		b = append(append(b, ", "...), name...)
	}
	return b
}

func scale(power int32) string {
	if power == 0 {
		return ""
	}
	return fmt.Sprintf(", scale 10^%d", power)
}

func attributes(a layout.Attrib) string {
	if a == 0 {
		return ""
	}
	return ", " + a.String()
}

func detail(d layout.DetailLevel) string { return named("DetailLevel", d) }

func instanceType(t layout.InstanceType) string { return named("InstanceType", t) }

// named returns the C name of v, or the label and the number of v if v is not a valid value.
func named(label string, v enum) string {
	if v.Valid() {
		return v.String()
	}
	return label + " " + v.String()
}

func join(text, more string) string {
	if more == "" {
		return text
	}
	return text + ", " + more
}
