package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// instance is a PERF_INSTANCE_DEFINITION with its name.
type instance struct {
	layout.Instance // the bytes inside the object
	of              *object
	index           int
	off, end        int64
	required        int64       // the correct ByteLength; 0 if ByteLength seems right or the correct value is not known
	name            layout.Name // with its terminator; empty if there is no name or the name is not inside the instance
	text            []byte      // the name without its terminator
	ended           bool        // the name has a terminator
	sound           bool        // the name is inside the instance and has no partial code unit
	placed          bool        // the name is inside the instance, or there is no name
}

// An instanceName is an instance whose name is not read yet. Its rules check NameOffset and
// NameLength.
type instanceName struct{ *instance }

var (
	onInstance = subjectsIn[*instance](v1Kinds...)
	onName     = subjectsIn[instanceName](v1Kinds...)
)

func (in *instance) path() layout.Path {
	return layout.Path{}.At("object", in.of.index).At("instance", in.index)
}

func (in *instance) record() *layout.Record { return &layout.PERF_INSTANCE_DEFINITION }

func (in *instance) start() int64 { return in.off }

var instanceDefinitionRules = []*Rule{
	{
		ID: "PERF1401", Name: "inst-truncated", Severity: Error, Since: "v0.1.0",
		Doc:     "each of NumInstances instances has the 24 bytes of a PERF_INSTANCE_DEFINITION",
		Why:     "NumInstances or a preceding length is too large. A reader reads the next object as an instance, or reads past its buffer.",
		Fix:     "Set NumInstances to the number of instances. If it is right, check the lengths of the preceding instance and its counter block.",
		Sources: []Source{dotnet, sourceOf(&layout.PERF_OBJECT_TYPE, "NumInstances")},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		check: onInstance.guard(func(p *pass, in *instance) bool {
			left := in.of.end - in.off
			if left == 0 {
				p.field(in.of, "NumInstances", in.of.NumInstances(), "must be %d, the number of instances up to TotalByteLength", in.index)
				return false
			}
			return p.requireSize(in, left, "TotalByteLength leaves %s for the instance", "leave")
		}),
	},
	{
		ID: "PERF1402", Name: "inst-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "ByteLength of an instance is at least the 24 bytes of a PERF_INSTANCE_DEFINITION",
		Why:     "The counter block starts where the instance ends. If ByteLength is less than 24, the counter block starts inside the definition. If ByteLength is 0, a reader does not advance.",
		Fix:     "Set ByteLength to 24 plus the bytes of the name, rounded up to a multiple of 8.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "ByteLength"), dotnet},
		Misread: []string{".NET before 9.0 accepts any length"},
		check: onInstance.guard(func(p *pass, in *instance) bool {
			if n := in.ByteLength(); int64(n) < instanceDefinitionSize {
				if in.required != 0 {
					p.field(in, "ByteLength", n, "must be %d, the distance to the counter block", in.required)
				} else {
					p.field(in, "ByteLength", n, "must be at least %d", instanceDefinitionSize)
				}
				return in.required != 0
			}
			return true
		}),
	},
	{
		ID: "PERF1403", Name: "inst-length-bound", Severity: Error, Since: "v0.1.0",
		Doc:     "an instance is inside the object, and so is the field ByteLength of the counter block after it",
		Why:     "The counter block starts where the instance ends. If the instance ends outside the object, a reader reads other bytes as the length of the block, and misreads everything after it.",
		Fix:     "Set ByteLength to the length of the structure, the name and the padding. ByteLength does not include the counter block after the instance.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "ByteLength"), collect, dotnet},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		check:   onInstance.guard(instanceLengthBound),
	},
	{
		ID: "PERF1404", Name: "inst-length-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "ByteLength of an instance is a multiple of 8",
		Why:     "If ByteLength is not a multiple of 8, the counter block and all following instances are misaligned. Some processors fault on misaligned 8-byte values, others read them more slowly.",
		Fix:     "Set ByteLength to the end of the name, rounded up to a multiple of 8, and fill the padding after the name with zeros.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "ByteLength"), alignment},
		check: onInstance.check(func(p *pass, in *instance) {
			switch n := int64(in.ByteLength()); {
			case n%layout.Align == 0 || n < instanceDefinitionSize:
			case in.required == 0:
				p.field(in, "ByteLength", n, "must be a multiple of 8")
			case n+counterBlockSize <= in.of.end-in.off:
				p.field(in, "ByteLength", n, "must be %d, the distance to the counter block", in.required)
			}
		}),
	},
	{
		ID: "PERF1421", Name: "inst-unique-id-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two instances of an object have the same UniqueID, except -1 (PERF_NO_UNIQUE_ID)",
		Why:     "UniqueID replaces the name. A consumer that identifies instances by UniqueID treats the two instances as one.",
		Fix:     "Set UniqueID to a number that no other instance has, or to -1 if the name is enough.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "UniqueID")},
		check: onInstance.check(func(p *pass, in *instance) {
			id := in.UniqueID()
			if id == layout.PERF_NO_UNIQUE_ID {
				return
			}
			if first := p.seenID(in.of, uint32(id), uint32(in.off-in.of.off)); first != 0 {
				p.field(in, "UniqueID", id, "must be unique: the instance at 0x%x has this UniqueID", in.of.off+int64(first))
			}
		}),
	},
	{
		ID: "PERF1422", Name: "inst-unique-id-mixed", Severity: Info, Since: "v0.1.0",
		Doc:     "all instances of an object have a UniqueID, or no instance has one",
		Why:     "Consumers decide once per object whether they identify instances by number or by name. The finding is at the first instance that differs from instance 0.",
		Fix:     "Give every instance a UniqueID, or give every instance -1 and a name.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "UniqueID")},
		check:   onInstance.check(uniqueIDMixed),
	},
	{
		ID: "PERF1423", Name: "inst-parent-missing", Severity: Warning, Since: "v0.1.0",
		Doc:     "the object that ParentObjectTitleIndex names is in the same data block",
		Why:     "The full name of an instance starts with the name of its parent. A reader looks up this name in the parent's object. For example, the full name of a thread starts with the name of its process, so Windows returns Process together with Thread.",
		Fix:     "Return the parent's object too, or set ParentObjectTitleIndex to 0 if there is no parent.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "ParentObjectTitleIndex"), registry, values},
		Misread: []string{"Microsoft's sample reader dereferences a null pointer if it does not find the parent's object"},
		check: onInstance.forKinds(layout.DataBlockKind).check(func(p *pass, in *instance) {
			// If some objects of the block were not found, the parent's object can be one of them.
			title := in.ParentObjectTitleIndex()
			if title == 0 || p.kind == layout.ObjectsKind || !p.dataBlock.objects.whole {
				return
			}
			if _, present := p.byTitle[title]; !present {
				p.field(in, "ParentObjectTitleIndex", title, "must be the title of an object in the block, or 0 for no parent")
			}
		}),
	},
	{
		ID: "PERF1424", Name: "inst-parent-range", Severity: Error, Since: "v0.1.0",
		Doc:     "ParentObjectInstance is less than the number of instances of the parent's object",
		Why:     "ParentObjectInstance is the position of the parent in its object, from 0. If it is too large, a reader reads past the object and uses other bytes as the name of the parent.",
		Fix:     "Set ParentObjectInstance to the position of the parent in its object in this block. If two objects have the same title, the first one is used.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "ParentObjectInstance"), values},
		Misread: []string{"Microsoft's sample reader does not compare ParentObjectInstance with the number of instances"},
		check:   onInstance.check(parentRange),
	},
	{
		ID: "PERF1425", Name: "inst-parent-stray", Severity: Info, Since: "v0.1.0",
		Doc:     "ParentObjectInstance is 0 if ParentObjectTitleIndex is 0",
		Why:     "Without a parent the position has no meaning. Either ParentObjectTitleIndex is wrong, or ParentObjectInstance was never set.",
		Fix:     "Set ParentObjectInstance to 0, or set ParentObjectTitleIndex to the title index of the parent's object.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "ParentObjectInstance"), values},
		check: onInstance.check(func(p *pass, in *instance) {
			require(p, in, "ParentObjectInstance", in.ParentObjectInstance(), in.ParentObjectTitleIndex() != 0 || in.ParentObjectInstance() == 0, "must be 0, because there is no parent")
		}),
	},
	{
		ID: "PERF1426", Name: "inst-padding-zero", Severity: Info, Since: "v0.1.0",
		Doc:     "the unused bytes of an instance are 0: all bytes after the structure, except the name",
		Why:     "No reader uses these bytes. If they are not 0, they are leftover memory of the writer's process, and every consumer receives them.",
		Fix:     "Clear the instance up to ByteLength before you write its name.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "ByteLength")},
		check: onInstance.check(func(p *pass, in *instance) {
			if !in.placed {
				return
			}
			nameAt, nameEnd := instanceDefinitionSize, instanceDefinitionSize
			if in.NameLength() > 0 {
				nameAt = int64(in.NameOffset())
				nameEnd = nameAt + int64(in.NameLength())
			}
			p.reportNonzero(in, "gap", "gap before the name", instanceDefinitionSize, nameAt)
			p.reportNonzero(in, "padding", "padding", nameEnd, int64(in.Len()))
		}),
	},
	{
		ID: "PERF1427", Name: "inst-total-last", Severity: Info, Since: "v0.1.0",
		Doc:     "an instance named _Total comes after all other instances that have the same parent",
		Why:     "In Windows' own objects, the sum _Total comes after all other instances, and some readers depend on this order.",
		Fix:     "Write the instance _Total after all other instances that have the same parent.",
		Sources: []Source{dotnetReader},
		Misread: []string{".NET assumes that _Total is the last instance of the parent's object, and never shows the last instance as a parent"},
		check: onInstance.check(func(p *pass, in *instance) {
			if t := &in.of.total; t.seen && t.parent == parentOf(in.Instance) {
				t.seen = false
				p.reportBytes(&t.inst, "Name", t.inst.name.Off(), t.inst.name.Len(), "_Total is before an instance that has the same parent", "must be after all other instances that have this parent")
			}
			if in.of.CodePage() == 0 && string(in.text) == totalName {
				in.of.total = total{seen: true, inst: *in, parent: parentOf(in.Instance)}
			}
		}),
	},
}

