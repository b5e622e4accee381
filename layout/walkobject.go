package layout

import (
	"cmp"
	"slices"
)

func (w *walker) object(o Object) {
	w.record(&PERF_OBJECT_TYPE, o.Span, o.Path())
	defs, err := o.Definitions()
	if err != nil {
		w.bytes(o.from(uint64(PERF_OBJECT_TYPE.Size)), UnreadPart, o.Path().Field("rest"), err)
		return
	}
	ext, _ := o.Sub(uint64(PERF_OBJECT_TYPE.Size), uint64(o.HeaderLength()-PERF_OBJECT_TYPE.Size))
	w.bytes(ext, UnreadPart, o.Path().Field("extension"), nil)
	slots := w.counters(o, defs)
	body := o.from(uint64(o.DefinitionLength()))
	switch n := o.NumInstances(); {
	case n == PERF_NO_INSTANCES:
		body = w.block(body, o.index, -1, slots)
	case n > 0:
		body = w.instances(o, body, slots)
	}
	w.bytes(body, UnreadPart, o.Path().Field("rest"), nil)
}

// counters walks the definitions and returns where their values stand.
func (w *walker) counters(o Object, rest Span) []slot {
	var slots []slot
	i := 0
	for c, err := range o.Counters() {
		path := o.Path().At("counter", i)
		if err != nil {
			w.broken(&PERF_COUNTER_DEFINITION, rest, path, err)
			return distinct(slots)
		}
		w.record(&PERF_COUNTER_DEFINITION, c.Span, path)
		w.bytes(c.from(uint64(PERF_COUNTER_DEFINITION.Size)), UnreadPart, path.Field("extension"), nil)
		slots = append(slots, slot{c.CounterOffset(), c.CounterSize(), c})
		if w.done {
			return nil
		}
		rest = rest.from(uint64(c.Len()))
		i++
	}
	w.bytes(rest, UnreadPart, o.Path().Field("rest"), nil)
	return distinct(slots)
}

func (w *walker) instances(o Object, rest Span, slots []slot) Span {
	i := 0
	for in, err := range o.Instances() {
		if err != nil {
			w.broken(&PERF_INSTANCE_DEFINITION, rest, o.Path().At("instance", i), err)
			return Span{}
		}
		w.record(&PERF_INSTANCE_DEFINITION, in.Span, in.Path())
		tail := in.from(uint64(PERF_INSTANCE_DEFINITION.Size))
		if name, err := in.Name(); err != nil {
			w.bytes(tail, UnreadPart, in.Path().Field("padding"), err)
		} else {
			w.name(tail, name, in.Path(), "Name")
		}
		rest = w.block(in.rest, in.object, in.index, slots)
		if _, err := in.Block(); err != nil || w.done {
			return Span{} // block has shown what there is
		}
		i++
	}
	return rest
}

// A slot is where the value of a counter stands in every block.
type slot struct {
	at, size uint32
	counter  Counter
}

// distinct orders the slots by offset and keeps the widest counter at each, so
// that a block has no more values to show than it has bytes.
func distinct(slots []slot) []slot {
	slots = slices.DeleteFunc(slots, func(s slot) bool { return s.size == 0 })
	slices.SortStableFunc(slots, func(a, b slot) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.size, a.size)) })
	return slices.CompactFunc(slots, func(a, b slot) bool { return a.at == b.at })
}

// widestNumber is the size of the widest value that is shown although bytes of it
// have been shown with another: each byte comes a few times at the most.
const widestNumber = 8

// slot returns the value at v and whether it lies in the block, behind its ByteLength.
func (b CounterBlock) slot(v slot) (Span, bool) {
	from, end := uint64(v.at), uint64(v.at)+uint64(v.size)
	if from < uint64(PERF_COUNTER_BLOCK.Size) || end > uint64(b.Len()) {
		return Span{}, false
	}
	return Span{b.b[from:end:end], b.off + int64(from)}, true
}

// block walks the counter block at the start of s and returns what follows it.
func (w *walker) block(s Span, object, instance int, slots []slot) Span {
	block, err := readBlock(s, object, instance)
	path := CounterBlock{object: object, instance: instance}.Path()
	if err != nil {
		w.broken(&PERF_COUNTER_BLOCK, s, path, err)
		return Span{}
	}
	w.record(&PERF_COUNTER_BLOCK, block.Span, path)
	at := uint64(PERF_COUNTER_BLOCK.Size)
	var outside error
	for _, v := range slots {
		value, ok := block.slot(v)
		if !ok && outside == nil {
			_, outside = block.Value(v.counter)
		}
		if uint64(v.at) >= uint64(block.Len()) {
			break // and so do the rest
		}
		if !ok || uint64(v.at) < at && v.size > widestNumber {
			continue
		}
		if uint64(v.at) > at {
			hole, _ := block.Sub(at, uint64(v.at)-at)
			w.bytes(hole, PaddingPart, path.Field("hole"), nil)
		}
		w.part(Part{Span: value, Path: path.At("value", v.counter.index), Sort: ValuePart, Type: v.counter.CounterType()})
		at = max(at, uint64(v.at)+uint64(v.size))
	}
	sort := PaddingPart
	if outside != nil {
		sort = UnreadPart
	}
	w.bytes(block.from(at), sort, path.Field("padding"), outside)
	return s.from(uint64(block.Len()))
}
