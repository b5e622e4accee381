package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// A registration is a buffer that PerfQueryCounterSetRegistrationInfo returned: a counter set, a
// counter, a single text or a GUID. A buffer of several strings (PERF_STRING_BUFFER_HEADER) is not a
// registration.
type registration struct {
	atStart
	layout.CounterSetRegInfo // the structure; empty if the kind is not RegSetKind or the input ends inside it
	kind                     layout.Kind
}

var onRegistration = subjectsIn[*registration](layout.RegSetKind, layout.RegCounterKind, layout.RegStringKind, layout.RegGUIDKind)

func (r *registration) record() *layout.Record {
	switch r.kind {
	case layout.RegSetKind:
		return &layout.PERF_COUNTERSET_REG_INFO
	case layout.RegCounterKind:
		return &layout.PERF_COUNTER_REG_INFO
	case layout.RegGUIDKind:
		return &layout.GUIDRecord
	}
	return nil // a text has no record
}

// A counterSetRegInfo is the registration of a counter set.
type counterSetRegInfo struct {
	registration
	counters int64 // NumCounters, or the number of counters in the input if that is less
	complete bool  // the input ends after NumCounters counters
}

var onCounterSetRegInfo = subjectsIn[*counterSetRegInfo](layout.RegSetKind)

var counterSetRegInfoRules = []*Rule{
	{
		ID: "PERF2801", Name: "v2-reginfo-size", Severity: Error, Since: "v0.1.0",
		Doc:     "the registration of a counter set has 32 bytes plus 48 for each of its NumCounters counters, the registration of a counter has 48 bytes, and the GUID of a provider has 16 bytes",
		Why:     "These structures have no length field. A reader that uses NumCounters reads past the end of a shorter buffer, and ignores the remaining counters of a longer buffer.",
		Fix:     "Store exactly the bytes that the function returned, and write the number of all counters into NumCounters.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTERSET_REG_INFO, "NumCounters"), function("PerfQueryCounterSetRegistrationInfo")},
		check:   onRegistration.forKinds(layout.RegSetKind, layout.RegCounterKind, layout.RegGUIDKind).guard(regSize),
	},
	{
		ID: "PERF2802", Name: "v2-reginfo-string-unterminated", Severity: Error, Since: "v0.1.0",
		Doc:     "the length of a name or help text is even, and the text ends in a NUL",
		Why:     "The text is UTF-16 without a length field. If the NUL is missing, a reader continues to the next NUL, outside the buffer.",
		Fix:     "Store exactly the bytes that the function returned, NUL included.",
		Sources: []Source{function("PerfQueryCounterSetRegistrationInfo")},
		check:   onRegistration.forKinds(layout.RegStringKind).check(regStringUnterminated),
	},
	{
		ID: "PERF2803", Name: "v2-reginfo-type-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSetType is 0",
		Why:     "No reader uses the field. Another value may be memory that was not cleared.",
		Fix:     "Write 0.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTERSET_REG_INFO, "CounterSetType"), pcqStructures},
		check:   onCounterSetRegInfo.check(func(p *pass, s *counterSetRegInfo) { p.requireZero(s, "CounterSetType", s.CounterSetType()) }),
	},
	{
		ID: "PERF2804", Name: "v2-reginfo-detail-level", Severity: Warning, Since: "v0.1.0",
		Doc:     "DetailLevel of a registered counter set and of its counters is PERF_DETAIL_NOVICE or PERF_DETAIL_ADVANCED",
		Why:     "Tools show novice counters to all users, and advanced counters on request. The other levels belong to winperf.h; manifests cannot declare them.",
		Fix:     "Write 100 or 200.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTERSET_REG_INFO, "DetailLevel"), pcqRegCounter},
		check: checkList(
			onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.requireDetailLevel(c, c.DetailLevel()) }),
			onCounterSetRegInfo.check(func(p *pass, s *counterSetRegInfo) { p.requireDetailLevel(s, s.DetailLevel()) }),
		),
	},
	{
		ID: "PERF2805", Name: "v2-reginfo-instance-type", Severity: Error, Since: "v0.1.0",
		Doc:     "InstanceType of a registered counter set is 0, 2, 4, 6, 12 or 22",
		Why:     "InstanceType determines whether a query needs the name of an instance. It also determines how the values of several instances are aggregated. Windows defines only the values 0, 2, 4, 6, 12 and 22.",
		Fix:     "Write one of the types that perflib.h names.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTERSET_REG_INFO, "InstanceType")},
		check:   onCounterSetRegInfo.check(func(p *pass, s *counterSetRegInfo) { p.requireInstanceType(s, s.InstanceType()) }),
	},
	{
		ID: "PERF2806", Name: "v2-reginfo-no-counters", Severity: Warning, Since: "v0.1.0",
		Doc:     "a registered counter set has at least one counter",
		Why:     "A provider cannot register a set without counters, so no query of this set returns data.",
		Fix:     "Check the code that creates the registration.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTERSET_REG_INFO, "NumCounters"), wineTest},
		check: onCounterSetRegInfo.check(func(p *pass, s *counterSetRegInfo) {
			require(p, s, "NumCounters", s.NumCounters(), !s.complete || s.counters != 0, "must be at least 1")
		}),
	},
	{
		ID: "PERF2807", Name: "v2-reginfo-counter-limit", Severity: Warning, Since: "v0.1.0",
		Doc:     "a registered counter set has at most 64,000 counters",
		Why:     "The limit is 64,000 in the documentation and 64K (65,536) in perflib.h. Windows may refuse a number between the two limits.",
		Fix:     "Divide the counters into several sets.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check: onCounterSetRegInfo.check(func(p *pass, s *counterSetRegInfo) {
			if !s.countWrong(p) {
				p.warnManyCounters(s, "NumCounters", int64(s.NumCounters()))
			}
		}),
	},
	{
		ID: "PERF2808", Name: "v2-reginfo-counter-limit-max", Severity: Error, Since: "v0.1.0",
		Doc:     "a registered counter set has at most 65,536 counters",
		Why:     "perflib.h allows at most 64K (65,536) counters in a set. If NumCounters is larger, either NumCounters is wrong, or the bytes are not a registration.",
		Fix:     "Write the number of counters that follow. If there are more than 65,536, divide them into several sets.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check: onCounterSetRegInfo.check(func(p *pass, s *counterSetRegInfo) {
			if !s.countWrong(p) {
				p.requireMostCounters(s, "NumCounters", int64(s.NumCounters()))
			}
		}),
	},
}

