package layout

// A Record describes one C structure: the offset, type and role of each field. The sums
// that package builder computes and the requirements that package validate checks are
// written separately, so that an error in the table does not pass in both.
type Record struct {
	C      string  // name in C
	Size   uint32  // bytes of the structure
	Align  uint32  // alignment of the structure in C, in bytes
	Name   string  // the record's name in Go, without PERF_
	View   string  // the name of its view, "" if it has none
	In     string  // its path element, "" for the first record of a buffer
	Doc    string  // one sentence without its subject
	Source string  // URL of its documentation
	Fields []Field // by offset, without holes
}

// A Field is one member of a [Record].
type Field struct {
	At   uint32 // offset in the record
	Type Type
	Name string // documented name
	Go   string // Go type with names for the values, "" for a plain number
	Role Role
	Doc  string // meaning and valid values
}

// Type is the C type of a field.
type Type uint8

const (
	U16    Type = iota + 1 // WORD
	U32                    // DWORD
	I32                    // LONG
	I64                    // LARGE_INTEGER
	WChar4                 // WCHAR[4]
	Time                   // SYSTEMTIME, itself a record
	U64                    // ULONGLONG
	UUID                   // GUID, itself a record
	Bytes8                 // BYTE[8]
)

var types = [...]struct {
	size      uint32
	c, goName string
}{
	U16:    {2, "WORD", "uint16"},
	U32:    {4, "DWORD", "uint32"},
	I32:    {4, "LONG", "int32"},
	I64:    {8, "LARGE_INTEGER", "int64"},
	WChar4: {8, "WCHAR[4]", "[4]uint16"},
	Time:   {16, "SYSTEMTIME", "SystemTime"},
	U64:    {8, "ULONGLONG", "uint64"},
	UUID:   {16, "GUID", "GUID"},
	Bytes8: {8, "BYTE[8]", "[8]byte"},
}

// Size returns the size of the type in bytes.
func (t Type) Size() uint32 { return types[t].size }

// C returns the name of the type in C.
func (t Type) C() string { return types[t].c }

// Go returns the Go type of the same width.
func (t Type) Go() string { return types[t].goName }

// Role is the purpose of a field. Dumps show where lengths and offsets point, and
// fuzzing selects the bytes to damage by role.
type Role struct {
	Kind RoleKind
	Of   string // what the field measures, counts or points to
	From Origin // start of a Length or Offset
}

// RoleKind is the kind of a [Role].
type RoleKind uint8

const (
	Plain      RoleKind = iota // a value for the consumer
	Length                     // number of bytes of Of, counted from From
	Offset                     // offset of Of, counted from From
	Count                      // number of Of
	TitleIndex                 // index into the title database
	Enum                       // one of the named values
	Flags                      // bit fields
	Constant                   // one valid value
	Reserved                   // written as 0, ignored by readers
	Padding                    // not a member in C; aligns the next field
)

var roleNames = [...]string{
	Plain: "value", Length: "length", Offset: "offset", Count: "count", TitleIndex: "title index",
	Enum: "enumeration", Flags: "flags", Constant: "constant", Reserved: "reserved", Padding: "padding",
}

func (k RoleKind) String() string { return nameOf(roleNames[:], k) }

// Origin is where a length or offset counts from.
type Origin uint8

const (
	Nowhere      Origin = iota // a plain number of bytes
	RecordStart                // the first byte of the field's own record
	CounterStart               // the first byte of each PERF_COUNTER_BLOCK
	BufferStart                // the first byte of the whole buffer
)

var originNames = [...]string{Nowhere: "", RecordStart: "the start of this record", CounterStart: "the start of each counter block", BufferStart: "the start of the buffer"}

func (o Origin) String() string { return nameOf(originNames[:], o) }

// Structural reports whether a reader uses the field to find other data: a length, an
// offset or a count.
func (r Role) Structural() bool { return r.Kind == Length || r.Kind == Offset || r.Kind == Count }

// Field returns the field of the given name, or nil if there is none.
func (r *Record) Field(name string) *Field {
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return &r.Fields[i]
		}
	}
	return nil
}

// length returns the field with the length of the record and its contents: the first
// length that counts from the start of the record. It returns nil if there is none.
func (r *Record) length() *Field {
	for i := range r.Fields {
		if role := r.Fields[i].Role; role.Kind == Length && role.From == RecordStart {
			return &r.Fields[i]
		}
	}
	return nil
}

// blank returns zeros for a view that is returned with an error, so that a caller who
// ignores the error reads zeros.
func (r *Record) blank() Span { return Span{b: make([]byte, r.Size)} }

// short returns the error that s is too short for the structure of r.
func (r *Record) short(s Span, path Path) *Error {
	return &Error{Path: path, Off: s.off, Len: s.Len(), Err: Faultf(ErrShort, "%d bytes are less than the %d of a %s", s.Len(), r.Size, r.C)}
}

// fault returns an error at a field of the record at the start of s.
func (r *Record) fault(field string, s Span, path Path, err error) *Error {
	f := r.Field(field)
	return &Error{Path: path.Field(field), Off: s.off + int64(f.At), Len: int(f.Type.Size()), Err: err}
}

// part returns the field f of the record at the start of s, which is at least as long
// as the structure.
func (r *Record) part(f *Field, s Span, path Path) Part {
	end := f.At + f.Type.Size()
	return Part{Span: Span{s.b[f.At:end:end], s.off + int64(f.At)}, Path: path.Field(f.Name), Sort: FieldPart, Record: r, Field: f, Base: s.off}
}
