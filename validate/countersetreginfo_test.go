package validate_test

import (
	"slices"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

var someSet = layout.GUID{Data1: 1}

// noCounter is the value of a reference field that refers to no counter.
const noCounter = 0xFFFFFFFF

// registeredCounter returns a valid PERF_COUNTER_REG_INFO without references.
func registeredCounter(id uint32, t layout.CounterType) wire.CounterRegInfo {
	return wire.CounterRegInfo{
		CounterId: id, Type: t, DetailLevel: layout.PERF_DETAIL_NOVICE,
		BaseCounterId: noCounter, PerfTimeId: noCounter, PerfFreqId: noCounter, MultiId: noCounter,
	}
}

// A setRegistration is the registration of a counter set. Tests change it and encode it.
type setRegistration struct {
	wire.CounterSetRegInfo
	c     []wire.CounterRegInfo
	n     int    // added to NumCounters
	cut   int    // bytes removed at the end
	extra []byte // bytes after the end
}

// validRegistration returns a valid registration with every kind of reference.
func validRegistration() *setRegistration {
	s := &setRegistration{CounterSetRegInfo: wire.CounterSetRegInfo{
		CounterSetGuid: someSet, DetailLevel: layout.PERF_DETAIL_ADVANCED, InstanceType: layout.PERF_COUNTERSET_MULTI_INSTANCES,
	}}
	for i, t := range []layout.CounterType{
		layout.PERF_COUNTER_COUNTER, layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BASE, layout.PERF_ELAPSED_TIME,
		layout.PERF_COUNTER_LARGE_RAWCOUNT, layout.PERF_COUNTER_LARGE_RAWCOUNT, layout.PERF_COUNTER_MULTI_TIMER, layout.PERF_COUNTER_RAWCOUNT,
	} {
		s.c = append(s.c, registeredCounter(uint32(i), t))
	}
	s.c[1].BaseCounterId = 2
	s.c[3].PerfTimeId, s.c[3].PerfFreqId = 4, 5
	s.c[6].MultiId = 7
	return s
}

func (s *setRegistration) bytes() []byte {
	s.NumCounters = uint32(len(s.c) + s.n)
	b := s.CounterSetRegInfo.Append(nil)
	for _, c := range s.c {
		b = c.Append(b)
	}
	return append(b[:len(b)-s.cut], s.extra...)
}

// TestRegSets checks the rules of PERF_COUNTERSET_REG_INFO and PERF_COUNTER_REG_INFO.
func TestRegSets(t *testing.T) {
	t.Parallel()
	const size = "v2-reginfo-size NumCounters: NumCounters is "
	for _, tt := range []struct {
		reason string
		change func(s *setRegistration)
		want   []string
	}{
		{"nothing is wrong", func(*setRegistration) {}, nil},

		{"the input is one byte shorter than PERF_COUNTERSET_REG_INFO", func(s *setRegistration) { s.c, s.cut = nil, 1 },
			[]string{"v2-reginfo-size: the input has 31 bytes, must have at least 32, the size of PERF_COUNTERSET_REG_INFO"}},
		{"NumCounters is one too large", func(s *setRegistration) { s.n = 1 },
			[]string{size + "9, must be 8, the number of counters in the input"}},
		{"NumCounters is one too small: the last counter is not checked, and references to it may be valid", func(s *setRegistration) { s.n, s.c[7].Reserved = -1, 1 },
			[]string{size + "7, must be 8, the number of counters in the input"}},
		{"the input ends before the last counter, to which another counter refers", func(s *setRegistration) { s.cut = 48 },
			[]string{size + "8, must be 7, the number of counters in the input"}},
		{"the input ends in the last counter", func(s *setRegistration) { s.cut = 24 },
			[]string{size + "8, must be at most 7, the number of counters that fit into the input"}},
		{"8 bytes follow the last counter", func(s *setRegistration) { s.extra = make([]byte, 8) },
			[]string{"v2-reginfo-size rest: the counters are followed by 8 bytes, must be followed by none"}},
		{"NumCounters is the largest uint32, and the right number is known", func(s *setRegistration) { s.n = -9 },
			[]string{size + "4294967295, must be 8, the number of counters in the input"}},
		{"NumCounters is the largest uint32, and the right number is not known", func(s *setRegistration) { s.n, s.cut = -9, 8 },
			[]string{size + "4294967295, must be at most 7, the number of counters that fit into the input", "v2-reginfo-counter-limit-max NumCounters: NumCounters is 4294967295, must be at most 65536"}},
		{"the set has no counters", func(s *setRegistration) { s.c = nil },
			[]string{"v2-reginfo-no-counters NumCounters: NumCounters is 0, must be at least 1"}},
		{"64,000 counters are allowed", func(s *setRegistration) { s.fill(64_000) }, nil},
		{"64,001 counters are more than the documentation allows", func(s *setRegistration) { s.fill(64_001) },
			[]string{"v2-reginfo-counter-limit NumCounters: NumCounters is 64001, must be at most 64000"}},
		{"65,536 counters are as many as perflib.h allows", func(s *setRegistration) { s.fill(65_536) },
			[]string{"v2-reginfo-counter-limit NumCounters: NumCounters is 65536, must be at most 64000"}},
		{"65,537 counters are more than perflib.h allows", func(s *setRegistration) { s.fill(65_537) },
			[]string{"v2-reginfo-counter-limit-max NumCounters: NumCounters is 65537, must be at most 65536"}},

		{"CounterSetType is not 0", func(s *setRegistration) { s.CounterSetType = 1 },
			[]string{"v2-reginfo-type-zero CounterSetType: CounterSetType is 1, must be 0"}},
		{"DetailLevel of the set and of a counter is not a level of perflib.h", func(s *setRegistration) { s.DetailLevel, s.c[0].DetailLevel = layout.PERF_DETAIL_EXPERT, 0 },
			[]string{
				"v2-reginfo-detail-level DetailLevel: DetailLevel is PERF_DETAIL_EXPERT, must be 100 (PERF_DETAIL_NOVICE) or 200 (PERF_DETAIL_ADVANCED)",
				"v2-reginfo-detail-level counter[0].DetailLevel: DetailLevel is 0, must be 100 (PERF_DETAIL_NOVICE) or 200 (PERF_DETAIL_ADVANCED)",
			}},
		{"InstanceType is not defined, so AggregateFunc is not checked", func(s *setRegistration) { s.InstanceType, s.c[0].AggregateFunc = 8, layout.PERF_AGGREGATE_MAX },
			[]string{"v2-reginfo-instance-type InstanceType: InstanceType is 8, must be 0, 2, 4, 6, 12 or 22"}},
		{"InstanceType 22 is valid and aggregates, although it is unimplemented according to MS-PCQ", func(s *setRegistration) { s.InstanceType, s.c[0].AggregateFunc = 22, layout.PERF_AGGREGATE_MAX }, nil},

		{"three counters have the same id", func(s *setRegistration) {
			s.c[4].CounterId, s.c[6].CounterId, s.c[3] = 0, 0, registeredCounter(3, layout.PERF_COUNTER_TIMER)
		},
			[]string{
				"v2-reginfo-counter-id-duplicate counter[4].CounterId: CounterId is 0, must be unique: counter[0] has this id",
				"v2-reginfo-counter-id-duplicate counter[6].CounterId: CounterId is 0, must be unique: counter[0] has this id",
			}},
		{"two counters have the wildcard id", func(s *setRegistration) { s.c[0].CounterId, s.c[6].CounterId = noCounter, noCounter },
			[]string{
				"v2-reginfo-counter-id-wildcard counter[0].CounterId: CounterId is 0xffffffff, must be another id: 0xffffffff requests all counters",
				"v2-reginfo-counter-id-wildcard counter[6].CounterId: CounterId is 0xffffffff, must be another id: 0xffffffff requests all counters",
			}},
		{"the documentation of perflib.h does not describe PERF_COUNTER_NODATA", func(s *setRegistration) { s.c[0].Type = layout.PERF_COUNTER_NODATA },
			[]string{"v2-reginfo-counter-type counter[0].Type: Type is PERF_COUNTER_NODATA, must be a type that the documentation of perflib.h describes"}},
		{"PERF_COUNTER_TEXT is valid in a manifest", func(s *setRegistration) { s.c[0].Type = layout.PERF_COUNTER_TEXT }, nil},
		{"Attrib has a bit of the upper half that is not a flag", func(s *setRegistration) { s.c[0].Attrib = 1<<32 | layout.PERF_ATTRIB_BY_REFERENCE },
			[]string{"v2-reginfo-attrib-bits counter[0].Attrib: Attrib is PERF_ATTRIB_BY_REFERENCE|0x100000000, must not have the undefined bits 0x100000000"}},
		{"Attrib has PERF_ATTRIB_NO_DISPLAYABLE and a flag of the display format", func(s *setRegistration) { s.c[0].Attrib = 0x02 | 0x10 },
			[]string{"v2-reginfo-attrib-combination counter[0].Attrib: Attrib is PERF_ATTRIB_NO_DISPLAYABLE|PERF_ATTRIB_DISPLAY_AS_HEX, must have no display flag, because PERF_ATTRIB_NO_DISPLAYABLE hides the value"}},
		{"Attrib has the flags of hexadecimal and of decimal numbers", func(s *setRegistration) { s.c[0].Attrib = 0x04 | 0x10 },
			[]string{"v2-reginfo-attrib-combination counter[0].Attrib: Attrib is PERF_ATTRIB_NO_GROUP_SEPARATOR|PERF_ATTRIB_DISPLAY_AS_HEX, must have PERF_ATTRIB_DISPLAY_AS_HEX or the flags for decimal numbers, not both"}},
		{"Attrib has flags that are valid together", func(s *setRegistration) { s.c[0].Attrib = 0x01 | 0x04 | 0x08 }, nil},
		{"DefaultScale may be 10 and -10", func(s *setRegistration) { s.c[0].DefaultScale, s.c[1].DefaultScale = 10, -10 }, nil},
		{"DefaultScale is one too large and one too small", func(s *setRegistration) { s.c[0].DefaultScale, s.c[1].DefaultScale = 11, -11 },
			[]string{"v2-reginfo-scale counter[0].DefaultScale: DefaultScale is 11, must be -10 to 10", "v2-reginfo-scale counter[1].DefaultScale: DefaultScale is -11, must be -10 to 10"}},
		{"AggregateFunc is not defined", func(s *setRegistration) { s.c[0].AggregateFunc = 5 },
			[]string{"v2-reginfo-aggregate-range counter[0].AggregateFunc: AggregateFunc is 5, must be 0 to 4"}},
		{"AggregateFunc is set, and the set does not aggregate", func(s *setRegistration) { s.c[0].AggregateFunc = layout.PERF_AGGREGATE_AVG },
			[]string{"v2-reginfo-aggregate-unused counter[0].AggregateFunc: AggregateFunc is PERF_AGGREGATE_AVG, must be PERF_AGGREGATE_UNDEFINED, because InstanceType of the set is PERF_COUNTERSET_MULTI_INSTANCES"}},
		{"AggregateFunc is set, and the set aggregates", func(s *setRegistration) {
			s.c[0].AggregateFunc, s.InstanceType = layout.PERF_AGGREGATE_MAX, layout.PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY
		}, nil},
		{"Reserved is 1", func(s *setRegistration) { s.c[7].Reserved = 1 },
			[]string{"v2-reginfo-reserved-zero counter[7].Reserved: Reserved is 1, must be 0"}},
	} {
		s := validRegistration()
		tt.change(s)
		expectFindings(t, tt.reason, layout.RegSetKind, s.bytes(), tt.want...)
	}
}

// fill gives the set n valid counters.
func (s *setRegistration) fill(n uint32) {
	s.c = nil
	for i := range n {
		s.c = append(s.c, registeredCounter(i, layout.PERF_COUNTER_RAWCOUNT))
	}
}

// TestRegistrationParts validates inputs that are only one part of a registration: one counter, one
// text or one GUID.
func TestRegistrationParts(t *testing.T) {
	t.Parallel()
	counter := func(change func(c *wire.CounterRegInfo)) []byte {
		c := registeredCounter(3, layout.PERF_AVERAGE_TIMER)
		c.BaseCounterId = 4
		change(&c)
		return c.Append(nil)
	}
	unchanged := func(*wire.CounterRegInfo) {}
	text := func(s string, b ...byte) []byte { return append(text16(s), b...) }
	for _, tt := range []struct {
		reason string
		kind   layout.Kind
		b      []byte
		want   []string
	}{
		{"the base of the counter is not in the buffer", layout.RegCounterKind, counter(unchanged), nil},
		{"the input is one byte shorter than a counter", layout.RegCounterKind, counter(unchanged)[:47], []string{"v2-reginfo-size: the input has 47 bytes, must have at least 48, the size of PERF_COUNTER_REG_INFO"}},
		{"one byte follows the counter", layout.RegCounterKind, append(counter(unchanged), 0), []string{"v2-reginfo-size rest: the structure is followed by 1 byte, must be followed by none"}},
		{"the counter refers to itself as its base", layout.RegCounterKind, counter(func(c *wire.CounterRegInfo) { c.CounterId = 4 }),
			[]string{"v2-reginfo-ref-exists counter[0].BaseCounterId: BaseCounterId is 4, must be the id of another counter"}},
		{"the type requires a base, and the counter has none", layout.RegCounterKind, counter(func(c *wire.CounterRegInfo) { c.BaseCounterId = noCounter }),
			[]string{"v2-reginfo-ref-missing counter[0].BaseCounterId: BaseCounterId is 0xffffffff, must be the id of a PERF_AVERAGE_BASE, because PERF_AVERAGE_TIMER is computed with it"}},
		{"the type does not use MultiId", layout.RegCounterKind, counter(func(c *wire.CounterRegInfo) { c.MultiId = 0 }),
			[]string{"v2-reginfo-ref-unused counter[0].MultiId: MultiId is 0, must be 0xffffffff, because the type PERF_AVERAGE_TIMER does not use MultiId"}},
		{"AggregateFunc is set, and the set is not in the buffer", layout.RegCounterKind, counter(func(c *wire.CounterRegInfo) { c.AggregateFunc = layout.PERF_AGGREGATE_MIN }), nil},
		{"the type may have a base", layout.RegCounterKind, counter(func(c *wire.CounterRegInfo) { c.Type = layout.PERF_SAMPLE_COUNTER }), nil},

		{"a text", layout.RegStringKind, text("Set", 0, 0), nil},
		{"the text may be empty", layout.RegStringKind, text("", 0, 0), nil},
		{"the input is empty", layout.RegStringKind, nil, []string{"v2-reginfo-string-unterminated Text: the text has 0 bytes, must have at least 2, the size of a NUL"}},
		{"the number of bytes is odd", layout.RegStringKind, text("Set", 0, 0, 0), []string{"v2-reginfo-string-unterminated Text: the text has 9 bytes, must have an even number, because each character takes 2 bytes"}},
		{"the text has no NUL", layout.RegStringKind, text("Set"), []string{"v2-reginfo-string-unterminated Text: the 6 bytes of the text end in 74 00, must end in a NUL"}},
		{"the text has a NUL, but not at its end", layout.RegStringKind, text("S\x00t"), []string{"v2-reginfo-string-unterminated Text: the 6 bytes of the text end in 74 00, must end in a NUL"}},
		{"the text has two NULs and ends with the first", layout.RegStringKind, text("Set\x00a", 0, 0), []string{"v2-trailing-bytes rest: the data is followed by 4 bytes, must be followed by none"}},
		{"U+0100 has a zero byte but is not a NUL", layout.RegStringKind, text("\u0100\u0001", 0, 0), nil},

		{"a GUID", layout.RegGUIDKind, wire.GUID(someSet).Append(nil), nil},
		{"the input is one byte shorter than a GUID", layout.RegGUIDKind, make([]byte, 15), []string{"v2-reginfo-size: the input has 15 bytes, must have at least 16, the size of GUID"}},
		{"a second GUID follows", layout.RegGUIDKind, make([]byte, 32), []string{"v2-reginfo-size rest: the structure is followed by 16 bytes, must be followed by none"}},
	} {
		expectFindings(t, tt.reason, tt.kind, slices.Clip(tt.b), tt.want...)
	}
}
