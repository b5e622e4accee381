package layout

import "iter"

// CounterSetInfo is a view of a template: a PERF_COUNTERSET_INFO and the counters after it. A
// provider passes a template to PerfSetCounterSetInfo.
type CounterSetInfo struct{ Span }

// ReadCounterSetInfo returns a view of the template at the start of b: the structure and NumCounters counters. If b
// has fewer counters, the view is all of b, and [CounterSetInfo.Counters] yields an error after the last counter.
// If b is shorter than the structure, the error is an [*Error] that wraps [ErrShort], and the view reads as zeros.
func ReadCounterSetInfo(b []byte) (CounterSetInfo, error) {
	whole, err := NewSpan(b, 0).table(&PERF_COUNTERSET_INFO, &PERF_COUNTER_INFO)
	return CounterSetInfo{whole}, err
}

// Counters yields the counters, at most NumCounters. Iteration stops after the first error.
func (t CounterSetInfo) Counters() iter.Seq2[CounterInfo, error] {
	return func(yield func(CounterInfo, error) bool) {
		t.skipBytes(SizeofCounterSetInfo).rows(&PERF_COUNTER_INFO, t.NumCounters(), func(row Span, i int, err error) bool {
			return yield(CounterInfo{row, i}, err)
		})
	}
}

// CounterInfo is a view of a PERF_COUNTER_INFO.
type CounterInfo struct {
	Span
	index int
}

// Path returns the counter's path, counter[i].
func (c CounterInfo) Path() Path { return Path{}.At("counter", c.index) }
