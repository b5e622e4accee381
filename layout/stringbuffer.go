package layout

import (
	"cmp"
	"iter"
	"slices"
)

// NoString is the dwOffset of a counter without a string.
const NoString uint32 = 0xFFFFFFFF

// StringBuffer is a view of a PERF_STRING_BUFFER_HEADER and everything in its dwSize: the
// names or help texts of the counters of a set.
type StringBuffer struct {
	Span
	base uint64 // offset in the view from which dwOffset counts
}

// ReadStringBuffer returns a view of the string buffer at the start of b. The view has dwSize
// bytes, and the dwCounters entries must fit into them. The error is an [*Error] that wraps
// [ErrShort] or [ErrBounds]; the view then reads as zeros.
func ReadStringBuffer(b []byte) (StringBuffer, error) {
	whole, err := readWhole(&PERF_STRING_BUFFER_HEADER, b)
	if err != nil {
		return StringBuffer{Span: whole}, err
	}
	s, err := newStringBuffer(whole)
	if err != nil {
		return StringBuffer{Span: PERF_STRING_BUFFER_HEADER.blank()}, err
	}
	return s, nil
}

// newStringBuffer returns the view of a whole string buffer. On an error, the view has no valid entries.
func newStringBuffer(whole Span) (StringBuffer, error) {
	s := StringBuffer{Span: whole}
	if _, err := s.Sub(0, s.entriesEnd()); err != nil {
		return s, PERF_STRING_BUFFER_HEADER.fault("dwCounters", whole, Path{}, err)
	}
	if s.fromEntries() {
		s.base = s.entriesEnd()
	}
	return s, nil
}

// entriesEnd returns the offset of the end of the entries, where the first string may start.
func (s StringBuffer) entriesEnd() uint64 {
	return SizeofStringBufferHeader + uint64(s.DwCounters())*SizeofStringCounterHeader
}

// fromEntries reports whether dwOffset counts from the end of the entries: see [StringBuffer.Base].
func (s StringBuffer) fromEntries() bool {
	first, size := s.entriesEnd(), uint64(s.Len())
	intoEntries := false
	for e := range s.Entries() {
		offset := uint64(e.DwOffset())
		switch {
		case e.DwOffset() == NoString:
		case first+offset >= size:
			return false
		case offset < first:
			intoEntries = true
		}
	}
	return intoEntries
}

// Base returns the offset in the input to which dwOffset is relative. In Windows and in the documentation of perflib.h,
// this is the start of the buffer. In MS-PCQ, this is the end of the entries. Base returns the start of the buffer, or
// the end of the entries if both of these facts are true:
//   - Relative to the start of the buffer, at least one string would start before the end of the entries.
//   - Relative to the end of the entries, all strings would start inside dwSize.
func (s StringBuffer) Base() int64 { return s.off + int64(s.base) }

