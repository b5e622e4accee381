package validate

import "github.com/perfblock/perfblock/layout"

var titleRules = []*Rule{
	{
		ID: "PERF1121", Name: "data-object-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two objects have the same ObjectNameTitleIndex",
		Why:     "A reader that looks for an object takes the first one with its title. It never sees the others, and may look up parent instances in the wrong one.",
		Fix:     "Give every object its own title index, and write each object once, with all its instances.",
		Sources: []Source{values, dotnetReader, netdata},
		Misread: []string{".NET and netdata read only the first one"},
		check:   onObject.check(objectDuplicate),
	},
	{
		ID: "PERF1224", Name: "obj-name-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "ObjectNameTitleIndex is an even number above 0",
		Why:     "Names have even numbers in the title database, and help texts have odd ones. With another number readers find no name, or show a help text as the name.",
		Fix:     "Write First Counter of the provider's Performance key plus the number of the object's symbol.",
		Sources: []Source{titles, of(&layout.PERF_OBJECT_TYPE, "ObjectNameTitleIndex"), titleIndexes},
		check:   onObject.check(objectNameIndex),
	},
	{
		ID: "PERF1225", Name: "obj-help-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "ObjectHelpTitleIndex is an odd number, or 0 for no help text",
		Why:     "Help texts have odd numbers in the title database. With an even number readers find no text, or show a name as the help text.",
		Fix:     "Write First Help of the provider's Performance key plus the number of the object's symbol.",
		Sources: []Source{titles, of(&layout.PERF_OBJECT_TYPE, "ObjectHelpTitleIndex"), titleIndexes},
		check:   onObject.check(objectHelpIndex),
	},
	{
		ID: "PERF1226", Name: "obj-help-none", Severity: Info, Since: "v0.1.0",
		Doc:     "an object has a help text: ObjectHelpTitleIndex is not 0",
		Why:     "Tools have no explanation of the object to show.",
		Fix:     "Give the object's symbol a _HELP line in the .ini file, and write its index.",
		Sources: []Source{titleIndexes, of(&layout.PERF_OBJECT_TYPE, "ObjectHelpTitleIndex")},
		check:   onObject.check(objectHelpNone),
	},
	{
		ID: "PERF1227", Name: "obj-help-follows-name", Severity: Info, Since: "v0.1.0",
		Doc:     "ObjectHelpTitleIndex is ObjectNameTitleIndex plus 1",
		Why:     "lodctr assigns the numbers this way, and tools that look for the help text after the name otherwise show the text of another object. Some of Windows' own counters differ.",
		Fix:     "Compute both from one symbol: First Help is First Counter plus 1.",
		Sources: []Source{titles},
		check:   onObject.check(objectHelpFollows),
	},
	{
		ID: "PERF1228", Name: "obj-reserved-title", Severity: Warning, NT4: Info, Since: "v0.1.0",
		Doc:     "ObjectNameTitle and ObjectHelpTitle are 0",
		Why:     "Both fields are reserved. Old consumers stored pointers of their own in them. A value from a provider is leftover memory without meaning.",
		Fix:     "Write 0, or clear the structure before you fill it.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "ObjectNameTitle")},
		check:   onObject.check(objectReservedTitle),
	},
	{
		ID: "PERF1229", Name: "obj-detail-level", Severity: Warning, Since: "v0.1.0",
		Doc:     "DetailLevel of an object is 100, 200, 300 or 400",
		Why:     "Tools use DetailLevel to decide which users see the object, and know these four levels. With another number each tool behaves differently.",
		Fix:     "Write the lowest DetailLevel of the object's counters.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "DetailLevel")},
		check:   onObject.check(objectDetailLevel),
	},
	{
		ID: "PERF1230", Name: "obj-detail-level-min", Severity: Warning, Since: "v0.1.0",
		Doc:     "DetailLevel of an object is the lowest of its counters' levels, bases excepted",
		Why:     "A tool that filters by the object's level shows an object that has no visible counter, or hides an object that has some.",
		Fix:     "Write the lowest DetailLevel of the object's counters.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "DetailLevel")},
		check:   onDefinitions.check(objectDetailLevelMin),
	},
	{
		ID: "PERF1231", Name: "obj-default-counter", Severity: Warning, Since: "v0.1.0",
		Doc:     "DefaultCounter is -1, or the position or title index of a counter that is not a base",
		Why:     "Tools select this counter first. The documentation requires a title index, but older texts and some of Windows' own objects use a position. Any other value selects nothing, or a counter that cannot be shown.",
		Fix:     "Write 0 for the first counter, or -1 for none.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "DefaultCounter")},
		check:   onDefinitions.check(objectDefaultCounter),
	},
	{
		ID: "PERF1232", Name: "obj-codepage-unicode", Severity: Warning, Since: "v0.1.0",
		Doc:     "CodePage is 0: instance names are UTF-16",
		Why:     "The documentation recommends Unicode. Readers that take every name for UTF-16 show wrong characters for a name in a code page.",
		Fix:     "Write names as UTF-16 and CodePage as 0.",
		Sources: []Source{values, of(&layout.PERF_OBJECT_TYPE, "CodePage"), dotnetReader},
		Misread: []string{".NET and perflib_exporter read every name as UTF-16"},
		check:   onObject.check(objectCodePageUnicode),
	},
	{
		ID: "PERF1233", Name: "obj-codepage-valid", Severity: Error, Since: "v0.1.0",
		Doc:     "CodePage is 0 or a code page that MultiByteToWideChar converts",
		Why:     "Readers pass CodePage to MultiByteToWideChar. If it fails, no instance has a name. It does not convert 1200, 1201, 12000 and 12001, the numbers of UTF-16 and UTF-32.",
		Fix:     "Write 0 for UTF-16, 65001 for UTF-8, or the number of the code page of the names.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "CodePage"), codePages, values},
		check:   onObject.check(objectCodePageValid),
	},
	{
		ID: "PERF1324", Name: "ctr-name-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterNameTitleIndex is an even number above 0, bases excepted",
		Why:     "Names have even indexes in the title database, and help texts have odd ones. With another index the counter has no name, or a help text as its name, and cannot be queried by name.",
		Fix:     "Add the counter's number in the symbol file, which is even, to First Counter of the Performance key.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterNameTitleIndex"), titles},
		check:   onCounter.check(counterNameIndex),
	},
	{
		ID: "PERF1325", Name: "ctr-help-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterHelpTitleIndex is an odd number, except for bases and counters without help text",
		Why:     "Help texts have odd indexes in the title database. With an even index a tool shows the name of another counter, or nothing, as the explanation.",
		Fix:     "Add the counter's number in the symbol file, which is even, to First Help of the Performance key.",
		Sources: []Source{titles, of(&layout.PERF_COUNTER_DEFINITION, "CounterHelpTitleIndex")},
		check:   onCounter.check(counterHelpIndex),
	},
	{
		ID: "PERF1326", Name: "ctr-help-none", Severity: Info, Since: "v0.1.0",
		Doc:     "CounterHelpTitleIndex is not 0, bases excepted",
		Why:     "The counter has no help text, so tools cannot explain it.",
		Fix:     "Give the symbol a _HELP line in the .ini file, and add its number to First Help of the Performance key.",
		Sources: []Source{titles, titleIndexes},
		check:   onCounter.check(counterHelpNone),
	},
	{
		ID: "PERF1327", Name: "ctr-help-follows-name", Severity: Info, Since: "v0.1.0",
		Doc:     "CounterHelpTitleIndex is CounterNameTitleIndex plus 1",
		Why:     "lodctr assigns consecutive indexes to a name and its help text. Others are legal, and Windows has some, but the help text is often that of another counter.",
		Fix:     "Add the same number to First Counter and to First Help.",
		Sources: []Source{titles},
		check:   onCounter.check(counterHelpFollowsName),
	},
	{
		ID: "PERF1328", Name: "ctr-name-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two counters of an object have the same CounterNameTitleIndex, bases excepted",
		Why:     "Readers find a counter by its name. Of two counters with the same name they show only the first or the last.",
		Fix:     "Give each counter its own symbol.",
		Sources: []Source{dotnetReader},
		Misread: []string{".NET keeps the last one"},
		check:   onCounter.check(counterNameDuplicate),
	},
	{
		ID: "PERF1329", Name: "ctr-index-range", Severity: Warning, Since: "v0.1.0",
		Doc:     "CounterNameTitleIndex is 0 or in the range First Counter to Last Counter of the provider",
		Why:     "Indexes outside that range belong to other providers or are unassigned: the counter is shown with a wrong name or none.",
		Fix:     "Read First Counter from the Performance key in the Open function, and add the counter's number in the symbol file.",
		Sources: []Source{titleIndexes, of(&layout.PERF_COUNTER_DEFINITION, "CounterNameTitleIndex")},
		Needs:   "the index range",
		check:   onCounter.check(counterIndexRange),
	},
	{
		ID: "PERF1330", Name: "ctr-reserved-title", Severity: Warning, NT4: Info, Since: "v0.1.0",
		Doc:     "CounterNameTitle and CounterHelpTitle are 0",
		Why:     "Both fields are reserved. Old readers stored pointers to the texts in them. A value from a provider is leftover memory and may differ in each sample.",
		Fix:     "Clear the definition before you fill it.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "CounterNameTitle"), of(&layout.PERF_COUNTER_DEFINITION, "CounterHelpTitle")},
		check:   onCounter.check(counterReservedTitle),
	},
	{
		ID: "PERF1331", Name: "ctr-default-scale", Severity: Error, Windows: Warning, Since: "v0.1.0",
		Doc:     "DefaultScale is -7 to 7",
		Why:     "DefaultScale is a power of ten, and the documentation allows these values. No reader is known to fail on another value, but its graph is useless.",
		Fix:     "Write 0, unless the values are too large or too small for a graph of 0 to 100.",
		Sources: []Source{of(&layout.PERF_COUNTER_DEFINITION, "DefaultScale")},
		check:   onCounter.check(counterDefaultScale),
	},
	{
		ID: "PERF1332", Name: "ctr-detail-level", Severity: Warning, Since: "v0.1.0",
		Doc:     "DetailLevel is 100, 200, 300 or 400, bases excepted",
		Why:     "Tools show counters up to the level that the user chose. With another level each tool behaves differently.",
		Fix:     "Write 100, PERF_DETAIL_NOVICE, unless the counter is for experts only.",
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
		p.field(c, "CounterNameTitleIndex", c.CounterNameTitleIndex(), "must be an even number above 0")
	}
}

