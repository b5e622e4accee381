package validate

import "github.com/perfblock/perfblock/layout"

// instance is a PERF_INSTANCE_DEFINITION with its name.
type instance struct {
	layout.Instance // as long as it can be read
	of              *object
	index           int
	off, end        int64
	wanted          int64       // the ByteLength that leads to the counter block, 0 where its own may
	name            layout.Name // terminator included; of no bytes if there is none, or where bounds leave it
	text            []byte      // the name without its terminator
	ended           bool        // the name has a terminator
	sound           bool        // the name's bounds hold, and it is whole code units
	placed          bool        // the name's bounds hold, or there is no name
}

// An instanceName is a subject before the name is read.
type instanceName struct{ *instance }

var (
	onInstance = subjectsIn[*instance](layout.V1Kinds()...)
	onName     = subjectsIn[instanceName](layout.V1Kinds()...)
)

func (in *instance) path() layout.Path {
	return layout.Path{}.At("object", in.of.index).At("instance", in.index)
}
func (in *instance) record() *layout.Record { return &layout.PERF_INSTANCE_DEFINITION }
func (in *instance) start() int64           { return in.off }

// parent returns the two fields that name the parent, both zero for none.
func (in *instance) parent() [2]uint32 {
	if in.ParentObjectTitleIndex() == 0 {
		return [2]uint32{}
	}
	return [2]uint32{in.ParentObjectTitleIndex(), in.ParentObjectInstance()}
}

// checkInstances judges each instance and its counter block.
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
			if in.wanted = o.wantedLength(in); in.wanted != 0 {
				in.end = at + in.wanted
				in.Instance = layout.Instance{Span: layout.NewSpan(rest[:in.wanted:in.wanted], at)}
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

// checkName holds a name against those before it. Names of half a code unit are left
// to the rule for their length.
func (p *pass) checkName(o *object, in *instance) {
	if len(onDuplicate.of(p.rules).checks) == 0 || o.CodePage() == 0 && len(in.text)%2 != 0 {
		return
	}
	if first := p.seen(o, in); first != 0 {
		p.reportDuplicate(o, in.index, uint32(in.off - o.off), first)
	}
}

// readName finds the name, if there is one where the definition says.
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
