package fuzz

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// objectBreakers break the rules about the lengths and counts of PERF_OBJECT_TYPE.
var objectBreakers = []breaker{
	{"obj-truncated", also{"data-object-count"}, func(f *faultyBlock) {
		if f.chance(60) { // the first object is complete, the second too short
			d := f.header()
			d.Objects = []builder.Object{f.objectWith(noBlocks, f.plainTypes(1)...)}
			f.encodeValid(&d)
			f.appendBytes(layout.SizeofInstanceDefinition - 1)
			f.add("NumObjectTypes", 1)
			f.set("TotalByteLength", f.size())
			return
		}
		anyBlock(f)
		least := 1
		if f.kind == layout.DataBlockKind { // the block is long enough for one more object of the smallest size
			f.add("NumObjectTypes", 1)
			least = max(least, layout.SizeofObjectType*(len(f.objects)+1)-int(f.size()-f.get("HeaderLength")))
		}
		f.block = append(f.block, f.bytes(least+f.upTo(layout.SizeofObjectType-least))...)
		if f.kind == layout.DataBlockKind {
			f.set("TotalByteLength", f.size())
		}
	}},
	{"obj-offset-align", also{"data-header-align", "obj-single-slack", "obj-empty-length", "obj-multi-length", "obj-metadata-body"}, func(f *faultyBlock) {
		if f.chance(60) {
			anyDataBlock(f).lengthenDataHeader(f.notMultipleOf8())
			return
		}
		o := f.anyObject()
		if f.chance(80) {
			o = f.objectWith(noBlocks, f.someTypes()...)
			o.NumInstances = layout.PERF_METADATA_MULTIPLE_INSTANCES
		}
		f.withAnotherObject(o)
		f.chosen["object"] = min(f.chosen["object"], len(f.objects)-2)                // another object follows it
		if f.get("object.NumInstances") == int64(layout.PERF_METADATA_NO_INSTANCES) { // the rule obj-total-length-align would report the object
			f.set("object.NumInstances", int64(layout.PERF_METADATA_MULTIPLE_INSTANCES))
		}
		f.lengthenObject(f.notMultipleOf8())
	}},
	{"obj-total-length-min", nil, setField(anyBlock, "object.TotalByteLength", toBelow(layout.SizeofObjectType))},
	{"obj-total-length-bound", nil, setField(anyBlock, "object.TotalByteLength", toMoreThan(span("object", "")))},
	{"obj-total-length-align", also{"blk-length-align", "blk-length-uniform"}, func(f *faultyBlock) {
		withCounterBlocks(f).lengthenBlock(f.notMultipleOf8())
	}},
	{"obj-header-length-min", nil, setField(anyBlock, "object.HeaderLength", toOutside(layout.SizeofObjectType, field("object.DefinitionLength")))},
	{"obj-header-length-exact", also{"obj-definition-align", "obj-total-length-align"}, func(f *faultyBlock) {
		anyBlock(f).lengthenObjectHeader(f.anyPadding())
	}},
	{"obj-definition-bound", nil, setField(anyBlock, "object.DefinitionLength", toOutside(layout.SizeofObjectType, field("object.TotalByteLength")))},
	{"obj-definition-sum", also{"obj-total-length-align"}, func(f *faultyBlock) {
		if f.chance(100) { // NumCounters does not count the last definitions
			n := 2 + f.upTo(4)
			f.inBlock(f.objectWith(anyBlocks, f.plainTypes(n)...)).add("object.NumCounters", -1-int64(f.upTo(n-1)))
			return
		}
		n := f.anyPadding()
		anyBlock(f)
		end := f.part("object").Off() + f.get("object.DefinitionLength")
		f.insertInObject(end, f.bytes(n)...)
		f.add("object.DefinitionLength", int64(n))
	}},
	{"obj-definition-align", also{"obj-header-length-exact", "obj-total-length-align"}, func(f *faultyBlock) {
		anyBlock(f).lengthenObjectHeader(f.notMultipleOf8())
	}},
	{"obj-num-counters", nil, setField(anyBlock, "object.NumCounters", toMoreThan(field("object.NumCounters")))},
	{"obj-no-counters", nil, func(f *faultyBlock) {
		anyBlock(f).changeObject(func(o *builder.Object) {
			o.Counters, o.Values, o.DefaultCounter = nil, nil, nil
			for i := range o.Instances {
				o.Instances[i].Values = nil
			}
		})
	}},
	{"obj-all-base", also{"ctr-base-first", "ctr-base-orphan", "ctr-size-type-mismatch"}, func(f *faultyBlock) {
		o := f.objectWith(noBlocks, f.someTypes()...)
		f.inBlock(o)
		for i := range o.Counters {
			f.setType(i, pick(f.Source, bases...))
		}
	}},
	{"obj-num-instances-domain", nil, setField(anyBlock, "object.NumInstances", func(f *faultyBlock) int64 { return max(-f.atLeast(4), math.MinInt32) })},
	{"obj-single-length", nil, setField(withoutInstances, "object.block.ByteLength", toMoreThan(field("object.block.ByteLength")))},
	{"obj-single-slack", also{"obj-total-length-align", "obj-offset-align"}, func(f *faultyBlock) {
		withoutInstances(f).lengthenObject(1 + f.upTo(64))
	}},
	{"obj-empty-length", also{"obj-offset-align"}, func(f *faultyBlock) {
		if f.chance(100) { // NumInstances does not count the instances
			f.inBlock(f.objectWith(instanceBlocks, f.someTypes()...)).set("object.NumInstances", 0)
			return
		}
		f.inBlock(f.objectWith(noBlocks, f.someTypes()...)).lengthenObject(1 + f.upTo(64))
	}},
	{"obj-empty-block", nil, setField(withoutInstances, "object.NumInstances", toOneOf(0))},
	{"obj-multi-length", also{"obj-offset-align"}, func(f *faultyBlock) {
		o := f.objectWith(instanceBlocks, f.someTypes()...)
		if n := len(o.Instances); n > 1 && f.chance(100) { // NumInstances does not count the last instances
			f.inBlock(o).set("object.NumInstances", int64(1+f.upTo(n-1)))
			return
		}
		f.inBlock(o).lengthenObject(1 + f.upTo(64))
	}},
	{"obj-instance-count-bound", nil, func(f *faultyBlock) {
		if f.chance(128) {
			f.inBlock(f.objectWith(instanceBlocks, f.someTypes()...))
		} else {
			f.inBlock(f.objectWith(noBlocks, f.someTypes()...))
		}
		f.set("object.NumInstances", min(f.atLeast(f.instancesThatFit()+1), math.MaxInt32))
	}},
	{"obj-metadata-body", nil, setField(withCounterBlocks, "object.NumInstances", toOneOf(-2))},
	{"obj-metadata-single-body", nil, setField(withCounterBlocks, "object.NumInstances", toOneOf(-3))},
	{"obj-metadata-unasked", nil, func(f *faultyBlock) {
		o := f.objectWith(noBlocks, f.someTypes()...)
		query := pick(f.Source, "Global", "Costly", "OLD_Global", "", fmt.Sprint(o.ObjectNameTitleIndex), "Global Metadata")
		f.MaxObjects = 0 // generate no other objects, which could have metadata
		f.inBlock(o).ctx.Query = &query
		f.set("object.NumInstances", int64(pick(f.Source, layout.PERF_METADATA_MULTIPLE_INSTANCES, layout.PERF_METADATA_NO_INSTANCES)))
	}},
}

