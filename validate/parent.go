package validate

import "github.com/perfblock/perfblock/layout"

var parentRules = []*Rule{
	{
		ID: "PERF1423", Name: "inst-parent-missing", Severity: Warning, Since: "v0.1.0",
		Doc:     "the object that ParentObjectTitleIndex names is in the same data block",
		Why:     "The full name of the instance starts with the name of its parent, which cannot be found. For this reason Windows returns Process together with Thread.",
		Fix:     "Return the parent's object too, or write 0 if there is no parent.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ParentObjectTitleIndex"), registry, values},
		Misread: []string{"Microsoft's sample reader dereferences the null pointer that its search returned"},
		check:   about(onInstance.check(parentMissing), layout.DataBlockKind),
	},
	{
		ID: "PERF1424", Name: "inst-parent-range", Severity: Error, Since: "v0.1.0",
		Doc:     "ParentObjectInstance is less than the number of instances of the parent's object",
		Why:     "ParentObjectInstance is the position of the parent in its object, from 0. A reader that counts to this position leaves the object and takes other bytes for a name.",
		Fix:     "Write the position of the parent in its object in this block. If two objects have the same title, the first one is used.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ParentObjectInstance"), values},
		Misread: []string{"Microsoft's sample reader counts to the position without a check"},
		check:   onInstance.check(parentRange),
	},
	{
		ID: "PERF1425", Name: "inst-parent-stray", Severity: Info, Since: "v0.1.0",
		Doc:     "ParentObjectInstance is 0 if ParentObjectTitleIndex is 0",
		Why:     "Without a parent the position has no meaning. Either the title index is missing, or the field was never written.",
		Fix:     "Write 0, or write the title index of the parent's object.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ParentObjectInstance"), values},
		check:   onInstance.check(parentStray),
	},
}

// parent returns the two fields that name the parent, both zero for none.
func (in *instance) parent() [2]uint32 {
	if in.ParentObjectTitleIndex() == 0 {
		return [2]uint32{}
	}
	return [2]uint32{in.ParentObjectTitleIndex(), in.ParentObjectInstance()}
}

// parentMissing reports nothing if not all objects could be read, because one of the
// others may be the parent.
func parentMissing(p *pass, in *instance) {
	title := in.ParentObjectTitleIndex()
	if title == 0 || p.kind == layout.ObjectsKind || !p.dataBlock.complete() {
		return
	}
	if _, present := p.byTitle[title]; !present {
		p.field(in, "ParentObjectTitleIndex", title, "must be the title of an object in the block, or 0 for no parent")
	}
}

// complete reports whether all objects of the block are known.
func (h *dataBlock) complete() bool {
	return h.chain.end == h.end && (h.chain.whole || !h.cut)
}

// parentRange reports the title if the object has no instances, and otherwise a position
// that is out of range. Another rule reports an invalid NumInstances.
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
		p.field(in, "ParentObjectTitleIndex", title, "must be the title of an object with instances: NumInstances of object[%d] is %d", i, n)
	case int64(position) >= int64(n):
		p.field(in, "ParentObjectInstance", position, "must be at most %d, the last of object[%d]", n-1, i)
	}
}

func parentStray(p *pass, in *instance) {
	if position := in.ParentObjectInstance(); in.ParentObjectTitleIndex() == 0 && position != 0 {
		p.field(in, "ParentObjectInstance", position, "must be 0, as there is no parent")
	}
}
