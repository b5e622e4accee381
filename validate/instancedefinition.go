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
	required        int64       // the right ByteLength, 0 if ByteLength can be right
	name            layout.Name // terminator included; empty if there is none or it is out of bounds
	text            []byte      // the name without its terminator
	ended           bool        // the name has a terminator
	sound           bool        // the name is in bounds and has no partial code unit
	placed          bool        // the name is in bounds, or there is none
}

// An instanceName is an instance whose name is not read yet.
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
		Why:     "NumInstances or a preceding length is too large. A reader that goes on takes the next object for an instance, or reads past its buffer.",
		Fix:     "Write the number of instances. If it is right, check the lengths of the preceding instance and its counter block.",
		Sources: []Source{dotnet, of(&layout.PERF_OBJECT_TYPE, "NumInstances")},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		check:   onInstance.guard(instanceTruncated),
	},
	{
		ID: "PERF1402", Name: "inst-length-min", Severity: Error, Since: "v0.1.0",
		Doc:     "ByteLength of an instance is at least the 24 bytes of a PERF_INSTANCE_DEFINITION",
		Why:     "The counter block starts where the instance ends. With a smaller length it starts inside the definition, and with 0 a reader does not advance.",
		Fix:     "Write 24 plus the bytes of the name, rounded up to a multiple of 8.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ByteLength"), dotnet},
		Misread: []string{".NET before 9.0 accepts any length"},
		check:   onInstance.guard(instanceLengthMin),
	},
	{
		ID: "PERF1403", Name: "inst-length-bound", Severity: Error, Since: "v0.1.0",
		Doc:     "an instance ends inside its object, with room for the ByteLength of a counter block after it",
		Why:     "Otherwise the counter block starts outside the object. A reader takes other bytes for its length and goes on from there.",
		Fix:     "Write the length of the structure, the name and the padding. The counter block after the instance is not included.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ByteLength"), collect, dotnet},
		Misread: []string{".NET before 9.0 reads past the buffer"},
		check:   onInstance.guard(instanceLengthBound),
	},
	{
		ID: "PERF1404", Name: "inst-length-align", Severity: Error, NT4: Off, Since: "v0.1.0",
		Doc:     "ByteLength of an instance is a multiple of 8",
		Why:     "Otherwise the counter block and all following instances are misaligned. Some processors fault on misaligned 8-byte values, others read them more slowly.",
		Fix:     "Write the end of the name, rounded up to a multiple of 8, and fill the padding with zeros.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ByteLength"), alignment},
		check:   onInstance.check(instanceLengthAlign),
	},
	{
		ID: "PERF1421", Name: "inst-unique-id-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two instances of an object have the same UniqueID other than -1, PERF_NO_UNIQUE_ID",
		Why:     "UniqueID replaces the name. A consumer that uses it takes the two instances for one.",
		Fix:     "Write an identifier that no other instance has, or -1 if the name is enough.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "UniqueID")},
		check:   onInstance.check(uniqueIDDuplicate),
	},
	{
		ID: "PERF1422", Name: "inst-unique-id-mixed", Severity: Info, Since: "v0.1.0",
		Doc:     "either all instances of an object have a UniqueID or none has",
		Why:     "Consumers decide once per object whether they identify instances by number or by name. The finding is at the first instance that differs from instance 0.",
		Fix:     "Give every instance a UniqueID, or give every instance -1 and a name.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "UniqueID")},
		check:   onInstance.check(uniqueIDMixed),
	},
	{
		ID: "PERF1426", Name: "inst-padding-zero", Severity: Info, Since: "v0.1.0",
		Doc:     "the bytes of an instance that belong to neither the structure nor the name are 0",
		Why:     "No reader uses these bytes. Other values are leftover memory of the writer's process, which every consumer receives.",
		Fix:     "Clear the instance up to ByteLength before you write its name.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "ByteLength")},
		check:   onInstance.check(instancePadding),
	},
	{
		ID: "PERF1427", Name: "inst-total-last", Severity: Info, Since: "v0.1.0",
		Doc:     "an instance named _Total is the last one of its parent",
		Why:     "Windows' own objects store the sum after all other instances, and some readers depend on it.",
		Fix:     "Write the instance _Total after all others.",
		Sources: []Source{dotnetReader},
		Misread: []string{".NET takes the last instance of a parent's object for _Total and never names a child after it"},
		check:   onInstance.check(totalLast),
	},
}

// checkInstances checks the instances of an object and their counter blocks.
func (p *pass) checkInstances(o *object) {
	p.names.reset(int(o.NumInstances()))
	p.ids.reset(int(o.NumInstances()))
	at := o.body()
	for k, n := 0, int(o.NumInstances()); k < n; k++ {
		if at, k = p.plain(o, at, k); k == n {
			break
		}
		in := &p.instance
		*in = instance{of: o, index: k, off: at, end: o.end}
		rest := p.b[at:o.end]
		if size := int(layout.PERF_INSTANCE_DEFINITION.Size); len(rest) >= size {
			whole := min(len(rest), max(size, int(le.Uint32(rest))))
			in.end = at + int64(whole)
			in.Instance = layout.Instance{Span: layout.NewSpan(rest[:whole:whole], at)}
			if in.required = o.requiredLength(in); in.required != 0 {
				in.end = at + in.required
				in.Instance = layout.Instance{Span: layout.NewSpan(rest[:in.required:in.required], at)}
			}
		}
		if !onInstance.guarded(p, in) {
			return
		}
		p.checkInstance(o, in)
		end, ok := p.checkBlock(o, in.end, k)
		if !ok {
			return
		}
		at = end
	}
	o.content = at
}

