package validate

import "github.com/perfblock/perfblock/layout"

// The end of a result follows from dwSize, and also from the content of the result. In the same way,
// the end of the instances follows from dwTotalSize, and also from dwInstances. If the two ends of a
// result, or of its instances, differ, the validator uses the end for which the bytes look like
// records of the right type. A rule then reports the field with the wrong value.

// isExtraValue reports whether the bytes from an offset to lim look like a PERF_COUNTER_DATA and
// not like an instance. f describes what must follow an instance.
func isExtraValue(b []byte, at, lim int64, f follower) bool {
	if plausibleInstanceHeader(b, at, lim) || !plausibleValue(b, at, lim) {
		return false
	}
	// The bytes can also be an instance whose name has no NUL. In this case, a record that f
	// describes, or the end of the instances, seems to follow after Size bytes.
	size := int64(instanceHeaderAt(b, at).Size())
	return size < shortestInstance || size > lim-at || !f.seemsAt(b, at+size, lim)
}

// isInstanceOnly reports whether the bytes from an offset to lim look like a PERF_INSTANCE_HEADER, and not
// like a PERF_COUNTER_DATA.
func isInstanceOnly(b []byte, at, lim int64) bool {
	return plausibleInstanceHeader(b, at, lim) && !plausibleValue(b, at, lim)
}

// nulIn returns the index of the first UTF-16 NUL, -1 if there is none.
func nulIn(b []byte) int64 { return int64(layout.Name{Span: layout.NewSpan(b, 0)}.IndexNUL()) }

// values returns the end of n values that start at an offset, or -1 if a value has no valid length
// up to lim. f describes what must follow the last value.
func (p *pass) values(at, lim, n int64, f follower) int64 {
	for i := range n {
		next := valueFollows
		if i == n-1 {
			next = f
		}
		s := p.distance(&counterDataRecord, at, lim, next)
		if s.n == 0 {
			return -1
		}
		p.wrongSize = p.wrongSize || s.wrong
		p.walked += s.n
		at += s.n
	}
	return at
}

// instances finds the instances from an offset up to lim, and returns their end and their number.
// Each instance has n values. If `most` is not negative, instances stops after this number of
// instances. The end is -1 if an instance or a value has no valid length up to lim.
func (p *pass) instances(at, lim, n, most int64) (end, count int64) {
	next := follower{&instanceHeaderRecord, lim}
	follows := next
	if n > 0 {
		follows = valueFollows
	}
	for ; at < lim && count != most; count++ {
		s := p.distance(&instanceHeaderRecord, at, lim, follows)
		if s.n == 0 {
			return -1, count
		}
		p.wrongSize = p.wrongSize || s.wrong
		p.walked += s.n
		if at = p.values(at+s.n, lim, n, next); at < 0 {
			return -1, count
		}
	}
	return at, count
}

// A shape describes the content of a result.
type shape struct {
	ids       int64 // size of the PERF_MULTI_COUNTERS with its ids and padding, 0 if there is none
	values    int64 // number of values of each instance, or of the result if it has no instances
	instances int64 // number of instances, -1 if the type of result has no instances
	end       int64 // offset after the content
}

// declaredShape returns the declared shape of a result, and whether the declared sizes and counts
// are consistent.
func (p *pass) declaredShape(t layout.PerfCounterDataType, at, lim int64) (shape, bool) {
	p.acceptDeclared = false
	s := shape{values: 1, instances: -1, end: at}
	if hasIDs(t) {
		n, size, ok := idsAt(p.b, at, lim)
		s.ids, s.values = size, n
		if !ok || !idsFit(n, size) {
			return s, false
		}
		if size%layout.Align != 0 && p.isPadded(t, at+size, at+aligned(size), lim, n) {
			s.ids = aligned(size)
		}
	}
	ok := p.declaredContent(t, &s, at+s.ids, lim)
	return s, ok
}

// declaredContent reads the content after the ids, and sets s.end and s.instances. It reports whether
// the declared sizes are consistent.
func (p *pass) declaredContent(t layout.PerfCounterDataType, s *shape, at, lim int64) bool {
	switch {
	case t == layout.PERF_ERROR_RETURN:
		s.end = at
		return true
	case !hasInstances(t):
		p.acceptDeclared = true
		if s.end = p.values(at, lim, s.values, endFollows(lim)); s.end == lim {
			return true
		}
		p.acceptDeclared = false
		s.end = p.values(at, lim, s.values, endFollows(lim))
		return s.end >= 0
	case lim-at < multiInstancesSize:
		return false
	}
	list := multiInstancesAt(p.b, at)
	total, n := int64(list.DwTotalSize()), int64(list.DwInstances())
	if total < multiInstancesSize || total > lim-at {
		return false
	}
	s.instances, s.end = n, at+total
	return p.instancesFill(at+multiInstancesSize, s.end, s.values, n)
}

