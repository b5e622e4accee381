package layout

import (
	"cmp"
	"slices"
)

// Counter is a view of a PERF_COUNTER_DEFINITION and everything in its ByteLength.
type Counter struct {
	Span
	object, index int
}

// Path returns the definition's path, object[i].counter[j].
func (c Counter) Path() Path { return Path{}.At("object", c.object).At("counter", c.index) }

func readCounter(s Span, object, index int) (c Counter, err error) {
	c = Counter{object: object, index: index}
	c.Span, err = s.recordAt(&PERF_COUNTER_DEFINITION, c.Path)
	return c, err
}

// fault returns err as an error at the definition's CounterOffset.
func (c Counter) fault(err error) *Error {
	return PERF_COUNTER_DEFINITION.fault("CounterOffset", c.Span, c.Path(), err)
}

// A slot is the offset and size of a counter's value, which are the same in every counter block.
type slot struct {
	at, size uint32
	counter  Counter
}

// slots has the counters of an object.
type slots struct {
	shown [][]slot  // the slots at each offset, the widest first; sorted by offset
	all   []Counter // all counters; nil if the walk is not for Find
	err   error     // the fault that ended the list of counters, or nil
}

// counters walks the counter definitions of o and returns the slots of their values. The definitions are in s.
func (w *walker) counters(o Object, s Span) slots {
	var all slots
	var valued []slot
	for i := range uint64(o.NumCounters()) {
		c, err := readCounter(s, o.index, int(i))
		if err != nil {
			w.walkFaulty(&PERF_COUNTER_DEFINITION, s, c.Path(), err)
			all.err = err
			break
		}
		if w.record(&PERF_COUNTER_DEFINITION, c.Span, c.Path()) {
			w.yieldBytes(c.skipBytes(SizeofCounterDefinition), UnreadPart, c.Path().Field("extension"), nil)
		}
		if c.CounterSize() > 0 {
			valued = append(valued, slot{c.CounterOffset(), c.CounterSize(), c})
		}
		if w.find != nil {
			all.all = append(all.all, c)
		}
		if w.done {
			return slots{}
		}
		s = s.skipBytes(uint64(c.Len()))
	}
	if all.err == nil {
		w.yieldBytes(s, UnreadPart, o.Path().Field("rest"), nil)
	}
	all.shown = slotsByOffset(valued)
	return all
}

// slotsByOffset groups the slots by their offsets. Walk shows one slot of a group, so that a block has at most as many
// values as bytes.
func slotsByOffset(slots []slot) [][]slot {
	slices.SortStableFunc(slots, func(a, b slot) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.size, a.size)) })
	var groups [][]slot
	for i := range slots {
		if i == 0 || slots[i].at != slots[i-1].at {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = slots[i-len(groups[last]) : i+1]
	}
	return groups
}