func instanceLengthBound(p *pass, in *instance) bool {
	n, left := int64(in.ByteLength()), in.of.end-in.off
	switch {
	case in.required != 0 && (n < instanceDefinitionSize || n%layout.Align != 0 && n+counterBlockSize <= left && p.rules.aligned):
		// the rule inst-length-min or inst-length-align reports ByteLength
	case in.required != 0:
		p.field(in, "ByteLength", n, "must be %d, the distance to the counter block", in.required)
	case left < instanceDefinitionSize+counterBlockSize:
		p.reportBytes(in, "", in.off, int(left), fmt.Sprintf("TotalByteLength leaves %s for the instance and its counter block", plural(left, "byte")), fmt.Sprintf("must leave at least %d", instanceDefinitionSize+counterBlockSize))
		return false
	case n+counterBlockSize > left:
		p.field(in, "ByteLength", n, "must be %s", upTo(instanceDefinitionSize, left-counterBlockSize, p.rules.unit(), "the largest ByteLength that leaves 4 bytes for the counter block"))
		return false
	}
	return true
}

// seenID adds the UniqueID of the instance at an offset. It returns the offset of an earlier
// instance with the same UniqueID, or 0.
func (p *pass) seenID(o *object, id, at uint32) uint32 {
	return p.ids.addNumber(id, at, func(ref uint32) uint32 { return uint32(o.definitionAt(ref).UniqueID()) })
}