func (p *pass) checkInstance(o *object, in *instance) {
	if in.index == 0 {
		o.firstID = in.UniqueID()
	}
	p.readName(o, in)
	onInstance.checked(p, in)
	if len(in.text) > 0 {
		p.checkName(o, in)
	}
}

// checkName compares a name with the names of earlier instances. It skips a UTF-16 name
// with an odd length, which another rule reports.
func (p *pass) checkName(o *object, in *instance) {
	if len(onDuplicate.of(p.rules).checks) == 0 || o.CodePage() == 0 && len(in.text)%2 != 0 {
		return
	}
	if first := p.seen(o, in); first != 0 {
		p.reportDuplicate(o, in.index, uint32(in.off-o.off), first)
	}
}

// readName sets the fields of the name if NameOffset and NameLength are in bounds.
func (p *pass) readName(o *object, in *instance) {
	if !onName.guarded(p, instanceName{in}) {
		return
	}
	in.placed = true
	from, n := int(in.NameOffset()), int(in.NameLength())
	if n == 0 {
		return
	}
	b := in.Bytes()[from : from+n : from+n]
	in.name = layout.Name{Span: layout.NewSpan(b, in.off+int64(from)), CodePage: o.CodePage()}
	unit := in.name.Unit()
	in.sound = n%unit == 0
	in.ended = in.name.Terminated()
	in.text = b
	if in.ended {
		in.text = b[:n-unit]
	}
}

const instanceSize = int64(layout.SizeofInstanceDefinition)

func instanceTruncated(p *pass, in *instance) bool {
	left := in.of.end - in.off
	switch {
	case left == 0:
		p.field(in.of, "NumInstances", in.of.NumInstances(), "must be %d, which fill TotalByteLength", in.index)
		return false
	case left < instanceSize:
		p.bytes(in, "", in.off, int(left), fmt.Sprintf("TotalByteLength leaves %d bytes for it", left), "must be at least 24, the size of PERF_INSTANCE_DEFINITION")
		return false
	}
	return true
}

func instanceLengthMin(p *pass, in *instance) bool {
	if n := in.ByteLength(); int64(n) < instanceSize {
		if in.required != 0 {
			p.field(in, "ByteLength", n, "must be %d, after which the counter block follows", in.required)
		} else {
			p.field(in, "ByteLength", n, "must be at least 24")
		}
		return in.required != 0
	}
	return true
}

func instanceLengthBound(p *pass, in *instance) bool {
	n, left := int64(in.ByteLength()), in.of.end-in.off
	switch {
	case in.required != 0 && (n < instanceSize || n%layout.Align != 0 && n+4 <= left && p.rules.aligned):
		// instanceLengthMin or instanceLengthAlign reports it
	case in.required != 0:
		p.field(in, "ByteLength", n, "must be %d, after which the counter block follows", in.required)
	case n+4 > left:
		p.field(in, "ByteLength", n, "must be at most %d, so that there is room for a counter block before TotalByteLength ends", left-4)
		return false
	}
	return true
}

func instanceLengthAlign(p *pass, in *instance) {
	switch n := int64(in.ByteLength()); {
	case n%layout.Align == 0 || n < instanceSize:
	case in.required == 0:
		p.field(in, "ByteLength", n, "must be a multiple of 8")
	case n+4 <= in.of.end-in.off:
		p.field(in, "ByteLength", n, "must be %d, a multiple of 8 after which the counter block follows", in.required)
	}
}

func uniqueIDDuplicate(p *pass, in *instance) {
	id := in.UniqueID()
	if id == layout.PERF_NO_UNIQUE_ID {
		return
	}
	if first := p.seenID(in.of, uint32(id), uint32(in.off-in.of.off)); first != 0 {
		p.field(in, "UniqueID", id, "must be unique: the instance at 0x%x has this UniqueID", in.of.off+int64(first))
	}
}

// seenID adds the UniqueID of the instance at an offset. It returns the offset, in the
// object, of the earlier instance with that UniqueID, or 0.
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
		p.field(in, "UniqueID", id, "must be an identifier, as the first instance has one")
	} else {
		p.field(in, "UniqueID", id, "must be -1, PERF_NO_UNIQUE_ID, as the first instance has it")
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

// uncleared reports the bytes of an instance between two offsets that are not 0, as one
// range from the first to the last.
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
	p.list(in.path().Field(step), in.off+from, int(to-from), got, "must be 0 in every byte")
}

// totalLast reports an instance _Total that is followed by another instance of the same
// parent. It remembers only the latest _Total.
func totalLast(p *pass, in *instance) {
	if t := &in.of.total; t.seen && t.under == in.parent() {
		t.seen = false
		p.bytes(&t.inst, "Name", t.inst.name.Off(), t.inst.name.Len(), "_Total is not the last instance", "must follow the instances that it sums up")
	}
	if in.of.CodePage() == 0 && string(in.text) == totalName {
		in.of.total = total{seen: true, inst: *in, under: in.parent()}
	}
}

const totalName = "_\x00T\x00o\x00t\x00a\x00l\x00" // as UTF-16
