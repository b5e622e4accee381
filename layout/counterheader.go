package layout

import "iter"

// Result is a view of a PERF_COUNTER_HEADER and everything in its dwSize: the data of one
// counter or counter set of the query. Its dwType selects the format of the data. If that
// is PERF_ERROR_RETURN or not [PerfCounterDataType.Valid], the view reads no data.
type Result struct {
	Span
	index int
}

func readResult(s Span, index int) (Result, error) {
	r := Result{index: index}
	var err *Error
	if r.Span, err = s.record(&PERF_COUNTER_HEADER); err != nil {
		return r, err.under(r.Path())
	}
	return r, nil
}

// Path returns the result's path, result[i].
func (r Result) Path() Path { return Path{}.At("result", r.index) }

// Index returns the position of the result. The Index of a PERF_COUNTER_IDENTIFIER is such
// a position.
func (r Result) Index() int { return r.index }

// HasIDs reports whether the result starts with the ids of the counters.
func (r Result) HasIDs() bool {
	return r.DwType() == PERF_MULTIPLE_COUNTERS || r.DwType() == PERF_COUNTERSET
}

// HasInstances reports whether the result has instances.
func (r Result) HasInstances() bool {
	return r.DwType() == PERF_MULTIPLE_INSTANCES || r.DwType() == PERF_COUNTERSET
}

// data returns the bytes after the header and the ids, and how many values form a row:
// one, or one for each id.
func (r Result) data() (Span, uint64, error) {
	rest := r.from(SizeofCounterHeader)
	if !r.HasIDs() {
		return rest, 1, nil
	}
	ids, err := r.IDs()
	if err != nil {
		return Span{}, 0, err
	}
	return rest.from(uint64(ids.Len())), uint64(ids.DwCounters()), nil
}

// Values yields the values of a result without instances: one, or one for each id. A
// result of another type has none. A fault in the ids or in a value is the last pair.
func (r Result) Values() iter.Seq2[CounterData, error] {
	return func(yield func(CounterData, error) bool) { r.values(yield) }
}

func (r Result) values(yield func(CounterData, error) bool) {
	if r.DwType() != PERF_SINGLE_COUNTER && r.DwType() != PERF_MULTIPLE_COUNTERS {
		return
	}
	rest, n, err := r.data()
	if err != nil {
		yield(CounterData{Span: PERF_COUNTER_DATA.blank(), result: r.index, instance: -1}, err)
		return
	}
	eachValue(rest, r.index, -1, n, yield)
}

// Instances returns the instances, or zeros if the result has none: see
// [Result.HasInstances]. The error is an [*Error] in the ids or in the
// PERF_MULTI_INSTANCES that wraps [ErrShort] or [ErrBounds]; the view then reads as zeros.
func (r Result) Instances() (MultiInstances, error) {
	in := MultiInstances{result: r.index}
	if !r.HasInstances() {
		in.Span = PERF_MULTI_INSTANCES.blank()
		return in, nil
	}
	rest, n, err := r.data()
	if err != nil {
		in.Span = PERF_MULTI_INSTANCES.blank()
		return in, err
	}
	whole, fault := rest.record(&PERF_MULTI_INSTANCES)
	in.Span, in.values = whole, n
	if fault != nil {
		return in, fault.under(in.Path())
	}
	return in, nil
}

func (w *walker) result(r Result) {
	path := r.Path()
	if !w.record(&PERF_COUNTER_HEADER, r.Span, path) {
		return
	}
	rest, n := r.from(SizeofCounterHeader), uint64(1)
	if !r.DwType().Valid() {
		if rest.Len() > 0 {
			err := Faultf(ErrRange, "%v is not a type of result, so the data has no known format", r.DwType())
			w.bytes(rest, UnreadPart, path.Field("rest"), PERF_COUNTER_HEADER.fault("dwType", r.Span, path, err))
		}
		return
	}
	if r.HasIDs() {
		ids, err := r.IDs()
		if err != nil {
			w.broken(&PERF_MULTI_COUNTERS, rest, ids.Path(), err)
			return
		}
		w.ids(ids)
		rest, n = rest.from(uint64(ids.Len())), uint64(ids.DwCounters())
	}
	known := true
	switch {
	case r.HasInstances():
		rest, known = w.multiInstances(r, rest, n)
	case r.DwType() != PERF_ERROR_RETURN:
		rest, known = w.values(rest, path, n)
	}
	if known {
		w.bytes(rest, UnreadPart, path.Field("rest"), nil)
	}
}
