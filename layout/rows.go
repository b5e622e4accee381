package layout

// short returns that s is too short for the record.
func (r *Record) short(s Span, path Path) *Error {
	return &Error{Path: path, Off: s.off, Len: s.Len(), Err: Faultf(ErrShort, "%d bytes are less than the %d of a %s", s.Len(), r.Size, r.C)}
}

// fault returns an error at a field of the record, which s starts with.
func (r *Record) fault(field string, s Span, path Path, err error) *Error {
	f := r.Field(field)
	return &Error{Path: path.Field(field), Off: s.off + int64(f.At), Len: int(f.Type.Size()), Err: err}
}

// fixed returns the record at the start of s, one without a length of its own, and
// with an error zeros.
func (s Span) fixed(r *Record, path Path) (Span, error) {
	if uint64(s.Len()) < uint64(r.Size) {
		return r.blank(), r.short(s, path)
	}
	return s.Sub(0, uint64(r.Size))
}

// table returns the record at the start of s with the n rows behind it, or with all
// there is where those are not there; the cursor over them tells.
func (s Span) table(head, row *Record, n uint32) (Span, error) {
	return s.Sub(0, min(uint64(s.Len()), uint64(head.Size)+uint64(n)*uint64(row.Size)))
}

// rows yields n records without a length of their own, one after the other. A fault is
// the last pair.
func (s Span) rows(r *Record, n uint32, yield func(Span, int, error) bool) {
	for i := range uint64(n) {
		row, err := s.fixed(r, Path{}.At(r.In, int(i)))
		if !yield(row, int(i), err) || err != nil {
			return
		}
		s = s.from(uint64(r.Size))
	}
}

// text returns the UTF-16 at an offset from the start of s, up to its first NUL and
// that included, or all there is if there is none. The offset must not lead into the
// first bytes, nor behind the last.
func (s Span) text(at, first uint64) (Name, error) {
	if at < first || at >= uint64(s.Len()) {
		return Name{}, Faultf(ErrBounds, "%d is not %d to %d, where the text may start", at, first, s.Len()-1)
	}
	return s.from(at).untilNUL(), nil
}

// untilNUL returns the text of UTF-16 that s starts with, its NUL included.
func (s Span) untilNUL() Name {
	name := Name{Span: s}
	if i := name.IndexNUL(); i >= 0 {
		name.Span = Span{s.b[: i+2 : i+2], s.off}
	}
	return name
}