// instancesFill reports whether n instances exactly fill the bytes from an offset to end.
func (p *pass) instancesFill(at, end, values, n int64) bool {
	// The loop first uses the declared sizes of the instances and values, then the sizes that
	// p.distance finds.
	for _, p.acceptDeclared = range [...]bool{true, false} {
		if last, count := p.instances(at, end, values, n); last == end && count == n {
			return true
		}
	}
	return false
}

// findShape searches for a shape that exactly fills the bytes from an offset to the end of the
// result.
func (p *pass) findShape(a *result, t layout.PerfCounterDataType, at int64) (found shape, ok bool) {
	end := a.end
	accept := p.acceptDeclared
	p.acceptDeclared = false
	defer func() { p.acceptDeclared = accept && !ok }()
	try := func(ids, values int64) (shape, bool) {
		s := shape{ids: ids, values: values, instances: -1, end: end}
		at := at + ids
		// findShape assumes that a declared size or count of the result is wrong. If the size of a
		// value or an instance is wrong too, p.values and p.instances set p.wrongSize, and the shape
		// is not accepted.
		p.wrongSize = false
		switch {
		case at > end || values < 0:
			return s, false
		case !hasInstances(t):
			return s, p.values(at, end, values, endFollows(end)) == end && !p.wrongSize
		case end-at < multiInstancesSize:
			return s, false
		}
		var last int64
		last, s.instances = p.instances(at+multiInstancesSize, end, values, -1)
		return s, last == end && !p.wrongSize
	}
	if !hasIDs(t) {
		for n := range int64(mostExtra) {
			// A result or an instance of this type must have 1 value. The loop tries 1 to mostExtra values. With more
			// than 1 value for each instance, the number of instances must be dwInstances.
			if s, ok := try(0, 1+n); ok && (n == 0 || !hasInstances(t) || s.instances == int64(multiInstancesAt(p.b, at).DwInstances())) {
				return s, true
			}
		}
		return shape{}, false
	}
	if end-at < multiCountersSize {
		return shape{}, false
	}
	list := multiCountersAt(p.b, at)
	size, n := int64(list.DwSize()), int64(list.DwCounters())
	best, most := shape{}, 0
	least := 1 // number of declared sizes and counts that a shape must match: all except one
	if hasInstances(t) {
		least = 3
	}
	for _, c := range [...][2]int64{
		{size, n}, {aligned(idsSize(n)), n}, {idsSize(n), n},
		{size, (size - multiCountersSize) / idSize}, {size, (size-multiCountersSize)/idSize - 1}, {aligned(size), (size - multiCountersSize) / idSize},
	} {
		// If a.shaped is true, the size a.shape.ids is right for the number of ids in dwCounters. The
		// loop then skips all other sizes for this number of ids.
		if c[1] < 0 || !idsFit(c[1], c[0]) || c[0] > end-at || a.shaped && c[1] == n && c[0] != a.shape.ids {
			continue
		}
		if c[1] != n && !allZero(p.b[at+idsSize(c[1]):at+c[0]]) { // bytes other than 0 are ids, not padding
			continue
		}
		if s, ok := try(c[0], c[1]); ok {
			if confirmed := p.confirmed(s, at, size, n); confirmed >= least && confirmed > most {
				best, most = s, confirmed
			}
		}
	}
	return best, most > 0
}

// confirmed returns how many declared sizes and counts match the shape. size and n are dwSize and
// dwCounters.
func (p *pass) confirmed(s shape, at, size, n int64) int {
	same := [4]bool{s.ids == size || s.ids == aligned(size), s.values == n}
	if s.instances >= 0 {
		at += s.ids
		list := multiInstancesAt(p.b, at)
		same[2] = int64(list.DwTotalSize()) == s.end-at
		same[3] = int64(list.DwInstances()) == s.instances
	}
	count := 0
	for _, matches := range same {
		if matches {
			count++
		}
	}
	return count
}

// mostExtra is the largest number of values that findShape tries for a result that must have one value.
const mostExtra = 4

// hasIDs reports whether results of the type have a PERF_MULTI_COUNTERS.
func hasIDs(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_MULTIPLE_COUNTERS || t == layout.PERF_COUNTERSET
}

// hasInstances reports whether results of the type have a PERF_MULTI_INSTANCES.
func hasInstances(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_MULTIPLE_INSTANCES || t == layout.PERF_COUNTERSET
}
