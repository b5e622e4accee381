package builder_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// regField returns the offset of a field of counter i in an encoded CounterSetRegInfo.
func regField(i int, field string) int {
	return layout.SizeofCounterSetRegInfo + layout.SizeofCounterRegInfo*i + int(layout.PERF_COUNTER_REG_INFO.Field(field).At)
}

// TestRegSetLosses checks UnmarshalBinary and UnmarshalLossy for data that a model cannot hold.
func TestRegSetLosses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		left   func(c []builder.CounterRegInfo)
	}{
		{"a reserved field", putDWORD(16, 1), "CounterSetType", nil},
		{"a level of 0, which encoding writes as PERF_DETAIL_NOVICE", putDWORD(20, 0), "DetailLevel", nil},
		{"bytes after the last counter", appendZeros, "rest", nil},
		{"a level of 0 of a counter", putDWORD(regField(clock, "DetailLevel"), 0), "counter[4].DetailLevel", nil},
		{"a scale too large", putDWORD(regField(clock, "DefaultScale"), 11), "counter[4].DefaultScale", nil},
		{"undefined attributes", putDWORD(regField(clock, "Attrib"), 0x28), "counter[4].Attrib", func(c []builder.CounterRegInfo) {
			c[clock].Attrib = layout.PERF_ATTRIB_DISPLAY_AS_REAL
		}},
		{"an undefined aggregate function", putDWORD(regField(clock, "AggregateFunc"), 5), "counter[4].AggregateFunc", nil},
		{"a reserved field of a counter", putDWORD(regField(clock, "Reserved"), 9), "counter[4].Reserved", nil},
		{"a base that the type does not use and the set does not have", putDWORD(regField(counts, "BaseCounterId"), 77), "counter[0].BaseCounterId", nil},
		{"a clock of 4 bytes that the type does not use", putDWORD(regField(counts, "PerfTimeId"), 0), "counter[0].PerfTimeId", nil},
		{"MultiId is the counter itself, and the type does not use it", putDWORD(regField(items, "MultiId"), 0), "counter[7].MultiId", nil},
		{"the base of a multi timer belongs to another counter", putDWORD(regField(multi, "BaseCounterId"), 3), "counter[6].BaseCounterId", func(c []builder.CounterRegInfo) {
			c[multi].BaseCounterId = nil
		}},
		{"several losses", inOrder(putDWORD(16, 1), putDWORD(regField(frequency, "Reserved"), 9), putDWORD(regField(counts, "PerfTimeId"), 77), putDWORD(regField(counts, "PerfFreqId"), 77), appendZeros),
			"CounterSetType counter[5].Reserved counter[0].PerfTimeId counter[0].PerfFreqId rest", nil},
	} {
		set := registration()
		b, err := set.MarshalBinary()
		if err != nil || len(b) != regSetLen {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		if test.left != nil {
			test.left(set.Counters)
		}
		checkLosses(t, test.reason, test.damage(b), test.path, set, builder.CounterSetRegInfo{DetailLevel: 4711})
	}
	set := registration()
	b, err := set.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	err = new(builder.CounterSetRegInfo).UnmarshalBinary(putDWORD(regField(counts, "BaseCounterId"), 77)(bytes.Clone(b)))
	if want := "counter[0].BaseCounterId at 0x38: is 77, must be the id of a counter of the set"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	// If NumCounters is smaller by 1, decoding drops the last counter. This counter is the base of a timer, so the
	// timer loses its BaseCounterId.
	set.Counters[multi].BaseCounterId, set.Counters = nil, set.Counters[:multiBases]
	checkLosses(t, "a counter that NumCounters does not count", putDWORD(24, multiBases)(b), "counter[6].BaseCounterId rest", set, builder.CounterSetRegInfo{DetailLevel: 4711})
	b, err = averageBase.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	other := builder.CounterRegInfo{CounterId: 4711}
	checkLosses(t, "bytes after a single counter", appendZeros(b), "rest", averageBase, other)
	checkLosses(t, "a reserved field of a single counter", putDWORD(44, 1)(b[:48:48]), "counter[0].Reserved", averageBase, other)
	putDWORD(44, 0)(b)
	checkLosses(t, "a single counter that refers to itself as a base it does not need", putDWORD(24, 3)(b[:48:48]), "counter[0].BaseCounterId", averageBase, other)
}

