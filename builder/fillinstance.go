package builder

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// Instance starts an instance with its counter block, whose values are zero until
// they are set. The name is as in [Instance]: text of UTF-8 without NUL, or bytes
// without NUL where the object has a CodePage; an empty one makes an unnamed instance,
// which should have a [Fill.UniqueID].
func (f *Fill) Instance(name string) { f.instance(0, 0, name) }

// Child starts an instance that has a parent, the one at that position among the
// instances of the object of that title index, which is not 0: that of a provider's
// own is the [Template.ObjectNameTitleIndex] of what Rebase returned.
func (f *Fill) Child(parentTitle, position uint32, name string) {
	f.instance(parentTitle, position, name)
	if parentTitle == 0 {
		f.fail(layout.Path{}.Field("ParentObjectTitleIndex"), layout.Faultf(ErrParent, "0 is the title of no object; was its template rebased?"))
	}
}

// UniqueID sets the UniqueID of the instance at hand, which is PERF_NO_UNIQUE_ID
// without it.
func (f *Fill) UniqueID(id int32) {
	switch {
	case f.err != nil:
	case f.template == nil || f.instances == 0:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "a UniqueID, and no instance"))
	case !f.over:
		b := f.b[f.last:]
		in := wire.GetInstanceDefinition(b)
		in.UniqueID = id
		in.Put(b)
	}
}

func (f *Fill) instance(parent, position uint32, name string) {
	t := f.template
	if t == nil || t.header.NumInstances != 0 || f.err != nil {
		f.misplaced()
		return
	}
	f.settle()
	f.instances++
	size, at := uint64(layout.PERF_INSTANCE_DEFINITION.Size), f.at
	b, whole := []byte(nil), uint64(0)
	if t.header.CodePage == 0 && name != "" {
		b, whole = f.takeASCII(size, name, uint64(t.form.length))
	}
	if b == nil {
		f.anyInstance(parent, position, name)
		return
	}
	wire.InstanceDefinition{
		ByteLength:             uint32(whole),
		ParentObjectTitleIndex: parent,
		ParentObjectInstance:   position,
		UniqueID:               layout.PERF_NO_UNIQUE_ID,
		NameOffset:             uint32(size),
		NameLength:             uint32(2*len(name) + utf16NUL),
	}.Put(b)
	f.last = at
	f.open(b[whole:], t.form)
}

// anyInstance starts an instance of any name, or reports why it cannot.
func (f *Fill) anyInstance(parent, position uint32, name string) {
	t := f.template
	if err := checkLetters(name, t.header.CodePage); err != nil {
		f.fail(layout.Path{}.Field("Name"), err)
		return
	}
	in := wire.InstanceDefinition{ParentObjectTitleIndex: parent, ParentObjectInstance: position, UniqueID: layout.PERF_NO_UNIQUE_ID}
	size := uint64(layout.PERF_INSTANCE_DEFINITION.Size)
	whole := size
	if name != "" {
		n := lettersLen(name, t.header.CodePage) + terminatorLen(t.header.CodePage)
		whole = up(size+n, layout.Align)
		in.NameOffset, in.NameLength = uint32(size), uint32(n)
	}
	f.last = f.at
	b := f.take(whole + uint64(t.form.length))
	if b == nil {
		f.full()
		return
	}
	in.ByteLength = uint32(whole)
	in.Put(b)
	zeroTo(appendLetters(b[:size:whole], name, t.header.CodePage), int(whole))
	f.open(b[whole:], t.form)
}

// misplaced reports an instance where there can be none.
func (f *Fill) misplaced() {
	switch {
	case f.err != nil:
	case f.template == nil:
		f.fail(layout.Path{}, layout.Faultf(ErrCount, "an instance, and no object"))
	default:
		f.fail(layout.Path{}.Field("NumInstances"), layout.Faultf(ErrCount, "%s goes with no instances", layout.InstancesName(f.template.header.NumInstances)))
	}
}
