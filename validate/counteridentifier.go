package validate

import "github.com/perfblock/perfblock/layout"

// counterIdentifier is a PERF_COUNTER_IDENTIFIER with its name.
type counterIdentifier struct {
	layout.CounterIdentifier // its structure; of nothing where not all of that is there
	place
	index int
	end   int64       // of the input
	told  int64       // how many identifiers there are, -1 where that cannot be told
	name  layout.Name // what stands after the structure, up to where the next one starts
	text  []byte      // what of that is before the first NUL
	ended bool        // there is one
}

var onCounterIdentifier = subjectsIn[*counterIdentifier](layout.IdentifiersKind)

func (id *counterIdentifier) path() layout.Path { return layout.Path{}.At("identifier", id.index) }

func (*counterIdentifier) record() *layout.Record { return &layout.PERF_COUNTER_IDENTIFIER }

func (id *counterIdentifier) start() int64 { return id.off }

const counterIdentifierSize = layout.SizeofCounterIdentifier

var counterIdentifierRules = []*Rule{
	{
		ID: "PERF2601", Name: "v2-identifier-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "an identifier has at least 40 bytes, and its Size is at least 40 and does not exceed the bytes left",
		Why:     "Size is the distance to the next identifier. With 0 a reader does not advance, and if Size is too large it reads past the buffer.",
		Fix:     "Write 40 plus the bytes of the name and its NUL, rounded up to a multiple of 8, and pass the number of bytes of all identifiers.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "Size"), pcqIdentifier},
		check:   onCounterIdentifier.guard(identifierBounds),
	},
	{
		ID: "PERF2602", Name: "v2-identifier-align", Severity: Error, Since: "v0.1.0",
		Doc:     "Size of an identifier is a multiple of 8",
		Why:     "Every structure in such a buffer is aligned to 8. Some readers round Size up and others do not, so they find the next identifier at different offsets.",
		Fix:     "Round Size up, and fill the padding with zeros.",
		Sources: []Source{pcqIdentifier, pcqStructures},
		check:   onCounterIdentifier.check(identifierAlign),
	},
	{
		ID: "PERF2603", Name: "v2-identifier-cover", Severity: Error, Since: "v0.1.0",
		Doc:     "Size of an identifier is the distance to the next identifier, or to the end of the input for the last one",
		Why:     "Identifiers are stored one after the other, and only Size separates them. Readers do not find an identifier that the Size of another one covers.",
		Fix:     "Write 40 plus the bytes of the name and its NUL, rounded up to a multiple of 8.",
		Sources: []Source{pcqIdentifier, of(&layout.PERF_COUNTER_IDENTIFIER, "Size")},
		check:   onCounterIdentifier.check(identifierCover),
	},
	{
		ID: "PERF2605", Name: "v2-identifier-guid-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSetGuid is not all zeros",
		Why:     "No counter set has that GUID. Either the field was never written, or the identifier starts at another offset.",
		Fix:     "Write the GUID of the counter set.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "CounterSetGuid")},
		check:   onCounterIdentifier.check(identifierGUIDZero),
	},
	{
		ID: "PERF2606", Name: "v2-identifier-reserved-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "Reserved of an identifier is 0",
		Why:     "Readers ignore the field today. A later version may define it, and a value written by accident would then have an effect.",
		Fix:     "Write 0.",
		Sources: []Source{pcqIdentifier, of(&layout.PERF_COUNTER_IDENTIFIER, "Reserved")},
		check:   onCounterIdentifier.check(identifierReserved),
	},
	{
		ID: "PERF2607", Name: "v2-identifier-add-fields", Severity: Warning, Since: "v0.1.0",
		Doc:     "Status and Index of an identifier that is passed to PerfAddCounters or PerfDeleteCounters are 0",
		Why:     "The functions return both fields. Another value shows that a returned identifier was used again, and its old Status may be taken for the result of this call.",
		Fix:     "Write 0 into both fields before the call.",
		Sources: []Source{function("PerfAddCounters"), function("PerfDeleteCounters")},
		Needs:   "what the identifiers are for",
		check:   onCounterIdentifier.check(identifierAddFields),
	},
	{
		ID: "PERF2608", Name: "v2-identifier-index-set", Severity: Warning, Since: "v0.1.0",
		Doc:     "the n identifiers that PerfQueryCounterInfo returned have n different values of Index, from 0 to n-1",
		Why:     "PerfQueryCounterData returns the results in the order of Index. Without it a result cannot be matched to its identifier.",
		Fix:     "Write the position of the identifier's result in the query data, from 0.",
		Sources: []Source{function("PerfQueryCounterInfo"), pcqQueryInfo},
		Needs:   "what the identifiers are for",
		check:   onCounterIdentifier.check(identifierIndexSet),
	},
	{
		ID: "PERF2609", Name: "v2-identifier-status", Severity: Info, Since: "v0.1.0",
		Doc:     "Status of an identifier that PerfQueryCounterInfo returned is 0",
		Why:     "The protocol requires readers to ignore Status in this call, so its value is not reliable. The query data shows whether the counter has data.",
		Fix:     "Write 0, or ignore the finding.",
		Sources: []Source{pcqQueryInfo, pcqIdentifier},
		Needs:   "what the identifiers are for",
		check:   onCounterIdentifier.check(identifierStatus),
	},
	{
		ID: "PERF2614", Name: "v2-identifier-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "Size of an identifier is the length of the structure and the name, rounded up to a multiple of 8",
		Why:     "The documentation defines Size in this way. A reader that computes the distance to the next identifier, instead of reading Size, finds the next identifier at another offset.",
		Fix:     "Write 40 plus the bytes of the name and its NUL, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "Size"), pcqIdentifier},
		check:   onCounterIdentifier.check(identifierSlack),
	},
}

