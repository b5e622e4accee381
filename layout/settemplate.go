package layout

import "iter"

// SetTemplate is a view of a PERF_COUNTERSET_INFO and the counters behind it: what a
// provider gives to PerfSetCounterSetInfo.
type SetTemplate struct{ Span }

// ReadSetTemplate returns the view of the template that b is. The error is an [*Error]
// that wraps [ErrShort].
func ReadSetTemplate(b []byte) (SetTemplate, error) {
	s, err := NewSpan(b, 0).atLeast(&PERF_COUNTERSET_INFO)
	return SetTemplate{s}, err
}

// Counters yields the counters, NumCounters at the most. A fault is the last pair.
func (t SetTemplate) Counters() iter.Seq2[TemplateCounter, error] {
	return func(yield func(TemplateCounter, error) bool) {
		rows(t.from(uint64(PERF_COUNTERSET_INFO.Size)), &PERF_COUNTER_INFO, uint64(t.NumCounters()), func(row Span, i int, err error) bool {
			return yield(TemplateCounter{row, i}, err)
		})
	}
}

// TemplateCounter is a view of a PERF_COUNTER_INFO.
type TemplateCounter struct {
	Span
	index int
}

// Path returns the counter's path, counter[i].
func (c TemplateCounter) Path() Path { return Path{}.At("counter", c.index) }

// SetInstance is a view of a PERF_COUNTERSET_INSTANCE and all of its dwSize: an
// instance as PerfCreateInstance makes it.
type SetInstance struct{ Span }

// slotBytes is what Windows gives each counter of an instance.
const slotBytes = 8

// ReadSetInstance returns the view of the instance at the start of b. The error is an
// [*Error] that wraps [ErrShort] or [ErrBounds].
func ReadSetInstance(b []byte) (SetInstance, error) {
	whole, err := NewSpan(b, 0).record(&PERF_COUNTERSET_INSTANCE)
	if err != nil {
		return SetInstance{PERF_COUNTERSET_INSTANCE.blank()}, err
	}
	return SetInstance{whole}, nil
}

// Name returns the bytes of the name, as InstanceNameOffset and InstanceNameSize give
// them. The error is an [*Error] that wraps [ErrBounds] where they do not lie in dwSize,
// behind the structure.
func (in SetInstance) Name() (Name, error) {
	name, err := in.named(&PERF_COUNTERSET_INSTANCE, "InstanceNameOffset", "InstanceNameSize")
	if err != nil {
		return Name{}, err
	}
	return Name{Span: name}, nil
}

// Slots yields the 8 bytes of each counter, which are its value or the address where
// the provider keeps it: all that is in front of the name. There is none where the
// name is not behind the structure.
func (in SetInstance) Slots() iter.Seq[Span] {
	return func(yield func(Span) bool) {
		size := uint64(PERF_COUNTERSET_INSTANCE.Size)
		end := min(uint64(in.InstanceNameOffset()), uint64(in.Len()))
		for at := size; at+slotBytes <= end; at += slotBytes {
			if s, _ := in.Sub(at, slotBytes); !yield(s) {
				return
			}
		}
	}
}

// Identity is a view of a PERF_COUNTER_IDENTITY.
type Identity struct{ Span }

// ReadIdentity returns the view of the identity at the start of b, which behind a
// callback's WNODE_HEADER is. The error is an [*Error] that wraps [ErrShort] or
// [ErrBounds].
func ReadIdentity(b []byte) (Identity, error) {
	whole, err := NewSpan(b, 0).record(&PERF_COUNTER_IDENTITY)
	if err != nil {
		return Identity{PERF_COUNTER_IDENTITY.blank()}, err
	}
	return Identity{whole}, nil
}
