package validate

import "github.com/perfblock/perfblock/layout"

// A chain is a sequence of consecutive objects, found by TotalByteLength of each.
type chain struct {
	end   int64 // end of the last object with a valid TotalByteLength
	n     int64 // number of objects with a valid TotalByteLength
	whole bool  // all objects that follow was asked for have a valid TotalByteLength
}

// An extent has the place of an object, and the fields that checks of other objects use.
type extent struct {
	off, end  int64
	title     uint32
	instances int32 // NumInstances
	repaired  bool  // TotalByteLength is wrong, and end is the end of the content: see repair
}

func (p *pass) checkDataBlock() {
	h := &p.dataBlock
	h.end = int64(len(p.b))
	if h.end >= dataBlockSize {
		h.DataBlock = layout.DataBlock{Span: layout.NewSpan(p.b[:dataBlockSize], 0)}
		h.first, h.n = int64(h.HeaderLength()), int64(h.NumObjectTypes())
		total := int64(h.TotalByteLength())
		h.truncated = total > h.end
		if h.totalValid(p) {
			h.end = total
		}
	}
	if h.end >= dataBlockSize {
		p.findFirst(h)
	}
	if h.end >= dataBlockSize && h.first >= dataBlockSize && h.first <= int64(len(p.b)) {
		p.resolveHeader(h)
	}
	if !onDataBlock.runGuards(p, h) {
		return
	}
	onDataBlock.runChecks(p, h)
	if h.firstInside() {
		p.objects(h)
	}
	onDataBlock.runEnds(p, h)
}

func (p *pass) checkObjectsOnly() {
	h := &p.dataBlock
	h.end, h.n = int64(len(p.b)), -1
	h.chain = p.follow(0, h.end, -1)
	p.indexObjects(h)
	p.objects(h)
}

// objects checks the objects of the block, up to one whose end is not known. If the objects of
// the chain fill the block exactly, it ignores NumObjectTypes.
func (p *pass) objects(h *dataBlock) {
	n := h.n
	if h.chain.end == h.end {
		n = h.chain.n
	}
	at := h.first
	for i := int64(0); n < 0 && at < h.end || i < n; i++ {
		o := &p.object
		o.reset(p.b[at:h.end], at, int(i))
		known := i < int64(len(p.extents))
		if known && p.extents[i].repaired {
			o.setEnd(p, p.extents[i].end)
		}
		p.checkObject(o)
		switch {
		case known:
			at = p.extents[i].end
		case o.validLength:
			at = o.end
		default:
			return
		}
	}
}

// follow returns the chain of n objects that starts at from. If n is negative, it returns the
// chain of all objects up to end.
func (p *pass) follow(from, end, n int64) chain {
	at, i := from, int64(0)
	for ; n < 0 && at < end || i < n; i++ {
		total, ok := p.totalAt(at, end)
		if !ok {
			return chain{at, i, false}
		}
		at += total
	}
	return chain{at, i, true}
}

// totalAt returns TotalByteLength of the object at an offset, and whether it is valid: at least
// the size of the structure, and not more than the bytes up to end.
func (p *pass) totalAt(at, end int64) (int64, bool) {
	if end-at < objectSize {
		return 0, false
	}
	total := int64(p.objectAt(at).TotalByteLength())
	return total, total >= objectSize && total <= end-at
}

// objectAt returns the PERF_OBJECT_TYPE at an offset. The structure must be inside the input.
func (p *pass) objectAt(at int64) layout.Object {
	return layout.Object{Span: layout.NewSpan(p.b[at:at+objectSize], at)}
}

// addExtents appends the extents of n consecutive objects that start at an offset.
func (p *pass) addExtents(at, n int64) {
	for range n {
		o := p.objectAt(at)
		end := at + int64(o.TotalByteLength())
		p.extents = append(p.extents, extent{at, end, o.ObjectNameTitleIndex(), o.NumInstances(), false})
		at = end
	}
}

// indexObjects sets the extents of the objects, and the index of the first object with each
// title.
func (p *pass) indexObjects(h *dataBlock) {
	if len(p.extents) == 0 { // repairChain has not set them
		p.addExtents(h.first, h.chain.n)
		p.repair(h)
	}
	for i, e := range p.extents {
		if _, known := p.byTitle[e.title]; !known {
			p.byTitle[e.title] = i
		}
	}
}

// findFirst searches for the first object if there is no object at HeaderLength. The objects
// from the offset that it finds must be NumObjectTypes and end where the block ends.
func (p *pass) findFirst(h *dataBlock) {
	const most = 1024 // bytes of a system name and its padding
	if h.n == 0 || !h.totalValid(p) || h.headerValid() && p.continuesAt(h, h.first) {
		return
	}
	for at := dataBlockSize; at <= dataBlockSize+most && at < h.end; at += layout.Align {
		if !p.continuesAt(h, at) {
			continue
		}
		if c := p.follow(at, h.end, h.n); c.whole && c.end == h.end {
			h.searched, h.first = true, at
		}
		return // the search ends at the first apparent object, to bound the time
	}
}

// resolveHeader follows the objects and sets the end of the block. If TotalByteLength contradicts
// the objects, it decides between them. NumObjectTypes objects that are all valid extend the block
// beyond TotalByteLength. With fewer objects, TotalByteLength is the end of the block unless the
// objects fill the input and not the block.
func (p *pass) resolveHeader(h *dataBlock) {
	all := int64(len(p.b))
	h.chain = p.follow(h.first, all, h.n)
	switch {
	case h.chain.whole && h.n > 0:
		if !p.repairChain(h) {
			h.end = max(h.end, h.chain.end)
		}
	case h.end < all:
		toInput := h.chain
		h.chain = p.follow(h.first, h.end, h.n)
		if toInput.end == all && h.chain.end != h.end {
			h.chain, h.end = toInput, all
		}
	}
	if more := p.follow(h.chain.end, h.end, -1); more.whole {
		h.chain.end, h.chain.n = more.end, h.chain.n+more.n
	}
	h.tooMany = h.n > h.mostObjects()
	p.indexObjects(h)
}

// repairChain repairs the length of an object if that makes the chain of NumObjectTypes objects
// end at TotalByteLength. It reports whether it changed the chain.
func (p *pass) repairChain(h *dataBlock) bool {
	if !h.totalValid(p) || h.chain.end == h.end {
		return false
	}
	whole := h.chain
	p.addExtents(h.first, whole.n-1)
	h.chain = chain{h.first, whole.n - 1, false}
	if n := len(p.extents); n > 0 {
		h.chain.end = p.extents[n-1].end
	}
	if h.chain.end <= h.end {
		p.repair(h)
	}
	if h.chain.end == h.end && h.chain.n == h.n {
		return true
	}
	h.chain, p.extents = whole, p.extents[:0]
	return false
}

// mostObjects returns the number of objects of the smallest size that fit into the block.
func (h *dataBlock) mostObjects() int64 {
	return (max(h.end, h.declaredEnd()) - h.first) / objectSize
}
