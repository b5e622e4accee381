package validate

import "github.com/perfblock/perfblock/layout"

// Sizes and counts of query data say the same thing several times over: an answer by its
// dwSize and by what is in it, instances by their number and by the bytes they fill. Where
// two do not agree, the one that leads to bytes of the right shape is taken, and the other
// is the fault.

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

// A follower is what has to stand after a record.
type follower uint8

const (
	counterDataFollows follower = iota // a value
	instanceFollows                    // an instance, or the end
	endFollows                         // the end
)

// at reports whether it seems to stand at an offset of what ends at lim.
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

// counterDataLen returns how long the value at an offset says that it is, 0 if that does not fit.
func counterDataLen(b []byte, at, lim int64) int64 {
	if lim-at < counterDataSize {
		return 0
	}
	data, size := int64(le.Uint32(b[at:])), int64(le.Uint32(b[at+4:]))
	if size > lim-at || size-counterDataSize < data {
		return 0
	}
	return size
}

func looksInstanceHeader(b []byte, at, lim int64) bool {
	if lim-at < shortestInstance {
		return false
	}
	size := int64(le.Uint32(b[at:]))
	return size >= shortestInstance && size <= lim-at && size%layout.Align == 0 && nulIn(b[at+size-8:at+size]) >= 0
}

// looksExtra reports whether a value seems to stand where an instance should, after which
// f has to stand.
func looksExtra(b []byte, at, lim int64, f follower) bool {
	if looksInstanceHeader(b, at, lim) || !looksCounterData(b, at, lim) {
		return false
	}
	size := int64(le.Uint32(b[at:])) // that of the instance, whose name then has no NUL
	return size < shortestInstance || size > lim-at || !f.at(b, at+size, lim)
}

// looksNext reports whether an instance seems to stand where a value should.
func looksNext(b []byte, at, lim int64) bool {
	return looksInstanceHeader(b, at, lim) && !looksCounterData(b, at, lim)
}

// looksResult reports whether an answer seems to stand at an offset.
func looksResult(b []byte, at, lim int64) bool {
	if lim-at < counterHeaderSize {
		return false
	}
	size := int64(le.Uint32(b[at+8:]))
	return layout.PerfCounterDataType(le.Uint32(b[at+4:])).Valid() && le.Uint32(b[at+12:]) == 0 &&
		size >= counterHeaderSize && size <= lim-at && size%layout.Align == 0
}

// nulIn returns where the first NUL of UTF-16 is, -1 if there is none.
func nulIn(b []byte) int64 {
	for i := 0; i+1 < len(b); i += 2 {
		if b[i]|b[i+1] == 0 {
			return int64(i)
		}
	}
	return -1
}

// A step is the way from one record to the next.
type step struct {
	n     int64 // bytes, 0 where there is no way on
	wrong bool  // they are not what the record says
}

// counterDataStep returns the step over the value at an offset, which ends at lim at the latest.
func (p *pass) counterDataStep(at, lim int64, f follower) step {
	if lim-at < counterDataSize {
		return step{}
	}
	said, wanted := int64(le.Uint32(p.b[at+4:])), aligned(counterDataSize+int64(le.Uint32(p.b[at:])))
	return p.choose(at, lim, said, wanted, counterDataSize, f)
}

// instanceHeaderStep returns the step over the instance at an offset.
func (p *pass) instanceHeaderStep(at, lim int64, f follower) step {
	if lim-at < instanceHeaderSize {
		return step{}
	}
	said := int64(le.Uint32(p.b[at:]))
	if looksInstanceHeader(p.b, at, lim) && f.at(p.b, at+said, lim) {
		if nulIn(p.b[at+instanceHeaderSize:at+said-8]) < 0 {
			return step{said, false} // the NUL is in the last 8 bytes
		}
	}
	wanted := int64(0)
	if !p.literal { // what is looked for then tells nothing, and other ways may need it
		if nul := p.nameEnd(at+instanceHeaderSize, lim); nul >= 0 {
			wanted = aligned(nul + 2 - at)
		}
	}
	return p.choose(at, lim, said, wanted, shortestInstance, f)
}

// nameEnd returns where the NUL of a name is, -1 if there is none in what a name may take.
// All the looking of a pass is bounded, as a length that does not lead to a valid offset costs it each time.
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

// choose takes what a record says of its length, if there is only padding to there and
// what has to follow stands there, or stands nowhere; and else the length that its content
// asks for, or the next multiple of 8. Where all the sizes and counts of an answer agree as
// they are, they are taken whatever stands in their padding.
func (p *pass) choose(at, lim, said, wanted, least int64, f follower) step {
	holds := said >= least && said <= lim-at
	fits := wanted >= least && wanted <= lim-at
	switch up := aligned(said); {
	case holds && (said == wanted || p.literal):
		return step{said, false}
	case p.literal:
		return step{}
	case holds && up == said && f.at(p.b, at+said, lim) && (said < wanted || !fits || allZero(p.b[at+wanted:at+said])):
		return step{said, false}
	case fits && f.at(p.b, at+wanted, lim):
		return step{wanted, true}
	case holds && up != said && up <= lim-at && f.at(p.b, at+up, lim):
		return step{up, true}
	case holds:
		return step{said, false}
	}
	return step{}
}

