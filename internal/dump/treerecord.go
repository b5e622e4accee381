package dump

import (
	"fmt"
	"strconv"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// record shows a record of V2. The views give no more than fields here: nothing has
// checked what the lengths in them lead to.
func (t *perflibTree) record(r *layout.Record, s layout.Span, i int) {
	switch r {
	case &layout.PERF_DATA_HEADER:
		t.query(wire.GetDataHeader(s.Bytes()))
	case &layout.PERF_COUNTER_HEADER:
		t.ids = t.ids[:0]
		t.answer(i, wire.GetCounterHeader(s.Bytes()))
	case &layout.PERF_MULTI_COUNTERS:
		b := append(t.begin(t.depth, "ids"), t.ink.path.off...)
		t.wait(append(append(b, " of "...), count(int64(layout.MultiCounters{Span: s}.DwCounters()), "counter")...), "", "")
	case &layout.PERF_MULTI_INSTANCES:
		t.line(t.depth, "instances", fmt.Sprint(layout.MultiInstances{Span: s}.DwInstances()))
	case &layout.PERF_INSTANCE_HEADER:
		id := layout.InstanceHeader{Span: s}.InstanceId()
		t.wait(t.start(t.depth, "instance", i), "", "unnamed")
		t.behind = strconv.AppendUint(append(t.behind, ", id "...), uint64(id), 10)
	case &layout.PERF_COUNTER_DATA:
		b := t.start(t.depth, "data", i)
		if i < len(t.ids) {
			b = append(strconv.AppendUint(append(b, "id "...), uint64(t.ids[i]), 10), ' ')
		}
		t.wait(b, "", "without a value")
	case &layout.PERF_COUNTER_IDENTIFIER:
		t.identifier(i, wire.GetCounterIdentifier(s.Bytes()))
	case &layout.PERF_COUNTERSET_REG_INFO:
		d := wire.GetCounterSetRegInfo(s.Bytes())
		t.line(0, "set", fmt.Sprintf("%v, %s, %s, %s", d.CounterSetGuid, detail(d.DetailLevel), instanceType(d.InstanceType), count(int64(d.NumCounters), "counter")))
	case &layout.PERF_COUNTERSET_INFO:
		d := wire.GetCounterSetInfo(s.Bytes())
		t.line(0, "template", fmt.Sprintf("of set %v, provider %v, %s, %s", d.CounterSetGuid, d.ProviderGuid, instanceType(d.InstanceType), count(int64(d.NumCounters), "counter")))
	case &layout.PERF_COUNTER_REG_INFO:
		t.registered(i, wire.GetCounterRegInfo(s.Bytes()))
	case &layout.PERF_COUNTER_INFO:
		c := wire.GetCounterInfo(s.Bytes())
		text := fmt.Sprintf("id %d, %s, %d bytes, %s", c.CounterId, typeName(c.Type), c.Size, detail(c.DetailLevel))
		t.line(t.top, fmt.Sprintf("counter[%d]", i), text+scaled(c.Scale)+shownAs(c.Attrib))
	case &layout.PERF_STRING_BUFFER_HEADER:
		d := wire.GetStringBufferHeader(s.Bytes())
		t.line(0, "strings", fmt.Sprintf("of %d bytes, for %s", d.DwSize, count(int64(d.DwCounters), "counter")))
	case &layout.PERF_STRING_COUNTER_HEADER:
		e := wire.GetStringCounterHeader(s.Bytes())
		b := strconv.AppendUint(append(t.start(t.top, "entry", i), "id "...), uint64(e.DwCounterId), 10)
		if e.DwOffset == layout.NoString {
			t.finish(append(b, ", no text"...))
		} else {
			t.finish(strconv.AppendUint(append(b, ", text at offset "...), uint64(e.DwOffset), 10))
		}
	case &layout.PERF_COUNTERSET_INSTANCE:
		d := wire.GetCounterSetInstance(s.Bytes())
		t.line(0, "instance", fmt.Sprintf("of set %v, id %d, %d bytes", d.CounterSetGuid, d.InstanceId, d.DwSize))
	}
}

func (t *perflibTree) query(d wire.DataHeader) {
	t.line(0, "query data", fmt.Sprintf("of %d bytes, %s", d.DwTotalSize, count(int64(d.DwNumCounters), "answer")))
	if at := moment(t.b, int64(layout.PERF_DATA_HEADER.Field("SystemTime").At)); at != "" {
		t.line(1, "SystemTime", at)
	}
	t.line(1, "PerfTimeStamp", fmt.Sprintf("%d of %d ticks in a second", d.PerfTimeStamp, d.PerfFreq))
	t.line(1, "PerfTime100NSec", join(fmt.Sprint(d.PerfTime100NSec), fileTime(d.PerfTime100NSec)))
}

func (t *perflibTree) answer(i int, d wire.CounterHeader) {
	b := t.start(t.top, "result", i)
	if d.DwType.Valid() {
		b = append(b, d.DwType.String()...)
	} else {
		b = strconv.AppendUint(append(b, "of type "...), uint64(d.DwType), 10)
	}
	if d.DwStatus != 0 || d.DwType == layout.PERF_ERROR_RETURN {
		b = appendStatus(b, d.DwStatus)
	}
	t.finish(b)
}

func (t *perflibTree) identifier(i int, d wire.CounterIdentifier) {
	b := append(d.CounterSetGuid.Append(append(t.start(t.top, "identifier", i), "set "...)), ", "...)
	if d.CounterId == layout.PERF_WILDCARD_COUNTER {
		b = append(b, "all counters"...)
	} else {
		b = strconv.AppendUint(append(b, "counter "...), uint64(d.CounterId), 10)
	}
	t.wait(b, ", instances ", ", no instances named")
	if d.InstanceId == layout.PERF_WILDCARD_COUNTER {
		t.behind = append(t.behind, ", any id"...)
	} else {
		t.behind = strconv.AppendUint(append(t.behind, ", id "...), uint64(d.InstanceId), 10)
	}
	t.behind = strconv.AppendUint(append(t.behind, ", index "...), uint64(d.Index), 10)
	if d.Status != 0 {
		t.behind = appendStatus(t.behind, d.Status)
	}
}

func (t *perflibTree) registered(i int, c wire.CounterRegInfo) {
	b := fmt.Appendf(t.start(t.top, "counter", i), "id %d, %s, %s%s%s", c.CounterId, typeName(c.Type), detail(c.DetailLevel), scaled(c.DefaultScale), shownAs(c.Attrib))
	for _, other := range []struct {
		what string
		id   uint32
	}{{"base", c.BaseCounterId}, {"time", c.PerfTimeId}, {"frequency", c.PerfFreqId}, {"items", c.MultiId}} {
		if other.id != layout.NoString {
			b = fmt.Appendf(b, ", %s in id %d", other.what, other.id)
		}
	}
	if c.AggregateFunc != layout.PERF_AGGREGATE_UNDEFINED {
		b = fmt.Appendf(b, ", aggregate %v", c.AggregateFunc)
	}
	t.finish(b)
}

func appendStatus(b []byte, status uint32) []byte {
	b = strconv.AppendUint(append(b, ", status "...), uint64(status), 10)
	if name := layout.StatusName(status); name != "" {
		b = append(append(b, ", "...), name...)
	}
	return b
}

func scaled(scale int32) string {
	if scale == 0 {
		return ""
	}
	return fmt.Sprintf(", scale 10^%d", scale)
}

func shownAs(a layout.Attrib) string {
	if a == 0 {
		return ""
	}
	return ", " + a.String()
}

func instanceType(t layout.InstanceType) string {
	if t.Valid() {
		return t.String()
	}
	return fmt.Sprintf("InstanceType %d", uint32(t))
}
