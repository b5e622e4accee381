package validate

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

var baseRules = []*Rule{
	{
		ID: "PERF1316", Name: "ctr-base-missing", Severity: Error, Since: "v0.1.0",
		Doc:     "a counter whose CounterType has PERF_COUNTER_FRACTION or PERF_COUNTER_PRECISION is directly followed by its base",
		Why:     "The counter is the numerator of a fraction and the base is the denominator. Readers look for the base only in the next definition. Without a base the counter has no value.",
		Fix:     "Define the base directly after the counter and give the base its own CounterOffset, or choose a counter type that needs no base.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterType"), baseTypes, precision},
		Misread: []string{".NET uses 0 as the base", "netdata returns no value"},
		check: onCounter.check(func(p *pass, c *counter) {
			if !c.multi() {
				p.requireBase(c)
			}
		}),
	},
	{
		ID: "PERF1317", Name: "ctr-base-missing-multi", Severity: Warning, Since: "v0.1.0",
		Doc:     "a counter that has PERF_MULTI_COUNTER and is not a base is directly followed by a PERF_COUNTER_MULTI_BASE",
		Why:     "The value is divided by the number of components. Microsoft's sample reads this number from the bytes after the value. WMI and .NET read the number from the value of a base, so they need the definition of a base after the counter.",
		Fix:     "Define a PERF_COUNTER_MULTI_BASE directly after the counter, with the CounterOffset of the counter plus 8.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterType"), baseTypes},
		Misread: []string{".NET finds no base, and uses 0 as the number of components"},
		check: onCounter.check(func(p *pass, c *counter) {
			if c.multi() {
				p.requireBase(c)
			}
		}),
	},
	{
		ID: "PERF1318", Name: "ctr-base-mismatch", Severity: Error, Since: "v0.1.0",
		Doc:     "a base has the type that the preceding counter requires, for example PERF_AVERAGE_BASE after PERF_AVERAGE_TIMER",
		Why:     "Bases differ in width and in meaning. With a wrong base a reader divides by a wrong number, or reads only 4 bytes of an 8-byte number.",
		Fix:     "Write the base type that belongs to the counter type, or correct the counter type.",
		Sources: []Source{baseTypes, precision},
		check: onCounter.check(func(p *pass, c *counter) {
			if main := c.main(); main != nil {
				if base, ok := main.typ.Base(); ok && base != c.typ {
					p.field(c, "CounterType", c.typ, "must be %v after a %v", base, main.typ)
				}
			}
		}),
	},
	{
		ID: "PERF1319", Name: "ctr-base-orphan", Severity: Error, Since: "v0.1.0",
		Doc:     "a base directly follows a counter that uses this base",
		Why:     "A base belongs to the counter that is defined directly before it. If the preceding counter does not use the base, the base has no effect, and another counter may lack its base.",
		Fix:     "Move the base directly after its counter. Two counters with the same denominator need two bases, which may have the same CounterOffset.",
		Sources: []Source{dotnetReader, baseTypes},
		Misread: []string{".NET assigns the base to the preceding counter, whatever its type"},
		check: onCounter.check(func(p *pass, c *counter) {
			if main := c.main(); main != nil && isOrphan(c, main) {
				p.field(c, "CounterType", c.typ, "must follow a counter that uses this base, but follows a %v", main.typ)
			}
		}),
	},
	{
		ID: "PERF1320", Name: "ctr-base-first", Severity: Error, Since: "v0.1.0",
		Doc:     "the first counter of an object is not a base",
		Why:     "A base belongs to the counter that is defined directly before it. No counter is defined before the first one.",
		Fix:     "Define the counter first and its base directly after it.",
		Sources: []Source{dotnetReader, baseTypes},
		Misread: []string{".NET assumes a preceding counter, and drops the base"},
		check: onCounter.check(func(p *pass, c *counter) {
			require(p, c, "CounterType", c.typ, c.index > 0 || !c.typ.IsBase(), "must follow the counter that uses this base")
		}),
	},
	{
		ID: "PERF1321", Name: "ctr-base-titles", Severity: Info, Since: "v0.1.0",
		Doc:     "the title indexes of a base are 0 or the title indexes of its counter",
		Why:     "A base is never shown, so it needs no title, and the documentation requires 0. Windows itself writes the title indexes of the counter instead. Some readers use these indexes to find the counter that belongs to the base.",
		Fix:     "Write 0 as CounterNameTitleIndex and as CounterHelpTitleIndex.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterNameTitleIndex")},
		check:   onCounter.check(counterBaseTitles),
	},
	{
		ID: "PERF1322", Name: "ctr-multi-adjacent", Severity: Error, Since: "v0.1.0",
		Doc:     "the value of a PERF_MULTI_COUNTER and the number of components after it, together 12 bytes, are inside every counter block",
		Why:     "The number of components is a DWORD after the 8 bytes of the value, even if no base is defined. If the block ends before this DWORD, a reader reads the number from the next instance or from outside the buffer.",
		Fix:     "Store the number of components at CounterOffset plus 8, and include its 4 bytes in every block.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterType"), values, netdata},
		Misread: []string{"Microsoft's sample reads past the block", "netdata drops the counter"},
		check: onDefinitions.atEnd(func(p *pass, o definedObject) {
			for i := range o.counters {
				c := &o.counters[i]
				if c.multi() && c.at >= firstValue && c.end() <= o.shortest.length && c.at+multiBytes > o.shortest.length {
					p.reportNoRoom(o.object, c, multiBytes)
				}
			}
		}),
	},
	{
		ID: "PERF1323", Name: "ctr-multi-base-place", Severity: Warning, Since: "v0.1.0",
		Doc:     "the CounterOffset of the base of a PERF_MULTI_COUNTER is the CounterOffset of the counter plus 8",
		Why:     "Some readers read the number of components directly after the 8-byte value of the counter. Other readers read it at the CounterOffset of the base. All readers read the same number only if the base has the CounterOffset of the counter plus 8.",
		Fix:     "Write the CounterOffset of the counter plus 8.",
		Sources: []Source{values, baseTypes, dotnetReader},
		Misread: []string{"Microsoft's sample and netdata read the DWORD at CounterOffset plus 8", ".NET reads the value of the base"},
		check: onCounter.check(func(p *pass, c *counter) {
			main := c.main()
			if !c.isMultiBase() || main.at < firstValue || c.at < firstValue {
				return
			}
			switch want := main.at + secondValue; {
			case c.at == want:
			case want%c.unit(p) != 0 || want > math.MaxUint32: // the CounterOffset of main is wrong too
				p.field(c, "CounterOffset", c.at, "must be the CounterOffset of counter[%d] plus %d", main.index, secondValue)
			default:
				p.field(c, "CounterOffset", c.at, "must be %d, the CounterOffset of counter[%d] plus %d", want, main.index, secondValue)
			}
		}),
	},
}

