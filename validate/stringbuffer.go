package validate

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// stringBuffer is a PERF_STRING_BUFFER_HEADER with its entries and strings.
type stringBuffer struct {
	atStart
	layout.StringBuffer          // the structure, empty if the input ends inside it
	n                   int64    // number of entries: dwCounters, or the corrected number
	size                int64    // number of bytes: dwSize, or the corrected size; 0 if not known
	base                int64    // offset from which every dwOffset counts
	end                 int64    // end of the last string, 0 if not known
	first               int64    // start of the first string, size if there is none
	offsetWrong         bool     // a dwOffset is out of range or odd
	last                [2]int64 // start of the last NUL at an even and at an odd offset, -1 for none
}

var onStringBuffer = subjectsIn[*stringBuffer](layout.StringsKind)

func (*stringBuffer) record() *layout.Record { return &layout.PERF_STRING_BUFFER_HEADER }

var stringBufferRules = []*Rule{
	{
		ID: "PERF2704", Name: "v2-strings-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize is at least the length of header, entries and strings, and does not exceed the length of the input",
		Why:     "A reader uses dwSize to check that an entry or a string is inside the buffer. If dwSize is too large, the reader reads past the buffer. If it is too small, the reader refuses valid strings.",
		Fix:     "Set dwSize to the length of header, entries and strings, rounded up to a multiple of 8. Set dwCounters to the number of entries. If the buffer was cut off, capture it again.",
		Sources: []Source{sourceOf(&layout.PERF_STRING_BUFFER_HEADER, "dwSize"), pcqStrings},
		check:   onStringBuffer.guard(stringsBounds),
	},
	{
		ID: "PERF2705", Name: "v2-strings-align", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwSize of a string buffer is a multiple of 8",
		Why:     "The protocol pads the buffer to a multiple of 8. Some readers round dwSize up and others do not. They find the following data at different offsets.",
		Fix:     "Round dwSize up, and fill the padding with zeros.",
		Sources: []Source{pcqStrings, pcqStructures},
		check: onStringBuffer.check(func(p *pass, s *stringBuffer) {
			// If dwSize is not s.size, another rule reports dwSize.
			if n := int64(s.DwSize()); n == s.size && n%layout.Align != 0 {
				p.field(s, "dwSize", n, "must be a multiple of 8")
			}
		}),
	},
	{
		ID: "PERF2707", Name: "v2-strings-offset-base", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwOffset counts from the start of the buffer",
		Why:     "The offsets in this buffer point to strings only if they count from the end of the entries. MS-PCQ describes such offsets. In the documentation of perflib.h and in readers, offsets count from the start of the buffer.",
		Fix:     "Increase each dwOffset by the size of the header and the entries: 8 plus 8 times dwCounters.",
		Sources: []Source{sourceOf(&layout.PERF_STRING_COUNTER_HEADER, "dwOffset"), pcqEntry},
		Misread: []string{"System Informer and perflib-explorer count dwOffset from the start of the buffer"},
		check: onStringBuffer.check(func(p *pass, s *stringBuffer) {
			// The finding is at the first dwOffset that is smaller than the size of the header and the
			// entries.
			for i := int64(0); s.base != 0 && i < s.n; i++ {
				p.stringCounter = p.entryAt(i)
				if n := int64(p.stringCounter.DwOffset()); n < s.base {
					p.field(&p.stringCounter, "dwOffset", n, "must be %d, counted from the start of the buffer", s.base+n)
					return
				}
			}
		}),
	},
	{
		ID: "PERF2712", Name: "v2-strings-gap", Severity: Error, Since: "v0.1.0",
		Doc:     "dwCounters counts all entries before the first string",
		Why:     "A reader stops after dwCounters entries, and does not find the strings of the other entries.",
		Fix:     "Write the number of all entries into dwCounters.",
		Sources: []Source{sourceOf(&layout.PERF_STRING_BUFFER_HEADER, "dwCounters"), pcqStrings},
		check: onStringBuffer.check(func(p *pass, s *stringBuffer) {
			if n := int64(s.DwCounters()); n < s.n {
				p.field(s, "dwCounters", n, "must be %d, the number of entries before the first string", s.n)
			}
		}),
	},
	{
		ID: "PERF2713", Name: "v2-strings-slack", Severity: Info, Since: "v0.1.0",
		Doc:     "dwSize is the length of header, entries and strings, rounded up to a multiple of 8",
		Why:     "No entry refers to the bytes after the last string, so readers ignore them. If these bytes are a string, the entry of the string is missing.",
		Fix:     "Set dwSize to the length of header, entries and strings, rounded up to a multiple of 8.",
		Sources: []Source{sourceOf(&layout.PERF_STRING_BUFFER_HEADER, "dwSize"), pcqStrings},
		check: onStringBuffer.check(func(p *pass, s *stringBuffer) {
			// If a dwOffset is wrong, the string of its entry may be after the last string found.
			need := aligned(s.end)
			if n := int64(s.DwSize()); s.end != 0 && !s.offsetWrong && n%layout.Align == 0 && n > need {
				p.field(s, "dwSize", n, "must be %d, the size of header, entries and strings", need)
			}
		}),
	},
}

