package layout

// Instance is a view of a PERF_INSTANCE_DEFINITION and all of its ByteLength.
type Instance struct {
	Span
	rest     Span // what follows it in the object
	path     Path
	codePage uint32
}

func readInstance(s Span, codePage uint32, path Path) (Instance, error) {
	whole, err := s.record(&PERF_INSTANCE_DEFINITION, path)
	if err != nil {
		return Instance{}, err
	}
	return Instance{whole, s.from(uint64(whole.Len())), path, codePage}, nil
}

// Path returns the instance's path, object[i].instance[j].
func (in Instance) Path() Path { return in.path }

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
		return Name{}, &Error{Path: in.path.Field(f.Name), Off: in.off + int64(f.At), Len: int(f.Type.Size()), Err: err}
	}
	return Name{name, in.codePage}, nil
}

// Block returns the instance's counter block, which follows its ByteLength. The
// error is an [*Error] that wraps [ErrShort] or [ErrBounds].
func (in Instance) Block() (Block, error) { return readBlock(in.rest, in.path.Field("block")) }

// Block is a view of a PERF_COUNTER_BLOCK and all of its ByteLength.
type Block struct{ Span }

func readBlock(s Span, path Path) (Block, error) {
	whole, err := s.record(&PERF_COUNTER_BLOCK, path)
	return Block{whole}, err
}

// Value returns the bytes of the counter's value: CounterSize bytes from
// CounterOffset. The error wraps [ErrBounds] where they do not lie in the block,
// behind its ByteLength.
func (b Block) Value(c Counter) (Span, error) {
	if c.CounterOffset() < PERF_COUNTER_BLOCK.Size {
		return Span{}, Faultf(ErrBounds, "offset %d is inside the block's ByteLength", c.CounterOffset())
	}
	return b.Sub(uint64(c.CounterOffset()), uint64(c.CounterSize()))
}

// Number returns the value as an unsigned number and true where it is of 4 or 8 bytes.
func (s Span) Number() (uint64, bool) {
	switch s.Len() {
	case 4:
		return uint64(le.Uint32(s.b)), true
	case 8:
		return le.Uint64(s.b), true
	}
	return 0, false
}
