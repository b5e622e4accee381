package fuzz_test

import (
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (p *prediction) setCounter(family string, at layout.Path, t layout.CounterType, a layout.Attrib, level layout.DetailLevel) {
	if undocumented(t) {
		p.add(family+"type", at.Field("Type"))
	}
	if oddLevel(level) {
		p.add(family+"detail-level", at.Field("DetailLevel"))
	}
	flags := a &^ layout.PERF_ATTRIB_BY_REFERENCE
	hex := flags&layout.PERF_ATTRIB_DISPLAY_AS_HEX != 0
	if hidden := flags&layout.PERF_ATTRIB_NO_DISPLAYABLE != 0; hidden && flags != layout.PERF_ATTRIB_NO_DISPLAYABLE || !hidden && hex && flags != layout.PERF_ATTRIB_DISPLAY_AS_HEX {
		p.add(family+"attrib-combination", at.Field("Attrib"))
	}
}

func undocumented(t layout.CounterType) bool {
	return !t.Predefined() || t == layout.PERF_COUNTER_NODATA || t == layout.PERF_COUNTER_HISTOGRAM_TYPE
}

// oddLevel reports whether a level is none of perflib.h; 0 is written as 100.
func oddLevel(l layout.DetailLevel) bool { return l != 0 && l != 100 && l != 200 }

func (p *prediction) regSet(s *builder.CounterSetRegInfo) {
	here := layout.Path{}
	if len(s.Counters) == 0 {
		p.add("v2-reginfo-no-counters", here.Field("NumCounters"))
	}
	if oddLevel(s.DetailLevel) {
		p.add("v2-reginfo-detail-level", here.Field("DetailLevel"))
	}
	var clock, freq *uint32
	uniform := true
	for i := range s.Counters {
		c := &s.Counters[i]
		p.regCounter(i, c, s)
		if (setNeeds[c.Type].clock || undocumented(c.Type)) && c.PerfTimeId != nil && c.PerfFreqId != nil && uniform {
			at := here.At("counter", i)
			switch {
			case clock == nil:
				clock, freq = c.PerfTimeId, c.PerfFreqId
			case *clock != *c.PerfTimeId:
				p.add("v2-reginfo-time-freq-uniform", at.Field("PerfTimeId"))
				uniform = false
			case *freq != *c.PerfFreqId:
				p.add("v2-reginfo-time-freq-uniform", at.Field("PerfFreqId"))
				uniform = false
			}
		}
	}
}

// A setNeed says what counters of a type refer to: a base, which they need or may have,
// a clock with its frequency, a number of items.
type setNeed struct {
	base, mayBase layout.CounterType
	clock, items  bool
}

var setNeeds = map[layout.CounterType]setNeed{
	0x20C20400: {base: 0x40030401}, 0x00410400: {mayBase: 0x40030401},
	0x30020400: {base: 0x40030402}, 0x40020500: {base: 0x40030402},
	0x20020400: {base: 0x40030403}, 0x20020500: {base: 0x40030500},
	0x20470500: {base: 0x40030500}, 0x20570500: {base: 0x40030500},
	0x20670500: {clock: true, mayBase: 0x40030500},
	0x00650500: {clock: true}, 0x20610500: {clock: true}, 0x30240500: {clock: true},
	0x22410500: {items: true, mayBase: 0x42030500}, 0x23410500: {items: true, base: 0x42030500},
	0x22510500: {items: true, mayBase: 0x42030500}, 0x23510500: {items: true, mayBase: 0x42030500},
}

// regCounter predicts what is said of a counter of a set, or of one that is alone.
func (p *prediction) regCounter(i int, c *builder.CounterRegInfo, s *builder.CounterSetRegInfo) {
	const family = "v2-reginfo-"
	at := layout.Path{}.At("counter", i)
	var own prediction
	own.setCounter(family, at, c.Type, c.Attrib, c.DetailLevel)
	for _, said := range own.list {
		if said.rule == family+"type" {
			said.rule = family + "counter-type"
		}
		p.list = append(p.list, said)
	}
	if s != nil && s.InstanceType&layout.PERF_COUNTERSET_FLAG_AGGREGATE == 0 && c.AggregateFunc != 0 {
		p.add(family+"aggregate-unused", at.Field("AggregateFunc"))
	}
	need, known := setNeeds[c.Type], !undocumented(c.Type)
	if c.Type == layout.PERF_COUNTER_MULTI_TIMER_INV && c.BaseCounterId == nil {
		p.add(family+"ref-missing-multi", at.Field("BaseCounterId"))
	}
	unused := func(field string) { p.add(family+"ref-unused", at.Field(field)) }
	if c.BaseCounterId != nil && known && need.base == 0 && (need.mayBase == 0 || s != nil && typeOf(s, *c.BaseCounterId) != need.mayBase) {
		unused("BaseCounterId")
	}
	switch {
	case need.clock:
	case c.PerfTimeId != nil && c.PerfFreqId == nil:
		p.add(family+"time-freq-pair", at.Field("PerfFreqId"))
	case c.PerfTimeId == nil && c.PerfFreqId != nil:
		p.add(family+"time-freq-pair", at.Field("PerfTimeId"))
	case c.PerfTimeId != nil && known:
		unused("PerfTimeId")
		unused("PerfFreqId")
	}
	if c.MultiId != nil && known && !need.items {
		unused("MultiId")
	}
}

func typeOf(s *builder.CounterSetRegInfo, id uint32) layout.CounterType {
	return s.Counters[slices.IndexFunc(s.Counters, func(c builder.CounterRegInfo) bool { return c.CounterId == id })].Type
}

func (p *prediction) template(t *builder.CounterSetInfo) {
	here := layout.Path{}
	if t.CounterSetGuid == (layout.GUID{}) {
		p.add("v2-template-guid-zero", here.Field("CounterSetGuid"))
	}
	if t.ProviderGuid == (layout.GUID{}) {
		p.add("v2-template-guid-zero", here.Field("ProviderGuid"))
	}
	offsets := map[uint32]bool{}
	odd := -1
	for i, c := range t.Counters {
		at := here.At("counter", i)
		p.setCounter("v2-template-", at, c.Type, c.Attrib, c.DetailLevel)
		width := [...]uint32{4, 8, 0, 0}[c.Type>>8&3]
		byReference := c.Attrib&1 != 0 && c.Size == 8
		if width == 0 && c.Size == 4 || width == 0 && c.Size == 8 {
			byReference = true // which is as good
		}
		if c.Size != 0 && c.Size != width && c.Size != 32 && !byReference {
			p.add("v2-template-counter-size", at.Field("Size"))
		}
		if odd < 0 && (offsets[c.Offset] || c.Offset%8 != 0) {
			odd = i
		}
		offsets[c.Offset] = true
	}
	if odd >= 0 && len(offsets) > 1 {
		p.add("v2-template-offset", here.At("counter", odd).Field("Offset"))
	}
}
