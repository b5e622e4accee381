package diff

import (
	"bytes"

	"github.com/perfblock/perfblock/layout"
)

// A comparison collects the differences of two blocks.
type comparison struct {
	a, b    *tree
	moved   map[int32]bool // the nodes of A that moved
	swapped bool           // the bytes of A sort after those of B; see markMoved
	object  objectPair

	ignored [len(sorts)]bool
	most    int // largest number of differences of each sort to list; negative for all
	listed  Counts
	found   bool // there is a difference, ignored or not
	result  Result
}

// addDifference counts a difference, and adds it to the list if the list has room. It neither counts nor lists a
// difference of an ignored sort.
func (c *comparison) addDifference(sort Sort, difference func() Difference) {
	c.found = true
	if c.ignored[sort] {
		return
	}
	c.result.Counts[sort]++
	if c.most < 0 || c.listed[sort] < c.most {
		c.listed[sort]++
		d := difference()
		d.Sort = sort
		c.result.Differences = append(c.result.Differences, d)
	}
}

// differ adds a difference between place x in block A and place y in block B. The zero place means that the block does
// not have the part.
func (c *comparison) differ(sort Sort, change Change, x, y place) {
	c.addDifference(sort, func() Difference { return Difference{Change: change, A: x.part(), B: y.part()} })
}

// onlyIn adds the difference for a part that only the block of p has.
func (c *comparison) onlyIn(p place) {
	sort, ok := p.unmatchedSort()
	switch {
	case !ok:
	case p.t == c.a:
		c.differ(sort, Removed, p, place{})
	default:
		c.differ(sort, Added, place{}, p)
	}
}

// compareRecords compares the fields and the contents of two matching records.
func (c *comparison) compareRecords(a, b int32) {
	r, other := c.a.record(a), c.b.record(b)
	x, y := place{t: c.a, node: a}, place{t: c.b, node: b}
	endA, endB := c.a.nodes[a].next, c.b.nodes[b].next
	switch {
	case r == other && r != nil:
		c.compareFields(a, b)
	case r != nil:
		c.differ(Records, Removed, x, place{})
		if a != whole {
			endA = a // the whole record is one difference
		}
	case other != nil:
		c.differ(Records, Added, place{}, y)
		if b != whole {
			endB = b
		}
	}
	switch {
	case r == &layout.PERF_OBJECT_TYPE:
		c.object = objectPair{a: c.a.countersIn(a), b: c.b.countersIn(b)}
	case r == &layout.PERF_COUNTER_BLOCK && r == other:
		c.compareValues(a, b)
	}
	for x := a + 1; x < endA; x = c.a.nodes[x].next {
		if y := c.a.match[x]; y >= 0 {
			c.compareNodes(x, y)
		} else {
			c.onlyIn(place{t: c.a, node: x})
		}
	}
	for y := b + 1; y < endB; y = c.b.nodes[y].next {
		if c.b.match[y] < 0 {
			c.onlyIn(place{t: c.b, node: y})
		}
	}
}

func (c *comparison) compareNodes(a, b int32) {
	x, y := place{t: c.a, node: a}, place{t: c.b, node: b}
	if c.moved[a] {
		c.differ(Order, Moved, x, y)
	}
	if x.sort() == layout.RecordPart && y.sort() == layout.RecordPart {
		c.compareRecords(a, b)
	} else {
		c.compareBytes(x, y)
	}
}

// compareBytes compares the bytes of two parts that are not records.
func (c *comparison) compareBytes(x, y place) {
	rawA, rawB := x.bytes(), y.bytes()
	switch {
	case bytes.Equal(rawA, rawB):
	case x.sort() != y.sort(): // such as padding that a fault makes unreadable in one block
		c.differ(Unread, Changed, x, y)
	case x.sort() == layout.PaddingPart:
		n := min(len(rawA), len(rawB))
		if !bytes.Equal(rawA[:n], rawB[:n]) || !allZero(rawA[n:]) || !allZero(rawB[n:]) {
			c.differ(Padding, Changed, x, y)
		}
	default:
		c.differ(sortOfPart(x.sort()), Changed, x, y)
	}
}

// unmatchedSort returns the sort of the difference for a part that only one block has. ok is false for padding of
// zeros, which is not a difference. ok is also false for a V2 value or string whose counter only this block has: the
// counter already is a difference.
func (p place) unmatchedSort() (sort Sort, ok bool) {
	if p.sort() == layout.PaddingPart {
		return Padding, !allZero(p.bytes())
	}
	id := int32(-1)
	if p.slot == nil && (p.t.record(p.node) == &layout.PERF_COUNTER_DATA || p.t.isText(p.node)) {
		id = p.t.idNode(p.node)
	}
	// A counter that only one block has is one difference. Its values and strings are no further differences.
	return sortOfPart(p.sort()), id < 0 || p.t.match[id] >= 0
}

