package fuzz

import (
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// values returns a value for each counter. Counters that share a place get equal values.
func (c *counterSet) values(g *generator) (numbers []uint64, texts []string) {
	if len(c.list) == 0 {
		return nil, nil
	}
	numbers = make([]uint64, len(c.list))
	for i, p := range c.plan {
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

// textOf returns a value of variable length: a text, or size bytes for other types.
func (g *generator) textOf(t layout.CounterType, size uint32) string {
	switch {
	case !t.IsText():
		b := make([]byte, size)
		for i := range b {
			b[i] = g.byte()
		}
		return string(b)
	case t.Subtype() == layout.PERF_TEXT_UNICODE, g.ASCII:
		return g.text()
	}
	return g.bytes()
}

// widenTexts sets the CounterSize of texts whose place is wider than the longest text.
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
		if counter.CounterType.IsText() && c.plan[i].wider > 0 {
			o.Counters[i].CounterSize = longest + c.plan[i].wider
		}
		text++
	}
}

// textBytes returns the number of bytes that text i takes with its length field.
func textBytes(t layout.CounterType, texts []string, i int) uint32 {
	switch {
	case i >= len(texts):
		return 4
	case t.Subtype() == layout.PERF_TEXT_UNICODE:
		return 4 + uint32(layout.UTF16Len(texts[i]))
	}
	return 4 + uint32(len(texts[i]))
}
