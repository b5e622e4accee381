package builder

import "github.com/perfblock/perfblock/layout"

// Instance starts an instance with its counter block, whose values are zero until
// they are set. The name is as in [Instance]: text of UTF-8 without NUL, or bytes
// without NUL where the object has a CodePage; an empty one makes an unnamed instance,
// which should have a [Fill.UniqueID].
func (f *Fill) Instance(name string) { f.instance(0, 0, name) }

// Child starts an instance that has a parent, the one at that position among the
// instances of the object of that title index.
func (f *Fill) Child(parentTitle, position uint32, name string) {
	f.instance(parentTitle, position, name)
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
	size, length, codePage := uint64(layout.PERF_INSTANCE_DEFINITION.Size), uint64(t.form.length), t.header.CodePage
	in := layout.InstanceDefinition{
		ParentObjectTitleIndex: parent,
		ParentObjectInstance:   position,
		UniqueID:               layout.PERF_NO_UNIQUE_ID,
	}
	whole, n, written := size, uint64(0), false
	if name != "" {
		if n, written = f.plainName(name); !written {
			if err := checkLetters(name, codePage); err != nil {
				f.fail(layout.Path{}.Field("Name"), err)
				return
			}
			n = lettersLen(name, codePage)
		}
		end := n + terminatorLen(codePage)
		whole = up(size+end, layout.Align)
		in.NameOffset, in.NameLength = uint32(size), uint32(end)
	}
	f.last = f.at
	dst := f.take(whole + length)
	if dst == nil {
		f.full()
		return
	}
	if name != "" {
		if !written {
			appendLetters(dst[:size:whole], name, codePage)
		}
		le.PutUint64(dst[size+n:], 0) // the terminator and the padding; what it writes of the block is written again
	}
	in.ByteLength = uint32(whole)
	layout.PutInstanceDefinition(dst, &in)
	f.open(f.last + int(whole))
}

// plainName writes a name of ASCII where it is going to stand, if there is room for
// all of the instance, and returns the bytes that it takes and whether it did so.
func (f *Fill) plainName(name string) (n uint64, ok bool) {
	size, length := uint64(layout.PERF_INSTANCE_DEFINITION.Size), uint64(f.template.form.length)
	n = 2 * uint64(len(name))
	if f.template.header.CodePage != 0 || !f.fits(up(size+n+terminatorLen(0), layout.Align)+length) {
		return n, false
	}
	return n, layout.WidenASCII(f.b[f.at+int(size):], name) == len(name)
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
