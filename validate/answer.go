package validate

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

// lostAnswer judges what stands where an answer should, and is none.
func (p *pass) lostAnswer(i int, at int64) {
	a := &p.res
	*a = result{index: i, off: at, end: int64(len(p.b)), content: -1, widths: a.widths[:0]}
	if rest := p.b[at:]; len(rest) >= answerSize {
		a.Span = layout.NewSpan(rest[:answerSize], at)
	}
	onResult.holds(p, a)
}

// checkAnswer judges the answer from an offset to its end.
func (p *pass) checkAnswer(i int, at, end int64) {
	a := &p.res
	*a = result{index: i, off: at, end: end, content: -1, widths: a.widths[:0]}
	a.Span = layout.NewSpan(p.b[at:at+answerSize], at)
	if size := int64(a.DwSize()); size != end-at {
		a.wanted = end - at
	}
	p.relate(a)
	if !onResult.holds(p, a) {
		return
	}
	p.checkContent(a)
	onResult.end(p, a)
}

// checkContent judges what is in an answer by its shape: the one it says it has, or one
// that fits better.
func (p *pass) checkContent(a *result) {
	t, at := a.DwType(), a.off+answerSize
	p.literal = false
	if !p.plainShape(a, t, at) {
		a.plain = 0
		a.shape, a.shaped = p.saidShape(t, at, a.end)
	}
	if !a.shaped || hasIDs(t) && a.shape.end != a.end { // a number of ids that is too small leaves values behind
		if s, ok := p.foundShape(a, t, at); ok {
			a.shape, a.shaped = s, true
		}
	}
	if hasIDs(t) {
		next, ok := p.checkIDs(a, at)
		if !ok {
			return
		}
		at = next
	} else if !a.shaped {
		a.shape.values = 1
	}
	a.lacking = aligned(a.shape.ids) - a.shape.ids
	p.setWidths(a)
	switch {
	case t == layout.PERF_ERROR_RETURN:
		a.content = at
	case hasInstances(t):
		p.checkTable(a, at)
	default:
		end, ok := p.checkValues(a, -1, at, a.end, endFollows)
		if a.short = end == a.end && !ok; ok {
			a.content = end
		}
	}
}

// checkIDs judges the ids at an offset, and returns what comes behind them, and whether
// that is known.
func (p *pass) checkIDs(a *result, at int64) (int64, bool) {
	l := &p.multiCounters
	*l = multiCounters{of: a, off: at}
	if a.end-at >= idsSize {
		l.size, l.n = int64(le.Uint32(p.b[at:])), int64(le.Uint32(p.b[at+4:]))
	}
	if n := idsSize + idSize*a.shape.values; n <= a.shape.ids && a.shape.ids <= a.end-at {
		l.b = p.b[at+idsSize : at+n]
	}
	if !onMultiCounters.holds(p, l) {
		return 0, false
	}
	end := at + a.shape.ids
	p.padding(l, at+idsSize+int64(len(l.b)), end)
	return end, true
}

// checkTable judges the instances at an offset.
func (p *pass) checkTable(a *result, at int64) {
	t := &p.multiInstances
	*t = multiInstances{of: a, off: at, end: a.end, reached: -1}
	if a.end-at >= tableSize {
		t.total, t.n = int64(le.Uint32(p.b[at:])), int64(le.Uint32(p.b[at+4:]))
	}
	if a.shaped {
		t.end = a.shape.end
	} else if t.totalHolds() {
		t.end = at + t.total
	}
	if !onMultiInstances.holds(p, t) {
		return
	}
	p.checkInstancesOf(a, t)
	if t.reached >= 0 {
		a.content = t.end
		a.lacking += aligned(t.end-t.off) - (t.end - t.off)
	}
	onMultiInstances.end(p, t)
}