// objectTitleBreakers break the rules about the titles, levels, code page and clock of PERF_OBJECT_TYPE.
var objectTitleBreakers = []breaker{
	{"obj-name-index", nil, setField(withOneCounter, "object.ObjectNameTitleIndex", func(f *faultyBlock) int64 {
		return pick(f.Source, 0, int64(f.unusedTitle(f.uint32()|1)))
	})},
	{"obj-help-index", nil, setField(withOneCounter, "object.ObjectHelpTitleIndex", toHelpTitle)},
	{"obj-help-none", nil, setField(withOneCounter, "object.ObjectHelpTitleIndex", toOneOf(0))},
	{"obj-help-follows-name", nil, func(f *faultyBlock) { // the index stays odd
		withOneCounter(f).add("object.ObjectHelpTitleIndex", 2*pick(f.Source, -1, 1+int64(f.upTo(5000))))
	}},
	{"obj-reserved-title", nil, func(f *faultyBlock) {
		withOneCounter(f).set(pick(f.Source, "object.ObjectNameTitle", "object.ObjectHelpTitle"), max(int64(f.uint32()), 1))
	}},
	{"obj-detail-level", nil, setField(withOneCounter, "object.DetailLevel", (*faultyBlock).undefinedLevel)},
	{"obj-detail-level-min", nil, func(f *faultyBlock) {
		levels := []layout.DetailLevel{layout.PERF_DETAIL_NOVICE, layout.PERF_DETAIL_ADVANCED, layout.PERF_DETAIL_EXPERT, layout.PERF_DETAIL_WIZARD}
		lowest := f.upTo(len(levels))
		if f.base != nil {
			f.inBlock(f.anyObject())
		} else {
			o := f.objectWith(singleBlock, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE)
			o.Counters[0].DetailLevel = levels[lowest+f.upTo(len(levels)-lowest)]
			o.Counters[1].DetailLevel = levels[lowest]
			f.inBlock(o)
		}
		lowest = slices.Index(levels, layout.DetailLevel(f.get("object.DetailLevel"))) // -1 for a level without a name
		f.set("object.DetailLevel", int64(levels[(lowest+1+f.upTo(len(levels)-1))%len(levels)]))
	}},
	{"obj-default-counter", nil, func(f *faultyBlock) {
		o := f.objectWith(anyBlocks, anyType)
		if f.base == nil {
			o = f.objectWith(instanceBlocks, layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE)
		}
		count := int64(len(o.Counters))
		base := slices.IndexFunc(o.Counters, func(c builder.Counter) bool { return c.CounterType.IsBase() })
		f.inBlock(o).set("object.DefaultCounter", pick(f.Source, count, int64(base), count+int64(f.upTo(5000)), -2, -2-int64(f.uint32()>>1)))
	}},
	{"obj-codepage-unicode", also{"inst-name-codepage"}, func(f *faultyBlock) {
		page := pick(f.Source, uint32(1252), 65001, 65000, 932, 437, 37, 1, 42)
		if f.chance(80) { // no instance has a name
			f.inBlock(f.objectWith(singleBlock, anyType)).set("object.CodePage", int64(page))
			return
		}
		f.inBlock(f.objectWith(instanceBlocks, anyType)).changeObject(func(o *builder.Object) { o.CodePage = page })
	}},
	{"obj-codepage-valid", nil, setField(withOneCounter, "object.CodePage", func(f *faultyBlock) int64 {
		return pick(f.Source, 1200, 1201, 12000, 12001, 4, 65002, 1<<16+1252, 70_000+int64(f.uint32()>>1))
	})},
	{"obj-timer-perffreq", nil, func(f *faultyBlock) {
		f.inBlock(f.amongCounters(layout.PERF_ELAPSED_TIME)).set("object.PerfFreq", toNotPositive(f))
	}},
	{"obj-timer-perftime", nil, func(f *faultyBlock) {
		f.inBlock(f.amongCounters(f.timerTypes(layout.PERF_ELAPSED_TIME)...)).set("object.PerfTime", toNotPositive(f))
	}},
	{"obj-timer-perffreq-rate", nil, func(f *faultyBlock) {
		f.inBlock(f.amongCounters(f.timerTypes(layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE)...)).set("object.PerfFreq", toNotPositive(f))
	}},
}

