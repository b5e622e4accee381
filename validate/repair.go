package validate

import "github.com/perfblock/perfblock/layout"

// Bounds of the search for the object after one with a wrong length. They bound its time.
const (
	mostRepairs = 8 // number of object lengths that are replaced
	mostBack    = 3 // number of objects before the end of the chain that are tried, because bytes inside an object can look like small objects
)

// repair replaces a wrong TotalByteLength by the length of the content of the object if another
// object seems to follow the content, and continues the chain there. If the chain ends at bytes
// that are not an object, the wrong length can be that of the last object or of an earlier one.
func (p *pass) repair(h *dataBlock) {
	for range mostRepairs {
		if h.truncated || h.chain.end == h.end || h.n >= 0 && h.chain.n >= h.n || !p.repairOne(h) {
			return
		}
	}
}

func (p *pass) repairOne(h *dataBlock) bool {
	n := len(p.extents)
	if p.useContentEnd(h, h.chain.end, n) {
		return true
	}
	for i := n - 1; i >= max(0, n-mostBack) && !p.extents[i].repaired; i-- {
		if p.useContentEnd(h, p.extents[i].off, i) {
			return true
		}
	}
	return false
}

// useContentEnd sets the end of object i, which is at an offset, to the end of its content, and
// continues the chain there. It returns false if it cannot compute that end, if no object seems
// to follow, or if the rules would not report TotalByteLength.
func (p *pass) useContentEnd(h *dataBlock, off int64, i int) bool {
	if h.end-off < objectSize {
		return false
	}
	o := object{off: off, end: h.end}
	o.Object = layout.Object{Span: layout.NewSpan(p.b[off:h.end], off)}
	if !o.plausible() {
		return false
	}
	end := o.bodyEnd(o.body())
	if o.NumInstances() == 0 {
		end = o.body() // bodyEnd could take the next object for a counter block
	}
	if end == 0 || !p.continuesAt(h, end) {
		return false
	}
	if total, valid := p.totalAt(off, h.end); valid {
		if off+total == end || !o.bodyRulesReport(off+total < end) {
			return false
		}
	}
	p.extents = append(p.extents[:i], extent{off, end, o.ObjectNameTitleIndex(), o.NumInstances(), true})
	rest := int64(-1)
	if h.n >= 0 {
		rest = h.n - int64(i) - 1
	}
	next := p.follow(end, h.end, rest)
	p.addExtents(end, next.n)
	h.chain = chain{next.end, int64(len(p.extents)), next.whole}
	return true
}

// bodyRulesReport reports whether the rules for the body report an error if TotalByteLength is
// shorter, or longer, than the content.
func (o *object) bodyRulesReport(short bool) bool {
	switch n := o.NumInstances(); n {
	case layout.PERF_NO_INSTANCES:
		return short
	case 0, layout.PERF_METADATA_MULTIPLE_INSTANCES:
		return true
	default:
		return n > 0
	}
}

// continuesAt reports whether an object seems to start at an offset, or the block ends there.
func (p *pass) continuesAt(h *dataBlock, at int64) bool {
	if at == h.end {
		return true
	}
	return h.end-at >= objectSize && (&object{Object: p.objectAt(at), off: at, end: h.end}).plausible()
}

// plausible reports whether HeaderLength, DefinitionLength and NumCounters are consistent. Bytes
// that are not an object rarely pass this test.
func (o *object) plausible() bool {
	d := int64(o.DefinitionLength())
	return int64(o.HeaderLength()) == objectSize && d == objectSize+counterSize*int64(o.NumCounters()) && d <= o.end-o.off
}

// setEnd sets the end of an object with a wrong TotalByteLength.
func (o *object) setEnd(p *pass, end int64) {
	if o.validLength {
		o.Object = layout.Object{Span: layout.NewSpan(p.b[o.off:end:end], o.off)}
		o.end, o.repaired = end, true
	}
}

// A wrong ByteLength of an instance or a counter block is replaced by the length that its name
// or its values require, if the expected record follows there. The wrong ByteLength is then the
// only finding.

// commonBlockLength returns the length that all counter blocks of the object should have, 0 if
// it is not known.
func (o *object) commonBlockLength() int64 {
	if o.blocks > 0 {
		return int64(o.firstLength)
	}
	if o.need >= unknownNeed {
		return 0
	}
	return aligned(o.need)
}

// blockAt reports whether the counter block of instance k seems to be at an offset: the next
// instance, or the end of the object, follows it.
func (o *object) blockAt(at int64, k int) bool {
	end := o.blockEnd(at)
	return end != 0 && o.instanceStartsAt(end, k+1)
}

// instanceStartsAt reports whether instance k seems to start at an offset. If k is NumInstances,
// it reports whether the object ends there.
func (o *object) instanceStartsAt(at int64, k int) bool {
	if k >= int(o.NumInstances()) {
		return at == o.end
	}
	if o.end-at < instanceSize+counterBlockSize {
		return false
	}
	in := layout.Instance{Span: layout.NewSpan(o.Bytes()[at-o.off:][:instanceSize], at)}
	whole, from, n := int64(in.ByteLength()), int64(in.NameOffset()), int64(in.NameLength())
	return whole >= instanceSize && whole <= o.end-at-counterBlockSize && from+n <= whole && (n == 0 || from >= instanceSize)
}

// requiredLength returns the ByteLength with which the counter block of an instance follows it.
// It returns 0 if the counter block follows with the declared ByteLength, or if the length that
// the name requires is not right either.
func (o *object) requiredLength(in *instance) int64 {
	if o.commonBlockLength() == 0 || o.blockAt(in.off+int64(in.ByteLength()), in.index) {
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
	if o.blockEnd(at) != at+o.commonBlockLength() || !o.blockAt(at, in.index) {
		return 0
	}
	return needed
}

// requiredBlockLength returns the ByteLength with which the next instance or the end of the
// object follows a counter block. It returns 0 if the declared ByteLength is right, or if the
// common length of the counter blocks is not right either.
func (o *object) requiredBlockLength(b *counterBlock) int64 {
	common := o.commonBlockLength()
	if b.instance < 0 || common == 0 || b.length == common || common > o.end-b.off ||
		b.length <= o.end-b.off && o.instanceStartsAt(b.off+b.length, b.instance+1) || !o.instanceStartsAt(b.off+common, b.instance+1) {
		return 0
	}
	return common
}
