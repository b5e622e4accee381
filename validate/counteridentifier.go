package validate

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// counterIdentifier is a PERF_COUNTER_IDENTIFIER with its name.
type counterIdentifier struct {
	layout.CounterIdentifier // the structure, empty if the input ends inside it
	extent
	index int
	count int64       // number of identifiers, -1 if not known
	name  layout.Name // all bytes after the structure
	text  []byte      // the name up to its first NUL
	ended bool        // the name has a NUL
}

var onCounterIdentifier = subjectsIn[*counterIdentifier](layout.IdentifiersKind)

func (id *counterIdentifier) path() layout.Path { return layout.Path{}.At("identifier", id.index) }

func (*counterIdentifier) record() *layout.Record { return &layout.PERF_COUNTER_IDENTIFIER }

const needsRole = "the purpose of the identifiers"

var counterIdentifierRules = []*Rule{
	{
		ID: "PERF2601", Name: "v2-identifier-bounds", Severity: Error, Since: "v0.1.0",
		Doc:     "an identifier has at least 40 bytes, and its Size is at least 40 and at most the number of bytes left in the input",
		Why:     "Size is the distance to the next identifier. If it is too large, a reader reads past the buffer. If it is 0, the reader does not advance.",
		Fix:     "Write 40 plus the bytes of the name and its NUL, rounded up to a multiple of 8. Pass the sum of all Sizes as the length of the buffer.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "Size"), pcqIdentifier},
		check: onCounterIdentifier.guard(func(p *pass, id *counterIdentifier) bool {
			switch left := id.lim - id.off; {
			case left < counterIdentifierSize:
				p.requireSize(id, left, "%s left in the input", "be")
			case id.sizeInRange():
			case id.wrong:
				id.reportSize(p)
			default:
				p.field(id, "Size", id.size, "must be %s", upTo(counterIdentifierSize, left, layout.Align, bytesLeft+" in the input"))
			}
			return id.end > id.off
		}),
	},
	{
		ID: "PERF2602", Name: "v2-identifier-align", Severity: Error, Since: "v0.1.0",
		Doc:     "Size of an identifier is a multiple of 8",
		Why:     "The next identifier must be aligned to 8. Some readers round Size up and others do not, so they find the next identifier at different offsets.",
		Fix:     "Round Size up, and fill the padding with zeros.",
		Sources: []Source{pcqIdentifier, pcqStructures},
		check: onCounterIdentifier.check(func(p *pass, id *counterIdentifier) {
			switch {
			case !id.sizeInRange() || id.size%layout.Align == 0:
			case id.wrong:
				id.reportSize(p)
			default:
				p.field(id, "Size", id.size, "must be a multiple of 8")
			}
		}),
	},
	{
		ID: "PERF2603", Name: "v2-identifier-cover", Severity: Error, Since: "v0.1.0",
		Doc:     "Size of an identifier is the distance to the next identifier, or to the end of the input for the last one",
		Why:     "Readers add Size to the offset of an identifier to find the next identifier. If Size is too large, they skip identifiers.",
		Fix:     "Write 40 plus the bytes of the name and its NUL, rounded up to a multiple of 8.",
		Sources: []Source{pcqIdentifier, sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "Size")},
		check: onCounterIdentifier.check(func(p *pass, id *counterIdentifier) {
			if id.wrong && id.sizeInRange() && id.size%layout.Align == 0 {
				id.reportSize(p)
			}
		}),
	},
	{
		ID: "PERF2604", Name: "v2-identifier-name-unterminated", Severity: Error, Since: "v0.1.0",
		Doc:     "the name of an identifier, if present, ends in a NUL, and Size includes the NUL",
		Why:     "No field has the length of the name. If the NUL is missing, a reader continues to the next NUL, which is in the next identifier or outside the buffer.",
		Fix:     "Write a NUL after the name, and include it in Size.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "Size"), pcqIdentifier},
		check: onCounterIdentifier.check(func(p *pass, id *counterIdentifier) {
			if n := int64(id.name.Len()); n > 0 && !id.ended {
				last := min(n, 2)
				p.reportBytes(id, "Name", id.name.End()-last, int(last), fmt.Sprintf("the %d bytes of the name have no NUL", n), "must end in a NUL")
			}
		}),
	},
	{
		ID: "PERF2605", Name: "v2-identifier-guid-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterSetGuid is not all zeros",
		Why:     "No counter set has a GUID of zeros. Either the field was never written, or the identifier starts at another offset.",
		Fix:     "Write the GUID of the counter set.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "CounterSetGuid")},
		check: onCounterIdentifier.check(func(p *pass, id *counterIdentifier) {
			require(p, id, "CounterSetGuid", id.CounterSetGuid(), id.CounterSetGuid() != layout.GUID{}, "must be the GUID of a counter set")
		}),
	},
	{
		ID: "PERF2606", Name: "v2-identifier-reserved-zero", Severity: Warning, Since: "v0.1.0",
		Doc:     "Reserved of an identifier is 0",
		Why:     "No reader uses the field today. A later version of Windows may define it, and readers would then interpret the value.",
		Fix:     "Write 0.",
		Sources: []Source{pcqIdentifier, sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "Reserved")},
		check: onCounterIdentifier.check(func(p *pass, id *counterIdentifier) {
			p.requireZero(id, "Reserved", id.Reserved())
		}),
	},
	{
		ID: "PERF2607", Name: "v2-identifier-add-fields", Severity: Warning, Since: "v0.1.0",
		Doc:     "Status and Index of an identifier that is passed to PerfAddCounters or PerfDeleteCounters are 0",
		Why:     "The functions write both fields. A number other than 0 is probably the result of an earlier call. A caller may mistake the old Status for the result of this call.",
		Fix:     "Write 0 into both fields before the call.",
		Sources: []Source{function("PerfAddCounters"), function("PerfDeleteCounters")},
		Needs:   needsRole,
		check: onCounterIdentifier.check(func(p *pass, id *counterIdentifier) {
			if p.ctx.Role == PassedRole {
				p.requireZero(id, "Status", id.Status())
				p.requireZero(id, "Index", id.Index())
			}
		}),
	},
	{
		ID: "PERF2608", Name: "v2-identifier-index-set", Severity: Warning, Since: "v0.1.0",
		Doc:     "the n identifiers that PerfQueryCounterInfo returned have n different values of Index, from 0 to n-1",
		Why:     "PerfQueryCounterData returns the results in the order of Index. Without Index, a result cannot be matched to its identifier.",
		Fix:     "Write the position of the identifier's result in the query data, counted from 0.",
		Sources: []Source{function("PerfQueryCounterInfo"), pcqQueryInfo},
		Needs:   needsRole,
		check:   onCounterIdentifier.check(identifierIndexSet),
	},
	{
		ID: "PERF2609", Name: "v2-identifier-status", Severity: Info, Since: "v0.1.0",
		Doc:     "Status of an identifier that PerfQueryCounterInfo returned is 0",
		Why:     "The protocol requires readers to ignore the Status that PerfQueryCounterInfo returns, so its value is not reliable. The query data shows whether the counter has data.",
		Fix:     "Write 0, or ignore the finding.",
		Sources: []Source{pcqQueryInfo, pcqIdentifier},
		Needs:   needsRole,
		check: onCounterIdentifier.check(func(p *pass, id *counterIdentifier) {
			if p.ctx.Role == ReturnedRole {
				p.requireZero(id, "Status", id.Status())
			}
		}),
	},
	{
		ID: "PERF2610", Name: "v2-identifier-name-missing", Severity: Error, Since: "v0.1.0",
		Doc:     "an identifier of a counter set with named instances has a name",
		Why:     "Without a name the identifier requests no instance and cannot be added to a query.",
		Fix:     `Write the name of an instance, or "*" for all of them, after the structure.`,
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "Size"), function("PerfAddCounters"), consuming},
		Needs:   needsRegistrations,
		check: onCounterIdentifier.check(func(p *pass, id *counterIdentifier) {
			set := id.set(p)
			switch {
			case set == nil || set.instances&layout.PERF_COUNTERSET_FLAG_MULTIPLE == 0 || len(id.text) > 0:
			case id.ended:
				p.reportBytes(id, "Name", id.name.Off(), 2, "the name is empty", fmt.Sprintf("must be the name of an instance or *, because the set is of type %v", set.instances))
			default:
				p.field(id, "Size", id.size, "must include a name, because the set is of type %v", set.instances)
			}
		}),
	},
	{
		ID: "PERF2611", Name: "v2-identifier-name-superfluous", Severity: Warning, Since: "v0.1.0",
		Doc:     "an identifier of a counter set without named instances has a Size of 40 and no name",
		Why:     "Such a set has no instance names. The documents differ on what follows the structure: no bytes, or an empty name.",
		Fix:     "Remove the name, and write a Size of 40.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "Size"), function("PerfAddCounters"), consuming},
		Needs:   needsRegistrations,
		check: onCounterIdentifier.check(func(p *pass, id *counterIdentifier) {
			switch {
			case !id.superfluousName(p):
			case id.size != id.length(): // another rule reports Size
				p.reportBytes(id, "Name", id.name.Off(), id.name.Len(), "the identifier has a name", fmt.Sprintf("must have none, because the type of its set is %v", id.set(p).instances))
			default:
				p.field(id, "Size", id.size, "must be %d, because an identifier has no name if the type of its set is %v", counterIdentifierSize, id.set(p).instances)
			}
		}),
	},
	{
		ID: "PERF2612", Name: "v2-identifier-name-too-long", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an identifier has at most 1023 UTF-16 code units",
		Why:     "PERF_MAX_INSTANCE_NAME is 1024, NUL included, so no instance has a longer name. Readers may refuse or cut a longer name.",
		Fix:     "Shorten the name, or replace a part of it by *.",
		Sources: []Source{maxName, sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "Size")},
		check: onCounterIdentifier.check(func(p *pass, id *counterIdentifier) {
			if n := len(id.text) / 2; id.ended && n > longestName {
				p.reportBytes(id, "Name", id.name.Off()+2*longestName, len(id.text)-2*longestName, fmt.Sprintf("the name has %d characters", n), fmt.Sprintf("must have at most %d", longestName))
			}
		}),
	},
	{
		ID: "PERF2613", Name: "v2-identifier-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two identifiers have the same counter set, counter, instance and name",
		Why:     "Two such identifiers request the same data. The second result takes space but has no new values.",
		Fix:     "Remove one of them.",
		Sources: []Source{function("PerfAddCounters"), sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "CounterSetGuid")},
		check:   onCounterIdentifier.check(identifierDuplicate),
	},
	{
		ID: "PERF2614", Name: "v2-identifier-slack", Severity: Warning, Since: "v0.1.0",
		Doc:     "Size of an identifier is the length of the structure and the name, rounded up to a multiple of 8",
		Why:     "The documentation defines Size in this way. A reader that computes the length from the name instead of using Size finds the next identifier at another offset.",
		Fix:     "Write 40 plus the bytes of the name and its NUL, rounded up to a multiple of 8.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_IDENTIFIER, "Size"), pcqIdentifier},
		check: onCounterIdentifier.check(func(p *pass, id *counterIdentifier) {
			need := aligned(counterIdentifierSize + int64(len(id.text)) + 2)
			if id.ended && !id.wrong && id.size%layout.Align == 0 && id.size != need && !id.superfluousName(p) {
				p.field(id, "Size", id.size, "must be %d, the size that the name requires", need)
			}
		}),
	},
}

