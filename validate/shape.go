package validate

import "github.com/perfblock/perfblock/layout"

// Query data declares each length more than once: a result by its dwSize and by its
// content, instances by their number and by the bytes they fill. If two declarations
// differ, the validator accepts the one that leads to records of the right shape, and
// reports the other.

const (
	dataHeaderSize     = layout.SizeofDataHeader
	counterHeaderSize  = layout.SizeofCounterHeader
	multiCountersSize  = layout.SizeofMultiCounters
	idSize             = 4
	multiInstancesSize = layout.SizeofMultiInstances
	instanceHeaderSize = layout.SizeofInstanceHeader
	shortestInstance   = 16 // with a NUL and padding
	counterDataSize    = layout.SizeofCounterData
	longestNameBytes   = 2 * (longestName + 1)
)

// A follower is the kind of record that must follow another.
type follower uint8

const (
	counterDataFollows follower = iota // a value
	instanceFollows                    // an instance, or the end
	endFollows                         // the end
)

// at reports whether the bytes at an offset, up to lim, look like the follower.
func (f follower) at(b []byte, at, lim int64) bool {
	switch f {
	case counterDataFollows:
		return looksCounterData(b, at, lim)
	case instanceFollows:
		return at == lim || looksInstanceHeader(b, at, lim)
	}
	return at == lim
}

func looksCounterData(b []byte, at, lim int64) bool {
	n := counterDataLen(b, at, lim)
	return n > 0 && n%layout.Align == 0
}

// counterDataLen returns dwSize of the value at an offset, 0 if it does not fit.
func counterDataLen(b []byte, at, lim int64) int64 {
	if lim-at < counterDataSize {
		return 0
	}
	v := counterDataAt(b, at)
	size := int64(v.DwSize())
	if size > lim-at || size-counterDataSize < int64(v.DwDataSize()) {
		return 0
	}
	return size
}

func looksInstanceHeader(b []byte, at, lim int64) bool {
	if lim-at < shortestInstance {
		return false
	}
	size := int64(instanceHeaderAt(b, at).Size())
	return size >= shortestInstance && size <= lim-at && size%layout.Align == 0 && nulIn(b[at+size-8:at+size]) >= 0
}

// looksExtra reports whether the bytes at an offset look like a value and not like an
// instance that f follows.
func looksExtra(b []byte, at, lim int64, f follower) bool {
	if looksInstanceHeader(b, at, lim) || !looksCounterData(b, at, lim) {
		return false
	}
	size := int64(instanceHeaderAt(b, at).Size()) // if it is an instance, whose name then has no NUL
	return size < shortestInstance || size > lim-at || !f.at(b, at+size, lim)
}

// looksNext reports whether the bytes at an offset look like an instance and not like a
// value.
func looksNext(b []byte, at, lim int64) bool {
	return looksInstanceHeader(b, at, lim) && !looksCounterData(b, at, lim)
}

// looksResult reports whether the bytes at an offset look like a PERF_COUNTER_HEADER.
func looksResult(b []byte, at, lim int64) bool {
	if lim-at < counterHeaderSize {
		return false
	}
	r := counterHeaderAt(b, at)
	size := int64(r.DwSize())
	return r.DwType().Valid() && r.Reserved() == 0 &&
		size >= counterHeaderSize && size <= lim-at && size%layout.Align == 0
}

// nulIn returns the index of the first UTF-16 NUL, -1 if there is none.
func nulIn(b []byte) int64 {
	for i := 0; i+1 < len(b); i += 2 {
		if b[i]|b[i+1] == 0 {
			return int64(i)
		}
	}
	return -1
}

// terminatedLen returns the number of bytes of the UTF-16 string at the start of b, NUL included, 0
// if b has no NUL.
func terminatedLen(b []byte) int64 {
	if i := nulIn(b); i >= 0 {
		return i + 2
	}
	return 0
}

// A step is the distance from one record to the next.
type step struct {
	n     int64 // bytes, 0 if not known
	wrong bool  // n differs from the declared size
}

// counterDataStep returns the step over the value at an offset. The value must end at or
// before lim.
func (p *pass) counterDataStep(at, lim int64, f follower) step {
	if lim-at < counterDataSize {
		return step{}
	}
	v := counterDataAt(p.b, at)
	declared, needed := int64(v.DwSize()), aligned(counterDataSize+int64(v.DwDataSize()))
	return p.choose(at, lim, declared, needed, counterDataSize, f)
}

