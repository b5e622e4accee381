package identity

import (
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/perfblock/perfblock/layout"
)

// mark is the first character of a name in an identity. It separates the name from the ids before it.
const mark = `"`

// maxName is the maximum length, in bytes, of a name in an identity. Windows limits names to 1,024 characters of
// UTF-16, but a hostile block can have a name of a gigabyte.
const maxName = 2 * 1024

// read sets the identities of all elements.
func (n *namer) read(kind layout.Kind, b []byte) {
	of := func(name string) listKey { return listKey{-1, name} }
	switch kind {
	case layout.DataBlockKind:
		header, err := layout.Find(kind, b, layout.Path{}.Field("HeaderLength"))
		if at, _ := header.Int(); err == nil && at <= int64(len(b)) {
			n.base = at
			n.objects(valid(layout.ReadObjects(b[at:])))
		}
	case layout.ObjectsKind:
		n.objects(valid(layout.ReadObjects(b)))
	case layout.QueryDataKind:
		if query, err := layout.ReadQueryData(b); err == nil {
			n.results(valid(query.Results()))
		}
	case layout.InstancesKind:
		n.find(of("instance"), elements(valid(layout.ReadInstanceHeaders(b)), appendHeader))
	case layout.IdentifiersKind:
		n.find(of("identifier"), elements(valid(layout.ReadCounterIdentifiers(b)), appendIdentifier))
	case layout.RegSetKind:
		if set, err := layout.ReadCounterSetRegInfo(b); err == nil {
			n.find(of("counter"), elements(valid(set.Counters()), appendID))
		}
	case layout.TemplateKind:
		if set, err := layout.ReadCounterSetInfo(b); err == nil {
			n.find(of("counter"), elements(valid(set.Counters()), appendID))
		}
	case layout.RegCounterKind:
		if counter, err := layout.ReadCounterRegInfo(b); err == nil {
			n.find(of("counter"), elements(slices.Values([]layout.CounterRegInfo{counter}), appendID))
		}
	case layout.StringsKind:
		if buffer, err := layout.ReadStringBuffer(b); err == nil {
			n.find(of("entry"), elements(buffer.Entries(), appendEntry))
		}
	case layout.RegGUIDKind, layout.GUIDsKind:
		n.find(of("guid"), fixed(0, layout.SizeofGUID, valid(layout.ReadGUIDs(b)), func(dst []byte, g layout.GUID) []byte { return g.Append(dst) }))
	}
}

// objects sets the identities of objects, counters and instances.
func (n *namer) objects(all iter.Seq[layout.Object]) {
	n.find(listKey{-1, "object"}, elements(all, func(dst []byte, o layout.Object) []byte {
		return appendNumber(dst, o.ObjectNameTitleIndex())
	}))
	for o := range wanted(n, "object", all) {
		n.find(listKey{o.Index(), "counter"}, elements(valid(o.Counters()), func(dst []byte, c layout.Counter) []byte {
			return appendNumber(dst, c.CounterNameTitleIndex())
		}))
		if o.NumInstances() > 0 {
			n.find(listKey{o.Index(), "instance"}, rows(func(r *layout.Rows) error { return r.Open(o) }, currentInstance, elements(valid(o.Instances()), appendInstance)))
		}
	}
}

// results sets the identities of the counter ids and of the instances in each result. The position of a result in the
// query identifies the result.
func (n *namer) results(all iter.Seq[layout.Result]) {
	for r := range wanted(n, "result", all) {
		if ids, err := r.IDs(); err == nil {
			n.find(listKey{r.Index(), "id"}, fixed(ids.Off()+layout.SizeofMultiCounters, 4, ids.All(), appendNumber))
		}
		if in, err := r.Instances(); err == nil && r.HasInstances() {
			n.find(listKey{r.Index(), "instance"}, rows(func(all *layout.Rows) error { return all.OpenResult(r) }, currentHeader, elements(valid(in.All()), appendHeader)))
		}
	}
}

// wanted yields only the elements that contain findings. all has the elements of a list in the block itself, such as
// the objects. name is the name of this list, such as "object".
func wanted[V interface{ Index() int }](n *namer, name string, all iter.Seq[V]) iter.Seq[V] {
	return func(yield func(V) bool) {
		in := n.lists[listKey{-1, name}]
		left := len(in)
		for v := range all {
			if in[v.Index()] == nil {
				continue
			}
			if left--; !yield(v) || left == 0 {
				return
			}
		}
	}
}

// valid yields the elements before the first error.
func valid[V any](all iter.Seq2[V, error]) iter.Seq[V] {
	return func(yield func(V) bool) {
		for v, err := range all {
			if err != nil || !yield(v) {
				return
			}
		}
	}
}

type span interface {
	Off() int64
	End() int64
}

