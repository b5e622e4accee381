package fuzz

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// counterBlockBreakers break the rules about PERF_COUNTER_BLOCK.
var counterBlockBreakers = []breaker{
	{"blk-truncated", also{"obj-total-length-align", "obj-offset-align"}, func(f *faultyBlock) {
		f.inBlock(f.objectWith(singleBlock, anyType))
		block := f.part("object.block")
		left := int64(f.upTo(layout.SizeofCounterBlock))
		f.removeBytes(block.Off()+left, int64(block.Len())-left, f.totals()...)
	}},
	{"blk-length-min", nil, func(f *faultyBlock) {
		withSmallBlock(f).set(f.blockPath()+".ByteLength", int64(f.upTo(layout.SizeofCounterBlock)))
	}},
	{"blk-length-bound", nil, func(f *faultyBlock) {
		f.inBlock(f.twoInstances())
		left := f.distance("object.instance.block", "object")
		f.set("object.instance.block.ByteLength", pick(f.Source, left+1, left+int64(1+f.upTo(1<<16)), math.MaxUint32))
	}},
	{"blk-length-align", also{"obj-total-length-align", "blk-length-uniform", "obj-offset-align", "ctr-offset-range"}, func(f *faultyBlock) {
		if f.chance(128) {
			withCounterBlocks(f).lengthenBlock(f.notMultipleOf8())
			return
		}
		withSmallBlock(f).add(f.blockPath()+".ByteLength", -1-int64(f.upTo(4))) // no byte of the block moves
	}},
	{"blk-length-uniform", also{"blk-slack"}, func(f *faultyBlock) {
		o := f.twoInstances()
		if f.chance(128) { // all counter blocks are longer than their values require
			o.BlockLength = 8 * uint32(3+f.upTo(20))
		}
		required := f.inBlock(o).requiredLength()
		f.changeInstance(func(in *builder.Instance) {
			in.BlockLength = required + 8*uint32(1+f.upTo(40))
			if int64(in.BlockLength) >= f.blockLength() {
				in.BlockLength += 8
			}
		})
	}},
	{"blk-slack", nil, func(f *faultyBlock) {
		required := withSmallBlock(f).requiredLength()
		f.changeObject(func(o *builder.Object) { o.BlockLength = required + 8*uint32(1+f.upTo(20)) })
	}},
}

// withSmallBlock makes a block that has an object with counter blocks of 8 bytes.
func withSmallBlock(f *faultyBlock) *faultyBlock {
	if f.chance(128) {
		return f.inBlock(f.objectWith(singleBlock, anyType))
	}
	return f.inBlock(f.twoInstances())
}

// requiredLength returns the ByteLength that the builder computes for the counter block of the chosen instance or
// object.
func (f *faultyBlock) requiredLength() uint32 {
	o := f.objects[f.chosen["object"]]
	o.BlockLength = 0
	if len(o.Instances) > 0 {
		o.Instances = []builder.Instance{o.Instances[f.chosen["instance"]]}
		o.Instances[0].BlockLength = 0
	}
	return requiredBlockLength(&o)
}