// read sets the structure and the name of the identifier. b has the bytes of the input.
func (id *counterIdentifier) read(b []byte) {
	at := id.off
	if int64(len(b))-at < counterIdentifierSize {
		return
	}
	id.CounterIdentifier = counterIdentifierAt(b, at)
	if id.end == at {
		return
	}
	id.name = layout.Name{Span: span(b, at+counterIdentifierSize, id.end)}
	text := id.name.Bytes()
	id.text = text[:len(text)&^1]
	if i := id.name.IndexNUL(); i >= 0 {
		id.text, id.ended = text[:i], true
	}
}

// reportSize reports a Size that is not the distance to the next identifier or to the end of the input.
func (id *counterIdentifier) reportSize(p *pass) {
	to := "the next identifier"
	if id.end == id.lim {
		to = "the end of the input"
	}
	p.field(id, "Size", id.size, "must be %d, the distance to %s", id.length(), to)
}

// identifierIndexSet reports an Index that is out of range, or that an earlier identifier already has.
func identifierIndexSet(p *pass, id *counterIdentifier) {
	if p.ctx.Role != ReturnedRole {
		return
	}
	v := id.Index()
	if id.count >= 0 && int64(v) >= id.count {
		p.field(id, "Index", v, "must be %s, because the number of identifiers is %d", between(0, id.count-1), id.count)
		return
	}
	number := func(ref uint32) uint32 { return counterIdentifierAt(p.b, p.identifiers[ref-1].off).Index() }
	if first := p.ids.addNumber(v, uint32(id.index+1), number); first != 0 {
		p.field(id, "Index", v, "must differ from Index of identifier[%d]", first-1)
	}
}

