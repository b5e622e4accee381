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

// regType returns the type of a counter of the set.
func (p *pass) regType(i int64) layout.CounterType {
	return layout.CounterRegInfo{Span: layout.NewSpan(p.rows.row(i), 0)}.Type()
}
