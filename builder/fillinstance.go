package builder

import "github.com/perfblock/perfblock/layout"

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
		in := layout.Instance{Span: layout.NewSpan(b, 0)}.Read()
		in.UniqueID = id
		layout.PutInstanceDefinition(b, &in)
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
	in := layout.InstanceDefinition{
		ParentObjectTitleIndex: parent,
		ParentObjectInstance:   position,
		UniqueID:               layout.PERF_NO_UNIQUE_ID,
	}
	// A name of ASCII, as nearly all are, is written where it belongs and has been
	// checked then. Of any other it is not known what it takes.
	n := 2 * uint64(len(name))
	whole := f.measure(name, n)
	if t.header.CodePage == 0 && f.fits(whole+uint64(t.form.length)) {
		if b := f.b[f.at:]; layout.WidenASCII(b[layout.PERF_INSTANCE_DEFINITION.Size:], name) == len(name) {
			f.place(&in, name, n, whole)
			return
		}
	}
	if err := checkLetters(name, t.header.CodePage); err != nil {
		f.fail(layout.Path{}.Field("Name"), err)
		return
	}
	n = lettersLen(name, t.header.CodePage)
	whole = f.measure(name, n)
	at := f.at
	if f.take(whole+uint64(t.form.length)) == nil {
		f.full()
		return
	}
	f.at = at
	appendLetters(f.b[:at+int(layout.PERF_INSTANCE_DEFINITION.Size)], name, t.header.CodePage)
	f.place(&in, name, n, whole)
}

// measure returns the ByteLength of an instance whose name takes n bytes.
func (f *Fill) measure(name string, n uint64) uint64 {
	size := uint64(layout.PERF_INSTANCE_DEFINITION.Size)
	if name == "" {
		return size
	}
	return up(size+n+terminatorLen(f.template.header.CodePage), layout.Align)
}

// place writes what belongs around a name of n bytes that stands in its place, for
// which there is room, and opens the counter block.
func (f *Fill) place(in *layout.InstanceDefinition, name string, n, whole uint64) {
	b := f.b[f.at:][:whole+uint64(f.template.form.length)]
	if name != "" {
		size := uint64(layout.PERF_INSTANCE_DEFINITION.Size)
		in.NameOffset, in.NameLength = uint32(size), uint32(n+terminatorLen(f.template.header.CodePage))
		le.PutUint64(b[size+n:], 0) // the terminator and the padding; what this is of the block is written again
	}
	in.ByteLength = uint32(whole)
	layout.PutInstanceDefinition(b, in)
	f.last = f.at
	f.at += len(b)
	f.open(b[whole:])
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
