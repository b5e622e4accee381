package validate

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// stringBuffer is a PERF_STRING_BUFFER_HEADER, and what is known of all after it.
type stringBuffer struct {
	layout.StringBuffer          // its structure; of nothing where not all of that is there
	n                   int64    // number of entries used
	size                int64    // number of bytes used, 0 if unknown
	base                int64    // from where offsets count
	end                 int64    // end of the last string, 0 if unknown
	least               int64    // start of the first string, size if there is none
	strayed             bool     // an offset is not the start of a string
	last                [2]int64 // where the last NULs start, at an even and at an odd offset
}

var onStringBuffer = subjectsIn[*stringBuffer](layout.StringsKind)

func (*stringBuffer) path() layout.Path { return layout.Path{} }

func (*stringBuffer) record() *layout.Record { return &layout.PERF_STRING_BUFFER_HEADER }

func (*stringBuffer) start() int64 { return 0 }

// Of the header, and of an entry.
const stringHeaderSize = layout.SizeofStringBufferHeader

var stringBufferRules = []*Rule{
	{
		ID: "PERF2704", Name: "v2-strings-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "dwSize has room for the 8 bytes of the header, the dwCounters entries and their strings, and does not exceed the length of the input",
		Why:     "A reader uses dwSize to check that an entry or a string is inside the buffer. If it is too large the reader reads past the buffer, and if it is too small strings are lost.",
		Fix:     "Write the length of header, entries and strings, rounded up to a multiple of 8, into dwSize, and the number of entries into dwCounters. If the buffer was cut off, capture it again.",
		Sources: []Source{of(&layout.PERF_STRING_BUFFER_HEADER, "dwSize"), pcqStrings},
		check:   onStringBuffer.guard(stringsBounds),
	},
	{
		ID: "PERF2705", Name: "v2-strings-align", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwSize of a string buffer is a multiple of 8",
		Why:     "The protocol pads the buffer to a multiple of 8. A reader of several consecutive buffers finds the next one at another offset.",
		Fix:     "Round dwSize up, and fill the padding with zeros.",
		Sources: []Source{pcqStrings, pcqStructures},
		check:   onStringBuffer.check(stringsAlign),
	},
	{
		ID: "PERF2707", Name: "v2-strings-offset-base", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwOffset counts from the start of the buffer",
		Why:     "These offsets point to strings only if they count from the end of the entries. One document of the protocol describes it so, but perflib.h and the pages of the functions do not, and readers follow those.",
		Fix:     "Add 8, plus 8 for each entry, to every dwOffset.",
		Sources: []Source{of(&layout.PERF_STRING_COUNTER_HEADER, "dwOffset"), pcqEntry},
		Misread: []string{"System Informer and perflib-explorer count from the start of the buffer"},
		check:   onStringBuffer.check(stringsOffsetBase),
	},
	{
		ID: "PERF2712", Name: "v2-strings-gap", Severity: Error, Since: "v0.1.0",
		Doc:     "no further entries are between the last of the dwCounters entries and the first string",
		Why:     "A reader stops after dwCounters entries, and never finds the strings of the remaining counters.",
		Fix:     "Write the number of all entries into dwCounters.",
		Sources: []Source{of(&layout.PERF_STRING_BUFFER_HEADER, "dwCounters"), pcqStrings},
		check:   onStringBuffer.check(stringsGap),
	},
	{
		ID: "PERF2713", Name: "v2-strings-slack", Severity: Info, Since: "v0.1.0",
		Doc:     "dwSize is the length of header, entries and strings, rounded up to a multiple of 8",
		Why:     "No offset refers to the bytes after the last string. Readers ignore them, unless a string is missing or dwCounters is one too small.",
		Fix:     "Write the length of header, entries and strings, rounded up to a multiple of 8, into dwSize.",
		Sources: []Source{of(&layout.PERF_STRING_BUFFER_HEADER, "dwSize"), pcqStrings},
		check:   onStringBuffer.check(stringsSlack),
	},
}

// entriesEnd returns where n entries end.
func entriesEnd(n int64) int64 { return stringHeaderSize + n*stringHeaderSize }