// A blocksKind says which counter blocks an object has.
type blocksKind uint8

const (
	anyBlocks      blocksKind = iota // any of the following
	valueBlocks                      // instanceBlocks or singleBlock
	instanceBlocks                   // a counter block in each of at least one instance
	singleBlock                      // one counter block and no instances
	noBlocks                         // NumInstances is 0, and there are no counter blocks
)

// String returns a description of an object with these counter blocks, for the message about a missing object.
func (k blocksKind) String() string {
	return [...]string{"an object", "an object with values", "an object with instances", "an object with PERF_NO_INSTANCES", "an object with NumInstances 0"}[k]
}

// fits reports whether an object has the counter blocks that k requires.
func (k blocksKind) fits(o *builder.Object) bool {
	is := noBlocks
	switch {
	case len(o.Instances) > 0:
		is = instanceBlocks
	case o.NumInstances == layout.PERF_NO_INSTANCES:
		is = singleBlock
	case o.NumInstances != 0:
		return k == anyBlocks // an object of metadata has no counter blocks
	}
	return k == is || k == anyBlocks || k == valueBlocks && is != noBlocks
}

// objectWith returns an object with counters of the given types. A type that requires a base counter must be followed
// by the type of the base counter.
func (f *faultyBlock) objectWith(blocks blocksKind, types ...layout.CounterType) builder.Object {
	switch {
	case f.base != nil:
		return f.fromBase(blocks.String(), anywhere, types, blocks.fits)
	case blocks == anyBlocks:
		blocks = pick(f.Source, singleBlock, noBlocks, instanceBlocks)
	case blocks == valueBlocks && f.chance(128):
		blocks = singleBlock
	}
	o := builder.Object{ObjectNameTitleIndex: 2*uint32(f.upTo(2000)) + 10_000}
	for i, t := range types {
		if t == anyType {
			t = layout.PERF_COUNTER_RAWCOUNT
		}
		c := builder.Counter{CounterType: t}
		if !t.IsBase() {
			c.CounterNameTitleIndex = o.ObjectNameTitleIndex + 2 + 2*uint32(i)
		}
		o.Define(c)
	}
	switch blocks {
	case singleBlock:
		o.Single(make([]uint64, len(types))...)
	case instanceBlocks, valueBlocks:
		for i := range 1 + f.upTo(f.MaxInstances) {
			o.Instance(fmt.Sprintf("n%d", i), make([]uint64, len(types))...)
		}
	}
	return o
}

