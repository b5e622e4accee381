package validate

import "github.com/perfblock/perfblock/layout"

// dataBlock is the PERF_DATA_BLOCK and what is known of the whole.
type dataBlock struct {
	layout.DataBlock        // the 88 bytes of the structure
	end              int64  // of the bytes in which objects stand
	first            int64  // where the first object starts
	sought           bool   // HeaderLength does not lead there
	n                int64  // objects to read, -1 for all to the end
	crowded          bool   // there is no room for NumObjectTypes objects
	chain            chain  // the objects by their lengths alone
	cut              bool   // the input ends before TotalByteLength
	usesFreq         string // a counter that is computed with PerfFreq, "" for none
}

var onDataBlock = subjectsIn[*dataBlock](layout.DataBlockKind)

func (h *dataBlock) path() layout.Path      { return layout.Path{} }
func (h *dataBlock) record() *layout.Record { return &layout.PERF_DATA_BLOCK }
func (h *dataBlock) start() int64           { return 0 }

// totalHolds reports whether TotalByteLength is a length this input can have.
func (h *dataBlock) totalHolds(p *pass) bool {
	t := int64(h.TotalByteLength())
	return t >= int64(layout.PERF_DATA_BLOCK.Size) && t <= int64(len(p.b))
}

// headerHolds reports whether HeaderLength is inside the block.
func (h *dataBlock) headerHolds() bool {
	return h.first >= int64(layout.PERF_DATA_BLOCK.Size) && h.first <= max(h.end, h.claimed())
}

// found reports whether the place at which the objects start is there.
func (h *dataBlock) found() bool { return h.headerHolds() && h.first <= h.end }

// A chain is what the lengths of objects lead to, one after the other.
type chain struct {
	end   int64 // behind the last that has a length it can have
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

func (p *pass) checkDataBlock() {
	h := &p.dataBlock
	size := int64(layout.PERF_DATA_BLOCK.Size)
	h.end = int64(len(p.b))
	if h.end >= size {
		h.DataBlock = layout.DataBlock{Span: layout.NewSpan(p.b[:size], 0)}
		h.first, h.n = int64(h.HeaderLength()), int64(h.NumObjectTypes())
		total := int64(h.TotalByteLength())
		h.cut = total > h.end
		if h.totalHolds(p) {
			h.end = total
		}
	}
	if h.end >= size {
		p.seek(h)
	}
	if h.end >= size && h.first >= size && h.first <= int64(len(p.b)) {
		p.chain(h)
	}
	if !onDataBlock.guarded(p, h) {
		return
	}
	onDataBlock.checked(p, h)
	if h.found() {
		p.objects(h)
	}
	onDataBlock.end(p, h)
}

// seek looks for the first object where HeaderLength does not lead to one: at one of
// the places behind the structure from which the objects lead to the end of the block.
func (p *pass) seek(h *dataBlock) {
	const most = 1024 // bytes for a name and what is behind it
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
// be, one behind the other, are what tells most: what does not lead to their end is
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

func (p *pass) checkObjectsOnly() {
	h := &p.dataBlock
	h.end, h.n = int64(len(p.b)), -1
	h.chain = p.follow(0, h.end, -1)
	p.index(h)
	p.objects(h)
}

// objects judges one object after the other, as far as their lengths lead. Where
// those fill the block there are no more and no fewer, whatever NumObjectTypes says.
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
		if known && p.extents[i].mended {
			o.mend(p, p.extents[i].end)
		}
		p.checkObject(o)
		switch {
		case known:
			at = p.extents[i].end
		case o.whole:
			at = o.end
		default:
			return
		}
	}
}
