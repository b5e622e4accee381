package validate_test

import (
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A setTemplate is a template that a test changes before it is encoded.
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

// at sets the offsets of the counters.
func (t *setTemplate) at(offsets ...uint32) {
	for i, n := range offsets {
		t.c[i].Offset = n
	}
}

func (t *setTemplate) fill(n uint32) {
	t.c = nil
	for i := range n {
		t.c = append(t.c, wire.CounterInfo{CounterId: i, Size: 4, DetailLevel: layout.PERF_DETAIL_NOVICE})
	}
}

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
		{"less than the structure", func(s *setTemplate) { s.c, s.cut = nil, 1 },
			[]string{"v2-template-size: the input has 39 bytes, must have at least 40"}},
		{"one counted that is not there", func(s *setTemplate) { s.n = 1 },
			[]string{"v2-template-size " + count + "4, must be at most 3, for which there is room"}},
		{"half of the last is cut off, and the others are checked", func(s *setTemplate) { s.cut, s.c[0].Scale = 16, 11 },
			[]string{"v2-template-size " + count + "3, must be at most 2, for which there is room", "v2-template-scale counter[0].Scale: Scale is 11, must be -10 to 10"}},
		{"one there that is not counted, which Windows takes", func(s *setTemplate) { s.n = -1 },
			[]string{"v2-trailing-bytes rest: the data is followed by 32 bytes, must be none"}},
		{"a few bytes after the last, which Windows accepts", func(s *setTemplate) { s.extra = []byte{1} },
			[]string{"v2-trailing-bytes rest: the data is followed by 1 byte, must be none"}},
		{"no counters", func(s *setTemplate) { s.c = nil },
			[]string{"v2-template-no-counters " + count + "0, must be at least 1"}},
		{"the greatest count there is", func(s *setTemplate) { s.n = -4 },
			[]string{"v2-template-size " + count + "4294967295, must be at most 3, for which there is room", "v2-template-limit-max " + count + "4294967295, must be at most 65536"}},
		{"as many as may be", func(s *setTemplate) { s.fill(64_000) }, nil},
		{"one more than is sure", func(s *setTemplate) { s.fill(64_001) }, []string{"v2-template-limit " + count + "64001, must be at most 64000"}},
		{"as many as the header allows", func(s *setTemplate) { s.fill(65_536) }, []string{"v2-template-limit " + count + "65536, must be at most 64000"}},
		{"one more than that", func(s *setTemplate) { s.fill(65_537) }, []string{"v2-template-limit-max " + count + "65537, must be at most 65536"}},

		{"neither GUID was filled in", func(s *setTemplate) { s.CounterSetGuid, s.ProviderGuid = layout.GUID{}, layout.GUID{} },
			[]string{
				"v2-template-guid-zero CounterSetGuid: CounterSetGuid is all zeros, must be the GUID of the counter set",
				"v2-template-guid-zero ProviderGuid: ProviderGuid is all zeros, must be the GUID of the provider",
			}},
		{"the last byte of a GUID is enough", func(s *setTemplate) { s.ProviderGuid = layout.GUID{Data4: [8]byte{7: 1}} }, nil},
		{"flags that are no type", func(s *setTemplate) { s.InstanceType = 14 },
			[]string{"v2-template-instance-type InstanceType: InstanceType is 14, must be 0, 2, 4, 6, 12 or 22"}},

		{"an id for the second time", func(s *setTemplate) { s.c[2].CounterId = 0 },
			[]string{"v2-template-duplicate-id counter[2].CounterId: CounterId is 0, must be unique: counter[0] has this id"}},
		{"the id that asks for all, twice", func(s *setTemplate) { s.c[1].CounterId, s.c[2].CounterId = noCounter, noCounter },
			[]string{
				"v2-template-duplicate-id counter[1].CounterId: CounterId is 0xffffffff, must be another id: this one asks for all counters",
				"v2-template-duplicate-id counter[2].CounterId: CounterId is 0xffffffff, must be another id: this one asks for all counters",
			}},
		{"an unknown type", func(s *setTemplate) { s.c[0].Type++ },
			[]string{"v2-template-type counter[0].Type: Type is 0x10410401, must be a type that the documentation of perflib.h describes"}},
		{"a bit that is no flag", func(s *setTemplate) { s.c[0].Attrib = 0x20 },
			[]string{"v2-template-attrib-bits counter[0].Attrib: Attrib is 0x20, must not have the bits 0x20, which mean nothing"}},
		{"hexadecimal and real", func(s *setTemplate) { s.c[0].Attrib = 0x18 },
			[]string{"v2-template-attrib-combination counter[0].Attrib: Attrib is PERF_ATTRIB_DISPLAY_AS_REAL|PERF_ATTRIB_DISPLAY_AS_HEX, must have PERF_ATTRIB_DISPLAY_AS_HEX or the flags of decimal numbers, not both"}},
		{"a level of winperf.h", func(s *setTemplate) { s.c[0].DetailLevel = layout.PERF_DETAIL_WIZARD },
			[]string{"v2-template-detail-level counter[0].DetailLevel: DetailLevel is PERF_DETAIL_WIZARD, must be PERF_DETAIL_NOVICE, which is 100, or PERF_DETAIL_ADVANCED, which is 200"}},
		{"a scale that generated code writes as 4294967293", func(s *setTemplate) { s.c[0].Scale = -3 }, nil},
		{"a factor", func(s *setTemplate) { s.c[0].Scale = 100 },
			[]string{"v2-template-scale counter[0].Scale: Scale is 100, must be -10 to 10"}},

		{"the size of the structure, which Windows takes", func(s *setTemplate) { s.c[0].Size, s.c[1].Size = 32, 32 }, nil},
		{"twice the width", func(s *setTemplate) { s.c[0].Size = 8 },
			[]string{"v2-template-counter-size counter[0].Size: Size is 8, must be 4, the bytes of a PERF_COUNTER_COUNTER"}},
		{"half of it", func(s *setTemplate) { s.c[1].Size = 4 },
			[]string{"v2-template-counter-size counter[1].Size: Size is 4, must be 8, the bytes of a PERF_COUNTER_BULK_COUNT"}},
		{"no width", func(s *setTemplate) { s.c[1].Size = 0 },
			[]string{"v2-template-counter-size counter[1].Size: Size is 0, must be 8, the bytes of a PERF_COUNTER_BULK_COUNT"}},
		{"the size of an address", func(s *setTemplate) { s.c[0].Size, s.c[0].Attrib = 8, layout.PERF_ATTRIB_BY_REFERENCE }, nil},
		{"of a text any size that values have", func(s *setTemplate) { s.c[0].Size, s.c[0].Type = 4, layout.PERF_COUNTER_TEXT }, nil},
		{"of a text a size that no value has", func(s *setTemplate) { s.c[0].Size, s.c[0].Type = 12, layout.PERF_COUNTER_TEXT },
			[]string{"v2-template-counter-size counter[0].Size: Size is 12, must be 0, 4, 8 or 32"}},
		{"a text has no size", func(s *setTemplate) { s.c[0].Size, s.c[0].Type = 0, layout.PERF_COUNTER_TEXT }, nil},

		{"the same offset, whatever it is", func(s *setTemplate) { s.at(0xdeadbeef, 0xdeadbeef, 0xdeadbeef) }, nil},
		{"places of 8 bytes, in any order", func(s *setTemplate) { s.at(8, 0, 24) }, nil},
		{"places of 4 bytes", func(s *setTemplate) { s.at(0, 4, 12) },
			[]string{"v2-template-offset counter[1].Offset: Offset is 4, must be a multiple of 8" + offset}},
		{"a place for two", func(s *setTemplate) { s.at(0, 8, 8) },
			[]string{"v2-template-offset counter[2].Offset: Offset is 8, must differ from that of counter[1]" + offset}},
		{"one counter is anywhere", func(s *setTemplate) { s.c = s.c[:1]; s.at(3) }, nil},
	} {
		s := validTemplate()
		tt.change(s)
		expectFindings(t, tt.reason, layout.TemplateKind, s.bytes(), tt.want...)
	}
}
