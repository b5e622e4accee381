package builder

import (
	"hash/maphash"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// duplicate returns the first two instances of one full name.
func (o *Object) duplicate() (first, second int, found bool) {
	var few [2 * 16]seenName // enough for small objects, without memory of its own
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

// fullNames is a set of the full names of an object's instances: what tells the
// named ones apart. The parents are told apart by their own object, so position
// stands for name. A name is hashed and compared where it stands, as none is worth
// a copy; the seed is another each time, so that no block can be made to collide.
type fullNames struct {
	object *Object
	seed   maphash.Seed
	seen   []seenName // a power of two of them, at least twice as many as names
}

// A seenName is an instance and the hash of its full name; the zero value is none.
type seenName struct {
	hash  uint32
	after uint32 // the instance's position and 1
}

// add adds the full name of instance i, or returns the instance that has it.
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

// hash returns the same for all instances of one full name.
func (n *fullNames) hash(in *Instance) uint32 {
	var chunk [64]byte
	sum, whole := n.parent(in), len(chunk)-utf8.UTFMax
	b := le.AppendUint64(chunk[:0], sum)
	for i := 0; i < len(in.Name); {
		if len(b) > whole { // it goes on behind the hash of what was before
			b = le.AppendUint64(chunk[:0], maphash.Bytes(n.seed, b))
		}
		r, size := n.next(in.Name[i:])
		b, i = utf8.AppendRune(b, r), i+size
	}
	return uint32(maphash.Bytes(n.seed, b))
}

// same reports whether the two have one full name.
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
	return s == t // both at their end
}

// parent returns the parent as a number. Without one, its position says nothing.
func (n *fullNames) parent(in *Instance) uint64 {
	if in.ParentObjectTitleIndex == 0 {
		return 0
	}
	return uint64(in.ParentObjectTitleIndex)<<32 | uint64(in.ParentObjectInstance)
}

// next returns the first character of s, which is not empty, and the bytes it takes.
// It is in upper case as .NET's ordinal comparison has it, which keeps the two letters
// whose upper case would be ASCII. Of a code page only ASCII is known.
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
