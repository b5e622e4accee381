package fuzz

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// instanceLinkBreakers break what instances are to each other, and counter blocks.
var instanceLinkBreakers = []breaker{
	{"inst-name-duplicate", nil, func(v *victim) {
		o := v.pair()
		if o.CodePage = pick(v.Source, uint32(0), 1252, 65001); v.ASCII {
			o.CodePage = 0
		}
		v.either(o)
		names := [2]string{"web", "WEB"}
		if o.CodePage == 0 {
			pairs := [][2]string{names, {"é", "É"}, {"ж", "Ж"}, {"ς", "Σ"}, {"𐐨", "𐐀"}, {"_TOTAL", "_total"}}
			if v.ASCII {
				pairs = slices.Delete(pairs, 1, 5)
			}
			names = pick(v.Source, pairs...)
		}
		if v.chance(100) {
			names[1] = names[0]
		}
		stem := strings.Repeat("n", v.characters())
		first, second := v.two(len(o.Instances))
		v.change(func(o *builder.Object) {
			o.Instances[first].Name, o.Instances[second].Name = stem+names[0], stem+names[1]
			o.DuplicateNames = true
		})
	}},
	{"inst-unique-id-duplicate", nil, func(v *victim) {
		o := v.pair()
		v.giveIDs(&o)
		v.either(o)
		first, second := v.two(len(o.Instances))
		v.set(v.inst(second)+"UniqueID", v.get(v.inst(first)+"UniqueID"))
	}},
	{"inst-unique-id-mixed", nil, func(v *victim) { // one that has an ID
		o := v.pair()
		v.either(o)
		v.set(v.inst(v.upTo(len(o.Instances)))+"UniqueID", v.id())
	}},
	{"inst-unique-id-mixed", nil, func(v *victim) { // or has none
		o := v.pair()
		v.giveIDs(&o)
		v.either(o)
		v.set(v.inst(v.upTo(len(o.Instances)))+"UniqueID", int64(layout.PERF_NO_UNIQUE_ID))
	}},
	{"inst-parent-missing", nil, func(v *victim) {
		o := v.pair()
		v.with(o)
		in := v.inst(v.upTo(len(o.Instances)))
		v.set(in+"ParentObjectTitleIndex", int64(v.unknown(max(v.uint32(), 1))))
		v.set(in+"ParentObjectInstance", int64(v.uint32()))
	}},
	{"inst-parent-range", nil, func(v *victim) {
		o := v.pair()
		v.either(o)
		parent := v.upTo(v.at + 1) // itself too
		if v.get(fmt.Sprintf("object[%d].ObjectNameTitleIndex", parent)) == 0 {
			parent = v.at
		}
		title := v.get(fmt.Sprintf("object[%d].ObjectNameTitleIndex", parent))
		first := 0
		for v.get(fmt.Sprintf("object[%d].ObjectNameTitleIndex", first)) != title {
			first++
		}
		in := v.inst(v.upTo(len(o.Instances)))
		v.set(in+"ParentObjectTitleIndex", title)
		v.set(in+"ParentObjectInstance", max(0, v.get(fmt.Sprintf("object[%d].NumInstances", first)))+pick(v.Source, 0, int64(v.upTo(1<<20)), math.MaxInt32))
	}},
	{"inst-parent-stray", nil, func(v *victim) {
		o := v.pair()
		v.either(o)
		v.set(v.inst(v.upTo(len(o.Instances)))+"ParentObjectInstance", max(1, int64(v.uint32())))
	}},
	{"inst-padding-zero", nil, func(v *victim) {
		o := v.fewest(2)
		i := v.upTo(len(o.Instances))
		in := &o.Instances[i]
		gap := 2 * v.upTo(5)
		in.NameOffset = 24 + uint32(gap)
		in.ByteLength += uint32(gap+8*(1+v.upTo(3))) &^ 7
		v.either(o)
		name := v.part(v.inst(i) + "Name")
		at := v.part(v.inst(i) + "padding")
		place := at.Off() + int64(v.upTo(at.Len()))
		if gap > 0 && v.chance(128) {
			place = name.Off() - 1 - int64(v.upTo(gap))
		}
		v.block[place] = byte(1 + v.upTo(255))
	}},
	{"inst-total-last", nil, func(v *victim) {
		o := v.pair()
		if v.chance(60) {
			for i := range o.Instances {
				o.Instances[i].ParentObjectTitleIndex = o.ObjectNameTitleIndex
			}
		}
		v.either(o)
		v.change(func(o *builder.Object) { o.Instances[v.upTo(len(o.Instances)-1)].Name = "_Total" })
	}},
	{"blk-truncated", nil, func(v *victim) { v.either(v.single(layout.PERF_COUNTER_RAWCOUNT)).truncate(0) }},
	{"blk-truncated", also{"obj-total-length-align"}, func(v *victim) {
		v.last(v.single(layout.PERF_COUNTER_RAWCOUNT)).truncate(1 + v.upTo(3))
	}},
	{"blk-truncated", also{"obj-total-length-align", "obj-offset-align"}, func(v *victim) {
		v.followed(v.single(layout.PERF_COUNTER_RAWCOUNT)).truncate(1 + v.upTo(3))
	}},
	{"blk-length-min", nil, func(v *victim) { v.set(v.someBlock(), int64(v.upTo(4))) }},
	{"blk-length-bound", nil, func(v *victim) {
		o := v.pair()
		v.either(o)
		block := v.inst(v.upTo(len(o.Instances))) + "block"
		left := v.part(v.in("")).End() - v.part(block).Off()
		v.set(block+".ByteLength", pick(v.Source, left+1, left+int64(1+v.upTo(1<<16)), math.MaxUint32))
	}},
	{"blk-length-align", also{"obj-total-length-align"}, func(v *victim) { v.last(v.lone()).unalign() }},
	{"blk-length-align", also{"obj-total-length-align", "obj-offset-align"}, func(v *victim) { v.followed(v.lone()).unalign() }},
	{"blk-length-align", also{"obj-total-length-align", "blk-length-uniform"}, func(v *victim) { v.last(v.several()).unalign() }},
	{"blk-length-align", also{"obj-total-length-align", "blk-length-uniform", "obj-offset-align"}, func(v *victim) { v.followed(v.several()).unalign() }},
	{"blk-length-align", nil, func(v *victim) { // nothing else moves
		o := v.pair()
		v.either(o)
		v.add(v.inst(v.upTo(len(o.Instances)))+"block.ByteLength", -1-int64(v.upTo(4)))
	}},
	{"blk-length-align", also{"ctr-offset-range"}, func(v *victim) {
		v.either(v.single(layout.PERF_COUNTER_RAWCOUNT))
		v.add(v.in("block.ByteLength"), -1-int64(v.upTo(4)))
	}},
	{"blk-length-uniform", nil, func(v *victim) { // all have bytes to spare
		o := v.pair()
		o.BlockLength = 8 * uint32(3+v.upTo(20))
		v.either(o)
		v.change(func(o *builder.Object) {
			n := 8 * uint32(2+v.upTo(40))
			if n >= o.BlockLength {
				n += 8
			}
			o.Instances[v.upTo(len(o.Instances))].BlockLength = n
		})
	}},
	{"blk-length-uniform", also{"blk-slack"}, func(v *victim) {
		v.either(v.pair())
		v.change(func(o *builder.Object) {
			o.Instances[v.upTo(len(o.Instances))].BlockLength = 8 * uint32(2+v.upTo(20))
		})
	}},
	{"blk-slack", nil, func(v *victim) {
		o := v.pair()
		if v.chance(100) {
			o = v.single(layout.PERF_COUNTER_RAWCOUNT)
		}
		v.either(o)
		v.change(func(o *builder.Object) { o.BlockLength = 8 * uint32(2+v.upTo(20)) })
	}},
}

