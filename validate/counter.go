package validate

import (
	"cmp"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// counter is a PERF_COUNTER_DEFINITION.
type counter struct {
	layout.Counter // as long as it can be read
	of             *object
	index          int
	off            int64
	typ            layout.CounterType
	at, size       int64 // CounterOffset and CounterSize
}

var onCounter = subjectsIn[*counter](layout.V1Kinds()...)

func (c *counter) path() layout.Path {
	return layout.Path{}.At("object", c.of.index).At("counter", c.index)
}
func (c *counter) record() *layout.Record { return &layout.PERF_COUNTER_DEFINITION }
func (c *counter) start() int64           { return c.off }

// end is where the value ends in each counter block.
func (c *counter) end() int64 { return c.at + c.size }

// multi reports whether a second value belongs to the counter.
func (c *counter) multi() bool { return c.typ.Multi() && c.typ.NeedsBase() }

// before returns the definition before c, nil if c is the first.
func (o *object) before(c *counter) *counter {
	if c.index == 0 {
		return nil
	}
	return &o.counters[c.index-1]
}

// after returns the definition behind c, nil if c is the last.
func (o *object) after(c *counter) *counter {
	if c.index+1 == len(o.counters) {
		return nil
	}
	return &o.counters[c.index+1]
}

// readCounters reads the definitions and reports whether all could be read.
func (p *pass) readCounters(o *object) bool {
	at, end := o.off+int64(o.HeaderLength()), o.body()
	o.counters = slices.Grow(o.counters, int(o.NumCounters()))
	for i := range int(o.NumCounters()) {
		c := o.readCounter(p.b[at:end], at, i)
		if !onCounter.guarded(p, c) {
			o.counters = o.counters[:i]
			return false
		}
		at += int64(c.ByteLength())
	}
	o.defined = at
	o.measure(p)
	return true
}

// readCounter reads definition i at the start of b, as far as it is there.
func (o *object) readCounter(b []byte, at int64, i int) *counter {
	o.counters = append(o.counters, counter{of: o, index: i, off: at})
	c := &o.counters[i]
	if int64(len(b)) >= counterSize {
		c.Counter = layout.Counter{Span: layout.NewSpan(b[:counterSize:counterSize], at)}
		c.typ, c.at, c.size = c.CounterType(), int64(c.CounterOffset()), int64(c.CounterSize())
	}
	return c
}

// define reads the definitions that were passed over, where there is a block in which
// not all values have room. Else no rule that is still to come has to look at them.
func (p *pass) define(o *object) {
	room := o.longestBlock()
	if o.blocks > 0 {
		room = o.shortest.length
	}
	if !o.passed || o.need <= room {
		return
	}
	b, n := p.b[o.off+objectSize:o.body()], int(o.NumCounters())
	o.counters = slices.Grow(o.counters, n)
	for i := range n {
		at := int64(i) * counterSize
		o.readCounter(b[at:], o.off+objectSize+at, i)
	}
}

// measure notes what is to be known of all counters before one is judged.
func (o *object) measure(p *pass) {
	o.need = int64(layout.PERF_COUNTER_BLOCK.Size)
	for i := range o.counters {
		c := &o.counters[i]
		o.need = max(o.need, c.end())
		o.unplaced = o.unplaced || c.at < firstValue || c.unsized()
		if c.multi() {
			o.need = max(o.need, c.at+multiBytes)
		}
		if c.typ.IsText() {
			o.texts = append(o.texts, i)
		}
		o.clock = o.clock || c.typ.UsesObjectTimer()
		if p.dataBlock.usesFreq == "" && usesFreq(c.typ) {
			p.dataBlock.usesFreq = c.typ.String()
		}
	}
	// Of texts at one offset the first speaks for all: no block has more of them than bytes.
	slices.SortStableFunc(o.texts, func(i, j int) int { return cmp.Compare(o.counters[i].at, o.counters[j].at) })
	o.texts = slices.CompactFunc(o.texts, func(i, j int) bool { return o.counters[i].at == o.counters[j].at })
}

func (p *pass) checkCounters(o *object) {
	p.titles.reset(len(o.counters))
	for i := range o.counters {
		onCounter.checked(p, &o.counters[i])
	}
	onDefinitions.checked(p, definitions{o})
}