func (p *pass) checkStrings() {
	s := &p.stringBuffer
	p.measure(s)
	p.placeStrings(s)
	if !onStringBuffer.holds(p, s) {
		return
	}
	if int64(s.DwSize()) == s.size { // where it is wrong that has been told
		p.input.end = s.size
	}
	p.ids.reset(int(s.n))
	for i := range s.n {
		p.stringCounter = p.entryAt(i)
		p.stringCounter.place(s)
		onStringCounter.holds(p, &p.stringCounter)
	}
	if !s.strayed {
		p.betweenStrings(s)
	}
}

func stringsBounds(p *pass, s *stringBuffer) bool {
	have := int64(len(p.b))
	if have < stringHeaderSize {
		p.bytes(s, "", 0, int(have), fmt.Sprintf("the input has %d bytes", have), "must have at least 8")
		return false
	}
	n, size := int64(s.DwCounters()), int64(s.DwSize())
	if s.size != 0 && s.n < n {
		p.field(s, "dwCounters", n, "must be %d, after which a string starts", s.n)
	}
	switch least := entriesEnd(n); {
	case s.size != 0 && s.size == size:
	case s.size != 0:
		p.field(s, "dwSize", size, "must be %d, where the last string ends%s", aligned(s.size), longer(aligned(s.size), have))
	case least <= size:
		p.field(s, "dwSize", size, "must be at most %d, the bytes there are", have)
	case least > have || size == have:
		p.field(s, "dwCounters", n, "must be %s, for which there is room", between(0, entries(min(size, have))))
	default:
		p.field(s, "dwSize", size, "must be %s, the bytes there are", eights(least, have))
	}
	return s.size != 0
}

// entries returns how many entries have room in a buffer of n bytes.
func entries(n int64) int64 { return max(0, n/stringHeaderSize-1) }

// stringsAlign requires dwSize to be a multiple of 8. It skips a dwSize that another rule reports.
func stringsAlign(p *pass, s *stringBuffer) {
	if n := int64(s.DwSize()); n == s.size && n%layout.Align != 0 {
		p.field(s, "dwSize", n, "must be a multiple of 8")
	}
}

// stringsOffsetBase speaks once of what is wrong with all offsets.
func stringsOffsetBase(p *pass, s *stringBuffer) {
	for i := int64(0); s.base != 0 && i < s.n; i++ {
		p.stringCounter = p.entryAt(i)
		if n := int64(p.stringCounter.DwOffset()); n < s.base {
			p.field(&p.stringCounter, "dwOffset", n, "must be %d, counted from the start of the buffer", s.base+n)
			return
		}
	}
}

// stringsGap leaves what is no entry to those who look at padding.
func stringsGap(p *pass, s *stringBuffer) {
	if n := int64(s.DwCounters()); n < s.n {
		p.field(s, "dwCounters", n, "must be %d, as many entries as there are before the first string", s.n)
	}
}

// stringsSlack does not report a length that is wrong anyway, nor where an offset may
// lead elsewhere than to the last string.
func stringsSlack(p *pass, s *stringBuffer) {
	need := aligned(s.end)
	if n := int64(s.DwSize()); s.end != 0 && !s.strayed && n%layout.Align == 0 && n > need {
		p.field(s, "dwSize", n, "must be %d, what header, entries and strings take", need)
	}
}

