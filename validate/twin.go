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
	hash uint64 // of its full name; of its parent alone before the name is looked at
	at   uint32 // where its definition is in the object
	n    uint32 // bytes of the name without its terminator
}

// freshNames is how many names are looked up at once. Memory answers them all in the
// time of one then, where the names are too many for the caches.
const freshNames = 16

// twins holds the names of plain instances, from instance k on, against those before.
func (p *pass) twins(o *object, list []fresh, k int) {
	if len(list) == 0 || len(p.rules.twin) == 0 {
		return
	}
	s := &p.names
	s.room(len(list))
	slots, used, unlisted := s.slots, s.used, 0
	mask, silent := uint32(len(slots)-1), p.silent()
	for j := range list {
		f := &list[j]
		short := uint32(f.hash >> 32)
		for i := short; ; i++ {
			at := &slots[i&mask]
			if at.ref == 0 {
				*at = slot{short, f.at}
				used++
				break
			}
			if at.hash == short && p.sameName(o, at.ref, f.at) {
				if silent {
					unlisted++
				} else {
					p.twin(o, twin{k + j, f.at, at.ref})
				}
				break
			}
		}
	}
	s.used = used
	if unlisted > 0 {
		p.unlisted(unlisted)
	}
}

// twin has the rules speak of a twin.
func (p *pass) twin(o *object, t twin) {
	for _, r := range p.rules.twin {
		p.grade = r.grade
		r.check(p, o, t)
	}
}

// silent reports whether no rule has a finding of a twin listed any more. They are only
// counted then.
func (p *pass) silent() bool {
	for _, r := range p.rules.twin {
		if p.listing(r.grade.severity) {
			return false
		}
	}
	return true
}

// unlisted counts n twins that are not listed.
func (p *pass) unlisted(n int) {
	for _, r := range p.rules.twin {
		*p.result.Counts.of(r.grade.severity) += n
		p.result.Truncated = true
	}
}

// sameName reports whether two instances have one full name, the second of them plain
// and behind the first. Most of those that have are written alike: the same words, of
// which the last two are masked as the scan does. More than there are bytes of the first
// are not read, as the second is behind it.
func (p *pass) sameName(o *object, first, at uint32) bool {
	b := p.b[o.off:]
	x, y := (*[headBytes + tailBytes]byte)(b[first:]), (*[headBytes + tailBytes]byte)(b[at:])
	bytes := le.Uint32(y[nameLengthAt:])
	if le.Uint64(x[nameOffsetAt:]) != le.Uint64(y[nameOffsetAt:]) || le.Uint64(x[parentTitleAt:]) != le.Uint64(y[parentTitleAt:]) {
		return p.sameFolded(o, first, at)
	}
	left := bytes/2 - 1
	if left > 8 {
		return writtenAlike(b[first+headBytes:], b[at+headBytes:], int(bytes-2)) || p.sameFolded(o, first, at)
	}
	t := &tails[left%uint32(len(tails))]
	other := (le.Uint64(x[headBytes:])^le.Uint64(y[headBytes:]))&t.a | (le.Uint64(x[headBytes+8:])^le.Uint64(y[headBytes+8:]))&t.b
	return other == 0 || p.sameFolded(o, first, at)
}

func writtenAlike(x, y []byte, n int) bool { return bytes.Equal(x[:n], y[:n]) }

// sameFolded is sameName of what is not written alike.
func (p *pass) sameFolded(o *object, first, at uint32) bool {
	p.folded.a = appendFold(p.folded.a[:0], o.nameAt(first), o.CodePage(), o.parentAt(first))
	p.folded.b = appendFold(p.folded.b[:0], o.nameAt(at), o.CodePage(), o.parentAt(at))
	return bytes.Equal(p.folded.a, p.folded.b)
}