func (p *pass) checkCounterSetRegInfo() {
	s := &p.counterSetRegInfo
	*s = counterSetRegInfo{registration: registration{kind: p.kind}}
	n := int64(len(p.b))
	if n >= counterSetRegInfoSize {
		s.CounterSetRegInfo = layout.CounterSetRegInfo{Span: span(p.b, 0, counterSetRegInfoSize)}
		s.counters = min(int64(s.NumCounters()), (n-counterSetRegInfoSize)/counterRegInfoSize)
		s.complete = n == counterSetRegInfoSize+int64(s.NumCounters())*counterRegInfoSize
	}
	if !onRegistration.run(p, &s.registration) || !onCounterSetRegInfo.run(p, s) {
		return
	}
	p.indexCounters(counterList{counterSetRegInfoSize, counterRegInfoSize}, s.counters)
	for i := range s.counters {
		p.checkCounterRegInfo(s, i)
	}
	onCounterSetRegInfo.runEnds(p, s)
}

// checkRegOne checks an input that is a single counter, text or GUID of a registration.
func (p *pass) checkRegOne() {
	r := &p.counterSetRegInfo.registration
	*r = registration{kind: p.kind}
	if !onRegistration.run(p, r) {
		return
	}
	switch p.kind {
	case layout.RegCounterKind:
		p.checkCounterRegInfo(nil, 0)
	case layout.RegStringKind:
		if text := layout.ReadRegText(p.b); text.Terminated() {
			p.input.end = int64(text.IndexNUL()) + 2
		}
	}
}

