package validate

import "github.com/perfblock/perfblock/layout"

var objectTitleRules = []*Rule{
	{
		ID: "PERF1224", Name: "obj-name-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "ObjectNameTitleIndex is an even number above 0",
		Why:     "Names have the even numbers of the title database and help texts the odd ones. By any other number readers find no name, or a sentence of help in its place.",
		Fix:     "Write First Counter of the provider's Performance key plus the number of the object's symbol.",
		Sources: []Source{titles, of(&layout.PERF_OBJECT_TYPE, "ObjectNameTitleIndex"), titleIndexes},
		check:   onObject.check(objectNameIndex),
	},
	{
		ID: "PERF1225", Name: "obj-help-index", Severity: Warning, Since: "v0.1.0",
		Doc:     "ObjectHelpTitleIndex is an odd number, or 0 for none",
		Why:     "Help texts have the odd numbers of the title database. By an even one readers find no text, or a name in its place.",
		Fix:     "Write First Help of the provider's Performance key plus the number of the object's symbol.",
		Sources: []Source{titles, of(&layout.PERF_OBJECT_TYPE, "ObjectHelpTitleIndex"), titleIndexes},
		check:   onObject.check(objectHelpIndex),
	},
	{
		ID: "PERF1226", Name: "obj-help-none", Severity: Info, Since: "v0.1.0",
		Doc:     "an object has a help text: ObjectHelpTitleIndex is not 0",
		Why:     "Tools have nothing to show to whoever asks what the object is.",
		Fix:     "Give the symbol of the object a _HELP line in the .ini file, and write its index.",
		Sources: []Source{titleIndexes, of(&layout.PERF_OBJECT_TYPE, "ObjectHelpTitleIndex")},
		check:   onObject.check(objectHelpNone),
	},
	{
		ID: "PERF1227", Name: "obj-help-follows-name", Severity: Info, Since: "v0.1.0",
		Doc:     "ObjectHelpTitleIndex is one more than ObjectNameTitleIndex",
		Why:     "lodctr numbers them so, and tools that look for the help text behind the name show another's. Some of Windows' own counters have it elsewhere.",
		Fix:     "Compute both from one symbol: First Help is one more than First Counter.",
		Sources: []Source{titles},
		check:   onObject.check(objectHelpFollows),
	},
	{
		ID: "PERF1228", Name: "obj-reserved-title", Severity: Warning, NT4: Info, Since: "v0.1.0",
		Doc:     "ObjectNameTitle and ObjectHelpTitle are 0",
		Why:     "Both are reserved. Consumers of long ago put a pointer there for themselves; what a provider leaves in them is taken from its memory and means nothing to others.",
		Fix:     "Write 0, or clear the structure before it is filled.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "ObjectNameTitle")},
		check:   onObject.check(objectReservedTitle),
	},
	{
		ID: "PERF1229", Name: "obj-detail-level", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object's DetailLevel is 100, 200, 300 or 400",
		Why:     "Tools choose by it what they show to whom, and know these four levels. What they do with another number is up to each of them.",
		Fix:     "Write the lowest DetailLevel of the object's counters.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "DetailLevel")},
		check:   onObject.check(objectDetailLevel),
	},
	{
		ID: "PERF1230", Name: "obj-detail-level-min", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object's DetailLevel is the lowest of its counters', bases aside",
		Why:     "A tool that goes by the object's level shows an object none of whose counters it may show, or hides one that has some.",
		Fix:     "Write the lowest DetailLevel of the object's counters.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "DetailLevel")},
		check:   onDefinitions.check(objectDetailLevelMin),
	},
	{
		ID: "PERF1231", Name: "obj-default-counter", Severity: Warning, Since: "v0.1.0",
		Doc:     "DefaultCounter is -1, or the position or title index of a counter that is no base",
		Why:     "It is the counter that a tool selects before anyone else does. The documentation has an index in the title database, older texts and blocks of Windows itself a position; one that is neither selects nothing, or a counter that cannot be shown.",
		Fix:     "Write 0 for the first counter, or -1 for none.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "DefaultCounter")},
		check:   onDefinitions.check(objectDefaultCounter),
	},
	{
		ID: "PERF1232", Name: "obj-codepage-unicode", Severity: Warning, Since: "v0.1.0",
		Doc:     "CodePage is 0: instance names are Unicode",
		Why:     "The documentation encourages it, and readers that take every name for UTF-16 make two characters of a code page into one that is neither.",
		Fix:     "Write names as UTF-16 and CodePage as 0.",
		Sources: []Source{values, of(&layout.PERF_OBJECT_TYPE, "CodePage"), dotnetReader},
		Misread: []string{".NET and perflib_exporter read every name as UTF-16"},
		check:   onObject.check(objectCodePageUnicode),
	},
	{
		ID: "PERF1233", Name: "obj-codepage-valid", Severity: Error, Since: "v0.1.0",
		Doc:     "CodePage is 0 or a code page that MultiByteToWideChar converts",
		Why:     "Readers pass it to MultiByteToWideChar, which fails: no instance has a name. UTF-16 and UTF-32 have numbers too, 1200, 1201, 12000 and 12001, but it does not convert them.",
		Fix:     "Write 0 for UTF-16, 65001 for UTF-8, or the number of the code page the names are in.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "CodePage"), codePages, values},
		check:   onObject.check(objectCodePageValid),
	},
}

