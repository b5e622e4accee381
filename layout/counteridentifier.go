package layout

import "iter"

// CounterIdentifier is a view of a PERF_COUNTER_IDENTIFIER and everything in its Size.
type CounterIdentifier struct {
	Span
	index int
}

// ReadCounterIdentifiers yields the identifiers in b. The identifiers must fill b without gaps. b is a buffer for
// PerfAddCounters, or a buffer that PerfQueryCounterInfo returned. Iteration stops after the first error, an [*Error]
// that wraps [ErrShort] or [ErrBounds].
func ReadCounterIdentifiers(b []byte) iter.Seq2[CounterIdentifier, error] {
	return func(yield func(CounterIdentifier, error) bool) {
		rest := NewSpan(b, 0)
		for i := 0; rest.Len() > 0; i++ {
			id, err := readIdentifier(rest, i)
			if !yield(id, err) || err != nil {
				return
			}
			rest = rest.skipBytes(uint64(id.Len()))
		}
	}
}

func readIdentifier(s Span, index int) (id CounterIdentifier, err error) {
	id = CounterIdentifier{index: index}
	id.Span, err = s.recordAt(&PERF_COUNTER_IDENTIFIER, id.Path)
	return id, err
}

// Path returns the identifier's path, identifier[i].
func (id CounterIdentifier) Path() Path { return Path{}.At("identifier", id.index) }

// Name returns the bytes of the instance name or pattern, up to and including the first NUL. The
// bytes after the NUL are padding. Without a NUL, the name is all bytes after the structure. If no
// bytes follow the structure, the name has length 0.
func (id CounterIdentifier) Name() Name {
	return id.skipBytes(SizeofCounterIdentifier).untilNUL()
}

func (w *walker) identifiers(s Span) {
	w.list(&PERF_COUNTER_IDENTIFIER, s, Path{}, toTheEnd, func(one, after Span, i int) (Span, bool) {
		id := CounterIdentifier{one, i}
		if w.record(&PERF_COUNTER_IDENTIFIER, one, id.Path()) {
			w.name(one.skipBytes(SizeofCounterIdentifier), id.Name(), id.Path(), "Name")
		}
		return after, true
	})
}
