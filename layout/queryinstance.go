package layout

import "iter"

// MultiInstances is a view of a PERF_MULTI_INSTANCES with its instances and their values.
type MultiInstances struct {
	Span
	result int
	values uint64 // of each instance
}

// Path returns the path of the instances, result[i].instances.
func (in MultiInstances) Path() Path { return Path{}.At("result", in.result).Field("instances") }

// All yields the instances, dwInstances at the most. A fault, in an instance or in its
// values, is the last pair; the instance itself comes first where only its values are
// at fault.
func (in MultiInstances) All() iter.Seq2[InstanceHeader, error] {
	return func(yield func(InstanceHeader, error) bool) { in.all(yield) }
}

func (in MultiInstances) all(yield func(InstanceHeader, error) bool) {
	rest := in.from(uint64(PERF_MULTI_INSTANCES.Size))
	for i := range uint64(in.DwInstances()) {
		n, err := readNamed(rest, in.result, int(i), in.values)
		if !yield(n, err) || err != nil {
			return
		}
		if rest, err = skipRaws(n.rest, in.result, int(i), in.values); err != nil {
			yield(InstanceHeader{Span: PERF_INSTANCE_HEADER.blank(), result: in.result, index: int(i)}, err)
			return
		}
	}
}

// InstanceHeader is a view of a PERF_INSTANCE_HEADER and all of its Size: an instance by its
// name, in query data or in a list of instances. Its values follow it and are no part
// of it.
type InstanceHeader struct {
	Span
	rest   Span // what follows it
	result int  // -1 in a list
	index  int
	values uint64
}

func readNamed(s Span, result, index int, values uint64) (InstanceHeader, error) {
	n := InstanceHeader{result: result, index: index}
	whole, err := s.record(&PERF_INSTANCE_HEADER)
	if err != nil {
		n.Span = PERF_INSTANCE_HEADER.blank()
		return n, err.under(n.Path())
	}
	n.Span, n.rest, n.values = whole, s.from(uint64(whole.Len())), values
	return n, nil
}

// ReadInstanceHeaders yields the instances that fill b one after the other, as
// PerfEnumerateCounterSetInstances returns them. A fault is the last pair: an [*Error]
// that wraps [ErrShort] or [ErrBounds].
func ReadInstanceHeaders(b []byte) iter.Seq2[InstanceHeader, error] {
	return func(yield func(InstanceHeader, error) bool) {
		rest := NewSpan(b, 0)
		for i := 0; rest.Len() > 0; i++ {
			n, err := readNamed(rest, -1, i, 0)
			if !yield(n, err) || err != nil {
				return
			}
			rest = n.rest
		}
	}
}

// Path returns the instance's path, result[i].instance[j] or instance[j].
func (n InstanceHeader) Path() Path {
	var path Path
	if n.result >= 0 {
		path = path.At("result", n.result)
	}
	return path.At("instance", n.index)
}

// Index returns the position of the instance among those of its answer or list.
func (n InstanceHeader) Index() int { return n.index }

// Name returns the bytes of the name, its terminator included: up to the first NUL,
// as what comes behind that is padding, or all that there are if there is none.
func (n InstanceHeader) Name() Name { return n.from(uint64(PERF_INSTANCE_HEADER.Size)).untilNUL() }

// Values yields the values of the instance: one, or one for each id. An instance of a
// list has none. A fault is the last pair.
func (n InstanceHeader) Values() iter.Seq2[CounterData, error] {
	return func(yield func(CounterData, error) bool) { raws(n.rest, n.result, n.index, n.values, yield) }
}
