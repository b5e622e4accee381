package fuzz

import (
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var counterBlockBreakers = []breaker{
	{"blk-truncated", also{"obj-total-length-align", "obj-offset-align"}, func(v *victim) {
		v.either(v.single(layout.PERF_COUNTER_RAWCOUNT)).truncate(v.upTo(counterBlockSize))
	}},
	{"blk-length-min", nil, func(v *victim) {
		v.either(pick(v.Source, v.pair(), v.single(layout.PERF_COUNTER_RAWCOUNT)))
		v.set(v.anyBlock()+".ByteLength", int64(v.upTo(counterBlockSize)))
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
