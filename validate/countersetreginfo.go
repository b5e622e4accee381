package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// A registration is a buffer that PerfQueryCounterSetRegistrationInfo returned, of any kind except
// strings.
type registration struct {
	atStart
	layout.CounterSetRegInfo // the structure; empty in other kinds, and if the input ends inside it
	kind                     layout.Kind
}

var onRegistration = subjectsIn[*registration](layout.RegSetKind, layout.RegCounterKind, layout.RegStringKind, layout.RegGUIDKind)

func (r *registration) record() *layout.Record {
	if r.kind == layout.RegSetKind {
		return &layout.PERF_COUNTERSET_REG_INFO
	}
	return nil
}

// A counterSetRegInfo is the registration of a counter set.
type counterSetRegInfo struct {
	registration
	counters int64 // NumCounters, or the number of counters in the input if that is less
	complete bool  // the input ends after NumCounters counters
}

var onCounterSetRegInfo = subjectsIn[*counterSetRegInfo](layout.RegSetKind)

// A detailLevel is the DetailLevel of a registered set or counter. One rule checks the levels of sets
// and of counters.
type detailLevel struct {
	subject
	level layout.DetailLevel
}

var onDetailLevel = subjectsIn[*detailLevel](layout.RegSetKind, layout.RegCounterKind)

const (
	counterSetRegInfoSize = int64(layout.SizeofCounterSetRegInfo)
	counterRegInfoSize    = int64(layout.SizeofCounterRegInfo)
)

var counterSetRegInfoRules = []*Rule{
	{
		ID: "PERF2801", Name: "v2-reginfo-size", Severity: Error, Since: "v0.1.0",
		Doc:     "the registration of a counter set has 32 bytes plus 48 for each of its NumCounters counters, the registration of a counter has 48 bytes, and a provider's GUID has 16",
		Why:     "These structures have no length field. A reader that uses NumCounters reads past the end of a shorter buffer, and ignores the remaining counters of a longer one.",
		Fix:     "Store exactly the bytes that the function returned, and write the number of all counters into NumCounters.",
		Sources: []Source{of(&layout.PERF_COUNTERSET_REG_INFO, "NumCounters"), function("PerfQueryCounterSetRegistrationInfo")},
		check:   about(onRegistration.guard(regSize), layout.RegSetKind, layout.RegCounterKind, layout.RegGUIDKind),
	},
	{
		ID: "PERF2802", Name: "v2-reginfo-string-unterminated", Severity: Error, Since: "v0.1.0",
		Doc:     "the length of a name or help text is even, and the text ends in a NUL",
		Why:     "The text is UTF-16 without a length field. If the NUL is missing, a reader continues to the next NUL, outside the buffer.",
		Fix:     "Store exactly the bytes that the function returned, NUL included.",
		Sources: []Source{function("PerfQueryCounterSetRegistrationInfo")},
		check:   about(onRegistration.check(regStringUnterminated), layout.RegStringKind),
	},
	{
		ID: "PERF2803", Name: "v2-reginfo-type-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSetType is 0",
		Why:     "No reader uses the field. Another value may be memory that was not cleared.",
		Fix:     "Write 0.",
		Sources: []Source{of(&layout.PERF_COUNTERSET_REG_INFO, "CounterSetType"), pcqStructures},
		check:   onCounterSetRegInfo.check(func(p *pass, s *counterSetRegInfo) { p.requireZero(s, "CounterSetType", s.CounterSetType()) }),
	},
	{
		ID: "PERF2804", Name: "v2-reginfo-detail-level", Severity: Warning, Since: "v0.1.0",
		Doc:     "DetailLevel of a registered counter set and of its counters is PERF_DETAIL_NOVICE or PERF_DETAIL_ADVANCED",
		Why:     "Tools show novice counters to all users and advanced ones on request. The other levels belong to winperf.h; manifests cannot declare them.",
		Fix:     "Write 100 or 200.",
		Sources: []Source{of(&layout.PERF_COUNTERSET_REG_INFO, "DetailLevel"), pcqRegCounter},
		check:   onDetailLevel.check(func(p *pass, d *detailLevel) { p.requireDetailLevel(d, d.level) }),
	},
	{
		ID: "PERF2805", Name: "v2-reginfo-instance-type", Severity: Error, Since: "v0.1.0",
		Doc:     "InstanceType of a registered counter set is 0, 2, 4, 6, 12 or 22",
		Why:     "InstanceType determines whether queries name instances and how values of several instances are aggregated. Windows defines no other combination of flags.",
		Fix:     "Write one of the types that perflib.h names.",
		Sources: []Source{of(&layout.PERF_COUNTERSET_REG_INFO, "InstanceType")},
		check:   onCounterSetRegInfo.check(func(p *pass, s *counterSetRegInfo) { p.requireInstanceType(s, s.InstanceType()) }),
	},
	{
		ID: "PERF2806", Name: "v2-reginfo-no-counters", Severity: Warning, Since: "v0.1.0",
		Doc:     "a registered counter set has at least one counter",
		Why:     "A provider cannot register a set without counters, so no query of this set returns data.",
		Fix:     "Check the code that creates the registration.",
		Sources: []Source{of(&layout.PERF_COUNTERSET_REG_INFO, "NumCounters"), wineTest},
		check: onCounterSetRegInfo.check(func(p *pass, s *counterSetRegInfo) {
			if s.complete && s.counters == 0 {
				p.field(s, "NumCounters", 0, "must be at least 1")
			}
		}),
	},
	{
		ID: "PERF2807", Name: "v2-reginfo-counter-limit", Severity: Warning, Since: "v0.1.0",
		Doc:     "a registered counter set has at most 64,000 counters",
		Why:     "The limit is 64,000 in the documentation and 64K (65,536) in perflib.h. Windows may refuse numbers between the two.",
		Fix:     "Divide the counters into several sets.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check: onCounterSetRegInfo.check(func(p *pass, s *counterSetRegInfo) {
			if !s.countWrong(p) {
				p.warnManyCounters(s, "NumCounters", int64(s.NumCounters()))
			}
		}),
	},
	{
		ID: "PERF2808", Name: "v2-reginfo-counter-limit-max", Severity: Error, Since: "v0.1.0",
		Doc:     "a registered counter set has at most 65,536 counters",
		Why:     "No document allows more: NumCounters is wrong, or the bytes are not a registration.",
		Fix:     "Write the number of counters that follow. If there are more than 65,536, divide them into several sets.",
		Sources: []Source{of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		check: onCounterSetRegInfo.check(func(p *pass, s *counterSetRegInfo) {
			if !s.countWrong(p) {
				p.requireMostCounters(s, "NumCounters", int64(s.NumCounters()))
			}
		}),
	},
}

func (p *pass) checkDetailLevel(of subject, level layout.DetailLevel) {
	p.detailLevel = detailLevel{of, level}
	onDetailLevel.run(p, &p.detailLevel)
	p.detailLevel = detailLevel{}
}

func (p *pass) checkCounterSetRegInfo() {
	s := &p.counterSetRegInfo
	*s = counterSetRegInfo{registration: registration{kind: p.kind}}
	n := int64(len(p.b))
	if n >= counterSetRegInfoSize {
		s.CounterSetRegInfo = layout.CounterSetRegInfo{Span: layout.NewSpan(p.b[:counterSetRegInfoSize], 0)}
		s.counters = min(int64(s.NumCounters()), (n-counterSetRegInfoSize)/counterRegInfoSize)
		s.complete = n == counterSetRegInfoSize+int64(s.NumCounters())*counterRegInfoSize
	}
	if !onRegistration.run(p, &s.registration) || !onCounterSetRegInfo.run(p, s) {
		return
	}
	p.checkDetailLevel(s, s.DetailLevel())
	p.indexCounters(counterSetRegInfoSize, counterRegInfoSize, s.counters)
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
	n := int64(len(p.b))
	var size int64
	switch r.kind {
	case layout.RegSetKind:
		size = counterSetRegInfoSize
	case layout.RegCounterKind:
		size = counterRegInfoSize
	case layout.RegGUIDKind:
		size = guidSize
	default:
		return true
	}
	rest := n - size
	switch {
	case rest < 0 && r.kind == layout.RegSetKind:
		p.requireSize(r, n, "the input has %s", "have")
	case rest < 0:
		p.bytes(r, "", 0, int(n), "the input has "+byteCount(n), fmt.Sprintf("must have %d", size))
	case r.kind == layout.RegSetKind:
		regCount(p, r, rest)
	case rest > 0:
		p.bytes(r, "rest", size, int(rest), "the structure is followed by "+byteCount(rest), "must be followed by none")
	}
	return rest >= 0
}

// regCount compares NumCounters with rest, the number of bytes after the structure.
func regCount(p *pass, r *registration, rest int64) {
	n := int64(r.NumCounters())
	switch all := n * counterRegInfoSize; {
	case all == rest:
	case rest%counterRegInfoSize == 0:
		p.field(r, "NumCounters", n, "must be %d, the number of counters in the input", rest/counterRegInfoSize)
	case all > rest:
		p.field(r, "NumCounters", n, "must be at most %d, the number of counters that fit into the input", rest/counterRegInfoSize)
	default:
		p.bytes(r, "rest", counterSetRegInfoSize+all, int(rest-all), "the counters are followed by "+byteCount(rest-all), "must be followed by none")
	}
}

func regStringUnterminated(p *pass, r *registration) {
	if r.kind != layout.RegStringKind {
		return
	}
	n := len(p.b)
	switch {
	case n%2 != 0:
		p.bytes(r, "Text", int64(n-1), 1, "the text has "+byteCount(int64(n)), "must have an even number, because each character takes 2 bytes")
	case n == 0:
		p.bytes(r, "Text", 0, 0, "the text has 0 bytes", "must have at least 2, the size of a NUL")
	case !layout.ReadRegText(p.b).Terminated():
		p.bytes(r, "Text", int64(n-2), 2, fmt.Sprintf("the %d bytes of the text end in % x", n, p.b[n-2:]), "must end in a NUL")
	}
}

// countWrong returns true if regCount reports that NumCounters is not the number of counters in the
// input.
func (s *counterSetRegInfo) countWrong(p *pass) bool {
	return !s.complete && (int64(len(p.b))-counterSetRegInfoSize)%counterRegInfoSize == 0
}
