package fuzz

import (
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A counterSet holds the counters of an object and the places of their values.
type counterSet struct {
	list []builder.Counter
	plan []place
	next uint64 // the end of the values so far
	base uint64 // the required place of the base of the previous counter, 0 for any place
}

// A place is what the generator knows of the value of a counter.
type place struct {
	at     uint64
	size   uint32
	shares int    // the counter whose bytes it shares, -1 for none
	wider  uint32 // the bytes by which CounterSize exceeds the longest text
}

func (g *generator) counters() *counterSet {
	c := &counterSet{next: uint64(layout.PERF_COUNTER_BLOCK.Size)}
	for of := range g.each(counterPart, 0, g.MaxCounters) {
		t := of.counterType()
		title := of.title()
		of.add(c, builder.Counter{CounterNameTitleIndex: title, CounterType: t})
		base, ok := t.Base()
		if t == layout.PERF_SAMPLE_COUNTER && of.chance(128) {
			base, ok = layout.PERF_SAMPLE_BASE, true
		}
		if ok {
			if of.chance(192) {
				title = 0 // as documented; Windows itself repeats the title
			}
			of.add(c, builder.Counter{CounterNameTitleIndex: title, CounterType: base})
		}
	}
	return c
}

// counterType returns a predefined type other than a base, or sometimes a type without a name in winperf.h.
func (g *generator) counterType() layout.CounterType {
	unnamed := []layout.CounterType{
		layout.PERF_TYPE_NUMBER | layout.PERF_NUMBER_DEC_1000,
		layout.PERF_SIZE_LARGE | layout.PERF_TYPE_ZERO | 0x0800F000,
		layout.PERF_SIZE_VARIABLE_LEN | layout.PERF_TYPE_TEXT | layout.PERF_TEXT_ASCII,
		layout.PERF_SIZE_VARIABLE_LEN | layout.PERF_TYPE_NUMBER,
	}
	types := slices.DeleteFunc(slices.Collect(layout.CounterTypes()), layout.CounterType.IsBase)
	if g.chance(20) {
		types = unnamed
	}
	if g.Numbers {
		types = slices.DeleteFunc(types, notNumber)
	}
	return types[g.upTo(len(types))]
}

// notNumber reports whether values of the type are not numbers of 4 or 8 bytes.
func notNumber(t layout.CounterType) bool {
	n, fixed := t.Width()
	return !fixed || n == 0
}

// add sets the other fields of a counter, chooses a place and appends the counter.
func (g *generator) add(c *counterSet, counter builder.Counter) {
	t := counter.CounterType
	counter.CounterHelpTitleIndex, counter.NoHelp = g.help(counter.CounterNameTitleIndex)
	counter.DefaultScale = int32(pick(g.Source, 0, -7, 7, -2, 3))
	computed := layout.PERF_DETAIL_NOVICE
	if t.IsBase() {
		computed = 0
	}
	counter.DetailLevel = g.level(computed)
	size, fixed := t.Width()
	p := place{size: size, shares: -1}
	if fixed && size > 0 && g.gives(12) {
		p.size = 12 - size // 4 for 8, and 8 for 4
		counter.CounterSize = p.size
	}
	if !fixed {
		p.size = uint32(g.upTo(9)) // for bytes; the length of a text varies
		if wider := uint32(g.upTo(3)) * 5; !g.Computed {
			p.wider = wider
		}
	}
	g.place(c, &counter, &p)
	c.list = append(c.list, counter)
	c.plan = append(c.plan, p)
}

// place puts the value at the next place, after a gap, or at the place of another counter.
func (g *generator) place(c *counterSet, counter *builder.Counter, p *place) {
	t := counter.CounterType
	align := uint64(4)
	switch {
	case p.size == 0:
		align = 1
	case p.size == 8 || t == layout.PERF_AVERAGE_TIMER:
		align = 8
	}
	next := (c.next + align - 1) / align * align
	if c.base != 0 && t.IsBase() {
		next = c.base
	}
	p.at = next
	_, fixed := t.Width()
	gap, afterGap := uint64(1+g.upTo(16)), g.gives(16)
	i, sharing := g.index(len(c.plan)), g.gives(24)
	switch {
	case !fixed:
	case afterGap && c.noTexts():
		p.at = next + gap
	case sharing && len(c.plan) > 0:
		if c.plan[i].shares < 0 && c.sharable(i, p.size) && c.plan[i].at != next {
			p.at, p.shares = c.plan[i].at, i
		}
	}
	if p.at != next {
		counter.CounterOffset = uint32(p.at)
	}
	before := c.next
	c.next = max(c.next, p.at+uint64(p.size))
	c.base = 0
	if t.Multi() && t.NeedsBase() && p.at+8 >= before {
		c.base = p.at + 8
	}
	if t == layout.PERF_AVERAGE_TIMER && p.at%8 == 0 {
		c.next = max(c.next, p.at+8)
	}
}

// noTexts reports whether all places so far are final. The places after a text are not.
func (c *counterSet) noTexts() bool {
	return !slices.ContainsFunc(c.list, func(c builder.Counter) bool { _, fixed := c.CounterType.Width(); return !fixed })
}

// sharable reports whether a number of a size can have the place of counter i.
func (c *counterSet) sharable(i int, size uint32) bool {
	_, fixed := c.list[i].CounterType.Width()
	return fixed && c.noTexts() && size > 0 && size <= c.plan[i].size
}
