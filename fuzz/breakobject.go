package fuzz

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var objectBreakers = slices.Concat(objectLengthBreakers, objectTitleBreakers)

var objectLengthBreakers = []breaker{
	{"obj-truncated", nil, func(v *victim) {
		v.either(v.some())
		v.block = append(v.block, v.bytes(1+v.upTo(63))...)
		if v.kind == layout.DataBlockKind {
			v.add("NumObjectTypes", 1)
			v.set("TotalByteLength", int64(len(v.block)))
		}
	}},
	{"obj-offset-align", nil, func(v *victim) {
		n, o := 1+v.upTo(7), v.some()
		if v.either(o); v.kind == layout.ObjectsKind && v.at == 0 {
			v.with(o) // nothing is before the first object of a provider
		}
		if v.kind == layout.ObjectsKind || v.at > 0 && v.chance(128) { // a longer object before it
			v.at--
			v.insert(v.part(v.in("")).End(), v.bytes(n)...)
			return
		}
		header := v.get("HeaderLength")
		v.add("HeaderLength", int64(n))
		v.add("TotalByteLength", int64(n))
		v.block = slices.Insert(v.block, int(header), v.bytes(n)...)
	}},
	{"obj-total-length-min", nil, func(v *victim) {
		v.either(v.some()).set(v.in("TotalByteLength"), int64(v.upTo(64)))
	}},
	{"obj-total-length-bound", nil, func(v *victim) {
		v.either(v.some()).add(v.in("TotalByteLength"), v.excess())
	}},
	{"obj-total-length-align", nil, func(v *victim) {
		n := 1 + v.upTo(7)
		block := v.body()
		v.set(block+".ByteLength", v.get(block+".ByteLength")+int64(n))
		v.insert(v.part(v.in("")).End(), v.bytes(n)...)
	}},
	{"obj-header-length-min", nil, func(v *victim) {
		v.either(v.some())
		if v.chance(128) {
			v.set(v.in("HeaderLength"), v.get(v.in("DefinitionLength"))+v.excess())
			return
		}
		v.set(v.in("HeaderLength"), int64(v.upTo(64)))
	}},
	{"obj-header-length-exact", nil, func(v *victim) {
		v.either(v.some()).lengthenHeader(1 + v.upTo(64))
	}},
	{"obj-definition-bound", nil, func(v *victim) {
		v.either(v.some())
		if v.chance(128) {
			v.set(v.in("DefinitionLength"), v.get(v.in("TotalByteLength"))+v.excess())
			return
		}
		v.set(v.in("DefinitionLength"), int64(v.upTo(64)))
	}},
	{"obj-definition-sum", nil, func(v *victim) {
		if v.chance(128) { // a definition that is not counted
			v.either(v.bare(v.types(2+v.upTo(4))...)).add(v.in("NumCounters"), -1)
			return
		}
		v.either(v.some())
		n := 1 + v.upTo(64)
		end := v.part(v.in("")).Off() + v.get(v.in("DefinitionLength"))
		v.insert(end, v.bytes(n)...)
		v.add(v.in("DefinitionLength"), int64(n))
	}},
	{"obj-definition-align", nil, func(v *victim) {
		v.either(v.some()).lengthenHeader(1 + v.upTo(7) + 8*v.upTo(8))
	}},
	{"obj-num-counters", nil, func(v *victim) {
		v.either(v.some()).add(v.in("NumCounters"), v.excess())
	}},
	{"obj-no-counters", nil, func(v *victim) {
		o := v.bare()
		if v.chance(128) {
			o.Single()
		}
		v.either(o)
	}},
	{"obj-all-base", nil, func(v *victim) {
		n := 1 + v.upTo(3)
		v.either(v.bare(v.types(n)...))
		for i := range n {
			v.set(v.in(fmt.Sprintf("counter[%d].CounterType", i)), int64(pick(v.Source, layout.PERF_RAW_BASE, layout.PERF_SAMPLE_BASE, layout.PERF_AVERAGE_BASE, layout.PERF_LARGE_RAW_BASE, layout.PERF_COUNTER_MULTI_BASE)))
		}
	}},
	{"obj-num-instances-domain", nil, func(v *victim) {
		v.either(v.some()).set(v.in("NumInstances"), -3-v.excess())
	}},
	{"obj-single-length", nil, func(v *victim) {
		v.either(v.single(v.types(1+v.upTo(4))...)).add(v.in("block.ByteLength"), v.excess())
	}},
	{"obj-single-slack", nil, func(v *victim) {
		v.either(v.single(v.types(1 + v.upTo(4))...))
		v.insert(v.part(v.in("")).End(), v.bytes(1+v.upTo(64))...)
	}},
	{"obj-empty-length", nil, func(v *victim) {
		if v.chance(128) { // instances that are not counted
			v.either(v.named(v.types(1+v.upTo(4))...)).set(v.in("NumInstances"), 0)
			return
		}
		v.either(v.bare(v.types(1 + v.upTo(4))...))
		v.insert(v.part(v.in("")).End(), make([]byte, 1+v.upTo(64))...)
	}},
	{"obj-empty-block", nil, func(v *victim) {
		v.either(v.single(v.types(1+v.upTo(4))...)).set(v.in("NumInstances"), 0)
	}},
	{"obj-multi-length", nil, func(v *victim) {
		v.either(v.named(v.types(1 + v.upTo(4))...))
		if n := v.get(v.in("NumInstances")); n > 1 && v.chance(128) {
			v.set(v.in("NumInstances"), n-1)
			return
		}
		v.insert(v.part(v.in("")).End(), v.bytes(1+v.upTo(64))...)
	}},
	{"obj-instance-count-bound", nil, func(v *victim) {
		o := v.bare(v.types(1 + v.upTo(4))...)
		if v.chance(128) {
			o = v.named(v.types(1 + v.upTo(4))...)
		}
		v.either(o)
		room := (v.get(v.in("TotalByteLength")) - v.get(v.in("DefinitionLength"))) / 28
		v.set(v.in("NumInstances"), room+v.excess())
	}},
	{"obj-metadata-body", nil, func(v *victim) {
		v.body()
		v.set(v.in("NumInstances"), -2)
	}},
	{"obj-metadata-single-body", nil, func(v *victim) {
		v.body()
		v.set(v.in("NumInstances"), -3)
	}},
	{"obj-metadata-unasked", nil, func(v *victim) {
		o := v.bare(v.types(1 + v.upTo(4))...)
		o.NumInstances = pick(v.Source, layout.PERF_METADATA_MULTIPLE_INSTANCES, layout.PERF_METADATA_NO_INSTANCES)
		query := pick(v.Source, "Global", "Costly", "OLD_Global", "", fmt.Sprint(o.ObjectNameTitleIndex), "Global Metadata")
		v.either(o).ctx.Query = &query
	}},
}

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
	types := v.types(1 + v.upTo(4))
	switch v.upTo(3) {
	case 0:
		return v.single(types...)
	case 1:
		return v.bare(types...)
	}
	return v.named(types...)
}

// body makes an object with or without instances, and returns the path of its last
// counter block.
func (v *victim) body() string {
	if types := v.types(1 + v.upTo(4)); v.chance(128) {
		v.either(v.single(types...))
	} else {
		v.either(v.named(types...))
	}
	if n := v.get(v.in("NumInstances")); n > 0 {
		return v.in(fmt.Sprintf("instance[%d].block", n-1))
	}
	return v.in("block")
}

// bytes returns n bytes of any value.
func (v *victim) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = v.byte()
	}
	return b
}

// excess is 1 or more, by which a number is too large, and which 31 bits hold beside it.
func (v *victim) excess() int64 {
	return 1 + pick(v.Source, int64(0), 1, 7, int64(v.upTo(1<<16)), int64(v.upTo(1<<24))<<6)
}

// lengthenHeader puts n bytes between the PERF_OBJECT_TYPE and the definitions.
func (v *victim) lengthenHeader(n int) {
	at := v.part(v.in("")).Off() + v.get(v.in("HeaderLength"))
	v.insert(at, v.bytes(n)...)
	v.add(v.in("HeaderLength"), int64(n))
	v.add(v.in("DefinitionLength"), int64(n))
}
