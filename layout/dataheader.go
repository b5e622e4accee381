package layout

import "iter"

// QueryData is a view of a PERF_DATA_HEADER and everything up to its dwTotalSize: what
// PerfQueryCounterData returns.
type QueryData struct{ Span }

// ReadQueryData returns a view of the query data at the start of b. The view has dwTotalSize
// bytes; a buffer is often larger. The error is an [*Error] that wraps [ErrShort] or
// [ErrBounds]; the view then reads as zeros.
func ReadQueryData(b []byte) (QueryData, error) {
	whole, err := readWhole(&PERF_DATA_HEADER, b)
	return QueryData{whole}, err
}

// Results yields the results, at most dwNumCounters. Iteration stops after the first error.
func (q QueryData) Results() iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) { q.results(yield) }
}

// results is the loop of Results. The loop is in a separate method so that the compiler can inline
// nested loops. This saves allocations.
func (q QueryData) results(yield func(Result, error) bool) {
	rest := q.skipBytes(SizeofDataHeader)
	for i := range uint64(q.DwNumCounters()) {
		r, err := readResult(rest, int(i))
		if !yield(r, err) || err != nil {
			return
		}
		rest = rest.skipBytes(uint64(r.Len()))
	}
}

func (w *walker) queryData(s Span) {
	q, cut := ReadQueryData(s.b)
	if cut != nil {
		if !s.truncated(&PERF_DATA_HEADER) {
			w.walkFaulty(&PERF_DATA_HEADER, s, Path{}, cut)
			return
		}
		q = QueryData{s}
	}
	w.record(&PERF_DATA_HEADER, s, Path{})
	w.cutList(&PERF_COUNTER_HEADER, q.skipBytes(SizeofDataHeader), Path{}, uint64(q.DwNumCounters()), func(one Span, i int) { w.result(Result{one, i}) })
	w.yieldBytes(s.skipBytes(uint64(q.Len())), UnreadPart, Path{}.Field("rest"), cut)
}