// regSize checks the length of the input. It returns true if the input has the whole structure.
func regSize(p *pass, r *registration) bool {
	if r.kind == layout.RegStringKind {
		return true
	}
	n, size := int64(len(p.b)), int64(r.record().Size)
	switch rest := n - size; {
	case !p.requireSize(r, n, "the input has %s", "have"):
		return false
	case r.kind == layout.RegSetKind:
		regCount(p, r, rest)
	case rest > 0:
		p.reportBytes(r, "rest", size, int(rest), "the structure is followed by "+plural(rest, "byte"), "must be followed by none")
	}
	return true
}

// regCount reports a NumCounters that does not match rest, the number of bytes after the structure.
func regCount(p *pass, r *registration, rest int64) {
	n := int64(r.NumCounters())
	switch all := n * counterRegInfoSize; {
	case all == rest:
	case rest%counterRegInfoSize == 0:
		p.field(r, "NumCounters", n, "must be %d, the number of counters in the input", rest/counterRegInfoSize)
	case all > rest:
		p.field(r, "NumCounters", n, "must be at most %d, the number of counters that fit into the input", rest/counterRegInfoSize)
	default:
		p.reportBytes(r, "rest", counterSetRegInfoSize+all, int(rest-all), "the counters are followed by "+plural(rest-all, "byte"), "must be followed by none")
	}
}

func regStringUnterminated(p *pass, r *registration) {
	if r.kind != layout.RegStringKind {
		return
	}
	n := len(p.b)
	switch {
	case n%2 != 0:
		p.reportBytes(r, "Text", int64(n-1), 1, "the text has "+plural(int64(n), "byte"), "must have an even number, because each character takes 2 bytes")
	case n == 0:
		p.reportBytes(r, "Text", 0, 0, "the text has 0 bytes", "must have at least 2, the size of a NUL")
	case !layout.ReadRegText(p.b).Terminated():
		p.reportBytes(r, "Text", int64(n-2), 2, fmt.Sprintf("the %d bytes of the text end in % x", n, p.b[n-2:]), "must end in a NUL")
	}
}

