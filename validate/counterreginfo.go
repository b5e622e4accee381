package validate

import "github.com/perfblock/perfblock/layout"

// A counterRegInfo is the registration of a counter.
type counterRegInfo struct {
	layout.CounterRegInfo
	set   *counterSetRegInfo // nil in a block that has only this counter
	index int64
}

var onCounterRegInfo = subjectsIn[*counterRegInfo](layout.RegSetKind, layout.RegCounterKind)

func (c *counterRegInfo) path() layout.Path { return layout.Path{}.At("counter", int(c.index)) }

func (*counterRegInfo) record() *layout.Record { return &layout.PERF_COUNTER_REG_INFO }

func (c *counterRegInfo) start() int64 { return c.Off() }

var counterRegInfoRules = []*Rule{
	{
		ID: "PERF2809", Name: "v2-reginfo-counter-id-duplicate", Severity: Error, Since: "v0.1.0",
		Doc:     "no two counters of a registered counter set have the same CounterId",
		Why:     "Queries, results and references identify a counter only by its id. If two counters have the same id, the second is never found.",
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
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.requireNoWildcard(c, c.CounterId()) }),
	},
	{
		ID: "PERF2811", Name: "v2-reginfo-counter-type", Severity: Warning, Since: "v0.1.0",
		Doc:     "Type of a registered counter is a type that a manifest can declare",
		Why:     "Consumers compute values of the documented types. For other types they show the raw value or nothing.",
		Fix:     "Choose the documented type with the computation that you need.",
		Sources: []Source{counterXML, pcqRegCounter},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.requireType(c, c.Type()) }),
	},
	{
		ID: "PERF2812", Name: "v2-reginfo-attrib-bits", Severity: Error, Since: "v0.1.0",
		Doc:     "Attrib of a registered counter has no bits except the five flags",
		Why:     "Only the bits of 0x1f are defined. If other bits are set, the 64-bit field was probably written as two fields, or at another offset.",
		Fix:     "Write the required flags, and 0 into all other bits.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "Attrib"), pcqRegCounter},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.requireAttribBits(c, c.Attrib()) }),
	},
	{
		ID: "PERF2813", Name: "v2-reginfo-attrib-combination", Severity: Warning, Since: "v0.1.0",
		Doc:     "in a registered counter PERF_ATTRIB_NO_DISPLAYABLE is not combined with display flags, and PERF_ATTRIB_DISPLAY_AS_HEX is not combined with flags for decimal numbers",
		Why:     "The documents do not agree on which of two conflicting flags has priority, so consumers show the value in different ways.",
		Fix:     "Keep only the flag that you want.",
		Sources: []Source{pcqRegCounter, of(&layout.PERF_COUNTER_REG_INFO, "Attrib")},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.requireAttribCombination(c, c.Attrib()) }),
	},
	{
		ID: "PERF2814", Name: "v2-reginfo-scale", Severity: Error, Since: "v0.1.0",
		Doc:     "DefaultScale of a registered counter is -10 to 10",
		Why:     "DefaultScale is the power of ten by which a graph scales the value. A manifest with another value is refused.",
		Fix:     "Write the exponent, not the factor: 0 shows the value unchanged.",
		Sources: []Source{pcqRegCounter, counterXML},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.requireScale(c, "DefaultScale", c.DefaultScale()) }),
	},
	{
		ID: "PERF2815", Name: "v2-reginfo-aggregate-range", Severity: Error, Since: "v0.1.0",
		Doc:     "AggregateFunc of a registered counter is 0 to 4",
		Why:     "AggregateFunc selects how the values of several instances are combined: undefined, total, average, minimum or maximum. Other values are undefined.",
		Fix:     "Write one of the PERF_AGGREGATE constants.",
		Sources: []Source{pcqRegCounter, of(&layout.PERF_COUNTER_REG_INFO, "AggregateFunc")},
		check: onCounterRegInfo.check(func(p *pass, c *counterRegInfo) {
			if f := c.AggregateFunc(); !f.Valid() {
				p.field(c, "AggregateFunc", f, "must be 0 to 4")
			}
		}),
	},
	{
		ID: "PERF2816", Name: "v2-reginfo-aggregate-unused", Severity: Info, Since: "v0.1.0",
		Doc:     "AggregateFunc is 0 in a counter set whose InstanceType does not aggregate",
		Why:     "The field has no effect, because instances of such a set are never combined. InstanceType may be wrong.",
		Fix:     "Write PERF_AGGREGATE_UNDEFINED, or an InstanceType that aggregates.",
		Sources: []Source{counterXML, of(&layout.PERF_COUNTER_REG_INFO, "AggregateFunc")},
		check:   about(onCounterRegInfo.check(regAggregateUnused), layout.RegSetKind),
	},
	{
		ID: "PERF2817", Name: "v2-reginfo-reserved-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "Reserved of a registered counter is 0",
		Why:     "Writers must write 0, so that a later version can define the field. Another value may be memory that was not cleared.",
		Fix:     "Write 0.",
		Sources: []Source{pcqRegCounter, of(&layout.PERF_COUNTER_REG_INFO, "Reserved")},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.requireZero(c, "Reserved", c.Reserved()) }),
	},
}

// counterRegInfoAt returns counter i of the set s. If s is nil, the input is the registration of
// one counter, and counterRegInfoAt returns that counter.
func (p *pass) counterRegInfoAt(s *counterSetRegInfo, i int64) counterRegInfo {
	off := int64(0)
	if s != nil {
		off = counterSetRegInfoSize + i*counterRegInfoSize
	}
	return counterRegInfo{layout.CounterRegInfo{Span: layout.NewSpan(p.b[off:off+counterRegInfoSize], off)}, s, i}
}

func (p *pass) checkCounterRegInfo(s *counterSetRegInfo, i int64) {
	c := &p.counterRegInfo
	*c = p.counterRegInfoAt(s, i)
	onCounterRegInfo.run(p, c)
	p.checkDetailLevel(c, c.DetailLevel())
}

func regIDDuplicate(p *pass, c *counterRegInfo) {
	if id := c.CounterId(); c.set != nil && id != layout.PERF_WILDCARD_COUNTER {
		p.requireUniqueID(c, id, c.index)
	}
}

func regAggregateUnused(p *pass, c *counterRegInfo) {
	f := c.AggregateFunc()
	if c.set == nil || f == layout.PERF_AGGREGATE_UNDEFINED || !f.Valid() {
		return
	}
	if t := c.set.InstanceType(); t.Valid() && t&layout.PERF_COUNTERSET_FLAG_AGGREGATE == 0 {
		p.field(c, "AggregateFunc", f, "must be PERF_AGGREGATE_UNDEFINED, because InstanceType of the set is %v", t)
	}
}
