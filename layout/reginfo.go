package layout

import "iter"

// CounterSetRegInfo is a view of a PERF_COUNTERSET_REG_INFO and the counters behind it: what
// PerfQueryCounterSetRegistrationInfo returns for PERF_REG_COUNTERSET_STRUCT.
type CounterSetRegInfo struct{ Span }

// ReadCounterSetRegInfo returns the view of the registration at the start of b. What lies behind
// its NumCounters counters is not part of it; where there are fewer, the view is all of
// b, and [CounterSetRegInfo.Counters] ends with a fault. With an error comes a view of zeros. The
// error is an [*Error] that wraps [ErrShort].
func ReadCounterSetRegInfo(b []byte) (CounterSetRegInfo, error) {
	all := NewSpan(b, 0)
	head, err := all.fixed(&PERF_COUNTERSET_REG_INFO, Path{})
	if err != nil {
		return CounterSetRegInfo{head}, err
	}
	whole, err := all.table(&PERF_COUNTERSET_REG_INFO, &PERF_COUNTER_REG_INFO, CounterSetRegInfo{head}.NumCounters())
	return CounterSetRegInfo{whole}, err
}

// Counters yields the counters, NumCounters at the most. A fault is the last pair.
func (s CounterSetRegInfo) Counters() iter.Seq2[CounterRegInfo, error] {
	return func(yield func(CounterRegInfo, error) bool) {
		s.from(uint64(PERF_COUNTERSET_REG_INFO.Size)).rows(&PERF_COUNTER_REG_INFO, s.NumCounters(), func(row Span, i int, err error) bool {
			return yield(CounterRegInfo{row, i}, err)
		})
	}
}

// CounterRegInfo is a view of a PERF_COUNTER_REG_INFO.
type CounterRegInfo struct {
	Span
	index int
}

// ReadCounterRegInfo returns the view of the counter's registration at the start of b, as
// PERF_REG_COUNTER_STRUCT gives it: counter[0] by its path. With an error comes a view
// of zeros. The error is an [*Error] that wraps [ErrShort].
func ReadCounterRegInfo(b []byte) (CounterRegInfo, error) {
	s, err := NewSpan(b, 0).fixed(&PERF_COUNTER_REG_INFO, CounterRegInfo{}.Path())
	return CounterRegInfo{Span: s}, err
}

// Path returns the counter's path, counter[i].
func (c CounterRegInfo) Path() Path { return Path{}.At("counter", c.index) }

// ReadRegText returns the text that b is, terminator included, as
// PERF_REG_COUNTERSET_NAME_STRING, PERF_REG_COUNTERSET_HELP_STRING, PERF_REG_PROVIDER_NAME
// and PERF_REG_COUNTERSET_ENGLISH_NAME give it.
func ReadRegText(b []byte) Name { return Name{Span: NewSpan(b[:len(b):len(b)], 0)} }

// ReadGUIDs yields the GUIDs that fill b one after the other: one is what
// PERF_REG_PROVIDER_GUID gives, any number what PerfEnumerateCounterSet does. A fault,
// beside zeros, is the last pair: an [*Error] that wraps [ErrShort].
func ReadGUIDs(b []byte) iter.Seq2[GUID, error] {
	return func(yield func(GUID, error) bool) {
		rest := NewSpan(b, 0)
		for i := 0; rest.Len() > 0; i++ {
			one, err := rest.fixed(&GUIDRecord, Path{}.At("guid", i))
			if !yield(getGUID(one.b), err) || err != nil {
				return
			}
			rest = rest.from(uint64(one.Len()))
		}
	}
}
