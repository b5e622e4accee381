package validate

import "bytes"

// A twin is an instance with the full name of one before it in the object, both by the
// offsets of their definitions in the object.
type twin struct {
	index     int
	at, first uint32
}

// fresh is a plain instance whose name is still to be held against those before it.
type fresh struct {
	hash uint64
	at   uint32
}

// freshNames is how many names are looked up at once. Memory answers them all in the
// time of one then, where the names are too many for the caches.
const freshNames = 16

// twins holds the names of plain instances, from instance k on, against those before.
func (p *pass) twins(o *object, list []fresh, k int) {
	if len(list) == 0 {
		return
	}
	s := &p.names
	s.room(len(list))
	slots, mask := s.slots, uint32(len(s.slots)-1)
	for j := range list {
		f := &list[j]
		short := uint32(f.hash >> 32)
		for i := short; ; i++ {
			at := &slots[i&mask]
			if at.ref == 0 {
				*at = slot{short, f.at}
				s.used++
				break
			}
			if at.hash == short && p.sameName(o, f.at, at.ref) {
				p.twin(o, twin{k + j, f.at, at.ref})
				break
			}
		}
	}
}

// twin has the rules speak of a twin.
func (p *pass) twin(o *object, t twin) {
	for _, r := range p.rules.twin {
		p.grade = r.grade
		r.check(p, o, t)
	}
}

// sameName reports whether two instances have one full name, the first of them plain.
// Most of those that have are written alike.
func (p *pass) sameName(o *object, at, other uint32) bool {
	a, b := o.Bytes()[at:], o.Bytes()[other:]
	if le.Uint64(a[nameOffsetAt:]) == le.Uint64(b[nameOffsetAt:]) && o.parentAt(at) == o.parentAt(other) {
		end := headBytes + le.Uint32(a[nameLengthAt:])
		if bytes.Equal(a[headBytes:end], b[headBytes:end]) {
			return true
		}
	}
	p.folded.a = appendFold(p.folded.a[:0], o.nameAt(at), o.CodePage(), o.parentAt(at))
	p.folded.b = appendFold(p.folded.b[:0], o.nameAt(other), o.CodePage(), o.parentAt(other))
	return bytes.Equal(p.folded.a, p.folded.b)
}
