package validate

import "github.com/perfblock/perfblock/layout"

// A reference is a field of a registered counter that names another of its set.
type reference struct {
	field string
	id    uint32
	need  need
	want  layout.CounterType // that it leads to, 0 for any: it never leads to the type of that number
}

// noCounter is the id of a reference that there is not.
const noCounter = 0xFFFFFFFF

// A need says what a type of counters makes of a reference.
type need uint8

const (
	unneeded  need = iota
	anyNeed        // the type is not documented, so that cannot be known
	tolerated      // nothing, but winperf.h has it
	advised        // one document asks for it and another does not
	required
)

// A target is what a reference leads to.
type target uint8

const (
	nothing target = iota // there is no reference
	itself                // the counter that has the reference
	missing               // no counter of the set
	unseen                // a counter that may be there, which is not seen from here
	another               // another counter of the set, which is not of the wanted type
	wanted                // another counter of the set, of the wanted type if there is one
)

var referenceRules = []*Rule{
	{
		ID: "PERF2818", Name: "v2-reginfo-ref-exists", Severity: Error, Since: "v0.1.0",
		Doc:     "BaseCounterId, PerfTimeId, PerfFreqId and MultiId each name another counter of the set, or are 0xffffffff",
		Why:     "A consumer looks for the counter with that id among the values of the result. It finds none, or the same counter, and cannot compute the value.",
		Fix:     "Write the CounterId of the other counter, or 0xffffffff for none. 0 is a valid id.",
		Sources: []Source{pcqRegCounter, counterXML},
		check:   onCounterRegInfo.check(refExists),
	},
	{
		ID: "PERF2819", Name: "v2-reginfo-ref-missing", Severity: Error, Since: "v0.1.0",
		Doc:     "a counter whose Type is computed with the value of another counter refers to that counter",
		Why:     "A fraction needs its base, a timer of the provider's clock needs that clock and its frequency, and a multi timer needs the number of items. These counters may be anywhere in the set, so consumers find them only through the reference.",
		Fix:     "Write the CounterId of the other counter, and add it to the set if it is missing.",
		Sources: []Source{counterXML, pcqRegCounter},
		check:   onCounterRegInfo.check(refMissing),
	},
	{
		ID: "PERF2820", Name: "v2-reginfo-ref-missing-multi", Severity: Warning, Since: "v0.1.0",
		Doc:     "BaseCounterId of a PERF_COUNTER_MULTI_TIMER_INV is the id of a PERF_COUNTER_MULTI_BASE",
		Why:     "The manifest schema requires the base, but the registration protocol does not: consumers look for the number of items in different places.",
		Fix:     "Add a PERF_COUNTER_MULTI_BASE to the set, and write its CounterId into BaseCounterId.",
		Sources: []Source{counterXML, pcqRegCounter},
		check:   onCounterRegInfo.check(refMissingMulti),
	},
	{
		ID: "PERF2821", Name: "v2-reginfo-ref-type", Severity: Error, Since: "v0.1.0",
		Doc:     "a reference names a counter of the required type",
		Why:     "A base has the type that belongs to the fraction, a clock and its frequency are PERF_COUNTER_LARGE_RAWCOUNT, and the number of items is PERF_COUNTER_RAWCOUNT. The value of another type has another width or meaning.",
		Fix:     "Write the id of the right counter, or change the type of the counter.",
		Sources: []Source{counterXML, pcqRegCounter},
		check:   about(onCounterRegInfo.check(refType), layout.RegSetKind),
	},
	{
		ID: "PERF2822", Name: "v2-reginfo-ref-unused", Severity: Warning, Since: "v0.1.0",
		Doc:     "a counter has no reference that its Type does not use",
		Why:     "The reference has no effect. The Type may be wrong, or 0 was written for no reference.",
		Fix:     "Write 0xffffffff, or write a Type that uses the other counter.",
		Sources: []Source{counterXML, pcqRegCounter},
		check:   onCounterRegInfo.check(refUnused),
	},
	{
		ID: "PERF2823", Name: "v2-reginfo-time-freq-pair", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfTimeId and PerfFreqId are both set, or both 0xffffffff",
		Why:     "A clock is useless without the number of its ticks in a second.",
		Fix:     "Refer to both counters, or write 0xffffffff into both fields.",
		Sources: []Source{counterXML, pcqRegCounter},
		check:   onCounterRegInfo.check(refPair),
	},
	{
		ID: "PERF2824", Name: "v2-reginfo-time-freq-uniform", Severity: Info, Since: "v0.1.0",
		Doc:     "all counters of a counter set that have a clock have the same clock and the same frequency",
		Why:     "Consumers of winperf.h see the set as an object, which has one PerfTime and one PerfFreq. They compute wrong values for counters with another clock.",
		Fix:     "Use one clock, or ignore the finding if such consumers do not matter.",
		Sources: []Source{counterXML},
		Misread: []string{"consumers that read the set through HKEY_PERFORMANCE_DATA use one clock for all counters"},
		check:   onCounterSetRegInfo.atEnd(refUniform),
	},
}

