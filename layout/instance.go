package layout

// Instance is a view of a PERF_INSTANCE_DEFINITION and all of its ByteLength.
type Instance struct {
	Span
	rest          Span // what follows it in the object
	codePage      uint32
	object, index int
}

func readInstance(s Span, codePage uint32, object, index int) (Instance, error) {
	in := Instance{codePage: codePage, object: object, index: index}
	whole, err := s.record(&PERF_INSTANCE_DEFINITION)
	if err != nil {
		in.Span = PERF_INSTANCE_DEFINITION.blank()
		return in, err.under(in.Path())
	}
	in.Span, in.rest = whole, s.from(uint64(whole.Len()))
	return in, nil
}

// Path returns the instance's path, object[i].instance[j].
func (in Instance) Path() Path { return Path{}.At("object", in.object).At("instance", in.index) }

// Name returns the bytes of the name, of length 0 if the instance is unnamed. The
// error is an [*Error] that wraps [ErrBounds] where the name is not inside
// ByteLength, behind the structure.
func (in Instance) Name() (Name, error) {
	if in.NameLength() == 0 {
		return Name{NewSpan(nil, in.off+int64(PERF_INSTANCE_DEFINITION.Size)), in.codePage}, nil
	}
	at := in.NameOffset()
	if name, err := in.Sub(uint64(at), uint64(in.NameLength())); err == nil && at >= PERF_INSTANCE_DEFINITION.Size {
		return Name{name, in.codePage}, nil // without a look at what the fields are called
	}
	name, err := in.named(&PERF_INSTANCE_DEFINITION, "NameOffset", "NameLength")
	if err != nil {
		return Name{}, err.under(in.Path())
	}
	return Name{name, in.codePage}, nil
}

// named returns the bytes that two fields of the record at the start of s lead
// to, behind the record and inside s. The error blames the offset if that alone
// leads outside, and else the length.
func (s Span) named(r *Record, offset, length string) (Span, *Error) {
	at := r.part(r.Field(offset), s, Path{})
	n := r.part(r.Field(length), s, Path{})
	from, size := uint64(le.Uint32(at.b)), uint64(le.Uint32(n.b))
	blame := at
	var err error
	switch {
	case from < uint64(r.Size):
		err = Faultf(ErrBounds, "%d is inside the structure, whose %d bytes come first", from, r.Size)
	case from > uint64(s.Len()):
		err = Faultf(ErrBounds, "%d is behind the %d bytes there are", from, s.Len())
	default:
		blame = n
		var name Span
		if name, err = s.Sub(from, size); err == nil {
			return name, nil
		}
	}
	return Span{}, &Error{Path: blame.Path, Off: blame.off, Len: blame.Len(), Err: err}
}

// Block returns the instance's counter block, which follows its ByteLength. The
// error is an [*Error] that wraps [ErrShort] or [ErrBounds].
func (in Instance) Block() (CounterBlock, error) { return readBlock(in.rest, in.object, in.index) }
