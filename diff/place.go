package diff

import "github.com/perfblock/perfblock/layout"

// A place is a node, or a slot in the node of a counter block.
type place struct {
	t    *tree
	node int32
	slot *slot // nil for the node
}

func (p place) sort() layout.PartSort {
	if p.slot != nil {
		return p.slot.sort
	}
	return p.t.nodes[p.node].sort
}

func (p place) bytes() []byte {
	if p.slot == nil {
		return p.t.bytes(p.node)
	}
	from := p.t.nodes[p.node].off + p.slot.off
	return p.t.b[from : from+p.slot.size : from+p.slot.size]
}

// part returns the part at the place, as [layout.Walk] yields it.
func (p place) part() layout.Part {
	t, n := p.t, &p.t.nodes[p.node]
	part := layout.Part{Span: layout.NewSpan(p.bytes(), n.off), Path: t.path(p.node), Sort: p.sort(), Record: t.recordOf(n)}
	if n.parent < 0 { // the header
		part.Span = t.structure(n)
	}
	if p.slot != nil {
		part.Span, part.Record = layout.NewSpan(p.bytes(), n.off+p.slot.off), nil
		if p.slot.index < 0 {
			part.Path = part.Path.Field(t.names[p.slot.name])
		} else {
			part.Path = part.Path.At(t.names[p.slot.name], int(p.slot.index))
		}
	}
	switch part.Sort {
	case layout.FieldPart:
		part.Field = &part.Record.Fields[0]
	case layout.NamePart:
		part.Page = t.codePage(n.parent)
	case layout.ValuePart:
		if counter := p.counter(); counter >= 0 {
			part.Type = t.counter(counter).CounterType()
		} else {
			part.Untyped = true
		}
	}
	return part
}

// counter returns the definition of the counter to which a V1 value belongs. It returns -1 for other places.
func (p place) counter() int32 {
	object := p.t.ancestor(p.node, &layout.PERF_OBJECT_TYPE)
	if object < 0 || p.slot == nil {
		return -1
	}
	return at(p.t.countersIn(object), int64(p.slot.index))
}

// fieldPart returns a field of the record of node i. For a SYSTEMTIME it returns the
// whole record.
func (t *tree) fieldPart(i int32, f *layout.Field) layout.Part {
	n := &t.nodes[i]
	from := n.off + int64(f.At)
	end := from + int64(f.Type.Size())
	part := layout.Part{Span: layout.NewSpan(t.b[from:end:end], from), Path: t.path(i).Field(f.Name)}
	if f.Type == layout.Time {
		part.Sort, part.Record = layout.RecordPart, &layout.SYSTEMTIME
	} else {
		part.Sort, part.Record, part.Field = layout.FieldPart, t.recordOf(n), f
	}
	return part
}
