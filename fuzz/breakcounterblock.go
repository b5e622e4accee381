package fuzz

import (
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// counterBlockBreakers break the rules about PERF_COUNTER_BLOCK.
var counterBlockBreakers = []breaker{
	{"blk-truncated", also{"obj-total-length-align"}, func(f *faultyBlock) {
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
	{"blk-length-align", also{"obj-total-length-align", "blk-length-uniform", "ctr-offset-range"}, func(f *faultyBlock) {
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
	if len(o.Instances) > 0 {
		o.Instances = []builder.Instance{o.Instances[f.chosen["instance"]]}
	}
	return requiredBlockLength(&o)
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
