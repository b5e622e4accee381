package validate

import "github.com/perfblock/perfblock/layout"

var identifierValueRules = []*Rule{
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
