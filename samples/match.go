package samples

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/perfblock/perfblock/layout"
)

var le = binary.LittleEndian

// A parent is an object that instances of other objects name as their parent.
type parent struct {
	object layout.Object
	read   bool
	keys   []uint64 // of the instances
	names  []layout.Name
}

// parentOf returns the parent of an instance, nil if it has none.
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

// list reads the instances of a parent. Their keys have the name, UniqueID, and how many instances before have both.
func (p *parent) list() {
	p.read = true
	var rows layout.Rows
	if rows.Open(p.object) != nil {
		return
	}
	var text []byte
	seen := make(map[uint64]uint32)
	for rows.Next() {
		text = appendName(le.AppendUint32(text[:0], uint32(rows.Instance().UniqueID())), rows.Name())
		key := hash(text)
		text = le.AppendUint32(text, seen[key])
		seen[key]++
		p.keys, p.names = append(p.keys, hash(text)), append(p.names, rows.Name())
	}
}

// seed is for the hashes of identities. Two of a million identities have the same hash with a probability of
// 1 to 30 million, and an input cannot cause it.
var seed = maphash.MakeSeed()

func hash(b []byte) uint64 { return maphash.Bytes(seed, b) }

// key returns the identity of the current row of a group, and the memory for the next call.
func (b *block) key(rows *layout.Rows, text []byte) (uint64, []byte) {
	text = text[:0]
	if b.kind == layout.QueryDataKind {
		text = le.AppendUint32(text, rows.InstanceHeader().InstanceId())
	} else {
		in := rows.Instance()
		text = le.AppendUint32(text, uint32(in.UniqueID()))
		text = le.AppendUint32(text, in.ParentObjectTitleIndex())
		if p, i := b.parentOf(in); p != nil {
			text = le.AppendUint64(text, p.keys[i])
		} else {
			text = le.AppendUint32(text, in.ParentObjectInstance())
		}
	}
	text = appendName(text, rows.Name())
	return hash(text), text
}

// A table has the rows of a group of the older sample.
type table struct {
	keys    []uint64
	values  []uint64 // width numbers for each row
	width   int
	matched []bool
	damaged bool // rows may be missing

	next  int              // rows before it matched in order
	first map[uint64]int32 // the first row of each key that has no match; nil while rows match in order
	after []int32          // the next row with the same key, -1 for none
}

func (b *block) table(g *group) (*table, []column, error) {
	var rows layout.Rows
	columns, err := g.open(&rows)
	if err != nil {
		return &table{}, nil, err
	}
	t := &table{}
	var text []byte
	for rows.Next() {
		var key uint64
		key, text = b.key(&rows, text)
		t.keys, t.values = append(t.keys, key), rows.AppendValues(t.values)
	}
	if len(t.keys) > 0 {
		t.width = len(t.values) / len(t.keys)
	}
	t.matched = make([]bool, len(t.keys))
	return t, columns, rows.Err()
}

// match returns the row with a key, or -1. Each row matches once. Instances rarely change their order, so match only
// makes a map when one has.
func (t *table) match(key uint64) int {
	if t.first == nil {
		if t.next < len(t.keys) && t.keys[t.next] == key {
			t.matched[t.next] = true
			t.next++
			return t.next - 1
		}
		t.first, t.after = make(map[uint64]int32, len(t.keys)-t.next), make([]int32, len(t.keys))
		for i := len(t.keys) - 1; i >= t.next; i-- {
			t.after[i] = -1
			if later, ok := t.first[t.keys[i]]; ok {
				t.after[i] = later
			}
			t.first[t.keys[i]] = int32(i)
		}
	}
	i, ok := t.first[key]
	if !ok {
		return -1
	}
	if t.after[i] < 0 {
		delete(t.first, key)
	} else {
		t.first[key] = t.after[i]
	}
	t.matched[i] = true
	return int(i)
}

// appendName appends the bytes of a name before its terminator.
func appendName(dst []byte, n layout.Name) []byte {
	b := n.Bytes()
	if i := n.IndexNUL(); i >= 0 {
		b = b[:i]
	}
	return append(dst, b...)
}
