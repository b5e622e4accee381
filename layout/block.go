package layout

// CounterBlock is a view of a PERF_COUNTER_BLOCK and all of its ByteLength.
type CounterBlock struct {
	Span
	object, instance int // instance is -1 for the block of an object without instances
}

func readBlock(s Span, object, instance int) (CounterBlock, error) {
	b := CounterBlock{s, object, instance}
	whole, err := s.record(&PERF_COUNTER_BLOCK)
	if err != nil {
		b.Span = PERF_COUNTER_BLOCK.blank()
		return b, err.under(b.Path())
	}
	b.Span = whole
	return b, nil
}

// Path returns the block's path, object[i].instance[j].block or object[i].block.
func (b CounterBlock) Path() Path {
	path := Path{}.At("object", b.object)
	if b.instance >= 0 {
		path = path.At("instance", b.instance)
	}
	return path.Field("block")
}

// Value returns the bytes of the counter's value: CounterSize bytes from
// CounterOffset. The error is an [*Error] at the CounterOffset that wraps
// [ErrBounds] where they do not lie in the block, behind its ByteLength.
func (b CounterBlock) Value(c Counter) (Span, error) {
	if c.CounterOffset() < PERF_COUNTER_BLOCK.Size {
		return Span{}, c.fault(Faultf(ErrBounds, "%d is inside the block's ByteLength", c.CounterOffset()))
	}
	value, err := b.Sub(uint64(c.CounterOffset()), uint64(c.CounterSize()))
	if err != nil {
		return Span{}, c.fault(err)
	}
	return value, nil
}

// Number returns the span as an unsigned number and true where it is of 4 or 8
// bytes, as the values of counters are.
func (s Span) Number() (uint64, bool) {
	switch s.Len() {
	case 4:
		return uint64(le.Uint32(s.b)), true
	case 8:
		return le.Uint64(s.b), true
	}
	return 0, false
}