// instanceHeaderStep returns the step over the instance at an offset, without its values.
func (p *pass) instanceHeaderStep(at, lim int64, f follower) step {
	if lim-at < instanceHeaderSize {
		return step{}
	}
	declared := int64(instanceHeaderAt(p.b, at).Size())
	if looksInstanceHeader(p.b, at, lim) && f.at(p.b, at+declared, lim) {
		if nulIn(p.b[at+instanceHeaderSize:at+declared-8]) < 0 {
			return step{declared, false} // the NUL is in the last 8 bytes
		}
	}
	needed := int64(0)
	if !p.acceptDeclared { // declared sizes are accepted, so looks are left for other searches
		if nul := p.nameEnd(at+instanceHeaderSize, lim); nul >= 0 {
			needed = aligned(nul + 2 - at)
		}
	}
	return p.choose(at, lim, declared, needed, shortestInstance, f)
}

// nameEnd returns the offset of the NUL of a name, -1 if there is none within the longest
// name. p.looks bounds the bytes that a pass reads here, because a wrong length can cause
// many such searches.
func (p *pass) nameEnd(at, lim int64) int64 {
	lim = min(lim, at+longestNameBytes, at+p.looks)
	if lim <= at {
		return -1
	}
	i := nulIn(p.b[at:lim])
	if i < 0 {
		p.looks -= lim - at
		return -1
	}
	p.looks -= i
	return at + i
}

// choose returns the declared length of a record if the follower is there and only padding
// is skipped, or if no other length leads to the follower. Otherwise it returns the length
// that the content requires, or the declared length rounded up to a multiple of 8. If
// p.acceptDeclared is set, it accepts the declared length without these tests.
func (p *pass) choose(at, lim, declared, needed, least int64, f follower) step {
	holds := declared >= least && declared <= lim-at
	fits := needed >= least && needed <= lim-at
	switch up := aligned(declared); {
	case holds && (declared == needed || p.acceptDeclared):
		return step{declared, false}
	case p.acceptDeclared:
		return step{}
	case holds && up == declared && f.at(p.b, at+declared, lim) && (declared < needed || !fits || allZero(p.b[at+needed:at+declared])):
		return step{declared, false}
	case fits && f.at(p.b, at+needed, lim):
		return step{needed, true}
	case holds && up != declared && up <= lim-at && f.at(p.b, at+up, lim):
		return step{up, true}
	case holds:
		return step{declared, false}
	}
	return step{}
}

// values returns the end of n values at an offset, -1 if they do not fit. f must follow the
// last one.
func (p *pass) values(at, lim, n int64, f follower) int64 {
	for i := range n {
		next := counterDataFollows
		if i == n-1 {
			next = f
		}
		s := p.counterDataStep(at, lim, next)
		if s.n == 0 {
			return -1
		}
		p.wrongSize = p.wrongSize || s.wrong
		at += s.n
	}
	return at
}

// instances returns the end of the instances at an offset, with n values each, and their
// number. There are most instances, or as many as fill the bytes to lim if most is
// negative. The end is -1 if they do not fit.
func (p *pass) instances(at, lim, n, most int64) (end, count int64) {
	follows := instanceFollows
	if n > 0 {
		follows = counterDataFollows
	}
	for ; at < lim && count != most; count++ {
		s := p.instanceHeaderStep(at, lim, follows)
		if s.n == 0 {
			return -1, count
		}
		p.wrongSize = p.wrongSize || s.wrong
		if at = p.values(at+s.n, lim, n, instanceFollows); at < 0 {
			return -1, count
		}
	}
	return at, count
}

// A shape is the layout of the content of a result.
type shape struct {
	ids       int64 // bytes of the ids with their padding, 0 if there are none
	values    int64 // number of values in each instance or list
	instances int64 // number of instances, -1 if the type has none
	end       int64
}

// declaredShape returns the shape that the sizes and counts of a result declare, and whether
// they are consistent. The content starts at an offset and ends at or before lim.
func (p *pass) declaredShape(t layout.PerfCounterDataType, at, lim int64) (shape, bool) {
	p.acceptDeclared = false
	s := shape{values: 1, instances: -1, end: at}
	if hasIDs(t) {
		n, size, ok := idsAt(p.b, at, lim)
		s.ids, s.values = size, n
		if !ok || !idsFit(n, size) {
			return s, false
		}
		if size%layout.Align != 0 && isPadded(p.b, t, at+size, at+aligned(size), lim, n) {
			s.ids = aligned(size)
		}
	}
	return s, p.content(t, &s, at+s.ids, lim)
}

