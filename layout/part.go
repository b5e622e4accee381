package layout

// A Part is a range of a block and its meaning, as [Walk] and [Find] return it.
type Part struct {
	Span
	Path    Path
	Sort    PartSort
	Record  *Record     // of a field or a whole record
	Field   *Field      // of a field
	Base    int64       // offset of the field's record, from which lengths and offsets count
	Type    CounterType // of a value
	Untyped bool        // the block does not declare the type of the value, as in V2
	Page    uint32      // code page of a name
	Err     error       // why the part was not read or not found
}

// PartSort is the sort of a [Part].
type PartSort uint8

const (
	FieldPart   PartSort = iota // a field of a record
	NamePart                    // a name or another text, with its terminator
	ValuePart                   // a counter value
	PaddingPart                 // bytes of a record that hold no data
	UnreadPart                  // bytes to which no length or count leads, or that a fault hides
	RecordPart                  // a whole record with its contents; only [Find] returns it
)

var partNames = [...]string{
	FieldPart: "field", NamePart: "name", ValuePart: "value", PaddingPart: "padding", UnreadPart: "unread", RecordPart: "record",
}

func (s PartSort) String() string { return nameOf(partNames[:], s) }

// Name returns the name of a NamePart.
func (p Part) Name() Name { return Name{p.Span, p.Page} }

// Int returns the value of a numeric field, and true. It returns 0 and false for other
// parts. A U64 is returned as the int64 with the same bits.
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

// GUID returns the value of a GUID field, and true. It returns zeros and false for other
// parts.
func (p Part) GUID() (GUID, bool) {
	if p.Field == nil || p.Field.Type != UUID {
		return GUID{}, false
	}
	return getGUID(p.b), true
}

// Target returns the offset in the input to which a length or offset points, and whether
// the field points anywhere without other fields.
func (p Part) Target() (int64, bool) {
	n, ok := p.Int()
	return p.Base + n, ok && p.Field.Role.From == RecordStart
}

// An element of a list without a structure is a field of a record made for it. Its
// position in the list is in the path.
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

// element returns the element at the start of s, number index of the list at path.
func element(r *Record, s Span, path Path, index int) Part {
	p := r.part(&r.Fields[0], s, Path{})
	p.Path = path.At(r.In, index)
	return p
}

// untyped returns the part of a value whose type is not in the block.
func untyped(value Span, path Path) Part {
	return Part{Span: value, Path: path, Sort: ValuePart, Untyped: true}
}
