package layout

import "iter"

// CounterSetInstance is a view of a PERF_COUNTERSET_INSTANCE and everything in its
// dwSize, as PerfCreateInstance returns it.
type CounterSetInstance struct{ Span }

// slotBytes is the number of bytes that Windows reserves in an instance for each counter.
const slotBytes = 8

// ReadCounterSetInstance returns a view of the instance at the start of b. The view has dwSize
// bytes. The error is an [*Error] that wraps [ErrShort] or [ErrBounds]; the view then reads as
// zeros.
func ReadCounterSetInstance(b []byte) (CounterSetInstance, error) {
	whole, err := readWhole(&PERF_COUNTERSET_INSTANCE, b)
	return CounterSetInstance{whole}, err
}

// Name returns the bytes of the name, with the terminator. The name has InstanceNameSize bytes and starts at
// InstanceNameOffset. If the name overlaps the structure or ends after dwSize, the error is an [*Error] that wraps
// [ErrBounds]. The [*Error] is at InstanceNameOffset or InstanceNameSize.
func (in CounterSetInstance) Name() (Name, error) {
	if in.InstanceNameSize() == 0 {
		return Name{Span: NewSpan(nil, in.off+SizeofCounterSetInstance)}, nil
	}
	return in.Span.name(&PERF_COUNTERSET_INSTANCE, Path{}, "InstanceNameOffset", "InstanceNameSize")
}

// Slots yields 8 bytes for each counter: the value, or the address of the value in the memory of the provider. Slots
// yields all groups of 8 bytes between the structure and InstanceNameOffset, because no field has the number of
// counters. It yields nothing if InstanceNameOffset points into the structure or after dwSize.
func (in CounterSetInstance) Slots() iter.Seq[Span] {
	return func(yield func(Span) bool) {
		end := uint64(in.InstanceNameOffset())
		if end > uint64(in.Len()) {
			return
		}
		for at := uint64(SizeofCounterSetInstance); at+slotBytes <= end; at += slotBytes {
			if s, _ := in.Sub(at, slotBytes); !yield(s) {
				return
			}
		}
	}
}

// counterSetInstance yields the parts of a PERF_COUNTERSET_INSTANCE: the fields, a slot of 8 bytes for each counter,
// and the name.
func (w *walker) counterSetInstance(s Span) {
	in, cut := ReadCounterSetInstance(s.b)
	if cut != nil {
		if !s.truncated(&PERF_COUNTERSET_INSTANCE) {
			w.walkFaulty(&PERF_COUNTERSET_INSTANCE, s, Path{}, cut)
			return
		}
		in = CounterSetInstance{s}
	}
	w.record(&PERF_COUNTERSET_INSTANCE, in.Span, Path{})
	i, tail := 0, in.skipBytes(SizeofCounterSetInstance)
	for slot := range in.Slots() {
		w.part(untyped(slot, Path{}.At("slot", i)))
		i, tail = i+1, tail.skipBytes(slotBytes)
		if w.done {
			return
		}
	}
	name, err := in.Name()
	switch at := in.InstanceNameOffset(); {
	case err != nil, name.Len() == 0 && (at < SizeofCounterSetInstance || uint64(at) > uint64(in.Len())):
		w.yieldBytes(tail, UnreadPart, Path{}.Field("padding"), err) // without a valid InstanceNameOffset, these bytes may be slots
	case name.Len() == 0:
		w.name(tail, Name{Span: Span{tail.b[:0], tail.off}}, Path{}, "Name")
	default:
		w.name(tail, name, Path{}, "Name")
	}
	w.yieldBytes(s.skipBytes(uint64(in.Len())), UnreadPart, Path{}.Field("rest"), cut)
}
