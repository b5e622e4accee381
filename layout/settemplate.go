package layout

import "iter"

// SetTemplate is a view of a PERF_COUNTERSET_INFO and the counters behind it: what a
// provider gives to PerfSetCounterSetInfo.
type SetTemplate struct{ Span }

// ReadSetTemplate returns the view of the template at the start of b. What lies behind
// its NumCounters counters is not part of it; where there are fewer, the view is all of
// b, and [SetTemplate.Counters] ends with a fault. With an error comes a view of zeros.
// The error is an [*Error] that wraps [ErrShort].
func ReadSetTemplate(b []byte) (SetTemplate, error) {
	all := NewSpan(b, 0)
	head, err := all.fixed(&PERF_COUNTERSET_INFO, Path{})
	if err != nil {
		return SetTemplate{head}, err
	}
	whole, err := all.table(&PERF_COUNTERSET_INFO, &PERF_COUNTER_INFO, SetTemplate{head}.NumCounters())
	return SetTemplate{whole}, err
}

// Counters yields the counters, NumCounters at the most. A fault is the last pair.
func (t SetTemplate) Counters() iter.Seq2[TemplateCounter, error] {
	return func(yield func(TemplateCounter, error) bool) {
		t.from(uint64(PERF_COUNTERSET_INFO.Size)).rows(&PERF_COUNTER_INFO, t.NumCounters(), func(row Span, i int, err error) bool {
			return yield(TemplateCounter{row, i}, err)
		})
	}
}

// TemplateCounter is a view of a PERF_COUNTER_INFO.
type TemplateCounter struct {
	Span
	index int
}

// Path returns the counter's path, counter[i].
func (c TemplateCounter) Path() Path { return Path{}.At("counter", c.index) }
