package validate

import "github.com/perfblock/perfblock/layout"

var counterTitleRules = []*Rule{
	{
		ID: "PERF1324", Name: "ctr-name-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterNameTitleIndex is an even number above 0, but for bases",
		Why:     "Names have the even indexes of the title database, and help texts the odd ones. By any other index the counter has no name, or a help text for a name, and cannot be asked for by name.",
		Fix:     "Add the counter's number in the symbol file, which is even, to the First Counter of the Performance key.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterNameTitleIndex"), titles},
		check:   onCounter.check(counterNameIndex),
	},
	{
		ID: "PERF1325", Name: "ctr-help-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterHelpTitleIndex is an odd number, but for bases and counters without a help text",
		Why:     "Help texts have the odd indexes of the title database. By an even one a tool shows the name of another counter, or nothing, where it explains this one.",
		Fix:     "Add the counter's number in the symbol file, which is even, to the First Help of the Performance key.",
		Sources: []Source{titles, of(&layout.PERF_COUNTER_DEFINITION, "CounterHelpTitleIndex")},
		check:   onCounter.check(counterHelpIndex),
	},
	{
		ID: "PERF1326", Name: "ctr-help-none", Severity: Info, Since: "v0.1.0",
		Doc:     "CounterHelpTitleIndex is not 0, but for bases",
		Why:     "The counter has no help text, so a tool has nothing to explain it by.",
		Fix:     "Give the symbol a HELP in the .ini file, and add its number to the First Help of the Performance key.",
		Sources: []Source{titles, titleIndexes},
		check:   onCounter.check(counterHelpNone),
	},
	{
		ID: "PERF1327", Name: "ctr-help-follows-name", Severity: Info, Since: "v0.1.0",
		Doc:     "CounterHelpTitleIndex is the CounterNameTitleIndex and 1",
		Why:     "lodctr gives a name and its help text two indexes that follow each other. Others are legal, and Windows has some, but often the help text is that of another counter.",
		Fix:     "Add one and the same number to First Counter and to First Help.",
		Sources: []Source{titles},
		check:   onCounter.check(counterHelpFollowsName),
	},
	{
		ID: "PERF1328", Name: "ctr-name-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two counters of an object have one CounterNameTitleIndex, but for bases",
		Why:     "Readers find a counter by its name. Of two with one name they show one, the first or the last.",
		Fix:     "Give each counter a symbol of its own.",
		Sources: []Source{dotnetReader},
		Misread: []string{".NET keeps the last of them"},
		check:   onCounter.check(counterNameDuplicate),
	},
	{
		ID: "PERF1329", Name: "ctr-index-range", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterNameTitleIndex is 0 or lies from the First Counter to the Last Counter of the provider",
		Why:     "Indexes outside that range were given to other providers or to nobody: the counter shows under a name that is not its own.",
		Fix:     "Read First Counter from the Performance key when the provider opens, and add to it the counter's number in the symbol file.",
		Sources: []Source{titleIndexes, of(&layout.PERF_COUNTER_DEFINITION, "CounterNameTitleIndex")},
		Needs:   "the index range",
		check:   onCounter.check(counterIndexRange),
	},
	{
		ID: "PERF1330", Name: "ctr-reserved-title", Severity: Warning, NT4: Info, Since: "v0.1.0",
		Doc:     "CounterNameTitle and CounterHelpTitle are 0",
		Why:     "Both are reserved. Readers of old kept pointers to the texts there; what a provider leaves in them is bytes of its memory, and different in each sample.",
		Fix:     "Clear the definition before you fill it.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterNameTitle"), of(&layout.PERF_COUNTER_DEFINITION, "CounterHelpTitle")},
		check:   onCounter.check(counterReservedTitle),
	},
	{
		ID: "PERF1331", Name: "ctr-default-scale", Severity: Error, Windows: Warning, Since: "v0.1.0",
		Doc:     "DefaultScale is -7 to 7",
		Why:     "It is a power of ten, and those are the ones that the documentation calls valid. No reader is known to fail on another, but a graph of it has no use.",
		Fix:     "Write 0, unless the values are so large or small that a graph of 0 to 100 does not show them.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "DefaultScale")},
		check:   onCounter.check(counterDefaultScale),
	},
	{
		ID: "PERF1332", Name: "ctr-detail-level", Severity: Warning, Since: "v0.1.0",
		Doc:     "DetailLevel is 100, 200, 300 or 400, but for bases",
		Why:     "Tools show the counters up to the level that a user chose. There is no telling whether they show one of another level.",
		Fix:     "Write 100, PERF_DETAIL_NOVICE, unless the counter is for few.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "DetailLevel")},
		check:   onCounter.check(counterDetailLevel),
	},
}

// nameable reports whether the counter has an index that a name can have.
func (c *counter) nameable() bool {
	n := c.CounterNameTitleIndex()
	return n != 0 && n%2 == 0
}

func counterNameIndex(p *pass, c *counter) {
	if !c.typ.IsBase() && !c.nameable() {
		p.field(c, "CounterNameTitleIndex", c.CounterNameTitleIndex(), "an even number above 0")
	}
}

func counterHelpIndex(p *pass, c *counter) {
	if n := c.CounterHelpTitleIndex(); !c.typ.IsBase() && n != 0 && n%2 == 0 {
		p.field(c, "CounterHelpTitleIndex", n, "an odd number")
	}
}

func counterHelpNone(p *pass, c *counter) {
	if !c.typ.IsBase() && c.CounterHelpTitleIndex() == 0 {
		p.field(c, "CounterHelpTitleIndex", 0, "the index of a help text")
	}
}

func counterHelpFollowsName(p *pass, c *counter) {
	name, help := c.CounterNameTitleIndex(), c.CounterHelpTitleIndex()
	if !c.typ.IsBase() && c.nameable() && help%2 == 1 && help != name+1 {
		p.field(c, "CounterHelpTitleIndex", help, "%d, right behind the CounterNameTitleIndex", name+1)
	}
}

func counterNameDuplicate(p *pass, c *counter) {
	n := c.CounterNameTitleIndex()
	if c.typ.IsBase() || n == 0 {
		return
	}
	ref := p.titles.addNumber(n, uint32(c.index+1), func(ref uint32) uint32 { return c.of.counters[ref-1].CounterNameTitleIndex() })
	if ref != 0 {
		p.field(c, "CounterNameTitleIndex", n, "another, as counter[%d] has it", ref-1)
	}
}

// counterIndexRange judges bases too: one that has a title has that of its counter.
func counterIndexRange(p *pass, c *counter) {
	n, first, last := c.CounterNameTitleIndex(), p.ctx.FirstCounter, p.ctx.LastCounter
	if known := last != 0 && last >= first; known && n != 0 && (n < first || n > last) {
		p.field(c, "CounterNameTitleIndex", n, "%d to %d, from First Counter to Last Counter", first, last)
	}
}

func counterReservedTitle(p *pass, c *counter) {
	if n := c.CounterNameTitle(); n != 0 {
		p.field(c, "CounterNameTitle", n, "0")
	}
	if n := c.CounterHelpTitle(); n != 0 {
		p.field(c, "CounterHelpTitle", n, "0")
	}
}

func counterDefaultScale(p *pass, c *counter) {
	if n := c.DefaultScale(); n < layout.MinScale || n > layout.MaxScale {
		p.field(c, "DefaultScale", n, "-7 to 7")
	}
}

func counterDetailLevel(p *pass, c *counter) {
	if n := c.DetailLevel(); !c.typ.IsBase() && !n.Valid() {
		p.field(c, "DetailLevel", n, "100, 200, 300 or 400")
	}
}
