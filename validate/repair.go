package validate

import "github.com/perfblock/perfblock/layout"

// What bounds the search for where objects go on, so that it is paid for by the
// bytes of a few objects.
const (
	mostRepairs = 8 // lengths of objects that are seen through
	mostBack    = 3 // objects before the place where the chain stops: a wrong place may look like a small object
)

// repair goes on behind an object whose TotalByteLength is wrong: where its content
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
		end = o.body() // the last object behind it would pass for a lone counter block
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
