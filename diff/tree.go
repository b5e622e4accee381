package diff

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A tree has the records and other parts of a block, in the order of their offsets. It does not have the fields of
// records.
type tree struct {
	b       []byte
	nodes   []node
	names   []string         // by node.name
	records []*layout.Record // by node.record
	rows    [][]slot         // contents of counter blocks, by node.extra; many counter blocks share one element

	match   []int32 // by node: the matching node in the other block, -1 for none
	isFirst bool    // the block is A
	key     []byte  // reused; see identity

	open  []int32 // the nodes from the whole input to the node whose parts are added
	row   []slot  // contents of the open counter block
	end   int64   // end of the parts added so far
	title uint32  // the last title index of a counter of the current object

	base       int64              // the offset from which dwOffset counts; -1 for a broken strings buffer and for other kinds
	instances  map[uint32][]int32 // by title index: the instances of the first object with the title; nil until needed
	counters   []int32            // counters of lastObject; see countersIn
	lastObject int32              // -1 for none
}

// whole is the node of the whole input.
const whole = 0

// A node is a part of a block: a name, padding, unread bytes, an element of a list, or a record with all its contents.
// There can be millions of nodes, so they have no pointers.
type node struct {
	off, end     int64  // the bytes of the node, including the nodes inside
	index        int32  // the index in the path, -1 for none
	next         int32  // the first node after this node and the nodes inside
	parent       int32  // the node that contains this one, -1 for the whole input
	extra        uint32 // of a V1 counter: its title index, or tree.title if its title index is 0; of a counter block: the index in tree.rows
	name, record uint8  // indexes in tree.names and tree.records; record 0 is none
	sort         layout.PartSort
	broken       bool // a part directly in the node has an error
}

// A slot is a value, padding or unread bytes in a counter block.
type slot struct {
	off, size int64 // off counts from the start of the block
	index     int32 // of the counter, -1 for none
	name      uint8
	sort      layout.PartSort
}

func newTree(kind layout.Kind, b []byte) *tree {
	t := &tree{
		b: b, nodes: make([]node, 1, 1+len(b)/64), names: []string{""}, records: []*layout.Record{nil}, open: []int32{whole},
		lastObject: -1, base: -1,
	}
	t.nodes[whole] = node{index: -1, parent: -1, sort: layout.RecordPart}
	for p := range layout.Walk(kind, b) {
		t.add(&p)
	}
	t.end = int64(len(b))
	t.leave(0)
	return t
}

func (t *tree) add(p *layout.Part) {
	steps := p.Path.Elems()
	within, last := steps[:len(steps)-1], steps[len(steps)-1]
	if p.Err != nil && t.opened(within) == len(within) {
		t.nodes[t.open[len(within)]].broken = true
	}
	if p.Len() == 0 || p.Record == &layout.SYSTEMTIME {
		return // a SYSTEMTIME is a field of the header; see fieldPart
	}
	isField := p.Sort == layout.FieldPart && !last.Indexed()
	if len(within) == 1 && within[0].Name == "entry" && !isField {
		last.Index = within[0].Index // a string, or the gap before it, follows all entries
		within = nil
	}
	t.enter(within, p.Off())
	t.end = max(t.end, p.End())
	in := &t.nodes[t.open[len(t.open)-1]]
	switch {
	case isField:
		t.setRecord(in, p)
	case t.recordOf(in) == &layout.PERF_COUNTER_BLOCK:
		t.row = append(t.row, slot{p.Off() - in.off, int64(p.Len()), int32(last.Index), intern(&t.names, last.Name), p.Sort})
	default:
		n := t.push(last, p.Off())
		n.end, n.sort, n.next = p.End(), p.Sort, int32(len(t.nodes))
		n.record = intern(&t.records, p.Record)
	}
}

// enter opens the nodes of a path. It closes the open nodes that are not in the path, and adds the missing nodes at the
// offset off.
func (t *tree) enter(within []layout.Elem, off int64) {
	same := t.opened(within)
	t.leave(same + 1)
	for _, step := range within[same:] {
		t.push(step, off)
		t.open = append(t.open, int32(len(t.nodes)-1))
	}
}

// opened returns how many steps at the start of the path `within` have open nodes. If object[0].instance[0] is open, it
// returns 1 for object[0].instance[1].
func (t *tree) opened(within []layout.Elem) int {
	n := 0
	for n < len(within) && n+1 < len(t.open) {
		open := &t.nodes[t.open[n+1]]
		if open.index != int32(within[n].Index) || t.names[open.name] != within[n].Name {
			break
		}
		n++
	}
	return n
}

// leave closes nodes until the given number of nodes is open.
func (t *tree) leave(depth int) {
	for len(t.open) > depth {
		n := &t.nodes[t.open[len(t.open)-1]]
		n.next, n.end = int32(len(t.nodes)), t.end
		if t.recordOf(n) == &layout.PERF_COUNTER_BLOCK {
			if last := len(t.rows) - 1; last < 0 || !slices.Equal(t.rows[last], t.row) {
				t.rows = append(t.rows, slices.Clone(t.row))
			}
			n.extra, t.row = uint32(len(t.rows)-1), t.row[:0]
		}
		t.open = t.open[:len(t.open)-1]
	}
}

