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
			if at.hash == short && p.sameName(o, at.ref, f.at) {
				p.twin(o, twin{k + j, f.at, at.ref})
				break
			}
		}
	}
}

// twin has the rules speak of a twin, if anything more is to be listed.
func (p *pass) twin(o *object, t twin) {
	for i := range p.rules.twin {
		if r := &p.rules.twin[i]; !p.unlisted(r.grade.severity) {
			p.grade = r.grade
			r.check(p, o, t)
		}
	}
}

// sameName reports whether two instances have one full name, the second of them plain
// and behind the first. Most of those that have are written alike: the same words, of
// which the last two are masked as the scan does. More than there are bytes of the first
// are not read, as the second is behind it.
func (p *pass) sameName(o *object, first, at uint32) bool {
	b := p.b[o.off:]
	x, y := b[first:], b[at:]
	if le.Uint64(x[nameOffsetAt:]) != le.Uint64(y[nameOffsetAt:]) || le.Uint64(x[parentTitleAt:]) != le.Uint64(y[parentTitleAt:]) {
		return p.sameFolded(o, first, at)
	}
	left := le.Uint32(y[nameLengthAt:])/2 - 1
	x, y = x[headBytes:], y[headBytes:]
	for ; left > 8; left -= 8 {
		if le.Uint64(x) != le.Uint64(y) || le.Uint64(x[8:]) != le.Uint64(y[8:]) {
			return p.sameFolded(o, first, at)
		}
		x, y = x[16:], y[16:]
	}
	t := &tails[left%uint32(len(tails))]
	return (le.Uint64(x)^le.Uint64(y))&t.a|(le.Uint64(x[8:])^le.Uint64(y[8:]))&t.b == 0 || p.sameFolded(o, first, at)
}

// sameFolded is sameName of what is not written alike.
func (p *pass) sameFolded(o *object, first, at uint32) bool {
	p.folded.a = appendFold(p.folded.a[:0], o.nameAt(first), o.CodePage(), o.parentAt(first))
	p.folded.b = appendFold(p.folded.b[:0], o.nameAt(at), o.CodePage(), o.parentAt(at))
	return bytes.Equal(p.folded.a, p.folded.b)
}