// Entries yields the dwCounters entries.
func (s StringBuffer) Entries() iter.Seq[StringCounter] {
	return func(yield func(StringCounter) bool) {
		const head, size = SizeofStringBufferHeader, SizeofStringCounterHeader
		for i := range uint64(s.DwCounters()) {
			row, _ := s.Sub(head+size*i, size) // no error: ReadStringBuffer has checked that the entries fit
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

// Text returns the bytes of the string at dwOffset from [StringBuffer.Base], up to and including the first NUL, or
// to the end of the buffer if there is no NUL. The text has length 0 if dwOffset is [NoString]. If the text starts
// in the entries or after dwSize, the error is an [*Error] at dwOffset and wraps [ErrBounds].
//
// Text searches for the NUL in every call, and the entries of a hostile buffer can share one
// long string. Limit the number of calls for an untrusted buffer.
func (e StringCounter) Text() (Name, error) {
	if e.DwOffset() == NoString {
		return Name{Span: NewSpan(nil, e.all.off+int64(e.all.Len()))}, nil
	}
	at, first := e.all.base+uint64(e.DwOffset()), e.all.entriesEnd()
	if at < first || at >= uint64(e.all.Len()) {
		err := Faultf(ErrBounds, "the text starts at %d, must start at %d to %d", at, first, e.all.Len()-1)
		return Name{}, PERF_STRING_COUNTER_HEADER.fault("dwOffset", e.Span, e.Path(), err)
	}
	return e.all.skipBytes(at).untilNUL(), nil
}

func (w *walker) strings(s Span) {
	whole, err := readWhole(&PERF_STRING_BUFFER_HEADER, s.b)
	cut := s.truncated(&PERF_STRING_BUFFER_HEADER)
	switch {
	case cut:
		whole = s
	case err != nil:
		w.walkFaulty(&PERF_STRING_BUFFER_HEADER, s, Path{}, err)
		return
	}
	all, tooMany := newStringBuffer(whole)
	if tooMany != nil {
		w.tooManyEntries(all, cmp.Or(err, tooMany), cut)
		w.yieldBytes(s.skipBytes(uint64(whole.Len())), UnreadPart, Path{}.Field("rest"), nil)
		return
	}
	w.record(&PERF_STRING_BUFFER_HEADER, all.Span, Path{})
	for e := range all.Entries() {
		if w.record(&PERF_STRING_COUNTER_HEADER, e.Span, e.Path()) && w.find != nil {
			w.find.findText(e)
		}
		if w.done {
			return
		}
	}
	w.texts(all)
	w.yieldBytes(s.skipBytes(uint64(all.Len())), UnreadPart, Path{}.Field("rest"), err)
}

// tooManyEntries walks a buffer that is too short for dwCounters entries. If cut is true, the input ends before dwSize,
// and the walk yields the complete entries. If cut is false, dwCounters is wrong, and the walk yields no entries.
func (w *walker) tooManyEntries(all StringBuffer, err error, cut bool) {
	w.record(&PERF_STRING_BUFFER_HEADER, all.Span, Path{})
	rest := all.skipBytes(SizeofStringBufferHeader)
	for i := 0; cut && rest.hasStructure(&PERF_STRING_COUNTER_HEADER) && !w.done; i++ {
		w.record(&PERF_STRING_COUNTER_HEADER, rest, StringCounter{index: i}.Path())
		rest = rest.skipBytes(SizeofStringCounterHeader)
	}
	w.yieldBytes(rest, UnreadPart, Path{}.Field("rest"), err)
}

// texts yields the texts, sorted by offset, and the bytes after the last text. These bytes are a PaddingPart. If the
// dwOffset of an entry is out of range, they are an UnreadPart with the error of the first such entry.
func (w *walker) texts(all StringBuffer) {
	type start struct {
		at    uint64
		index int // of the entry
	}
	var starts []start
	sort, bad := PaddingPart, error(nil)
	for e := range all.Entries() {
		at := all.base + uint64(e.DwOffset())
		switch {
		case e.DwOffset() == NoString:
		case at >= all.entriesEnd() && at < uint64(all.Len()):
			starts = append(starts, start{at, e.index})
		case bad == nil:
			sort = UnreadPart
			_, bad = e.Text()
		}
	}
	slices.SortFunc(starts, func(a, b start) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.index, b.index)) })
	end := all.entriesEnd()
	for _, one := range starts {
		if one.at < end { // inside an earlier text; without this check, the texts could be much longer than the buffer
			continue
		}
		path := StringCounter{index: one.index}.Path()
		if gap, _ := all.Sub(end, one.at-end); gap.Len() > 0 {
			w.yieldBytes(gap, PaddingPart, path.Field("gap"), nil)
		}
		name := all.skipBytes(one.at).untilNUL()
		w.part(Part{Span: name.Span, Path: path.Field("Text"), Sort: NamePart})
		if w.done {
			return
		}
		end = one.at + uint64(name.Len())
	}
	w.yieldBytes(all.skipBytes(end), sort, Path{}.Field("padding"), bad)
}
