package layout

import "iter"

// Identifier is a view of a PERF_COUNTER_IDENTIFIER and all of its Size.
type Identifier struct {
	Span
	index int
}

// ReadIdentifiers yields the identifiers that fill b one after the other, as
// PerfAddCounters takes and PerfQueryCounterInfo returns them. A fault is the last pair.
func ReadIdentifiers(b []byte) iter.Seq2[Identifier, error] {
	return func(yield func(Identifier, error) bool) {
		rest := NewSpan(b, 0)
		for i := 0; rest.Len() > 0; i++ {
			id := Identifier{index: i}
			whole, fault := rest.record(&PERF_COUNTER_IDENTIFIER)
			if fault != nil {
				id.Span = PERF_COUNTER_IDENTIFIER.blank()
				yield(id, fault.under(id.Path()))
				return
			}
			id.Span = whole
			if !yield(id, nil) {
				return
			}
			rest = rest.from(uint64(whole.Len()))
		}
	}
}

// Path returns the identifier's path, identifier[i].
func (id Identifier) Path() Path { return Path{}.At("identifier", id.index) }

// Name returns the bytes of the instances' name or pattern, its terminator included:
// up to the first NUL, or all that there are if there is none. It is of length 0 where
// the record ends behind its structure.
func (id Identifier) Name() Name { return id.from(uint64(PERF_COUNTER_IDENTIFIER.Size)).untilNUL() }
