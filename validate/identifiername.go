package validate

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var identifierNameRules = []*Rule{
	{
		ID: "PERF2604", Name: "v2-identifier-name-unterminated", Severity: Error, Since: "v0.1.0",
		Doc:     "the name of an identifier, if present, ends in a NUL inside its Size",
		Why:     "No field holds the length of the name. A reader continues to the next NUL, in the next identifier or outside the buffer.",
		Fix:     "Write a NUL after the name, and include it in Size.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "Size"), pcqIdentifier},
		check:   onCounterIdentifier.check(identifierNameUnterminated),
	},
	{
		ID: "PERF2610", Name: "v2-identifier-name-missing", Severity: Error, Since: "v0.1.0",
		Doc:     "an identifier of a counter set with named instances has a name",
		Why:     "Without a name the identifier requests no instance and cannot be added to a query.",
		Fix:     `Write the name of an instance, or "*" for all of them, after the structure.`,
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "Size"), function("PerfAddCounters"), consuming},
		Needs:   "what is registered of the counter set",
		check:   onCounterIdentifier.check(identifierNameMissing),
	},
	{
		ID: "PERF2611", Name: "v2-identifier-name-superfluous", Severity: Warning, Since: "v0.1.0",
		Doc:     "an identifier of a counter set without named instances has no name, and a Size of 40",
		Why:     "Such a set has no instance that a name could select. The documents differ on what follows the structure: no bytes or an empty name.",
		Fix:     "Remove the name, and write a Size of 40.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "Size"), function("PerfAddCounters"), consuming},
		Needs:   "what is registered of the counter set",
		check:   onCounterIdentifier.check(identifierNameSuperfluous),
	},
	{
		ID: "PERF2612", Name: "v2-identifier-name-too-long", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an identifier has at most 1023 UTF-16 code units",
		Why:     "PERF_MAX_INSTANCE_NAME is 1024, NUL included, so no instance has a longer name. Readers may refuse or cut it.",
		Fix:     "Shorten the name, or replace a part of it by *.",
		Sources: []Source{maxName, of(&layout.PERF_COUNTER_IDENTIFIER, "Size")},
		check:   onCounterIdentifier.check(identifierNameTooLong),
	},
	{
		ID: "PERF2613", Name: "v2-identifier-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two identifiers have the same counter set, counter, instance and name",
		Why:     "Both request the same data. The second result costs the same space and adds nothing.",
		Fix:     "Remove one of them.",
		Sources: []Source{function("PerfAddCounters"), of(&layout.PERF_COUNTER_IDENTIFIER, "CounterSetGuid")},
		check:   onCounterIdentifier.check(identifierDuplicate),
	},
}

func identifierNameUnterminated(p *pass, id *counterIdentifier) {
	if n := int64(id.name.Len()); n > 0 && !id.ended {
		last := min(n, 2)
		p.bytes(id, "Name", id.name.End()-last, int(last), fmt.Sprintf("the %d bytes of the name have no NUL", n), "must have one after the name")
	}
}

// set returns the registration of the identifier's counter set, nil if it is not known.
func (id *counterIdentifier) set(p *pass) *counterSet { return p.known.sets[id.CounterSetGuid()] }

// unnamed reports whether there is no name, or an empty one.
func (id *counterIdentifier) unnamed() bool { return len(id.text) == 0 }

func identifierNameMissing(p *pass, id *counterIdentifier) {
	set := id.set(p)
	switch {
	case set == nil || set.instances&layout.PERF_COUNTERSET_FLAG_MULTIPLE == 0 || !id.unnamed():
	case id.ended:
		p.bytes(id, "Name", id.name.Off(), 2, "the name is empty", fmt.Sprintf("must be the name of an instance or *, because the set is of type %v", set.instances))
	default:
		p.field(id, "Size", id.size, "must include a name, because the set is of type %v", set.instances)
	}
}

func identifierNameSuperfluous(p *pass, id *counterIdentifier) {
	if set := id.set(p); set != nil && set.instances&layout.PERF_COUNTERSET_FLAG_MULTIPLE == 0 && id.name.Len() > 0 {
		p.field(id, "Size", id.size, "must be 40, without a name, because the set is of type %v", set.instances)
	}
}

func identifierNameTooLong(p *pass, id *counterIdentifier) {
	if n := len(id.text) / 2; id.ended && n > longestName {
		p.bytes(id, "Name", id.name.Off()+2*longestName, len(id.text)-2*longestName, fmt.Sprintf("the name has %d characters", n), "must have at most 1023")
	}
}

func identifierDuplicate(p *pass, id *counterIdentifier) {
	p.folded.a = p.appendAsked(p.folded.a[:0], id)
	seed := &p.names.seed
	first := p.names.add(seed.name(seed.start, p.folded.a), uint32(id.index+1), func(ref uint32) bool {
		other := counterIdentifier{place: p.places[ref-1]}
		other.read(p.b[other.off:])
		p.folded.b = p.appendAsked(p.folded.b[:0], &other)
		return bytes.Equal(p.folded.a, p.folded.b)
	})
	if first != 0 {
		p.bytes(id, "", id.off, int(id.size), fmt.Sprintf("the identifier requests the same as identifier[%d]", first-1), "must request something else")
	}
}

// appendAsked appends the fields that select what an identifier requests.
func (p *pass) appendAsked(dst []byte, id *counterIdentifier) []byte {
	dst = append(dst, id.Bytes()[:layout.SizeofGUID]...)
	dst = le.AppendUint32(le.AppendUint32(dst, id.CounterId()), id.InstanceId())
	return append(dst, id.text...)
}