// bounded reports whether Size is one that an identifier in this place can have.
func (id *counterIdentifier) bounded() bool {
	n := int64(id.Size())
	return n >= counterIdentifierSize && n <= id.end-id.off
}

// lead says what Size would lead to if it were size.
func (id *counterIdentifier) lead() string {
	if id.off+id.size == id.end {
		return "where the input ends"
	}
	return "where the next one starts"
}

func (p *pass) checkIdentifiers() {
	told := int64(-1)
	if p.placeIdentifiers() {
		told = int64(len(p.places))
	}
	p.ids.reset(len(p.places))
	p.names.reset(len(p.places))
	id := &p.counterIdentifier
	for i, at := range p.places {
		*id = counterIdentifier{place: at, index: i, end: int64(len(p.b)), told: told}
		id.read(p.b[at.off:])
		if !onCounterIdentifier.holds(p, id) {
			return
		}
		if id.ended {
			p.padding(id, id.name.Off()+int64(len(id.text))+2, id.name.End())
		}
	}
}

// read reads the identifier at the start of rest, which goes to the end of the input.
func (id *counterIdentifier) read(rest []byte) {
	if len(rest) < counterIdentifierSize {
		return
	}
	id.CounterIdentifier = layout.CounterIdentifier{Span: layout.NewSpan(rest[:counterIdentifierSize:counterIdentifierSize], id.off)}
	if id.size == 0 {
		return
	}
	id.name = layout.Name{Span: layout.NewSpan(rest[counterIdentifierSize:id.size:id.size], id.off+counterIdentifierSize)}
	text := id.name.Bytes()
	id.text = text[:len(text)&^1]
	if i := id.name.IndexNUL(); i >= 0 {
		id.text, id.ended = text[:i], true
	}
}

func identifierBounds(p *pass, id *counterIdentifier) bool {
	switch left := id.end - id.off; {
	case left < counterIdentifierSize:
		p.bytes(id, "", id.off, int(left), byteCount(left)+" left for it", "must be at least 40")
	case id.bounded():
	case id.repaired:
		p.field(id, "Size", id.Size(), "must be %d, %s", id.size, id.lead())
	default:
		p.field(id, "Size", id.Size(), "must be %s, the bytes there are", eights(counterIdentifierSize, left))
	}
	return id.size != 0
}

func identifierAlign(p *pass, id *counterIdentifier) {
	switch {
	case !id.bounded() || id.Size()%layout.Align == 0:
	case id.repaired:
		p.field(id, "Size", id.Size(), "must be %d, %s", id.size, id.lead())
	default:
		p.field(id, "Size", id.Size(), "must be a multiple of 8")
	}
}

func identifierCover(p *pass, id *counterIdentifier) {
	if id.repaired && id.bounded() && id.Size()%layout.Align == 0 {
		p.field(id, "Size", id.Size(), "must be %d, %s", id.size, id.lead())
	}
}

// identifierSlack does not report a length that is wrong anyway.
func identifierSlack(p *pass, id *counterIdentifier) {
	need := aligned(counterIdentifierSize + int64(len(id.text)) + 2)
	if id.ended && !id.repaired && id.size%layout.Align == 0 && id.size != need {
		p.field(id, "Size", id.size, "must be %d, where its name ends", need)
	}
}

func identifierGUIDZero(p *pass, id *counterIdentifier) {
	if g := id.CounterSetGuid(); g == (layout.GUID{}) {
		p.field(id, "CounterSetGuid", g, "must be the GUID of a counter set")
	}
}

func identifierReserved(p *pass, id *counterIdentifier) {
	if v := id.Reserved(); v != 0 {
		p.field(id, "Reserved", v, "must be 0")
	}
}

func identifierAddFields(p *pass, id *counterIdentifier) {
	if p.ctx.Role != GivenRole {
		return
	}
	if v := id.Status(); v != 0 {
		p.field(id, "Status", v, "must be 0")
	}
	if v := id.Index(); v != 0 {
		p.field(id, "Index", v, "must be 0")
	}
}

// identifierIndexSet does not know how high Index may be where not all identifiers could
// be read.
func identifierIndexSet(p *pass, id *counterIdentifier) {
	if p.ctx.Role != ToldRole {
		return
	}
	v := id.Index()
	if id.told >= 0 && int64(v) >= id.told {
		p.field(id, "Index", v, "must be %s, as there are %d identifiers", between(0, id.told-1), id.told)
		return
	}
	number := func(ref uint32) uint32 { return le.Uint32(p.b[p.places[ref-1].off+identifierIndexAt:]) }
	if first := p.ids.addNumber(v, uint32(id.index+1), number); first != 0 {
		p.field(id, "Index", v, "must differ from that of identifier[%d]", first-1)
	}
}

func identifierStatus(p *pass, id *counterIdentifier) {
	if v := id.Status(); v != 0 && p.ctx.Role == ToldRole {
		p.field(id, "Status", v, "must be 0")
	}
}

// nameOf returns the name of an identifier without its NUL.
func nameOf(id *layout.CounterIdentifier) []byte {
	text := id.Name().Bytes()
	if nul := nulIn(text); nul >= 0 {
		return text[:nul]
	}
	return text
}

// pattern returns where the first wildcard of a name is, -1 if it has none.
func pattern(text []byte) int {
	for i := 0; i+1 < len(text); i += 2 {
		if c := text[i]; text[i+1] == 0 && (c == '*' || c == '?') {
			return i
		}
	}
	return -1
}
