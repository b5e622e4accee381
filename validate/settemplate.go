package validate

import "github.com/perfblock/perfblock/layout"

// A template is what a provider gives to PerfSetCounterSetInfo.
type template struct {
	layout.CounterSetInfo       // the structure, if it is there
	rows                  int64 // counters that NumCounters counts and that are there
}

func (*template) path() layout.Path                 { return layout.Path{} }
func (*template) record() *layout.Record            { return &layout.PERF_COUNTERSET_INFO }
func (*template) start() int64                      { return 0 }
func (*template) stage(s *staged) *stage[*template] { return &s.template }

// A templateCounter is a counter of a template.
type templateCounter struct {
	layout.CounterInfo
	index int64
	off   int64
}

func (c *templateCounter) path() layout.Path                      { return layout.Path{}.At("counter", int(c.index)) }
func (*templateCounter) record() *layout.Record                   { return &layout.PERF_COUNTER_INFO }
func (c *templateCounter) start() int64                           { return c.off }
func (*templateCounter) stage(s *staged) *stage[*templateCounter] { return &s.templateCounter }

const (
	templateSize        = int64(40)
	templateCounterSize = int64(32)
)

func (p *pass) judgeTemplate() {
	t := &p.template
	*t = template{}
	if n := int64(len(p.b)); n >= templateSize {
		t.CounterSetInfo = layout.CounterSetInfo{Span: layout.NewSpan(p.b[:templateSize], 0)}
		t.rows = min(int64(t.NumCounters()), (n-templateSize)/templateCounterSize)
		if t.rows == int64(t.NumCounters()) {
			p.buffer.end = templateSize + t.rows*templateCounterSize
		}
	}
	if !p.rules.template.holds(p, t) {
		return
	}
	p.identify(templateSize, templateCounterSize, t.rows)
	for i := range t.rows {
		p.templateCounter = p.templateCounterAt(i)
		p.rules.templateCounter.holds(p, &p.templateCounter)
	}
	p.rules.template.end(p, t)
}

func (p *pass) templateCounterAt(i int64) templateCounter {
	off := templateSize + i*templateCounterSize
	return templateCounter{layout.CounterInfo{Span: layout.NewSpan(p.rows.row(i), off)}, i, off}
}
