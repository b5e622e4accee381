package layout

import "iter"

// MultiCounters is a view of a PERF_MULTI_COUNTERS with its ids and the padding behind them: its
// length leads to what comes next.
type MultiCounters struct {
	Span
	result int
}

// idBytes is what the id of a counter takes.
const idBytes = 4

// IDs returns the ids of the counters, zeros where there are none: see
// [Result.HasIDs]. Where an odd number of them leaves out the padding behind it, the values
// are gone through to tell whether there is some. With an error come zeros too. The error
// is an [*Error] that wraps [ErrShort] or [ErrBounds].
func (r Result) IDs() (MultiCounters, error) {
	ids := MultiCounters{result: r.index}
	var err error
	if r.HasIDs() {
		if ids.Span, err = r.ids(); err == nil {
			return ids, nil
		}
	}
	ids.Span = PERF_MULTI_COUNTERS.blank()
	return ids, err
}

func (r Result) ids() (Span, error) {
	rest := r.from(uint64(PERF_COUNTER_HEADER.Size))
	whole, fault := rest.record(&PERF_MULTI_COUNTERS)
	if fault != nil {
		return Span{}, fault.under(MultiCounters{result: r.index}.Path())
	}
	need := uint64(PERF_MULTI_COUNTERS.Size) + idBytes*uint64(MultiCounters{Span: whole}.DwCounters())
	if _, err := whole.Sub(0, need); err != nil {
		return Span{}, PERF_MULTI_COUNTERS.fault("dwCounters", whole, MultiCounters{result: r.index}.Path(), err)
	}
	padded := need + idBytes
	if uint64(whole.Len()) == need && need%Align != 0 && padded <= uint64(rest.Len()) &&
		r.isPadded(rest.from(need), rest.from(padded), MultiCounters{Span: whole}.DwCounters()) {
		return rest.Sub(0, padded)
	}
	return whole, nil
}

// isPadded reports whether what comes behind n ids stands behind padding. It tells where
// that is when the count is odd and dwSize ends with the last id: the documentation can be
// read so that padding to a multiple of 8 follows all the same, and so that none does. It is
// where values lead to the end from; if they do from both or from neither, where the first
// record seems to be; and if that is nowhere, zeros are padding.
func (r Result) isPadded(next, behind Span, n uint32) bool {
	if !r.HasInstances() { // of which the first numbers tell it
		if leads := behind.leads(n); leads != next.leads(n) {
			return leads
		}
	}
	return !r.follows(next) && (r.follows(behind) || le.Uint32(next.b) == 0)
}

// leads reports whether n values lead from the start of s to its end by the sizes that they
// have.
func (s Span) leads(n uint32) bool {
	for range n {
		size := s.fits(&PERF_COUNTER_DATA)
		if size == 0 || !(CounterData{Span: s}).within(size) {
			return false
		}
		s = s.from(size)
	}
	return s.Len() == 0
}

// shortestInstance is what an instance takes at the least: its name ends with a NUL, and is
// padded.
const shortestInstance = 16

// follows reports whether s may be what comes behind the ids. To take padding for the head
// of a record shifts its two numbers by one, and then neither 4 nor 8 bytes of a value nor
// any number of instances fits.
func (r Result) follows(s Span) bool {
	if r.HasInstances() {
		n := s.fits(&PERF_MULTI_INSTANCES)
		return n > 0 && uint64(MultiInstances{Span: s}.DwInstances()) <= (n-uint64(PERF_MULTI_INSTANCES.Size))/shortestInstance
	}
	n := s.fits(&PERF_COUNTER_DATA)
	return n > 0 && n%Align == 0 && CounterData{Span: s}.DwDataSize() > 0 && CounterData{Span: s}.within(n)
}

// within reports whether the bytes of a value are inside its record of n bytes.
func (r CounterData) within(n uint64) bool {
	return uint64(r.DwDataSize()) <= n-uint64(PERF_COUNTER_DATA.Size)
}

// fits returns how long the record at the start of s says that it is, 0 where that is
// less than its structure or more than there is. Unlike an error it costs nothing.
func (s Span) fits(r *Record) uint64 {
	if uint64(s.Len()) < uint64(r.Size) {
		return 0
	}
	n := le.Uint32(s.b[r.length().At:])
	if n < r.Size || uint64(n) > uint64(s.Len()) {
		return 0
	}
	return uint64(n)
}

// Path returns the path of the ids, result[i].ids.
func (ids MultiCounters) Path() Path { return Path{}.At("result", ids.result).Field("ids") }

// All yields the ids in the order of the values.
func (ids MultiCounters) All() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := range uint64(ids.DwCounters()) {
			if !yield(le.Uint32(ids.b[uint64(PERF_MULTI_COUNTERS.Size)+idBytes*i:])) {
				return
			}
		}
	}
}
