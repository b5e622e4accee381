package layout

import "iter"

// CounterIdentifier is a view of a PERF_COUNTER_IDENTIFIER and all of its Size.
type CounterIdentifier struct {
	Span
	index int
}

// ReadCounterIdentifiers yields the identifiers that fill b one after the other, as
// PerfAddCounters takes and PerfQueryCounterInfo returns them. A fault is the last
// pair: an [*Error] that wraps [ErrShort] or [ErrBounds].
func ReadCounterIdentifiers(b []byte) iter.Seq2[CounterIdentifier, error] {
	return func(yield func(CounterIdentifier, error) bool) {
		rest := NewSpan(b, 0)
		for i := 0; rest.Len() > 0; i++ {
			id, err := readIdentifier(rest, i)
			if !yield(id, err) || err != nil {
				return
			}
			rest = rest.from(uint64(id.Len()))
		}
	}
}

func readIdentifier(s Span, index int) (CounterIdentifier, error) {
	id := CounterIdentifier{index: index}
	whole, err := s.record(&PERF_COUNTER_IDENTIFIER)
	if err != nil {
		id.Span = PERF_COUNTER_IDENTIFIER.blank()
		return id, err.under(id.Path())
	}
	id.Span = whole
	return id, nil
}

// Path returns the identifier's path, identifier[i].
func (id CounterIdentifier) Path() Path { return Path{}.At("identifier", id.index) }

// Name returns the bytes of the instances' name or pattern, its terminator included:
// up to the first NUL, as what comes behind that is padding, or all that there are if
// there is none. It is of length 0 where the record ends with its structure, as it does
// for a counter set without instances.
func (id CounterIdentifier) Name() Name {
	return id.from(uint64(PERF_COUNTER_IDENTIFIER.Size)).untilNUL()
}
