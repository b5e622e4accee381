package validate

import "github.com/perfblock/perfblock/layout"

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
