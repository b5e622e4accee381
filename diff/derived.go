package diff

import (
	"cmp"
	"slices"
	"sort"

	"github.com/perfblock/perfblock/layout"
)

// isDerived reports whether a field is a length, an offset or a count that follows from the contents of a block.
func isDerived(f *layout.Field) bool {
	// A length such as TotalByteLength follows from the contents of its record. The length of a value, such as CounterSize,
	// does not: a change of CounterSize is always a difference.
	return f.Role.Structural() && (f.Role.Kind == layout.Offset || f.Role.Of != "the value")
}

// explained reports whether the contents of two records explain why a field differs. The package comment has the
// conditions.
func (c *comparison) explained(a, b int32, f *layout.Field, x, y layout.Part) bool {
	valueA, okA := x.Int()
	valueB, okB := y.Int()
	switch {
	case !okA || !okB:
		return false
	case f.Name == "ParentObjectInstance":
		return c.matching(c.a.parentOf(a), c.b.parentOf(b))
	case f.Name == "DefaultCounter":
		return c.matching(elementAt(c.a.countersIn(a), valueA), elementAt(c.b.countersIn(b), valueB))
	case !isDerived(f):
		return false
	case f.Role.Kind == layout.Count:
		return valueA-c.a.count(a, f) == valueB-c.b.count(b, f)
	case f.Role.Kind == layout.Length && f.Role.From == layout.Nowhere:
		return valueA == c.a.nameLength(a) && valueB == c.b.nameLength(b)
	case f.Role.From == layout.CounterStart:
		o := &c.object
		if o.endA == nil {
			o.endA, o.endB = c.a.endsOf(o.a), c.b.endsOf(o.b)
			o.sameSizes = c.sameSizes(o.a, o.b)
		}
		return !o.sameSizes && endsExplain(precedingEnd(o.endA, valueA), valueA, precedingEnd(o.endB, valueB), valueB)
	case f.Role.From == layout.BufferStart:
		textA, textB := c.a.textOf(a), c.b.textOf(b)
		if textA < 0 || textB < 0 || !c.matching(textA, textB) {
			return false
		}
		return endsExplain(c.a.endBefore(textA), c.a.nodes[textA].off, c.b.endBefore(textB), c.b.nodes[textB].off)
	}
	return endsExplain(c.a.contentEnd(a, valueA), valueA, c.b.contentEnd(b, valueB), valueB)
}

// endsExplain reports whether offA in block A and offB in block B differ because the contents before these offsets end
// at different places, endA and endB.
func endsExplain(endA, offA, endB, offB int64) bool {
	const isPadding = layout.Align
	gapA, gapB := offA-endA, offB-endB
	// A gap is the number of bytes from the end of the contents to the offset. The gaps must be equal, or both gaps
	// must be padding: 0 to 7 bytes.
	return endA != endB && (gapA == gapB || gapA >= 0 && gapA < isPadding && gapB >= 0 && gapB < isPadding)
}

// matching reports whether two nodes exist and match.
func (c *comparison) matching(a, b int32) bool { return a >= 0 && b >= 0 && c.a.match[a] == b }

// elementsOf maps the Role.Of of a count field to the name of the counted elements in a path. For example, "counter
// definitions" have the name "counter" in a path.
var elementsOf = map[string]string{
	"objects": "object", "counter definitions": "counter", "instances": "instance", "counter blocks": "result",
	"ids": "id", "counters": "counter", "entries": "entry",
}

// count counts the elements of record i for a count field such as NumInstances.
func (t *tree) count(i int32, f *layout.Field) int64 {
	if t.record(i) == &layout.PERF_MULTI_INSTANCES {
		i = t.nodes[i].parent // the instances follow the record
	}
	n := int64(0)
	for x := i + 1; x < t.nodes[i].next; x = t.nodes[x].next {
		if t.record(x) != nil && t.name(x) == elementsOf[f.Role.Of] {
			n++
		}
	}
	return n
}

// nameLength returns the length of the name in record i.
func (t *tree) nameLength(i int32) int64 {
	if name := t.nameOf(i); name >= 0 {
		return int64(len(t.bytes(name)))
	}
	return 0
}

// contentEnd returns the end of the last part in the first n bytes of record i. It ignores padding and unread bytes.
// The end is an offset from the start of the record.
func (t *tree) contentEnd(i int32, n int64) int64 {
	r := &t.nodes[i]
	last := int64(t.recordOf(r).Size)
	from, to := i+1, r.next
	switch t.recordOf(r) {
	case &layout.PERF_COUNTER_BLOCK:
		for _, s := range t.rows[r.extra] {
			if s.sort != layout.PaddingPart && t.names[s.name] != "rest" && s.off+s.size <= n {
				last = max(last, s.off+s.size)
			}
		}
	case &layout.PERF_MULTI_INSTANCES:
		from, to = r.next, t.nodes[r.parent].next // the instances follow the record
	}
	for x := from; x < to; x = t.nodes[x].next {
		e := &t.nodes[x]
		if e.sort != layout.PaddingPart && t.name(x) != "rest" && e.end-r.off <= n {
			last = max(last, e.end-r.off)
		}
	}
	return last
}

// A valueEnd is an element of a list of values, sorted by offset. start is the offset of the value. last is the largest
// end of this value and all earlier values in the list.
type valueEnd struct{ start, last int64 }

// endsOf returns the list of valueEnds for the values of the given counters.
func (t *tree) endsOf(counters []int32) []valueEnd {
	list := []valueEnd{}
	for _, x := range counters {
		if t.record(x) != nil {
			counter := t.counter(x)
			from := int64(counter.CounterOffset())
			list = append(list, valueEnd{from, from + int64(counter.CounterSize())})
		}
	}
	slices.SortFunc(list, func(a, b valueEnd) int { return cmp.Compare(a.start, b.start) })
	for i := range list {
		list[i].last = max(list[i].last, list[max(i-1, 0)].last)
	}
	return list
}

// sameSizes reports whether two objects have the same counters in the same order, with values of the same sizes.
func (c *comparison) sameSizes(a, b []int32) bool {
	if len(a) != len(b) {
		return false
	}
	for i, x := range a {
		if y := b[i]; !c.matching(x, y) || c.a.record(x) != nil && c.a.counter(x).CounterSize() != c.b.counter(y).CounterSize() {
			return false
		}
	}
	return true
}

// precedingEnd returns the largest end of the values that start before the offset. If there are none, it returns the
// end of the PERF_COUNTER_BLOCK.
func precedingEnd(list []valueEnd, offset int64) int64 {
	i := sort.Search(len(list), func(i int) bool { return list[i].start >= offset })
	if i == 0 {
		return layout.SizeofCounterBlock
	}
	return list[i-1].last
}

// textOf returns the node with the string of an entry, or -1.
func (t *tree) textOf(entry int32) int32 {
	if t.base < 0 {
		return -1
	}
	off := t.base + int64(layout.StringCounter{Span: t.structure(&t.nodes[entry])}.DwOffset())
	i := sort.Search(len(t.nodes), func(i int) bool { return i > 0 && t.nodes[i].off >= off })
	if i < len(t.nodes) && t.nodes[i].off == off && t.name(int32(i)) == "Text" {
		return int32(i)
	}
	return -1
}

// endBefore returns the end of the contents before a string. It ignores padding between these contents and the string.
func (t *tree) endBefore(text int32) int64 {
	i := text - 1
	for t.nodes[i].sort == layout.PaddingPart {
		i--
	}
	return t.nodes[i].end
}