// definitionAt returns the PERF_INSTANCE_DEFINITION at an offset in the object. The structure must
// be inside the object.
func (o *object) definitionAt(at uint32) layout.Instance {
	return layout.Instance{Span: layout.NewSpan(o.Bytes()[at:], o.off+int64(at))}
}

func uniqueIDMixed(p *pass, in *instance) {
	const none = layout.PERF_NO_UNIQUE_ID
	id := in.UniqueID()
	if in.of.mixedReported || (id == none) == (in.of.firstID == none) {
		return
	}
	in.of.mixedReported = true
	if id == none {
		p.field(in, "UniqueID", id, "must be an identifier, because the first instance has one")
	} else {
		p.field(in, "UniqueID", id, "must be -1, PERF_NO_UNIQUE_ID, because the first instance has it")
	}
}

// reportNonzero reports nonzero bytes of an instance between two offsets. The finding extends from
// the first nonzero byte to the last nonzero byte. Its path ends with step. label is the name of the
// bytes in the message.
func (p *pass) reportNonzero(in *instance, step, label string, from, to int64) {
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
	got := fmt.Sprintf("the %s has the bytes % x", label, b[from:min(to, from+most)])
	if to-from > most {
		got += fmt.Sprintf(" and %s more", plural(to-from-most, "byte"))
	}
	p.list(in.path().Field(step), in.off+from, int(to-from), got, "must have only zeros")
}

const totalName = "_\x00T\x00o\x00t\x00a\x00l\x00" // _Total in UTF-16

// parentOf returns the title index of the parent's object and the position of the parent, or zeros
// if the instance has no parent.
func parentOf(in layout.Instance) [2]uint32 {
	if in.ParentObjectTitleIndex() == 0 {
		return [2]uint32{}
	}
	return [2]uint32{in.ParentObjectTitleIndex(), in.ParentObjectInstance()}
}

// parentRange reports ParentObjectInstance if the parent's object has no instance at this position.
// If the parent's object has no instances at all, it reports ParentObjectTitleIndex instead.
func parentRange(p *pass, in *instance) {
	title, position := in.ParentObjectTitleIndex(), in.ParentObjectInstance()
	if title == 0 {
		return
	}
	parent, present := p.byTitle[title]
	if !present {
		return
	}
	switch n := parent.instances; {
	case n < layout.PERF_METADATA_NO_INSTANCES: // another rule reports this NumInstances
	case n <= 0:
		p.field(in, "ParentObjectTitleIndex", title, "must be the title of an object with instances: NumInstances of object[%d] is %d", parent.index, n)
	case int64(position) >= int64(n):
		p.field(in, "ParentObjectInstance", position, "must be at most %d, the position of the last instance of object[%d]", n-1, parent.index)
	}
}
