package layout

import "iter"

// CounterSetInstance is a view of a PERF_COUNTERSET_INSTANCE and all of its dwSize: an
// instance as PerfCreateInstance makes it.
type CounterSetInstance struct{ Span }

// slotBytes is what Windows gives each counter of an instance.
const slotBytes = 8

// ReadCounterSetInstance returns the view of the instance at the start of b. What lies behind
// its dwSize is not part of it. With an error comes a view of zeros. The error is an
// [*Error] that wraps [ErrShort] or [ErrBounds].
func ReadCounterSetInstance(b []byte) (CounterSetInstance, error) {
	whole, err := NewSpan(b, 0).record(&PERF_COUNTERSET_INSTANCE)
	if err != nil {
		return CounterSetInstance{PERF_COUNTERSET_INSTANCE.blank()}, err
	}
	return CounterSetInstance{whole}, nil
}

// Name returns the bytes of the name, terminator included, as InstanceNameOffset and
// InstanceNameSize give them; of length 0 where the size is. The error is an [*Error]
// at one of the two that wraps [ErrBounds] where the name does not lie in dwSize, behind
// the structure.
func (in CounterSetInstance) Name() (Name, error) {
	if in.InstanceNameSize() == 0 {
		return Name{Span: NewSpan(nil, in.off+int64(PERF_COUNTERSET_INSTANCE.Size))}, nil
	}
	name, err := in.named(&PERF_COUNTERSET_INSTANCE, "InstanceNameOffset", "InstanceNameSize")
	if err != nil {
		return Name{}, err
	}
	return Name{Span: name}, nil
}

// Slots yields the 8 bytes of each counter, its value or the address where the provider
// keeps that: all between the structure and the name. Without the template only the
// place of the name tells how many there are; where InstanceNameOffset does not lead
// behind the structure and into dwSize, there is none.
func (in CounterSetInstance) Slots() iter.Seq[Span] {
	return func(yield func(Span) bool) {
		end := uint64(in.InstanceNameOffset())
		if end > uint64(in.Len()) {
			return
		}
		for at := uint64(PERF_COUNTERSET_INSTANCE.Size); at+slotBytes <= end; at += slotBytes {
			if s, _ := in.Sub(at, slotBytes); !yield(s) {
				return
			}
		}
	}
}
