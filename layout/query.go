package layout

import "iter"

// Query is a view of a PERF_DATA_HEADER and all that follows it to dwTotalSize: what
// PerfQueryCounterData returns.
type Query struct{ Span }

// ReadQuery returns the view of the query data at the start of b. What lies behind its
// dwTotalSize is not part of it: a buffer is often larger than what is in it. With an
// error comes a view of zeros. The error is an [*Error] that wraps [ErrShort] or
// [ErrBounds].
func ReadQuery(b []byte) (Query, error) {
	whole, err := NewSpan(b, 0).record(&PERF_DATA_HEADER)
	if err != nil {
		return Query{PERF_DATA_HEADER.blank()}, err
	}
	return Query{whole}, nil
}

// Results yields the answers, dwNumCounters at the most. A fault is the last pair.
func (q Query) Results() iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		rest := q.from(uint64(PERF_DATA_HEADER.Size))
		for i := range uint64(q.DwNumCounters()) {
			r, err := readResult(rest, int(i))
			if !yield(r, err) || err != nil {
				return
			}
			rest = rest.from(uint64(r.Len()))
		}
	}
}

// Result is a view of a PERF_COUNTER_HEADER and all of its dwSize: the answer to one
// counter or counter set.
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

// IDs returns the ids of the counters, of which there are none unless [Result.HasIDs].
// The error is an [*Error] that wraps [ErrShort] or [ErrBounds].
func (r Result) IDs() (IDs, error) {
	ids := IDs{result: r.index}
	if !r.HasIDs() {
		return ids, nil
	}
	rest := r.from(uint64(PERF_COUNTER_HEADER.Size))
	whole, err := rest.record(&PERF_MULTI_COUNTERS)
	if err != nil {
		ids.Span = PERF_MULTI_COUNTERS.blank()
		return ids, err.under(ids.Path())
	}
	ids.Span = whole
	if _, err := whole.from(uint64(PERF_MULTI_COUNTERS.Size)).Sub(0, idBytes*uint64(ids.DwCounters())); err != nil {
		return IDs{Span: PERF_MULTI_COUNTERS.blank(), result: r.index}, ids.fault("dwCounters", err)
	}
	ids.Span = r.padded(whole)
	return ids, nil
}

// idBytes is what the id of a counter takes.
const idBytes = 4

// padded returns the ids with the bytes up to a multiple of 8 where dwSize leaves out
// those: with an odd count the documentation can be read both ways. What comes next
// tells, as it has a length of its own.
func (r Result) padded(ids Span) Span {
	rest := r.from(uint64(PERF_COUNTER_HEADER.Size))
	whole, err := rest.Sub(0, (uint64(ids.Len())+Align-1)&^(Align-1))
	if err != nil || whole.Len() == ids.Len() || r.follows(rest.from(uint64(ids.Len()))) || !r.follows(rest.from(uint64(whole.Len()))) {
		return ids
	}
	return whole
}

// follows reports whether s starts with what comes behind the ids.
func (r Result) follows(s Span) bool {
	next := &PERF_COUNTER_DATA
	if r.HasInstances() {
		next = &PERF_MULTI_INSTANCES
	}
	whole, err := s.record(next)
	return err == nil && whole.Len()%Align == 0
}

// body returns what stands behind the header and the ids.
func (r Result) body() (Span, error) {
	ids, err := r.IDs()
	if err != nil {
		return Span{}, err
	}
	return r.from(uint64(PERF_COUNTER_HEADER.Size) + uint64(ids.Len())), nil
}

// Values yields the values of an answer without instances: one, or one for each id. An
// answer of another type has none. A fault is the last pair.
func (r Result) Values() iter.Seq2[Raw, error] {
	return func(yield func(Raw, error) bool) {
		if r.DwType() != PERF_SINGLE_COUNTER && r.DwType() != PERF_MULTIPLE_COUNTERS {
			return
		}
		n := uint64(1)
		ids, err := r.IDs()
		if err == nil && r.HasIDs() {
			n = uint64(ids.DwCounters())
		}
		rest, err := r.body()
		if err != nil {
			yield(Raw{Span: PERF_COUNTER_DATA.blank(), result: r.index, instance: -1}, err)
			return
		}
		raws(rest, r.index, -1, n, yield)
	}
}

// raws yields n values from s on and returns what is behind them, and whether all came.
func raws(s Span, result, instance int, n uint64, yield func(Raw, error) bool) (Span, bool) {
	for i := range n {
		v, err := readRaw(s, result, instance, int(i))
		if !yield(v, err) || err != nil {
			return s, false
		}
		s = s.from(uint64(v.Len()))
	}
	return s, true
}

// Instances returns the instances, of which there are none unless
// [Result.HasInstances]. The error is an [*Error] that wraps [ErrShort] or [ErrBounds].
func (r Result) Instances() (Instances, error) {
	in := Instances{result: r.index, values: 1}
	if !r.HasInstances() {
		return in, nil
	}
	rest, err := r.body()
	if err == nil {
		whole, fault := rest.record(&PERF_MULTI_INSTANCES)
		if fault == nil {
			in.Span = whole
			if r.HasIDs() {
				ids, _ := r.IDs()
				in.values = uint64(ids.DwCounters())
			}
			return in, nil
		}
		err = fault.under(in.Path())
	}
	in.Span = PERF_MULTI_INSTANCES.blank()
	return in, err
}

// IDs is a view of a PERF_MULTI_COUNTERS with its ids.
type IDs struct {
	Span
	result int
}

// Path returns the path of the ids, result[i].ids.
func (ids IDs) Path() Path { return Path{}.At("result", ids.result).Field("ids") }

// All yields the ids in the order of the values.
func (ids IDs) All() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if ids.Len() == 0 {
			return
		}
		for i := range uint64(ids.DwCounters()) {
			if !yield(le.Uint32(ids.b[uint64(PERF_MULTI_COUNTERS.Size)+idBytes*i:])) {
				return
			}
		}
	}
}

func (ids IDs) fault(field string, err error) *Error {
	f := PERF_MULTI_COUNTERS.Field(field)
	return &Error{Path: ids.Path().Field(field), Off: ids.off + int64(f.At), Len: int(f.Type.Size()), Err: err}
}
