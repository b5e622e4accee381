package layout

import (
	"encoding/binary"
)

// A Record describes one C structure: the offset, type and role of each field. Packages builder and validate do not use
// the roles. They compute lengths with separate code, and tests compare this code with the roles.
type Record struct {
	C      string  // name in C
	Size   uint32  // bytes of the structure
	Align  uint32  // alignment of the structure in C, in bytes
	Name   string  // name in Go, without PERF_; "" if the record is only in the documentation
	View   string  // name of the view type, "" if the record has no view
	In     string  // name in a Path, "" for the first record of a buffer
	Doc    string  // a sentence that continues "It", such as "is the header of an object."
	Source string  // URL of the documentation
	Fields []Field // sorted by offset; a Padding field fills each gap
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

// Role is the purpose of a field. Dumps use roles to show where lengths and offsets point.
// Fuzzing uses roles to select the bytes to damage.
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

// Origin is the place from which a length or offset counts.
type Origin uint8

const (
	Nowhere      Origin = iota // a plain number of bytes
	RecordStart                // the first byte of the field's own record
	CounterStart               // the first byte of each PERF_COUNTER_BLOCK
	BufferStart                // the first byte of the whole buffer
)

var originNames = [...]string{Nowhere: "", RecordStart: "the start of this record", CounterStart: "the start of each counter block", BufferStart: "the start of the buffer"}

func (o Origin) String() string { return nameOf(originNames[:], o) }

// Structural reports whether the field is a length, an offset or a count. A reader uses such a field to find other
// data.
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

// length returns the field with the length of the record and its contents, or nil.
func (r *Record) length() *Field {
	for i := range r.Fields {
		if role := r.Fields[i].Role; role.Kind == Length && role.From == RecordStart {
			return &r.Fields[i]
		}
	}
	return nil
}

// blank returns the span of zeros for a view that is returned with an error. A caller who
// ignores the error then reads zeros.
func (r *Record) blank() Span { return Span{b: make([]byte, r.Size)} }

// shortError returns the error for a span that is shorter than the structure of r.
func (r *Record) shortError(s Span, path Path) *Error {
	bytesAre := "bytes are"
	if s.Len() == 1 {
		bytesAre = "byte is"
	}
	return &Error{Path: path, Off: s.off, Len: s.Len(), Err: Faultf(ErrShort, "%d %s less than the %d bytes of a %s", s.Len(), bytesAre, r.Size, r.C)}
}

// fault returns err as an error at the given field. The record of this field is at the start of s.
func (r *Record) fault(field string, s Span, path Path, err error) *Error {
	f := r.Field(field)
	return &Error{Path: path.Field(field), Off: s.off + int64(f.At), Len: int(f.Type.Size()), Err: err}
}

var le = binary.LittleEndian

// A Span is a range of the caller's bytes with its offset in the input. It copies nothing.
type Span struct {
	b   []byte
	off int64
}

// NewSpan returns the span of all of b. The first byte of b is at offset off of the input.
func NewSpan(b []byte, off int64) Span { return Span{b, off} }

// Bytes returns the bytes of the span, without a copy.
func (s Span) Bytes() []byte { return s.b }

// Off returns the offset of the first byte from the start of the input.
func (s Span) Off() int64 { return s.off }

// End returns the offset after the last byte.
func (s Span) End() int64 { return s.off + int64(len(s.b)) }

// Len returns the number of bytes.
func (s Span) Len() int { return len(s.b) }

// Sub returns the n bytes that start at the offset. If offset plus n is more than the length of the
// span, the error wraps [ErrBounds].
func (s Span) Sub(offset, n uint64) (Span, error) {
	size := uint64(len(s.b))
	if offset > size || n > size-offset { // offset + n can overflow
		return Span{}, Faultf(ErrBounds, "%d bytes from 0x%x do not fit into %d bytes", n, offset, size)
	}
	return Span{s.b[offset : offset+n : offset+n], s.off + int64(offset)}, nil
}

// Number returns the unsigned number in a span of 4 or 8 bytes, and true. It returns 0 and false for a span of any
// other length.
func (s Span) Number() (uint64, bool) {
	switch s.Len() {
	case 4:
		return uint64(le.Uint32(s.b)), true
	case 8:
		return le.Uint64(s.b), true
	}
	return 0, false
}

// skipBytes returns the bytes of s after the first n bytes. It panics if s has fewer than n bytes.
func (s Span) skipBytes(n uint64) Span { return Span{s.b[n:], s.off + int64(n)} }

func (s Span) hasStructure(r *Record) bool { return uint64(s.Len()) >= uint64(r.Size) }

// record returns the record at the start of s: the bytes up to its declared length, or only the structure if r has no
// length field. On an error it returns a span of zeros. The path of the error is relative to the record.
func (s Span) record(r *Record) (Span, *Error) {
	if !s.hasStructure(r) {
		return r.blank(), r.shortError(s, Path{})
	}
	length := r.length()
	if length == nil {
		return Span{s.b[:r.Size:r.Size], s.off}, nil
	}
	n := le.Uint32(s.b[length.At:])
	whole, err := s.Sub(0, uint64(n))
	if n < r.Size {
		err = Faultf(ErrBounds, "%d is less than the %d bytes of a %s", n, r.Size, r.C)
	}
	if err != nil {
		return r.blank(), r.fault(length.Name, s, Path{}, err)
	}
	return whole, nil
}

// recordAt returns the result of [Span.record]. If there is an error, recordAt calls the
// function `path`, and puts the path that this function returns before the path of the error.
func (s Span) recordAt(r *Record, path func() Path) (Span, error) {
	whole, err := s.record(r)
	if err != nil {
		return whole, err.prefixPath(path())
	}
	return whole, nil // not err, which is a nil *Error
}

// readWhole returns the record at the start of b, up to the length that the record declares.
// On an error it returns a span of zeros.
func readWhole(r *Record, b []byte) (Span, error) {
	return NewSpan(b, 0).recordAt(r, func() Path { return Path{} })
}

// validLength returns the declared length of the record at the start of s, or 0 if the length is out of range. It
// does not allocate.
func (s Span) validLength(r *Record) uint64 {
	if !s.hasStructure(r) {
		return 0
	}
	n := le.Uint32(s.b[r.length().At:])
	if n < r.Size || uint64(n) > uint64(s.Len()) {
		return 0
	}
	return uint64(n)
}

// truncated reports whether s has the whole structure of r, but fewer bytes than the record
// declares.
func (s Span) truncated(r *Record) bool {
	return s.hasStructure(r) && uint64(le.Uint32(s.b[r.length().At:])) > uint64(s.Len())
}

// rows yields n records without a length field, one after the other. It stops after the first
// error.
func (s Span) rows(r *Record, n uint32, yield func(Span, int, error) bool) {
	for i := range uint64(n) {
		row, err := s.recordAt(r, func() Path { return Path{}.At(r.In, int(i)) })
		if !yield(row, int(i), err) || err != nil {
			return
		}
		s = s.skipBytes(uint64(r.Size))
	}
}

// table returns a Span with the header at the start of s and the rows after the header. If s is too short for all rows,
// table returns no error: [Span.rows] yields the error at the first missing row.
func (s Span) table(head, row *Record) (Span, error) {
	if !s.hasStructure(head) {
		return head.blank(), head.shortError(s, Path{})
	}
	size := uint64(head.Size) + uint64(s.numCounters(head))*uint64(row.Size)
	return s.Sub(0, min(uint64(s.Len()), size))
}

// numCounters returns the NumCounters of the header at the start of s.
func (s Span) numCounters(head *Record) uint32 { return le.Uint32(s.b[head.Field("NumCounters").At:]) }

// name returns the UTF-16 name in the record s. offset and length are the names of the fields that locate the name. The
// parameter path is the path of the record.
func (s Span) name(r *Record, path Path, offset, length string) (Name, error) {
	from := uint64(le.Uint32(s.b[r.Field(offset).At:]))
	n := uint64(le.Uint32(s.b[r.Field(length).At:]))
	switch {
	case from < uint64(r.Size):
		return Name{}, r.fault(offset, s, path, Faultf(ErrBounds, "%d is inside the structure, which has %d bytes", from, r.Size))
	case from > uint64(s.Len()):
		return Name{}, r.fault(offset, s, path, Faultf(ErrBounds, "%d is after the end of the record at %d", from, s.Len()))
	}
	name, err := s.Sub(from, n)
	if err != nil {
		return Name{}, r.fault(length, s, path, err)
	}
	return Name{Span: name}, nil
}

// untilNUL returns the UTF-16 text at the start of s, up to and including its first NUL, or
// all of s if there is no NUL.
func (s Span) untilNUL() Name {
	name := Name{Span: s}
	if i := name.IndexNUL(); i >= 0 {
		name.Span = Span{s.b[: i+2 : i+2], s.off}
	}
	return name
}
