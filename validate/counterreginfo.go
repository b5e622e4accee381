package validate

import (
	"github.com/perfblock/perfblock/layout"
)

// A counterRegInfo is the registration of a counter.
type counterRegInfo struct {
	layout.CounterRegInfo
	set   *counterSetRegInfo // nil if it stands alone
	index int64
	off   int64
}

var onCounterRegInfo = subjectsIn[*counterRegInfo](layout.RegSetKind, layout.RegCounterKind)

func (c *counterRegInfo) path() layout.Path { return layout.Path{}.At("counter", int(c.index)) }

func (*counterRegInfo) record() *layout.Record { return &layout.PERF_COUNTER_REG_INFO }

func (c *counterRegInfo) start() int64 { return c.off }

var counterRegInfoRules = []*Rule{
	{
		ID: "PERF2809", Name: "v2-reginfo-counter-id-duplicate", Severity: Error, Since: "v0.1.0",
		Doc:     "no two counters of a registered counter set have the same CounterId",
		Why:     "Queries, results and references identify a counter by its id alone, so one of the two is never found.",
		Fix:     "Give each counter of the set its own id.",
		Sources: []Source{counterXML, of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check:   about(onCounterRegInfo.check(regIDDuplicate), layout.RegSetKind),
	},
	{
		ID: "PERF2810", Name: "v2-reginfo-counter-id-wildcard", Severity: Error, Since: "v0.1.0",
		Doc:     "CounterId of a registered counter is not 0xffffffff",
		Why:     "0xffffffff is PERF_WILDCARD_COUNTER, which requests all counters of a set. No query or reference can name this counter.",
		Fix:     "Give the counter another id.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "CounterId"), pcqRegCounter},
		check:   onCounterRegInfo.check(regIDWildcard),
	},
	{
		ID: "PERF2811", Name: "v2-reginfo-counter-type", Severity: Warning, Since: "v0.1.0",
		Doc:     "Type of a registered counter is one that a manifest can declare",
		Why:     "Consumers compute values of the documented types. For other types they show the raw value or nothing.",
		Fix:     "Choose the documented type that has the wanted computation.",
		Sources: []Source{counterXML, pcqRegCounter},
		check:   onCounterRegInfo.check(regCounterType),
	},
	{
		ID: "PERF2812", Name: "v2-reginfo-attrib-bits", Severity: Error, Since: "v0.1.0",
		Doc:     "Attrib of a registered counter has no bits except the five flags",
		Why:     "Only the bits of 0x1f are defined. Other bits mean that the 64-bit field was written as two fields or at another offset.",
		Fix:     "Write the wanted flags, and 0 into the upper half.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "Attrib"), pcqRegCounter},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.setAttrib(c, c.Attrib()) }),
	},
	{
		ID: "PERF2813", Name: "v2-reginfo-attrib-combination", Severity: Warning, Since: "v0.1.0",
		Doc:     "PERF_ATTRIB_NO_DISPLAYABLE is not combined with display flags, and PERF_ATTRIB_DISPLAY_AS_HEX not with flags for decimal numbers",
		Why:     "The documents differ on which of two such flags has priority, so consumers show the value differently.",
		Fix:     "Keep only the flag that you want.",
		Sources: []Source{pcqRegCounter, of(&layout.PERF_COUNTER_REG_INFO, "Attrib")},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.setShown(c, c.Attrib()) }),
	},
	{
		ID: "PERF2814", Name: "v2-reginfo-scale", Severity: Error, Since: "v0.1.0",
		Doc:     "DefaultScale of a registered counter is -10 to 10",
		Why:     "DefaultScale is the power of ten by which a graph scales the value. A manifest with another value is refused.",
		Fix:     "Write the exponent, not the factor: 0 for the value as it is.",
		Sources: []Source{pcqRegCounter, counterXML},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.setScale(c, "DefaultScale", c.DefaultScale()) }),
	},
	{
		ID: "PERF2815", Name: "v2-reginfo-aggregate-range", Severity: Error, Since: "v0.1.0",
		Doc:     "AggregateFunc is 0 to 4",
		Why:     "AggregateFunc selects how the values of several instances are combined: undefined, total, average, minimum or maximum. Other values are undefined.",
		Fix:     "Write one of the PERF_AGGREGATE constants.",
		Sources: []Source{pcqRegCounter, of(&layout.PERF_COUNTER_REG_INFO, "AggregateFunc")},
		check:   onCounterRegInfo.check(regAggregateRange),
	},
	{
		ID: "PERF2816", Name: "v2-reginfo-aggregate-unused", Severity: Info, Since: "v0.1.0",
		Doc:     "AggregateFunc is 0 in a counter set whose InstanceType does not aggregate",
		Why:     "The field has no effect: instances of such a set are never combined. The InstanceType may be wrong.",
		Fix:     "Write PERF_AGGREGATE_UNDEFINED, or an InstanceType that aggregates.",
		Sources: []Source{counterXML, of(&layout.PERF_COUNTER_REG_INFO, "AggregateFunc")},
		check:   about(onCounterRegInfo.check(regAggregateUnused), layout.RegSetKind),
	},
	{
		ID: "PERF2817", Name: "v2-reginfo-reserved-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "Reserved of a registered counter is 0",
		Why:     "Writers must write 0, so that a later version can define the field. Another value may be leftover memory.",
		Fix:     "Write 0.",
		Sources: []Source{pcqRegCounter, of(&layout.PERF_COUNTER_REG_INFO, "Reserved")},
		check:   onCounterRegInfo.check(regReserved),
	},
}

