package validate

import "github.com/perfblock/perfblock/layout"

// A chain is what the lengths of objects lead to, one after the other.
type chain struct {
	end   int64 // after the last that has a length it can have
	n     int64 // how many those are
	whole bool  // they are as many as wanted
}

// An extent is what other objects must know of one.
type extent struct {
	off, end  int64
	title     uint32
	instances int32
	mended    bool // its length does not lead to end: see repair
}

// follow goes from object to object, n of them or all to the end if n is negative.
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

// totalAt returns the length of the object at an offset, and whether that is one it
// can have.
func (p *pass) totalAt(at, end int64) (int64, bool) {
	size := int64(layout.PERF_OBJECT_TYPE.Size)
	if end-at < size {
		return 0, false
	}
	total := int64(p.objectAt(at).TotalByteLength())
	return total, total >= size && total <= end-at
}

// objectAt is the header of the object at an offset, all of which is there.
func (p *pass) objectAt(at int64) layout.Object {
	return layout.Object{Span: layout.NewSpan(p.b[at:at+int64(layout.PERF_OBJECT_TYPE.Size)], at)}
}

// note adds n objects, from an offset on, whose lengths lead from one to the next.
func (p *pass) note(at, n int64) {
	for range n {
		o := p.objectAt(at)
		end := at + int64(o.TotalByteLength())
		p.extents = append(p.extents, extent{at, end, o.ObjectNameTitleIndex(), o.NumInstances(), false})
		at = end
	}
}

// index notes the objects of the chain, and the first of each title.
func (p *pass) index(h *dataBlock) {
	if len(p.extents) == 0 { // it has not been repaired
		p.note(h.first, h.chain.n)
		p.repair(h)
	}
	for i, e := range p.extents {
		if _, known := p.byTitle[e.title]; !known {
			p.byTitle[e.title] = i
		}
	}
}

// seek looks for the first object where HeaderLength does not lead to one: at one of
// the places after the structure from which the objects lead to the end of the block.
func (p *pass) seek(h *dataBlock) {
	const most = 1024 // bytes for a name and what is after it
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
		return // what looks like an object is tried once
	}
}

// chain follows the objects, to see which of TotalByteLength, HeaderLength and
// NumObjectTypes is wrong where they do not agree. As many objects as there should
// be, one after the other, are what tells most: what does not lead to their end is
// wrong, not they. Objects that fill the input, or the block, come next.
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

// mislaid reports whether the chain, though as long as it should be, only ends where
// TotalByteLength does not say because one of its lengths is wrong. It is repaired then.
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

// room returns how many objects there can be at most.
func (h *dataBlock) room() int64 {
	return (max(h.end, h.claimed()) - h.first) / int64(layout.PERF_OBJECT_TYPE.Size)
}
