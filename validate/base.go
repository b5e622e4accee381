package validate

import "github.com/perfblock/perfblock/layout"

var baseRules = []*Rule{
	{
		ID: "PERF1316", Name: "ctr-base-missing", Severity: Error, Since: "v0.1.0",
		Doc:     "a counter of PERF_COUNTER_FRACTION or PERF_COUNTER_PRECISION has the definition of its base right behind it",
		Why:     "The counter is the numerator, and the base is what it is divided by. Readers look for it in the next definition and nowhere else; without it there is no value.",
		Fix:     "Define the base right behind the counter, with its own CounterOffset, or choose a type that needs none.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterType"), baseTypes, precision},
		Misread: []string{".NET takes 0 for the base", "netdata returns no value"},
		check:   onCounter.check(counterBaseMissing),
	},
	{
		ID: "PERF1317", Name: "ctr-base-missing-multi", Severity: Warning, Since: "v0.1.0",
		Doc:     "a counter of PERF_MULTI_COUNTER has the definition of a PERF_COUNTER_MULTI_BASE right behind it",
		Why:     "It is divided by the number of components. Microsoft's sample takes that from the bytes behind the value, but WMI and .NET take it from the definition that follows, and have none.",
		Fix:     "Define a PERF_COUNTER_MULTI_BASE right behind the counter, 8 bytes behind its CounterOffset: all readers find it there.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterType"), baseTypes},
		Misread: []string{".NET takes 0 for the number of components"},
		check:   onCounter.check(counterBaseMissingMulti),
	},
	{
		ID: "PERF1318", Name: "ctr-base-mismatch", Severity: Error, Since: "v0.1.0",
		Doc:     "the base behind a counter of a predefined type is of the type that goes with it",
		Why:     "The bases differ in width and in what they count. With the wrong one a reader divides by a number of another meaning, or by half of one.",
		Fix:     "Write the base that goes with the counter, or the counter that goes with the base.",
		Sources: []Source{baseTypes, precision},
		check:   onCounter.check(counterBaseMismatch),
	},
	{
		ID: "PERF1319", Name: "ctr-base-orphan", Severity: Error, Since: "v0.1.0",
		Doc:     "a base stands right behind a counter that takes it",
		Why:     "A base is not shown by itself, and belongs to the definition before it. Behind a counter that takes none it is lost, and the counter that it is for may be left without one.",
		Fix:     "Move the base right behind its counter. Two counters with one denominator need two bases, which may have one CounterOffset.",
		Sources: []Source{dotnetReader, baseTypes},
		Misread: []string{".NET ties it to the counter before it, whichever that is"},
		check:   onCounter.check(counterBaseOrphan),
	},
	{
		ID: "PERF1320", Name: "ctr-base-first", Severity: Error, Since: "v0.1.0",
		Doc:     "the first counter of an object is no base",
		Why:     "A base belongs to the definition before it, and there is none.",
		Fix:     "Define the counter first and its base right behind it.",
		Sources: []Source{dotnetReader, baseTypes},
		Misread: []string{".NET takes it for granted, and leaves the base out where it is not so"},
		check:   onCounter.check(counterBaseFirst),
	},
	{
		ID: "PERF1321", Name: "ctr-base-titles", Severity: Info, Since: "v0.1.0",
		Doc:     "the title indexes of a base are 0, or those of the counter that it serves",
		Why:     "Nobody is shown a base, so it needs no title: the documentation asks for 0. Windows itself repeats those of the counter, by which some readers find the two together.",
		Fix:     "Write 0 as CounterNameTitleIndex and as CounterHelpTitleIndex.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterNameTitleIndex")},
		check:   onCounter.check(counterBaseTitles),
	},
	{
		ID: "PERF1322", Name: "ctr-multi-adjacent", Severity: Error, Since: "v0.1.0",
		Doc:     "behind the value of a PERF_MULTI_COUNTER every counter block has the DWORD with the number of components, 12 bytes from CounterOffset on",
		Why:     "The number stands behind the value whether or not a base is defined. Where the block ends before it, a reader takes it from the next instance, or from behind the buffer.",
		Fix:     "Put the number of components 8 bytes behind CounterOffset, and make the block long enough for it.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterType"), values, netdata},
		Misread: []string{"Microsoft's sample reads behind the block", "netdata drops the counter"},
		check:   onDefinitions.atEnd(counterMultiAdjacent),
	},
	{
		ID: "PERF1323", Name: "ctr-multi-base-place", Severity: Warning, Since: "v0.1.0",
		Doc:     "the base of a PERF_MULTI_COUNTER has its value 8 bytes behind that of the counter",
		Why:     "Some readers take the number of components from there and others from where the base says. They agree only where that is the same place.",
		Fix:     "Write the CounterOffset of the counter and 8.",
		Sources: []Source{values, baseTypes, dotnetReader},
		Misread: []string{"Microsoft's sample and netdata take the DWORD 8 bytes behind CounterOffset", ".NET takes the value of the base"},
		check:   onCounter.check(counterMultiBasePlace),
	},
}