// countWrong returns true if regCount reports that NumCounters is not the number of counters in the
// input.
func (s *counterSetRegInfo) countWrong(p *pass) bool {
	return !s.complete && (int64(len(p.b))-counterSetRegInfoSize)%counterRegInfoSize == 0
}

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
		Why:     "Queries, results and references identify a counter only by its id. If two counters have the same id, the second counter is never found.",
		Fix:     "Give each counter of the set its own id.",
		Sources: []Source{counterXML, sourceOf(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check: onCounterRegInfo.forKinds(layout.RegSetKind).check(func(p *pass, c *counterRegInfo) {
			if id := c.CounterId(); c.set != nil && id != layout.PERF_WILDCARD_COUNTER {
				p.requireUniqueID(c, id, c.index)
			}
		}),
	},
	{
		ID: "PERF2810", Name: "v2-reginfo-counter-id-wildcard", Severity: Error, Since: "v0.1.0",
		Doc:     "CounterId of a registered counter is not 0xffffffff",
		Why:     "0xffffffff is PERF_WILDCARD_COUNTER, which requests all counters of a set. No query or reference can name a counter with this id.",
		Fix:     "Give the counter another id.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "CounterId"), pcqRegCounter},
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
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_REG_INFO, "Attrib"), pcqRegCounter},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.requireAttribBits(c, c.Attrib()) }),
	},
	{
		ID: "PERF2813", Name: "v2-reginfo-attrib-combination", Severity: Warning, Since: "v0.1.0",
		Doc:     "in a registered counter PERF_ATTRIB_NO_DISPLAYABLE is not combined with display flags, and PERF_ATTRIB_DISPLAY_AS_HEX is not combined with flags for decimal numbers",
		Why:     "The documents do not agree on which of two conflicting flags has priority, so consumers show the value in different ways.",
		Fix:     "Keep only the flag that you want.",
		Sources: []Source{pcqRegCounter, sourceOf(&layout.PERF_COUNTER_REG_INFO, "Attrib")},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.requireAttribCombination(c, c.Attrib()) }),
	},
	{
		ID: "PERF2814", Name: "v2-reginfo-scale", Severity: Error, Since: "v0.1.0",
		Doc:     "DefaultScale of a registered counter is -10 to 10",
		Why:     "A graph multiplies the value by 10 to the power of DefaultScale. A manifest with a scale below -10 or above 10 is refused.",
		Fix:     "Write the exponent, not the factor: 0 shows the value unchanged.",
		Sources: []Source{pcqRegCounter, counterXML},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.requireScale(c, "DefaultScale", c.DefaultScale()) }),
	},
	{
		ID: "PERF2815", Name: "v2-reginfo-aggregate-range", Severity: Error, Since: "v0.1.0",
		Doc:     "AggregateFunc of a registered counter is 0 to 4",
		Why:     "AggregateFunc selects how the values of several instances are combined: 1 is the total, 2 the average, 3 the minimum and 4 the maximum. 0 is PERF_AGGREGATE_UNDEFINED. Numbers above 4 have no meaning.",
		Fix:     "Write one of the PERF_AGGREGATE constants.",
		Sources: []Source{pcqRegCounter, sourceOf(&layout.PERF_COUNTER_REG_INFO, "AggregateFunc")},
		check: onCounterRegInfo.check(func(p *pass, c *counterRegInfo) {
			require(p, c, "AggregateFunc", c.AggregateFunc(), c.AggregateFunc().Valid(), "must be 0 to 4")
		}),
	},
	{
		ID: "PERF2816", Name: "v2-reginfo-aggregate-unused", Severity: Info, Since: "v0.1.0",
		Doc:     "AggregateFunc is 0 in a counter set whose InstanceType does not aggregate",
		Why:     "The field has no effect, because the instances of this set are never combined. InstanceType may be wrong.",
		Fix:     "Write PERF_AGGREGATE_UNDEFINED, or an InstanceType that aggregates.",
		Sources: []Source{counterXML, sourceOf(&layout.PERF_COUNTER_REG_INFO, "AggregateFunc")},
		check: onCounterRegInfo.forKinds(layout.RegSetKind).check(func(p *pass, c *counterRegInfo) {
			f := c.AggregateFunc()
			if c.set == nil || f == layout.PERF_AGGREGATE_UNDEFINED || !f.Valid() {
				return
			}
			if t := c.set.InstanceType(); t.Valid() && t&layout.PERF_COUNTERSET_FLAG_AGGREGATE == 0 {
				p.field(c, "AggregateFunc", f, "must be PERF_AGGREGATE_UNDEFINED, because InstanceType of the set is %v", t)
			}
		}),
	},
	{
		ID: "PERF2817", Name: "v2-reginfo-reserved-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "Reserved of a registered counter is 0",
		Why:     "Writers must write 0, so that a later version can define the field. Another value may be memory that was not cleared.",
		Fix:     "Write 0.",
		Sources: []Source{pcqRegCounter, sourceOf(&layout.PERF_COUNTER_REG_INFO, "Reserved")},
		check:   onCounterRegInfo.check(func(p *pass, c *counterRegInfo) { p.requireZero(c, "Reserved", c.Reserved()) }),
	},
}

// counterRegInfoAt returns counter i of a set. If s is nil, the input is the registration of only
// one counter.
func (p *pass) counterRegInfoAt(s *counterSetRegInfo, i int64) counterRegInfo {
	off := int64(0)
	if s != nil {
		off = counterSetRegInfoSize + i*counterRegInfoSize
	}
	return counterRegInfo{layout.CounterRegInfo{Span: span(p.b, off, off+counterRegInfoSize)}, s, i}
}

func (p *pass) checkCounterRegInfo(s *counterSetRegInfo, i int64) {
	c := &p.counterRegInfo
	*c = p.counterRegInfoAt(s, i)
	onCounterRegInfo.run(p, c)
}
