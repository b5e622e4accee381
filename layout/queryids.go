package layout

import "iter"

// IDs is a view of a PERF_MULTI_COUNTERS with its ids and the padding behind them: its
// length leads to what comes next.
type IDs struct {
	Span
	result int
}

// idBytes is what the id of a counter takes.
const idBytes = 4

// IDs returns the ids of the counters, zeros where there are none: see
// [Result.HasIDs]. With an error come zeros too. The error is an [*Error] that wraps
// [ErrShort] or [ErrBounds].
func (r Result) IDs() (IDs, error) {
	ids := IDs{result: r.index}
	if !r.HasIDs() {
		ids.Span = PERF_MULTI_COUNTERS.blank()
		return ids, nil
	}
	rest := r.from(uint64(PERF_COUNTER_HEADER.Size))
	whole, err := rest.record(&PERF_MULTI_COUNTERS)
	if err != nil {
		ids.Span = PERF_MULTI_COUNTERS.blank()
		return ids, err.under(ids.Path())
	}
	ids.Span = whole
	need := uint64(PERF_MULTI_COUNTERS.Size) + idBytes*uint64(ids.DwCounters())
	if _, err := whole.Sub(0, need); err != nil {
		ids.Span = PERF_MULTI_COUNTERS.blank()
		return ids, PERF_MULTI_COUNTERS.fault("dwCounters", whole, ids.Path(), err)
	}
	if uint64(whole.Len()) == need && need%Align != 0 && !r.follows(rest.from(need)) {
		if padded, err := rest.Sub(0, need+idBytes); err == nil && r.follows(rest.from(need+idBytes)) {
			ids.Span = padded
		}
	}
	return ids, nil
}

// follows reports whether s may be what comes behind the ids. It tells where that is
// when the count is odd and dwSize ends with the last id: the documentation can be read
// so that padding to a multiple of 8 follows all the same, and so that none does. To
// take padding for the head of a record shifts its two numbers by one, and then neither
// 4 nor 8 bytes of a value nor any number of instances fits.
func (r Result) follows(s Span) bool {
	if r.HasInstances() {
		whole, err := s.record(&PERF_MULTI_INSTANCES)
		return err == nil && uint64(Instances{Span: whole}.DwInstances()) <= uint64(whole.Len())/uint64(PERF_INSTANCE_HEADER.Size)
	}
	whole, err := s.record(&PERF_COUNTER_DATA)
	n := uint64(0)
	if err == nil {
		n = uint64(Raw{Span: whole}.DwDataSize())
	}
	return n > 0 && n <= uint64(whole.Len())-uint64(PERF_COUNTER_DATA.Size)
}

// Path returns the path of the ids, result[i].ids.
func (ids IDs) Path() Path { return Path{}.At("result", ids.result).Field("ids") }

// All yields the ids in the order of the values.
func (ids IDs) All() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := range uint64(ids.DwCounters()) {
			if !yield(le.Uint32(ids.b[uint64(PERF_MULTI_COUNTERS.Size)+idBytes*i:])) {
				return
			}
		}
	}
}
