package layout

// Counter is a view of a PERF_COUNTER_DEFINITION and all of its ByteLength.
type Counter struct{ Span }

func readCounter(s Span, path Path) (Counter, error) {
	whole, err := s.record(&PERF_COUNTER_DEFINITION, path)
	return Counter{whole}, err
}

// record returns the record at the start of s, whose first field is its length.
// It is at least as long as its structure, so a cursor that steps by it advances.
func (s Span) record(r *Record, path Path) (Span, error) {
	if uint64(s.Len()) < uint64(r.Size) {
		return Span{}, &Error{Path: path, Off: s.off, Len: s.Len(), Err: Faultf(ErrShort, "%d bytes are less than the %d of a %s", s.Len(), r.Size, r.C)}
	}
	length := &r.Fields[0]
	n := le.Uint32(s.b[length.At:])
	whole, err := s.Sub(0, uint64(n))
	if n < r.Size {
		err = Faultf(ErrBounds, "%d is less than the %d of a %s", n, r.Size, r.C)
	}
	if err != nil {
		return Span{}, &Error{Path: path.Field(length.Name), Off: s.off + int64(length.At), Len: int(length.Type.Size()), Err: err}
	}
	return whole, nil
}
