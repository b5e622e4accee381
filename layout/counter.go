package layout

// Counter is a view of a PERF_COUNTER_DEFINITION and all of its ByteLength.
type Counter struct {
	Span
	object, index int
}

// Path returns the definition's path, object[i].counter[j].
func (c Counter) Path() Path { return Path{}.At("object", c.object).At("counter", c.index) }

func readCounter(s Span, object, index int) (Counter, error) {
	c := Counter{s, object, index}
	whole, err := s.record(&PERF_COUNTER_DEFINITION)
	if err != nil {
		c.Span = PERF_COUNTER_DEFINITION.blank()
		return c, err.under(c.Path())
	}
	c.Span = whole
	return c, nil
}

// fault returns an error at the definition's CounterOffset.
func (c Counter) fault(err error) *Error {
	f := PERF_COUNTER_DEFINITION.Field("CounterOffset")
	return &Error{Path: c.Path().Field(f.Name), Off: c.off + int64(f.At), Len: int(f.Type.Size()), Err: err}
}

// record returns the record at the start of s, as long as its own length says. It is
// at least as long as its structure, so a cursor that steps by it advances. An
// error's path starts with the record.
func (s Span) record(r *Record) (Span, *Error) {
	if uint64(s.Len()) < uint64(r.Size) {
		return Span{}, r.short(s, Path{})
	}
	length := r.length()
	n := le.Uint32(s.b[length.At:])
	whole, err := s.Sub(0, uint64(n))
	if n < r.Size {
		err = Faultf(ErrBounds, "%d is less than the %d of a %s", n, r.Size, r.C)
	}
	if err != nil {
		return Span{}, r.fault(length.Name, s, Path{}, err)
	}
	return whole, nil
}

// under puts the path of the record that is at fault before the error's own.
func (e *Error) under(path Path) *Error {
	e.Path = e.Path.In(path)
	return e
}