// secondValue is how far behind its own value that of a PERF_MULTI_COUNTER's base is.
const secondValue = 8

// baseless reports whether the counter needs a base and none follows it.
func (o *object) baseless(c *counter) bool {
	after := o.after(c)
	return c.typ.NeedsBase() && (after == nil || !after.typ.IsBase())
}

func counterBaseMissing(p *pass, c *counter) {
	if !c.multi() && c.of.baseless(c) {
		p.wantBase(c)
	}
}

func counterBaseMissingMulti(p *pass, c *counter) {
	if c.multi() && c.of.baseless(c) {
		p.wantBase(c)
	}
}

// wantBase reports a counter without its base.
func (p *pass) wantBase(c *counter) {
	if base, ok := c.typ.Base(); ok {
		p.field(c, "CounterType", c.typ, "the definition of a %v behind it", base)
		return
	}
	p.field(c, "CounterType", c.typ, "the definition of a base behind it")
}

// served returns the counter that a base belongs to, nil if c is no base or is the first.
func (o *object) served(c *counter) *counter {
	if !c.typ.IsBase() {
		return nil
	}
	return o.before(c)
}

func counterBaseMismatch(p *pass, c *counter) {
	if main := c.of.served(c); main != nil {
		if base, ok := main.typ.Base(); ok && base != c.typ {
			p.field(c, "CounterType", c.typ, "%v behind a %v", base, main.typ)
		}
	}
}

// orphan reports whether a base stands behind a counter that takes none. Where that
// counter wants another base it is not this one that is out of place. A
// PERF_SAMPLE_COUNTER wants no base and yet takes one.
func orphan(base, main *counter) bool {
	_, wants := main.typ.Base()
	return !wants && !main.typ.TakesBase(base.typ)
}

func counterBaseOrphan(p *pass, c *counter) {
	if main := c.of.served(c); main != nil && orphan(c, main) {
		p.field(c, "CounterType", c.typ, "a counter before it that takes it, which %v does not", main.typ)
	}
}

func counterBaseFirst(p *pass, c *counter) {
	if c.index == 0 && c.typ.IsBase() {
		p.field(c, "CounterType", c.typ, "the counter that it serves before it")
	}
}

func counterBaseTitles(p *pass, c *counter) {
	main := c.of.served(c)
	if main == nil || orphan(c, main) {
		return
	}
	name, help := c.CounterNameTitleIndex(), c.CounterHelpTitleIndex()
	mainName, mainHelp := main.CounterNameTitleIndex(), main.CounterHelpTitleIndex()
	switch {
	case name == 0 && help == 0, name == mainName && help == mainHelp:
	case name != 0 && name != mainName:
		p.field(c, "CounterNameTitleIndex", name, "0, or %d as counter[%d] has", mainName, main.index)
	case name == 0:
		p.field(c, "CounterHelpTitleIndex", help, "0, as CounterNameTitleIndex is 0")
	default:
		p.field(c, "CounterHelpTitleIndex", help, "%d, as counter[%d] has", mainHelp, main.index)
	}
}

func counterMultiAdjacent(p *pass, o definitions) {
	for i := range o.counters {
		c := &o.counters[i]
		if c.multi() && c.at >= firstValue && c.inside(o.object) && c.at+multiBytes > o.shortest.length {
			p.noRoom(o.object, c, multiBytes)
		}
	}
}

func counterMultiBasePlace(p *pass, c *counter) {
	main := c.of.served(c)
	if main == nil || !main.multi() || !main.typ.TakesBase(c.typ) || main.at < firstValue || c.at < firstValue {
		return
	}
	if want := main.at + secondValue; c.at != want {
		p.field(c, "CounterOffset", c.at, "%d, 8 bytes behind that of counter[%d]", want, main.index)
	}
}
