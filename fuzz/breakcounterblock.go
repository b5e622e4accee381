package fuzz

import (
	"fmt"
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var counterBlockBreakers = []breaker{
	{"blk-truncated", also{"obj-total-length-align", "obj-offset-align"}, func(v *victim) {
		v.either(v.single(layout.PERF_COUNTER_RAWCOUNT)).truncate(v.upTo(layout.SizeofCounterBlock))
	}},
	{"blk-length-min", nil, func(v *victim) {
		v.either(pick(v.Source, v.pair(), v.single(layout.PERF_COUNTER_RAWCOUNT)))
		v.set(v.anyBlock()+".ByteLength", int64(v.upTo(layout.SizeofCounterBlock)))
	}},
	{"blk-length-bound", nil, func(v *victim) {
		v.either(v.pair())
		block := v.one("block")
		left := v.part(v.in("")).End() - v.part(block).Off()
		v.set(block+".ByteLength", pick(v.Source, left+1, left+int64(1+v.upTo(1<<16)), math.MaxUint32))
	}},
	{"blk-length-align", also{"obj-total-length-align", "blk-length-uniform", "obj-offset-align", "ctr-offset-range"}, func(v *victim) {
		if v.chance(128) {
			v.either(v.blocks()).unalign()
			return
		}
		v.either(pick(v.Source, v.pair(), v.single(layout.PERF_COUNTER_RAWCOUNT))) // nothing moves
		v.add(v.anyBlock()+".ByteLength", -1-int64(v.upTo(4)))
	}},
	{"blk-length-uniform", also{"blk-slack"}, func(v *victim) {
		o := v.pair()
		if v.chance(128) { // all blocks have slack
			o.BlockLength = 8 * uint32(3+v.upTo(20))
		}
		v.either(o)
		v.change(func(o *builder.Object) {
			n := 8 * uint32(2+v.upTo(40))
			if n >= o.BlockLength {
				n += 8
			}
			o.Instances[v.upTo(len(o.Instances))].BlockLength = n
		})
	}},
	{"blk-slack", nil, func(v *victim) {
		v.either(pick(v.Source, v.pair(), v.single(layout.PERF_COUNTER_RAWCOUNT)))
		v.change(func(o *builder.Object) { o.BlockLength = 8 * uint32(2+v.upTo(20)) })
	}},
}

// truncate leaves n bytes of the counter block of the object.
func (v *victim) truncate(n int) {
	end := v.part(v.in("")).End()
	cut := v.part(v.in("block")).Len() - n
	counting := []string{v.in("TotalByteLength")}
	if v.kind == layout.DataBlockKind {
		counting = append(counting, "TotalByteLength")
	}
	v.excise(end-int64(cut), int64(cut), counting...)
}

// counterOffsetBreakers break the rules about CounterSize and CounterOffset.
var counterOffsetBreakers = []breaker{
	{"ctr-size-domain", nil, func(v *victim) {
		i := v.oneOf()
		n := v.uint32()
		if n == 4 || n == 8 {
			n++
		}
		v.set(v.counter(i, "CounterSize"), int64(n))
	}},
	{"ctr-size-type-mismatch", also{"ctr-overlap-partial", "ctr-offset-align", "ctr-offset-range"}, func(v *victim) {
		switch v.upTo(4) {
		case 0:
			i := v.row(v.wide())
			v.set(v.counter(i, "CounterSize"), 4)
		case 1: // 4 unused bytes follow
			i := v.row(v.wide(), v.narrow(), v.wide()) + 1
			v.set(v.counter(i, "CounterSize"), 8)
		case 2:
			i := v.row(v.wide(), v.narrow(), v.narrow()) + 1 + v.upTo(2)
			v.set(v.counter(i, "CounterSize"), 8)
		case 3:
			i := v.ending(v.wide(), v.narrow(), v.narrow())
			v.set(v.counter(i, "CounterSize"), 8)
		}
	}},
	{"ctr-size-average-timer", nil, func(v *victim) {
		i := v.row(layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BASE)
		v.set(v.counter(i, "CounterSize"), 8)
	}},
	{"ctr-size-nodata", also{"ctr-offset-range"}, func(v *victim) {
		i := v.row(layout.PERF_COUNTER_NODATA)
		v.set(v.counter(i, "CounterSize"), pick(v.Source, 1+int64(v.upTo(int(v.room(i)))), v.from(v.room(i)+1)))
	}},
	{"ctr-text-length", nil, func(v *victim) {
		i := v.row(v.number())
		ascii := layout.PERF_SIZE_VARIABLE_LEN | layout.PERF_TYPE_TEXT | layout.PERF_TEXT_ASCII
		v.set(v.counter(i, "CounterType"), int64(pick(v.Source, layout.PERF_COUNTER_TEXT, ascii)))
		v.set(v.counter(i, "CounterSize"), 4)
		v.settle()
		v.set(fmt.Sprintf("%s.value[%d]", v.anyBlock(), i), v.from(v.room(i)-4+1))
	}},
	{"ctr-offset-min", nil, func(v *victim) { v.set(v.counter(v.oneOf(), "CounterOffset"), int64(v.upTo(4))) }},
	{"ctr-offset-range", also{"ctr-offset-align", "ctr-overlap-partial"}, func(v *victim) {
		i := v.row(v.number())
		size := v.get(v.counter(i, "CounterSize"))
		aligned := v.from(v.blockLength()) / size * size
		v.set(v.counter(i, "CounterOffset"), pick(v.Source, aligned,
			min(aligned+1+int64(v.upTo(int(size)-1)), math.MaxUint32),
			v.blockLength()-1-int64(v.upTo(int(size)-1)))) // a part of the value is in the block
	}},
	{"ctr-offset-align", also{"ctr-overlap-partial", "ctr-offset-range"}, func(v *victim) {
		switch v.upTo(4) {
		case 0: // 4 unused bytes follow
			i := v.row(v.wide(), v.narrow(), v.wide()) + 1
			v.add(v.counter(i, "CounterOffset"), int64(1+v.upTo(3)))
		case 1: // 4 unused bytes precede
			v.defined(v.wide(), v.wide())
			v.add(v.counter(0, "CounterOffset"), -1-int64(v.upTo(4)))
		case 2:
			i := v.row(v.wide(), v.wide())
			v.add(v.counter(i, "CounterOffset"), int64(1+v.upTo(7)))
		case 3:
			i := v.ending(v.wide())
			v.add(v.counter(i, "CounterOffset"), int64(1+v.upTo(7)))
		}
	}},
	{"ctr-overlap-partial", also{"ctr-offset-align", "ctr-offset-range"}, func(v *victim) {
		switch v.upTo(4) {
		case 0: // the second half of another value
			i := v.row(v.wide(), v.narrow())
			v.set(v.counter(i+1, "CounterOffset"), v.get(v.counter(i, "CounterOffset"))+4)
		case 1: // two values, one of which has the same offset
			i := v.row(v.wide(), v.narrow(), v.narrow())
			v.set(v.counter(i, "CounterOffset"), v.get(v.counter(i+1, "CounterOffset")))
		case 2:
			i := v.row(v.number(), v.number())
			under, over := i, i+1
			if v.chance(128) {
				under, over = over, under
			}
			v.set(v.counter(over, "CounterOffset"), v.get(v.counter(under, "CounterOffset"))+1+2*int64(v.upTo(int(v.get(v.counter(under, "CounterSize")))/2)))
		case 3:
			i := v.ending(v.wide(), v.wide())
			v.set(v.counter(i-1, "CounterOffset"), v.get(v.counter(i, "CounterOffset"))+1+int64(v.upTo(7)))
		}
	}},
}

// oneOf makes a block that has an object with counters, and returns the position of one of them.
func (v *victim) oneOf() int { return v.upTo(1 + v.ending(v.number())) }

// blockLength returns the length of a counter block of the object.
func (v *victim) blockLength() int64 { return v.get(v.anyBlock() + ".ByteLength") }

// room returns the number of bytes from the value of a counter to the end of the counter block.
func (v *victim) room(i int) int64 { return v.blockLength() - v.get(v.counter(i, "CounterOffset")) }

// anyBlock returns the path of a counter block of the object.
func (v *victim) anyBlock() string {
	n := v.get(v.in("NumInstances"))
	if n < 0 {
		return v.in("block")
	}
	return v.in(fmt.Sprintf("instance[%d].block", v.upTo(int(n))))
}
