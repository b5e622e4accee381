package fuzz

import (
	"fmt"
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var objectBreakers = []breaker{
	{"obj-truncated", also{"data-object-count"}, func(v *victim) {
		if v.chance(60) { // the only object is complete and a second is too short
			d := v.header()
			d.Objects = []builder.Object{v.bare(v.types(1)...)}
			v.model(&d)
			v.block = append(v.block, v.bytes(1+v.upTo(23))...)
			v.add("NumObjectTypes", 1)
			v.set("TotalByteLength", v.size())
			return
		}
		v.either(v.some())
		least := 1
		if v.kind == layout.DataBlockKind { // the objects have bytes for one more
			v.add("NumObjectTypes", 1)
			least = max(least, layout.SizeofObjectType*(len(v.objects)+1)-int(v.size()-v.get("HeaderLength")))
		}
		v.block = append(v.block, v.bytes(least+v.upTo(layout.SizeofObjectType-least))...)
		if v.kind == layout.DataBlockKind {
			v.set("TotalByteLength", v.size())
		}
	}},
	{"obj-offset-align", also{"data-header-align", "obj-single-slack", "obj-empty-length", "obj-multi-length", "obj-metadata-body", "obj-metadata-single-body"}, func(v *victim) {
		if v.chance(60) {
			v.with(v.some())
			v.growHeader(v.uneven())
			return
		}
		o := v.some()
		if v.chance(80) {
			o = v.bare(v.types(1 + v.upTo(4))...)
			o.NumInstances = pick(v.Source, layout.PERF_METADATA_MULTIPLE_INSTANCES, layout.PERF_METADATA_NO_INSTANCES)
		}
		v.followed = true
		v.either(o).lengthen(v.uneven())
	}},
	{"obj-total-length-min", nil, func(v *victim) {
		v.either(v.some()).set(v.in("TotalByteLength"), int64(v.upTo(layout.SizeofObjectType)))
	}},
	{"obj-total-length-bound", nil, func(v *victim) {
		v.either(v.some())
		v.set(v.in("TotalByteLength"), v.from(v.size()-v.part(v.in("")).Off()+1))
	}},
	{"obj-total-length-align", also{"blk-length-align", "blk-length-uniform", "obj-offset-align"}, func(v *victim) { v.either(v.blocks()).unalign() }},
	{"obj-header-length-min", nil, func(v *victim) {
		v.either(v.some())
		if v.chance(128) {
			v.set(v.in("HeaderLength"), v.from(v.get(v.in("DefinitionLength"))+1))
			return
		}
		v.set(v.in("HeaderLength"), int64(v.upTo(layout.SizeofObjectType)))
	}},
	{"obj-header-length-exact", also{"obj-definition-align", "obj-total-length-align", "obj-offset-align"}, func(v *victim) {
		v.either(v.some()).lengthenHeader(pick(v.Source, 8*(1+v.upTo(8)), v.uneven()))
	}},
	{"obj-definition-bound", nil, func(v *victim) {
		v.either(v.some())
		if v.chance(128) {
			v.set(v.in("DefinitionLength"), v.from(v.get(v.in("TotalByteLength"))+1))
			return
		}
		v.set(v.in("DefinitionLength"), int64(v.upTo(layout.SizeofObjectType)))
	}},
	{"obj-definition-sum", also{"obj-total-length-align", "obj-offset-align"}, func(v *victim) {
		if v.chance(100) { // definitions that NumCounters does not count
			n := 2 + v.upTo(4)
			v.either(v.shaped(v.types(n)...)).add(v.in("NumCounters"), -1-int64(v.upTo(n-1)))
			return
		}
		n := pick(v.Source, 8*(1+v.upTo(8)), v.uneven())
		v.either(v.some())
		v.insert(v.part(v.in("")).Off()+v.get(v.in("DefinitionLength")), v.bytes(n)...)
		v.add(v.in("DefinitionLength"), int64(n))
	}},
	{"obj-definition-align", also{"obj-header-length-exact", "obj-total-length-align", "obj-offset-align"}, func(v *victim) { v.either(v.some()).lengthenHeader(v.uneven()) }},
	{"obj-num-counters", nil, func(v *victim) {
		v.either(v.some())
		v.set(v.in("NumCounters"), v.from(v.get(v.in("NumCounters"))+1))
	}},
	{"obj-no-counters", nil, func(v *victim) {
		v.either(v.some())
		v.change(func(o *builder.Object) {
			o.Counters, o.Values = nil, nil
			for i := range o.Instances {
				o.Instances[i].Values = nil
			}
		})
	}},
	{"obj-all-base", also{"ctr-base-first", "ctr-base-orphan"}, func(v *victim) {
		n := 1 + v.upTo(4)
		v.either(v.bare(v.types(n)...))
		for i := range n {
			bases := narrowBases
			if v.get(v.counter(i, "CounterSize")) == 8 {
				bases = wideBases
			}
			v.set(v.counter(i, "CounterType"), int64(pick(v.Source, bases...)))
		}
	}},
	{"obj-num-instances-domain", nil, func(v *victim) {
		v.either(v.some()).set(v.in("NumInstances"), max(-v.from(4), math.MinInt32))
	}},
	{"obj-single-length", nil, func(v *victim) {
		v.either(v.single(v.types(1 + v.upTo(4))...))
		v.set(v.in("block.ByteLength"), v.from(v.get(v.in("block.ByteLength"))+1))
	}},
	{"obj-single-slack", also{"obj-total-length-align", "obj-offset-align"}, func(v *victim) {
		v.either(v.single(v.types(1 + v.upTo(4))...)).lengthen(1 + v.upTo(64))
	}},
	{"obj-empty-length", also{"obj-offset-align"}, func(v *victim) {
		if v.chance(100) { // instances that NumInstances does not count
			v.either(v.named(v.types(1+v.upTo(4))...)).set(v.in("NumInstances"), 0)
			return
		}
		v.either(v.bare(v.types(1 + v.upTo(4))...)).lengthen(1 + v.upTo(64))
	}},
	{"obj-empty-block", nil, func(v *victim) {
		v.either(v.single(v.types(1+v.upTo(4))...)).set(v.in("NumInstances"), 0)
	}},
	{"obj-multi-length", also{"obj-offset-align"}, func(v *victim) {
		o := v.named(v.types(1 + v.upTo(4))...)
		if n := len(o.Instances); n > 1 && v.chance(100) {
			v.either(o).set(v.in("NumInstances"), int64(1+v.upTo(n-1)))
			return
		}
		v.either(o).lengthen(1 + v.upTo(64))
	}},
	{"obj-instance-count-bound", nil, func(v *victim) {
		o := v.bare(v.types(1 + v.upTo(4))...)
		if v.chance(128) {
			o = v.named(v.types(1 + v.upTo(4))...)
		}
		v.either(o)
		v.set(v.in("NumInstances"), min(v.from(v.instanceRoom()+1), math.MaxInt32))
	}},
	{"obj-metadata-body", nil, func(v *victim) { v.body().set(v.in("NumInstances"), -2) }},
	{"obj-metadata-single-body", nil, func(v *victim) { v.body().set(v.in("NumInstances"), -3) }},
	{"obj-metadata-unasked", nil, func(v *victim) {
		o := v.bare(v.types(1 + v.upTo(4))...)
		query := pick(v.Source, "Global", "Costly", "OLD_Global", "", fmt.Sprint(o.ObjectNameTitleIndex), "Global Metadata")
		v.noMetadata = true
		v.either(o).ctx.Query = &query
		v.set(v.in("NumInstances"), int64(pick(v.Source, layout.PERF_METADATA_MULTIPLE_INSTANCES, layout.PERF_METADATA_NO_INSTANCES)))
	}},
}

// objectTitleBreakers break the rules about the titles, levels, code page and clock of an object.
var objectTitleBreakers = []breaker{
	{"obj-name-index", nil, func(v *victim) {
		v.counting().set(v.in("ObjectNameTitleIndex"), pick(v.Source, 0, int64(v.unknown(v.uint32()|1))))
	}},
	{"obj-help-index", nil, func(v *victim) { v.counting().set(v.in("ObjectHelpTitleIndex"), max(int64(v.uint32()&^1), 2)) }},
	{"obj-help-none", nil, func(v *victim) { v.counting().set(v.in("ObjectHelpTitleIndex"), 0) }},
	{"obj-help-follows-name", nil, func(v *victim) {
		v.counting()
		help := int64(v.uint32() | 1)
		if help == v.get(v.in("ObjectNameTitleIndex"))+1 {
			help -= 2
		}
		v.set(v.in("ObjectHelpTitleIndex"), help)
	}},
	{"obj-reserved-title", nil, func(v *victim) {
		v.counting().set(v.in(pick(v.Source, "ObjectNameTitle", "ObjectHelpTitle")), max(int64(v.uint32()), 1))
	}},
	{"obj-detail-level", nil, func(v *victim) {
		v.counting()
		level := v.uint32()
		if layout.DetailLevel(level).Valid() {
			level++
		}
		v.set(v.in("DetailLevel"), pick(v.Source, int64(level), 0, 500))
	}},
	{"obj-detail-level-min", nil, func(v *victim) {
		levels := [...]layout.DetailLevel{layout.PERF_DETAIL_NOVICE, layout.PERF_DETAIL_ADVANCED, layout.PERF_DETAIL_EXPERT, layout.PERF_DETAIL_WIZARD}
		lowest := v.upTo(len(levels))
		o := v.single(layout.PERF_COUNTER_RAWCOUNT, layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE)
		o.Counters[0].DetailLevel = levels[lowest+v.upTo(len(levels)-lowest)]
		o.Counters[1].DetailLevel = levels[lowest]
		v.either(o)
		v.set(v.in("DetailLevel"), int64(levels[(lowest+1+v.upTo(len(levels)-1))%len(levels)]))
	}},
	{"obj-default-counter", nil, func(v *victim) {
		o := v.named(layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE)
		v.either(o)
		n := int32(v.uint32())
		if n == 0 || n == -1 || n == int32(o.Counters[0].CounterNameTitleIndex) {
			n = 1 // the base
		}
		v.set(v.in("DefaultCounter"), int64(pick(v.Source, 1, 2, -2, n)))
	}},
	{"obj-codepage-unicode", also{"inst-name-codepage"}, func(v *victim) {
		page := pick(v.Source, uint32(1252), 65001, 65000, 932, 437, 37, 1, 42)
		if v.chance(80) { // no instance has a name
			v.either(v.single(layout.PERF_COUNTER_RAWCOUNT)).set(v.in("CodePage"), int64(page))
			return
		}
		v.either(v.named(layout.PERF_COUNTER_RAWCOUNT))
		v.change(func(o *builder.Object) { o.CodePage = page })
	}},
	{"obj-codepage-valid", nil, func(v *victim) {
		v.counting().set(v.in("CodePage"), pick(v.Source, 1200, 1201, 12000, 12001, 4, 65002, 1<<16+1252, 70_000+int64(v.uint32()>>1)))
	}},
	{"obj-timer-perffreq", nil, func(v *victim) {
		v.either(v.timed(layout.PERF_ELAPSED_TIME)).set(v.in("PerfFreq"), v.notPositive())
	}},
	{"obj-timer-perftime", nil, func(v *victim) {
		v.either(v.timed(v.timer(layout.PERF_ELAPSED_TIME)...)).set(v.in("PerfTime"), v.notPositive())
	}},
	{"obj-timer-perffreq-rate", nil, func(v *victim) {
		v.either(v.timed(v.timer(layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE)...)).set(v.in("PerfFreq"), v.notPositive())
	}},
}

// named returns an object with counters of the types and with at least one named instance. A base follows its counter
// in types.
func (v *victim) named(types ...layout.CounterType) builder.Object {
	o := v.bare(types...)
	for i := range 1 + v.upTo(v.MaxInstances) {
		o.Instance(fmt.Sprintf("n%d", i), make([]uint64, len(types))...)
	}
	return o
}

// single returns an object with counters of the types and one counter block without instances.
func (v *victim) single(types ...layout.CounterType) builder.Object {
	o := v.bare(types...)
	o.Single(make([]uint64, len(types))...)
	return o
}

// bare returns an object with counters of the types and no counter block.
func (v *victim) bare(types ...layout.CounterType) builder.Object {
	o := builder.Object{ObjectNameTitleIndex: 2*uint32(v.upTo(2000)) + 10_000}
	for i, t := range types {
		c := builder.Counter{CounterType: t}
		if !t.IsBase() {
			c.CounterNameTitleIndex = o.ObjectNameTitleIndex + 2 + 2*uint32(i)
		}
		o.Define(c)
	}
	return o
}

// types returns n types of 4 and 8 bytes that require no base.
func (v *victim) types(n int) []layout.CounterType {
	list := make([]layout.CounterType, n)
	for i := range list {
		list[i] = pick(v.Source, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_COUNTER_COUNTER, layout.PERF_100NSEC_TIMER)
	}
	return list
}

// some returns an object of any of the three shapes.
func (v *victim) some() builder.Object { return v.shaped(v.types(1 + v.upTo(4))...) }

// shaped returns an object of any of the three shapes with counters of the types.
func (v *victim) shaped(types ...layout.CounterType) builder.Object {
	switch v.upTo(3) {
	case 0:
		return v.single(types...)
	case 1:
		return v.bare(types...)
	}
	return v.named(types...)
}

// blocks returns an object with counter blocks.
func (v *victim) blocks() builder.Object {
	if types := v.types(1 + v.upTo(4)); v.chance(128) {
		return v.single(types...)
	} else {
		return v.named(types...)
	}
}

// body makes a block that has an object with counter blocks.
func (v *victim) body() *victim { return v.either(v.blocks()) }

// counting makes a block that has an object with one counter, with or without instances.
func (v *victim) counting() *victim {
	if v.upTo(2) == 0 {
		return v.either(v.single(layout.PERF_COUNTER_RAWCOUNT))
	}
	return v.either(v.named(layout.PERF_COUNTER_RAWCOUNT))
}

// timed returns an object with counters of the types between counters of other types.
func (v *victim) timed(types ...layout.CounterType) builder.Object {
	before, after := v.upTo(3), v.upTo(3)
	var all []layout.CounterType
	for range before {
		all = append(all, layout.PERF_COUNTER_RAWCOUNT)
	}
	all = append(all, types...)
	for range after {
		all = append(all, layout.PERF_100NSEC_TIMER)
	}
	return v.single(all...)
}

// timer returns the type or another type that uses the clock of the object, with the base it requires.
func (v *victim) timer(or layout.CounterType) []layout.CounterType {
	switch v.upTo(3) {
	case 1:
		return []layout.CounterType{layout.PERF_OBJ_TIME_TIMER}
	case 2:
		return []layout.CounterType{layout.PERF_PRECISION_OBJECT_TIMER, layout.PERF_PRECISION_TIMESTAMP}
	}
	return []layout.CounterType{or}
}

// instanceRoom returns the largest number of instances for which the object has bytes.
func (v *victim) instanceRoom() int64 {
	return (v.get(v.in("TotalByteLength")) - v.get(v.in("DefinitionLength"))) / (layout.SizeofInstanceDefinition + layout.SizeofCounterBlock)
}

// lengthen appends n bytes to the object. They are not an instance or a counter block.
func (v *victim) lengthen(n int) {
	b := v.bytes(n)
	clear(b[:min(4, n)])
	v.insert(v.part(v.in("")).End(), b...)
}

// unalign lengthens a counter block of the object.
func (v *victim) unalign() {
	n, block := v.uneven(), v.anyBlock()
	end := v.part(block).End()
	v.add(block+".ByteLength", int64(n))
	v.insert(end, v.bytes(n)...)
}

// lengthenHeader inserts n bytes between the PERF_OBJECT_TYPE and the definitions.
func (v *victim) lengthenHeader(n int) {
	at := v.part(v.in("")).Off() + v.get(v.in("HeaderLength"))
	v.insert(at, v.bytes(n)...)
	v.add(v.in("HeaderLength"), int64(n))
	v.add(v.in("DefinitionLength"), int64(n))
}
