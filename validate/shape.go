package validate

import "github.com/perfblock/perfblock/layout"

// In query data, each length can be computed in two ways: the length of a result from its dwSize
// and from its content, the number of instances from dwInstances and from the bytes that they
// fill. If the two differ, the validator uses the one with which the bytes look like records of
// the right type, and reports the other.

// A follower is the type of record that must follow another record.
type follower uint8

const (
	counterDataFollows follower = iota // a PERF_COUNTER_DATA
	instanceFollows                    // a PERF_INSTANCE_HEADER, or the end of the content
	endFollows                         // the end of the content
)

// at reports whether the bytes from an offset to lim look like the follower.
func (f follower) at(b []byte, at, lim int64) bool {
	switch f {
	case counterDataFollows:
		return looksCounterData(b, at, lim)
	case instanceFollows:
		return at == lim || looksInstanceHeader(b, at, lim)
	}
	return at == lim
}

// looksCounterData reports whether the bytes from an offset to lim look like a PERF_COUNTER_DATA.
func looksCounterData(b []byte, at, lim int64) bool {
	n := counterDataLen(b, at, lim)
	return n > 0 && n%layout.Align == 0
}

// counterDataLen returns dwSize of the PERF_COUNTER_DATA at an offset. It returns 0 if dwSize exceeds
// the bytes up to lim, or is too small for dwDataSize.
func counterDataLen(b []byte, at, lim int64) int64 {
	if lim-at < counterDataSize {
		return 0
	}
	value := counterDataAt(b, at)
	data, size := int64(value.DwDataSize()), int64(value.DwSize())
	if size > lim-at || size-counterDataSize < data {
		return 0
	}
	return size
}

// looksInstanceHeader reports whether the bytes from an offset to lim look like a
// PERF_INSTANCE_HEADER with its name, which must have a NUL in its last 8 bytes.
func looksInstanceHeader(b []byte, at, lim int64) bool {
	if lim-at < shortestInstance {
		return false
	}
	size := int64(instanceHeaderAt(b, at).Size())
	return size >= shortestInstance && size <= lim-at && size%layout.Align == 0 && nulIn(b[at+size-layout.Align:at+size]) >= 0
}

// looksExtra reports whether the bytes from an offset to lim look like a PERF_COUNTER_DATA, and not
// like a PERF_INSTANCE_HEADER before the follower f.
func looksExtra(b []byte, at, lim int64, f follower) bool {
	if looksInstanceHeader(b, at, lim) || !looksCounterData(b, at, lim) {
		return false
	}
	size := int64(instanceHeaderAt(b, at).Size()) // an instance with this Size has a name without a NUL
	return size < shortestInstance || size > lim-at || !f.at(b, at+size, lim)
}

// looksNext reports whether the bytes from an offset to lim look like a PERF_INSTANCE_HEADER, and not
// like a PERF_COUNTER_DATA.
func looksNext(b []byte, at, lim int64) bool {
	return looksInstanceHeader(b, at, lim) && !looksCounterData(b, at, lim)
}

// looksResult reports whether the bytes from an offset to lim look like a PERF_COUNTER_HEADER.
func looksResult(b []byte, at, lim int64) bool {
	if lim-at < counterHeaderSize {
		return false
	}
	header := counterHeaderAt(b, at)
	size := int64(header.DwSize())
	return header.DwType().Valid() && header.Reserved() == 0 &&
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

// A step is the distance from one record to the next.
type step struct {
	n     int64 // bytes, 0 if not known
	wrong bool  // n differs from the declared size
}

// counterDataStep returns the step from the PERF_COUNTER_DATA at an offset to its follower. The value
// must end at or before lim.
func (p *pass) counterDataStep(at, lim int64, f follower) step {
	if lim-at < counterDataSize {
		return step{}
	}
	value := counterDataAt(p.b, at)
	declared, needed := int64(value.DwSize()), aligned(counterDataSize+int64(value.DwDataSize()))
	return p.choose(at, lim, declared, needed, counterDataSize, f)
}

// instanceHeaderStep returns the distance from the PERF_INSTANCE_HEADER at an offset to the record
// after its name. The name must end at or before lim.
func (p *pass) instanceHeaderStep(at, lim int64, f follower) step {
	if lim-at < instanceHeaderSize {
		return step{}
	}
	declared := int64(instanceHeaderAt(p.b, at).Size())
	if looksInstanceHeader(p.b, at, lim) && f.at(p.b, at+declared, lim) {
		if nulIn(p.b[at+instanceHeaderSize:at+declared-layout.Align]) < 0 {
			return step{declared, false} // the NUL is in the last 8 bytes
		}
	}
	needed := int64(0)
	if !p.acceptDeclared { // with p.acceptDeclared, choose ignores the required size
		if nul := p.nameEnd(at+instanceHeaderSize, lim); nul >= 0 {
			needed = aligned(nul + 2 - at)
		}
	}
	return p.choose(at, lim, declared, needed, shortestInstance, f)
}

// nameEnd returns the offset of the NUL of the name at an offset, or -1 if there is no NUL within the
// longest possible name or before lim. p.looks bounds the number of bytes that nameEnd reads in a
// pass, because wrong lengths can cause many searches.
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

// choose returns the step from the record at an offset to its follower f, which must be at or before
// lim. The candidates are the declared size, the size needed by the content, and the declared size
// rounded up to a multiple of 8. choose returns the declared size if the follower is there and only
// zeros are between, or if the follower is at no candidate. Otherwise it returns the first other
// candidate with the follower. least is the smallest valid size. If p.acceptDeclared is set, choose accepts
// each valid declared size.
func (p *pass) choose(at, lim, declared, needed, least int64, f follower) step {
	valid := declared >= least && declared <= lim-at
	fits := needed >= least && needed <= lim-at
	switch up := aligned(declared); {
	case valid && (declared == needed || p.acceptDeclared):
		return step{declared, false}
	case p.acceptDeclared:
		return step{}
	case valid && up == declared && f.at(p.b, at+declared, lim) && (declared < needed || !fits || allZero(p.b[at+needed:at+declared])):
		return step{declared, false}
	case fits && f.at(p.b, at+needed, lim):
		return step{needed, true}
	case valid && up != declared && up <= lim-at && f.at(p.b, at+up, lim):
		return step{up, true}
	case valid:
		return step{declared, false}
	}
	return step{}
}

// values returns the end of the n values from an offset, or -1 if they are not inside the bytes up to
// lim. f must follow the last value.
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

// instances returns the end and the number of the instances from an offset, each with n values. It
// reads most instances, or all instances up to lim if most is negative. The end is -1 if the
// instances are not inside the bytes up to lim.
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

// A shape describes the content of a result.
type shape struct {
	ids       int64 // size of the PERF_MULTI_COUNTERS with its ids and padding, 0 if there is none
	values    int64 // number of values of each instance, or of the result if it has no instances
	instances int64 // number of instances, -1 if the type of result has no instances
	end       int64 // offset after the content
}

// declaredShape returns the shape that the sizes and counts of a result declare, and whether they
// are consistent. The content starts at an offset and ends at or before lim.
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
	return s, p.declaredContent(t, &s, at+s.ids, lim)
}

