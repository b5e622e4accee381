package validate

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

// plain is the fused scan: it judges the instance at offset at, its name and its
// counter block in one go, and returns where they end if no rule has anything to
// say of them. Where it is not sure it says no, and the rules are run one by one.
// It must never say yes where a rule would speak; the fuzz tests hold it to that.
//
// The first instance of an object is never plain: the rules note what the others
// are compared with.
func (p *pass) plain(o *object, at int64, k int) (end int64, ok bool) {
	if p.everyRule || k == 0 || !o.plainOnly() {
		return 0, false
	}
	const head = 24 // of a PERF_INSTANCE_DEFINITION, which its view checks
	b := p.b[at:o.end]
	if len(b) < head+layout.Align {
		return 0, false
	}
	in := layout.Instance{Span: layout.NewSpan(b[:head:head], at)}
	length, name := uint64(in.ByteLength()), uint64(in.NameLength())
	if length%layout.Align != 0 || length < head || uint64(len(b)) < length+uint64(o.uniform) ||
		in.ParentObjectTitleIndex()|in.ParentObjectInstance() != 0 || in.UniqueID() != layout.PERF_NO_UNIQUE_ID ||
		in.NameOffset() != head || name%2 != 0 || name < 4 || name > 2*(shortName+1) || name > length-head {
		return 0, false
	}
	if le.Uint32(b[length:]) != o.uniform || !plainName(b[head:head+name]) || !zeros(b[head+name:length]) {
		return 0, false
	}
	if len(p.rules.name) > 0 {
		p.instance = instance{object: o.index, index: k, off: at, end: at + int64(length), text: b[head : head+name-2]}
		p.instance.Instance = in
		p.judgeName(o, &p.instance)
	}
	o.blocks++
	return at + int64(length) + int64(o.uniform), true
}

// plainOnly reports whether instances of the object can be plain, as far as the
// object and the instances before have a say.
func (o *object) plainOnly() bool {
	return o.CodePage() == 0 && len(o.texts) == 0 && !o.total.seen && o.firstID == layout.PERF_NO_UNIQUE_ID &&
		o.need <= math.MaxUint32-layout.Align && int64(o.uniform) == aligned(o.need)
}

// aligned returns n rounded up to a multiple of 8.
func aligned(n int64) int64 { return (n + layout.Align - 1) / layout.Align * layout.Align }

// plainName reports whether a terminated name is of letters that no rule minds: of
// ASCII, without those that path syntax has a use for, and _ and space not at the edges.
func plainName(b []byte) bool {
	last := len(b) - 2
	for i := 0; i < last; i += 2 {
		if b[i+1] != 0 || b[i] >= 0x80 || !plainLetters[b[i]] {
			return false
		}
	}
	return b[last]|b[last+1] == 0 && b[0] != '_' && b[0] != ' ' && b[last-2] != ' '
}

var plainLetters = func() (ok [0x80]bool) {
	for c := byte(' '); c < 0x7F; c++ {
		switch c {
		case '\\', '(', ')', '/', '*', '#':
		default:
			ok[c] = true
		}
	}
	return ok
}()

func zeros(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
