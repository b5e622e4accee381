package validate

import "github.com/perfblock/perfblock/layout"

// A registration is what PerfQueryCounterSetRegistrationInfo returned, of any kind but
// strings.
type registration struct {
	layout.CounterSetRegInfo // the structure of a set; of other kinds it is not there
	kind                     layout.Kind
}

func (*registration) path() layout.Path { return layout.Path{} }
func (r *registration) record() *layout.Record {
	if r.kind == layout.RegSetKind {
		return &layout.PERF_COUNTERSET_REG_INFO
	}
	return nil
}
func (*registration) start() int64                          { return 0 }
func (*registration) stage(s *staged) *stage[*registration] { return &s.registration }

// A regSet is the registration of a counter set, whose structure is there.
type regSet struct {
	registration
	rows  int64 // counters that NumCounters counts and that are there
	whole bool  // those are all there is
}

func (*regSet) stage(s *staged) *stage[*regSet] { return &s.regSet }

// A regCounter is the registration of a counter.
type regCounter struct {
	layout.CounterRegInfo
	set   *regSet // nil if it stands alone
	index int64
	off   int64
}

func (c *regCounter) path() layout.Path                 { return layout.Path{}.At("counter", int(c.index)) }
func (*regCounter) record() *layout.Record              { return &layout.PERF_COUNTER_REG_INFO }
func (c *regCounter) start() int64                      { return c.off }
func (*regCounter) stage(s *staged) *stage[*regCounter] { return &s.regCounter }

// A detail is the level of a registered set or counter.
type detail struct {
	subject
	level layout.DetailLevel
}

func (*detail) stage(s *staged) *stage[*detail] { return &s.detail }

// detailed judges a level.
func (p *pass) detailed(of subject, level layout.DetailLevel) {
	p.detail = detail{of, level}
	p.rules.detail.holds(p, &p.detail)
	p.detail = detail{}
}

const (
	regSetSize     = int64(32)
	regCounterSize = int64(48)
	guidSize       = int64(16)
)

func (p *pass) judgeRegSet() {
	s := &p.regSet
	*s = regSet{registration: registration{kind: p.kind}}
	n := int64(len(p.b))
	if n >= regSetSize {
		s.CounterSetRegInfo = layout.CounterSetRegInfo{Span: layout.NewSpan(p.b[:regSetSize], 0)}
		s.rows = min(int64(s.NumCounters()), (n-regSetSize)/regCounterSize)
		s.whole = n == regSetSize+int64(s.NumCounters())*regCounterSize
	}
	if !p.rules.registration.holds(p, &s.registration) || !p.rules.regSet.holds(p, s) {
		return
	}
	p.detailed(s, s.DetailLevel())
	p.identify(regSetSize, regCounterSize, s.rows)
	for i := range s.rows {
		p.judgeRegCounter(s, i, regSetSize+i*regCounterSize)
	}
	p.rules.regSet.end(p, s)
}

func (p *pass) judgeRegCounter(s *regSet, i, off int64) {
	c := &p.regCounter
	*c = regCounter{layout.CounterRegInfo{Span: layout.NewSpan(p.b[off:off+regCounterSize], off)}, s, i, off}
	p.rules.regCounter.holds(p, c)
	p.detailed(c, c.DetailLevel())
}

// judgeRegOne judges a counter that stands alone, a text or a GUID.
func (p *pass) judgeRegOne() {
	r := &p.regSet.registration
	*r = registration{kind: p.kind}
	if !p.rules.registration.holds(p, r) {
		return
	}
	switch p.kind {
	case layout.RegCounterKind:
		p.judgeRegCounter(nil, 0, 0)
	case layout.RegStringKind:
		if text := layout.ReadRegText(p.b); text.Terminated() {
			p.buffer.end = int64(text.IndexNUL()) + 2
		}
	}
}
