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
		return Instance{}, err.under(in.Path())
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
	name, err := in.Sub(uint64(in.NameOffset()), uint64(in.NameLength()))
	if err == nil && in.NameOffset() < PERF_INSTANCE_DEFINITION.Size {
		err = Faultf(ErrBounds, "%d is inside the structure, whose %d bytes come first", in.NameOffset(), PERF_INSTANCE_DEFINITION.Size)
	}
	if err != nil {
		f := PERF_INSTANCE_DEFINITION.Field("NameOffset")
		return Name{}, &Error{Path: in.Path().Field(f.Name), Off: in.off + int64(f.At), Len: int(f.Type.Size()), Err: err}
	}
	return Name{name, in.codePage}, nil
}

// Block returns the instance's counter block, which follows its ByteLength. The
// error is an [*Error] that wraps [ErrShort] or [ErrBounds].
func (in Instance) Block() (Block, error) { return readBlock(in.rest, in.object, in.index) }