// isName and isHelp report whether the title database can have a name or a help
// text of that index.
func isName(index uint32) bool { return index != 0 && index%2 == 0 }
func isHelp(index uint32) bool { return index%2 == 1 }

func objectNameIndex(p *pass, o *object) {
	if name := o.ObjectNameTitleIndex(); !isName(name) {
		p.field(o, "ObjectNameTitleIndex", name, "an even number above 0")
	}
}

func objectHelpIndex(p *pass, o *object) {
	if help := o.ObjectHelpTitleIndex(); help != 0 && !isHelp(help) {
		p.field(o, "ObjectHelpTitleIndex", help, "an odd number")
	}
}

func objectHelpNone(p *pass, o *object) {
	if o.ObjectHelpTitleIndex() == 0 {
		p.field(o, "ObjectHelpTitleIndex", 0, "the index of a help text, an odd number")
	}
}

func objectHelpFollows(p *pass, o *object) {
	name, help := o.ObjectNameTitleIndex(), o.ObjectHelpTitleIndex()
	if isName(name) && isHelp(help) && help != name+1 {
		p.field(o, "ObjectHelpTitleIndex", help, "%d, one more than ObjectNameTitleIndex", name+1)
	}
}

func objectReservedTitle(p *pass, o *object) {
	if v := o.ObjectNameTitle(); v != 0 {
		p.field(o, "ObjectNameTitle", v, "0")
	}
	if v := o.ObjectHelpTitle(); v != 0 {
		p.field(o, "ObjectHelpTitle", v, "0")
	}
}

func objectDetailLevel(p *pass, o *object) {
	if level := o.DetailLevel(); !level.Valid() {
		p.field(o, "DetailLevel", level, "100, 200, 300 or 400")
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
		p.field(o, "DetailLevel", level, "%v, the lowest of its counters", lowest)
	case level > lowest:
		p.field(o, "DetailLevel", level, "%v at most, the lowest known of its counters", lowest)
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
	p.field(o, "DefaultCounter", v, "-1, or the position or title index of a counter that is no base")
}

func objectCodePageUnicode(p *pass, o *object) {
	if id := o.CodePage(); id != 0 && layout.KnownCodePage(id) {
		p.field(o, "CodePage", id, "0, UTF-16")
	}
}

func objectCodePageValid(p *pass, o *object) {
	if id := o.CodePage(); !layout.KnownCodePage(id) {
		p.field(o, "CodePage", id, "0 for UTF-16, or a code page that MultiByteToWideChar converts")
	}
}
