package layout

import "iter"

// InstanceHeader is a view of a PERF_INSTANCE_HEADER and everything in its Size: an
// instance of query data or of a list of instances. Its values follow it.
type InstanceHeader struct {
	Span
	rest   Span // the bytes after it
	result int  // -1 in a list
	index  int
	values uint64
}

func readInstanceHeader(s Span, result, index int, values uint64) (InstanceHeader, error) {
	in := InstanceHeader{result: result, index: index}
	var err *Error
	if in.Span, err = s.record(&PERF_INSTANCE_HEADER); err != nil {
		return in, err.under(in.Path())
	}
	in.rest, in.values = s.from(uint64(in.Len())), values
	return in, nil
}

// ReadInstanceHeaders yields the instances that fill b one after the other, as
// PerfEnumerateCounterSetInstances returns them. A fault is the last pair: an [*Error]
// that wraps [ErrShort] or [ErrBounds].
func ReadInstanceHeaders(b []byte) iter.Seq2[InstanceHeader, error] {
	return func(yield func(InstanceHeader, error) bool) {
		rest := NewSpan(b, 0)
		for i := 0; rest.Len() > 0; i++ {
			in, err := readInstanceHeader(rest, -1, i, 0)
			if !yield(in, err) || err != nil {
				return
			}
			rest = in.rest
		}
	}
}

// Path returns the instance's path, result[i].instance[j] or instance[j].
func (in InstanceHeader) Path() Path {
	var path Path
	if in.result >= 0 {
		path = path.At("result", in.result)
	}
	return path.At("instance", in.index)
}

// Index returns the position of the instance in its result or list.
func (in InstanceHeader) Index() int { return in.index }

// Name returns the bytes of the name up to and with the first NUL, or all of them if there
// is none. The bytes after the NUL are padding.
func (in InstanceHeader) Name() Name { return in.from(SizeofInstanceHeader).untilNUL() }

// Values yields the values of the instance: one, or one for each id. An instance of a list
// has none. A fault is the last pair.
func (in InstanceHeader) Values() iter.Seq2[CounterData, error] {
	return func(yield func(CounterData, error) bool) { eachValue(in.rest, in.result, in.index, in.values, yield) }
}

// instanceHeaders walks a list of instances.
func (w *walker) instanceHeaders(s Span) {
	w.list(&PERF_INSTANCE_HEADER, s, Path{}, toTheEnd, func(one, after Span, i int) (Span, bool) {
		w.instanceHeader(one, Path{}.At("instance", i))
		return after, true
	})
}

func (w *walker) instanceHeader(s Span, path Path) {
	if w.record(&PERF_INSTANCE_HEADER, s, path) {
		w.name(s.from(SizeofInstanceHeader), InstanceHeader{Span: s}.Name(), path, "Name")
	}
}