// content sets the end and the instances of the shape, and reports whether the declared
// sizes are consistent.
func (p *pass) content(t layout.PerfCounterDataType, s *shape, at, lim int64) bool {
	switch {
	case t == layout.PERF_ERROR_RETURN:
		s.end = at
		return true
	case !hasInstances(t):
		p.acceptDeclared = true
		if s.end = p.values(at, lim, s.values, endFollows); s.end == lim {
			return true
		}
		p.acceptDeclared = false
		s.end = p.values(at, lim, s.values, endFollows)
		return s.end >= 0
	case lim-at < multiInstancesSize:
		return false
	}
	header := multiInstancesAt(p.b, at)
	total, n := int64(header.DwTotalSize()), int64(header.DwInstances())
	if total < multiInstancesSize || total > lim-at {
		return false
	}
	s.instances, s.end = n, at+total
	return p.agreed(at+multiInstancesSize, s.end, s.values, n)
}

// agreed reports whether n instances fill the bytes from an offset to end, either with
// their declared sizes, or with the sizes that choose returns.
func (p *pass) agreed(at, end, values, n int64) bool {
	for _, p.acceptDeclared = range [...]bool{true, false} {
		if last, count := p.instances(at, end, values, n); last == end && count == n {
			return true
		}
	}
	return false
}

// foundShape searches for a shape that fills the bytes from an offset to the end of the
// result, if the declared one does not. In such a shape each size of an instance or a value
// is right, because a shape with two faults is not reliable. If the declared sizes are
// consistent but end early, a shape with the declared number of ids keeps their size.
func (p *pass) foundShape(r *result, t layout.PerfCounterDataType, at int64) (found shape, ok bool) {
	end := r.end
	accept := p.acceptDeclared
	p.acceptDeclared = false
	defer func() { p.acceptDeclared = accept && !ok }()
	try := func(ids, values int64) (shape, bool) {
		s := shape{ids: ids, values: values, instances: -1, end: end}
		at := at + ids
		p.wrongSize = false
		switch {
		case at > end || values < 0:
			return s, false
		case !hasInstances(t):
			return s, p.values(at, end, values, endFollows) == end && !p.wrongSize
		case end-at < multiInstancesSize:
			return s, false
		}
		var last int64
		last, s.instances = p.instances(at+multiInstancesSize, end, values, -1)
		return s, last == end && !p.wrongSize
	}
	if !hasIDs(t) {
		for n := range int64(mostOdd) {
			// With several values in each instance, the number of instances must be right.
			if s, ok := try(0, 1+n); ok && (n == 0 || !hasInstances(t) || s.instances == int64(multiInstancesAt(p.b, at).DwInstances())) {
				return s, true
			}
		}
		return shape{}, false
	}
	if end-at < multiCountersSize {
		return shape{}, false
	}
	ids := multiCountersAt(p.b, at)
	size, n := int64(ids.DwSize()), int64(ids.DwCounters())
	best, most := shape{}, 0
	least := 1 // declarations to confirm: all except one
	if hasInstances(t) {
		least = 3
	}
	for _, c := range [...][2]int64{
		{size, n}, {aligned(multiCountersSize + idSize*n), n}, {multiCountersSize + idSize*n, n},
		{size, (size - multiCountersSize) / idSize}, {size, (size-multiCountersSize)/idSize - 1}, {aligned(size), (size - multiCountersSize) / idSize},
	} {
		if c[1] < 0 || !idsFit(c[1], c[0]) || c[0] > end-at || r.shaped && c[1] == n && c[0] != r.shape.ids {
			continue
		}
		if c[1] != n && !allZero(p.b[at+multiCountersSize+idSize*c[1]:at+c[0]]) { // nonzero bytes are ids and not padding
			continue
		}
		if s, ok := try(c[0], c[1]); ok {
			if agree := p.agree(s, at, size, n); agree >= least && agree > most {
				best, most = s, agree
			}
		}
	}
	return best, most > 0
}

// agree returns the number of declared sizes and counts that the shape confirms.
func (p *pass) agree(s shape, at, size, n int64) int {
	count := 0
	for _, same := range [...]bool{s.ids == size || s.ids == aligned(size), s.values == n} {
		if same {
			count++
		}
	}
	if s.instances >= 0 {
		at += s.ids
		header := multiInstancesAt(p.b, at)
		if int64(header.DwTotalSize()) == s.end-at {
			count++
		}
		if int64(header.DwInstances()) == s.instances {
			count++
		}
	}
	return count
}

// mostOdd is the largest number of values to search for where there must be one.
const mostOdd = 4

func hasIDs(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_MULTIPLE_COUNTERS || t == layout.PERF_COUNTERSET
}

func hasInstances(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_MULTIPLE_INSTANCES || t == layout.PERF_COUNTERSET
}