func counterHelpIndex(p *pass, c *counter) {
	if n := c.CounterHelpTitleIndex(); !c.typ.IsBase() && n != 0 && n%2 == 0 {
		p.field(c, "CounterHelpTitleIndex", n, "must be odd")
	}
}

func counterHelpNone(p *pass, c *counter) {
	if !c.typ.IsBase() && c.CounterHelpTitleIndex() == 0 {
		p.field(c, "CounterHelpTitleIndex", 0, "must be the index of a help text")
	}
}

func counterHelpFollowsName(p *pass, c *counter) {
	name, help := c.CounterNameTitleIndex(), c.CounterHelpTitleIndex()
	if !c.typ.IsBase() && c.nameable() && help%2 == 1 && help != name+1 {
		p.field(c, "CounterHelpTitleIndex", help, "must be %d, directly after the CounterNameTitleIndex", name+1)
	}
}

func counterNameDuplicate(p *pass, c *counter) {
	n := c.CounterNameTitleIndex()
	if c.typ.IsBase() || n == 0 {
		return
	}
	ref := p.titles.addNumber(n, uint32(c.index+1), func(ref uint32) uint32 { return c.of.counters[ref-1].CounterNameTitleIndex() })
	if ref != 0 {
		p.field(c, "CounterNameTitleIndex", n, "must differ from that of counter[%d]", ref-1)
	}
}

