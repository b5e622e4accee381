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

// All yields the instances, at most dwInstances. A fault in an instance or in its values
// is the last pair. An instance with a fault only in its values is yielded before that.
func (in MultiInstances) All() iter.Seq2[InstanceHeader, error] {
	return func(yield func(InstanceHeader, error) bool) { in.all(yield) }
}

func (in MultiInstances) all(yield func(InstanceHeader, error) bool) {
	rest := in.from(SizeofMultiInstances)
	for i := range uint64(in.DwInstances()) {
		n, err := readInstanceHeader(rest, in.result, int(i), in.values)
		if !yield(n, err) || err != nil {
			return
		}
		if rest, err = skipValues(n.rest, in.result, int(i), in.values); err != nil {
			yield(InstanceHeader{Span: PERF_INSTANCE_HEADER.blank(), result: in.result, index: int(i)}, err)
			return
		}
	}
}

// multiInstances walks the instances of a result, each with n values. It returns the bytes
// after them, and false if that is not known.
func (w *walker) multiInstances(r Result, s Span, n uint64) (Span, bool) {
	path := MultiInstances{result: r.index}.Path()
	whole, err := s.record(&PERF_MULTI_INSTANCES)
	switch {
	case err == nil:
		w.instancesOf(MultiInstances{whole, r.index, n})
		return s.from(uint64(whole.Len())), true
	case s.truncated(&PERF_MULTI_INSTANCES):
		w.instancesOf(MultiInstances{s, r.index, n})
		w.truncated(s, path, err.under(path))
	default:
		w.broken(&PERF_MULTI_INSTANCES, s, path, err.under(path))
	}
	return Span{}, false
}

func (w *walker) instancesOf(in MultiInstances) {
	w.record(&PERF_MULTI_INSTANCES, in.Span, in.Path())
	result := Path{}.At("result", in.result)
	rest, known := w.list(&PERF_INSTANCE_HEADER, in.from(SizeofMultiInstances), result, uint64(in.DwInstances()), func(one, after Span, i int) (Span, bool) {
		w.instanceHeader(one, result.At("instance", i))
		return w.values(after, result.At("instance", i), in.values)
	})
	if known {
		w.bytes(rest, UnreadPart, in.Path().Field("rest"), nil)
	}
}
