package validate

import "github.com/perfblock/perfblock/layout"

var counterTypeRules = []*Rule{
	{
		ID: "PERF1304", Name: "ctr-type-known", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterType is one that winperf.h has a name for",
		Why:     "The bits say how a value is computed and shown, but readers go by the whole number. What is not in their list they leave out, or do not know how to compute.",
		Fix:     "Choose the named type that is computed as the counter is to be.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterType"), headerFile},
		check:   onCounter.check(counterTypeKnown),
	},
	{
		ID: "PERF1305", Name: "ctr-type-unassigned-bits", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterType has no bits that mean nothing: 12 to 15, 26 and 27, and 0 to 7 in any but the three bases that these tell apart",
		Why:     "winperf.h gives them no meaning. The type equals none that a reader knows; PERF_DOUBLE_RAW with bit 13 is of WMI, not of these blocks.",
		Fix:     "Write the type without them.",
		Sources: []Source{headerFile, of(&layout.PERF_COUNTER_DEFINITION, "CounterType")},
		check:   onCounter.check(counterTypeUnassigned),
	},
	{
		ID: "PERF1306", Name: "ctr-type-obsolete", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterType is not PERF_COUNTER_TEXT, PERF_COUNTER_NODATA or PERF_COUNTER_HISTOGRAM_TYPE",
		Why:     "Microsoft's sample and .NET do not read them: such a counter is shown as nothing or left out.",
		Fix:     "Leave the counter out, or give it a number.",
		Sources: []Source{values, dotnetReader},
		check:   onCounter.check(counterTypeObsolete),
	},
}

// stray returns the bits of a type that mean nothing, and the type without them.
func stray(t layout.CounterType) (bits, rest layout.CounterType) {
	bits = t.Unassigned()
	if rest = t &^ bits; !rest.Predefined() {
		tag := layout.CounterType(t.Tag())
		bits, rest = bits|tag, rest&^tag
	}
	return bits, rest
}

func counterTypeKnown(p *pass, c *counter) {
	if c.typ.Predefined() {
		return
	}
	if bits, _ := stray(c.typ); bits == 0 {
		p.field(c, "CounterType", c.typ, "a type that winperf.h has a name for")
	}
}

func counterTypeUnassigned(p *pass, c *counter) {
	if bits, rest := stray(c.typ); bits != 0 {
		if !rest.Predefined() {
			p.field(c, "CounterType", c.typ, "a type without the bits 0x%08x, which mean nothing", uint32(bits))
			return
		}
		p.field(c, "CounterType", c.typ, "%v, without the bits 0x%08x", rest, uint32(bits))
	}
}

func counterTypeObsolete(p *pass, c *counter) {
	if obsolete(c.typ) {
		p.field(c, "CounterType", c.typ, "a type that is not obsolete")
	}
}

func obsolete(t layout.CounterType) bool {
	switch t {
	case layout.PERF_COUNTER_TEXT, layout.PERF_COUNTER_NODATA, layout.PERF_COUNTER_HISTOGRAM_TYPE:
		return true
	}
	return false
}
