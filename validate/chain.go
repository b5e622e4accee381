package validate

import "github.com/perfblock/perfblock/layout"

// A chain is a sequence of objects, each at the end of the one before.
type chain struct {
	end   int64 // of the last object with a valid TotalByteLength
	n     int64 // number of such objects
	whole bool  // follow found all the objects that it was called for
}

// An extent has the fields of an object that checks of other objects use.
type extent struct {
	off, end  int64
	title     uint32
	instances int32
	repaired  bool // end is not computed from TotalByteLength: see repair
}

// follow returns the chain of n objects at from, or of all objects up to end if n is
// negative.
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

// totalAt returns TotalByteLength of the object at an offset, and whether it is at least
// the size of the structure and does not exceed end.
func (p *pass) totalAt(at, end int64) (int64, bool) {
	size := int64(layout.PERF_OBJECT_TYPE.Size)
	if end-at < size {
		return 0, false
	}
	total := int64(p.objectAt(at).TotalByteLength())
	return total, total >= size && total <= end-at
}

// objectAt returns the PERF_OBJECT_TYPE at an offset. The input must have all its bytes.
func (p *pass) objectAt(at int64) layout.Object {
	return layout.Object{Span: layout.NewSpan(p.b[at:at+int64(layout.PERF_OBJECT_TYPE.Size)], at)}
}

// note appends the extents of n consecutive objects at an offset.
func (p *pass) note(at, n int64) {
	for range n {
		o := p.objectAt(at)
		end := at + int64(o.TotalByteLength())
		p.extents = append(p.extents, extent{at, end, o.ObjectNameTitleIndex(), o.NumInstances(), false})
		at = end
	}
}

// index notes the extents of the chain, and the first object of each title.
func (p *pass) index(h *dataBlock) {
	if len(p.extents) == 0 { // mislaid has not noted them
		p.note(h.first, h.chain.n)
		p.repair(h)
	}
	for i, e := range p.extents {
		if _, known := p.byTitle[e.title]; !known {
			p.byTitle[e.title] = i
		}
	}
}

// seek searches for the first object if there is none at HeaderLength. It accepts an
// offset after the structure at which NumObjectTypes objects end where the block ends.
func (p *pass) seek(h *dataBlock) {
	const most = 1024 // bytes for a name and the padding after it
	size := int64(layout.PERF_DATA_BLOCK.Size)
	if h.n == 0 || !h.totalHolds(p) || h.headerHolds() && p.goesOn(h, h.first) {
		return
	}
	for at := size; at <= size+most && at < h.end; at += layout.Align {
		if !p.goesOn(h, at) {
			continue
		}
		if c := p.follow(at, h.end, h.n); c.whole && c.end == h.end {
			h.sought, h.first = true, at
		}
		return // only the first apparent object is tried, to bound the time
	}
}

// chain follows the objects and decides which of TotalByteLength, HeaderLength and
// NumObjectTypes is wrong if they contradict each other. A chain of NumObjectTypes objects
// is the strongest evidence: a field that contradicts the end of this chain is wrong.
// Second are objects that fill the input, and third objects that fill the block.
func (p *pass) chain(h *dataBlock) {
	all := int64(len(p.b))
	h.chain = p.follow(h.first, all, h.n)
	switch {
	case h.chain.whole && h.n > 0:
		if !p.mislaid(h) {
			h.end = max(h.end, h.chain.end)
		}
	case h.end < all:
		full := h.chain
		h.chain = p.follow(h.first, h.end, h.n)
		if full.end == all && h.chain.end != h.end {
			h.chain, h.end = full, all
		}
	}
	if more := p.follow(h.chain.end, h.end, -1); more.whole {
		h.chain.end, h.chain.n = more.end, h.chain.n+more.n
	}
	h.crowded = h.n > h.room()
	p.index(h)
}

// mislaid handles a chain of NumObjectTypes objects that does not end at TotalByteLength.
// It reports whether a wrong length of one of the objects is the cause. It has then
// repaired the chain.
func (p *pass) mislaid(h *dataBlock) bool {
	if !h.totalHolds(p) || h.chain.end == h.end {
		return false
	}
	whole := h.chain
	p.note(h.first, whole.n-1)
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

// room returns the largest number of objects that fit into the block.
func (h *dataBlock) room() int64 {
	return (max(h.end, h.claimed()) - h.first) / int64(layout.PERF_OBJECT_TYPE.Size)
}