// registration returns a counter set with all kinds of references between counters.
func registration() builder.CounterSetRegInfo {
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

// These constants are the positions of the counters in the set that registration returns.
const (
	counts, averages, averageBases, elapsed, clock, frequency, multi, items, multiBases = 0, 1, 2, 3, 4, 5, 6, 7, 8

	regSetLen = layout.SizeofCounterSetRegInfo + 9*layout.SizeofCounterRegInfo
)

func TestRegSetRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(s *builder.CounterSetRegInfo, c []builder.CounterRegInfo)
		path   string
		kind   error
	}{
		{"an undefined instance type between two defined ones", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) { s.InstanceType = 3 }, "InstanceType", layout.ErrRange},
		{"an instance type that is only the history flag", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) {
			s.InstanceType = layout.PERF_COUNTERSET_FLAG_HISTORY
		}, "InstanceType", layout.ErrRange},
		{"more counters than a set can have", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) {
			s.Counters = make([]builder.CounterRegInfo, 1<<16+1)
		}, "Counters", builder.ErrTooLarge},
		{"the wildcard id", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].CounterId = 0xFFFFFFFF }, "counter[0].CounterId", layout.ErrRange},
		{"two counters with the same id", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[multiBases].CounterId = 1 }, "counter[8].CounterId", builder.ErrDuplicateID},
		{"an undefined attribute", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].Attrib = 0x20 }, "counter[0].Attrib", layout.ErrRange},
		{"an attribute beyond 32 bits", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].Attrib = 1 << 32 }, "counter[0].Attrib", layout.ErrRange},
		{"a scale too large", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].DefaultScale = 11 }, "counter[0].DefaultScale", layout.ErrRange},
		{"a scale too small", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].DefaultScale = -11 }, "counter[0].DefaultScale", layout.ErrRange},
		{"an undefined aggregate function", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].AggregateFunc = 5 }, "counter[0].AggregateFunc", layout.ErrRange},

		{"no base", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[averages].BaseCounterId = nil }, "counter[1].BaseCounterId", builder.ErrReference},
		{"a base that is not in the set", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[averages].BaseCounterId = new(uint32(77))
		}, "counter[1].BaseCounterId", builder.ErrReference},
		{"a counter that refers to itself as its base", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[averages].BaseCounterId = new(uint32(2))
		}, "counter[1].BaseCounterId", builder.ErrReference},
		{"a base whose type is not a base", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[averages].BaseCounterId = new(uint32(5))
		}, "counter[1].BaseCounterId", builder.ErrReference},
		{"a base that belongs to another counter", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[averages].BaseCounterId = new(uint32(9))
		}, "counter[1].BaseCounterId", builder.ErrReference},
		{"BaseCounterId is 0xFFFFFFFF instead of nil", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[averages].BaseCounterId = new(uint32(0xFFFFFFFF))
		}, "counter[1].BaseCounterId", layout.ErrRange},
		{"a base that the type does not use and the set does not have", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[counts].BaseCounterId = new(uint32(77))
		}, "counter[0].BaseCounterId", builder.ErrReference},
		{"the base of a multi timer belongs to another counter", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[multi].BaseCounterId = new(uint32(3))
		}, "counter[6].BaseCounterId", builder.ErrReference},
		{"no clock", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[elapsed].PerfTimeId = nil }, "counter[3].PerfTimeId", builder.ErrReference},
		{"no frequency", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[elapsed].PerfFreqId = nil }, "counter[3].PerfFreqId", builder.ErrReference},
		{"a clock of 4 bytes", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[elapsed].PerfTimeId = new(uint32(0)) }, "counter[3].PerfTimeId", builder.ErrReference},
		{"a frequency whose type is hexadecimal", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[frequency].Type = layout.PERF_COUNTER_LARGE_RAWCOUNT_HEX
		}, "counter[3].PerfFreqId", builder.ErrReference},
		{"a clock of 4 bytes that the type does not use", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].PerfTimeId = new(uint32(0)) }, "counter[0].PerfTimeId", builder.ErrReference},
		{"a multi timer without MultiId", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[multi].MultiId = nil }, "counter[6].MultiId", builder.ErrReference},
		{"MultiId is a counter of 8 bytes", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[multi].MultiId = new(uint32(5)) }, "counter[6].MultiId", builder.ErrReference},
	} {
		s := registration()
		test.change(&s, s.Counters)
		checkRefused(t, test.reason, s, test.path, test.kind)
	}
	checkRefused(t, "a single counter without BaseCounterId", builder.CounterRegInfo{CounterId: 1, Type: layout.PERF_RAW_FRACTION}, "counter[0].BaseCounterId", builder.ErrReference)
	checkRefused(t, "a single counter that refers to itself as its clock", builder.CounterRegInfo{CounterId: 1, PerfTimeId: new(uint32(1))}, "counter[0].PerfTimeId", builder.ErrReference)
	checkRefused(t, "a single counter with the wildcard id", builder.CounterRegInfo{CounterId: 0xFFFFFFFF}, "counter[0].CounterId", layout.ErrRange)
}

