package validate

import "github.com/perfblock/perfblock/layout"

// Bounds of the search for the next object. Its cost is at most that of a few objects.
const (
	mostRepairs = 8 // object lengths to replace
	mostBack    = 3 // objects to go back from the end of the chain, because wrong bytes can look like small objects
)

// repair continues the chain after an object whose TotalByteLength is wrong, at the end of
// its content, if another object seems to start there. If the chain stops at bytes that are
// not an object, the wrong length can be that of the last object or of one before it.
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
	for i := n - 1; i >= max(0, n-mostBack) && !p.extents[i].repaired; i-- {
		if p.seeThrough(h, p.extents[i].off, i) {
			return true
		}
	}
	return false
}

// seeThrough uses the end of the content as the end of object i, at an offset, and follows
// the objects after it. It reports whether it could.
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
		end = o.body() // bodyEnd could take the last object for a counter block
	}
	if end == 0 || !p.goesOn(h, end) {
		return false
	}
	if total, inside := p.totalAt(off, h.end); inside {
		// A valid length is replaced only if the rules for the body report it.
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

// tellsLength reports whether the rules for the body report an error if TotalByteLength is
// not the length of the content.
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

// goesOn reports whether an object seems to start at an offset, or the block ends there.
func (p *pass) goesOn(h *dataBlock, at int64) bool {
	if at == h.end {
		return true
	}
	return h.end-at >= objectSize && (&object{Object: p.objectAt(at), off: at, end: h.end}).shaped()
}

// shaped reports whether the lengths of the definitions are consistent. Bytes that are not
// an object rarely have such lengths.
func (o *object) shaped() bool {
	d := int64(o.DefinitionLength())
	return int64(o.HeaderLength()) == objectSize && d == objectSize+counterSize*int64(o.NumCounters()) && d <= o.end-o.off
}

// setEnd sets the end of the object to the end of its content.
func (o *object) setEnd(p *pass, end int64) {
	if o.whole {
		o.Object = layout.Object{Span: layout.NewSpan(p.b[o.off:end:end], o.off)}
		o.end, o.repaired = end, true
	}
}

// A wrong ByteLength of an instance or of a counter block leads to bytes that are not the
// expected record. If the length that the names and values require leads to that record,
// the validator uses it, and the wrong length is the only finding.

// usual returns the common length of the object's counter blocks, 0 if not known.
func (o *object) usual() int64 {
	if o.blocks > 0 {
		return int64(o.uniform)
	}
	if o.need >= unknownNeed {
		return 0
	}
	return aligned(o.need)
}

// leads reports whether the counter block of instance k seems to be at an offset: after its
// length the next instance starts, or the object ends.
func (o *object) leads(at int64, k int) bool {
	end := o.blockEnd(at)
	return end != 0 && o.startsAt(end, k+1)
}

// startsAt reports whether instance k seems to start at an offset. If there is no such
// instance, it reports whether the object ends there.
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

// requiredLength returns the ByteLength that leads from an instance to its counter block, 0
// if the declared one does or none is known.
func (o *object) requiredLength(in *instance) int64 {
	if o.usual() == 0 || o.leads(in.off+int64(in.ByteLength()), in.index) {
		return 0
	}
	needed := instanceSize
	if from, n := int64(in.NameOffset()), int64(in.NameLength()); n > 0 {
		if from < instanceSize {
			return 0
		}
		needed = aligned(from + n)
	}
	at := in.off + needed
	if o.blockEnd(at) != at+o.usual() || !o.leads(at, in.index) {
		return 0
	}
	return needed
}

// requiredBlockLength returns the ByteLength that leads from a counter block to the next record, 0
// if the declared one does or none is known.
func (o *object) requiredBlockLength(b *counterBlock) int64 {
	usual := o.usual()
	if b.instance < 0 || usual == 0 || b.length == usual || usual > o.end-b.off ||
		b.length <= o.end-b.off && o.startsAt(b.off+b.length, b.instance+1) || !o.startsAt(b.off+usual, b.instance+1) {
		return 0
	}
	return usual
}
