package builder_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// registered returns a set whose counters refer to each other in every way there is.
func registered() builder.CounterSetRegInfo {
	return *builder.NewCounterSetRegInfo(processors, layout.PERF_COUNTERSET_MULTI_AGGREGATE).
		Counter(1, layout.PERF_COUNTER_COUNTER).
		WithBase(2, layout.PERF_AVERAGE_TIMER, 3).
		Define(builder.CounterRegInfo{CounterId: 4, Type: layout.PERF_ELAPSED_TIME, PerfTimeId: new(uint32(5)), PerfFreqId: new(uint32(6))}).
		Counter(5, layout.PERF_COUNTER_LARGE_RAWCOUNT).
		Counter(6, layout.PERF_COUNTER_LARGE_RAWCOUNT).
		Define(builder.CounterRegInfo{CounterId: 7, Type: layout.PERF_COUNTER_MULTI_TIMER_INV, BaseCounterId: new(uint32(9)), MultiId: new(uint32(0))}).
		Counter(0, layout.PERF_COUNTER_RAWCOUNT).
		Counter(9, layout.PERF_COUNTER_MULTI_BASE)
}

// Where things stand in what registered makes.
const (
	counts, averages, averageBases, elapsed, clock, frequency, multi, items, multiBases = 0, 1, 2, 3, 4, 5, 6, 7, 8

	regSetLen = 32 + 9*48
)

func TestRegSetRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(s *builder.CounterSetRegInfo, c []builder.CounterRegInfo)
		path   string
		kind   error
	}{
		{"an instance type between two", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) { s.InstanceType = 3 }, "InstanceType", layout.ErrRange},
		{"history alone", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) {
			s.InstanceType = layout.PERF_COUNTERSET_FLAG_HISTORY
		}, "InstanceType", layout.ErrRange},
		{"more counters than a set can have", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) {
			s.Counters = make([]builder.CounterRegInfo, 1<<16+1)
		}, "Counters", builder.ErrTooLarge},
		{"the id that asks for all", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].CounterId = 0xFFFFFFFF }, "counter[0].CounterId", layout.ErrRange},
		{"two counters of one id", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[multiBases].CounterId = 1 }, "counter[8].CounterId", builder.ErrDuplicateID},
		{"an attribute that there is not", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].Attrib = 0x20 }, "counter[0].Attrib", layout.ErrRange},
		{"an attribute beyond 32 bits", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].Attrib = 1 << 32 }, "counter[0].Attrib", layout.ErrRange},
		{"a scale too large", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].DefaultScale = 11 }, "counter[0].DefaultScale", layout.ErrRange},
		{"a scale too small", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].DefaultScale = -11 }, "counter[0].DefaultScale", layout.ErrRange},
		{"a function that there is not", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].AggregateFunc = 5 }, "counter[0].AggregateFunc", layout.ErrRange},

		{"no base", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[averages].BaseCounterId = nil }, "counter[1].BaseCounterId", builder.ErrReference},
		{"a base that is not in the set", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[averages].BaseCounterId = new(uint32(77))
		}, "counter[1].BaseCounterId", builder.ErrReference},
		{"its own base", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[averages].BaseCounterId = new(uint32(2))
		}, "counter[1].BaseCounterId", builder.ErrReference},
		{"a base that is none", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[averages].BaseCounterId = new(uint32(5))
		}, "counter[1].BaseCounterId", builder.ErrReference},
		{"another's base", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[averages].BaseCounterId = new(uint32(9))
		}, "counter[1].BaseCounterId", builder.ErrReference},
		{"the base of none, where nil says so", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[averages].BaseCounterId = new(uint32(0xFFFFFFFF))
		}, "counter[1].BaseCounterId", layout.ErrRange},
		{"a base that is of no use, and not in the set", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[counts].BaseCounterId = new(uint32(77))
		}, "counter[0].BaseCounterId", builder.ErrReference},
		{"a base of a multi timer that is another's", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[multi].BaseCounterId = new(uint32(3))
		}, "counter[6].BaseCounterId", builder.ErrReference},
		{"no clock", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[elapsed].PerfTimeId = nil }, "counter[3].PerfTimeId", builder.ErrReference},
		{"no frequency", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[elapsed].PerfFreqId = nil }, "counter[3].PerfFreqId", builder.ErrReference},
		{"a clock of 4 bytes", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[elapsed].PerfTimeId = new(uint32(0)) }, "counter[3].PerfTimeId", builder.ErrReference},
		{"a frequency that is hex", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[frequency].Type = layout.PERF_COUNTER_LARGE_RAWCOUNT_HEX
		}, "counter[3].PerfFreqId", builder.ErrReference},
		{"a clock that is of no use, and of 4 bytes", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].PerfTimeId = new(uint32(0)) }, "counter[0].PerfTimeId", builder.ErrReference},
		{"no number of items", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[multi].MultiId = nil }, "counter[6].MultiId", builder.ErrReference},
		{"a number of items of 8 bytes", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[multi].MultiId = new(uint32(5)) }, "counter[6].MultiId", builder.ErrReference},
	} {
		s := registered()
		test.change(&s, s.Counters)
		refused(t, test.reason, s, test.path, test.kind)
	}
	refused(t, "a counter alone", builder.CounterRegInfo{CounterId: 1, Type: layout.PERF_RAW_FRACTION}, "counter[0].BaseCounterId", builder.ErrReference)
	refused(t, "a counter alone that is its own clock", builder.CounterRegInfo{CounterId: 1, PerfTimeId: new(uint32(1))}, "counter[0].PerfTimeId", builder.ErrReference)
	refused(t, "a counter alone of the id that asks for all", builder.CounterRegInfo{CounterId: 0xFFFFFFFF}, "counter[0].CounterId", layout.ErrRange)
}

