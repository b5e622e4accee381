package validate

import (
	"fmt"
	"unicode/utf16"

	"github.com/perfblock/perfblock/layout"
)

var instanceLinkRules = []*Rule{
	{
		ID: "PERF1420", Name: "inst-name-duplicate", Severity: Warning, Windows: Info, Since: "v0.1.0",
		Doc:     "no two instances of an object have one full name, parent and all, whatever the case of its letters",
		Why:     "A name is how a consumer finds an instance again in the next sample. Of two that share one it may take either, and the rate it computes is that of neither.",
		Fix:     "Add what tells the instances apart to their names, as a process identifier does.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "NameOffset"), duplicates, dotnetReader},
		Misread: []string{
			"windows_exporter says that the second was collected before, and drops it",
			".NET calls them name, name#1, name#2 in the order of the sample, which need not be that of the next",
		},
		check: onDuplicate.check(nameDuplicate),
	},
	{
		ID: "PERF1421", Name: "inst-unique-id-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "a UniqueID other than -1, PERF_NO_UNIQUE_ID, is that of one instance of the object",
		Why:     "It stands for the name. A consumer that goes by it takes the two for one.",
		Fix:     "Write an identifier that no other instance has, or -1 where the name is enough.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "UniqueID")},
		check:   onInstance.check(uniqueIDDuplicate),
	},
	{
		ID: "PERF1422", Name: "inst-unique-id-mixed", Severity: Info, Since: "v0.1.0",
		Doc:     "all instances of an object have a UniqueID, or none has",
		Why:     "A consumer decides by the object whether instances go by number or by name. The first that is unlike the first instance is reported.",
		Fix:     "Give every instance a UniqueID, or every one -1 and a name.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "UniqueID")},
		check:   onInstance.check(uniqueIDMixed),
	},
	{
		ID: "PERF1423", Name: "inst-parent-missing", Severity: Warning, Since: "v0.1.0",
		Doc:     "the object that ParentObjectTitleIndex names is in the same data block",
		Why:     "The full name of the instance starts with that of its parent, which cannot be looked up. Windows puts Process beside Thread for this reason, asked for or not.",
		Fix:     "Return the parent's object too, or write 0 where there is no parent.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ParentObjectTitleIndex"), registry, values},
		Misread: []string{"Microsoft's sample reader goes on with the null pointer its search returned"},
		check:   about(onInstance.check(parentMissing), layout.DataBlockKind),
	},
	{
		ID: "PERF1424", Name: "inst-parent-range", Severity: Error, Since: "v0.1.0",
		Doc:     "ParentObjectInstance is less than the number of instances that the parent's object has",
		Why:     "It is a position among them, from 0 on. A reader that steps there leaves the object, and takes other bytes for a name.",
		Fix:     "Write the position of the parent in the object of this very block. Of two objects of one title the first counts.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ParentObjectInstance"), values},
		Misread: []string{"Microsoft's sample reader steps to the position without a bound"},
		check:   onInstance.check(parentRange),
	},
	{
		ID: "PERF1425", Name: "inst-parent-stray", Severity: Info, Since: "v0.1.0",
		Doc:     "ParentObjectInstance is 0 where ParentObjectTitleIndex is 0",
		Why:     "There is no parent, so the position is of nothing. The title may have been forgotten, or the field was never written.",
		Fix:     "Write 0, or the title index of the parent's object.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ParentObjectInstance"), values},
		check:   onInstance.check(parentStray),
	},
	{
		ID: "PERF1426", Name: "inst-padding-zero", Severity: Info, Since: "v0.1.0",
		Doc:     "the bytes of an instance that belong to neither the structure nor the name are 0",
		Why:     "Nobody reads them. What stands there comes from the memory of the process that wrote the block, and is handed to all that ask.",
		Fix:     "Clear the instance before its name is written, to the end of ByteLength.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ByteLength")},
		check:   onInstance.check(instancePadding),
	},
	{
		ID: "PERF1427", Name: "inst-total-last", Severity: Info, Since: "v0.1.0",
		Doc:     "an instance named _Total is the last of its parent",
		Why:     "Windows' own objects put the sum of all instances behind them, and readers have come to count on it.",
		Fix:     "Write the instance _Total behind all others.",
		Sources: []Source{dotnetReader},
		Misread: []string{".NET takes the last instance of a parent's object for _Total and never names a child after it"},
		check:   onInstance.check(totalLast),
	},
}

func uniqueIDDuplicate(p *pass, in *instance) {
	id := in.UniqueID()
	if id == layout.PERF_NO_UNIQUE_ID {
		return
	}
	if first := p.seenID(in.of, uint32(id), uint32(in.off-in.of.off)); first != 0 {
		p.field(in, "UniqueID", id, "one of its own: the instance at 0x%x has this", in.of.off+int64(first))
	}
}

