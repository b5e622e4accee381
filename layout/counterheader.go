package layout

import (
	"iter"
)

// Result is a view of a PERF_COUNTER_HEADER and everything in its dwSize: the data of one counter or counter set of the
// query. The dwType selects the format of the data. The methods yield no data for PERF_ERROR_RETURN and for an unknown
// dwType: see [PerfCounterDataType.Valid].
type Result struct {
	Span
	index int
}

func readResult(s Span, index int) (r Result, err error) {
	r = Result{index: index}
	r.Span, err = s.recordAt(&PERF_COUNTER_HEADER, r.Path)
	return r, err
}

// Path returns the result's path, result[i].
func (r Result) Path() Path { return Path{}.At("result", r.index) }

// Index returns the position of the result in the query data. The Index field of the
// PERF_COUNTER_IDENTIFIER for the result has the same value.
func (r Result) Index() int { return r.index }

// HasIDs reports whether the result starts with the ids of the counters.
func (r Result) HasIDs() bool {
	return r.DwType() == PERF_MULTIPLE_COUNTERS || r.DwType() == PERF_COUNTERSET
}

// HasInstances reports whether the result has instances.
func (r Result) HasInstances() bool {
	return r.DwType() == PERF_MULTIPLE_INSTANCES || r.DwType() == PERF_COUNTERSET
}

// data returns the bytes after the header and the ids. n is the number of values of each instance. In a result without
// instances, n is the number of values of the result.
func (r Result) data() (values Span, n uint64, err error) {
	rest := r.skipBytes(SizeofCounterHeader)
	if !r.HasIDs() {
		return rest, 1, nil
	}
	ids, err := r.IDs()
	if err != nil {
		return Span{}, 0, err
	}
	return rest.skipBytes(uint64(ids.Len())), uint64(ids.DwCounters()), nil
}

// Values yields the value of a PERF_SINGLE_COUNTER result, or the values of a
// PERF_MULTIPLE_COUNTERS result in the order of its ids. Other results have no values of
// their own. Iteration stops after the first error in the ids or in a value.
func (r Result) Values() iter.Seq2[CounterData, error] {
	return func(yield func(CounterData, error) bool) { r.values(yield) }
}

// values is the loop of Values. [QueryData.results] explains why it is a separate method.
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

// Instances returns the instances of the result. If the result has no instances (see
// [Result.HasInstances]), Instances returns a view of zeros and no error. The error is an
// [*Error] that wraps [ErrShort] or [ErrBounds] if the ids or the PERF_MULTI_INSTANCES have a
// fault; the view then reads as zeros.
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
	in.values = n
	in.Span, err = rest.recordAt(&PERF_MULTI_INSTANCES, in.Path)
	return in, err
}

func (w *walker) result(r Result) {
	path := r.Path()
	if !w.record(&PERF_COUNTER_HEADER, r.Span, path) {
		return
	}
	rest, n := r.skipBytes(SizeofCounterHeader), uint64(1)
	if !r.DwType().Valid() {
		if rest.Len() > 0 {
			err := Faultf(ErrRange, "%v is not a PerfCounterDataType, so the format of the data is unknown", r.DwType())
			w.yieldBytes(rest, UnreadPart, path.Field("rest"), PERF_COUNTER_HEADER.fault("dwType", r.Span, path, err))
		}
		return
	}
	if r.HasIDs() {
		ids, err := r.IDs()
		if err != nil {
			w.walkFaulty(&PERF_MULTI_COUNTERS, rest, ids.Path(), err)
			return
		}
		w.ids(ids)
		rest, n = rest.skipBytes(uint64(ids.Len())), uint64(ids.DwCounters())
	}
	known := true
	switch {
	case r.HasInstances():
		rest, known = w.multiInstances(r, rest, n)
	case r.DwType() != PERF_ERROR_RETURN:
		rest, known = w.values(rest, path, n)
	}
	if known {
		w.yieldBytes(rest, UnreadPart, path.Field("rest"), nil)
	}
}

// CounterData is a view of one value: a PERF_COUNTER_DATA, and the bytes after it that dwSize includes.
type CounterData struct {
	Span
	result, instance, index int // instance is -1 for a value without an instance
}

func readCounterData(s Span, result, instance, index int) (v CounterData, err error) {
	v = CounterData{result: result, instance: instance, index: index}
	v.Span, err = s.recordAt(&PERF_COUNTER_DATA, v.Path)
	return v, err
}

// eachValue yields the n values at the start of s, and stops after the first error.
func eachValue(s Span, result, instance int, n uint64, yield func(CounterData, error) bool) {
	for i := range n {
		v, err := readCounterData(s, result, instance, int(i))
		if !yield(v, err) || err != nil {
			return
		}
		s = s.skipBytes(uint64(v.Len()))
	}
}

// skipValues returns the bytes after the n values at the start of s.
func skipValues(s Span, result, instance int, n uint64) (Span, error) {
	for i := range n {
		n := s.validLength(&PERF_COUNTER_DATA)
		if n == 0 {
			_, err := readCounterData(s, result, instance, int(i))
			return Span{}, err
		}
		s = s.skipBytes(n)
	}
	return s, nil
}

// Path returns the path of the value, result[i].data[k] or result[i].instance[j].data[k].
func (v CounterData) Path() Path {
	path := Path{}.At("result", v.result)
	if v.instance >= 0 {
		path = path.At("instance", v.instance)
	}
	return path.At("data", v.index)
}

// Index returns the position of the value in its instance or result. If the result has ids, the id at the same position
// belongs to the value.
func (v CounterData) Index() int { return v.index }

// Value returns the dwDataSize bytes of the value. If the bytes end after dwSize, the error is an [*Error] at
// dwDataSize and wraps [ErrBounds].
func (v CounterData) Value() (Span, error) {
	value, err := v.Sub(SizeofCounterData, uint64(v.DwDataSize()))
	if err != nil {
		return Span{}, PERF_COUNTER_DATA.fault("dwDataSize", v.Span, v.Path(), err)
	}
	return value, nil
}

// values walks n values at the start of s and returns the bytes after the last value. It returns false if w.done is
// true after a value, or if a value has no valid length. path is the path of the result or instance.
func (w *walker) values(s Span, path Path, n uint64) (Span, bool) {
	return w.list(&PERF_COUNTER_DATA, s, path, n, func(one, after Span, i int) (Span, bool) {
		at := path.At("data", i)
		if !w.record(&PERF_COUNTER_DATA, one, at) {
			return after, true
		}
		tail, size := one.skipBytes(SizeofCounterData), uint64(CounterData{Span: one}.DwDataSize())
		value, err := one.Sub(SizeofCounterData, size)
		if err != nil {
			w.yieldBytes(tail, UnreadPart, at.Field("padding"), PERF_COUNTER_DATA.fault("dwDataSize", one, at, err))
			return after, true
		}
		if value.Len() > 0 || w.find != nil {
			w.part(untyped(value, at.Field("value")))
		}
		w.yieldBytes(tail.skipBytes(size), PaddingPart, at.Field("padding"), nil)
		return after, true
	})
}
