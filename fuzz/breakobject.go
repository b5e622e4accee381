package fuzz

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var objectBreakers = slices.Concat(objectLengthBreakers, objectTitleBreakers)

var objectLengthBreakers = []breaker{
	{"obj-truncated", nil, func(v *victim) {
		v.either(v.some())
		least := 1
		if v.kind == layout.DataBlockKind { // for one object more there is room, as for objects of 64 bytes
			v.add("NumObjectTypes", 1)
			least = max(least, 64*(len(v.objects)+1)-int(v.size()-v.get("HeaderLength")))
		}
		v.block = append(v.block, v.bytes(least+v.upTo(64-least))...)
		if v.kind == layout.DataBlockKind {
			v.set("TotalByteLength", v.size())
		}
	}},
	{"obj-truncated", also{"data-object-count"}, func(v *victim) {
		d := v.header()
		d.Objects = []builder.Object{v.bare(v.types(1)...)}
		v.model(&d)
		v.block = append(v.block, v.bytes(1+v.upTo(23))...)
		v.add("NumObjectTypes", 1)
		v.set("TotalByteLength", v.size())
	}},
	{"obj-offset-align", also{"data-header-align"}, func(v *victim) {
		v.with(v.some())
		v.growHeader(v.uneven())
	}},
	{"obj-offset-align", also{"obj-single-slack"}, func(v *victim) { v.push(v.single(v.types(1 + v.upTo(4))...)) }},
	{"obj-offset-align", also{"obj-empty-length"}, func(v *victim) { v.push(v.bare(v.types(1 + v.upTo(4))...)) }},
	{"obj-offset-align", also{"obj-multi-length"}, func(v *victim) { v.push(v.named(v.types(1 + v.upTo(4))...)) }},
	{"obj-offset-align", also{"obj-metadata-body"}, func(v *victim) { v.push(v.metadata(layout.PERF_METADATA_MULTIPLE_INSTANCES)) }},
	{"obj-offset-align", also{"obj-metadata-single-body"}, func(v *victim) { v.push(v.metadata(layout.PERF_METADATA_NO_INSTANCES)) }},
	{"obj-total-length-min", nil, func(v *victim) {
		v.either(v.some()).set(v.in("TotalByteLength"), int64(v.upTo(64)))
	}},
	{"obj-total-length-bound", nil, func(v *victim) {
		v.either(v.some())
		v.set(v.in("TotalByteLength"), v.from(v.size()-v.part(v.in("")).Off()+1))
	}},
	{"obj-total-length-align", also{"blk-length-align"}, func(v *victim) { v.last(v.lone()).unalign() }},
	{"obj-total-length-align", also{"blk-length-align", "obj-offset-align"}, func(v *victim) { v.followed(v.lone()).unalign() }},
	{"obj-total-length-align", also{"blk-length-align", "blk-length-uniform"}, func(v *victim) { v.last(v.several()).unalign() }},
	{"obj-total-length-align", also{"blk-length-align", "blk-length-uniform", "obj-offset-align"}, func(v *victim) { v.followed(v.several()).unalign() }},
	{"obj-header-length-min", nil, func(v *victim) {
		v.either(v.some())
		if v.chance(128) {
			v.set(v.in("HeaderLength"), v.from(v.get(v.in("DefinitionLength"))+1))
			return
		}
		v.set(v.in("HeaderLength"), int64(v.upTo(64)))
	}},
	{"obj-header-length-exact", nil, func(v *victim) { v.either(v.some()).lengthenHeader(8 * (1 + v.upTo(8))) }},
	{"obj-header-length-exact", also{"obj-definition-align", "obj-total-length-align"}, func(v *victim) { v.last(v.some()).lengthenHeader(v.uneven()) }},
	{"obj-header-length-exact", also{"obj-definition-align", "obj-total-length-align", "obj-offset-align"}, func(v *victim) { v.followed(v.some()).lengthenHeader(v.uneven()) }},
	{"obj-definition-bound", nil, func(v *victim) {
		v.either(v.some())
		if v.chance(128) {
			v.set(v.in("DefinitionLength"), v.from(v.get(v.in("TotalByteLength"))+1))
			return
		}
		v.set(v.in("DefinitionLength"), int64(v.upTo(64)))
	}},
	{"obj-definition-sum", nil, func(v *victim) {
		if v.chance(128) { // definitions that are not counted
			n := 2 + v.upTo(4)
			v.either(v.shaped(v.types(n)...)).add(v.in("NumCounters"), -1-int64(v.upTo(n-1)))
			return
		}
		v.either(v.some()).lengthenDefinitions(8 * (1 + v.upTo(8)))
	}},
	{"obj-definition-sum", also{"obj-total-length-align"}, func(v *victim) { v.last(v.some()).lengthenDefinitions(v.uneven()) }},
	{"obj-definition-sum", also{"obj-total-length-align", "obj-offset-align"}, func(v *victim) { v.followed(v.some()).lengthenDefinitions(v.uneven()) }},
	{"obj-definition-align", also{"obj-header-length-exact", "obj-total-length-align"}, func(v *victim) { v.last(v.some()).lengthenHeader(v.uneven()) }},
	{"obj-definition-align", also{"obj-header-length-exact", "obj-total-length-align", "obj-offset-align"}, func(v *victim) { v.followed(v.some()).lengthenHeader(v.uneven()) }},
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
	{"obj-all-base", also{"ctr-base-first"}, func(v *victim) { v.rebase(1) }},
	{"obj-all-base", also{"ctr-base-first", "ctr-base-orphan"}, func(v *victim) { v.rebase(2 + v.upTo(3)) }},
	{"obj-num-instances-domain", nil, func(v *victim) {
		v.either(v.some()).set(v.in("NumInstances"), max(-v.from(4), math.MinInt32))
	}},
	{"obj-single-length", nil, func(v *victim) {
		v.either(v.single(v.types(1 + v.upTo(4))...))
		v.set(v.in("block.ByteLength"), v.from(v.get(v.in("block.ByteLength"))+1))
	}},
	{"obj-single-slack", nil, func(v *victim) { v.either(v.single(v.types(1 + v.upTo(4))...)).lengthen(8 * (1 + v.upTo(8))) }},
	{"obj-single-slack", also{"obj-total-length-align"}, func(v *victim) { v.last(v.single(v.types(1 + v.upTo(4))...)).lengthen(v.uneven()) }},
	{"obj-single-slack", also{"obj-offset-align"}, func(v *victim) { v.push(v.single(v.types(1 + v.upTo(4))...)) }},
	{"obj-empty-length", nil, func(v *victim) {
		if v.chance(128) { // instances that are not counted
			v.either(v.named(v.types(1+v.upTo(4))...)).set(v.in("NumInstances"), 0)
			return
		}
		v.lengthen(v.spare(v.bare(v.types(1 + v.upTo(4))...)))
	}},
	{"obj-empty-length", also{"obj-offset-align"}, func(v *victim) { v.push(v.bare(v.types(1 + v.upTo(4))...)) }},
	{"obj-empty-block", nil, func(v *victim) {
		v.either(v.single(v.types(1+v.upTo(4))...)).set(v.in("NumInstances"), 0)
	}},
	{"obj-multi-length", nil, func(v *victim) {
		o := v.named(v.types(1 + v.upTo(4))...)
		if n := len(o.Instances); n > 1 && v.chance(128) {
			v.either(o).set(v.in("NumInstances"), int64(1+v.upTo(n-1)))
			return
		}
		v.lengthen(v.spare(o))
	}},
	{"obj-multi-length", also{"obj-offset-align"}, func(v *victim) { v.push(v.named(v.types(1 + v.upTo(4))...)) }},
	{"obj-instance-count-bound", nil, func(v *victim) {
		o := v.bare(v.types(1 + v.upTo(4))...)
		if v.chance(128) {
			o = v.named(v.types(1 + v.upTo(4))...)
		}
		v.either(o)
		room := (v.get(v.in("TotalByteLength")) - v.get(v.in("DefinitionLength"))) / 28
		v.set(v.in("NumInstances"), min(v.from(room+1), math.MaxInt32))
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
		query := pick(v.Source, "Global", "Costly", "OLD_Global", "", fmt.Sprint(o.ObjectNameTitleIndex), "Global Metadata")
		v.noMetadata = true
		v.either(o).ctx.Query = &query
		v.set(v.in("NumInstances"), int64(pick(v.Source, layout.PERF_METADATA_MULTIPLE_INSTANCES, layout.PERF_METADATA_NO_INSTANCES)))
	}},
}

// withoutMetadata makes objects of no instances of those that are metadata alone.
func withoutMetadata(objects []builder.Object) {
	for i := range objects {
		if n := &objects[i].NumInstances; *n == layout.PERF_METADATA_MULTIPLE_INSTANCES || *n == layout.PERF_METADATA_NO_INSTANCES {
			*n = 0
		}
	}
}

// bytes returns n bytes of any value.
func (v *victim) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = v.byte()
	}
	return b
}