// someTypes returns 1 to 4 counter types of 4 or 8 bytes. No type requires a base counter.
func (f *faultyBlock) someTypes() []layout.CounterType {
	if f.base != nil {
		return f.plainTypes(1)
	}
	return f.plainTypes(1 + f.upTo(4))
}

// plainTypes returns n counter types of 4 or 8 bytes. No type requires a base counter.
func (f *faultyBlock) plainTypes(n int) []layout.CounterType {
	list := slices.Repeat([]layout.CounterType{anyType}, n)
	for i := range list {
		if f.base == nil {
			list[i] = pick(f.Source, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_COUNTER_COUNTER, layout.PERF_100NSEC_TIMER)
		}
	}
	return list
}

// anyObject returns an object with or without counter blocks.
func (f *faultyBlock) anyObject() builder.Object { return f.objectWith(anyBlocks, f.someTypes()...) }

// withCounterBlocks makes a block that has an object with counter blocks.
func withCounterBlocks(f *faultyBlock) *faultyBlock {
	return f.inBlock(f.objectWith(valueBlocks, f.someTypes()...))
}

// withOneCounter makes a block that has an object with counter blocks and one counter.
func withOneCounter(f *faultyBlock) *faultyBlock {
	return f.inBlock(f.objectWith(valueBlocks, anyType))
}

// withoutInstances makes a block that has an object with one counter block and no instances.
func withoutInstances(f *faultyBlock) *faultyBlock {
	return f.inBlock(f.objectWith(singleBlock, f.someTypes()...))
}

// amongCounters returns an object with counters of the given types, between other counters.
func (f *faultyBlock) amongCounters(types ...layout.CounterType) builder.Object {
	if f.base != nil {
		return f.objectWith(anyBlocks, types...)
	}
	before := slices.Repeat([]layout.CounterType{layout.PERF_COUNTER_RAWCOUNT}, f.upTo(3))
	after := slices.Repeat([]layout.CounterType{layout.PERF_100NSEC_TIMER}, f.upTo(3))
	return f.objectWith(singleBlock, slices.Concat(before, types, after)...)
}

// timerTypes returns a list with one type that uses the clock of the object: t or another type. If the type is
// PERF_PRECISION_OBJECT_TIMER, the list also has the type of its base counter.
func (f *faultyBlock) timerTypes(t layout.CounterType) []layout.CounterType {
	switch f.upTo(3) {
	case 1:
		return []layout.CounterType{layout.PERF_OBJ_TIME_TIMER}
	case 2:
		return []layout.CounterType{layout.PERF_PRECISION_OBJECT_TIMER, layout.PERF_PRECISION_TIMESTAMP}
	}
	return []layout.CounterType{t}
}

// instancesThatFit returns the largest number of instances that the bytes after the definitions can hold.
func (f *faultyBlock) instancesThatFit() int64 {
	return (f.get("object.TotalByteLength") - f.get("object.DefinitionLength")) / (layout.SizeofInstanceDefinition + layout.SizeofCounterBlock)
}

// lengthenObject appends n bytes to the object.
func (f *faultyBlock) lengthenObject(n int) {
	b := f.bytes(n)
	clear(b[:min(4, n)]) // 0 cannot be the length of an instance or of a counter block
	f.insertInObject(f.part("object").End(), b...)
}

// lengthenBlock appends n bytes to a counter block of the object.
func (f *faultyBlock) lengthenBlock(n int) {
	end := f.part(f.blockPath()).End()
	f.add(f.blockPath()+".ByteLength", int64(n))
	f.insertInObject(end, f.bytes(n)...)
}

// lengthenObjectHeader inserts n bytes between the PERF_OBJECT_TYPE and the counter definitions.
func (f *faultyBlock) lengthenObjectHeader(n int) {
	at := f.part("object").Off() + f.get("object.HeaderLength")
	f.insertInObject(at, f.bytes(n)...)
	f.add("object.HeaderLength", int64(n))
	f.add("object.DefinitionLength", int64(n))
}