// set returns the registration of the identifier's counter set, or nil if the registration is not
// known.
func (id *counterIdentifier) set(p *pass) *counterSet { return p.known.sets[id.CounterSetGuid()] }

// superfluousName reports whether the identifier has a name, but its counter set has no named instances. Size must then
// leave out the name.
func (id *counterIdentifier) superfluousName(p *pass) bool {
	set := id.set(p)
	return set != nil && set.instances&layout.PERF_COUNTERSET_FLAG_MULTIPLE == 0 && id.name.Len() > 0
}

func identifierDuplicate(p *pass, id *counterIdentifier) {
	p.folded.a = p.appendRequest(p.folded.a[:0], id)
	seed := &p.names.seed
	first := p.names.add(seed.addName(seed.start, p.folded.a), uint32(id.index+1), func(ref uint32) bool {
		other := counterIdentifier{extent: p.identifierExtent(int(ref - 1))}
		other.read(p.b)
		p.folded.b = p.appendRequest(p.folded.b[:0], &other)
		return bytes.Equal(p.folded.a, p.folded.b)
	})
	if first != 0 {
		p.reportBytes(id, "", id.off, int(id.length()), fmt.Sprintf("the identifier requests the same data as identifier[%d]", first-1), "must request other data")
	}
}

// appendRequest appends to dst the fields that determine which data an identifier requests.
func (p *pass) appendRequest(dst []byte, id *counterIdentifier) []byte {
	dst = append(dst, id.Bytes()[:layout.SizeofGUID]...)
	dst = le.AppendUint32(le.AppendUint32(dst, id.CounterId()), id.InstanceId())
	return append(dst, id.text...)
}

func (p *pass) checkIdentifiers() {
	count := int64(-1)
	if p.findIdentifiers() {
		count = int64(len(p.identifiers))
	}
	p.ids.reset(len(p.identifiers))
	p.names.reset(len(p.identifiers))
	id := &p.counterIdentifier
	for i := range p.identifiers {
		*id = counterIdentifier{extent: p.identifierExtent(i), index: i, count: count}
		id.read(p.b)
		if !onCounterIdentifier.run(p, id) {
			return
		}
		if id.ended {
			p.padding(id, id.name.Off()+int64(len(id.text))+2, id.name.End())
		}
	}
}

// findIdentifiers finds the identifiers and reports whether they fill the input.
func (p *pass) findIdentifiers() bool {
	p.identifiers = p.identifiers[:0]
	end := int64(len(p.b))
	for at := int64(0); at < end; {
		next := p.distance(&identifierRecord, at, end, follower{&identifierRecord, end})
		p.identifiers = append(p.identifiers, identifierPlace{at, next})
		if next.n == 0 {
			return false // the end of the identifier is not known
		}
		at += next.n
	}
	return true
}

// An identifierPlace has less memory than an extent, because an input can have very many identifiers.
type identifierPlace struct {
	off  int64
	next step // to the next identifier
}

func (p *pass) identifierExtent(i int) extent {
	at := p.identifiers[i]
	return p.extentTo(&identifierRecord, at.off, int64(len(p.b)), at.next)
}

var identifierRecord = recordType{
	field: layout.PERF_COUNTER_IDENTIFIER.Field("Size").At, least: counterIdentifierSize, aligned: true,
	plausible: func(b []byte, at, lim int64) bool {
		if lim-at < counterIdentifierSize {
			return false
		}
		size := int64(counterIdentifierAt(b, at).Size())
		return size >= counterIdentifierSize && size <= lim-at && size%layout.Align == 0
	},
	// required returns two possible lengths of an identifier: with a name, and without a name. A
	// length is 0 if the identifier cannot have it.
	required: func(p *pass, at, lim int64) (withName, without int64) {
		name := at + counterIdentifierSize
		if !allZero(p.b[at:name]) {
			without = counterIdentifierSize
		}
		nul := p.nameEnd(name, lim)
		// A NUL directly after the structure can be an empty name, which has 8 bytes with its padding. But
		// if Size is 40, and the input ends after these 8 bytes, they are not a name.
		if nul < 0 || nul == name && counterIdentifierAt(p.b, at).Size() == counterIdentifierSize && aligned(nul+2) == lim {
			return 0, without
		}
		return aligned(nul + 2 - at), without
	},
}

// wildcard returns the byte index of the first * or ? in a name, or -1 if the name has no wildcard.
func wildcard(text []byte) int {
	for i := 0; i+1 < len(text); i += 2 {
		if c := text[i]; text[i+1] == 0 && (c == '*' || c == '?') {
			return i
		}
	}
	return -1
}
