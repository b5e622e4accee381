package layout

import "sort"

// CounterBlock is a view of a PERF_COUNTER_BLOCK and everything in its ByteLength.
type CounterBlock struct {
	Span
	object, instance int // instance is -1 for an object without instances
}

func readBlock(s Span, object, instance int) (b CounterBlock, err error) {
	b = CounterBlock{object: object, instance: instance}
	b.Span, err = s.recordAt(&PERF_COUNTER_BLOCK, b.Path)
	return b, err
}

// Path returns the block's path, object[i].instance[j].block or object[i].block.
func (b CounterBlock) Path() Path {
	path := Path{}.At("object", b.object)
	if b.instance >= 0 {
		path = path.At("instance", b.instance)
	}
	return path.Field("block")
}

// Value returns the bytes of the counter's value: CounterSize bytes from CounterOffset. If the value overlaps the
// block's ByteLength field or ends after the block, the error is an [*Error] at CounterOffset and wraps
// [ErrBounds].
func (b CounterBlock) Value(c Counter) (Span, error) {
	if c.CounterOffset() < SizeofCounterBlock {
		return Span{}, c.fault(Faultf(ErrBounds, "%d is inside the block's ByteLength field", c.CounterOffset()))
	}
	value, err := b.Sub(uint64(c.CounterOffset()), uint64(c.CounterSize()))
	if err != nil {
		return Span{}, c.fault(err)
	}
	return value, nil
}

// slot returns the bytes of a value, or false if the value overlaps ByteLength or ends after the block.
func (b CounterBlock) slot(v *slot) (Span, bool) {
	from, end := uint64(v.at), uint64(v.at)+uint64(v.size)
	if from < SizeofCounterBlock || end > uint64(b.Len()) {
		return Span{}, false
	}
	return Span{b.b[from:end:end], b.off + int64(from)}, true
}

const widestNumber = 8

// counterBlock walks the counter block at the start of s. It returns the bytes after the block, or false if the block
// is not valid.
func (w *walker) counterBlock(s Span, object, instance int, slots slots) (Span, bool) {
	block, err := readBlock(s, object, instance)
	path := block.Path()
	if err != nil {
		w.walkFaulty(&PERF_COUNTER_BLOCK, s, path, err)
		return Span{}, false
	}
	after := s.skipBytes(uint64(block.Len()))
	if !w.record(&PERF_COUNTER_BLOCK, block.Span, path) {
		return after, true
	}
	if w.find != nil {
		w.find.values(block, path, slots)
	}
	at := uint64(SizeofCounterBlock)
	var outside error
	p := Part{Path: path.At("value", 0), Sort: ValuePart} // all values use this Part, because a Part is large
	for _, group := range slots.shown {
		fitting := sort.Search(len(group), func(i int) bool { _, fits := block.slot(&group[i]); return fits })
		if fitting > 0 && outside == nil {
			_, outside = block.Value(group[0].counter)
		}
		if uint64(group[0].at) >= uint64(block.Len()) {
			break // the groups are sorted by offset, so all later values are outside the block too
		}
		if fitting == len(group) {
			continue
		}
		v := &group[fitting]
		// Omit values of more than 8 bytes that overlap an earlier value. Otherwise Walk could yield the bytes of a hostile
		// block many times.
		if uint64(v.at) < at && v.size > widestNumber {
			continue
		}
		if uint64(v.at) > at {
			hole, _ := block.Sub(at, uint64(v.at)-at)
			w.yieldBytes(hole, PaddingPart, path.Field("hole"), nil)
		}
		p.Span, _ = block.slot(v)
		p.Type = v.counter.CounterType()
		p.Path.elems[p.Path.n-1].Index = v.counter.index
		w.part(p)
		at = max(at, uint64(v.at)+uint64(v.size))
	}
	if outside == nil || w.find != nil {
		w.yieldBytes(block.skipBytes(at), PaddingPart, path.Field("padding"), nil)
	} else {
		w.yieldBytes(block.skipBytes(at), UnreadPart, path.Field("padding"), outside)
	}
	return after, true
}
