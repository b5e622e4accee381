package layout

import "iter"

// CounterSetRegInfo is a view of a PERF_COUNTERSET_REG_INFO and the counters after it.
// PerfQueryCounterSetRegistrationInfo returns this buffer for PERF_REG_COUNTERSET_STRUCT.
type CounterSetRegInfo struct{ Span }

// ReadCounterSetRegInfo returns a view of the registration at the start of b: the structure and NumCounters
// counters. If b has fewer counters, the view is all of b, and [CounterSetRegInfo.Counters] yields an error after
// the last counter. If b is shorter than the structure, the error is an [*Error] that wraps [ErrShort], and the
// view reads as zeros.
func ReadCounterSetRegInfo(b []byte) (CounterSetRegInfo, error) {
	whole, err := NewSpan(b, 0).table(&PERF_COUNTERSET_REG_INFO, &PERF_COUNTER_REG_INFO)
	return CounterSetRegInfo{whole}, err
}

// Counters yields the counters, at most NumCounters. Iteration stops after the first error.
func (s CounterSetRegInfo) Counters() iter.Seq2[CounterRegInfo, error] {
	return func(yield func(CounterRegInfo, error) bool) {
		s.skipBytes(SizeofCounterSetRegInfo).rows(&PERF_COUNTER_REG_INFO, s.NumCounters(), func(row Span, i int, err error) bool {
			return yield(CounterRegInfo{row, i}, err)
		})
	}
}

// CounterRegInfo is a view of a PERF_COUNTER_REG_INFO.
type CounterRegInfo struct {
	Span
	index int
}

// ReadCounterRegInfo returns a view of the PERF_COUNTER_REG_INFO at the start of b. The path of the view is
// counter[0]. If b is too short, the error is an [*Error] that wraps [ErrShort], and the view reads as zeros.
// PerfQueryCounterSetRegistrationInfo returns a PERF_COUNTER_REG_INFO for the request PERF_REG_COUNTER_STRUCT.
func ReadCounterRegInfo(b []byte) (CounterRegInfo, error) {
	s, err := NewSpan(b, 0).recordAt(&PERF_COUNTER_REG_INFO, CounterRegInfo{}.Path)
	return CounterRegInfo{Span: s}, err
}

// Path returns the counter's path, counter[i].
func (c CounterRegInfo) Path() Path { return Path{}.At("counter", c.index) }
