package layout

import "iter"

// Object is a view of a PERF_OBJECT_TYPE and all of its TotalByteLength.
type Object struct {
	Span
	index int
}

// readObject returns the object at the start of s. It checks TotalByteLength,
// without which there is no next one; the cursors check the rest.
func readObject(s Span, index int) (Object, error) {
	o := Object{s, index}
	size := PERF_OBJECT_TYPE.Size
	if uint64(s.Len()) < uint64(size) {
		return Object{PERF_OBJECT_TYPE.blank(), index}, &Error{Path: o.Path(), Off: s.off, Len: s.Len(),
			Err: Faultf(ErrShort, "%d bytes are less than the %d of a PERF_OBJECT_TYPE", s.Len(), size)}
	}
	total := o.TotalByteLength()
	if total < size {
		return Object{PERF_OBJECT_TYPE.blank(), index}, o.fault("TotalByteLength", Faultf(ErrBounds, "%d is less than the %d of a PERF_OBJECT_TYPE", total, size))
	}
	whole, err := s.Sub(0, uint64(total))
	if err != nil {
		return Object{PERF_OBJECT_TYPE.blank(), index}, o.fault("TotalByteLength", err)
	}
	return Object{whole, index}, nil
}

// Path returns the object's path, object[i].
func (o Object) Path() Path { return Path{}.At("object", o.index) }

// Index returns the object's position in the block.
func (o Object) Index() int { return o.index }

func (o Object) fault(field string, err error) *Error {
	f := PERF_OBJECT_TYPE.Field(field)
	return &Error{Path: o.Path().Field(field), Off: o.off + int64(f.At), Len: int(f.Type.Size()), Err: err}
}

// Definitions returns the bytes from HeaderLength to DefinitionLength, in which
// the counter definitions stand. The error is an [*Error] that wraps [ErrBounds].
func (o Object) Definitions() (Span, error) {
	h, d := uint64(o.HeaderLength()), uint64(o.DefinitionLength())
	size := uint64(PERF_OBJECT_TYPE.Size)
	switch {
	case d < size:
		return Span{}, o.fault("DefinitionLength", Faultf(ErrBounds, "%d is less than the %d of a PERF_OBJECT_TYPE", d, size))
	case d > uint64(o.Len()):
		return Span{}, o.fault("DefinitionLength", Faultf(ErrBounds, "%d is more than the object's %d bytes", d, o.Len()))
	case h < size || h > d:
		return Span{}, o.fault("HeaderLength", Faultf(ErrBounds, "%d is not %d to %d, the DefinitionLength", h, size, d))
	}
	return o.Sub(h, d-h)
}

// Body returns the bytes from DefinitionLength on: the instances, or the one
// counter block. The error is that of [Object.Definitions].
func (o Object) Body() (Span, error) {
	if _, err := o.Definitions(); err != nil {
		return Span{}, err
	}
	return o.from(uint64(o.DefinitionLength())), nil
}

// Counters yields the counter definitions, NumCounters at the most. A fault is
// the last pair.
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
			rest = rest.from(uint64(c.Len()))
		}
	}
}

// Instances yields the instance definitions, NumInstances at the most and none if
// that is negative. A fault, in an instance or in its counter block, is the last
// pair; the instance itself comes first where only its block is at fault.
func (o Object) Instances() iter.Seq2[Instance, error] {
	return func(yield func(Instance, error) bool) {
		if o.NumInstances() <= 0 {
			return
		}
		rest, err := o.Body()
		if err != nil {
			yield(Instance{Span: PERF_INSTANCE_DEFINITION.blank(), object: o.index, index: 0}, err)
			return
		}
		for i := range int(o.NumInstances()) {
			in, err := readInstance(rest, o.CodePage(), o.index, i)
			if !yield(in, err) || err != nil {
				return
			}
			block, err := in.Block()
			if err != nil {
				yield(Instance{Span: PERF_INSTANCE_DEFINITION.blank(), object: o.index, index: 0}, err)
				return
			}
			rest = in.rest.from(uint64(block.Len()))
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
