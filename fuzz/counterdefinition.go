package fuzz

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/layout"
)

// A counterSet holds the counters of an object and the places of their values in a counter block.
type counterSet struct {
	list   []builder.Counter
	places []place // one for each counter
	next   uint64  // the end of the values so far
	base   uint64  // the offset that the base of the previous counter must have, 0 for any offset

	// texts is true if a counter has values of variable length, such as texts. The offset of a value after a text
	// depends on the longest text.
	texts bool
}

// A place has the offset and the size of a value in a counter block.
type place struct {
	offset uint64
	size   uint32
	shares int    // the position of the counter whose value is at the same offset, -1 for none
	extra  uint32 // for a text: the number of bytes by which CounterSize exceeds the longest text
}

func (g *generator) counters() *counterSet {
	c := &counterSet{next: layout.SizeofCounterBlock}
	for of := range g.eachPart(counterPart, 0, g.MaxCounters) {
		t := of.counterType()
		title := of.title()
		of.add(c, builder.Counter{CounterNameTitleIndex: title, CounterType: t})
		base, ok := t.Base()
		if t == layout.PERF_SAMPLE_COUNTER && of.chance(128) {
			base, ok = layout.PERF_SAMPLE_BASE, true
		}
		if ok {
			if of.chance(192) {
				title = 0 // the documentation requires 0, but blocks of Windows repeat the title of the counter
			}
			of.add(c, builder.Counter{CounterNameTitleIndex: title, CounterType: base})
		}
	}
	return c
}

// counterType returns a predefined type, or sometimes a type that is not in winperf.h. It never returns the type of a
// base counter.
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
	return pick(g.Source, types...)
}

// notNumber reports whether values of the type are not numbers of 4 or 8 bytes.
func notNumber(t layout.CounterType) bool {
	n, _ := t.Width()
	return n == 0
}

// add completes a counter and appends it to c. The caller has set only the type and the name title. add chooses the
// offset of the values.
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
		p.size = 12 - size // 4 for a width of 8, and 8 for a width of 4
		counter.CounterSize = p.size
	}
	if !fixed {
		p.size = uint32(g.upTo(9)) // the length of a byte string; not used for a text, whose length varies
		if extra := uint32(g.upTo(3)) * 5; !g.Computed {
			p.extra = extra
		}
	}
	g.place(c, &counter, &p)
	c.list = append(c.list, counter)
	c.places = append(c.places, p)
}

// place chooses the offset of the value: directly after the previous values, after a gap, or the same offset as another
// value.
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
	p.offset = next
	if _, fixed := t.Width(); !fixed {
		c.texts = true
	}
	gap, afterGap := uint64(1+g.upTo(16)), g.gives(16)
	i, sharing := g.index(len(c.places)), g.gives(24)
	switch {
	case c.texts:
	case afterGap:
		p.offset = next + gap
	case sharing && len(c.places) > 0:
		if other := c.places[i]; other.shares < 0 && p.size > 0 && p.size <= other.size && other.offset != next {
			p.offset, p.shares = other.offset, i
		}
	}
	if p.offset != next {
		counter.CounterOffset = uint32(p.offset)
	}
	before := c.next
	c.next = max(c.next, p.offset+uint64(p.size))
	c.base = 0
	if t.Multi() && t.NeedsBase() && p.offset+8 >= before {
		c.base = p.offset + 8
	}
	if t == layout.PERF_AVERAGE_TIMER && p.offset%8 == 0 {
		c.next = max(c.next, p.offset+8)
	}
}

// values returns a value for each counter. If two values share an offset, they are the same number, or the second value
// is the lower 4 bytes of the first.
func (c *counterSet) values(g *generator) (numbers []uint64, texts []string) {
	if len(c.list) == 0 {
		return nil, nil
	}
	numbers = make([]uint64, len(c.list))
	for i, p := range c.places {
		if _, fixed := c.list[i].CounterType.Width(); !fixed {
			texts = append(texts, g.textOf(c.list[i].CounterType, p.size))
			continue
		}
		v := g.uint64()
		if p.shares >= 0 {
			v = numbers[p.shares]
		}
		switch p.size {
		case 0:
			v = 0
		case 4:
			v &= math.MaxUint32
		}
		numbers[i] = v
	}
	return numbers, texts
}

// textOf returns a value that is not a number: a text or, if t is not a text type, `size` arbitrary bytes.
func (g *generator) textOf(t layout.CounterType, size uint32) string {
	switch {
	case !t.IsText():
		return string(g.bytes(int(size)))
	case t.Subtype() == layout.PERF_TEXT_UNICODE, g.ASCII:
		return g.text()
	}
	return g.codePageText()
}

// widenTexts sets the CounterSize of each text counter that has extra bytes after its longest text. The CounterSize
// becomes the size of the longest text plus the extra bytes.
func (c *counterSet) widenTexts(o *builder.Object) {
	text := 0
	for i, counter := range c.list {
		if _, fixed := counter.CounterType.Width(); fixed {
			continue
		}
		longest := textBytes(counter.CounterType, o.Texts, text)
		for _, in := range o.Instances {
			longest = max(longest, textBytes(counter.CounterType, in.Texts, text))
		}
		if counter.CounterType.IsText() && c.places[i].extra > 0 {
			o.Counters[i].CounterSize = longest + c.places[i].extra
		}
		text++
	}
}

// textBytes returns the size of text i in bytes, including the 4 bytes of its length field. It returns 4 if there is no
// text i.
func textBytes(t layout.CounterType, texts []string, i int) uint32 {
	switch {
	case i >= len(texts):
		return 4
	case t.Subtype() == layout.PERF_TEXT_UNICODE:
		return 4 + uint32(utf16le.Len(texts[i]))
	}
	return 4 + uint32(len(texts[i]))
}