// entriesEnd returns the offset after n entries.
func entriesEnd(n int64) int64 { return stringHeaderSize + n*stringEntrySize }

// mostEntries returns the largest number of entries that fit into a buffer of n bytes.
func mostEntries(n int64) int64 { return max(0, (n-stringHeaderSize)/stringEntrySize) }

func (p *pass) checkStrings() {
	s := &p.stringBuffer
	p.findEntries(s)
	p.placeStrings(s)
	if !onStringBuffer.run(p, s) {
		return
	}
	if int64(s.DwSize()) == s.size { // otherwise another rule reports dwSize
		p.input.end = s.size
	}
	p.ids.reset(int(s.n))
	for i := range s.n {
		p.stringCounter = p.entryAt(i)
		p.stringCounter.place(s)
		onStringCounter.run(p, &p.stringCounter)
	}
	if !s.offsetWrong {
		p.betweenStrings(s)
	}
}

func stringsBounds(p *pass, s *stringBuffer) bool {
	have := int64(len(p.b))
	if !p.requireSize(s, have, "the input has %s", "have") {
		return false
	}
	n, size := int64(s.DwCounters()), int64(s.DwSize())
	if s.size != 0 && s.n < n {
		p.field(s, "dwCounters", n, "must be %d, the number of entries before the first string", s.n)
	}
	switch least := entriesEnd(n); {
	case s.size != 0 && s.size == size:
	case s.size != 0 && aligned(s.size) == size: // the strings are whole, but the padding after them is not
		p.reportBytes(s, "", 0, int(have), "the input has "+plural(have, "byte"), fmt.Sprintf("must have %d, the dwSize", size))
	case s.size != 0:
		p.field(s, "dwSize", size, "must be %d, the end of the last string rounded up to a multiple of 8%s", aligned(s.size), longer(aligned(s.size), have))
	case least <= size:
		p.field(s, "dwSize", size, "must be %s", atMost(have, layout.Align, inputLength))
	case least > have || size == have:
		p.field(s, "dwCounters", n, "must be %s, the number of entries that fit into the buffer", between(0, mostEntries(min(size, have))))
	default:
		p.field(s, "dwSize", size, "must be %s", upTo(least, have, layout.Align, inputLength))
	}
	return s.size != 0
}

// findEntries sets the number of entries, the size of the buffer, and the offset from which every dwOffset counts. If
// dwCounters or dwSize contradicts the offsets of the strings, findEntries trusts the offsets.
func (p *pass) findEntries(s *stringBuffer) {
	*s = stringBuffer{}
	have := int64(len(p.b))
	if have < stringHeaderSize {
		return
	}
	s.StringBuffer = layout.StringBuffer{Span: span(p.b, 0, stringHeaderSize)}
	s.n = int64(s.DwCounters())
	size := int64(s.DwSize())
	if size < entriesEnd(s.n) || size > have {
		size = have // until the strings are found
	}
	if entriesEnd(s.n) <= size && p.countsFromEntries(s.n, size) {
		s.base = entriesEnd(s.n)
	} else if n := p.countEntries(s.n, size); n >= 0 {
		s.n = n
	}
	holds := entriesEnd(s.n) <= int64(s.DwSize()) && int64(s.DwSize()) <= have
	if holds {
		s.size = int64(s.DwSize())
		if end, whole := p.stringsEnd(s.n, s.size, s.base); whole {
			s.end = end
			return
		}
	}
	if n := int64(s.DwCounters()); size < have && (entriesEnd(n) > have || !p.countsFromEntries(n, have)) { // dwSize is wrong
		if n = p.countEntries(n, have); n >= 0 {
			s.n = n
		}
	}
	if entriesEnd(s.n) > have {
		return
	}
	for _, base := range [...]int64{0, entriesEnd(s.n)} {
		if end, whole := p.stringsEnd(s.n, have, base); whole && (base == 0 || p.countsFromEntries(s.n, have)) {
			s.size, s.base = min(have, aligned(end)), base
			return
		}
	}
}

