package layout

import "iter"

// NoString is the dwOffset of a counter without a string.
const NoString uint32 = 0xFFFFFFFF

// StringBuffer is a view of a PERF_STRING_BUFFER_HEADER and all of its dwSize: the names or
// help texts of a set's counters.
type StringBuffer struct {
	Span
	base uint64 // from where the offsets count, from the start of the view
}

// ReadStringBuffer returns the view of the strings at the start of b, of which dwCounters
// entries must fit into dwSize. What lies behind that is not part of it. With an error
// comes a view of zeros. The error is an [*Error] that wraps [ErrShort] or [ErrBounds].
func ReadStringBuffer(b []byte) (StringBuffer, error) {
	whole, err := NewSpan(b, 0).record(&PERF_STRING_BUFFER_HEADER)
	if err != nil {
		return StringBuffer{Span: PERF_STRING_BUFFER_HEADER.blank()}, err
	}
	s := StringBuffer{Span: whole}
	if _, err := s.Sub(0, s.first()); err != nil {
		return StringBuffer{Span: PERF_STRING_BUFFER_HEADER.blank()}, PERF_STRING_BUFFER_HEADER.fault("dwCounters", whole, Path{}, err)
	}
	s.count()
	return s, nil
}

// count finds out from where the offsets count.
func (s *StringBuffer) count() {
	if s.fromEntries() {
		s.base = s.first()
	}
}

// first returns where the entries end and the strings may start.
func (s StringBuffer) first() uint64 {
	return uint64(PERF_STRING_BUFFER_HEADER.Size) + uint64(s.DwCounters())*uint64(PERF_STRING_COUNTER_HEADER.Size)
}

// fromEntries reports whether the offsets make sense from the end of the entries only.
func (s StringBuffer) fromEntries() bool {
	first, size := s.first(), uint64(s.Len())
	other := false
	for e := range s.Entries() {
		offset := uint64(e.DwOffset())
		switch {
		case e.DwOffset() == NoString:
		case first+offset >= size:
			return false
		case offset < first:
			other = true
		}
	}
	return other
}

// Base returns where in the input the offsets count from. That is the start of the
// view, as Windows writes them and two of three documents say. It is the end of the
// entries, as the third says, where all strings lie in dwSize by that and not all by
// the other.
func (s StringBuffer) Base() int64 { return s.off + int64(s.base) }

// Entries yields the dwCounters entries.
func (s StringBuffer) Entries() iter.Seq[StringCounter] {
	return func(yield func(StringCounter) bool) {
		head, size := uint64(PERF_STRING_BUFFER_HEADER.Size), uint64(PERF_STRING_COUNTER_HEADER.Size)
		for i := range uint64(s.DwCounters()) {
			row, _ := s.Sub(head+size*i, size) // ReadStrings has looked
			if !yield(StringCounter{row, s, int(i)}) {
				return
			}
		}
	}
}

// StringCounter is a view of a PERF_STRING_COUNTER_HEADER.
type StringCounter struct {
	Span
	all   StringBuffer
	index int
}

// Path returns the entry's path, entry[i].
func (e StringCounter) Path() Path { return Path{}.At("entry", e.index) }

// Text returns the bytes of the string that dwOffset leads to from [StringBuffer.Base], its
// terminator included: up to the first NUL, or all that there are if there is none. It
// is of length 0 where dwOffset is [NoString]. The error is an [*Error] at dwOffset that
// wraps [ErrBounds] where that does not lead behind the entries and into dwSize.
//
// It looks for the NUL each time, and strings may share their bytes: of a buffer that is
// not to be trusted, do not take the text of every entry without a limit.
func (e StringCounter) Text() (Name, error) {
	if e.DwOffset() == NoString {
		return Name{Span: NewSpan(nil, e.all.off+int64(e.all.Len()))}, nil
	}
	text, err := e.all.text(e.all.base+uint64(e.DwOffset()), e.all.first())
	if err != nil {
		return Name{}, PERF_STRING_COUNTER_HEADER.fault("dwOffset", e.Span, e.Path(), err)
	}
	return text, nil
}
