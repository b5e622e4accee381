package validate

import (
	"bytes"

	"github.com/perfblock/perfblock/layout"
)

// beginNames forgets the names there were, and expects n at the most, in so many bytes.
func (p *pass) beginNames(n, room int64) {
	p.names.reset(int(min(n, room/shortestNamed)))
	p.ids.reset(0)
}

// sameNames holds the name of an instance against those before it. Most names are there
// once; where one is not, the ids tell.
func (p *pass) sameNames(in *instanceHeader) {
	if len(in.text)%2 != 0 {
		return
	}
	p.folded.a = appendFold(p.folded.a[:0], in.text, 0, [2]uint32{})
	at := uint32(in.off) + 1 // 0 means none
	hash := p.names.seed.named(p.folded.a[parentBytes:])
	first := p.names.add(hash, at, func(ref uint32) bool { return p.sameFolded(ref) })
	if first == 0 {
		return
	}
	t := &p.duplicateName
	*t = duplicateName{instanceHeader: in}
	other := p.namedAt(first)
	if other.id == in.id(p) {
		t.same = first
	} else {
		t.differs = !bytes.Equal(other.text, in.text)
		t.same = p.ids.add(p.names.seed.idOf(hash, in.id(p)), at, func(ref uint32) bool {
			return p.namedAt(ref).id == in.id(p) && p.sameFolded(ref)
		})
	}
	if t.same == 0 && !t.differs {
		return
	}
	t.first = int64(first) - 1
	onDuplicateName.holds(p, t)
	*t = duplicateName{}
}

// sameFolded reports whether the instance of a reference has the name that was folded last.
func (p *pass) sameFolded(ref uint32) bool {
	p.folded.b = appendFold(p.folded.b[:0], p.namedAt(ref).text, 0, [2]uint32{})
	return bytes.Equal(p.folded.a, p.folded.b)
}

// A namedRef is what is compared of an instance that was judged.
type namedRef struct {
	id   uint32
	text []byte
}

func (p *pass) namedAt(ref uint32) namedRef {
	at := int64(ref) - 1
	text := p.b[at+namedSize : min(int64(len(p.b)), at+max(shortestNamed, int64(le.Uint32(p.b[at:]))))]
	return namedRef{le.Uint32(p.b[at+4:]), text[:max(0, nulIn(text))]}
}

// A duplicateName is an instance whose name is, but for case, that of one before it.
type duplicateName struct {
	*instanceHeader
	first   int64  // where the first of that name is
	same    uint32 // the instance before it that has its id too, 0 for none
	differs bool   // in case
}

var onDuplicateName = subjectsIn[*duplicateName](layout.QueryDataKind, layout.InstancesKind)

// idOf hashes a name with an id.
func (s *seed) idOf(name uint64, id uint32) uint64 { return mix(name^uint64(id), s.step) }
