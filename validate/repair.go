package validate

import "github.com/perfblock/perfblock/layout"

// What bounds the search for where objects go on, so that it is paid for by the
// bytes of a few objects.
const (
	mostRepairs = 8 // lengths of objects that are seen through
	mostBack    = 3 // objects before the place where the chain stops: a wrong place may look like a small object
)

// repair goes on after an object whose TotalByteLength is wrong: where its content
// ends, if something that looks like an object stands there. Where the chain stops at
// what is no object, its own length may be wrong, or that of one before, which led there.
func (p *pass) repair(h *dataBlock) {
	for range mostRepairs {
		if h.cut || h.chain.end == h.end || h.n >= 0 && h.chain.n >= h.n || !p.repairOne(h) {
			return
		}
	}
}

func (p *pass) repairOne(h *dataBlock) bool {
	n := len(p.extents)
	if p.seeThrough(h, h.chain.end, n) {
		return true
	}
	for i := n - 1; i >= max(0, n-mostBack) && !p.extents[i].mended; i-- {
		if p.seeThrough(h, p.extents[i].off, i) {
			return true
		}
	}
	return false
}

// seeThrough lets object i, at an offset, end where its content does, and follows
// the objects from there on. It reports whether there was something to follow.
func (p *pass) seeThrough(h *dataBlock, off int64, i int) bool {
	if h.end-off < objectSize {
		return false
	}
	o := object{off: off, end: h.end}
	o.Object = layout.Object{Span: layout.NewSpan(p.b[off:h.end], off)}
	if !o.shaped() {
		return false
	}
	end := o.bodyEnd(o.body())
	if o.NumInstances() == 0 {
		end = o.body() // the last object after it would pass for a lone counter block
	}
	if end == 0 || !p.goesOn(h, end) {
		return false
	}
	if total, inside := p.totalAt(off, h.end); inside {
		// A length that can be must be told to be wrong by the rules for the body.
		if off+total == end || !o.tellsLength(off+total < end) {
			return false
		}
	}
	p.extents = append(p.extents[:i], extent{off, end, o.ObjectNameTitleIndex(), o.NumInstances(), true})
	rest := int64(-1)
	if h.n >= 0 {
		rest = h.n - int64(i) - 1
	}
	next := p.follow(end, h.end, rest)
	p.note(end, next.n)
	h.chain = chain{next.end, int64(len(p.extents)), next.whole}
	return true
}

// tellsLength reports whether the rules for the body of the object tell that its
// length, which is not that of its content, is an error.
func (o *object) tellsLength(short bool) bool {
	switch n := o.NumInstances(); n {
	case layout.PERF_NO_INSTANCES:
		return short
	case 0, layout.PERF_METADATA_MULTIPLE_INSTANCES:
		return true
	default:
		return n > 0
	}
}

// goesOn reports whether the objects end at an offset, or one seems to start there.
func (p *pass) goesOn(h *dataBlock, at int64) bool {
	if at == h.end {
		return true
	}
	return h.end-at >= objectSize && (&object{Object: p.objectAt(at), off: at, end: h.end}).shaped()
}

// shaped reports whether the lengths of the definitions agree as those of hardly
// anything but an object do.
func (o *object) shaped() bool {
	d := int64(o.DefinitionLength())
	return int64(o.HeaderLength()) == objectSize && d == objectSize+counterSize*int64(o.NumCounters()) && d <= o.end-o.off
}

// mend lets the object end where its content does, though TotalByteLength does not
// lead there.
func (o *object) mend(p *pass, end int64) {
	if o.whole {
		o.Object = layout.Object{Span: layout.NewSpan(p.b[o.off:end:end], o.off)}
		o.end, o.mended = end, true
	}
}

// A ByteLength of an instance or of a counter block that is wrong leads to bytes that
// are none of what should stand there. Where the length that the names and values ask
// for leads to it, that is taken, and the wrong one is the one finding.

// usual returns the length that the counter blocks of the object have, as far as is known.
func (o *object) usual() int64 {
	if o.blocks > 0 {
		return int64(o.uniform)
	}
	if o.need >= unknownNeed {
		return 0
	}
	return aligned(o.need)
}

// leads reports whether a counter block seems to stand at an offset that is of
// instance k: what its length leads to is the next one, or the end.
func (o *object) leads(at int64, k int) bool {
	end := o.blockEnd(at)
	return end != 0 && o.startsAt(end, k+1)
}

// startsAt reports whether instance k seems to start at an offset, or the object
// to end there where there is no such instance.
func (o *object) startsAt(at int64, k int) bool {
	if k >= int(o.NumInstances()) {
		return at == o.end
	}
	if o.end-at < instanceSize+4 {
		return false
	}
	in := layout.Instance{Span: layout.NewSpan(o.Bytes()[at-o.off:][:instanceSize], at)}
	whole, from, n := int64(in.ByteLength()), int64(in.NameOffset()), int64(in.NameLength())
	return whole >= instanceSize && whole <= o.end-at-4 && from+n <= whole && (n == 0 || from >= instanceSize)
}

// wantedLength returns the ByteLength that leads from an instance to its counter block,
// 0 if its own does, or none is known that does.
func (o *object) wantedLength(in *instance) int64 {
	if o.usual() == 0 || o.leads(in.off+int64(in.ByteLength()), in.index) {
		return 0
	}
	wanted := instanceSize
	if from, n := int64(in.NameOffset()), int64(in.NameLength()); n > 0 {
		if from < instanceSize {
			return 0
		}
		wanted = aligned(from + n)
	}
	at := in.off + wanted
	if o.blockEnd(at) != at+o.usual() || !o.leads(at, in.index) {
		return 0
	}
	return wanted
}

// wantedBlock returns the ByteLength that leads from a counter block to what follows
// it, 0 if its own may, or none is known that does.
func (o *object) wantedBlock(b *counterBlock) int64 {
	usual := o.usual()
	if b.instance < 0 || usual == 0 || b.length == usual || usual > o.end-b.off ||
		b.length <= o.end-b.off && o.startsAt(b.off+b.length, b.instance+1) || !o.startsAt(b.off+usual, b.instance+1) {
		return 0
	}
	return usual
}
