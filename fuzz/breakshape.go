package fuzz

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// types returns n types of 4 and 8 bytes that need no base.
func (v *victim) types(n int) []layout.CounterType {
	list := make([]layout.CounterType, n)
	for i := range list {
		list[i] = pick(v.Source, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_COUNTER_COUNTER, layout.PERF_100NSEC_TIMER)
	}
	return list
}

// some returns an object with or without instances.
func (v *victim) some() builder.Object {
	return v.shaped(v.types(1 + v.upTo(4))...)
}

// shaped returns one with counters of those types.
func (v *victim) shaped(types ...layout.CounterType) builder.Object {
	switch v.upTo(3) {
	case 0:
		return v.single(types...)
	case 1:
		return v.bare(types...)
	}
	return v.named(types...)
}

// body makes an object with counter blocks.
func (v *victim) body() {
	if types := v.types(1 + v.upTo(4)); v.chance(128) {
		v.either(v.single(types...))
	} else {
		v.either(v.named(types...))
	}
}

// metadata returns an object of counters alone, for that NumInstances.
func (v *victim) metadata(n int32) builder.Object {
	o := v.bare(v.types(1 + v.upTo(4))...)
	o.NumInstances = n
	return o
}

// lone returns an object with one counter block.
func (v *victim) lone() builder.Object {
	types := v.types(1 + v.upTo(4))
	if v.chance(128) {
		return v.single(types...)
	}
	o := v.bare(types...)
	return *o.Instance("alone", make([]uint64, len(types))...)
}

// several returns an object with two instances or more.
func (v *victim) several() builder.Object {
	types := v.types(1 + v.upTo(4))
	o := v.named(types...)
	return *o.Instance("another", make([]uint64, len(types))...)
}

// uneven returns a number of bytes that puts what is behind them out of line.
func (v *victim) uneven() int { return 1 + v.upTo(7) + 8*v.upTo(8) }

// spare makes a block with o in it, and returns a number of bytes that may come behind
// it and put nothing out of line.
func (v *victim) spare(o builder.Object) int {
	if v.chance(128) {
		v.last(o)
		return 1 + v.upTo(64)
	}
	v.either(o)
	return 8 * (1 + v.upTo(8))
}

// push puts the object behind o out of line with bytes that belong to nothing.
func (v *victim) push(o builder.Object) { v.followed(o).lengthen(v.uneven()) }

// lengthen puts n bytes at the end of the object. They are neither instances nor a
// counter block.
func (v *victim) lengthen(n int) {
	b := v.bytes(n)
	clear(b[:min(4, n)])
	v.insert(v.part(v.in("")).End(), b...)
}

// unalign makes a counter block of the object longer.
func (v *victim) unalign() {
	n, block := v.uneven(), v.anyBlock()
	end := v.part(block).End()
	v.add(block+".ByteLength", int64(n))
	v.insert(end, v.bytes(n)...)
}

// lengthenHeader puts n bytes between the PERF_OBJECT_TYPE and the definitions.
func (v *victim) lengthenHeader(n int) {
	at := v.part(v.in("")).Off() + v.get(v.in("HeaderLength"))
	v.insert(at, v.bytes(n)...)
	v.add(v.in("HeaderLength"), int64(n))
	v.add(v.in("DefinitionLength"), int64(n))
}

// lengthenDefinitions puts n bytes behind the definitions.
func (v *victim) lengthenDefinitions(n int) {
	v.insert(v.part(v.in("")).Off()+v.get(v.in("DefinitionLength")), v.bytes(n)...)
	v.add(v.in("DefinitionLength"), int64(n))
}

// rebase makes an object of n counters, and bases of them all.
func (v *victim) rebase(n int) {
	v.either(v.bare(v.types(n)...))
	for i := range n {
		v.set(v.counter(i, "CounterType"), int64(v.baseLike(v.counter(i, "CounterSize"))))
	}
}

// baseLike returns a base of the width that stands at a path.
func (v *victim) baseLike(size string) layout.CounterType {
	if v.get(size) == 8 {
		return pick(v.Source, wideBases...)
	}
	return pick(v.Source, narrowBases...)
}