func (p *pass) checkCounterRegInfo(s *counterSetRegInfo, i, off int64) {
	c := &p.counterRegInfo
	*c = counterRegInfo{layout.CounterRegInfo{Span: layout.NewSpan(p.b[off:off+counterRegInfoSize], off)}, s, i, off}
	onCounterRegInfo.holds(p, c)
	p.detailed(c, c.DetailLevel())
}

func regIDDuplicate(p *pass, c *counterRegInfo) {
	if id := c.CounterId(); c.set != nil && id != layout.PERF_WILDCARD_COUNTER {
		if first := p.rowOf(id); first != c.index {
			p.field(c, "CounterId", id, "must be unique: counter[%d] has this id", first)
		}
	}
}

func regIDWildcard(p *pass, c *counterRegInfo) {
	if c.CounterId() == layout.PERF_WILDCARD_COUNTER {
		p.field(c, "CounterId", "0xffffffff", "must be another id: this one asks for all counters")
	}
}

func regCounterType(p *pass, c *counterRegInfo) { p.setType(c, c.Type()) }

func regAggregateRange(p *pass, c *counterRegInfo) {
	if f := c.AggregateFunc(); !f.Valid() {
		p.field(c, "AggregateFunc", f, "must be 0 to 4")
	}
}

func regAggregateUnused(p *pass, c *counterRegInfo) {
	f := c.AggregateFunc()
	if c.set == nil || f == layout.PERF_AGGREGATE_UNDEFINED || !f.Valid() {
		return
	}
	if t := c.set.InstanceType(); t.Valid() && t&layout.PERF_COUNTERSET_FLAG_AGGREGATE == 0 {
		p.field(c, "AggregateFunc", f, "must be PERF_AGGREGATE_UNDEFINED, as the set is %v", t)
	}
}

func regReserved(p *pass, c *counterRegInfo) {
	if n := c.Reserved(); n != 0 {
		p.field(c, "Reserved", n, "must be 0")
	}
}

// references returns those of a counter.
func (c *counterRegInfo) references() [4]reference {
	base, want := baseNeed(c.Type())
	clock, items := unneeded, unneeded
	switch t := c.Type(); {
	case !usableType(t):
		clock, items = anyNeed, anyNeed
	case t.UsesObjectTimer():
		clock = required
	case t.Multi() && !t.IsBase():
		items = required
	}
	return [...]reference{
		{"BaseCounterId", c.BaseCounterId(), base, want},
		{"PerfTimeId", c.PerfTimeId(), clock, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"PerfFreqId", c.PerfFreqId(), clock, layout.PERF_COUNTER_LARGE_RAWCOUNT},
		{"MultiId", c.MultiId(), items, layout.PERF_COUNTER_RAWCOUNT},
	}
}

// lone returns which of PerfTimeId and PerfFreqId leads anywhere and which does not, if
// it is but one of them and the counter can do without.
func (c *counterRegInfo) lone(p *pass) (set, none string) {
	all := c.references()
	time, freq := all[1], all[2]
	if time.id == noCounter {
		time, freq = freq, time
	}
	if time.need == required || freq.id != noCounter {
		return "", ""
	}
	if at, _ := c.follow(p, time); at != validTarget && at != unknownTarget {
		return "", ""
	}
	return time.field, freq.field
}

// clocked reports whether the counter is computed with a clock of the set, and has it.
func (c *counterRegInfo) clocked(p *pass) bool {
	for _, r := range c.references() {
		if r.want != layout.PERF_COUNTER_LARGE_RAWCOUNT {
			continue
		}
		if at, _ := c.follow(p, r); at != validTarget || r.need == unneeded {
			return false
		}
	}
	return true
}