// measure finds out by how many entries and bytes to go, and from where offsets count.
func (p *pass) measure(s *stringBuffer) {
	*s = stringBuffer{}
	have := int64(len(p.b))
	if have < stringHeaderSize {
		return
	}
	s.StringBuffer = p.stringsHeader()
	s.n = int64(s.DwCounters())
	size := int64(s.DwSize())
	if size < entriesEnd(s.n) || size > have {
		size = have // for now
	}
	if entriesEnd(s.n) <= size && p.fromEntries(s.n, size) {
		s.base = entriesEnd(s.n)
	} else if n := p.countRows(s.n, size); n >= 0 {
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
	if entriesEnd(s.n) > have {
		return
	}
	for _, base := range [...]int64{0, entriesEnd(s.n)} {
		if end, whole := p.stringsEnd(s.n, have, base); whole && (base == 0 || p.fromEntries(s.n, have)) {
			s.size, s.base = min(have, aligned(end)), base
			return
		}
	}
}

// fromEntries reports whether all offsets lead to strings if they count from the end of
// the entries, and not all do if they count from the start.
func (p *pass) fromEntries(n, size int64) bool {
	end, other := entriesEnd(n), false
	for i := range n {
		switch offset, none := p.offsetAt(i); {
		case none:
		case end+offset >= size:
			return false
		default:
			other = other || offset < end
		}
	}
	return other
}

// countRows returns the number of entries if they fill the bytes up to the first string that
// they point to, and -1 if that is unknown. dwCounters declares n entries.
func (p *pass) countRows(n, size int64) int64 {
	first := size
	k := int64(0)
	for ; entriesEnd(k+1) <= first; k++ {
		offset, none := p.offsetAt(k)
		if none {
			continue
		}
		if offset < entriesEnd(k+1) || offset >= size || k >= n && offset > first && !p.startsString(offset) {
			break
		}
		first = min(first, offset)
	}
	switch {
	case k < n && entriesEnd(k+1) > first && entriesEnd(k+1) <= int64(len(p.b)):
		// A string starts in the next. Is that no entry?
		if offset, none := p.offsetAt(k); !none && (offset < entriesEnd(n) || offset >= size) {
			return k
		}
	case k > n && (entriesEnd(k+1) > first || allZero(p.b[entriesEnd(k):first])):
		return k
	}
	return -1
}

// startsString reports whether a string can start at an offset that is not that of the
// first one. It tells an entry from a text that no entry leads to.
func (p *pass) startsString(at int64) bool { return at%2 == 0 && p.b[at-2]|p.b[at-1] == 0 }

// offsetAt returns the dwOffset of an entry, which is there, and whether it says that
// there is no string.
func (p *pass) offsetAt(i int64) (offset int64, none bool) {
	at := le.Uint32(p.b[entriesEnd(i)+4:])
	return int64(at), at == noString
}

// stringsEnd returns where the last string ends, and whether all of them are inside size,
// their NULs included.
func (p *pass) stringsEnd(n, size, base int64) (end int64, whole bool) {
	end = entriesEnd(n)
	latest := [2]int64{-1, -1} // of those that start at an even and at an odd offset
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
		ends, ended := p.stringEnd(at, size)
		if !ended {
			return 0, false
		}
		end = max(end, ends)
	}
	return end, true
}

// stringEnd returns where the string at an offset ends, its NUL included, and whether it
// has one before size.
func (p *pass) stringEnd(at, size int64) (end int64, ended bool) {
	for ; at+2 <= size; at += 2 {
		if p.b[at]|p.b[at+1] == 0 {
			return at + 2, true
		}
	}
	return size, false
}

// placeStrings finds where the strings start, in order, and the last NULs.
func (p *pass) placeStrings(s *stringBuffer) {
	p.starts, s.least = p.starts[:0], s.size
	if s.size == 0 {
		return
	}
	for i := range s.n {
		offset, none := p.offsetAt(i)
		switch at := s.base + offset; {
		case none:
		case at < entriesEnd(s.n) || at >= s.size:
			s.strayed = true
		default:
			s.strayed = s.strayed || at%2 != 0
			p.starts = append(p.starts, uint64(at)<<32|uint64(i))
		}
	}
	slices.Sort(p.starts)
	if len(p.starts) > 0 {
		s.least = int64(p.starts[0] >> 32)
	}
	s.last = [2]int64{-1, -1}
	for at := s.size - 2; at >= s.least && (s.last[0] < 0 || s.last[1] < 0); at-- {
		if p.b[at]|p.b[at+1] == 0 {
			s.last[at%2] = max(s.last[at%2], at)
		}
	}
}

// betweenStrings validates what no string has, from the end of the entries on. Strings may
// share bytes; those that start at an even offset and those that start at an odd one are
// each gone through once.
func (p *pass) betweenStrings(s *stringBuffer) {
	var ends [2]int64
	end := entriesEnd(s.n)
	for _, start := range p.starts {
		at := int64(start >> 32)
		if at > end {
			p.stringCounter = p.entryAt(int64(uint32(start)))
			p.unused(&p.stringCounter, "gap", end, at)
		}
		if own := &ends[at%2]; at >= *own {
			*own, _ = p.stringEnd(at, s.size)
		}
		end = max(end, ends[at%2])
	}
	p.padding(s, end, s.size)
}