// countsFromEntries reports whether the offsets of n entries count from the end of the entries.
func (p *pass) countsFromEntries(n, bufferSize int64) bool {
	end, other := entriesEnd(n), false
	for i := range n {
		switch offset, none := p.offsetAt(i); {
		case none:
		case end+offset >= bufferSize:
			return false
		default:
			// An offset from the start of the buffer cannot be inside the header or the entries.
			other = other || offset < end
		}
	}
	return other
}

// countEntries returns the number of entries before the first string if dwCounters is wrong. If
// dwCounters is right, or if the number of entries cannot be found, it returns -1. The argument n is
// dwCounters, and size is the size of the buffer.
func (p *pass) countEntries(n, size int64) int64 {
	first := size
	k := int64(0)
	for ; entriesEnd(k+1) <= first; k++ {
		offset, none := p.offsetAt(k)
		if none {
			continue
		}
		if offset < entriesEnd(k+1) || offset >= size || k >= n && offset > first && !p.canStart(offset) {
			break
		}
		first = min(first, offset)
	}
	switch {
	case k < n && entriesEnd(k+1) > first && entriesEnd(k+1) <= int64(len(p.b)):
		// Entry k overlaps the first string. If dwOffset of entry k is out of range, the bytes of
		// entry k are text of the string, and only k entries precede the string.
		if offset, none := p.offsetAt(k); !none && (offset < entriesEnd(n) || offset >= size) {
			return k
		}
	case k > n && (entriesEnd(k+1) > first || allZero(p.b[entriesEnd(k):first])):
		return k
	}
	return -1
}

// canStart reports whether a string can start at an offset. The offset must be even, and a NUL must
// precede it. So canStart distinguishes entries from texts: the bytes of a text rarely have such an
// offset in the place of dwOffset.
func (p *pass) canStart(at int64) bool { return at%2 == 0 && p.b[at-2]|p.b[at-1] == 0 }

// offsetAt returns dwOffset of an entry, and whether this value means that there is no string. The
// whole entry must be inside the input.
func (p *pass) offsetAt(i int64) (offset int64, none bool) {
	entry := p.entryAt(i)
	return int64(entry.DwOffset()), entry.DwOffset() == layout.NoString
}

// stringsEnd returns the end of the last string of n entries, and whether all strings end in a NUL
// inside a buffer of size bytes. Offsets count from base.
func (p *pass) stringsEnd(n, size, base int64) (end int64, whole bool) {
	end = entriesEnd(n)
	latest := [2]int64{-1, -1} // start of the last string at an even and at an odd offset
	for i := range n {
		offset, none := p.offsetAt(i)
		if none {
			continue
		}
		at := base + offset
		if at < entriesEnd(n) || at >= size {
			return 0, false
		}
		latest[at%2] = max(latest[at%2], at)
	}
	for _, at := range latest {
		if at < 0 {
			continue
		}
		nul := nulIn(p.b[at:size])
		if nul < 0 {
			return 0, false
		}
		end = max(end, at+nul+2)
	}
	return end, true
}

// placeStrings sets p.starts to the sorted offsets of the strings, and s.last to the last NUL at an
// even and at an odd offset.
func (p *pass) placeStrings(s *stringBuffer) {
	p.starts, s.first = p.starts[:0], s.size
	if s.size == 0 {
		return
	}
	for i := range s.n {
		offset, none := p.offsetAt(i)
		switch at := s.base + offset; {
		case none:
		case at < entriesEnd(s.n) || at >= s.size:
			s.offsetWrong = true
		default:
			s.offsetWrong = s.offsetWrong || at%2 != 0
			p.starts = append(p.starts, uint64(at)<<32|uint64(i))
		}
	}
	slices.Sort(p.starts)
	if len(p.starts) > 0 {
		s.first = int64(p.starts[0] >> 32)
	}
	s.last = [2]int64{-1, -1}
	for at := s.size - 2; at >= s.first && (s.last[0] < 0 || s.last[1] < 0); at-- {
		if p.b[at]|p.b[at+1] == 0 {
			s.last[at%2] = max(s.last[at%2], at)
		}
	}
}

// betweenStrings reports bytes other than 0 that are after the entries and belong to no string.
func (p *pass) betweenStrings(s *stringBuffer) {
	var ends [2]int64
	end := entriesEnd(s.n)
	for _, start := range p.starts {
		at := int64(start >> 32)
		if at > end {
			p.stringCounter = p.entryAt(int64(uint32(start)))
			p.unused(&p.stringCounter, "gap", end, at)
		}
		// Strings may share bytes. A byte is read at most twice: once for even and once for odd
		// offsets.
		if own := &ends[at%2]; at >= *own {
			*own = s.size // if the string has no NUL
			if nul := nulIn(p.b[at:s.size]); nul >= 0 {
				*own = at + nul + 2
			}
		}
		end = max(end, ends[at%2])
	}
	p.padding(s, end, s.size)
}
