package validate_test

import (
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A setTemplate is a PERF_COUNTERSET_INFO with its counters. Tests change it and encode it.
type setTemplate struct {
	wire.CounterSetInfo
	c     []wire.CounterInfo
	n     int    // added to NumCounters
	cut   int    // bytes removed at the end
	extra []byte // bytes after the end
}

// validTemplate returns a valid template.
func validTemplate() *setTemplate {
	t := &setTemplate{CounterSetInfo: wire.CounterSetInfo{
		CounterSetGuid: someSet, ProviderGuid: layout.GUID{Data1: 2}, InstanceType: layout.PERF_COUNTERSET_MULTI_INSTANCES,
	}}
	for i, typ := range []layout.CounterType{layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_COUNTER_RAWCOUNT} {
		width, _ := typ.Width()
		t.c = append(t.c, wire.CounterInfo{CounterId: uint32(i), Type: typ, Size: width, DetailLevel: layout.PERF_DETAIL_NOVICE})
	}
	return t
}

func (t *setTemplate) bytes() []byte {
	t.NumCounters = uint32(len(t.c) + t.n)
	b := t.CounterSetInfo.Append(nil)
	for _, c := range t.c {
		b = c.Append(b)
	}
	return append(b[:len(b)-t.cut], t.extra...)
}

func (t *setTemplate) setOffsets(offsets ...uint32) {
	for i, n := range offsets {
		t.c[i].Offset = n
	}
}

// fill gives the template n valid counters.
func (t *setTemplate) fill(n uint32) {
	t.c = nil
	for i := range n {
		t.c = append(t.c, wire.CounterInfo{CounterId: i, Size: 4, DetailLevel: layout.PERF_DETAIL_NOVICE})
	}
}

// TestTemplates checks the rules of PERF_COUNTERSET_INFO and PERF_COUNTER_INFO.
func TestTemplates(t *testing.T) {
	t.Parallel()
	const (
		count  = "NumCounters: NumCounters is "
		offset = ", or be the same in all counters"
	)
	for _, tt := range []struct {
		reason string
		change func(s *setTemplate)
		want   []string
	}{
		{"nothing is wrong", func(*setTemplate) {}, nil},
		{"the input is one byte shorter than PERF_COUNTERSET_INFO", func(s *setTemplate) { s.c, s.cut = nil, 1 },
			[]string{"v2-template-size: the input has 39 bytes, must have at least 40, the size of PERF_COUNTERSET_INFO"}},
		{"NumCounters is one too large", func(s *setTemplate) { s.n = 1 },
			[]string{"v2-template-size " + count + "4, must be at most 3, the number of counters in the input"}},
		{"the input ends in the last counter, and the others are checked", func(s *setTemplate) { s.cut, s.c[0].Scale = 16, 11 },
			[]string{"v2-template-size " + count + "3, must be at most 2, the number of counters in the input", "v2-template-scale counter[0].Scale: Scale is 11, must be -10 to 10"}},
		{"the input ends in the only counter", func(s *setTemplate) { s.c, s.cut = s.c[:1], 1 },
			[]string{"v2-template-size " + count + "1, must be followed by a counter of 32 bytes, but only 31 bytes follow the structure"}},
		{"NumCounters is one too small, which Windows accepts", func(s *setTemplate) { s.n = -1 },
			[]string{"v2-trailing-bytes rest: the data is followed by 32 bytes, must be followed by none"}},
		{"Windows accepts bytes after the last counter", func(s *setTemplate) { s.extra = []byte{1} },
			[]string{"v2-trailing-bytes rest: the data is followed by 1 byte, must be followed by none"}},
		{"the template has no counters", func(s *setTemplate) { s.c = nil },
			[]string{"v2-template-no-counters " + count + "0, must be at least 1"}},
		{"NumCounters is the largest uint32", func(s *setTemplate) { s.n = -4 },
			[]string{"v2-template-size " + count + "4294967295, must be at most 3, the number of counters in the input", "v2-template-limit-max " + count + "4294967295, must be at most 65536"}},
		{"64,000 counters are allowed", func(s *setTemplate) { s.fill(64_000) }, nil},
		{"64,001 counters are more than the documentation allows", func(s *setTemplate) { s.fill(64_001) }, []string{"v2-template-limit " + count + "64001, must be at most 64000"}},
		{"65,536 counters are as many as perflib.h allows", func(s *setTemplate) { s.fill(65_536) }, []string{"v2-template-limit " + count + "65536, must be at most 64000"}},
		{"65,537 counters are more than perflib.h allows", func(s *setTemplate) { s.fill(65_537) }, []string{"v2-template-limit-max " + count + "65537, must be at most 65536"}},

		{"both GUIDs are all zeros", func(s *setTemplate) { s.CounterSetGuid, s.ProviderGuid = layout.GUID{}, layout.GUID{} },
			[]string{
				"v2-template-guid-zero CounterSetGuid: CounterSetGuid is all zeros, must be the GUID of the counter set",
				"v2-template-guid-zero ProviderGuid: ProviderGuid is all zeros, must be the GUID of the provider",
			}},
		{"a GUID with only its last byte set is valid", func(s *setTemplate) { s.ProviderGuid = layout.GUID{Data4: [8]byte{7: 1}} }, nil},
		{"InstanceType is not a defined combination of flags", func(s *setTemplate) { s.InstanceType = 14 },
			[]string{"v2-template-instance-type InstanceType: InstanceType is 14, must be 0, 2, 4, 6, 12 or 22"}},

		{"two counters have the same id", func(s *setTemplate) { s.c[2].CounterId = 0 },
			[]string{"v2-template-duplicate-id counter[2].CounterId: CounterId is 0, must be unique: counter[0] has this id"}},
		{"two counters have the wildcard id", func(s *setTemplate) { s.c[1].CounterId, s.c[2].CounterId = noCounter, noCounter },
			[]string{
				"v2-template-duplicate-id counter[1].CounterId: CounterId is 0xffffffff, must be another id: 0xffffffff requests all counters",
				"v2-template-duplicate-id counter[2].CounterId: CounterId is 0xffffffff, must be another id: 0xffffffff requests all counters",
			}},
		{"the type is unknown", func(s *setTemplate) { s.c[0].Type++ },
			[]string{"v2-template-type counter[0].Type: Type is 0x10410401, must be a type that the documentation of perflib.h describes"}},
		{"Attrib has a bit that is not a flag", func(s *setTemplate) { s.c[0].Attrib = 0x20 },
			[]string{"v2-template-attrib-bits counter[0].Attrib: Attrib is 0x20, must not have the undefined bits 0x20"}},
		{"Attrib has the flags of hexadecimal and of real numbers", func(s *setTemplate) { s.c[0].Attrib = 0x18 },
			[]string{"v2-template-attrib-combination counter[0].Attrib: Attrib is PERF_ATTRIB_DISPLAY_AS_REAL|PERF_ATTRIB_DISPLAY_AS_HEX, must have PERF_ATTRIB_DISPLAY_AS_HEX or the flags for decimal numbers, not both"}},
		{"DetailLevel is a level of winperf.h that perflib.h does not have", func(s *setTemplate) { s.c[0].DetailLevel = layout.PERF_DETAIL_WIZARD },
			[]string{"v2-template-detail-level counter[0].DetailLevel: DetailLevel is PERF_DETAIL_WIZARD, must be 100 (PERF_DETAIL_NOVICE) or 200 (PERF_DETAIL_ADVANCED)"}},
		{"Scale is -3, which generated code writes as 4294967293", func(s *setTemplate) { s.c[0].Scale = -3 }, nil},
		{"Scale is a factor instead of an exponent", func(s *setTemplate) { s.c[0].Scale = 100 },
			[]string{"v2-template-scale counter[0].Scale: Scale is 100, must be -10 to 10"}},

		{"Size is the size of PERF_COUNTER_INFO, which Windows accepts", func(s *setTemplate) { s.c[0].Size, s.c[1].Size = 32, 32 }, nil},
		{"Size is twice the width of the type", func(s *setTemplate) { s.c[0].Size = 8 },
			[]string{"v2-template-counter-size counter[0].Size: Size is 8, must be 4, the width of PERF_COUNTER_COUNTER"}},
		{"Size is half the width of the type", func(s *setTemplate) { s.c[1].Size = 4 },
			[]string{"v2-template-counter-size counter[1].Size: Size is 4, must be 8, the width of PERF_COUNTER_BULK_COUNT"}},
		{"Size is 0", func(s *setTemplate) { s.c[1].Size = 0 },
			[]string{"v2-template-counter-size counter[1].Size: Size is 0, must be 8, the width of PERF_COUNTER_BULK_COUNT"}},
		{"Size of a counter by reference is 8, the size of an address", func(s *setTemplate) { s.c[0].Size, s.c[0].Attrib = 8, layout.PERF_ATTRIB_BY_REFERENCE }, nil},
		{"Size of a text is 4", func(s *setTemplate) { s.c[0].Size, s.c[0].Type = 4, layout.PERF_COUNTER_TEXT }, nil},
		{"Size of a text is 12, which no value has", func(s *setTemplate) { s.c[0].Size, s.c[0].Type = 12, layout.PERF_COUNTER_TEXT },
			[]string{"v2-template-counter-size counter[0].Size: Size is 12, must be 0, 4, 8 or 32"}},
		{"Size of a text is 0", func(s *setTemplate) { s.c[0].Size, s.c[0].Type = 0, layout.PERF_COUNTER_TEXT }, nil},

		{"all counters have the same Offset, which may be any", func(s *setTemplate) { s.setOffsets(0xdeadbeef, 0xdeadbeef, 0xdeadbeef) }, nil},
		{"Offsets are multiples of 8 in any order", func(s *setTemplate) { s.setOffsets(8, 0, 24) }, nil},
		{"one Offset is not a multiple of 8", func(s *setTemplate) { s.setOffsets(0, 4, 12) },
			[]string{"v2-template-offset counter[1].Offset: Offset is 4, must be a multiple of 8" + offset}},
		{"two counters have the same Offset, and the third has another Offset", func(s *setTemplate) { s.setOffsets(0, 8, 8) },
			[]string{"v2-template-offset counter[2].Offset: Offset is 8, must differ from Offset of counter[1]" + offset}},
		{"the Offset of the only counter may be any", func(s *setTemplate) { s.c = s.c[:1]; s.setOffsets(3) }, nil},
	} {
		s := validTemplate()
		tt.change(s)
		expectFindings(t, tt.reason, layout.TemplateKind, s.bytes(), tt.want...)
	}
}