// TestRegSetAllowed checks that encoding accepts the smallest and largest valid values, and values that the
// documentation discourages.
func TestRegSetAllowed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(s *builder.CounterSetRegInfo, c []builder.CounterRegInfo)
	}{
		{"unchanged", func(_ *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) {}},
		{"no counters", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) { s.Counters = nil }},
		{"no GUID", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) { s.CounterSetGuid = layout.GUID{} }},
		{"an instance type that Windows does not support", func(s *builder.CounterSetRegInfo, _ []builder.CounterRegInfo) {
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
		{"an undefined level", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].DetailLevel = 7 }},
		{"the largest id", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].CounterId = 0xFFFFFFFE }},
		{"an undefined type", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].Type = 0xFFFFFFFF }},
		{"all attributes, including some that exclude each other", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].Attrib = 0x1F }},
		{"the bounds of a scale", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[counts].DefaultScale, c[clock].DefaultScale = -10, 10
		}},
		{"an aggregate function for a set with a single instance", func(s *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			s.InstanceType, c[counts].AggregateFunc = layout.PERF_COUNTERSET_SINGLE_INSTANCE, layout.PERF_AGGREGATE_MAX
		}},
		{"a base that the type does not use", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) {
			c[counts].BaseCounterId = new(uint32(5))
		}},
		{"PerfTimeId without PerfFreqId, and the type uses neither", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[counts].PerfTimeId = new(uint32(5)) }},
		{"one counter for clock and frequency", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[elapsed].PerfFreqId = new(uint32(5)) }},
		{"a multi timer without a base", func(_ *builder.CounterSetRegInfo, c []builder.CounterRegInfo) { c[multi].BaseCounterId = nil }},
	} {
		s := registration()
		test.change(&s, s.Counters)
		checkRoundTrip(t, test.reason, s, new(builder.CounterSetRegInfo))
	}
	checkRoundTrip(t, "a single counter whose base is not in the block", averageTimer, new(builder.CounterRegInfo))
}

// TestNeededReferences checks which references each counter type requires. The expected references
// are from MS-PCQ and from the schema of manifests.
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
			checkRefused(t, typ.String(), c, "counter[0]."+field, builder.ErrReference)
			*given[field] = &id
		}
		if _, err := c.MarshalBinary(); err != nil {
			t.Errorf("%v: %v", typ, err)
		}
	}
}