// push adds a node to the innermost open node.
func (t *tree) push(step layout.Elem, off int64) *node {
	t.nodes = append(t.nodes, node{
		name: intern(&t.names, step.Name), index: int32(step.Index), parent: t.open[len(t.open)-1], off: off, end: off, sort: layout.RecordPart,
	})
	return &t.nodes[len(t.nodes)-1]
}

// setRecord sets the record of node n if p is the first field of the record. It ignores all later fields.
func (t *tree) setRecord(n *node, p *layout.Part) {
	if n.record != 0 {
		return
	}
	n.record, n.off = intern(&t.records, p.Record), p.Base()
	switch p.Record {
	case &layout.PERF_OBJECT_TYPE:
		t.title = 0
	case &layout.PERF_COUNTER_DEFINITION:
		if title := (layout.Counter{Span: t.structure(n)}).CounterNameTitleIndex(); title != 0 {
			t.title = title
		}
		n.extra = t.title
	case &layout.PERF_STRING_BUFFER_HEADER:
		if all, err := layout.ReadStringBuffer(t.b); err == nil {
			t.base = all.Base()
		}
	}
}

// intern returns the index of v in the list, and adds v if the list does not have it.
func intern[T comparable](list *[]T, v T) uint8 {
	// The list is short: a path has few names, and a block has few types of records.
	i := slices.Index(*list, v)
	if i < 0 {
		i = len(*list)
		*list = append(*list, v)
	}
	return uint8(i)
}

func (t *tree) name(i int32) string { return t.names[t.nodes[i].name] }

func (t *tree) recordOf(n *node) *layout.Record { return t.records[n.record] }

// record returns the record of node i. It is nil for a part that is not a record, and for a record that cannot be
// read.
func (t *tree) record(i int32) *layout.Record { return t.records[t.nodes[i].record] }

// structure returns the bytes of the C structure of a record.
func (t *tree) structure(n *node) layout.Span {
	return layout.NewSpan(t.b[n.off:n.off+int64(t.recordOf(n).Size)], n.off)
}

func (t *tree) bytes(i int32) []byte {
	n := &t.nodes[i]
	return t.b[n.off:n.end:n.end]
}

// path returns the path of node i, as [layout.Walk] yields it.
func (t *tree) path(i int32) layout.Path {
	n := &t.nodes[i]
	switch {
	case n.parent < 0:
		return layout.Path{}
	case n.index < 0:
		return t.path(n.parent).Field(t.name(i))
	case t.isText(i):
		return layout.Path{}.At("entry", int(n.index)).Field(t.name(i))
	}
	return t.path(n.parent).At(t.name(i), int(n.index))
}

// isText reports whether node i is the string of an entry, or the gap before the string.
func (t *tree) isText(i int32) bool {
	return t.nodes[i].index >= 0 && (t.name(i) == "Text" || t.name(i) == "gap")
}

// ancestor returns the innermost node with the record r: node i, or a node that contains node i. It returns -1 if there
// is none.
func (t *tree) ancestor(i int32, r *layout.Record) int32 {
	for i >= 0 && t.record(i) != r {
		i = t.nodes[i].parent
	}
	return i
}

// codePage returns the code page of the names in node i.
func (t *tree) codePage(i int32) uint32 {
	if o := t.ancestor(i, &layout.PERF_OBJECT_TYPE); o >= 0 {
		return layout.Object{Span: t.structure(&t.nodes[o])}.CodePage()
	}
	return 0
}

// elements returns the nodes directly in node i that have the given name.
func (t *tree) elements(i int32, name string) []int32 {
	var list []int32
	for x := i + 1; x < t.nodes[i].next; x = t.nodes[x].next {
		if t.name(x) == name {
			list = append(list, x)
		}
	}
	return list
}

// countersIn returns the counters of an object, in the order of their indexes. It caches the counters of one object.
func (t *tree) countersIn(object int32) []int32 {
	if t.lastObject != object {
		t.lastObject, t.counters = object, t.elements(object, "counter")
	}
	return t.counters
}

func (t *tree) counter(i int32) layout.Counter { return layout.Counter{Span: t.structure(&t.nodes[i])} }

// parentOf returns the parent of an instance of V1, or -1.
func (t *tree) parentOf(instance int32) int32 {
	in := layout.Instance{Span: t.structure(&t.nodes[instance])}
	if in.ParentObjectTitleIndex() == 0 {
		return -1
	}
	if t.instances == nil {
		t.instances = make(map[uint32][]int32)
		for _, o := range t.elements(whole, "object") {
			if t.record(o) == nil {
				continue
			}
			title := layout.Object{Span: t.structure(&t.nodes[o])}.ObjectNameTitleIndex()
			if _, known := t.instances[title]; !known {
				t.instances[title] = t.elements(o, "instance")
			}
		}
	}
	return elementAt(t.instances[in.ParentObjectTitleIndex()], int64(in.ParentObjectInstance()))
}

// elementAt returns element i of a list, or -1.
func elementAt(list []int32, i int64) int32 {
	if i < 0 || i >= int64(len(list)) {
		return -1
	}
	return list[i]
}
