package samples

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/perfblock/perfblock/layout"
)

var le = binary.LittleEndian

// A parent is an object whose instances are the parents of other instances, as processes are the parents of threads.
type parent struct {
	object layout.Object
	read   bool
	// For each instance: a hash of name, UniqueID, and the number of earlier instances with the same name and UniqueID.
	keys  []uint64
	only  []bool // for each instance: no other instance has the same name and UniqueID
	names []layout.Name
}

// parentOf returns the object and the position of the parent of an instance, or nil if the instance has no parent in
// the block.
func (b *block) parentOf(in layout.Instance) (p *parent, position int) {
	if in.ParentObjectTitleIndex() == 0 || b.parents[in.ParentObjectTitleIndex()] == nil {
		return nil, 0
	}
	p = b.parents[in.ParentObjectTitleIndex()]
	if !p.read {
		p.list()
	}
	if i := uint64(in.ParentObjectInstance()); i < uint64(len(p.keys)) {
		return p, int(i)
	}
	return nil, 0
}

func (p *parent) list() {
	p.read = true
	var rows layout.Rows
	if rows.Open(p.object) != nil {
		return
	}
	var text []byte
	type same struct{ n, first int }
	seen := make(map[uint64]same)
	for rows.Next() {
		text = appendName(le.AppendUint32(text[:0], uint32(rows.Instance().UniqueID())), rows.Name())
		key := hash(text)
		before, again := seen[key]
		if !again {
			before.first = len(p.keys)
		} else {
			p.only[before.first] = false
		}
		text = le.AppendUint32(text, uint32(before.n))
		seen[key] = same{before.n + 1, before.first}
		p.keys, p.only, p.names = append(p.keys, hash(text)), append(p.only, !again), append(p.names, rows.Name())
	}
	if rows.Err() != nil {
		clear(p.only) // an instance that was not read can have the name of any other instance
	}
}

// seed is random, so that an input cannot cause identities to have the same hash. Two of a million identities have
// the same hash with a probability of about 1 in 37 million.
var seed = maphash.MakeSeed()

func hash(b []byte) uint64 { return maphash.Bytes(seed, b) }

// An identity identifies the instance of a row.
type identity struct {
	name uint64 // a hash of the name and of the identity of the parent
	id   uint32 // UniqueID or InstanceId

	// sure is false if several instances can have this identity, because their parent is not certain.
	sure bool

	// at is the offset of the PERF_INSTANCE_DEFINITION or PERF_INSTANCE_HEADER. In a rowList of a group without instances,
	// at is the offset of the values.
	at int64
}

// spread is an odd number, so that different ids have different products with spread.
const spread = 0x9e3779b97f4a7c15

// key returns a hash of the identity.
func (i identity) key() uint64 { return i.name + (uint64(i.id)+1)*spread }

// identity returns the identity of the current row of a group.
func (b *block) identity(rows *layout.Rows) identity {
	text := b.text[:0]
	of := identity{sure: true}
	if b.kind == layout.QueryDataKind {
		h := rows.InstanceHeader()
		of.id, of.at = h.InstanceId(), h.Off()
	} else {
		in := rows.Instance()
		of.id, of.at = uint32(in.UniqueID()), in.Off()
		text = le.AppendUint32(text, in.ParentObjectTitleIndex())
		if p, i := b.parentOf(in); p != nil {
			of.sure = p.only[i]
			text = le.AppendUint64(text, p.keys[i])
		} else {
			of.sure = in.ParentObjectTitleIndex() == 0
			text = le.AppendUint32(text, in.ParentObjectInstance())
		}
	}
	b.text = appendName(text, rows.Name())
	of.name = hash(b.text)
	return of
}

// An olderRows has the rows of a group of the older sample. For each row of the newer sample, [Values] searches it for
// the row of the same instance.
type olderRows struct {
	rowList
	matched []bool
	damaged bool // rows may be missing

	next  int              // the rows before row next have matched, in their order
	first map[uint64]int32 // for each key, the index plus 1 of the first row without a match; nil while rows match in order
	after []int32          // for each row, the index plus 1 of the next row with the same key, 0 for none
}

// readOlder returns the rows of a group of the older sample. After an error, old has the rows before the fault.
func (b *block) readOlder(g *group) (old *olderRows, err error) {
	old = &olderRows{}
	if err = old.open(b, g); err == nil {
		err = old.read(true)
	}
	old.matched, old.damaged = make([]bool, len(old.list)), err != nil
	return old, err
}

// match returns the row with a key, or -1. Each row matches once.
func (old *olderRows) match(key uint64) int {
	if old.first == nil {
		// Most samples have the same instances in the same order, so most calls end here, without a map.
		if old.next < len(old.list) && old.list[old.next].key() == key {
			old.matched[old.next] = true
			old.next++
			return old.next - 1
		}
		old.first, old.after = make(map[uint64]int32, len(old.list)-old.next), make([]int32, len(old.list))
		for i := len(old.list) - 1; i >= old.next; i-- {
			k := old.list[i].key()
			old.after[i], old.first[k] = old.first[k], int32(i)+1
		}
	}
	i := int(old.first[key]) - 1
	if i >= 0 {
		old.first[key] = old.after[i]
		old.matched[i] = true
	}
	return i
}

// appendName appends the bytes of a name to dst, up to the first NUL and without this NUL.
func appendName(dst []byte, n layout.Name) []byte {
	b := n.Bytes()
	if i := n.IndexNUL(); i >= 0 {
		b = b[:i]
	}
	return append(dst, b...)
}
