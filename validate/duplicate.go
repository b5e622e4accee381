package validate

import (
	"bytes"
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

// A duplicate is an instance that has the full name of an earlier instance of the object.
// The offsets are those of the two definitions in the object.
type duplicate struct {
	of        *object
	index     int
	at, first uint32
}

var onDuplicate = subjectsIn[*duplicate](v1Kinds...)

var duplicateRules = []*Rule{
	{
		ID: "PERF1420", Name: "inst-name-duplicate", Severity: Warning, Windows: Info, Since: "v0.1.0",
		Doc:     "no two instances of an object have the same full name, parents included, ignoring case",
		Why:     "Consumers use the name to find an instance in the next sample. If two share it, a consumer may combine values of both and computes a wrong rate.",
		Fix:     "Add a distinguishing part to the names, such as a process identifier.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "NameOffset"), duplicates, dotnetReader},
		Misread: []string{"windows_exporter reports that the second one was collected before, and drops it", ".NET names them name, name#1, name#2 in the order of the sample, which may differ in the next sample"},
		check:   onDuplicate.check(nameDuplicate),
	},
}

// reportDuplicate runs the rules on instance k of the object, at offset at. The instance at
// offset first is the first one with that name.
func (p *pass) reportDuplicate(o *object, k int, at, first uint32) {
	p.duplicate = duplicate{o, k, at, first}
	onDuplicate.checked(p, &p.duplicate)
}

// sameName reports whether two instances have the same full name, ignoring case.
func (p *pass) sameName(o *object, one, other uint32) bool {
	p.folded.a = appendFold(p.folded.a[:0], o.nameAt(one), o.CodePage(), o.parentAt(one))
	p.folded.b = appendFold(p.folded.b[:0], o.nameAt(other), o.CodePage(), o.parentAt(other))
	return bytes.Equal(p.folded.a, p.folded.b)
}

// seen adds the full name of an instance. It returns the offset, in the object, of the
// earlier instance with that name, or 0.
func (p *pass) seen(o *object, in *instance) uint32 {
	parent := in.parent()
	p.folded.a = appendFold(p.folded.a[:0], in.text, o.CodePage(), parent)
	seed := &p.names.seed
	hash := seed.name(seed.under(parent[0], parent[1]), p.folded.a[parentBytes:])
	return p.names.add(hash, uint32(in.off-o.off), func(ref uint32) bool {
		p.folded.b = appendFold(p.folded.b[:0], o.nameAt(ref), o.CodePage(), o.parentAt(ref))
		return bytes.Equal(p.folded.a, p.folded.b)
	})
}

// beginNames removes all names and prepares for at most n names in room bytes.
func (p *pass) beginNames(n, room int64) {
	p.names.reset(int(min(n, room/shortestInstance)))
	p.ids.reset(0)
}

// sameNames compares an instance with the earlier ones. Most names occur once. Only for a
// name that repeats does it compare the InstanceIds.
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
	other := p.comparedAt(first)
	if other.id == in.id(p) {
		t.same = first
	} else {
		t.differs = !bytes.Equal(other.text, in.text)
		t.same = p.ids.add(p.names.seed.idOf(hash, in.id(p)), at, func(ref uint32) bool {
			return p.comparedAt(ref).id == in.id(p) && p.sameFolded(ref)
		})
	}
	if t.same == 0 && !t.differs {
		return
	}
	t.first = int64(first) - 1
	onDuplicateName.holds(p, t)
	*t = duplicateName{}
}

// sameFolded reports whether the instance of a reference has the name in p.folded.a.
func (p *pass) sameFolded(ref uint32) bool {
	p.folded.b = appendFold(p.folded.b[:0], p.comparedAt(ref).text, 0, [2]uint32{})
	return bytes.Equal(p.folded.a, p.folded.b)
}

// A comparedInstance has the InstanceId and the name of an earlier instance.
type comparedInstance struct {
	id   uint32
	text []byte
}

func (p *pass) comparedAt(ref uint32) comparedInstance {
	at := int64(ref) - 1
	text := p.b[at+instanceHeaderSize : min(int64(len(p.b)), at+max(shortestInstance, int64(le.Uint32(p.b[at:]))))]
	return comparedInstance{le.Uint32(p.b[at+4:]), text[:max(0, nulIn(text))]}
}

// A duplicateName is an instance that has the name of an earlier one, ignoring case.
type duplicateName struct {
	*instanceHeader
	first   int64  // offset of the first instance with that name
	same    uint32 // reference of an earlier instance with the same name and InstanceId, 0 for none
	differs bool   // the name differs in case from the first
}

var onDuplicateName = subjectsIn[*duplicateName](layout.QueryDataKind, layout.InstancesKind)

// idOf hashes a name with an id.
func (s *seed) idOf(name uint64, id uint32) uint64 { return mix(name^uint64(id), s.step) }

// duplicateText caches the texts of a finding. If names repeat, there are few different
// ones, so the texts repeat too.
type duplicateText struct {
	first     int64  // offset in the input of the first instance with the name, 0 if unused
	text      []byte // the name in got
	got, want string
}

const (
	mostDuplicateTexts = 1 << 6             // size of the cache
	golden             = 0x9E3779B97F4A7C15 // multiplier that distributes evenly spaced numbers
)

func nameDuplicate(p *pass, t *duplicate) {
	if !p.count() {
		return
	}
	if p.duplicateTexts == nil {
		p.duplicateTexts = make([]duplicateText, mostDuplicateTexts)
	}
	text, first := t.of.nameAt(t.at), t.of.off+int64(t.first)
	w := &p.duplicateTexts[uint64(first)*golden>>(64-6)]
	if w.first != first {
		want := fmt.Sprintf("must differ from that of the instance at 0x%x in more than the case of letters", first)
		*w = duplicateText{first: first, want: want}
	}
	if w.got == "" || !bytes.Equal(text, w.text) {
		w.text, w.got = text, "the name is "+quoted(text, t.of.CodePage())
	}
	b := t.of.Bytes()[t.at:]
	p.listed.next().fill(p.rule, layout.Path{}.At("object", t.of.index).At("instance", t.index).Field("Name"),
		t.of.off+int64(t.at)+int64(le.Uint32(b[nameOffsetAt:])), int(le.Uint32(b[nameLengthAt:])), w.got, w.want)
}
