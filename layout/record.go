package layout

// A Record describes one C structure of the format: what is where, and what it
// is for. It describes; it does not decide. What the builder computes and what a
// rule demands is written by hand, apart from it and from each other.
type Record struct {
	C      string  // the structure's name in C
	Size   uint32  // bytes
	Align  uint32  // of the C structure, in bytes
	Name   string  // the record's name in Go, without PERF_
	View   string  // the name of its view, "" if it has none
	In     string  // path element under which it stands, "" for the header
	Doc    string  // one sentence, without its subject
	Source string  // where it is documented
	Fields []Field // in order of offset, without holes
}

// A Field is one member of a [Record].
type Field struct {
	At   uint32 // offset in the record
	Type Type
	Name string // the member's documented name
	Go   string // the Go type that names its values, "" for the plain one
	Role Role
	Doc  string // meaning and legal values
}

// Type is the C type of a field.
type Type uint8

const (
	U16    Type = iota + 1 // WORD
	U32                    // DWORD
	I32                    // LONG
	I64                    // LARGE_INTEGER
	WChar4                 // WCHAR[4]
	Time                   // SYSTEMTIME, a record of its own
	U64                    // ULONGLONG
	UUID                   // GUID, a record of its own
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

// Size returns the bytes a field of the type takes.
func (t Type) Size() uint32 { return types[t].size }

// C returns the type's name in C.
func (t Type) C() string { return types[t].c }

// Go returns the type of the same width in Go.
func (t Type) Go() string { return types[t].goName }

// Role says what a field does in the format. Dumps draw their arrows from it,
// and fuzzing chooses by it which bytes to damage.
type Role struct {
	Kind RoleKind
	Of   string // what is measured, counted or pointed to
	From Origin // for Length and Offset
}

// RoleKind is the sort of a [Role].
type RoleKind uint8

const (
	Plain      RoleKind = iota // a value for the consumer
	Length                     // bytes of Of, counted from From
	Offset                     // place of Of, counted from From
	Count                      // number of Of
	TitleIndex                 // index into the title database
	Enum                       // one of the named values
	Flags                      // bit fields
	Constant                   // one legal value
	Reserved                   // written 0, ignored
	Padding                    // no member in C: aligns the next
)

var roleNames = [...]string{
	Plain: "value", Length: "length", Offset: "offset", Count: "count", TitleIndex: "title index",
	Enum: "enumeration", Flags: "flags", Constant: "constant", Reserved: "reserved", Padding: "padding",
}

func (k RoleKind) String() string { return nameOf(roleNames[:], k) }

// Origin is the place from which a length or offset counts.
type Origin uint8

const (
	Nowhere      Origin = iota // counts from nothing: a plain number of bytes
	RecordStart                // the first byte of the field's own record
	CounterStart               // the first byte of each PERF_COUNTER_BLOCK
	BufferStart                // the first byte of the whole buffer
)

var originNames = [...]string{Nowhere: "", RecordStart: "the start of this record", CounterStart: "the start of each counter block", BufferStart: "the start of the buffer"}

func (o Origin) String() string { return nameOf(originNames[:], o) }

// Structural reports whether a wrong value in the field can mislead a reader
// about where something is.
func (r Role) Structural() bool { return r.Kind == Length || r.Kind == Offset || r.Kind == Count }

// length returns the field that says how long the record is with all that is in it,
// the first length that counts from its start; nil if there is none.
func (r *Record) length() *Field {
	for i := range r.Fields {
		if role := r.Fields[i].Role; role.Kind == Length && role.From == RecordStart {
			return &r.Fields[i]
		}
	}
	return nil
}

// Field returns the field of the given name, nil if there is none.
func (r *Record) Field(name string) *Field {
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return &r.Fields[i]
		}
	}
	return nil
}