// unknownEnd means that the end of an instance is not known. The instance then ends at the start of the next
// instance.
const unknownEnd = math.MaxInt64 / 2

// end returns the offset at which the contents of a record end.
func end[V span](v V) int64 {
	switch any(v).(type) {
	case layout.Instance, layout.InstanceHeader:
		return unknownEnd
	}
	return v.End()
}

// rows yields the instances of an object or a result. It reads them with a [layout.Rows], which is much faster than
// views.
func rows(open func(*layout.Rows) error, current func([]byte, *layout.Rows) (int64, []byte), views iter.Seq2[extent, []byte]) iter.Seq2[extent, []byte] {
	return func(yield func(extent, []byte) bool) {
		var r layout.Rows
		var text []byte
		read := 0
		if open(&r) == nil {
			for r.Next() {
				off, identity := current(text[:0], &r)
				if !yield(extent{off, unknownEnd}, identity) {
					return
				}
				text = identity
				read++
			}
		}
		if r.Err() == nil {
			return
		}
		for at, identity := range views { // after a fault, views read the other instances
			if read > 0 {
				read--
				continue
			}
			if !yield(at, identity) {
				return
			}
		}
	}
}

func currentInstance(dst []byte, r *layout.Rows) (int64, []byte) {
	in := r.Instance()
	return in.Off(), appendNamed(dst, in.UniqueID(), r.Name())
}

func currentHeader(dst []byte, r *layout.Rows) (int64, []byte) {
	in := r.InstanceHeader()
	return in.Off(), appendNumbered(dst, in.InstanceId(), r.Name())
}

// elements yields the extent and the identity of each element. The next iteration overwrites the
// identity.
func elements[V span](all iter.Seq[V], identity func([]byte, V) []byte) iter.Seq2[extent, []byte] {
	return func(yield func(extent, []byte) bool) {
		var text []byte
		for v := range all {
			if text = identity(text[:0], v); !yield(extent{v.Off(), end(v)}, text) {
				return
			}
		}
	}
}

// fixed is [elements] for elements that all have the given size. The list starts at off.
func fixed[V any](off, size int64, all iter.Seq[V], identity func([]byte, V) []byte) iter.Seq2[extent, []byte] {
	return func(yield func(extent, []byte) bool) {
		var text []byte
		for v := range all {
			if text = identity(text[:0], v); !yield(extent{off, off + size}, text) {
				return
			}
			off += size
		}
	}
}

func appendNumber(dst []byte, n uint32) []byte { return strconv.AppendUint(dst, uint64(n), 10) }

func appendID[V interface{ CounterId() uint32 }](dst []byte, v V) []byte {
	return appendNumber(dst, v.CounterId())
}

func appendEntry(dst []byte, e layout.StringCounter) []byte {
	return appendNumber(dst, e.DwCounterId())
}

func appendInstance(dst []byte, in layout.Instance) []byte {
	name, err := in.Name()
	if err != nil {
		return dst
	}
	return appendNamed(dst, in.UniqueID(), name)
}

// appendNamed appends the identity of an instance of an object. The identity is the UniqueID if the instance has a
// UniqueID and no name, otherwise the name.
func appendNamed(dst []byte, id int32, name layout.Name) []byte {
	if name.Len() <= name.Unit() && id != layout.PERF_NO_UNIQUE_ID {
		return strconv.AppendInt(dst, int64(id), 10)
	}
	return appendName(dst, name)
}

func appendHeader(dst []byte, in layout.InstanceHeader) []byte {
	return appendNumbered(dst, in.InstanceId(), in.Name())
}

// appendNumbered appends the identity of an instance of query data.
func appendNumbered(dst []byte, id uint32, name layout.Name) []byte {
	return appendName(append(appendNumber(dst, id), ','), name)
}

func appendIdentifier(dst []byte, id layout.CounterIdentifier) []byte {
	dst = append(id.CounterSetGuid().Append(dst), ',')
	dst = append(appendNumber(dst, id.CounterId()), ',')
	dst = append(appendNumber(dst, id.InstanceId()), ',')
	return appendName(dst, id.Name())
}

// appendName appends a name to an identity, up to the first NUL. If the name is too long or not UTF-16, the result is
// empty, and the element has no identity.
func appendName(dst []byte, name layout.Name) []byte {
	if name.Len() > maxName {
		return dst[:0]
	}
	named, err := name.AppendText(append(dst, mark...))
	if err == nil {
		return named
	}
	text := name.Bytes()
	if end := name.IndexNUL(); end >= 0 {
		text = text[:end]
	}
	if name.CodePage != 0 {
		return append(named, text...)
	}
	decoded, err := layout.DecodeUTF16(text)
	if err != nil {
		return dst[:0]
	}
	return append(named, decoded...)
}
