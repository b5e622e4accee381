package validate

import "github.com/perfblock/perfblock/layout"

// A registration is what PerfQueryCounterSetRegistrationInfo returned, of any kind but
// strings.
type registration struct {
	layout.CounterSetRegInfo // the structure of a set; of other kinds it is not there
	kind                     layout.Kind
}

var onRegistration = subjectsIn[*registration](layout.RegSetKind, layout.RegCounterKind, layout.RegStringKind, layout.RegGUIDKind)

func (*registration) path() layout.Path { return layout.Path{} }
func (r *registration) record() *layout.Record {
	if r.kind == layout.RegSetKind {
		return &layout.PERF_COUNTERSET_REG_INFO
	}
	return nil
}
func (*registration) start() int64 { return 0 }

// A counterSetRegInfo is the registration of a counter set, whose structure is there.
type counterSetRegInfo struct {
	registration
	rows  int64 // counters that NumCounters counts and that are there
	whole bool  // those are all there is
}

var onCounterSetRegInfo = subjectsIn[*counterSetRegInfo](layout.RegSetKind)

// A counterRegInfo is the registration of a counter.
type counterRegInfo struct {
	layout.CounterRegInfo
	set   *counterSetRegInfo // nil if it stands alone
	index int64
	off   int64
}

var onCounterRegInfo = subjectsIn[*counterRegInfo](layout.RegSetKind, layout.RegCounterKind)

func (c *counterRegInfo) path() layout.Path    { return layout.Path{}.At("counter", int(c.index)) }
func (*counterRegInfo) record() *layout.Record { return &layout.PERF_COUNTER_REG_INFO }
func (c *counterRegInfo) start() int64         { return c.off }

// A detailLevel is the level of a registered set or counter.
type detailLevel struct {
	subject
	level layout.DetailLevel
}

var onDetailLevel = subjectsIn[*detailLevel](layout.RegSetKind, layout.RegCounterKind)

// detailed judges a level.
func (p *pass) detailed(of subject, level layout.DetailLevel) {
	p.detailLevel = detailLevel{of, level}
	onDetailLevel.holds(p, &p.detailLevel)
	p.detailLevel = detailLevel{}
}

const (
	regSetSize     = int64(32)
	regCounterSize = int64(48)
	guidSize       = int64(16)
)

func (p *pass) checkRegSet() {
	s := &p.counterSetRegInfo
	*s = counterSetRegInfo{registration: registration{kind: p.kind}}
	n := int64(len(p.b))
	if n >= regSetSize {
		s.CounterSetRegInfo = layout.CounterSetRegInfo{Span: layout.NewSpan(p.b[:regSetSize], 0)}
		s.rows = min(int64(s.NumCounters()), (n-regSetSize)/regCounterSize)
		s.whole = n == regSetSize+int64(s.NumCounters())*regCounterSize
	}
	if !onRegistration.holds(p, &s.registration) || !onCounterSetRegInfo.holds(p, s) {
		return
	}
	p.detailed(s, s.DetailLevel())
	p.identify(regSetSize, regCounterSize, s.rows)
	for i := range s.rows {
		p.checkRegCounter(s, i, regSetSize+i*regCounterSize)
	}
	onCounterSetRegInfo.end(p, s)
}

func (p *pass) checkRegCounter(s *counterSetRegInfo, i, off int64) {
	c := &p.counterRegInfo
	*c = counterRegInfo{layout.CounterRegInfo{Span: layout.NewSpan(p.b[off:off+regCounterSize], off)}, s, i, off}
	onCounterRegInfo.holds(p, c)
	p.detailed(c, c.DetailLevel())
}

// checkRegOne judges a counter that stands alone, a text or a GUID.
func (p *pass) checkRegOne() {
	r := &p.counterSetRegInfo.registration
	*r = registration{kind: p.kind}
	if !onRegistration.holds(p, r) {
		return
	}
	switch p.kind {
	case layout.RegCounterKind:
		p.checkRegCounter(nil, 0, 0)
	case layout.RegStringKind:
		if text := layout.ReadRegText(p.b); text.Terminated() {
			p.input.end = int64(text.IndexNUL()) + 2
		}
	}
}