// counterIndexRange validates bases too: one that has a title has that of its counter.
func counterIndexRange(p *pass, c *counter) {
	n, first, last := c.CounterNameTitleIndex(), p.ctx.FirstCounter, p.ctx.LastCounter
	if known := last != 0 && last >= first; known && n != 0 && (n < first || n > last) {
		p.field(c, "CounterNameTitleIndex", n, "must be %d to %d, from First Counter to Last Counter", first, last)
	}
}

func counterReservedTitle(p *pass, c *counter) {
	if n := c.CounterNameTitle(); n != 0 {
		p.field(c, "CounterNameTitle", n, "must be 0")
	}
	if n := c.CounterHelpTitle(); n != 0 {
		p.field(c, "CounterHelpTitle", n, "must be 0")
	}
}

func counterDefaultScale(p *pass, c *counter) {
	if n := c.DefaultScale(); n < layout.MinScale || n > layout.MaxScale {
		p.field(c, "DefaultScale", n, "must be -7 to 7")
	}
}

func counterDetailLevel(p *pass, c *counter) {
	if n := c.DetailLevel(); !c.typ.IsBase() && !n.Valid() {
		p.field(c, "DetailLevel", n, "must be 100, 200, 300 or 400")
	}
}

// objectDuplicate leaves objects without a title, which all have 0, to the rule for that.
func objectDuplicate(p *pass, o *object) {
	title := o.ObjectNameTitleIndex()
	if first, known := p.byTitle[title]; known && title != 0 && first < o.index {
		p.field(o, "ObjectNameTitleIndex", title, "must be unique: object[%d] has this title", first)
	}
}

