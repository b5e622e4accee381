package layout

import "iter"

// Object is a view of a PERF_OBJECT_TYPE and everything in its TotalByteLength.
type Object struct {
	Span
	index int
}

// ReadObjects yields the objects in b. The objects must fill b without gaps, as in the data of a provider. Iteration
// stops after the first error.
func ReadObjects(b []byte) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) { eachObject(NewSpan(b, 0), toTheEnd, yield) }
}

// eachObject yields the n objects at the start of s, and stops after the first error.
func eachObject(s Span, n uint64, yield func(Object, error) bool) {
	for i := 0; uint64(i) < n && (n != toTheEnd || s.Len() > 0); i++ {
		o, err := readObject(s, i)
		if !yield(o, err) || err != nil {
			return
		}
		s = s.skipBytes(uint64(o.Len()))
	}
}

// readObject returns the object at the start of s and checks its TotalByteLength. The methods of
// the object check the other lengths.
func readObject(s Span, index int) (o Object, err error) {
	o = Object{index: index}
	o.Span, err = s.recordAt(&PERF_OBJECT_TYPE, o.Path)
	return o, err
}

// Path returns the object's path, object[i].
func (o Object) Path() Path { return Path{}.At("object", o.index) }

// Index returns the object's position in the block.
func (o Object) Index() int { return o.index }

func (o Object) fault(field string, err error) *Error {
	return PERF_OBJECT_TYPE.fault(field, o.Span, o.Path(), err)
}

// Definitions returns the bytes from HeaderLength to DefinitionLength, which hold the
// counter definitions. The error is an [*Error] that wraps [ErrBounds].
func (o Object) Definitions() (Span, error) {
	h, d := uint64(o.HeaderLength()), uint64(o.DefinitionLength())
	switch {
	case d < SizeofObjectType:
		return Span{}, o.fault("DefinitionLength", Faultf(ErrBounds, "%d is less than the %d bytes of a PERF_OBJECT_TYPE", d, SizeofObjectType))
	case d > uint64(o.Len()):
		return Span{}, o.fault("DefinitionLength", Faultf(ErrBounds, "%d is more than %d, the length of the object", d, o.Len()))
	case h < SizeofObjectType || h > d:
		return Span{}, o.fault("HeaderLength", Faultf(ErrBounds, "%d is out of range, must be %d to %d, the DefinitionLength", h, SizeofObjectType, d))
	}
	return o.Sub(h, d-h)
}

// Body returns the bytes after DefinitionLength: the instances or the single counter block. Body returns the same
// errors as [Object.Definitions].
func (o Object) Body() (Span, error) {
	if _, err := o.Definitions(); err != nil {
		return Span{}, err
	}
	return o.skipBytes(uint64(o.DefinitionLength())), nil
}

// Counters yields the counter definitions, at most NumCounters. Iteration stops after the
// first error.
func (o Object) Counters() iter.Seq2[Counter, error] {
	return func(yield func(Counter, error) bool) {
		rest, err := o.Definitions()
		if err != nil {
			yield(Counter{Span: PERF_COUNTER_DEFINITION.blank(), object: o.index}, err)
			return
		}
		for i := range uint64(o.NumCounters()) {
			c, err := readCounter(rest, o.index, int(i))
			if !yield(c, err) || err != nil {
				return
			}
			rest = rest.skipBytes(uint64(c.Len()))
		}
	}
}

// Instances yields the instance definitions, at most NumInstances. It yields none if NumInstances is
// negative. Iteration stops after the first error in an instance or its counter block. If only the
// counter block has a fault, Instances first yields the instance without an error, and then the
// error of its block.
func (o Object) Instances() iter.Seq2[Instance, error] {
	return func(yield func(Instance, error) bool) {
		if o.NumInstances() <= 0 {
			return
		}
		rest, err := o.Body()
		if err != nil {
			yield(Instance{Span: PERF_INSTANCE_DEFINITION.blank(), object: o.index}, err)
			return
		}
		for i := range int(o.NumInstances()) {
			in, err := readInstance(rest, o.CodePage(), o.index, i)
			if !yield(in, err) || err != nil {
				return
			}
			block, err := in.Block()
			if err != nil {
				yield(Instance{Span: PERF_INSTANCE_DEFINITION.blank(), object: o.index, index: i}, err)
				return
			}
			rest = in.rest.skipBytes(uint64(block.Len()))
		}
	}
}

// Block returns the counter block of an object whose NumInstances is
// [PERF_NO_INSTANCES]. The error is an [*Error] that wraps [ErrShort] or [ErrBounds].
func (o Object) Block() (CounterBlock, error) {
	body, err := o.Body()
	if err != nil {
		return CounterBlock{PERF_COUNTER_BLOCK.blank(), o.index, -1}, err
	}
	return readBlock(body, o.index, -1)
}

func (w *walker) objects(s Span, n uint64) {
	w.cutList(&PERF_OBJECT_TYPE, s, Path{}, n, func(one Span, i int) { w.object(Object{one, i}) })
}

func (w *walker) object(o Object) {
	path := o.Path()
	if !w.record(&PERF_OBJECT_TYPE, o.Span, path) {
		return
	}
	definitions, err := o.Definitions()
	if err != nil {
		w.yieldBytes(o.skipBytes(SizeofObjectType), UnreadPart, path.Field("rest"), err)
		return
	}
	extension, _ := o.Sub(SizeofObjectType, uint64(o.HeaderLength()-SizeofObjectType))
	w.yieldBytes(extension, UnreadPart, path.Field("extension"), nil)
	slots := w.counters(o, definitions)
	body, known := o.skipBytes(uint64(o.DefinitionLength())), true
	switch n := o.NumInstances(); {
	case n == PERF_NO_INSTANCES:
		body, known = w.counterBlock(body, o.index, -1, slots)
	case n > 0:
		body, known = w.instances(o, body, slots)
	}
	if known {
		w.yieldBytes(body, UnreadPart, path.Field("rest"), nil)
	}
}
