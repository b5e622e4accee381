package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var stringCounterRules = []*Rule{
	{
		ID: "PERF2706", Name: "v2-strings-offset-range", Severity: Error, Since: "v0.1.0",
		Doc:     "dwOffset is 0xffffffff for no string, or the offset of a byte after the entries and inside dwSize",
		Why:     "A reader that trusts dwOffset shows entries, or bytes after the buffer, as the counter's text.",
		Fix:     "Write the offset from the start of the buffer, or 0xffffffff if the counter has no string.",
		Sources: []Source{of(&layout.PERF_STRING_COUNTER_HEADER, "dwOffset"), pcqEntry},
		check:   onStringCounter.check(stringOffsetRange),
	},
	{
		ID: "PERF2708", Name: "v2-strings-offset-odd", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwOffset is even",
		Why:     "Strings are UTF-16. At an odd offset the code units are misaligned, which some processors refuse, and the offset is usually wrong by one.",
		Fix:     "Start every string at an even offset.",
		Sources: []Source{of(&layout.PERF_STRING_COUNTER_HEADER, "dwOffset"), pcqStrings},
		check:   onStringCounter.check(stringOffsetOdd),
	},
	{
		ID: "PERF2709", Name: "v2-strings-unterminated", Severity: Error, Since: "v0.1.0",
		Doc:     "every string ends in a NUL inside dwSize",
		Why:     "No field holds the length of a string. A reader continues to the next NUL, outside the buffer.",
		Fix:     "Write a NUL after every string, and include it in dwSize.",
		Sources: []Source{of(&layout.PERF_STRING_COUNTER_HEADER, "dwOffset"), pcqStrings},
		check:   onStringCounter.check(stringUnterminated),
	},
	{
		ID: "PERF2710", Name: "v2-strings-duplicate-id", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two entries have the same counter id",
		Why:     "Of two strings some readers take the first and others the last. Windows has been observed to write such buffers.",
		Fix:     "Write one entry for each counter.",
		Sources: []Source{of(&layout.PERF_STRING_COUNTER_HEADER, "dwCounterId"), pcqEntry},
		check:   onStringCounter.check(stringDuplicateID),
	},
	{
		ID: "PERF2711", Name: "v2-strings-unknown-id", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwCounterId is the id of a counter that the set registers",
		Why:     "The string belongs to no counter, so no reader shows it. Strings and registration may come from different versions of the provider.",
		Fix:     "Query both at the same time, and install the provider's manifest again if they still differ.",
		Sources: []Source{of(&layout.PERF_STRING_COUNTER_HEADER, "dwCounterId"), of(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		Needs:   "what is registered of the counter set",
		check:   onStringCounter.check(stringUnknownID),
	},
}

// stringCounter is a PERF_STRING_COUNTER_HEADER.
type stringCounter struct {
	layout.StringCounter
	index  int64
	at     int64 // where its string starts
	placed bool  // it has one
	all    *stringBuffer
}

var onStringCounter = subjectsIn[*stringCounter](layout.StringsKind)

func (e *stringCounter) path() layout.Path { return layout.Path{}.At("entry", int(e.index)) }

func (*stringCounter) record() *layout.Record { return &layout.PERF_STRING_COUNTER_HEADER }

func (e *stringCounter) start() int64 { return entriesEnd(e.index) }

const noString = layout.NoString

func (p *pass) stringsHeader() layout.StringBuffer {
	return layout.StringBuffer{Span: layout.NewSpan(p.b[:stringHeaderSize:stringHeaderSize], 0)}
}

// entryAt returns an entry that is there.
func (p *pass) entryAt(i int64) stringCounter {
	from, to := entriesEnd(i), entriesEnd(i+1)
	return stringCounter{StringCounter: layout.StringCounter{Span: layout.NewSpan(p.b[from:to:to], from)}, index: i}
}

// place finds the string of the entry.
func (e *stringCounter) place(s *stringBuffer) {
	e.all = s
	e.at = s.base + int64(e.DwOffset())
	e.placed = e.DwOffset() != noString && e.at >= entriesEnd(s.n) && e.at < s.size
}

func stringOffsetRange(p *pass, e *stringCounter) {
	if n := e.DwOffset(); n != noString && !e.placed {
		p.field(e, "dwOffset", n, "must be 0xffffffff for no string, or %s", between(entriesEnd(e.all.n), e.all.size-1))
	}
}

func stringOffsetOdd(p *pass, e *stringCounter) {
	if n := e.DwOffset(); e.placed && n%2 != 0 {
		p.field(e, "dwOffset", n, "must be an even offset")
	}
}

func stringUnterminated(p *pass, e *stringCounter) {
	if e.placed && e.at > e.all.last[e.at%2] {
		n := e.all.size - e.at
		p.bytes(e, "Text", e.at, int(n), fmt.Sprintf("the %d bytes from there on have no NUL", n), "must have one after the string")
	}
}

func stringDuplicateID(p *pass, e *stringCounter) {
	number := func(ref uint32) uint32 { return le.Uint32(p.b[entriesEnd(int64(ref-1)):]) }
	if first := p.ids.addNumber(e.DwCounterId(), uint32(e.index+1), number); first != 0 {
		p.field(e, "dwCounterId", e.DwCounterId(), "must differ from that of entry[%d]", first-1)
	}
}

func stringUnknownID(p *pass, e *stringCounter) {
	if p.known.only == nil {
		return
	}
	if _, is := p.known.only.counters[e.DwCounterId()]; !is {
		p.field(e, "dwCounterId", e.DwCounterId(), "must be one of the %d that are registered", len(p.known.only.counters))
	}
}