// What is only advised against, and near misses.
func TestRegSetAllowed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(s *builder.CounterSetRegInfo, c []builder.CounterRegInfo)
	}{
		{"as it is", func(_ *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) {}},
		{"no counters", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) { s.Counters = nil }},
		{"no GUID", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) { s.CounterSetGuid = layout.GUID{} }},
		{"an instance type that is not implemented", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) {
			s.InstanceType = layout.PERF_COUNTERSET_INSTANCE_AGGREGATE
		}},
		{"as many counters as a set can have", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) {
			s.Counters = make([]builder.CounterRegInfo, 1<<16)
			for i := range s.Counters {
				s.Counters[i].CounterId = uint32(i)
			}
		}},
		{"a level of V1", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) {
			s.DetailLevel = layout.PERF_DETAIL_WIZARD
		}},
		{"a level that no one has", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].DetailLevel = 7 }},
		{"the largest id", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].CounterId = 0xFFFFFFFE }},
		{"a type that no one has", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].Type = 0xFFFFFFFF }},
		{"all attributes, of which some do not go together", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].Attrib = 0x1F }},
		{"the bounds of a scale", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[counts].DefaultScale, c[clock].DefaultScale = -10, 10
		}},
		{"a function where nothing is summed up", func(s *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			s.InstanceType, c[counts].AggregateFunc = layout.PERF_COUNTERSET_SINGLE_INSTANCE, layout.PERF_AGGREGATE_MAX
		}},
		{"a base that is of no use", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[counts].BaseCounterId = new(uint32(5))
		}},
		{"half a clock that is of no use", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].PerfTimeId = new(uint32(5)) }},
		{"one counter for clock and frequency", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[elapsed].PerfFreqId = new(uint32(5)) }},
		{"a multi timer without a base", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[multi].BaseCounterId = nil }},
	} {
		s := registered()
		test.change(&s, s.Counters)
		allowed(t, test.reason, s, new(builder.CounterSetRegInfo))
	}
	allowed(t, "a counter alone, whose base is elsewhere", averageTimer, new(builder.CounterRegInfo))
}

// allowed holds a model to its bytes and back.
func allowed[T any, P interface {
	*T
	builder.Model
}](t *testing.T, reason string, model T, back P) {
	t.Helper()
	b, err := P(&model).MarshalBinary()
	if err != nil {
		t.Errorf("%s: %v", reason, err)
		return
	}
	if n, err := P(&model).EncodedLen(); n != len(b) || err != nil {
		t.Errorf("%s: EncodedLen says %d, %v, of %d", reason, n, err, len(b))
	}
	if err := back.UnmarshalBinary(b); err != nil {
		t.Errorf("%s: decoding: %v", reason, err)
		return
	}
	same(t, *back, model)
}

// Which types need which other counters, typed from the tables of MS-PCQ and of the
// schema of manifests.
func TestNeededReferences(t *testing.T) {
	t.Parallel()
	needs := map[layout.CounterType]string{
		layout.PERF_SAMPLE_FRACTION:                "BaseCounterId",
		layout.PERF_AVERAGE_TIMER:                  "BaseCounterId",
		layout.PERF_AVERAGE_BULK:                   "BaseCounterId",
		layout.PERF_RAW_FRACTION:                   "BaseCounterId",
		layout.PERF_LARGE_RAW_FRACTION:             "BaseCounterId",
		layout.PERF_PRECISION_SYSTEM_TIMER:         "BaseCounterId",
		layout.PERF_PRECISION_100NS_TIMER:          "BaseCounterId",
		layout.PERF_PRECISION_OBJECT_TIMER:         "PerfTimeId PerfFreqId",
		layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE: "PerfTimeId PerfFreqId",
		layout.PERF_OBJ_TIME_TIMER:                 "PerfTimeId PerfFreqId",
		layout.PERF_ELAPSED_TIME:                   "PerfTimeId PerfFreqId",
		layout.PERF_COUNTER_MULTI_TIMER:            "MultiId",
		layout.PERF_COUNTER_MULTI_TIMER_INV:        "MultiId",
		layout.PERF_100NSEC_MULTI_TIMER:            "MultiId",
		layout.PERF_100NSEC_MULTI_TIMER_INV:        "MultiId",
	}
	for typ := range layout.CounterTypes() {
		c, id := builder.CounterRegInfo{CounterId: 1, Type: typ}, uint32(2)
		given := map[string]**uint32{"BaseCounterId": &c.BaseCounterId, "PerfTimeId": &c.PerfTimeId, "PerfFreqId": &c.PerfFreqId, "MultiId": &c.MultiId}
		for field := range strings.FieldsSeq(needs[typ]) {
			refused(t, typ.String(), c, "counter[0]."+field, builder.ErrReference)
			*given[field] = &id
		}
		if _, err := c.MarshalBinary(); err != nil {
			t.Errorf("%v: %v", typ, err)
		}
	}
}