// values goes over n values from an offset on, and returns where they end, -1 if they do
// not fit. What has to follow the last is f.
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
		p.misled = p.misled || s.wrong
		at += s.n
	}
	return at
}

// instances goes over instances with n values each, most of them or as many as fill the
// bytes to lim if most is negative. It returns where they end and how many there are; the
// end is -1 if they do not fit.
func (p *pass) instances(at, lim, n, most int64) (end, count int64) {
	behind := instanceFollows
	if n > 0 {
		behind = counterDataFollows
	}
	for ; at < lim && count != most; count++ {
		s := p.instanceHeaderStep(at, lim, behind)
		if s.n == 0 {
			return -1, count
		}
		p.misled = p.misled || s.wrong
		if at = p.values(at+s.n, lim, n, instanceFollows); at < 0 {
			return -1, count
		}
	}
	return at, count
}

// A shape is how the content of an answer is laid out.
type shape struct {
	ids       int64 // bytes of the ids with their padding, 0 where there are none
	values    int64 // how many values belong together
	instances int64 // how many there are, -1 where there are none
	end       int64
}

// saidShape returns the shape that the sizes and counts of an answer tell, whose content starts
// at an offset and ends at lim at the latest, and whether they agree.
func (p *pass) saidShape(t layout.PerfCounterDataType, at, lim int64) (shape, bool) {
	p.literal = false
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

// content finds the end of the shape, and its instances, and reports whether what is there
// agrees.
func (p *pass) content(t layout.PerfCounterDataType, s *shape, at, lim int64) bool {
	switch {
	case t == layout.PERF_ERROR_RETURN:
		s.end = at
		return true
	case !hasInstances(t):
		p.literal = true
		if s.end = p.values(at, lim, s.values, endFollows); s.end == lim {
			return true
		}
		p.literal = false
		s.end = p.values(at, lim, s.values, endFollows)
		return s.end >= 0
	case lim-at < multiInstancesSize:
		return false
	}
	total, n := int64(le.Uint32(p.b[at:])), int64(le.Uint32(p.b[at+4:]))
	if total < multiInstancesSize || total > lim-at {
		return false
	}
	s.instances, s.end = n, at+total
	return p.agreed(at+multiInstancesSize, s.end, s.values, n)
}

// agreed reports whether n instances fill the bytes from an offset to the end: by the sizes
// that they have, whatever stands in their padding, or by those that lead on.
func (p *pass) agreed(at, end, values, n int64) bool {
	for _, p.literal = range [...]bool{true, false} {
		if last, count := p.instances(at, end, values, n); last == end && count == n {
			return true
		}
	}
	return false
}

// foundShape returns a shape that fills the bytes from an offset to the end, and whether there
// is one, where what the answer says does not. Each size of an instance or a value is right
// then, as a shape with two faults is no better than none. What was said may agree and end
// early; then what follows that many ids stands where it was.
func (p *pass) foundShape(a *result, t layout.PerfCounterDataType, at int64) (found shape, ok bool) {
	end := a.end
	literal := p.literal
	p.literal = false
	defer func() { p.literal = literal && !ok }()
	try := func(ids, values int64) (shape, bool) {
		s := shape{ids: ids, values: values, instances: -1, end: end}
		at := at + ids
		p.misled = false
		switch {
		case at > end || values < 0:
			return s, false
		case !hasInstances(t):
			return s, p.values(at, end, values, endFollows) == end && !p.misled
		case end-at < multiInstancesSize:
			return s, false
		}
		var last int64
		last, s.instances = p.instances(at+multiInstancesSize, end, values, -1)
		return s, last == end && !p.misled
	}
	if !hasIDs(t) {
		for n := range int64(mostOdd) {
			// Of several values in each the number of instances is to be right at the least.
			if s, ok := try(0, 1+n); ok && (n == 0 || !hasInstances(t) || s.instances == int64(le.Uint32(p.b[at+4:]))) {
				return s, true
			}
		}
		return shape{}, false
	}
	if end-at < multiCountersSize {
		return shape{}, false
	}
	size, n := int64(le.Uint32(p.b[at:])), int64(le.Uint32(p.b[at+4:]))
	best, most := shape{}, 0
	least := 1 // of what is said, all but one
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
		if c[1] != n && !allZero(p.b[at+multiCountersSize+idSize*c[1]:at+c[0]]) { // an id is no padding
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

// agree counts the sizes and numbers of an answer that the shape leaves as they are.
func (p *pass) agree(s shape, at, size, n int64) int {
	count := 0
	for _, same := range [...]bool{s.ids == size || s.ids == aligned(size), s.values == n} {
		if same {
			count++
		}
	}
	if s.instances >= 0 {
		at += s.ids
		if int64(le.Uint32(p.b[at:])) == s.end-at {
			count++
		}
		if int64(le.Uint32(p.b[at+4:])) == s.instances {
			count++
		}
	}
	return count
}

// mostOdd is up to how many values are looked for where there should be one.
const mostOdd = 4

func hasIDs(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_MULTIPLE_COUNTERS || t == layout.PERF_COUNTERSET
}

func hasInstances(t layout.PerfCounterDataType) bool {
	return t == layout.PERF_MULTIPLE_INSTANCES || t == layout.PERF_COUNTERSET
}
