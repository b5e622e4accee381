package builder

import (
	"hash/maphash"
	"iter"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/quote"
)

// checkNames returns an error for each instance that has the full name of an earlier instance. If DuplicateNames is
// set, duplicates are allowed.
func (o *Object) checkNames() error {
	if o.DuplicateNames {
		return nil
	}
	var all faults
	for i, j := range o.duplicates() {
		if checkLetters(o.Instances[j].Name, o.CodePage) != nil {
			continue // checkInstance returns the error about this name
		}
		name, same := o.Instances[j].Name, o.Instances[i].Name
		if name != same {
			all.add(within(instancePath(j), fault("Name", ErrDuplicate, "is %s, which differs only in letter case from the name %s of instance[%d]: set DuplicateNames to allow it", quote.Short(name), quote.Short(same), i)))
		} else {
			all.add(within(instancePath(j), fault("Name", ErrDuplicate, "is %s, which is the name of instance[%d] too: set DuplicateNames to allow it", quote.Short(name), i)))
		}
		if all.full() {
			break
		}
	}
	return all.err()
}

// duplicates yields a pair of positions for each instance that has the full name of an earlier instance. The pair is
// the position of the first instance with this name, and the position of the later instance.
func (o *Object) duplicates() iter.Seq2[int, int] {
	return func(yield func(first, i int) bool) {
		var few [2 * 16]nameSlot // saves the allocation for up to 16 names
		n := nameSet{object: o, seed: maphash.MakeSeed()}
		for i := range o.Instances {
			if o.Instances[i].Name == "" {
				continue
			}
			if n.slots == nil {
				n.slots = few[:]
				if least := 2 * uint(len(o.Instances)-i); least > uint(len(few)) {
					n.slots = make([]nameSlot, 1<<bits.Len(least-1))
				}
			}
			if first, found := n.add(i); found && !yield(first, i) {
				return
			}
		}
	}
}

// nameSet is a hash table of the full names of an object's instances. A full name is a name with its parent.
type nameSet struct {
	object *Object
	seed   maphash.Seed // random, so that no input can have many names with the same hash
	slots  []nameSlot   // the length is a power of two, at least twice the number of names
}

// A nameSlot holds an instance and the hash of its full name. The zero nameSlot is empty.
type nameSlot struct {
	hash  uint32
	after uint32 // the position of the instance plus 1
}

// add adds the full name of instance i. If an earlier instance has the same full name, add returns the position
// of the earlier instance and true.
func (n *nameSet) add(i int) (first int, found bool) {
	in := &n.object.Instances[i]
	hash, mask := n.hash(in), uint32(len(n.slots)-1)
	at := hash & mask
	for ; n.slots[at].after != 0; at = (at + 1) & mask {
		if s := n.slots[at]; s.hash == hash && n.same(&n.object.Instances[s.after-1], in) {
			return int(s.after - 1), true
		}
	}
	n.slots[at] = nameSlot{hash, uint32(i + 1)}
	return 0, false
}

func (n *nameSet) hash(in *Instance) uint32 {
	var chunk [64]byte
	sum, whole := n.parent(in), len(chunk)-utf8.UTFMax
	b := le.AppendUint64(chunk[:0], sum)
	for i := 0; i < len(in.Name); {
		if len(b) > whole { // chunk is nearly full: replace its bytes with their hash
			b = le.AppendUint64(chunk[:0], maphash.Bytes(n.seed, b))
		}
		if c := in.Name[i]; c < utf8.RuneSelf { // the same conversion as in firstUpper, without the call
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			b, i = append(b, c), i+1
			continue
		}
		r, size := n.firstUpper(in.Name[i:])
		b, i = utf8.AppendRune(b, r), i+size
	}
	return uint32(maphash.Bytes(n.seed, b))
}

func (n *nameSet) same(a, b *Instance) bool {
	s, t := a.Name, b.Name
	if n.parent(a) != n.parent(b) {
		return false
	}
	for s != "" && t != "" {
		c, size := n.firstUpper(s)
		d, other := n.firstUpper(t)
		if c != d {
			return false
		}
		s, t = s[size:], t[other:]
	}
	return s == t // true if both names end here
}

// parent returns a number that identifies the parent. It returns 0 if ParentObjectTitleIndex is 0, because the
// instance has no parent.
func (n *nameSet) parent(in *Instance) uint64 {
	if in.ParentObjectTitleIndex == 0 {
		return 0
	}
	return uint64(in.ParentObjectTitleIndex)<<32 | uint64(in.ParentObjectInstance)
}

// firstUpper returns the first character of s in upper case, and the number of bytes that the character has
// in s. s must not be empty.
func (n *nameSet) firstUpper(s string) (rune, int) {
	c := s[0]
	switch {
	case 'a' <= c && c <= 'z':
		return rune(c - 'a' + 'A'), 1
	case c < utf8.RuneSelf || n.object.CodePage != 0:
		return rune(c), 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == 'ı' || r == 'ſ' { // ordinal comparisons of .NET do not convert these to ASCII
		return r, size
	}
	return unicode.ToUpper(r), size
}