func sortOfPart(part layout.PartSort) Sort {
	switch part {
	case layout.NamePart:
		return Names
	case layout.ValuePart:
		return Values
	case layout.PaddingPart:
		return Padding
	case layout.UnreadPart:
		return Unread
	}
	return Records
}

// compareFields compares the fields of two records.
func (c *comparison) compareFields(a, b int32) {
	r := c.a.record(a)
	rawA, rawB := c.a.structure(&c.a.nodes[a]).Bytes(), c.b.structure(&c.b.nodes[b]).Bytes()
	if bytes.Equal(rawA, rawB) {
		return
	}
	for i := range r.Fields {
		f := &r.Fields[i]
		end := f.At + f.Type.Size()
		if bytes.Equal(rawA[f.At:end], rawB[f.At:end]) {
			continue
		}
		x, y := c.a.fieldPart(a, f), c.b.fieldPart(b, f)
		if c.explained(a, b, f, x, y) {
			continue
		}
		c.addDifference(sortOfField(f), func() Difference {
			return Difference{Change: Changed, A: x, B: y}
		})
	}
}

func sortOfField(f *layout.Field) Sort {
	switch f.Name {
	case "SystemTime", "PerfTime", "PerfTime100nSec", "PerfTimeStamp", "PerfTime100NSec":
		return Times
	}
	switch {
	case f.Role.Kind == layout.Padding:
		return Padding
	case isDerived(f):
		return Lengths
	}
	return Fields
}

// A place is a part of a block: a node, or a slot in the node of a counter block.
type place struct {
	t    *tree
	node int32
	slot *slot // nil if the place is the node
}

func (p place) sort() layout.PartSort {
	if p.slot != nil {
		return p.slot.sort
	}
	return p.t.nodes[p.node].sort
}

func (p place) bytes() []byte {
	if p.slot == nil {
		return p.t.bytes(p.node)
	}
	from := p.t.nodes[p.node].off + p.slot.off
	return p.t.b[from : from+p.slot.size : from+p.slot.size]
}

// part returns the part at the place, as [layout.Walk] yields it. It returns the zero Part for the zero place.
func (p place) part() layout.Part {
	if p.t == nil {
		return layout.Part{}
	}
	t, n := p.t, &p.t.nodes[p.node]
	part := layout.Part{Span: layout.NewSpan(p.bytes(), n.off), Path: t.path(p.node), Sort: p.sort(), Record: t.recordOf(n)}
	if n.parent < 0 { // the header
		part.Span = t.structure(n)
	}
	if p.slot != nil {
		part.Span, part.Record = layout.NewSpan(p.bytes(), n.off+p.slot.off), nil
		if p.slot.index < 0 {
			part.Path = part.Path.Field(t.names[p.slot.name])
		} else {
			part.Path = part.Path.At(t.names[p.slot.name], int(p.slot.index))
		}
	}
	switch part.Sort {
	case layout.FieldPart:
		part.Field = &part.Record.Fields[0]
	case layout.NamePart:
		part.Page = t.codePage(n.parent)
	case layout.ValuePart:
		if counter := p.counter(); counter >= 0 {
			part.Type = t.counter(counter).CounterType()
		} else {
			part.Untyped = true
		}
	}
	return part
}

// counter returns the node of the counter definition of a V1 value. It returns -1 for all other parts.
func (p place) counter() int32 {
	object := p.t.ancestor(p.node, &layout.PERF_OBJECT_TYPE)
	if object < 0 || p.slot == nil {
		return -1
	}
	return elementAt(p.t.countersIn(object), int64(p.slot.index))
}

// fieldPart returns a field of the record of node i. For a SYSTEMTIME it returns the whole record.
func (t *tree) fieldPart(i int32, f *layout.Field) layout.Part {
	n := &t.nodes[i]
	from := n.off + int64(f.At)
	end := from + int64(f.Type.Size())
	part := layout.Part{Span: layout.NewSpan(t.b[from:end:end], from), Path: t.path(i).Field(f.Name)}
	if f.Type == layout.Time {
		part.Sort, part.Record = layout.RecordPart, &layout.SYSTEMTIME
	} else {
		part.Sort, part.Record, part.Field = layout.FieldPart, t.recordOf(n), f
	}
	return part
}