// baseNeed says what a type makes of a base, and which. winperf.h, where a base has to
// follow its counter, knows more of them than the documents of perflib.h.
func baseNeed(t layout.CounterType) (need, layout.CounterType) {
	base, has := t.Base()
	switch {
	case !usableType(t):
		return anyNeed, 0
	case t == layout.PERF_COUNTER_MULTI_TIMER_INV:
		return advised, base
	case t == layout.PERF_SAMPLE_COUNTER:
		return tolerated, layout.PERF_SAMPLE_BASE
	case has && (t.Multi() || t.UsesObjectTimer()):
		return tolerated, base
	case has:
		return required, base
	}
	return unneeded, 0
}

// regType returns the type of a counter of the set.
func (p *pass) regType(i int64) layout.CounterType {
	return layout.CounterRegInfo{Span: layout.NewSpan(p.rows.row(i), 0)}.Type()
}

func refExists(p *pass, c *counterRegInfo) {
	for _, r := range c.references() {
		switch at, _ := c.follow(p, r); at {
		case itself:
			p.field(c, r.field, r.id, "must be the id of another counter")
		case missing:
			p.field(c, r.field, r.id, "must be the id of a counter of the set")
		}
	}
}

func refMissing(p *pass, c *counterRegInfo) {
	for _, r := range c.references() {
		if r.id == noCounter && r.need == required {
			p.field(c, r.field, "0xffffffff", "must be the id of a %v: %v is computed with it", r.want, c.Type())
		}
	}
}

func refMissingMulti(p *pass, c *counterRegInfo) {
	for _, r := range c.references() {
		if r.id == noCounter && r.need == advised {
			p.field(c, r.field, "0xffffffff", "must be the id of a %v", r.want)
		}
	}
}

// mistyped reports whether a reference leads to a counter of a type that it must not have.
// The base that only winperf.h knows may be of any.
func (r reference) mistyped(at target) bool { return at == another && r.need != tolerated }

func refType(p *pass, c *counterRegInfo) {
	for _, r := range c.references() {
		if at, i := c.follow(p, r); r.mistyped(at) {
			p.field(c, r.field, r.id, "must be the id of a %v: counter[%d] is a %v", r.want, i, p.regType(i))
		}
	}
}

// idle reports whether nothing comes of a reference, with which nothing else is wrong.
func (r reference) idle(at target) bool {
	return r.need == unneeded && (at == wanted || at == unseen) || r.need == tolerated && at == another
}

func refUnused(p *pass, c *counterRegInfo) {
	set, _ := c.lone(p)
	for _, r := range c.references() {
		if at, _ := c.follow(p, r); r.idle(at) && r.field != set {
			p.field(c, r.field, r.id, "must be 0xffffffff: %v is not computed with it", c.Type())
		}
	}
}

func refPair(p *pass, c *counterRegInfo) {
	if set, none := c.lone(p); set != "" {
		p.field(c, none, "0xffffffff", "must be the id of a counter, as %s is, or neither", set)
	}
}

func refUniform(p *pass, s *counterSetRegInfo) {
	first, time, freq := int64(-1), uint32(0), uint32(0)
	for i := range s.rows {
		off := counterSetRegInfoSize + i*counterRegInfoSize
		c := counterRegInfo{layout.CounterRegInfo{Span: layout.NewSpan(p.rows.row(i), off)}, s, i, off}
		switch {
		case !c.clocked(p):
		case first < 0:
			first, time, freq = i, c.PerfTimeId(), c.PerfFreqId()
		case c.PerfTimeId() != time:
			p.otherClock(c, "PerfTimeId", c.PerfTimeId(), time, first)
			return
		case c.PerfFreqId() != freq:
			p.otherClock(c, "PerfFreqId", c.PerfFreqId(), freq, first)
			return
		}
	}
}

// otherClock reports the first counter with another clock than one before it.
func (p *pass) otherClock(c counterRegInfo, field string, id, want uint32, first int64) {
	p.field(&c, field, id, "must be %d, as counter[%d] has", want, first)
}

// follow returns what a reference leads to, and which of the counters, if it can be seen.
func (c *counterRegInfo) follow(p *pass, r reference) (target, int64) {
	switch {
	case r.id == noCounter:
		return nothing, -1
	case r.id == c.CounterId():
		return itself, c.index
	case c.set == nil:
		return unseen, -1
	}
	i := p.rowOf(r.id)
	switch {
	case i < 0 && c.set.whole:
		return missing, i
	case i < 0:
		return unseen, i
	case r.want != 0 && p.regType(i) != r.want:
		return another, i
	}
	return wanted, i
}