// requireBase reports counter c if its type needs a base and no base directly follows c.
func (p *pass) requireBase(c *counter) {
	rest := c.of.counters[c.index+1:]
	if !c.typ.NeedsBase() || len(rest) > 0 && rest[0].typ.IsBase() {
		return
	}
	required := "base"
	if base, ok := c.typ.Base(); ok {
		required = base.String()
	}
	p.field(c, "CounterType", c.typ, "must be followed by the definition of a %s", required)
}

// main returns the counter that is defined before the base c. It returns nil if c is not a base or
// is the first counter.
func (c *counter) main() *counter {
	if !c.typ.IsBase() || c.index == 0 {
		return nil
	}
	return &c.of.counters[c.index-1]
}

// isMultiBase reports whether c is the base of a PERF_MULTI_COUNTER.
func (c *counter) isMultiBase() bool {
	main := c.main()
	return main != nil && main.multi() && main.typ.TakesBase(c.typ)
}

// isOrphan reports whether main, the counter before base, cannot have a base of this type. If main
// requires a certain type of base, isOrphan returns false, even if base has another type: the rule
// ctr-base-mismatch reports the wrong type.
func isOrphan(base, main *counter) bool {
	_, required := main.typ.Base()
	return !required && !main.typ.TakesBase(base.typ)
}

func counterBaseTitles(p *pass, c *counter) {
	main := c.main()
	if main == nil || isOrphan(c, main) {
		return
	}
	name, help := c.CounterNameTitleIndex(), c.CounterHelpTitleIndex()
	mainName, mainHelp := main.CounterNameTitleIndex(), main.CounterHelpTitleIndex()
	switch {
	case name == 0 && help == 0, name == mainName && help == mainHelp:
	case name != 0 && name != mainName:
		p.field(c, "CounterNameTitleIndex", name, "must be 0, or %d, the CounterNameTitleIndex of counter[%d]", mainName, main.index)
	case name == 0:
		p.field(c, "CounterHelpTitleIndex", help, "must be 0, because CounterNameTitleIndex is 0")
	default:
		p.field(c, "CounterHelpTitleIndex", help, "must be %d, the CounterHelpTitleIndex of counter[%d]", mainHelp, main.index)
	}
}
