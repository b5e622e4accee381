package layout

import (
	"iter"
)

// MultiInstances is a view of a PERF_MULTI_INSTANCES with its instances and their values.
type MultiInstances struct {
	Span
	result int
	values uint64 // number of values of each instance
}

// Path returns the path of the instances, result[i].instances.
func (in MultiInstances) Path() Path { return Path{}.At("result", in.result).Field("instances") }

// All yields the instances, at most dwInstances. Iteration stops after the first error in an
// instance or its values. If only a value has a fault, All first yields the instance without an
// error, and then the error of the value.
func (in MultiInstances) All() iter.Seq2[InstanceHeader, error] {
	return func(yield func(InstanceHeader, error) bool) { in.all(yield) }
}

// all is the loop of All. [QueryData.results] explains why it is a separate method.
func (in MultiInstances) all(yield func(InstanceHeader, error) bool) {
	rest := in.skipBytes(SizeofMultiInstances)
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

// multiInstances walks the instances of a result, each with n values. It returns the bytes after the instances, or
// false if the length of the instances is not valid.
func (w *walker) multiInstances(r Result, s Span, n uint64) (Span, bool) {
	path := MultiInstances{result: r.index}.Path()
	whole, err := s.record(&PERF_MULTI_INSTANCES)
	switch {
	case err == nil:
		w.instancesOf(MultiInstances{whole, r.index, n})
		return s.skipBytes(uint64(whole.Len())), true
	case s.truncated(&PERF_MULTI_INSTANCES):
		w.instancesOf(MultiInstances{s, r.index, n})
		w.walkTruncated(s, path, err.prefixPath(path))
	default:
		w.walkFaulty(&PERF_MULTI_INSTANCES, s, path, err.prefixPath(path))
	}
	return Span{}, false
}

func (w *walker) instancesOf(in MultiInstances) {
	w.record(&PERF_MULTI_INSTANCES, in.Span, in.Path())
	result := Path{}.At("result", in.result)
	rest, known := w.list(&PERF_INSTANCE_HEADER, in.skipBytes(SizeofMultiInstances), result, uint64(in.DwInstances()), func(one, after Span, i int) (Span, bool) {
		w.instanceHeader(one, result.At("instance", i))
		return w.values(after, result.At("instance", i), in.values)
	})
	if known {
		w.yieldBytes(rest, UnreadPart, in.Path().Field("rest"), nil)
	}
}

// InstanceHeader is a view of a PERF_INSTANCE_HEADER and everything in its Size: an instance in
// query data or in a list of instances. In query data, the values of the instance start directly
// after the view: see [InstanceHeader.Values].
type InstanceHeader struct {
	Span
	rest   Span // the bytes after this record
	result int  // position of the result; -1 in the data from PerfEnumerateCounterSetInstances
	index  int
	values uint64 // number of values that follow
}

func readInstanceHeader(s Span, result, index int, values uint64) (in InstanceHeader, err error) {
	in = InstanceHeader{result: result, index: index}
	if in.Span, err = s.recordAt(&PERF_INSTANCE_HEADER, in.Path); err == nil {
		in.rest, in.values = s.skipBytes(uint64(in.Len())), values
	}
	return in, err
}

// ReadInstanceHeaders yields the instances in b. The instances must fill b without gaps, as in the data from
// PerfEnumerateCounterSetInstances. Iteration stops after the first error, an [*Error] that wraps [ErrShort] or
// [ErrBounds].
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

// Name returns the bytes of the name, up to and including the first NUL. The bytes after the NUL are
// padding. Without a NUL, the name is all bytes after the structure.
func (in InstanceHeader) Name() Name { return in.skipBytes(SizeofInstanceHeader).untilNUL() }

// Values yields the values of the instance: one for each id of the result, or one value if the
// result has no ids. The instances that [ReadInstanceHeaders] yields have no values. Iteration
// stops after the first error.
func (in InstanceHeader) Values() iter.Seq2[CounterData, error] {
	return func(yield func(CounterData, error) bool) { eachValue(in.rest, in.result, in.index, in.values, yield) }
}

func (w *walker) instanceHeaders(s Span) {
	w.list(&PERF_INSTANCE_HEADER, s, Path{}, toTheEnd, func(one, after Span, i int) (Span, bool) {
		w.instanceHeader(one, Path{}.At("instance", i))
		return after, true
	})
}

func (w *walker) instanceHeader(s Span, path Path) {
	if w.record(&PERF_INSTANCE_HEADER, s, path) {
		w.name(s.skipBytes(SizeofInstanceHeader), InstanceHeader{Span: s}.Name(), path, "Name")
	}
}
