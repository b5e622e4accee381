package layout

import "errors"

// An Index finds the parts of one block by their paths. It reads each object once,
// when first asked about it, so many look-ups cost little more than one.
type Index struct {
	kind    Kind
	b       []byte
	data    DataBlock
	objects []objectIndex
	broken  error  // what is wrong with the header
	err     error  // what ended the objects
	perflib finder // of a kind of V2
}

type objectIndex struct {
	Object
	read      bool
	counters  []Counter
	instances []Instance
	ends      []uint64 // where values end in a block, in order
	cErr      error    // what ended the counters
	iErr      error    // what ended the instances
}

// NewIndex returns an index of b. A block that is broken is read as far as it goes.
func NewIndex(kind Kind, b []byte) *Index {
	x := &Index{kind: kind, b: b}
	all := ReadObjects(b)
	switch kind {
	case DataBlockKind:
		if x.data, x.broken = ReadDataBlock(b); x.broken != nil {
			x.err = x.broken
			return x
		}
		all = x.data.Objects()
	case ObjectsKind:
	default:
		if x.perflib = newFinder(kind, b); x.perflib != nil {
			return x
		}
		x.err = &Error{Len: len(b), Err: Faultf(ErrRange, "%v is no kind of block", kind)}
		return x
	}
	for o, err := range all {
		if err != nil {
			x.err = err
			break
		}
		x.objects = append(x.objects, objectIndex{Object: o})
	}
	return x
}

// Find returns the part that path names: a field, a Name or SystemName, a
// value[i], the padding behind a name or behind the last value of a block, or a
// whole record with what it holds (object[0].instance[1] is the definition and
// its name; its block is object[0].instance[1].block). Of a buffer of V2 it finds the
// same by the paths that [Walk] gives, with result[0].ids.id[1], result[0].data[1].value,
// guid[1] or entry[1].Text among them.
//
// The error is an [*Error]: of the path itself, wrapping [ErrPath] and with Off -1, or
// where a fault is in the way, that fault at its place.
func (x *Index) Find(path Path) (Part, error) {
	steps := path.Elems()
	for _, e := range steps {
		if e.Index < 0 {
			return Part{}, &Error{Path: path, Off: -1, Err: Faultf(ErrPath, "there is no %s[%d]", e.Name, e.Index)}
		}
	}
	p, err := x.find(steps)
	if _, placed := errors.AsType[*Error](err); placed {
		return Part{}, err
	}
	if err != nil {
		return Part{}, &Error{Path: path, Off: -1, Err: err}
	}
	p.Path = path
	return p, nil
}

func (x *Index) find(steps []Elem) (Part, error) {
	switch {
	case len(steps) == 0 && int(x.kind) >= len(kindNames):
		return Part{}, x.err
	case len(steps) == 0:
		return Part{Span: NewSpan(x.b, 0), Sort: RecordPart}, nil
	case x.perflib != nil:
		return x.perflib.find(steps)
	case steps[0].Indexed && steps[0].Name == "object":
		if steps[0].Index >= len(x.objects) {
			return Part{}, missing("object", steps[0].Index, len(x.objects), x.err)
		}
		o := &x.objects[steps[0].Index]
		o.once()
		return o.find(steps[1:])
	case x.kind != DataBlockKind:
		return Part{}, Faultf(ErrPath, "a block of kind %v has no %s, only object[i]", x.kind, steps[0].Name)
	case len(x.b) < int(PERF_DATA_BLOCK.Size):
		return Part{}, x.err
	}
	return x.header(steps)
}

// header finds what is in the header of a data block; the fields are there even
// where they are wrong.
func (x *Index) header(steps []Elem) (Part, error) {
	whole := NewSpan(x.b, 0)
	switch last := steps[len(steps)-1]; {
	case len(steps) == 2 && steps[0] == Elem{Name: "SystemTime"}:
		f := PERF_DATA_BLOCK.Field("SystemTime")
		return field(&SYSTEMTIME, whole.from(uint64(f.At)), last)
	case len(steps) == 1 && (last == Elem{Name: "SystemName"} || last == Elem{Name: "padding"}):
		if x.broken != nil {
			return Part{}, x.broken
		}
		header, err := x.data.Sub(0, uint64(x.data.HeaderLength()))
		name, nameErr := x.data.SystemName()
		if err = firstOf(err, nameErr); err != nil {
			return Part{}, err
		}
		return around(header, name, last.Name == "padding"), nil
	case len(steps) == 1:
		return field(&PERF_DATA_BLOCK, whole, last)
	}
	return Part{}, Faultf(ErrPath, "no %s in a %s", steps[1].Name, steps[0].Name)
}

func field(r *Record, s Span, e Elem) (Part, error) {
	f := r.Field(e.Name)
	if f == nil || e.Indexed {
		return Part{}, Faultf(ErrPath, "%s has no %s", r.C, e.Name)
	}
	return r.part(f, s, Path{}), nil
}

// around returns the name in s, or the padding behind it.
func around(s Span, name Name, padding bool) Part {
	if padding {
		return Part{Span: s.from(uint64(name.off-s.off) + uint64(name.Len())), Sort: PaddingPart}
	}
	return Part{Span: name.Span, Sort: NamePart, Page: name.CodePage}
}

func missing(what string, i, n int, err error) error {
	if err != nil {
		return err
	}
	return Faultf(ErrPath, "there is no %s[%d]: the block has %d", what, i, n)
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
