package layout

// CounterIdentity is a view of a PERF_COUNTER_IDENTITY and all of its BufferSize: what a
// provider's callback is told when a consumer adds or removes a counter.
type CounterIdentity struct{ Span }

// ReadCounterIdentity returns the view of the identity at the start of b, which is what the
// callback gets without the 48 bytes of its WNODE_HEADER. What lies behind its
// BufferSize is not part of it. With an error comes a view of zeros. The error is an
// [*Error] that wraps [ErrShort] or [ErrBounds].
func ReadCounterIdentity(b []byte) (CounterIdentity, error) {
	whole, err := NewSpan(b, 0).record(&PERF_COUNTER_IDENTITY)
	if err != nil {
		return CounterIdentity{PERF_COUNTER_IDENTITY.blank()}, err
	}
	return CounterIdentity{whole}, nil
}

// Machine returns the bytes of the computer's name, its terminator included: up to the
// first NUL, or all that there are if there is none. It is of length 0 where
// MachineOffset is 0. The error is an [*Error] at MachineOffset that wraps [ErrBounds]
// where that does not lead behind the structure and into BufferSize.
func (id CounterIdentity) Machine() (Name, error) {
	return id.name("MachineOffset", id.MachineOffset())
}

// Name returns the bytes of the instance's name in the same way, by NameOffset.
func (id CounterIdentity) Name() (Name, error) { return id.name("NameOffset", id.NameOffset()) }

func (id CounterIdentity) name(field string, at uint32) (Name, error) {
	size := PERF_COUNTER_IDENTITY.Size
	if at == 0 {
		return Name{Span: NewSpan(nil, id.off+int64(size))}, nil
	}
	name, err := id.text(uint64(at), uint64(size))
	if err != nil {
		return Name{}, PERF_COUNTER_IDENTITY.fault(field, id.Span, Path{}, err)
	}
	return name, nil
}
