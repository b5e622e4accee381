package layout

// A Part is one stretch of a block and what stands there, as [Walk] and
// [Index.Find] give it.
type Part struct {
	Span
	Path    Path
	Sort    PartSort
	Record  *Record     // of a field, and of a whole record
	Field   *Field      // of a field
	Base    int64       // where the field's record starts: lengths and offsets count from it
	Type    CounterType // of a value
	Untyped bool        // of a value: its block does not say the type, as none of V2 does
	Page    uint32      // the code page of a name
	Err     error       // why an Unread part was not read
}

// PartSort says what a [Part] is.
type PartSort uint8

const (
	FieldPart   PartSort = iota // a field of a record
	NamePart                    // a name or other text, terminator included
	ValuePart                   // a counter's value
	PaddingPart                 // bytes that belong to a record and hold nothing
	UnreadPart                  // bytes that no length or count leads to, or that a fault hides
	RecordPart                  // a whole record with what it holds; only [Index.Find] gives it
)

var partNames = [...]string{
	FieldPart: "field", NamePart: "name", ValuePart: "value", PaddingPart: "padding", UnreadPart: "unread", RecordPart: "record",
}

func (s PartSort) String() string { return nameOf(partNames[:], s) }

// Name returns the name that a NamePart is.
func (p Part) Name() Name { return Name{p.Span, p.Page} }

// Int returns the value of a field that is a number, sign and all, and true; 0
// and false for any other part. A U64 comes as the int64 with its bits.
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

// GUID returns the GUID that a field is, and true; zeros and false for any other part.
func (p Part) GUID() (GUID, bool) {
	if p.Field == nil || p.Field.Type != UUID {
		return GUID{}, false
	}
	return getGUID(p.b), true
}

// Target returns the offset from the start of the input to which a length or
// offset leads, and whether the field is one that leads anywhere by itself.
func (p Part) Target() (int64, bool) {
	n, ok := p.Int()
	return p.Base + n, ok && p.Field.Role.From == RecordStart
}

// part returns the field f of the record r that starts s; s is at least as long as r.
func (r *Record) part(f *Field, s Span, path Path) Part {
	end := f.At + f.Type.Size()
	return Part{Span: Span{s.b[f.At:end:end], s.off + int64(f.At)}, Path: path.Field(f.Name), Sort: FieldPart, Record: r, Field: f, Base: s.off}
}
