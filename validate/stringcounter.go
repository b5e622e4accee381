package validate

import "github.com/perfblock/perfblock/layout"

var stringCounterRules = []*Rule{
	{
		ID: "PERF2706", Name: "v2-strings-offset-range", Severity: Error, Since: "v0.1.0",
		Doc:     "dwOffset is 0xffffffff for no string, or the offset of a byte after the entries and inside dwSize",
		Why:     "A reader that trusts dwOffset shows bytes of the entries, or bytes after the buffer, as the text of the counter.",
		Fix:     "Set dwOffset to the offset from the start of the buffer, or to 0xffffffff if the counter has no string.",
		Sources: []Source{sourceOf(&layout.PERF_STRING_COUNTER_HEADER, "dwOffset"), pcqEntry},
		check: onStringCounter.check(func(p *pass, e *stringCounter) {
			if n := e.DwOffset(); n != layout.NoString && !e.inRange {
				p.field(e, "dwOffset", n, "must be 0xffffffff for no string, or %s", between(entriesEnd(e.all.n), e.all.size-1))
			}
		}),
	},
	{
		ID: "PERF2708", Name: "v2-strings-offset-odd", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwOffset is even",
		Why:     "Strings are UTF-16. At an odd offset the code units are not aligned, and some processors cannot read them. An odd offset is usually wrong by one.",
		Fix:     "Start every string at an even offset.",
		Sources: []Source{sourceOf(&layout.PERF_STRING_COUNTER_HEADER, "dwOffset"), pcqStrings},
		check: onStringCounter.check(func(p *pass, e *stringCounter) {
			require(p, e, "dwOffset", e.DwOffset(), !e.inRange || e.DwOffset()%2 == 0, "must be an even offset")
		}),
	},
	{
		ID: "PERF2709", Name: "v2-strings-unterminated", Severity: Error, Since: "v0.1.0",
		Doc:     "every string ends in a NUL inside dwSize",
		Why:     "No field has the length of a string, so a reader searches for the NUL. If the NUL is missing, the reader reads past the buffer.",
		Fix:     "Write a NUL after every string, and include it in dwSize.",
		Sources: []Source{sourceOf(&layout.PERF_STRING_COUNTER_HEADER, "dwOffset"), pcqStrings},
		check: onStringCounter.check(func(p *pass, e *stringCounter) {
			// p.count counts the finding. If it returns false, the finding is not listed, and its text is
			// not formatted.
			if e.inRange && e.at > e.all.last[e.at%2] && p.count() {
				n := e.all.size - e.at
				p.list(e.path().Field("Text"), e.at, int(n), "the text has no NUL in the "+plural(n, "byte")+" up to the end of the buffer", "must have a NUL after its last character")
			}
		}),
	},
	{
		ID: "PERF2710", Name: "v2-strings-duplicate-id", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two entries have the same counter id",
		Why:     "If a counter has two entries, some readers use the first string and others the last. Windows is known to write such buffers.",
		Fix:     "Write one entry for each counter.",
		Sources: []Source{sourceOf(&layout.PERF_STRING_COUNTER_HEADER, "dwCounterId"), pcqEntry},
		check: onStringCounter.check(func(p *pass, e *stringCounter) {
			number := func(ref uint32) uint32 { return p.entryAt(int64(ref - 1)).DwCounterId() }
			if first := p.ids.addNumber(e.DwCounterId(), uint32(e.index+1), number); first != 0 {
				p.field(e, "dwCounterId", e.DwCounterId(), "must differ from dwCounterId of entry[%d]", first-1)
			}
		}),
	},
	{
		ID: "PERF2711", Name: "v2-strings-unknown-id", Severity: Warning, Since: "v0.1.0",
		Doc:     "dwCounterId is the id of a counter that the set registers",
		Why:     "The string belongs to no counter, so no reader shows it. Strings and registration may be of different versions of the provider.",
		Fix:     "Query the strings and the registration at the same time. If they still differ, install the provider's manifest again.",
		Sources: []Source{sourceOf(&layout.PERF_STRING_COUNTER_HEADER, "dwCounterId"), sourceOf(&layout.PERF_COUNTER_REG_INFO, "CounterId")},
		Needs:   needsRegistrations,
		check: onStringCounter.check(func(p *pass, e *stringCounter) {
			if p.known.only == nil {
				return
			}
			if _, is := p.known.only.counters[e.DwCounterId()]; !is {
				p.field(e, "dwCounterId", e.DwCounterId(), "must be the id of a counter that the set registers")
			}
		}),
	},
}

// stringCounter is a PERF_STRING_COUNTER_HEADER.
type stringCounter struct {
	layout.StringCounter
	index   int64
	at      int64 // start of its string
	inRange bool  // there is a string, and at is after the entries and inside the buffer
	all     *stringBuffer
}

var onStringCounter = subjectsIn[*stringCounter](layout.StringsKind)

func (e *stringCounter) path() layout.Path { return layout.Path{}.At("entry", int(e.index)) }

func (*stringCounter) record() *layout.Record { return &layout.PERF_STRING_COUNTER_HEADER }

func (e *stringCounter) start() int64 { return entriesEnd(e.index) }

// entryAt returns an entry. The whole entry must be inside the input.
func (p *pass) entryAt(i int64) stringCounter {
	return stringCounter{StringCounter: layout.StringCounter{Span: span(p.b, entriesEnd(i), entriesEnd(i+1))}, index: i}
}

// place sets the fields that describe the string of the entry in the buffer s.
func (e *stringCounter) place(s *stringBuffer) {
	e.all = s
	e.at = s.base + int64(e.DwOffset())
	e.inRange = e.DwOffset() != layout.NoString && e.at >= entriesEnd(s.n) && e.at < s.size
}
