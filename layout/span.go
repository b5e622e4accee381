package layout

import "encoding/binary"

var le = binary.LittleEndian

// A Span is a range of the caller's bytes with its offset in the input. It copies nothing.
type Span struct {
	b   []byte
	off int64
}

// NewSpan returns the span of all of b, which starts at offset off of the input.
func NewSpan(b []byte, off int64) Span { return Span{b, off} }

// Bytes returns the bytes of the span, without a copy.
func (s Span) Bytes() []byte { return s.b }

// Off returns the offset of the first byte from the start of the input.
func (s Span) Off() int64 { return s.off }

// End returns the offset after the last byte.
func (s Span) End() int64 { return s.off + int64(len(s.b)) }

// Len returns the number of bytes.
func (s Span) Len() int { return len(s.b) }

// Sub returns the n bytes from at. It is the only range check of the package. The
// arguments are widened and subtracted, never added, so nothing overflows.
func (s Span) Sub(at, n uint64) (Span, error) {
	size := uint64(len(s.b))
	if at > size || n > size-at {
		return Span{}, Faultf(ErrBounds, "%d bytes from 0x%x do not fit into %d bytes", n, at, size)
	}
	return Span{s.b[at : at+n : at+n], s.off + int64(at)}, nil
}

// Number returns the span as an unsigned number, and true, if it has 4 or 8 bytes, the
// widths of counter values.
func (s Span) Number() (uint64, bool) {
	switch s.Len() {
	case 4:
		return uint64(le.Uint32(s.b)), true
	case 8:
		return le.Uint64(s.b), true
	}
	return 0, false
}

// from returns the bytes from at to the end. The caller has checked at.
func (s Span) from(at uint64) Span { return Span{s.b[at:], s.off + int64(at)} }

// has reports whether s is long enough for the structure of r.
func (s Span) has(r *Record) bool { return uint64(s.Len()) >= uint64(r.Size) }

// record returns the record at the start of s with its declared length, which is at
// least the size of the structure. With an error it returns zeros. The path of the error
// starts at the record: see [Error.under].
func (s Span) record(r *Record) (Span, *Error) {
	if !s.has(r) {
		return r.blank(), r.short(s, Path{})
	}
	length := r.length()
	n := le.Uint32(s.b[length.At:])
	whole, err := s.Sub(0, uint64(n))
	if n < r.Size {
		err = Faultf(ErrBounds, "%d is less than the %d of a %s", n, r.Size, r.C)
	}
	if err != nil {
		return r.blank(), r.fault(length.Name, s, Path{}, err)
	}
	return whole, nil
}

// fits returns the declared length of the record at the start of s, or 0 if that is
// less than its structure or more than the length of s. It does not allocate.
func (s Span) fits(r *Record) uint64 {
	if !s.has(r) {
		return 0
	}
	n := le.Uint32(s.b[r.length().At:])
	if n < r.Size || uint64(n) > uint64(s.Len()) {
		return 0
	}
	return uint64(n)
}

// truncated reports whether the structure of r is at the start of s and s ends before
// the declared length.
func (s Span) truncated(r *Record) bool {
	return s.has(r) && uint64(le.Uint32(s.b[r.length().At:])) > uint64(s.Len())
}

// fixed returns the structure of r at the start of s, a record without a length field.
// With an error it returns zeros.
func (s Span) fixed(r *Record, path Path) (Span, error) {
	if !s.has(r) {
		return r.blank(), r.short(s, path)
	}
	return s.Sub(0, uint64(r.Size))
}

// rows yields n records without a length field, one after the other. A fault is the
// last pair.
func (s Span) rows(r *Record, n uint32, yield func(Span, int, error) bool) {
	for i := range uint64(n) {
		row, err := s.fixed(r, Path{}.At(r.In, int(i)))
		if !yield(row, int(i), err) || err != nil {
			return
		}
		s = s.from(uint64(r.Size))
	}
}

// withRows returns the record head at the start of s with the n rows after it, or all
// of s if that has fewer rows. The cursor over the rows then reports the fault.
func (s Span) withRows(head, row *Record, n uint32) (Span, error) {
	return s.Sub(0, min(uint64(s.Len()), uint64(head.Size)+uint64(n)*uint64(row.Size)))
}

// name returns the bytes that an offset and a length field of the record at the start of
// s give. They must be inside s, after the structure. The error is at the offset if that
// alone is out of bounds, otherwise at the length. Its path starts at the record.
func (s Span) name(r *Record, offset, length string) (Span, *Error) {
	from := uint64(le.Uint32(s.b[r.Field(offset).At:]))
	n := uint64(le.Uint32(s.b[r.Field(length).At:]))
	switch {
	case from < uint64(r.Size):
		return Span{}, r.fault(offset, s, Path{}, Faultf(ErrBounds, "%d is inside the structure of %d bytes", from, r.Size))
	case from > uint64(s.Len()):
		return Span{}, r.fault(offset, s, Path{}, Faultf(ErrBounds, "%d is after the end, %d", from, s.Len()))
	}
	name, err := s.Sub(from, n)
	if err != nil {
		return Span{}, r.fault(length, s, Path{}, err)
	}
	return name, nil
}

// text returns the UTF-16 text at an offset from the start of s, up to and with its
// first NUL, or to the end of s if there is none. The offset must be at least first and
// inside s.
func (s Span) text(at, first uint64) (Name, error) {
	if at < first || at >= uint64(s.Len()) {
		return Name{}, Faultf(ErrBounds, "%d is not %d to %d, where the text may start", at, first, s.Len()-1)
	}
	return s.from(at).untilNUL(), nil
}

// untilNUL returns the UTF-16 text at the start of s, with its NUL.
func (s Span) untilNUL() Name {
	name := Name{Span: s}
	if i := name.IndexNUL(); i >= 0 {
		name.Span = Span{s.b[: i+2 : i+2], s.off}
	}
	return name
}
