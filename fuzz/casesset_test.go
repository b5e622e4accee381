package fuzz_test

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (c census) regSet(s *builder.CounterSetRegInfo) {
	at := map[uint32]int{}
	for i, k := range s.Counters {
		at[k.CounterId] = i
	}
	for i, k := range s.Counters {
		c.see("no attributes", k.Attrib == 0)
		c.see("scale -10", k.DefaultScale == -10)
		c.see("scale 10", k.DefaultScale == 10)
		c.see("the largest id", k.CounterId == layout.PERF_WILDCARD_COUNTER-1)
		for _, r := range []struct {
			name string
			id   *uint32
		}{{"base", k.BaseCounterId}, {"time", k.PerfTimeId}, {"frequency", k.PerfFreqId}, {"count of items", k.MultiId}} {
			c.see("a reference to the id 0", r.id != nil && *r.id == 0)
			c.see("a "+r.name+" behind its counter", r.id != nil && at[*r.id] > i)
			c.see("a "+r.name+" before it", r.id != nil && at[*r.id] < i)
		}
		c.see("a base that the type does not use", k.BaseCounterId != nil && !k.Type.NeedsBase())
		c.see("a multi timer with a base", k.BaseCounterId != nil && k.Type == layout.PERF_COUNTER_MULTI_TIMER_INV)
		c.see("a multi timer without one", k.BaseCounterId == nil && k.Type == layout.PERF_COUNTER_MULTI_TIMER_INV)
		c.see("one clock for both", k.PerfTimeId != nil && k.PerfFreqId != nil && *k.PerfTimeId == *k.PerfFreqId)
		c.see("two clocks", k.PerfTimeId != nil && k.PerfFreqId != nil && *k.PerfTimeId != *k.PerfFreqId)
		c.see("half a clock", (k.PerfTimeId == nil) != (k.PerfFreqId == nil))
	}
}

func (c census) template(s *builder.CounterSetInfo) {
	c.see("as many counters as there may be", len(s.Counters) == 10)
	for _, k := range s.Counters {
		c.see("no attributes", k.Attrib == 0)
		c.see("Size 4", k.Size == 4)
		c.see("Size 32", k.Size == 32)
		c.see("the largest id", k.CounterId == layout.PERF_WILDCARD_COUNTER-1)
	}
}

func (c census) strings(s *builder.StringBuffer) {
	none := len(s.Entries) > 0
	for i, e := range s.Entries {
		none = none && e.None
		c.see("None after a text", e.None && i > 0 && !s.Entries[i-1].None)
		c.see("an empty text", !e.None && e.Text == "")
		c.see("two strings of one id", i > 0 && e.CounterId == s.Entries[i-1].CounterId)
	}
	c.see("None alone", none)
}
