package layout

import "iter"

// RegSet is a view of a PERF_COUNTERSET_REG_INFO and the counters behind it.
type RegSet struct{ Span }

// ReadRegSet returns the view of the counter set's registration that b is. The error
// is an [*Error] that wraps [ErrShort].
func ReadRegSet(b []byte) (RegSet, error) {
	s, err := NewSpan(b, 0).atLeast(&PERF_COUNTERSET_REG_INFO)
	return RegSet{s}, err
}

// atLeast returns s, which the record starts.
func (s Span) atLeast(r *Record) (Span, error) {
	if uint64(s.Len()) < uint64(r.Size) {
		return r.blank(), &Error{Off: s.off, Len: s.Len(), Err: Faultf(ErrShort, "%d bytes are less than the %d of a %s", s.Len(), r.Size, r.C)}
	}
	return s, nil
}

// Counters yields the counters, NumCounters at the most. A fault is the last pair.
func (s RegSet) Counters() iter.Seq2[RegCounter, error] {
	return func(yield func(RegCounter, error) bool) {
		rows(s.from(uint64(PERF_COUNTERSET_REG_INFO.Size)), &PERF_COUNTER_REG_INFO, uint64(s.NumCounters()), func(row Span, i int, err error) bool {
			return yield(RegCounter{row, i}, err)
		})
	}
}

// rows yields n records that have no length of their own. A fault comes last.
func rows(s Span, r *Record, n uint64, yield func(Span, int, error) bool) {
	for i := range n {
		row, err := s.Sub(0, uint64(r.Size))
		if err != nil {
			yield(r.blank(), int(i), &Error{Path: Path{}.At(r.In, int(i)), Off: s.off, Len: s.Len(),
				Err: Faultf(ErrShort, "%d bytes are less than the %d of a %s", s.Len(), r.Size, r.C)})
			return
		}
		if !yield(row, int(i), nil) {
			return
		}
		s = s.from(uint64(r.Size))
	}
}

// RegCounter is a view of a PERF_COUNTER_REG_INFO.
type RegCounter struct {
	Span
	index int
}

// ReadRegCounter returns the view of the counter's registration that b starts with. The
// error is an [*Error] that wraps [ErrShort].
func ReadRegCounter(b []byte) (RegCounter, error) {
	s, err := NewSpan(b, 0).atLeast(&PERF_COUNTER_REG_INFO)
	return RegCounter{Span: s}, err
}

// Path returns the counter's path, counter[i].
func (c RegCounter) Path() Path { return Path{}.At("counter", c.index) }
