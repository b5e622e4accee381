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

// ReadCounterRegInfo returns the view of the registration of a counter at the start of b.
// PerfQueryCounterSetRegistrationInfo returns it for PERF_REG_COUNTER_STRUCT. Its path is counter[0]. The error is
// an [*Error] that wraps [ErrShort]; the view then reads as zeros.
func ReadCounterRegInfo(b []byte) (CounterRegInfo, error) {
	s, err := NewSpan(b, 0).structure(&PERF_COUNTER_REG_INFO, CounterRegInfo{}.Path())
	return CounterRegInfo{Span: s}, err
}

// Path returns the counter's path, counter[i].
func (c CounterRegInfo) Path() Path { return Path{}.At("counter", c.index) }
