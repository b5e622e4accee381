package layout

import (
	"iter"
	"math"
)

// Walk yields the parts of a block in the order of their bytes. Every byte of b is in a part. A
// GUID is one part, and each id of a list is one part.
//
// Walk yields all readable parts of a broken block. Where a length or count is not valid, the
// bytes up to the next known record are one UnreadPart with an [*Error]. If the input ends
// before the declared length of the block, of an object, of a result or of its instances, Walk
// yields the readable parts, and then an UnreadPart with an [*Error]. This UnreadPart is usually
// empty. If a value overlaps the ByteLength of its counter block or ends after the block, the
// bytes after the readable values are an UnreadPart with the error of the first such value. Bytes
// that no length or count covers, such as the bytes after the end of a block, are an UnreadPart
// without an error.
//
// If several counters have the same offset, Walk yields only the widest value that fits. It yields values
// of up to 8 bytes even if they overlap other values, and omits larger values that overlap an
// earlier value. If several entries of a string buffer point to the same string, Walk yields
// the string once, for the first entry. It omits a string that starts inside another string.
//
// Time is linear in len(b). Memory is linear in the number of counters of an object, or in the
// number of entries of a string buffer.
func Walk(kind Kind, b []byte) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		w := walker{yield: yield}
		w.walk(kind, NewSpan(b, 0))
	}
}

// A walker yields the parts of a block until the function `yield` returns false. In Find, a walker skips the contents
// of records without wanted parts, and yields even empty names, values and padding.
type walker struct {
	yield func(Part) bool
	done  bool    // yield returned false
	find  *finder // nil in Walk
}

func (w *walker) walk(kind Kind, s Span) {
	switch kind {
	case DataBlockKind:
		w.dataBlock(s)
	case ObjectsKind:
		w.objects(s, toTheEnd)
	case QueryDataKind:
		w.queryData(s)
	case InstancesKind:
		w.instanceHeaders(s)
	case IdentifiersKind:
		w.identifiers(s)
	case RegSetKind:
		w.table(s, &PERF_COUNTERSET_REG_INFO, &PERF_COUNTER_REG_INFO)
	case TemplateKind:
		w.table(s, &PERF_COUNTERSET_INFO, &PERF_COUNTER_INFO)
	case RegCounterKind:
		w.rows(s, &PERF_COUNTER_REG_INFO, 1)
	case RegStringKind:
		w.name(s, ReadRegText(s.b), Path{}, "Text")
	case RegGUIDKind:
		w.guids(s, 1)
	case GUIDsKind:
		w.guids(s, toTheEnd)
	case StringsKind:
		w.strings(s)
	case InstanceBlockKind:
		w.counterSetInstance(s)
	default:
		w.yieldBytes(s, UnreadPart, Path{}.Field("rest"), &Error{Len: s.Len(), Err: Faultf(ErrRange, "%v is not a kind of block", kind)})
	}
}

func (w *walker) part(p Part) {
	if !w.done && !w.yield(p) {
		w.done = true
	}
}

// yieldBytes yields s as a Part with the given sort. It yields nothing if s is empty and err is nil. There is one
// exception: in Find, it yields even empty padding.
func (w *walker) yieldBytes(s Span, sort PartSort, path Path, err error) {
	if err != nil && w.find != nil {
		w.find.setFault(path, err)
	}
	if s.Len() > 0 || err != nil || w.find != nil && sort == PaddingPart {
		w.part(Part{Span: s, Path: path, Sort: sort, Err: err})
	}
}

// record yields the fields of the record at the start of s. It returns false if Find wants no part inside the record.
func (w *walker) record(r *Record, s Span, path Path) bool {
	if w.find != nil && !w.find.enter(r, s, path) {
		return false
	}
	p := Part{Path: path.Field(""), Sort: FieldPart, Record: r} // all fields use this Part, because a Part is large
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Type != Time || w.find != nil {
			end := f.At + f.Type.Size()
			p.Span, p.Field = Span{s.b[f.At:end:end], s.off + int64(f.At)}, f
			p.Path.elems[p.Path.n-1].Name = f.Name
			w.part(p)
		}
		if f.Type == Time {
			w.record(&SYSTEMTIME, s.skipBytes(uint64(f.At)), path.Field(f.Name))
		}
	}
	return true
}