// pair returns an object of one counter and two instances at least, named and in
// blocks of 8 bytes.
func (v *victim) pair() builder.Object {
	o := v.named(layout.PERF_COUNTER_RAWCOUNT)
	return *o.Instance("other", 0)
}

// two returns two of n positions, the smaller one first.
func (v *victim) two(n int) (first, second int) {
	second = 1 + v.upTo(n-1)
	return v.upTo(second), second
}

// inst returns the path of an instance of the object, ready for a field.
func (v *victim) inst(i int) string { return v.in(fmt.Sprintf("instance[%d].", i)) }

// someBlock makes a block with a counter block of 8 bytes and returns the path of
// its ByteLength.
func (v *victim) someBlock() string {
	if v.chance(80) {
		v.either(v.single(layout.PERF_COUNTER_RAWCOUNT))
		return v.in("block.ByteLength")
	}
	o := v.pair()
	v.either(o)
	return v.inst(v.upTo(len(o.Instances))) + "block.ByteLength"
}

// id returns a UniqueID.
func (v *victim) id() int64 {
	if id := int32(v.uint32()); id != layout.PERF_NO_UNIQUE_ID {
		return int64(id)
	}
	return 0
}

// giveIDs gives each instance a UniqueID.
func (v *victim) giveIDs(o *builder.Object) {
	first := int32(v.id() &^ 0xFF)
	for i := range o.Instances {
		o.Instances[i].UniqueID = new(first + int32(i))
	}
}

// truncate leaves n bytes of the counter block of an object without instances.
func (v *victim) truncate(n int) {
	b := v.part(v.in("block"))
	v.shorten(b.End(), b.Len()-n)
}

// shorten takes n bytes away before an offset, and off the lengths that count them.
func (v *victim) shorten(end int64, n int) {
	v.add(v.in("TotalByteLength"), -int64(n))
	if v.kind == layout.DataBlockKind {
		v.add("TotalByteLength", -int64(n))
	}
	v.block = slices.Delete(v.block, int(end)-n, int(end))
}