// isName and isHelp report whether the title database can have a name or a help
// text of that index.
func isName(index uint32) bool { return index != 0 && index%2 == 0 }

func isHelp(index uint32) bool { return index%2 == 1 }

func objectNameIndex(p *pass, o *object) {
	if name := o.ObjectNameTitleIndex(); !isName(name) {
		p.field(o, "ObjectNameTitleIndex", name, "must be an even number above 0")
	}
}

func objectHelpIndex(p *pass, o *object) {
	if help := o.ObjectHelpTitleIndex(); help != 0 && !isHelp(help) {
		p.field(o, "ObjectHelpTitleIndex", help, "must be odd")
	}
}

func objectHelpNone(p *pass, o *object) {
	if o.ObjectHelpTitleIndex() == 0 {
		p.field(o, "ObjectHelpTitleIndex", 0, "must be the index of a help text, an odd number")
	}
}

func objectHelpFollows(p *pass, o *object) {
	name, help := o.ObjectNameTitleIndex(), o.ObjectHelpTitleIndex()
	if isName(name) && isHelp(help) && help != name+1 {
		p.field(o, "ObjectHelpTitleIndex", help, "must be %d, one more than ObjectNameTitleIndex", name+1)
	}
}

func objectReservedTitle(p *pass, o *object) {
	if v := o.ObjectNameTitle(); v != 0 {
		p.field(o, "ObjectNameTitle", v, "must be 0")
	}
	if v := o.ObjectHelpTitle(); v != 0 {
		p.field(o, "ObjectHelpTitle", v, "must be 0")
	}
}

func objectDetailLevel(p *pass, o *object) {
	if level := o.DetailLevel(); !level.Valid() {
		p.field(o, "DetailLevel", level, "must be 100, 200, 300 or 400")
	}
}

// objectDetailLevelMin skips an object with an unknown level, which another rule
// reports. A counter with an unknown level may turn out to have a lower one than the
// others: only a level of the object above theirs is certain to be wrong then.
func objectDetailLevelMin(p *pass, o definitions) {
	level := o.DetailLevel()
	if !level.Valid() {
		return
	}
	lowest, unknown := layout.DetailLevel(0), false
	for i := range o.counters {
		c := &o.counters[i]
		switch l := c.DetailLevel(); {
		case c.typ.IsBase():
		case !l.Valid():
			unknown = true
		case lowest == 0 || l < lowest:
			lowest = l
		}
	}
	switch {
	case lowest == 0 || level == lowest:
	case !unknown:
		p.field(o, "DetailLevel", level, "must be %v, the lowest of its counters", lowest)
	case level > lowest:
		p.field(o, "DetailLevel", level, "must be at most %v, the lowest known of its counters", lowest)
	}
}

// objectDefaultCounter takes 0 for the first counter. Where there is none, or it is
// a base, that is what is wrong.
func objectDefaultCounter(p *pass, o definitions) {
	v := int64(o.DefaultCounter())
	if v == -1 || v == 0 {
		return
	}
	for i := range o.counters {
		c := &o.counters[i]
		if !c.typ.IsBase() && (int64(i) == v || int64(c.CounterNameTitleIndex()) == v) {
			return
		}
	}
	p.field(o, "DefaultCounter", v, "must be -1, or the position or title index of a counter that is not a base")
}

func objectCodePageUnicode(p *pass, o *object) {
	if id := o.CodePage(); id != 0 && layout.KnownCodePage(id) {
		p.field(o, "CodePage", id, "must be 0, UTF-16")
	}
}

func objectCodePageValid(p *pass, o *object) {
	if id := o.CodePage(); !layout.KnownCodePage(id) {
		p.field(o, "CodePage", id, "must be 0 for UTF-16, or a code page that MultiByteToWideChar converts")
	}
}