// checkInstancesOf judges the instances of an answer, which fill the bytes of the table.
func (p *pass) checkInstancesOf(a *result, t *multiInstances) {
	values := a.shape.values
	behind := namedFollows
	if values > 0 {
		behind = rawFollows
	}
	at := t.off + tableSize
	if a.plain == 0 {
		p.beginNames(t.n, t.end-t.off)
	} else {
		at, t.count = a.plainEnd, a.plain
		p.ids.reset(0) // which the ids of the counters made use of
	}
	most := int64(math.MaxInt64) // as many as fill the bytes
	if !a.shaped {
		most = t.n
	}
	for ; at < t.end && t.count < most; t.count++ {
		if at, t.count = p.plainNamed(a, at, t.end, t.count, most); at == t.end || t.count == most {
			break
		}
		if t.extra = !a.shaped && looksExtra(p.b, at, t.end, behind); t.extra {
			return
		}
		end, ok := p.checkNamed(a, int(t.count), at, t.end, behind)
		if !ok {
			return
		}
		if at, ok = p.checkValues(a, int(t.count), end, t.end, namedFollows); !ok {
			t.next = looksNext(p.b, at, t.end)
			t.short = at == t.end || t.next
			return
		}
	}
	if t.extra = !a.shaped && looksExtra(p.b, at, t.end, behind); t.extra {
		return
	}
	t.reached = at
}

// checkValues judges the values that belong together, from an offset on. It returns where
// they end, and whether they all could be read; if not, where the first is that could not.
func (p *pass) checkValues(a *result, instance int, at, lim int64, f follower) (int64, bool) {
	for i := range a.shape.values {
		if at == lim {
			return at, false
		}
		next := rawFollows
		if i == a.shape.values-1 {
			next = f
		}
		if !a.shaped && instance >= 0 && looksNext(p.b, at, lim) {
			return at, false
		}
		end, ok := p.checkValue(a, instance, int(i), at, lim, next)
		if !ok {
			return at, false
		}
		at = end
	}
	return at, true
}

// lack notes by how much the n bytes of a value, or of an instance, are less than a
// multiple of 8.
func (a *result) lack(p *pass, instance int, n int64) {
	if instance < 0 {
		a.lacking += aligned(n) - n
	} else {
		p.multiInstances.lacking += aligned(n) - n
	}
}

func (p *pass) checkValue(a *result, instance, i int, at, lim int64, f follower) (int64, bool) {
	v := &p.counterData
	*v = counterData{of: a, instance: instance, index: i, off: at, lim: lim}
	if lim-at >= rawSize {
		v.data, v.said = int64(le.Uint32(p.b[at:])), int64(le.Uint32(p.b[at+4:]))
	}
	s := p.rawStep(at, lim, f)
	v.end, v.wrong = at+s.n, s.wrong
	if !onCounterData.holds(p, v) {
		return 0, false
	}
	a.lack(p, instance, s.n)
	if rawSize+v.data <= s.n {
		p.padding(v, at+rawSize+v.data, v.end)
	}
	return v.end, true
}

// checkNamed judges the instance at an offset, without its values, and returns where it
// ends.
func (p *pass) checkNamed(a *result, i int, at, lim int64, f follower) (int64, bool) {
	in := &p.instanceHeader
	*in = instanceHeader{of: a, index: i, off: at, lim: lim}
	if lim-at >= namedSize {
		in.said = int64(le.Uint32(p.b[at:]))
	}
	s := p.namedStep(at, lim, f)
	in.end, in.wrong = at+s.n, s.wrong
	nameEnd := in.end
	if s.n >= shortestNamed {
		in.text = p.b[at+namedSize : in.end]
		if nul := nulIn(in.text); nul >= 0 {
			in.text, in.ended = in.text[:nul:nul], true
			nameEnd = at + namedSize + nul + 2
		}
	}
	if !onInstanceHeader.holds(p, in) {
		return 0, false
	}
	if a != nil {
		a.lack(p, i, s.n)
	}
	p.padding(in, nameEnd, in.end)
	if in.ended && len(in.text) > 0 {
		p.sameNames(in)
	}
	return in.end, true
}

// instanceList judges a list of instances.
func (p *pass) checkInstanceList() {
	all := int64(len(p.b))
	p.literal = false
	p.beginNames(all/shortestNamed, all)
	at := int64(0)
	for i := 0; at < all; i++ {
		end, ok := p.checkNamed(nil, i, at, all, namedFollows)
		if !ok {
			onListTail.end(p, &listTail{&p.instanceHeader})
			return
		}
		at = end
	}
}