// walkFaulty yields the fields of a faulty record r at the start of s, and the other bytes as an UnreadPart.
func (w *walker) walkFaulty(r *Record, s Span, path Path, err error) {
	if w.find != nil {
		w.find.keepFault(r, path, err)
	}
	if s.hasStructure(r) {
		w.record(r, s, path)
		s = s.skipBytes(uint64(r.Size))
	}
	w.yieldBytes(s, UnreadPart, path.Field("rest"), err)
}

// walkTruncated yields an empty UnreadPart with err at the end of s, because the record in s continues after the
// end of the input.
func (w *walker) walkTruncated(s Span, path Path, err error) {
	if w.find != nil {
		w.find.endList(path.Parent(), err)
	}
	w.yieldBytes(s.skipBytes(uint64(s.Len())), UnreadPart, path.Field("rest"), err)
}

// name yields the parts of s: the gap before the name, the name, and the padding after the
// name.
func (w *walker) name(s Span, name Name, path Path, as string) {
	at := uint64(name.off - s.off)
	gap, _ := s.Sub(0, at)
	w.yieldBytes(gap, PaddingPart, path.Field("gap"), nil)
	if name.Len() > 0 || w.find != nil {
		w.part(Part{Span: name.Span, Path: path.Field(as), Sort: NamePart, Page: name.CodePage})
	}
	w.yieldBytes(s.skipBytes(at+uint64(name.Len())), PaddingPart, path.Field("padding"), nil)
}

// toTheEnd means that a list fills its buffer. The number of records is not known before the end.
const toTheEnd = math.MaxUint64

// list walks n records at the start of s and returns the bytes after the last record. For each record, list calls
// `each` with the record, the bytes after the record, and the index. `each` returns the bytes that start with the next
// record, or false if the start of the next record is not known. list returns false if a record is cut off or has no
// valid length, if `each` returns false, or if w.done is true after a record.
func (w *walker) list(r *Record, s Span, path Path, n uint64, each func(one, after Span, i int) (Span, bool)) (Span, bool) {
	for i := 0; uint64(i) < n && (n != toTheEnd || s.Len() > 0); i++ {
		one, err := s.record(r)
		if err != nil {
			at := path.At(r.In, i)
			w.walkFaulty(r, s, at, err.prefixPath(at))
			return Span{}, false
		}
		var known bool
		if s, known = each(one, s.skipBytes(uint64(one.Len())), i); !known || w.done {
			return Span{}, false
		}
	}
	return s, true
}

// cutList walks n records like list. If the input ends inside a record, cutList also calls `each` with the bytes of
// this incomplete record, and stops.
func (w *walker) cutList(r *Record, s Span, path Path, n uint64, each func(one Span, i int)) {
	for i := 0; uint64(i) < n && (n != toTheEnd || s.Len() > 0) && !w.done; i++ {
		one, err := s.record(r)
		at := path.At(r.In, i)
		switch {
		case err != nil && s.truncated(r):
			each(s, i)
			w.walkTruncated(s, at, err.prefixPath(at))
			return
		case err != nil:
			w.walkFaulty(r, s, at, err.prefixPath(at))
			return
		}
		each(one, i)
		s = s.skipBytes(uint64(one.Len()))
	}
	w.yieldBytes(s, UnreadPart, path.Field("rest"), nil)
}

// table walks a header and the rows after it. NumCounters of the header is the number of rows.
func (w *walker) table(s Span, head, row *Record) {
	if !s.hasStructure(head) {
		w.walkFaulty(head, s, Path{}, head.shortError(s, Path{}))
		return
	}
	w.record(head, s, Path{})
	w.rows(s.skipBytes(uint64(head.Size)), row, s.numCounters(head))
}