// seenID returns the earlier instance of the object that has the UniqueID, as the
// offset of its definition in the object, or notes that the one at an offset has it.
func (p *pass) seenID(o *object, id, at uint32) uint32 {
	b := o.Bytes()
	return p.ids.addNumber(id, at, func(ref uint32) uint32 { return le.Uint32(b[ref+uniqueIDAt:]) })
}

func uniqueIDMixed(p *pass, in *instance) {
	const none = layout.PERF_NO_UNIQUE_ID
	id := in.UniqueID()
	if in.of.mixed || (id == none) == (in.of.firstID == none) {
		return
	}
	in.of.mixed = true
	if id == none {
		p.field(in, "UniqueID", id, "an identifier, as the first instance has one")
	} else {
		p.field(in, "UniqueID", id, "-1, PERF_NO_UNIQUE_ID, as the first instance has it")
	}
}

// parentMissing is silent where not all objects could be read: the parent's may be
// among the rest.
func parentMissing(p *pass, in *instance) {
	title := in.ParentObjectTitleIndex()
	if title == 0 || p.kind == layout.ObjectsKind || !p.dataBlock.complete() {
		return
	}
	if _, present := p.byTitle[title]; !present {
		p.field(in, "ParentObjectTitleIndex", title, "the title of an object in the block, or 0 for no parent")
	}
}

// complete reports whether all objects that the block should have are known.
func (h *dataBlock) complete() bool {
	return h.chain.end == h.end && (h.chain.whole || !h.cut)
}

// parentRange blames the title where no position would do. A NumInstances that is
// none has its own rule.
func parentRange(p *pass, in *instance) {
	title, position := in.ParentObjectTitleIndex(), in.ParentObjectInstance()
	if title == 0 {
		return
	}
	i, present := p.byTitle[title]
	if !present {
		return
	}
	switch n := p.extents[i].instances; {
	case n < layout.PERF_METADATA_NO_INSTANCES:
	case n <= 0:
		p.field(in, "ParentObjectTitleIndex", title, "the title of an object with instances: NumInstances of object[%d] is %d", i, n)
	case int64(position) >= int64(n):
		p.field(in, "ParentObjectInstance", position, "%d at most, the last of object[%d]", n-1, i)
	}
}

func parentStray(p *pass, in *instance) {
	if position := in.ParentObjectInstance(); in.ParentObjectTitleIndex() == 0 && position != 0 {
		p.field(in, "ParentObjectInstance", position, "0, as there is no parent")
	}
}

func instancePadding(p *pass, in *instance) {
	if !in.placed {
		return
	}
	nameAt, nameEnd := instanceSize, instanceSize
	if in.NameLength() > 0 {
		nameAt = int64(in.NameOffset())
		nameEnd = nameAt + int64(in.NameLength())
	}
	p.uncleared(in, "gap", instanceSize, nameAt)
	p.uncleared(in, "padding", nameEnd, int64(in.Len()))
}

// uncleared reports the bytes of an instance from one offset to another, from the first
// to the last that is not 0.
func (p *pass) uncleared(in *instance, step string, from, to int64) {
	b := in.Bytes()
	for from < to && b[from] == 0 {
		from++
	}
	if from == to || !p.count() {
		return
	}
	for b[to-1] == 0 {
		to--
	}
	const most = 8
	got := fmt.Sprintf("the %s holds % x", step, b[from:min(to, from+most)])
	if to-from > most {
		got += fmt.Sprintf(" and so on, %d bytes", to-from)
	}
	p.list(in.path().Field(step), in.off+from, int(to-from), got, "0 in every byte")
}

// totalLast speaks of an instance _Total when another of the same parent comes. Of
// several that wait for one it keeps the latest.
func totalLast(p *pass, in *instance) {
	if t := &in.of.total; t.seen && t.under == in.parent() {
		t.seen = false
		p.bytes(&t.inst, "Name", t.inst.name.Off(), t.inst.name.Len(), "_Total is not the last instance", "it behind those that it sums up")
	}
	if in.of.CodePage() == 0 && string(in.text) == totalName {
		in.of.total = total{seen: true, inst: *in, under: in.parent()}
	}
}

const totalName = "_\x00T\x00o\x00t\x00a\x00l\x00" // as UTF-16

// quoted returns the start of a name for a message, in quotes.
func quoted(text []byte, codePage uint32) string {
	const most = 64 // bytes
	more := ""
	if len(text) > most {
		text, more = text[:most], "..."
	}
	if codePage != 0 {
		return fmt.Sprintf("%+q", text) + more
	}
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = le.Uint16(text[2*i:])
	}
	return fmt.Sprintf("%q", string(utf16.Decode(units))) + more
}
