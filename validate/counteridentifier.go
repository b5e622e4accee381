package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// counterIdentifier is a PERF_COUNTER_IDENTIFIER with its name.
type counterIdentifier struct {
	layout.CounterIdentifier // its structure; of nothing where not all of that is there
	place
	index int
	end   int64       // of the input
	told  int64       // how many identifiers there are, -1 where that cannot be told
	name  layout.Name // what stands behind the structure, up to where the next one starts
	text  []byte      // what of that is before the first NUL
	ended bool        // there is one
}

var onCounterIdentifier = subjectsIn[*counterIdentifier](layout.IdentifiersKind)

func (id *counterIdentifier) path() layout.Path { return layout.Path{}.At("identifier", id.index) }

func (*counterIdentifier) record() *layout.Record { return &layout.PERF_COUNTER_IDENTIFIER }

func (id *counterIdentifier) start() int64 { return id.off }

const identifierBytes = 40 // of the structure

var counterIdentifierRules = []*Rule{
	{
		ID: "PERF2601", Name: "v2-identifier-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "where an identifier starts there are at least 40 bytes, and its Size is at least 40 and no more than there are",
		Why:     "By Size a reader steps to the next identifier. With 0 it never gets on, and with more than there is it reads what lies behind the buffer.",
		Fix:     "Write 40 and the bytes of the name, its NUL among them, rounded up to a multiple of 8, and pass on as many bytes as all identifiers take.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "Size"), pcqIdentifier},
		check:   onCounterIdentifier.guard(identifierBounds),
	},
	{
		ID: "PERF2602", Name: "v2-identifier-align", Severity: Error, Since: "v0.1.0",
		Doc:     "Size is a multiple of 8",
		Why:     "Every structure of such a buffer starts on a multiple of 8. A reader that rounds Size up and one that does not find the next identifier in different places.",
		Fix:     "Round Size up, and pad with zeros to there.",
		Sources: []Source{pcqIdentifier, pcqStructures},
		check:   onCounterIdentifier.check(identifierAlign),
	},
	{
		ID: "PERF2603", Name: "v2-identifier-cover", Severity: Error, Since: "v0.1.0",
		Doc:     "Size leads to where the next identifier starts, and that of the last to the end of the input",
		Why:     "Identifiers stand one behind the other, and nothing but Size tells them apart. What one counts as its own no reader finds.",
		Fix:     "Write 40 and the bytes of the name, its NUL among them, rounded up to a multiple of 8.",
		Sources: []Source{pcqIdentifier, of(&layout.PERF_COUNTER_IDENTIFIER, "Size")},
		check:   onCounterIdentifier.check(identifierCover),
	},
	{
		ID: "PERF2605", Name: "v2-identifier-guid-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSetGuid is not all zeros",
		Why:     "No counter set has that GUID. It is a field that was never written, or an identifier that starts elsewhere.",
		Fix:     "Write the GUID of the counter set.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "CounterSetGuid")},
		check:   onCounterIdentifier.check(identifierGUIDZero),
	},
	{
		ID: "PERF2606", Name: "v2-identifier-reserved-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "Reserved is 0",
		Why:     "Readers pass over it today. What it comes to mean is said by whoever wrote something else by accident.",
		Fix:     "Write 0.",
		Sources: []Source{pcqIdentifier, of(&layout.PERF_COUNTER_IDENTIFIER, "Reserved")},
		check:   onCounterIdentifier.check(identifierReserved),
	},
	{
		ID: "PERF2607", Name: "v2-identifier-add-fields", Severity: Warning, Since: "v0.1.0",
		Doc:     "in an identifier that is given to PerfAddCounters or PerfDeleteCounters, Status and Index are 0",
		Why:     "Both are for the answer: the function writes Status. What is there before tells of an answer that was used again, whose Status can be taken for that of this call.",
		Fix:     "Write 0 into both before the call.",
		Sources: []Source{function("PerfAddCounters"), function("PerfDeleteCounters")},
		Needs:   "what the identifiers are for",
		check:   onCounterIdentifier.check(identifierAddFields),
	},
	{
		ID: "PERF2608", Name: "v2-identifier-index-set", Severity: Warning, Since: "v0.1.0",
		Doc:     "of n identifiers that PerfQueryCounterInfo returned, each has another Index from 0 to n-1",
		Why:     "The answers in what PerfQueryCounterData returns stand in the order of Index. Without it no one can tell which of them answers what.",
		Fix:     "Write where in the query data the answer to the identifier stands, counted from 0.",
		Sources: []Source{function("PerfQueryCounterInfo"), pcqQueryInfo},
		Needs:   "what the identifiers are for",
		check:   onCounterIdentifier.check(identifierIndexSet),
	},
	{
		ID: "PERF2609", Name: "v2-identifier-status", Severity: Info, Since: "v0.1.0",
		Doc:     "in an identifier that PerfQueryCounterInfo returned, Status is 0",
		Why:     "The protocol has readers pass over it there, so that what it says is not to be relied on. Whether the counter gives data is said by the query data.",
		Fix:     "Write 0, or leave it.",
		Sources: []Source{pcqQueryInfo, pcqIdentifier},
		Needs:   "what the identifiers are for",
		check:   onCounterIdentifier.check(identifierStatus),
	},
	{
		ID: "PERF2614", Name: "v2-identifier-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "Size is what the structure and the name take, rounded up to a multiple of 8",
		Why:     "Size is documented as just that. A reader that computes where the next identifier starts, in place of reading it, finds it elsewhere.",
		Fix:     "Write 40 and the bytes of the name, its NUL among them, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "Size"), pcqIdentifier},
		check:   onCounterIdentifier.check(identifierSlack),
	},
}

// bounded reports whether Size is one that an identifier in this place can have.
func (id *counterIdentifier) bounded() bool {
	n := int64(id.Size())
	return n >= identifierBytes && n <= id.end-id.off
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
	if len(rest) < identifierBytes {
		return
	}
	id.CounterIdentifier = layout.CounterIdentifier{Span: layout.NewSpan(rest[:identifierBytes:identifierBytes], id.off)}
	if id.size == 0 {
		return
	}
	id.name = layout.Name{Span: layout.NewSpan(rest[identifierBytes:id.size:id.size], id.off+identifierBytes)}
	text := id.name.Bytes()
	id.text = text[:len(text)&^1]
	if i := id.name.IndexNUL(); i >= 0 {
		id.text, id.ended = text[:i], true
	}
}

func identifierBounds(p *pass, id *counterIdentifier) bool {
	switch left := id.end - id.off; {
	case left < identifierBytes:
		p.bytes(id, "", id.off, int(left), fmt.Sprintf("%d bytes are left for it", left), "40 at least")
	case id.bounded():
	case id.mended:
		p.field(id, "Size", id.Size(), "%d, %s", id.size, id.lead())
	default:
		p.field(id, "Size", id.Size(), "%s, the bytes there are", eights(identifierBytes, left))
	}
	return id.size != 0
}

func identifierAlign(p *pass, id *counterIdentifier) {
	switch {
	case !id.bounded() || id.Size()%layout.Align == 0:
	case id.mended:
		p.field(id, "Size", id.Size(), "%d, %s", id.size, id.lead())
	default:
		p.field(id, "Size", id.Size(), "a multiple of 8")
	}
}

func identifierCover(p *pass, id *counterIdentifier) {
	if id.mended && id.bounded() && id.Size()%layout.Align == 0 {
		p.field(id, "Size", id.Size(), "%d, %s", id.size, id.lead())
	}
}

// identifierSlack has nothing to say of a length that is wrong anyway.
func identifierSlack(p *pass, id *counterIdentifier) {
	need := aligned(identifierBytes + int64(len(id.text)) + 2)
	if id.ended && !id.mended && id.size%layout.Align == 0 && id.size != need {
		p.field(id, "Size", id.size, "%d, with which its name ends", need)
	}
}

func identifierGUIDZero(p *pass, id *counterIdentifier) {
	if g := id.CounterSetGuid(); g == (layout.GUID{}) {
		p.field(id, "CounterSetGuid", g, "the GUID of a counter set")
	}
}

func identifierReserved(p *pass, id *counterIdentifier) {
	if v := id.Reserved(); v != 0 {
		p.field(id, "Reserved", v, "0")
	}
}

func identifierAddFields(p *pass, id *counterIdentifier) {
	if p.ctx.Role != GivenRole {
		return
	}
	if v := id.Status(); v != 0 {
		p.field(id, "Status", v, "0")
	}
	if v := id.Index(); v != 0 {
		p.field(id, "Index", v, "0")
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
		p.field(id, "Index", v, "%s, as there are %d identifiers", between(0, id.told-1), id.told)
		return
	}
	number := func(ref uint32) uint32 { return le.Uint32(p.b[p.places[ref-1].off+identifierIndexAt:]) }
	if first := p.ids.addNumber(v, uint32(id.index+1), number); first != 0 {
		p.field(id, "Index", v, "another than that of identifier[%d]", first-1)
	}
}

func identifierStatus(p *pass, id *counterIdentifier) {
	if v := id.Status(); v != 0 && p.ctx.Role == ToldRole {
		p.field(id, "Status", v, "0")
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
