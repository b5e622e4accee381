package diff

import (
	"bytes"

	"github.com/perfblock/perfblock/layout"
)

// An objectPair has two matching objects, and the data that all comparisons of their counter blocks use.
type objectPair struct {
	a, b       []int32    // the counters
	toB, toA   []int32    // by counter: the index of the matching value in the other block, -1 for none; nil until needed
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
	}
	valuesA, othersA := divide(rowA)
	valuesB, othersB := divide(rowB)
	o.pairs = o.pairs[:0]
	for i := range rowA {
		// Skip the value of a counter that block B does not have: the missing counter already is a difference.
		if x := &rowA[i]; x.sort == layout.ValuePart && o.toB[x.index] >= 0 {
			o.pairs = append(o.pairs, slotPair{x, valuesB[o.toB[x.index]]})
		}
	}
	for i := range rowB {
		y := &rowB[i]
		if y.sort != layout.ValuePart || o.toA[y.index] < 0 {
			continue
		}
		if to := o.toA[y.index]; valuesA[to] == nil || o.toB[to] != y.index {
			o.pairs = append(o.pairs, slotPair{valuesA[to], y})
		}
	}
	both := min(len(othersA), len(othersB))
	for i := range both {
		o.pairs = append(o.pairs, slotPair{othersA[i], othersB[i]})
	}
	for _, x := range othersA[both:] {
		o.pairs = append(o.pairs, slotPair{a: x})
	}
	for _, y := range othersB[both:] {
		o.pairs = append(o.pairs, slotPair{b: y})
	}
}

// divide returns the values of a row by counter, and the padding and the unread bytes in their order.
func divide(row []slot) (values map[int32]*slot, others []*slot) {
	values = make(map[int32]*slot)
	for i := range row {
		if s := &row[i]; s.sort == layout.ValuePart {
			values[s.index] = s
		} else {
			others = append(others, s)
		}
	}
	return values, others
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
