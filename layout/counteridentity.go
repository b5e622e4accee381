package layout

// CounterIdentity is a view of a PERF_COUNTER_IDENTITY and everything in its
// BufferSize. A provider's callback gets it when a consumer adds or removes a counter.
type CounterIdentity struct{ Span }

// ReadCounterIdentity returns the view of the identity at the start of b, which ends at its
// BufferSize. The identity follows the WNODE_HEADER of 48 bytes in the buffer that the
// callback gets. The error is an [*Error] that wraps [ErrShort] or [ErrBounds]; the view
// then reads as zeros.
func ReadCounterIdentity(b []byte) (CounterIdentity, error) {
	whole, err := NewSpan(b, 0).record(&PERF_COUNTER_IDENTITY)
	if err != nil {
		return CounterIdentity{whole}, err
	}
	return CounterIdentity{whole}, nil
}

// Machine returns the bytes of the computer's name up to and with the first NUL, or all of
// them if there is none. The name has length 0 if MachineOffset is 0. The error is an
// [*Error] at MachineOffset that wraps [ErrBounds] if the name does not start inside
// BufferSize, after the structure.
func (id CounterIdentity) Machine() (Name, error) {
	return id.name("MachineOffset", id.MachineOffset())
}

// Name returns the bytes of the instance's name. It is like Machine for NameOffset.
func (id CounterIdentity) Name() (Name, error) { return id.name("NameOffset", id.NameOffset()) }

func (id CounterIdentity) name(field string, at uint32) (Name, error) {
	if at == 0 {
		return Name{Span: NewSpan(nil, id.off+SizeofCounterIdentity)}, nil
	}
	name, err := id.text(uint64(at), SizeofCounterIdentity)
	if err != nil {
		return Name{}, PERF_COUNTER_IDENTITY.fault(field, id.Span, Path{}, err)
	}
	return name, nil
}
