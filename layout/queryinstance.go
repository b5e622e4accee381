package layout

import "iter"

// Instances is a view of a PERF_MULTI_INSTANCES with its instances and their values.
type Instances struct {
	Span
	result int
	values uint64 // of each instance
}

// Path returns the path of the instances, result[i].instances.
func (in Instances) Path() Path { return Path{}.At("result", in.result).Field("instances") }

// All yields the instances, dwInstances at the most. A fault, in an instance or in its
// values, is the last pair; the instance itself comes first where only its values are
// at fault.
func (in Instances) All() iter.Seq2[Named, error] {
	return func(yield func(Named, error) bool) {
		if in.Len() == 0 {
			return
		}
		rest := in.from(uint64(PERF_MULTI_INSTANCES.Size))
		for i := range uint64(in.DwInstances()) {
			n, err := readNamed(rest, in.result, int(i))
			n.values = in.values
			if !yield(n, err) || err != nil {
				return
			}
			var fault error
			rest, _ = raws(n.rest, in.result, int(i), in.values, func(_ Raw, err error) bool { fault = err; return true })
			if fault != nil {
				yield(Named{Span: PERF_INSTANCE_HEADER.blank(), result: in.result, index: int(i)}, fault)
				return
			}
		}
	}
}

// Named is a view of a PERF_INSTANCE_HEADER and all of its Size: an instance by its
// name, in query data or in a list of instances.
type Named struct {
	Span
	rest   Span // what follows it
	result int  // -1 in a list
	index  int
	values uint64
}

func readNamed(s Span, result, index int) (Named, error) {
	n := Named{result: result, index: index}
	whole, err := s.record(&PERF_INSTANCE_HEADER)
	if err != nil {
		n.Span = PERF_INSTANCE_HEADER.blank()
		return n, err.under(n.Path())
	}
	n.Span, n.rest = whole, s.from(uint64(whole.Len()))
	return n, nil
}

// ReadInstances yields the instances that fill b one after the other, as
// PerfEnumerateCounterSetInstances returns them. A fault is the last pair.
func ReadInstances(b []byte) iter.Seq2[Named, error] {
	return func(yield func(Named, error) bool) {
		rest := NewSpan(b, 0)
		for i := 0; rest.Len() > 0; i++ {
			n, err := readNamed(rest, -1, i)
			if !yield(n, err) || err != nil {
				return
			}
			rest = n.rest
		}
	}
}

// Path returns the instance's path, result[i].instance[j] or instance[j].
func (n Named) Path() Path {
	var path Path
	if n.result >= 0 {
		path = Path{}.At("result", n.result)
	}
	return path.At("instance", n.index)
}

// Name returns the bytes of the name, its terminator included: up to the first NUL,
// or all that there are if there is none.
func (n Named) Name() Name { return n.from(uint64(PERF_INSTANCE_HEADER.Size)).untilNUL() }

// untilNUL returns the text of UTF-16 that s starts with, its NUL included.
func (s Span) untilNUL() Name {
	name := Name{Span: s}
	if i := name.IndexNUL(); i >= 0 {
		name.Span = Span{s.b[: i+2 : i+2], s.off}
	}
	return name
}

// Values yields the values of the instance: one, or one for each id. An instance of a
// list has none. A fault is the last pair.
func (n Named) Values() iter.Seq2[Raw, error] {
	return func(yield func(Raw, error) bool) {
		if n.result >= 0 {
			raws(n.rest, n.result, n.index, n.values, yield)
		}
	}
}

// Raw is a view of a PERF_COUNTER_DATA and all of its dwSize: one value.
type Raw struct {
	Span
	result, instance, index int // instance is -1 where there is none
}

func readRaw(s Span, result, instance, index int) (Raw, error) {
	v := Raw{result: result, instance: instance, index: index}
	whole, err := s.record(&PERF_COUNTER_DATA)
	if err != nil {
		v.Span = PERF_COUNTER_DATA.blank()
		return v, err.under(v.Path())
	}
	v.Span = whole
	return v, nil
}

// Path returns the value's path, result[i].data[k] or result[i].instance[j].data[k].
func (v Raw) Path() Path {
	path := Path{}.At("result", v.result)
	if v.instance >= 0 {
		path = path.At("instance", v.instance)
	}
	return path.At("data", v.index)
}

// Value returns the bytes of the value, dwDataSize of them. The error is an [*Error] at
// dwDataSize that wraps [ErrBounds] where they do not lie in dwSize.
func (v Raw) Value() (Span, error) {
	value, err := v.from(uint64(PERF_COUNTER_DATA.Size)).Sub(0, uint64(v.DwDataSize()))
	if err != nil {
		f := PERF_COUNTER_DATA.Field("dwDataSize")
		return Span{}, &Error{Path: v.Path().Field(f.Name), Off: v.off + int64(f.At), Len: int(f.Type.Size()), Err: err}
	}
	return value, nil
}
