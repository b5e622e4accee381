package layout

import "iter"

// MultiCounters is a view of a PERF_MULTI_COUNTERS with its ids and the padding after the
// ids. The instances or values of the result follow.
type MultiCounters struct {
	Span
	result int
}

const idBytes = 4

// IDs returns the ids of the counters, or a view of zeros if the result has no ids: see
// [Result.HasIDs]. If dwSize ends directly after an odd number of ids, IDs examines the
// following data to find out whether it starts with padding. The error is an [*Error] that
// wraps [ErrShort] or [ErrBounds]; the view then reads as zeros.
func (r Result) IDs() (MultiCounters, error) {
	ids := MultiCounters{result: r.index}
	if !r.HasIDs() {
		ids.Span = PERF_MULTI_COUNTERS.blank()
		return ids, nil
	}
	rest := r.skipBytes(SizeofCounterHeader)
	whole, err := rest.recordAt(&PERF_MULTI_COUNTERS, ids.Path)
	ids.Span = whole
	if err != nil {
		return ids, err
	}
	need := SizeofMultiCounters + idBytes*uint64(ids.DwCounters())
	if _, err := whole.Sub(0, need); err != nil {
		ids.Span = PERF_MULTI_COUNTERS.blank()
		return ids, PERF_MULTI_COUNTERS.fault("dwCounters", whole, ids.Path(), err)
	}
	padded := need + idBytes
	if uint64(whole.Len()) == need && need%Align != 0 && padded <= uint64(rest.Len()) &&
		r.isPadded(rest.skipBytes(need), rest.skipBytes(padded), ids.DwCounters()) {
		ids.Span, _ = rest.Sub(0, padded)
	}
	return ids, nil
}

// isPadded guesses whether 4 bytes of padding follow the n ids. n is odd, and dwSize ends directly after the last id.
// For this case, the documentation does not say clearly whether padding follows. The parameter unpadded has all bytes
// after the ids. The parameter padded has the same bytes without the first 4.
func (r Result) isPadded(unpadded, padded Span, n uint32) bool {
	if !r.HasInstances() {
		// If only one of the two spans consists of exactly n values, the data is this span.
		if fill := padded.isFilledBy(n); fill != unpadded.isFilledBy(n) {
			return fill
		}
	}
	// Otherwise, use the span that starts with a plausible record: first try unpadded, then padded. If neither starts with
	// a plausible record, 4 bytes of zeros are padding.
	return !r.isPlausible(unpadded) && (r.isPlausible(padded) || le.Uint32(unpadded.b) == 0)
}

// isFilledBy reports whether n values with their declared sizes fill s exactly.
func (s Span) isFilledBy(n uint32) bool {
	for range n {
		size := s.validLength(&PERF_COUNTER_DATA)
		if size == 0 || !(CounterData{Span: s}).fitsIn(size) {
			return false
		}
		s = s.skipBytes(size)
	}
	return s.Len() == 0
}

// minInstance is the size of the shortest instance: a header, and a NUL with padding.
const minInstance = SizeofInstanceHeader + Align

// isPlausible reports whether s starts with a PERF_MULTI_INSTANCES or PERF_COUNTER_DATA whose fields have plausible
// values. If s starts with padding, isPlausible reads the padding as the first field of the record, and usually returns
// false.
func (r Result) isPlausible(s Span) bool {
	if r.HasInstances() {
		n := s.validLength(&PERF_MULTI_INSTANCES)
		return n > 0 && uint64(MultiInstances{Span: s}.DwInstances()) <= (n-SizeofMultiInstances)/minInstance
	}
	n := s.validLength(&PERF_COUNTER_DATA)
	return n > 0 && n%Align == 0 && CounterData{Span: s}.DwDataSize() > 0 && CounterData{Span: s}.fitsIn(n)
}

// fitsIn reports whether the dwDataSize bytes of the value fit into a record of n bytes.
func (v CounterData) fitsIn(n uint64) bool {
	return uint64(v.DwDataSize()) <= n-SizeofCounterData
}

// Path returns the path of the ids, result[i].ids.
func (ids MultiCounters) Path() Path { return Path{}.At("result", ids.result).Field("ids") }

// All yields the ids in the order of the values.
func (ids MultiCounters) All() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := range uint64(ids.DwCounters()) {
			if !yield(le.Uint32(ids.b[SizeofMultiCounters+idBytes*i:])) {
				return
			}
		}
	}
}

func (w *walker) ids(ids MultiCounters) {
	path := ids.Path()
	if !w.record(&PERF_MULTI_COUNTERS, ids.Span, path) {
		return
	}
	rest, known := w.list(&counterID, ids.skipBytes(SizeofMultiCounters), path, uint64(ids.DwCounters()), func(one, after Span, i int) (Span, bool) {
		w.part(listElement(&counterID, one, path, i))
		return after, true
	})
	if known {
		w.yieldBytes(rest, PaddingPart, path.Field("padding"), nil)
	}
}
