package validate

import "github.com/perfblock/perfblock/layout"

var titleRules = []*Rule{
	{
		ID: "PERF1121", Name: "data-object-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two objects have the same ObjectNameTitleIndex",
		Why:     "A reader that searches for a title finds the first object that has it. The reader never reads the other objects with that title, and may use an instance of the wrong object as a parent.",
		Fix:     "Give every object its own title index, and write each object once, with all its instances.",
		Sources: []Source{values, dotnetReader, netdata},
		Misread: []string{".NET and netdata read only the first object"},
		check: onObject.check(func(p *pass, o *object) {
			// The rule obj-name-index reports title 0.
			title := o.ObjectNameTitleIndex()
			if first, known := p.byTitle[title]; known && title != 0 && first.index < o.index {
				p.field(o, "ObjectNameTitleIndex", title, "must be unique: object[%d] has this title", first.index)
			}
		}),
	},
	{
		ID: "PERF1224", Name: "obj-name-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "ObjectNameTitleIndex is an even number above 0",
		Why:     "Names have even indexes in the title database, and help texts have odd indexes. If the index is odd or 0, readers find no name, or show a help text as the name.",
		Fix:     "Set ObjectNameTitleIndex to the sum of two even numbers: the value First Counter in the service's Performance key, and the number of the object in the symbol file.",
		Sources: []Source{titles, sourceOf(&layout.PERF_OBJECT_TYPE, "ObjectNameTitleIndex"), titleIndexes},
		check: onObject.check(func(p *pass, o *object) {
			require(p, o, "ObjectNameTitleIndex", o.ObjectNameTitleIndex(), isName(o.ObjectNameTitleIndex()), "must be an even number above 0")
		}),
	},
	{
		ID: "PERF1225", Name: "obj-help-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "ObjectHelpTitleIndex is an odd number, or 0 if there is no help text",
		Why:     "Help texts have odd indexes in the title database. If the index is even, readers find no text, or show a name as the help text.",
		Fix:     "Set ObjectHelpTitleIndex to the sum of two numbers: the value First Help in the service's Performance key, which is odd, and the number of the object in the symbol file, which is even.",
		Sources: []Source{titles, sourceOf(&layout.PERF_OBJECT_TYPE, "ObjectHelpTitleIndex"), titleIndexes},
		check: onObject.check(func(p *pass, o *object) {
			help := o.ObjectHelpTitleIndex()
			require(p, o, "ObjectHelpTitleIndex", help, help == 0 || isHelp(help), "must be odd")
		}),
	},
	{
		ID: "PERF1226", Name: "obj-help-none", Severity: Info, Since: "v0.1.0",
		Doc:     "an object has a help text: ObjectHelpTitleIndex is not 0",
		Why:     "Tools have no explanation of the object to show.",
		Fix:     "Give the object's symbol a _HELP line in the .ini file, and write the index of the help text.",
		Sources: []Source{titleIndexes, sourceOf(&layout.PERF_OBJECT_TYPE, "ObjectHelpTitleIndex")},
		check: onObject.check(func(p *pass, o *object) {
			require(p, o, "ObjectHelpTitleIndex", o.ObjectHelpTitleIndex(), o.ObjectHelpTitleIndex() != 0, "must be the index of a help text, an odd number")
		}),
	},
	{
		ID: "PERF1227", Name: "obj-help-follows-name", Severity: Info, Since: "v0.1.0",
		Doc:     "ObjectHelpTitleIndex is ObjectNameTitleIndex plus 1",
		Why:     "lodctr assigns consecutive indexes to a name and its help text, and some tools depend on this. If the indexes are not consecutive, such a tool shows the help text of another object. Some objects of Windows have indexes that are not consecutive.",
		Fix:     "Add the object's number in the symbol file to First Counter for the index of the name. Add the same number to First Help for the index of the help text.",
		Sources: []Source{titles},
		check: onObject.check(func(p *pass, o *object) {
			name, help := o.ObjectNameTitleIndex(), o.ObjectHelpTitleIndex()
			if isName(name) && isHelp(help) && help != name+1 {
				p.field(o, "ObjectHelpTitleIndex", help, "must be %d, the ObjectNameTitleIndex plus 1", name+1)
			}
		}),
	},
	{
		ID: "PERF1228", Name: "obj-reserved-title", Severity: Warning, NT4: Info, Since: "v0.1.0",
		Doc:     "ObjectNameTitle and ObjectHelpTitle are 0",
		Why:     "Both fields are reserved. Old readers stored pointers to the texts in these fields. A value from a provider is leftover memory without meaning.",
		Fix:     "Set both fields to 0, or clear the structure before you fill it.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "ObjectNameTitle")},
		check: onObject.check(func(p *pass, o *object) {
			p.requireZero(o, "ObjectNameTitle", o.ObjectNameTitle())
			p.requireZero(o, "ObjectHelpTitle", o.ObjectHelpTitle())
		}),
	},
	{
		ID: "PERF1324", Name: "ctr-name-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterNameTitleIndex is an even number above 0, bases excepted",
		Why:     "Names have even indexes in the title database, and help texts have odd indexes. If the index is odd or 0, the counter has no name, or its name is a help text. In both cases it cannot be queried by name.",
		Fix:     "Set CounterNameTitleIndex to the sum of two even numbers: the value First Counter in the service's Performance key, and the number of the counter in the symbol file.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterNameTitleIndex"), titles},
		check: onCounter.check(func(p *pass, c *counter) {
			require(p, c, "CounterNameTitleIndex", c.CounterNameTitleIndex(), c.typ.IsBase() || isName(c.CounterNameTitleIndex()), "must be an even number above 0")
		}),
	},
	{
		ID: "PERF1325", Name: "ctr-help-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterHelpTitleIndex is an odd number, except for bases and counters without help text",
		Why:     "Help texts have odd indexes in the title database. If the index is even, a tool shows the name of another counter as the explanation, or no explanation.",
		Fix:     "Set CounterHelpTitleIndex to the sum of two numbers: the value First Help in the service's Performance key, which is odd, and the number of the counter in the symbol file, which is even.",
		Sources: []Source{titles, sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterHelpTitleIndex")},
		check: onCounter.check(func(p *pass, c *counter) {
			help := c.CounterHelpTitleIndex()
			require(p, c, "CounterHelpTitleIndex", help, c.typ.IsBase() || help == 0 || isHelp(help), "must be odd")
		}),
	},
	{
		ID: "PERF1326", Name: "ctr-help-none", Severity: Info, Since: "v0.1.0",
		Doc:     "CounterHelpTitleIndex is not 0, bases excepted",
		Why:     "The counter has no help text, so tools cannot explain it.",
		Fix:     "Give the counter's symbol a _HELP line in the .ini file, and write the index of the help text.",
		Sources: []Source{titles, titleIndexes},
		check: onCounter.check(func(p *pass, c *counter) {
			require(p, c, "CounterHelpTitleIndex", c.CounterHelpTitleIndex(), c.typ.IsBase() || c.CounterHelpTitleIndex() != 0, "must be the index of a help text, an odd number")
		}),
	},
	{
		ID: "PERF1327", Name: "ctr-help-follows-name", Severity: Info, Since: "v0.1.0",
		Doc:     "CounterHelpTitleIndex is CounterNameTitleIndex plus 1",
		Why:     "lodctr assigns consecutive indexes to a name and its help text. Other indexes are legal, and some counters of Windows have them. But such an index usually belongs to the help text of a different counter.",
		Fix:     "Add the counter's number in the symbol file to First Counter for the index of the name. Add the same number to First Help for the index of the help text.",
		Sources: []Source{titles},
		check: onCounter.check(func(p *pass, c *counter) {
			name, help := c.CounterNameTitleIndex(), c.CounterHelpTitleIndex()
			if !c.typ.IsBase() && isName(name) && isHelp(help) && help != name+1 {
				p.field(c, "CounterHelpTitleIndex", help, "must be %d, the CounterNameTitleIndex plus 1", name+1)
			}
		}),
	},
	{
		ID: "PERF1328", Name: "ctr-name-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two counters of an object have the same CounterNameTitleIndex, bases excepted",
		Why:     "Readers find a counter by its name. If two counters have the same name, a reader shows only one of them.",
		Fix:     "Give each counter its own symbol.",
		Sources: []Source{dotnetReader},
		Misread: []string{".NET keeps the last one"},
		check: onCounter.check(func(p *pass, c *counter) {
			n := c.CounterNameTitleIndex()
			if c.typ.IsBase() || n == 0 {
				return
			}
			ref := p.ids.addNumber(n, uint32(c.index+1), func(ref uint32) uint32 { return c.of.counters[ref-1].CounterNameTitleIndex() })
			if ref != 0 {
				p.field(c, "CounterNameTitleIndex", n, "must differ from the CounterNameTitleIndex of counter[%d]", ref-1)
			}
		}),
	},
	{
		ID: "PERF1329", Name: "ctr-index-range", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterNameTitleIndex is 0 or in the range First Counter to Last Counter of the provider",
		Why:     "Indexes outside this range belong to other providers or are unassigned. Tools show the counter with a wrong name, or without one.",
		Fix:     "Read First Counter from the Performance key in the Open function. Set the index to the sum of First Counter and the counter's number in the symbol file.",
		Sources: []Source{titleIndexes, sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterNameTitleIndex")},
		Needs:   "the index range",
		check: onCounter.check(func(p *pass, c *counter) {
			// Bases are checked too: a base with a title must have the title of its counter.
			n, first, last := c.CounterNameTitleIndex(), p.ctx.FirstCounter, p.ctx.LastCounter
			if known := last != 0 && last >= first; known && n != 0 && (n < first || n > last) {
				p.field(c, "CounterNameTitleIndex", n, "must be %d to %d, the range from First Counter to Last Counter", first, last)
			}
		}),
	},
	{
		ID: "PERF1330", Name: "ctr-reserved-title", Severity: Warning, NT4: Info, Since: "v0.1.0",
		Doc:     "CounterNameTitle and CounterHelpTitle are 0",
		Why:     "Both fields are reserved. Old readers stored pointers to the texts in these fields. A value from a provider is leftover memory and may differ in each sample.",
		Fix:     "Clear the definition before you fill it.",
		Sources: []Source{sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterNameTitle"), sourceOf(&layout.PERF_COUNTER_DEFINITION, "CounterHelpTitle")},
		check: onCounter.check(func(p *pass, c *counter) {
			p.requireZero(c, "CounterNameTitle", c.CounterNameTitle())
			p.requireZero(c, "CounterHelpTitle", c.CounterHelpTitle())
		}),
	},
}

// isName reports whether the title database can have a name at an index.
func isName(index uint32) bool { return index != 0 && index%2 == 0 }

// isHelp reports whether the title database can have a help text at an index.
func isHelp(index uint32) bool { return index%2 == 1 }