// The expected bytes in the tests of registrations and templates were derived by hand from the
// documentation of perflib.h and from MS-PCQ.

var (
	processors = layout.GUID{Data1: 0xb4fc721a, Data2: 0x0378, Data3: 0x476f, Data4: [8]byte{0x89, 0xba, 0xa5, 0xa7, 0x9f, 0x81, 0x0b, 0x36}}
	provider   = layout.GUID{Data1: 0xf596d30a, Data2: 0xb109, Data3: 0x4248, Data4: [8]byte{0xa6, 0x2f, 0xde, 0xa4, 0x7a, 0x46, 0xe5, 0x05}}
)

const (
	processorsBytes = "1a 72 fc b4 78 03 6f 47 89 ba a5 a7 9f 81 0b 36\n"
	providerBytes   = "0a d3 96 f5 09 b1 48 42 a6 2f de a4 7a 46 e5 05\n"
)

var averageTimer = builder.CounterRegInfo{
	CounterId: 2, Type: layout.PERF_AVERAGE_TIMER, Attrib: layout.PERF_ATTRIB_DISPLAY_AS_REAL,
	DetailLevel: layout.PERF_DETAIL_ADVANCED, BaseCounterId: new(uint32(3)),
}

const averageTimerBytes = `
02 00 00 00  00 04 02 30  08 00 00 00 00 00 00 00   id 2, PERF_AVERAGE_TIMER, DISPLAY_AS_REAL
c8 00 00 00  00 00 00 00  03 00 00 00  ff ff ff ff   advanced, scale 0, base 3, no clock
ff ff ff ff  ff ff ff ff  00 00 00 00  00 00 00 00   nothing of a clock, nor of items; no function, reserved
`

var averageBase = builder.CounterRegInfo{
	CounterId: 3, Type: layout.PERF_AVERAGE_BASE, Attrib: layout.PERF_ATTRIB_NO_DISPLAYABLE,
	DefaultScale: -3, AggregateFunc: layout.PERF_AGGREGATE_TOTAL,
}

const averageBaseBytes = `
03 00 00 00  02 04 03 40  02 00 00 00 00 00 00 00   id 3, PERF_AVERAGE_BASE, NO_DISPLAYABLE
64 00 00 00  fd ff ff ff  ff ff ff ff  ff ff ff ff   novice, scale -3, no base, no clock
ff ff ff ff  ff ff ff ff  01 00 00 00  00 00 00 00   TOTAL, reserved
`

func TestWorkedRegistrations(t *testing.T) {
	t.Parallel()
	set := builder.CounterSetRegInfo{CounterSetGuid: processors, InstanceType: layout.PERF_COUNTERSET_MULTI_INSTANCES, Counters: []builder.CounterRegInfo{averageTimer, averageBase}}
	b := hexBytes(t, processorsBytes+`
00 00 00 00  64 00 00 00  02 00 00 00  02 00 00 00   reserved, novice, 2 counters, MULTI_INSTANCES
`+averageTimerBytes+averageBaseBytes)
	if len(b) != 32+2*48 {
		t.Fatalf("%d bytes typed in", len(b))
	}
	checkEncoding(t, set, b, new(builder.CounterSetRegInfo))
	checkEncoding(t, averageTimer, hexBytes(t, averageTimerBytes), new(builder.CounterRegInfo))
	checkEncoding(t, builder.RegString("Ab"), hexBytes(t, "41 00 62 00 00 00\n"), new(builder.RegString))
	checkEncoding(t, builder.RegString(""), hexBytes(t, "00 00\n"), new(builder.RegString))
	checkEncoding(t, builder.RegGUID(processors), hexBytes(t, processorsBytes), new(builder.RegGUID))
	checkEncoding(t, builder.GUIDs{processors, provider}, hexBytes(t, processorsBytes+providerBytes), new(builder.GUIDs))
	checkEncoding(t, builder.GUIDs(nil), nil, new(builder.GUIDs))
}
