package diff

import (
	"bytes"
	"encoding/binary"

	"github.com/perfblock/perfblock/layout"
)

var le = binary.LittleEndian

// identity returns the identity of node i. The result is valid until the next call of identity or secondKey.
func (t *tree) identity(i int32) []byte {
	t.key = t.appendIdentity(t.key[:0], i)
	return t.key
}

// secondKey returns the second key of node i: see [tree.appendSimilar]. The result is valid as in identity.
func (t *tree) secondKey(i int32) []byte {
	t.key = t.appendSimilar(t.key[:0], i)
	return t.key
}

// appendIdentity appends the identity of node i. The identity is the name of the node, such as "object". For an element
// of a list, the identity also has the data that the package comment lists, such as the title index.
func (t *tree) appendIdentity(dst []byte, i int32) []byte {
	n := &t.nodes[i]
	dst = append(append(dst, t.name(i)...), 0)
	switch {
	case n.index < 0:
		return dst
	case t.isText(i):
		return le.AppendUint32(dst, t.idOf(i))
	case n.record == 0:
		return append(dst, "unread"...)
	}
	s := t.structure(n)
	switch t.recordOf(n) {
	case &layout.PERF_OBJECT_TYPE:
		return le.AppendUint32(dst, layout.Object{Span: s}.ObjectNameTitleIndex())
	case &layout.PERF_COUNTER_DEFINITION:
		dst = le.AppendUint32(dst, layout.Counter{Span: s}.CounterNameTitleIndex())
		return le.AppendUint32(dst, n.extra)
	case &layout.PERF_INSTANCE_DEFINITION:
		in := layout.Instance{Span: s}
		dst = le.AppendUint32(dst, uint32(in.UniqueID()))
		dst = le.AppendUint32(dst, in.ParentObjectTitleIndex())
		return t.appendName(t.appendParent(dst, i), i)
	case &layout.PERF_INSTANCE_HEADER:
		return t.appendName(le.AppendUint32(dst, layout.InstanceHeader{Span: s}.InstanceId()), i)
	case &layout.PERF_COUNTER_HEADER:
		dst = le.AppendUint32(dst, uint32(layout.Result{Span: s}.DwType()))
		for id := i + 1; id < n.next && t.name(id) == "ids"; id = t.nodes[id].next {
			for x := id + 1; x < t.nodes[id].next && t.name(x) == "id"; x++ {
				dst = append(dst, t.bytes(x)...)
			}
		}
		return dst
	case &layout.PERF_COUNTER_DATA:
		return le.AppendUint32(dst, t.idOf(i))
	case &layout.PERF_COUNTER_IDENTIFIER:
		id := layout.CounterIdentifier{Span: s}
		dst = id.CounterSetGuid().Append(dst)
		dst = le.AppendUint32(dst, id.CounterId())
		return t.appendName(le.AppendUint32(dst, id.InstanceId()), i)
	case &layout.PERF_COUNTER_REG_INFO:
		return le.AppendUint32(dst, layout.CounterRegInfo{Span: s}.CounterId())
	case &layout.PERF_COUNTER_INFO:
		return le.AppendUint32(dst, layout.CounterInfo{Span: s}.CounterId())
	case &layout.PERF_STRING_COUNTER_HEADER:
		return le.AppendUint32(dst, layout.StringCounter{Span: s}.DwCounterId())
	}
	return append(dst, s.Bytes()...) // an id or a GUID
}

// longestParent is the largest length in bytes of a parent's name in an identity. The limit bounds the time, because
// many instances can have one parent.
const longestParent = 256

// appendParent appends the parent of a V1 instance to an identity. It appends the first of these that exists:
//   - the index of the parent in the nodes of block A, if the parent matches an instance of the other block
//   - the name of the parent, if the name has at most longestParent bytes
//   - the field ParentObjectInstance of the instance
func (t *tree) appendParent(dst []byte, instance int32) []byte {
	parent := t.parentOf(instance)
	if parent >= 0 && t.match[parent] >= 0 {
		inA := parent
		if !t.isFirst {
			inA = t.match[parent]
		}
		return le.AppendUint32(append(dst, 2), uint32(inA))
	}
	if parent >= 0 {
		if name := t.nameOf(parent); name >= 0 && len(t.bytes(name)) <= longestParent {
			return append(t.appendName(append(dst, 1), parent), 0)
		}
	}
	in := layout.Instance{Span: t.structure(&t.nodes[instance])}
	return le.AppendUint32(append(dst, 0), in.ParentObjectInstance())
}

// appendSimilar appends the second key of node i, such as the help index of an object. Two nodes with different
// identities can match if their second keys are equal. appendSimilar appends nothing if node i has no second key.
func (t *tree) appendSimilar(dst []byte, i int32) []byte {
	n := &t.nodes[i]
	if n.record == 0 || n.index < 0 {
		return dst
	}
	s := t.structure(n)
	switch t.recordOf(n) {
	case &layout.PERF_OBJECT_TYPE:
		if help := (layout.Object{Span: s}).ObjectHelpTitleIndex(); help != 0 {
			return le.AppendUint32(dst, help)
		}
	case &layout.PERF_COUNTER_DEFINITION:
		counter := layout.Counter{Span: s}
		dst = le.AppendUint32(dst, counter.CounterHelpTitleIndex())
		if counter.CounterHelpTitleIndex() == 0 { // a base counter
			dst = le.AppendUint32(le.AppendUint32(dst, uint32(counter.CounterType())), counter.CounterOffset())
		}
		return dst
	case &layout.PERF_INSTANCE_DEFINITION, &layout.PERF_INSTANCE_HEADER:
		return t.appendName(dst, i)
	case &layout.PERF_COUNTER_HEADER:
		return le.AppendUint32(dst, uint32(n.index))
	}
	return dst
}

// appendName appends the name in a record, without terminators.
func (t *tree) appendName(dst []byte, i int32) []byte {
	name := t.nameOf(i)
	if name < 0 {
		return dst
	}
	text := t.bytes(name)
	unit := layout.Name{CodePage: t.codePage(i)}.Unit()
	for len(text) >= unit && allZero(text[len(text)-unit:]) {
		text = text[:len(text)-unit]
	}
	return append(dst, text...)
}

// nameOf returns the index of the node with the name of record i, or -1 if the record has no name.
func (t *tree) nameOf(i int32) int32 {
	for x := i + 1; x < t.nodes[i].next; x = t.nodes[x].next {
		switch n := &t.nodes[x]; {
		case n.sort == layout.NamePart:
			return x
		case n.sort == layout.RecordPart && n.index >= 0:
			return -1 // the elements of a list follow the name, so the record has no name
		}
	}
	return -1
}

// idOf returns the id of the counter of node i, a PERF_COUNTER_DATA or a string. It returns the index of the node if the
// list of ids or entries is too short.
func (t *tree) idOf(i int32) uint32 {
	if id := t.idNode(i); id >= 0 {
		return le.Uint32(t.bytes(id))
	}
	return uint32(t.nodes[i].index)
}

// idNode returns the node with the id of the counter of node i, or -1. For a PERF_COUNTER_DATA, this is an id of its
// result. For a string, this is an entry.
func (t *tree) idNode(i int32) int32 {
	first, listName, index := int32(whole+1), "entry", t.nodes[i].index
	if !t.isText(i) {
		first, listName = t.ancestor(i, &layout.PERF_COUNTER_HEADER)+2, "id" // after the result and the record of the ids
	}
	at := int(first) + int(index)
	if at >= len(t.nodes) || t.name(int32(at)) != listName || t.nodes[at].index != index {
		return -1
	}
	return int32(at)
}

func allZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }
