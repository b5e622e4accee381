package layout

import "iter"

// QueryData is a view of a PERF_DATA_HEADER and all that follows it to dwTotalSize: what
// PerfQueryCounterData returns.
type QueryData struct{ Span }

// ReadQueryData returns the view of the query data at the start of b. What lies behind its
// dwTotalSize is not part of it: a buffer is often larger than what is in it. With an
// error comes a view of zeros. The error is an [*Error] that wraps [ErrShort] or
// [ErrBounds].
func ReadQueryData(b []byte) (QueryData, error) {
	whole, err := NewSpan(b, 0).record(&PERF_DATA_HEADER)
	if err != nil {
		return QueryData{PERF_DATA_HEADER.blank()}, err
	}
	return QueryData{whole}, nil
}

// Results yields the answers, dwNumCounters at the most. A fault is the last pair.
func (q QueryData) Results() iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) { q.results(yield) }
}

// results is the loop of Results. As with those of instances and values it is a function
// of its own, or three loops in each other would be too much for the compiler to inline,
// and each round of the inner ones would need memory.
func (q QueryData) results(yield func(Result, error) bool) {
	rest := q.from(uint64(PERF_DATA_HEADER.Size))
	for i := range uint64(q.DwNumCounters()) {
		r, err := readResult(rest, int(i))
		if !yield(r, err) || err != nil {
			return
		}
		rest = rest.from(uint64(r.Len()))
	}
}

// Result is a view of a PERF_COUNTER_HEADER and all of its dwSize: the answer to one
// counter or counter set that was added to the query. Its dwType says what is in it; of
// a type that is not [PerfCounterDataType.Valid], and of PERF_ERROR_RETURN, nothing is read.
type Result struct {
	Span
	index int
}

func readResult(s Span, index int) (Result, error) {
	r := Result{index: index}
	whole, err := s.record(&PERF_COUNTER_HEADER)
	if err != nil {
		r.Span = PERF_COUNTER_HEADER.blank()
		return r, err.under(r.Path())
	}
	r.Span = whole
	return r, nil
}

// Path returns the answer's path, result[i].
func (r Result) Path() Path { return Path{}.At("result", r.index) }

// Index returns the position of the answer, to which the Index of a
// PERF_COUNTER_IDENTIFIER leads.
func (r Result) Index() int { return r.index }

// HasIDs reports whether the ids of the counters come first.
func (r Result) HasIDs() bool {
	return r.DwType() == PERF_MULTIPLE_COUNTERS || r.DwType() == PERF_COUNTERSET
}

// HasInstances reports whether values come by instances.
func (r Result) HasInstances() bool {
	return r.DwType() == PERF_MULTIPLE_INSTANCES || r.DwType() == PERF_COUNTERSET
}

// behindIDs returns what stands behind the header and the ids, and how many values
// belong together: one, or one for each id.
func (r Result) behindIDs() (Span, uint64, error) {
	rest := r.from(uint64(PERF_COUNTER_HEADER.Size))
	if !r.HasIDs() {
		return rest, 1, nil
	}
	ids, err := r.IDs()
	if err != nil {
		return Span{}, 0, err
	}
	return rest.from(uint64(ids.Len())), uint64(ids.DwCounters()), nil
}

// Values yields the values of an answer without instances: one, or one for each id. An
// answer of another type has none. A fault, in the ids or in a value, is the last pair.
func (r Result) Values() iter.Seq2[CounterData, error] {
	return func(yield func(CounterData, error) bool) { r.raws(yield) }
}

func (r Result) raws(yield func(CounterData, error) bool) {
	if r.DwType() != PERF_SINGLE_COUNTER && r.DwType() != PERF_MULTIPLE_COUNTERS {
		return
	}
	rest, n, err := r.behindIDs()
	if err != nil {
		yield(CounterData{Span: PERF_COUNTER_DATA.blank(), result: r.index, instance: -1}, err)
		return
	}
	raws(rest, r.index, -1, n, yield)
}

// Instances returns the instances, zeros where there are none: see
// [Result.HasInstances]. With an error, in the ids or in the PERF_MULTI_INSTANCES,
// come zeros too. The error is an [*Error] that wraps [ErrShort] or [ErrBounds].
func (r Result) Instances() (MultiInstances, error) {
	in := MultiInstances{result: r.index}
	if !r.HasInstances() {
		in.Span = PERF_MULTI_INSTANCES.blank()
		return in, nil
	}
	rest, n, err := r.behindIDs()
	if err == nil {
		whole, fault := rest.record(&PERF_MULTI_INSTANCES)
		if fault == nil {
			in.Span, in.values = whole, n
			return in, nil
		}
		err = fault.under(in.Path())
	}
	in.Span = PERF_MULTI_INSTANCES.blank()
	return in, err
}
