package validate

import "github.com/perfblock/perfblock/layout"

// A counterSetInfo is what a provider gives to PerfSetCounterSetInfo.
type counterSetInfo struct {
	layout.CounterSetInfo       // the structure, if it is there
	rows                  int64 // counters that NumCounters counts and that are there
}

var onCounterSetInfo = subjectsIn[*counterSetInfo](layout.TemplateKind)

func (*counterSetInfo) path() layout.Path      { return layout.Path{} }
func (*counterSetInfo) record() *layout.Record { return &layout.PERF_COUNTERSET_INFO }
func (*counterSetInfo) start() int64           { return 0 }

// A counterInfo is a counter of a template.
type counterInfo struct {
	layout.CounterInfo
	index int64
	off   int64
}

var onCounterInfo = subjectsIn[*counterInfo](layout.TemplateKind)

func (c *counterInfo) path() layout.Path    { return layout.Path{}.At("counter", int(c.index)) }
func (*counterInfo) record() *layout.Record { return &layout.PERF_COUNTER_INFO }
func (c *counterInfo) start() int64         { return c.off }

const (
	templateSize        = int64(40)
	templateCounterSize = int64(32)
)

func (p *pass) checkTemplate() {
	t := &p.counterSetInfo
	*t = counterSetInfo{}
	if n := int64(len(p.b)); n >= templateSize {
		t.CounterSetInfo = layout.CounterSetInfo{Span: layout.NewSpan(p.b[:templateSize], 0)}
		t.rows = min(int64(t.NumCounters()), (n-templateSize)/templateCounterSize)
		if t.rows == int64(t.NumCounters()) {
			p.input.end = templateSize + t.rows*templateCounterSize
		}
	}
	if !onCounterSetInfo.holds(p, t) {
		return
	}
	p.identify(templateSize, templateCounterSize, t.rows)
	for i := range t.rows {
		p.counterInfo = p.templateCounterAt(i)
		onCounterInfo.holds(p, &p.counterInfo)
	}
	onCounterSetInfo.end(p, t)
}

func (p *pass) templateCounterAt(i int64) counterInfo {
	off := templateSize + i*templateCounterSize
	return counterInfo{layout.CounterInfo{Span: layout.NewSpan(p.rows.row(i), off)}, i, off}
}