func (w *walker) rows(s Span, r *Record, n uint32) {
	rest, known := w.list(r, s, Path{}, uint64(n), func(row, after Span, i int) (Span, bool) {
		w.record(r, row, Path{}.At(r.In, i))
		return after, true
	})
	if known {
		w.yieldBytes(rest, UnreadPart, Path{}.Field("rest"), nil)
	}
}

// A Part is a range of a block and its meaning, as [Walk] and [Find] return it.
type Part struct {
	Span
	Path    Path
	Record  *Record     // FieldPart, RecordPart: the record
	Field   *Field      // FieldPart: the field
	Err     error       // why the part was not read or not found
	Type    CounterType // ValuePart: type of the counter
	Page    uint32      // NamePart: code page
	Sort    PartSort
	Untyped bool // ValuePart: the block does not declare the type, as in V2
}

// PartSort is the sort of a [Part].
type PartSort uint8

const (
	FieldPart   PartSort = iota // a field of a record
	NamePart                    // a name or another text, with its terminator
	ValuePart                   // a counter value
	PaddingPart                 // bytes of a record that hold no data
	UnreadPart                  // bytes that no length or count covers, or that a fault makes unreadable
	RecordPart                  // a whole record with its contents; only [Find] returns it
)

var partNames = [...]string{
	FieldPart: "field", NamePart: "name", ValuePart: "value", PaddingPart: "padding", UnreadPart: "unread", RecordPart: "record",
}

func (s PartSort) String() string { return nameOf(partNames[:], s) }

// Name returns the name of a NamePart.
func (p Part) Name() Name { return Name{p.Span, p.Page} }

// Int returns the value of a numeric field, and true. It returns 0 and false for any other
// part. It returns a U64 as the int64 with the same bits.
func (p Part) Int() (int64, bool) {
	if p.Field == nil {
		return 0, false
	}
	switch p.Field.Type {
	case U16:
		return int64(le.Uint16(p.b)), true
	case U32:
		return int64(le.Uint32(p.b)), true
	case I32:
		return int64(int32(le.Uint32(p.b))), true
	case I64, U64:
		return int64(le.Uint64(p.b)), true
	}
	return 0, false
}

// GUID returns the value of a GUID field, and true. It returns the zero GUID and false for any
// other part.
func (p Part) GUID() (GUID, bool) {
	if p.Field == nil || p.Field.Type != UUID {
		return GUID{}, false
	}
	return getGUID(p.b), true
}

// Base returns the offset of the field's record in the input. It panics if p is not a FieldPart.
func (p Part) Base() int64 { return p.off - int64(p.Field.At) }

// Target returns the offset in the input to which a length or offset field points. ok is false for other fields,
// and for lengths and offsets that do not count from the start of their record.
func (p Part) Target() (at int64, ok bool) {
	n, ok := p.Int()
	if !ok || p.Field.Role.From != RecordStart {
		return 0, false
	}
	return p.Base() + n, true
}

// counterID describes an id in a list of ids. listedGUID describes a GUID in a list of GUIDs. Each of the two records
// has one field.
var (
	counterID = Record{
		C: "ULONG", Size: idBytes, Align: idBytes, Name: "uint32", In: "id",
		Doc:    "is the id of a counter.",
		Fields: []Field{{At: 0, Type: U32, Name: "id", Role: Role{Kind: Plain}, Doc: "of a counter of the set"}},
	}
	listedGUID = Record{
		C: "GUID", Size: SizeofGUID, Align: GUIDRecord.Align, Name: "GUID", In: "guid", Source: GUIDRecord.Source,
		Doc:    "is an element of a list.",
		Fields: []Field{{At: 0, Type: UUID, Name: "guid", Role: Role{Kind: Plain}, Doc: "of a counter set or a provider"}},
	}
)

// listElement returns the Part of an element of a list. The parameter path is the path of the list.
func listElement(r *Record, element Span, path Path, index int) Part {
	return Part{Span: element, Path: path.At(r.In, index), Sort: FieldPart, Record: r, Field: &r.Fields[0]}
}

// untyped returns a Part for a value whose type is not in the block.
func untyped(value Span, path Path) Part {
	return Part{Span: value, Path: path, Sort: ValuePart, Untyped: true}
}