// counterOffsetBreakers break the rules about the CounterSize and CounterOffset of PERF_COUNTER_DEFINITION.
var counterOffsetBreakers = []breaker{
	{"ctr-size-domain", nil, setField(anyCounter, "object.counter.CounterSize", toEither(toOneOf(0, 1, 2, 3, 5, 6, 7), toAtLeast(9)))},
	{"ctr-size-type-mismatch", also{"ctr-overlap-partial", "ctr-offset-align", "ctr-offset-range"}, func(f *faultyBlock) {
		switch f.upTo(4) {
		case 0:
			i := f.consecutive(f.type8())
			f.set(counter(i, "CounterSize"), 4)
		case 1: // 4 unused bytes follow the value
			i := f.consecutive(f.type8(), f.type4(), f.type8()) + 1
			f.set(counter(i, "CounterSize"), 8)
		case 2:
			i := f.consecutive(f.type8(), f.type4(), f.type4()) + 1 + f.upTo(2)
			f.set(counter(i, "CounterSize"), 8)
		case 3:
			i := f.lastCounters(f.type8(), f.type4(), f.type4())
			f.set(counter(i, "CounterSize"), 8)
		}
	}},
	{"ctr-size-average-timer", nil, func(f *faultyBlock) {
		i := f.consecutive(layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BASE)
		f.set(counter(i, "CounterSize"), 8)
	}},
	{"ctr-size-nodata", also{"ctr-offset-range"}, func(f *faultyBlock) {
		f.consecutive(layout.PERF_COUNTER_NODATA)
		left := f.bytesFromValue()
		f.set("object.counter.CounterSize", pick(f.Source, 1+int64(f.upTo(int(left))), f.atLeast(left+1)))
	}},
	{"ctr-text-length", nil, func(f *faultyBlock) {
		ascii := layout.PERF_SIZE_VARIABLE_LEN | layout.PERF_TYPE_TEXT | layout.PERF_TEXT_ASCII
		t := pick(f.Source, layout.PERF_COUNTER_TEXT, ascii)
		i := 0
		if f.base != nil {
			i = f.consecutive(t)
		} else {
			i = f.consecutive(f.numberType())
			f.setType(i, t)
			f.set(counter(i, "CounterSize"), 4)
			f.keepAsValid()
		}
		length := f.part(fmt.Sprintf("%s.value[%d]", f.blockPath(), i)).Bytes()[:4]
		binary.LittleEndian.PutUint32(length, uint32(f.atLeast(f.bytesFromValue()-4+1)))
	}},
	{"ctr-offset-min", nil, setField(anyCounter, "object.counter.CounterOffset", toBelow(layout.SizeofCounterBlock))},
	{"ctr-offset-range", also{"ctr-offset-align", "ctr-overlap-partial"}, func(f *faultyBlock) {
		numberCounter(f)
		size := f.get("object.counter.CounterSize")
		aligned := f.atLeast(f.blockLength()) / size * size
		f.set("object.counter.CounterOffset", pick(f.Source, aligned,
			min(aligned+1+int64(f.upTo(int(size)-1)), math.MaxUint32),
			f.blockLength()-1-int64(f.upTo(int(size)-1)))) // only the first bytes of the value are in the block
	}},
	{"ctr-offset-align", also{"ctr-overlap-partial", "ctr-offset-range"}, func(f *faultyBlock) {
		switch f.upTo(4) {
		case 0: // 4 unused bytes follow the value
			i := f.consecutive(f.type8(), f.type4(), f.type8()) + 1
			f.add(counter(i, "CounterOffset"), int64(1+f.upTo(3)))
		case 1: // 4 unused bytes precede the value
			f.onlyCounters(f.type8(), f.type8())
			f.add(counter(0, "CounterOffset"), -1-int64(f.upTo(4)))
		case 2:
			i := f.consecutive(f.type8(), f.type8())
			f.add(counter(i, "CounterOffset"), int64(1+f.upTo(7)))
		case 3:
			i := f.lastCounters(f.type8())
			f.add(counter(i, "CounterOffset"), int64(1+f.upTo(7)))
		}
	}},
	{"ctr-overlap-partial", also{"ctr-offset-align", "ctr-offset-range"}, func(f *faultyBlock) {
		switch f.upTo(4) {
		case 0: // the value is the second half of the value before it
			i := f.consecutive(f.type8(), f.type4())
			f.set(counter(i+1, "CounterOffset"), f.get(counter(i, "CounterOffset"))+4)
		case 1: // the value includes the two values after it
			i := f.consecutive(f.type8(), f.type4(), f.type4())
			f.set(counter(i, "CounterOffset"), f.get(counter(i+1, "CounterOffset")))
		case 2:
			i := f.consecutive(f.numberType(), f.numberType())
			j := i + 1
			if f.chance(128) {
				i, j = j, i
			}
			f.set(counter(j, "CounterOffset"), f.get(counter(i, "CounterOffset"))+1+2*int64(f.upTo(int(f.get(counter(i, "CounterSize")))/2)))
		case 3:
			i := f.lastCounters(f.type8(), f.type8())
			f.set(counter(i-1, "CounterOffset"), f.get(counter(i, "CounterOffset"))+1+int64(f.upTo(7)))
		}
	}},
}

// anyCounter makes a block that has an object with counters, and chooses a counter.
func anyCounter(f *faultyBlock) *faultyBlock {
	if f.base != nil {
		f.consecutive(anyType)
		return f
	}
	f.chosen["counter"] = f.upTo(1 + f.lastCounters(f.numberType()))
	return f
}

// blockPath returns the path of the counter block of the chosen instance, or of the chosen object if it has
// PERF_NO_INSTANCES.
func (f *faultyBlock) blockPath() string {
	if f.get("object.NumInstances") < 0 {
		return "object.block"
	}
	return "object.instance.block"
}

// blockLength returns the ByteLength of the counter block at blockPath.
func (f *faultyBlock) blockLength() int64 { return f.get(f.blockPath() + ".ByteLength") }

// bytesFromValue returns the number of bytes from the start of the value of the chosen counter to the end of the
// counter block.
func (f *faultyBlock) bytesFromValue() int64 {
	return f.blockLength() - f.get("object.counter.CounterOffset")
}
