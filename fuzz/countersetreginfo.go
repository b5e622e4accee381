package fuzz

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (g *generator) counterSetRegInfo() builder.CounterSetRegInfo {
	set := builder.CounterSetRegInfo{CounterSetGuid: g.guid(), DetailLevel: g.setLevel(), InstanceType: g.instanceType()}
	r := registry{ids: counterIDs{}}
	for of := range g.eachPart(counterPart, 0, g.MaxCounters) {
		r.generator = of
		r.add()
	}
	set.Counters = r.counters
	return set
}

// counterRegInfo returns a counter of a set, without the counters to which it refers.
func (g *generator) counterRegInfo() builder.CounterRegInfo {
	r := registry{generator: g, ids: counterIDs{}}
	i := r.add() // before r.counters is read, because it replaces this slice
	return r.counters[i]
}

// A registry makes the counters of one counter set.
type registry struct {
	*generator
	counters []builder.CounterRegInfo
	ids      counterIDs
}

// add appends a counter, and sometimes also counters to which this counter refers. It returns the position of this
// counter.
func (r *registry) add() int {
	before, first := len(r.counters), r.chance(128)
	c := r.counter(r.setType())
	refers := references[c.Type]
	switch {
	case refers.base != 0 && (!refers.mayBase || r.chance(128)):
		c.BaseCounterId = r.idOf(refers.base)
	case refers.base == 0 && len(r.counters) > 0 && r.chance(10): // allowed, although readers ignore such an id
		c.BaseCounterId = new(r.counters[r.upTo(len(r.counters))].CounterId)
	}
	if refers.clock || r.chance(10) {
		c.PerfTimeId = r.idOf(layout.PERF_COUNTER_LARGE_RAWCOUNT)
	}
	if refers.clock || r.chance(10) {
		c.PerfFreqId = r.idOf(layout.PERF_COUNTER_LARGE_RAWCOUNT)
	}
	if refers.items || r.chance(10) {
		c.MultiId = r.idOf(layout.PERF_COUNTER_RAWCOUNT)
	}
	r.counters = append(r.counters, c)
	last := len(r.counters) - 1
	if first {
		r.counters[before], r.counters[last] = c, r.counters[before]
		return before
	}
	return last
}

// idOf returns the id of a counter of type t. The counter is new, or is already in r.counters.
func (r *registry) idOf(t layout.CounterType) *uint32 {
	var of []uint32
	for _, c := range r.counters {
		if c.Type == t {
			of = append(of, c.CounterId)
		}
	}
	i, another := r.index(len(of)), r.chance(120)
	if len(of) > 0 && !another {
		return new(of[i])
	}
	c := r.counter(t)
	r.counters = append(r.counters, c)
	return &c.CounterId
}

func (r *registry) counter(t layout.CounterType) builder.CounterRegInfo {
	return builder.CounterRegInfo{
		CounterId:     r.newID(r.ids),
		Type:          t,
		Attrib:        r.attrib(),
		DetailLevel:   r.setLevel(),
		DefaultScale:  r.setScale(),
		AggregateFunc: layout.AggregateFunc(r.upTo(5)),
	}
}

// references maps a counter type to the counters that a counter of this type must or can refer to.
var references = map[layout.CounterType]struct {
	base         layout.CounterType
	mayBase      bool // the base is optional
	clock, items bool
}{
	layout.PERF_SAMPLE_FRACTION:                {base: layout.PERF_SAMPLE_BASE},
	layout.PERF_AVERAGE_TIMER:                  {base: layout.PERF_AVERAGE_BASE},
	layout.PERF_AVERAGE_BULK:                   {base: layout.PERF_AVERAGE_BASE},
	layout.PERF_RAW_FRACTION:                   {base: layout.PERF_RAW_BASE},
	layout.PERF_LARGE_RAW_FRACTION:             {base: layout.PERF_LARGE_RAW_BASE},
	layout.PERF_PRECISION_SYSTEM_TIMER:         {base: layout.PERF_LARGE_RAW_BASE},
	layout.PERF_PRECISION_100NS_TIMER:          {base: layout.PERF_LARGE_RAW_BASE},
	layout.PERF_PRECISION_OBJECT_TIMER:         {clock: true},
	layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE: {clock: true},
	layout.PERF_OBJ_TIME_TIMER:                 {clock: true},
	layout.PERF_ELAPSED_TIME:                   {clock: true},
	layout.PERF_COUNTER_MULTI_TIMER:            {items: true},
	layout.PERF_COUNTER_MULTI_TIMER_INV:        {items: true, base: layout.PERF_COUNTER_MULTI_BASE, mayBase: true},
	layout.PERF_100NSEC_MULTI_TIMER:            {items: true},
	layout.PERF_100NSEC_MULTI_TIMER_INV:        {items: true},
}

func (g *generator) stringBuffer() (out builder.StringBuffer) {
	fromEntries, texts := g.gives(60), 0
	for of := range g.eachPart(counterPart, 0, g.MaxCounters) {
		e := builder.StringCounter{CounterId: pick(of.Source, uint32(len(out.Entries)), of.uint32()), None: of.chance(40)}
		if !e.None {
			e.Text = of.text()
			texts++
		}
		out.Entries = append(out.Entries, e)
	}
	out.FromEntries = fromEntries && texts > 0
	return out
}
