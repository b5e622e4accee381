package fuzz

import (
	"fmt"
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// instanceBreakers break the rules about the lengths, ids and parents of PERF_INSTANCE_DEFINITION.
var instanceBreakers = []breaker{
	{"inst-truncated", also{"blk-slack", "blk-length-uniform", "blk-length-align"}, func(f *faultyBlock) {
		if f.chance(60) { // NumInstances is too large
			n := f.withPaddedNames(0).get("object.NumInstances")
			more := f.instancesThatFit() - n
			if f.base != nil && more < 1 {
				f.endAttempt("an object with room for one more instance")
			}
			f.set("object.NumInstances", n+1+int64(f.upTo(int(more))))
			return
		}
		f.overlapLast(2+f.upTo(4), f.upTo(layout.SizeofInstanceDefinition))
	}},
	{"inst-length-min", nil, setField(withUTF16Names, "object.instance.ByteLength", toBelow(layout.SizeofInstanceDefinition))},
	{"inst-length-bound", nil, setField(withUTF16Names, "object.instance.ByteLength", func(f *faultyBlock) int64 {
		left := f.distance("object.instance", "object")
		return min(left-3+int64(f.uint32()), math.MaxUint32)
	})},
	{"inst-length-align", also{"obj-total-length-align"}, func(f *faultyBlock) {
		o := f.withNames(2)
		f.inBlock(o)
		first, second := f.twoBelow(len(o.Instances))
		n := f.notMultipleOf8()
		if f.chance(100) { // the length of the object stays a multiple of 8
			f.lengthenInstance(second, 8-n%8+8*f.upTo(8))
		}
		f.lengthenInstance(first, n)
	}},
	{"inst-unique-id-duplicate", nil, func(f *faultyBlock) {
		o := f.twoInstances()
		f.setUniqueIDs(&o)
		f.inBlock(o)
		first, second := f.twoBelow(len(o.Instances))
		f.set(instance(second, "UniqueID"), f.get(instance(first, "UniqueID")))
	}},
	{"inst-unique-id-mixed", nil, func(f *faultyBlock) { // only one instance has an id, or only one has none
		o, id := f.twoInstances(), int64(int32(f.uint32())&^1) // not PERF_NO_UNIQUE_ID
		if f.chance(128) {
			f.setUniqueIDs(&o)
			id = int64(layout.PERF_NO_UNIQUE_ID)
		}
		f.inBlock(o).set("object.instance.UniqueID", id)
	}},
	{"inst-parent-missing", nil, func(f *faultyBlock) {
		f.inDataBlock(f.twoInstances())
		f.set("object.instance.ParentObjectTitleIndex", int64(f.unusedTitle(max(f.uint32(), 1))))
		f.set("object.instance.ParentObjectInstance", int64(f.uint32()))
	}},
	{"inst-parent-range", nil, func(f *faultyBlock) {
		f.inBlock(f.twoInstances())
		title := f.objects[f.upTo(f.chosen["object"]+1)].ObjectNameTitleIndex // of the chosen object, or of an object before it
		if title == 0 {
			title = f.objects[f.chosen["object"]].ObjectNameTitleIndex
		}
		parents := len(f.objects[f.firstWithTitle(title)].Instances)
		f.set("object.instance.ParentObjectTitleIndex", int64(title))
		f.set("object.instance.ParentObjectInstance", int64(parents)+pick(f.Source, 0, int64(f.upTo(1<<20)), math.MaxInt32))
	}},
	{"inst-parent-stray", nil, func(f *faultyBlock) {
		f.inBlock(f.twoInstances()).set("object.instance.ParentObjectInstance", max(1, int64(f.uint32())))
	}},
	{"inst-padding-zero", nil, func(f *faultyBlock) {
		o := f.withNames(2)
		gap := 2 * f.upTo(5) // bytes before the name
		slack := gap + 8*(1+f.upTo(3))
		if f.base == nil {
			for i := range o.Instances {
				in := &o.Instances[i]
				in.NameOffset = layout.SizeofInstanceDefinition + uint32(gap)
				in.ByteLength += uint32(slack) &^ 7
			}
		}
		f.inBlock(o)
		padding := f.part("object.instance.padding")
		gap = int(f.get("object.instance.NameOffset")) - layout.SizeofInstanceDefinition
		at := padding.Off() + int64(f.upTo(padding.Len()))
		if gap > 0 && f.chance(128) {
			at = f.part("object.instance.Name").Off() - 1 - int64(f.upTo(gap))
		}
		f.block[at] = byte(1 + f.upTo(255))
	}},
	{"inst-total-last", nil, func(f *faultyBlock) {
		o := f.twoInstances()
		if f.base == nil && f.chance(60) {
			for i := range o.Instances {
				o.Instances[i].ParentObjectTitleIndex = o.ObjectNameTitleIndex
			}
		}
		f.inBlock(o).changeObject(func(o *builder.Object) {
			in := &o.Instances[f.upTo(len(o.Instances)-1)]
			if last := &o.Instances[len(o.Instances)-1]; isTotal(last.Name) { // possible only with a Base
				last.Name = in.Name
			}
			in.Name = "_Total"
		})
	}},
}

// twoInstances returns an object with one counter and at least two named instances. Its counter blocks have 8 bytes.
func (f *faultyBlock) twoInstances() builder.Object {
	if f.base != nil {
		return f.fromBase("an object with two instances", anywhere, nil, func(o *builder.Object) bool { return len(o.Instances) > 1 })
	}
	o := f.objectWith(instanceBlocks, layout.PERF_COUNTER_RAWCOUNT)
	return *o.Instance("other", 0)
}

// instance returns the path of a field in instance i of the chosen object.
func instance(i int, field string) string { return fmt.Sprintf("object.instance[%d].%s", i, field) }

// setUniqueIDs sets a different UniqueID for each instance. With a Base, it changes nothing, and calls endAttempt if
// the first instance has no UniqueID.
func (f *faultyBlock) setUniqueIDs(o *builder.Object) {
	if f.base != nil {
		if o.Instances[0].UniqueID == nil {
			f.endAttempt("an object whose instances have a UniqueID")
		}
		return
	}
	first := int32(f.uint32() &^ 0xFF)
	for i := range o.Instances {
		o.Instances[i].UniqueID = new(first + int32(i))
	}
}

// overlapLast lengthens the second-last counter block, so that only `left` bytes remain for the last of n instances.
func (f *faultyBlock) overlapLast(n, left int) {
	o := f.withNames(n)
	if f.base != nil {
		n = len(o.Instances)
	}
	o.Instances = o.Instances[:n]
	f.inBlock(o)
	length := f.distance(instance(n-2, "block"), "object") - int64(left)
	f.set(instance(n-1, "NameOffset"), math.MaxUint32) // the bytes of the last instance must not look like an instance
	f.set(instance(n-2, "block.ByteLength"), length)
}

// lengthenInstance inserts n zeros at the end of the PERF_INSTANCE_DEFINITION of instance i, before the counter block.
func (f *faultyBlock) lengthenInstance(i, n int) {
	end := f.part(instance(i, "ByteLength")).Off() + f.get(instance(i, "ByteLength"))
	f.add(instance(i, "ByteLength"), int64(n))
	f.insertInObject(end, make([]byte, n)...)
}