// declaredContent sets the end and the instances of a shape, and reports whether the declared sizes
// are consistent. The values or instances start at an offset.
func (p *pass) declaredContent(t layout.PerfCounterDataType, s *shape, at, lim int64) bool {
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
	list := multiInstancesAt(p.b, at)
	total, n := int64(list.DwTotalSize()), int64(list.DwInstances())
	if total < multiInstancesSize || total > lim-at {
		return false
	}
	s.instances, s.end = n, at+total
	return p.instancesFill(at+multiInstancesSize, s.end, s.values, n)
}

// instancesFill reports whether n instances exactly fill the bytes from an offset to end, either with
// their declared sizes or with the sizes that choose returns.
func (p *pass) instancesFill(at, end, values, n int64) bool {
	for _, p.acceptDeclared = range [...]bool{true, false} {
		if last, count := p.instances(at, end, values, n); last == end && count == n {
			return true
		}
	}
	return false
}

// findShape searches for a shape that exactly fills the bytes from an offset to the end of the result,
// which the declared shape does not. All sizes of instances and values must be right, because a
// shape with a second fault is not reliable. If the declared sizes are consistent but end early, a
// shape with the declared number of ids must also have their declared size.
func (p *pass) findShape(a *result, t layout.PerfCounterDataType, at int64) (found shape, ok bool) {
	end := a.end
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
		for n := range int64(mostExtra) {
			// With extra values in each instance, the number of instances must be right.
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
	least := 1 // number of declarations that a shape must confirm: all except one
	if hasInstances(t) {
		least = 3
	}
	for _, c := range [...][2]int64{
		{size, n}, {aligned(multiCountersSize + idSize*n), n}, {multiCountersSize + idSize*n, n},
		{size, (size - multiCountersSize) / idSize}, {size, (size-multiCountersSize)/idSize - 1}, {aligned(size), (size - multiCountersSize) / idSize},
	} {
		if c[1] < 0 || !idsFit(c[1], c[0]) || c[0] > end-at || a.shaped && c[1] == n && c[0] != a.shape.ids {
			continue
		}
		if c[1] != n && !allZero(p.b[at+multiCountersSize+idSize*c[1]:at+c[0]]) { // bytes other than 0 are ids, not padding
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

// confirmed returns the number of declared sizes and counts that the shape confirms. The content
// starts at an offset. size and n are dwSize and dwCounters.
func (p *pass) confirmed(s shape, at, size, n int64) int {
	count := 0
	for _, same := range [...]bool{s.ids == size || s.ids == aligned(size), s.values == n} {
		if same {
			count++
		}
	}
	if s.instances >= 0 {
		at += s.ids
		list := multiInstancesAt(p.b, at)
		if int64(list.DwTotalSize()) == s.end-at {
			count++
		}
		if int64(list.DwInstances()) == s.instances {
			count++
		}
	}
	return count
}

// mostExtra is the largest number of values that findShape tries where there must be one.
const mostExtra = 4

// hasIDs reports whether results of the type have a PERF_MULTI_COUNTERS.
func hasIDs(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_MULTIPLE_COUNTERS || t == layout.PERF_COUNTERSET
}

// hasInstances reports whether results of the type have a PERF_MULTI_INSTANCES.
func hasInstances(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_MULTIPLE_INSTANCES || t == layout.PERF_COUNTERSET
}

// terminatedLen returns the number of bytes of the UTF-16 string at the start of b with its NUL, or 0
// if b has no NUL.
func terminatedLen(b []byte) int64 {
	if i := nulIn(b); i >= 0 {
		return i + 2
	}
	return 0
}
