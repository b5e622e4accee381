package layout

import "iter"

// NoString is the dwOffset of a counter without a string.
const NoString uint32 = 0xFFFFFFFF

// Strings is a view of a PERF_STRING_BUFFER_HEADER and all of its dwSize.
type Strings struct{ Span }

// ReadStrings returns the view of the strings at the start of b. The error is an
// [*Error] that wraps [ErrShort] or [ErrBounds].
func ReadStrings(b []byte) (Strings, error) {
	whole, err := NewSpan(b, 0).record(&PERF_STRING_BUFFER_HEADER)
	if err != nil {
		return Strings{PERF_STRING_BUFFER_HEADER.blank()}, err
	}
	return Strings{whole}, nil
}

// Entries yields the entries, dwCounters at the most. A fault is the last pair.
func (s Strings) Entries() iter.Seq2[StringEntry, error] {
	return func(yield func(StringEntry, error) bool) {
		rows(s.from(uint64(PERF_STRING_BUFFER_HEADER.Size)), &PERF_STRING_COUNTER_HEADER, uint64(s.DwCounters()), func(row Span, i int, err error) bool {
			return yield(StringEntry{row, s.Span, i}, err)
		})
	}
}

// StringEntry is a view of a PERF_STRING_COUNTER_HEADER.
type StringEntry struct {
	Span
	all   Span
	index int
}

// Path returns the entry's path, entry[i].
func (e StringEntry) Path() Path { return Path{}.At("entry", e.index) }

// Text returns the bytes of the string, its terminator included: up to the first NUL,
// or all that there are if there is none. It is of length 0 where the counter has
// none. The error is an [*Error] at dwOffset that wraps [ErrBounds] where that does
// not lead behind the entries.
func (e StringEntry) Text() (Name, error) {
	at := uint64(e.DwOffset())
	if e.DwOffset() == NoString {
		return Name{Span: NewSpan(nil, e.off)}, nil
	}
	first := uint64(PERF_STRING_BUFFER_HEADER.Size) + uint64(PERF_STRING_COUNTER_HEADER.Size)*uint64(Strings{e.all}.DwCounters())
	if at < first || at > uint64(e.all.Len()) {
		f := PERF_STRING_COUNTER_HEADER.Field("dwOffset")
		return Name{}, &Error{Path: e.Path().Field(f.Name), Off: e.off + int64(f.At), Len: int(f.Type.Size()),
			Err: Faultf(ErrBounds, "%d is not %d to %d, the strings behind the entries", at, first, e.all.Len())}
	}
	return e.all.from(at).untilNUL(), nil
}
