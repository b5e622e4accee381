package diff

import (
	"bytes"

	"github.com/perfblock/perfblock/layout"
)

// An objectPair has two matching objects, and the data that all comparisons of their counter blocks use.
type objectPair struct {
	a, b       []int32    // the counters
	toB, toA   []int32    // by counter: the index of the matching value in the other block, -1 for none; nil until needed
	inA, inB   []*slot    // by counter: its value in the current row, or nil
	endA, endB []valueEnd // see precedingEnd; nil until needed
	sameSizes  bool       // see comparison.sameSizes; valid if endA is not nil

	rowA, rowB uint32     // the rows for which pairs are valid, if paired is true
	pairs      []slotPair // reused
	paired     bool
}

// A slotPair has two slots that match. A slot is nil if the block has no such slot.
type slotPair struct{ a, b *slot }

// compareValues compares two counter blocks. A value matches the value of the same counter.
func (c *comparison) compareValues(a, b int32) {
	o := &c.object
	if rowA, rowB := c.a.nodes[a].extra, c.b.nodes[b].extra; !o.paired || o.rowA != rowA || o.rowB != rowB {
		o.rowA, o.rowB, o.paired = rowA, rowB, true
		c.pairSlots(c.a.rows[rowA], c.b.rows[rowB])
	}
	for _, pair := range o.pairs {
		x, y := place{c.a, a, pair.a}, place{c.b, b, pair.b}
		switch {
		case pair.a == nil:
			c.onlyIn(y)
		case pair.b == nil:
			c.onlyIn(x)
		case pair.a.sort == layout.ValuePart:
			c.compareValue(x, y)
		default:
			c.compareBytes(x, y)
		}
	}
}

// compareValue compares two values.
func (c *comparison) compareValue(x, y place) {
	rawA, rawB := x.bytes(), y.bytes()
	if bytes.Equal(rawA, rawB) {
		return
	}
	// A number in 4 bytes is equal to the same number in 8 bytes. The different CounterSize is a difference of the
	// counter definitions.
	numberA, okA := layout.NewSpan(rawA, 0).Number()
	numberB, okB := layout.NewSpan(rawB, 0).Number()
	if !okA || !okB || numberA != numberB {
		c.differ(Values, Changed, x, y)
	}
}

// pairSlots pairs the slots of two counter blocks: values by counter, and padding and unread bytes by order.
func (c *comparison) pairSlots(rowA, rowB []slot) {
	o := &c.object
	if o.toB == nil {
		o.toB, o.toA = partners(c.a, c.b, o.a, o.b), partners(c.b, c.a, o.b, o.a)
		o.inA, o.inB = make([]*slot, len(o.a)), make([]*slot, len(o.b))
	}
	o.pairs = o.pairs[:0]
	setValues(o.inA, rowA, true)
	setValues(o.inB, rowB, true)
	for i := range rowA {
		// Skip the value of a counter that block B does not have: the missing counter already is a difference.
		if x := &rowA[i]; x.sort == layout.ValuePart && o.toB[x.index] >= 0 {
			o.pairs = append(o.pairs, slotPair{x, o.inB[o.toB[x.index]]})
		}
	}
	for i := range rowB {
		y := &rowB[i]
		if y.sort != layout.ValuePart || o.toA[y.index] < 0 {
			continue
		}
		if to := o.toA[y.index]; o.inA[to] == nil || o.toB[to] != y.index {
			o.pairs = append(o.pairs, slotPair{o.inA[to], y})
		}
	}
	// Clear only the elements of counters in the rows. An object can have many more counters than a short row has
	// values.
	setValues(o.inA, rowA, false)
	setValues(o.inB, rowB, false)
	nextA, nextB := otherSlots(rowA), otherSlots(rowB)
	for {
		pair := slotPair{nextA(), nextB()}
		if pair.a == nil && pair.b == nil {
			return
		}
		o.pairs = append(o.pairs, pair)
	}
}

// setValues stores each value of the row in byCounter, at the index of its counter. If present is false, it stores nil
// instead of the value.
func setValues(byCounter []*slot, row []slot, present bool) {
	for i := range row {
		if s := &row[i]; s.sort == layout.ValuePart {
			byCounter[s.index] = nil
			if present {
				byCounter[s.index] = s
			}
		}
	}
}

// otherSlots returns a function that iterates over the padding and the unread bytes of a row. The function returns nil
// at the end.
func otherSlots(row []slot) func() *slot {
	i := 0
	return func() *slot {
		for ; i < len(row); i++ {
			if row[i].sort != layout.ValuePart {
				i++
				return &row[i-1]
			}
		}
		return nil
	}
}

// shown maps the offset of each value to the index of its counter. Several counters can have the same offset. The value
// then belongs to the first counter with the largest CounterSize, as in [layout.Walk].
func (t *tree) shown(counters []int32) map[uint32]int32 {
	shown := make(map[uint32]int32)
	for i, x := range counters {
		if t.record(x) == nil {
			continue
		}
		counter := t.counter(x)
		old, known := shown[counter.CounterOffset()]
		if !known || t.counter(counters[old]).CounterSize() < counter.CounterSize() {
			shown[counter.CounterOffset()] = int32(i)
		}
	}
	return shown
}

// partners returns, for each of the counters of an object of t, the index in others of the counter with the matching
// value, or -1. others has the counters of the matching object of the other block.
func partners(t, other *tree, counters, others []int32) []int32 {
	list, shown := unmatched(len(counters)), other.shown(others)
	for i, x := range counters {
		if y := t.match[x]; y >= 0 && other.record(y) != nil {
			// If several of the others have the same offset, only one of them has a value: see [tree.shown].
			list[i] = shown[other.counter(y).CounterOffset()]
		}
	}
	return list
}
