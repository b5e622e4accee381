package builder_test

import (
	"math"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// template returns the CounterSetInfo of a provider with two counters.
func template() builder.CounterSetInfo {
	return *builder.NewCounterSetInfo(processors, provider, layout.PERF_COUNTERSET_MULTI_INSTANCES).
		Counter(1, layout.PERF_COUNTER_COUNTER).
		Counter(2, layout.PERF_COUNTER_LARGE_RAWCOUNT)
}

func TestCounterSetInfoRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(t *builder.CounterSetInfo)
		path   string
		kind   error
	}{
		{"no counters, which Windows refuses", func(t *builder.CounterSetInfo) { t.Counters = nil }, "Counters", builder.ErrCount},
		{"more counters than a set can have", func(t *builder.CounterSetInfo) { t.Counters = make([]builder.CounterInfo, 1<<16+1) }, "Counters", builder.ErrTooLarge},
		{"an instance type that is only a flag", func(t *builder.CounterSetInfo) { t.InstanceType = layout.PERF_COUNTERSET_FLAG_INSTANCE }, "InstanceType", layout.ErrRange},
		{"the wildcard id", func(t *builder.CounterSetInfo) { t.Counters[1].CounterId = 0xFFFFFFFF }, "counter[1].CounterId", layout.ErrRange},
		{"two counters with the same id", func(t *builder.CounterSetInfo) { t.Counters[1].CounterId = 1 }, "counter[1].CounterId", builder.ErrDuplicateID},
		{"an undefined attribute", func(t *builder.CounterSetInfo) { t.Counters[1].Attrib = 1 << 63 }, "counter[1].Attrib", layout.ErrRange},
		{"a scale too large", func(t *builder.CounterSetInfo) { t.Counters[1].Scale = 11 }, "counter[1].Scale", layout.ErrRange},
		{"a scale too small", func(t *builder.CounterSetInfo) { t.Counters[0].Scale = math.MinInt32 }, "counter[0].Scale", layout.ErrRange},
	} {
		s := template()
		test.change(&s)
		checkRefused(t, test.reason, s, test.path, test.kind)
	}
}

func TestCounterSetInfoAllowed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(t *builder.CounterSetInfo)
	}{
		{"unchanged", func(*builder.CounterSetInfo) {}},
		{"as many counters as a set can have", func(t *builder.CounterSetInfo) {
			t.Counters = make([]builder.CounterInfo, 1<<16)
			for i := range t.Counters {
				t.Counters[i].CounterId = uint32(i)
			}
		}},
		{"no GUIDs", func(t *builder.CounterSetInfo) { t.CounterSetGuid, t.ProviderGuid = layout.GUID{}, layout.GUID{} }},
		{"a size that is not the size of a value, and that Windows accepts", func(t *builder.CounterSetInfo) { t.Counters[0].Size = 32 }},
		{"the largest size", func(t *builder.CounterSetInfo) { t.Counters[0].Size = math.MaxUint32 }},
		{"an Offset, which Windows ignores", func(t *builder.CounterSetInfo) { t.Counters[0].Offset = 0xdeadbeef }},
		{"a text, which has no size", func(t *builder.CounterSetInfo) { t.Counters[0].Type = layout.PERF_COUNTER_TEXT }},
		{"a counter without a value, which has no size", func(t *builder.CounterSetInfo) { t.Counters[0].Type = layout.PERF_COUNTER_NODATA }},
		{"a fraction, whose base a template does not name", func(t *builder.CounterSetInfo) { t.Counters[0].Type = layout.PERF_RAW_FRACTION }},
		{"a level of V1", func(t *builder.CounterSetInfo) { t.Counters[0].DetailLevel = layout.PERF_DETAIL_EXPERT }},
		{"the bounds of a scale", func(t *builder.CounterSetInfo) { t.Counters[0].Scale, t.Counters[1].Scale = -10, 10 }},
	} {
		s := template()
		test.change(&s)
		checkRoundTrip(t, test.reason, s, new(builder.CounterSetInfo))
	}
}

// templateField returns the offset of a field of counter i in an encoded CounterSetInfo.
func templateField(i int, field string) int {
	return layout.SizeofCounterSetInfo + layout.SizeofCounterInfo*i + int(layout.PERF_COUNTER_INFO.Field(field).At)
}

func TestCounterSetInfoLosses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		left   func(c []builder.CounterInfo)
	}{
		{"bytes after the last counter, which Windows accepts", appendZeros, "rest", nil},
		{"a size of 0, which is that of the type", putDWORD(templateField(1, "Size"), 0), "counter[1].Size", nil},
		{"a level of 0", putDWORD(templateField(1, "DetailLevel"), 0), "counter[1].DetailLevel", nil},
		{"a scale too small", putDWORD(templateField(1, "Scale"), 0xFFFFFFF5), "counter[1].Scale", nil},
		{"undefined attributes", putDWORD(templateField(1, "Attrib"), 0x101), "counter[1].Attrib", func(c []builder.CounterInfo) {
			c[1].Attrib = layout.PERF_ATTRIB_BY_REFERENCE
		}},
	} {
		set := template()
		b, err := set.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if test.left != nil {
			test.left(set.Counters)
		}
		checkLosses(t, test.reason, test.damage(b), test.path, set, builder.CounterSetInfo{InstanceType: 22})
	}
}

// TestCounterSetInfoBytes checks that a template encodes to the expected bytes, and that the bytes
// decode to the same template.
func TestCounterSetInfoBytes(t *testing.T) {
	t.Parallel()
	checkEncoding(t, builder.CounterSetInfo{
		CounterSetGuid: processors, ProviderGuid: provider, InstanceType: layout.PERF_COUNTERSET_MULTI_AGGREGATE,
		Counters: []builder.CounterInfo{
			{CounterId: 1, Type: layout.PERF_COUNTER_COUNTER},
			{
				CounterId: 2, Type: layout.PERF_COUNTER_LARGE_RAWCOUNT, Attrib: layout.PERF_ATTRIB_BY_REFERENCE | layout.PERF_ATTRIB_DISPLAY_AS_HEX,
				DetailLevel: layout.PERF_DETAIL_ADVANCED, Scale: -3, Offset: 8,
			},
			{CounterId: 0, Type: layout.PERF_COUNTER_RAWCOUNT, Size: 8},
		},
	}, hexBytes(t, processorsBytes+providerBytes+`
03 00 00 00  06 00 00 00                             3 counters, MULTI_AGGREGATE
01 00 00 00  00 04 41 10  00 00 00 00 00 00 00 00   id 1, PERF_COUNTER_COUNTER
04 00 00 00  64 00 00 00  00 00 00 00  00 00 00 00   4 bytes, novice
02 00 00 00  00 01 01 00  11 00 00 00 00 00 00 00   id 2, PERF_COUNTER_LARGE_RAWCOUNT, by reference, hex
08 00 00 00  c8 00 00 00  fd ff ff ff  08 00 00 00   8 bytes, advanced, scale -3, an offset that does not count
00 00 00 00  00 00 01 00  00 00 00 00 00 00 00 00   id 0, PERF_COUNTER_RAWCOUNT
08 00 00 00  64 00 00 00  00 00 00 00  00 00 00 00   the 8 bytes of a pointer
`), new(builder.CounterSetInfo))
}
