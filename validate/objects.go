package validate

import "github.com/perfblock/perfblock/layout"

// A titledObject describes the first object in the block that has a given title. Later objects with
// the same title have no titledObject.
type titledObject struct {
	index     int   // position in the block
	instances int32 // NumInstances
}

func (p *pass) checkDataBlock() {
	h := &p.dataBlock
	h.end = int64(len(p.b))
	if h.end >= dataBlockSize {
		h.DataBlock = layout.DataBlock{Span: span(p.b, 0, dataBlockSize)}
		h.first, h.n = int64(h.HeaderLength()), int64(h.NumObjectTypes())
		total := int64(h.TotalByteLength())
		h.truncated = total > h.end
		if h.totalValid(p) {
			h.end = total
		}
		p.findFirst(h)
		if h.first >= dataBlockSize && h.first <= int64(len(p.b)) {
			p.findObjects(h)
		}
	}
	if !onDataBlock.run(p, h) {
		return
	}
	if h.firstInside() {
		p.checkObjects(h)
	}
	onDataBlock.runEnds(p, h)
}

func (p *pass) checkObjectsOnly() {
	h := &p.dataBlock
	h.end, h.n = int64(len(p.b)), unlimited
	p.findObjects(h)
	p.checkObjects(h)
}

// findObjects finds the objects of a block, and the first object with each title.
func (p *pass) findObjects(h *dataBlock) {
	s := &h.objects
	*s = series{record: &objectRecord, from: h.first, n: h.n, total: -1, steps: s.steps[:0]}
	if h.n == unlimited || h.totalValid(p) {
		s.total = h.end
	}
	p.findRecords(s)
	switch {
	case h.truncated && s.count() < h.n:
		s.whole = false // the other objects are in the missing bytes
	case s.whole || s.total < 0 || s.end < s.total:
	case s.end == s.total:
		s.whole = true // an object that cannot be read seems to follow the block
	case s.count() > 0 || plausibleObject(p.b, s.end, int64(len(p.b))):
		h.end = int64(len(p.b)) // TotalByteLength is too small, and the last object cannot be read
	}
	if s.count() > 0 || s.end == int64(len(p.b)) {
		h.end = max(h.end, s.end)
	}
	at := h.first
	for i, step := range s.steps {
		o := objectAt(p.b, at)
		if _, known := p.byTitle[o.ObjectNameTitleIndex()]; !known {
			p.byTitle[o.ObjectNameTitleIndex()] = titledObject{i, o.NumInstances()}
		}
		at += step.n
	}
}

// checkObjects checks the objects that [pass.findObjects] found.
func (p *pass) checkObjects(h *dataBlock) {
	at, next := h.first, follower{&objectRecord, h.end}
	for i, step := range h.objects.steps {
		o := &p.object
		o.reset(p.b[at:h.end], at, i)
		switch {
		case step.wrong && o.validLength:
			o.setEnd(p, at+step.n)
		case step.wrong && step.n%p.rules.unit() == 0 && next.seemsAt(p.b, at+step.n, int64(len(p.b))):
			o.distance = step.n
		}
		p.checkObject(o)
		at += step.n
	}
	// If the validator did not find all objects, the next object starts here, but its end is not
	// known. This object is checked as if it extended to the end of the block, even if NumObjectTypes
	// does not count it.
	if !h.objects.whole && at < h.end {
		p.object.reset(p.b[at:h.end], at, int(h.objects.count()))
		p.checkObject(&p.object)
	}
}

// findFirst searches for the first object if there is no object at HeaderLength.
func (p *pass) findFirst(h *dataBlock) {
	const most = 1024 // the search skips at most this number of bytes: the system name and its padding
	next := follower{&objectRecord, h.end}
	if h.n == 0 || !h.totalValid(p) || h.headerValid() && next.seemsAt(p.b, h.first, h.end) {
		return
	}
	for at := dataBlockSize; at <= dataBlockSize+most && at < h.end; at += layout.Align {
		if !next.seemsAt(p.b, at, h.end) {
			continue
		}
		s := &h.objects
		*s = series{record: &objectRecord, from: at, n: h.n, total: h.end, steps: s.steps[:0]}
		if p.declaredFit(s) { // NumObjectTypes objects end where the block ends
			h.searched, h.first = true, at
		}
		return // the search ends at the first apparent object, to bound the time
	}
}

// mostObjects returns how many objects fit into the block if each has the smallest size.
func (h *dataBlock) mostObjects() int64 {
	return (h.declaredEnd() - h.first) / objectTypeSize
}
