package builder

import (
	"hash/maphash"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/quote"
)

// checkNames refuses a second instance with the same full name.
func (o *Object) checkNames() error {
	if o.DuplicateNames {
		return nil
	}
	if i, j, found := o.duplicate(); found {
		return fault(instancePath(j), "Name", ErrDuplicate, "is %s, which is the name of instance[%d] too: set DuplicateNames to allow it", quote.Short(o.Instances[j].Name), i)
	}
	return nil
}

// duplicate returns the first two instances with the same full name.
func (o *Object) duplicate() (first, second int, found bool) {
	var few [2 * 16]seenName // enough for small objects, without an allocation
	n := fullNames{object: o, seed: maphash.MakeSeed()}
	for i := range o.Instances {
		if o.Instances[i].Name == "" {
			continue
		}
		if n.seen == nil {
			n.seen = few[:]
			if least := 2 * uint(len(o.Instances)-i); least > uint(len(few)) {
				n.seen = make([]seenName, 1<<bits.Len(least-1))
			}
		}
		if first, found := n.add(i); found {
			return first, i, true
		}
	}
	return 0, 0, false
}

// fullNames is a set of the full names of an object's instances: the name with the parent, by
// which readers distinguish named instances. The parent's position represents its name, since
// the parent's object is checked by itself. Names are hashed and compared in place, without
// copies. The seed is random, so that no block can be made to collide.
type fullNames struct {
	object *Object
	seed   maphash.Seed
	seen   []seenName // the length is a power of two, at least twice the number of names
}

// A seenName is an instance and the hash of its full name. The zero value is an empty slot.
type seenName struct {
	hash  uint32
	after uint32 // the instance's position + 1
}

// add adds the full name of instance i, or returns the earlier instance that has it.
func (n *fullNames) add(i int) (first int, found bool) {
	in := &n.object.Instances[i]
	hash, mask := n.hash(in), uint32(len(n.seen)-1)
	at := hash & mask
	for ; n.seen[at].after != 0; at = (at + 1) & mask {
		if s := n.seen[at]; s.hash == hash && n.same(&n.object.Instances[s.after-1], in) {
			return int(s.after - 1), true
		}
	}
	n.seen[at] = seenName{hash, uint32(i + 1)}
	return 0, false
}

// hash returns the same value for all instances with the same full name.
func (n *fullNames) hash(in *Instance) uint32 {
	var chunk [64]byte
	sum, whole := n.parent(in), len(chunk)-utf8.UTFMax
	b := le.AppendUint64(chunk[:0], sum)
	for i := 0; i < len(in.Name); {
		if len(b) > whole { // continue with the hash of the bytes so far
			b = le.AppendUint64(chunk[:0], maphash.Bytes(n.seed, b))
		}
		r, size := n.next(in.Name[i:])
		b, i = utf8.AppendRune(b, r), i+size
	}
	return uint32(maphash.Bytes(n.seed, b))
}

// same reports whether the two instances have the same full name.
func (n *fullNames) same(a, b *Instance) bool {
	s, t := a.Name, b.Name
	if n.parent(a) != n.parent(b) {
		return false
	}
	for s != "" && t != "" {
		c, size := n.next(s)
		d, other := n.next(t)
		if c != d {
			return false
		}
		s, t = s[size:], t[other:]
	}
	return s == t // both are at their end
}

// parent returns the parent as a number. Without a title the position has no meaning.
func (n *fullNames) parent(in *Instance) uint64 {
	if in.ParentObjectTitleIndex == 0 {
		return 0
	}
	return uint64(in.ParentObjectTitleIndex)<<32 | uint64(in.ParentObjectInstance)
}

// next returns the first character of s, which is not empty, in upper case, and its length in
// bytes. Upper case is that of .NET's ordinal comparison, which keeps the two letters whose
// upper case is ASCII. In a code page only ASCII letters are known.
func (n *fullNames) next(s string) (rune, int) {
	c := s[0]
	switch {
	case 'a' <= c && c <= 'z':
		return rune(c - 'a' + 'A'), 1
	case c < utf8.RuneSelf || n.object.CodePage != 0:
		return rune(c), 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == 'ı' || r == 'ſ' {
		return r, size
	}
	return unicode.ToUpper(r), size
}
