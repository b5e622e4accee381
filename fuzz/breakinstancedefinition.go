package fuzz

import (
	"fmt"
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// instanceBreakers break the rules about the lengths, ids and parents of instances.
var instanceBreakers = []breaker{
	{"inst-truncated", also{"blk-slack", "blk-length-uniform", "blk-length-align"}, func(v *victim) {
		if v.chance(60) { // NumInstances is too large
			o := v.roomy(0)
			v.either(o)
			n := int64(len(o.Instances))
			v.set(v.in("NumInstances"), n+1+int64(v.upTo(int(v.instanceRoom()-n))))
			return
		}
		v.overrun(2+v.upTo(4), v.upTo(24))
	}},
	{"inst-length-min", nil, func(v *victim) {
		v.either(v.lettered(0, 1))
		v.set(v.one("ByteLength"), int64(v.upTo(layout.SizeofInstanceDefinition)))
	}},
	{"inst-length-bound", nil, func(v *victim) {
		v.either(v.lettered(0, 1))
		in := v.one("")
		left := v.part(v.in("")).Off() + v.get(v.in("TotalByteLength")) - v.part(in).Off()
		v.set(in+".ByteLength", min(left-3+int64(v.uint32()), math.MaxUint32))
	}},
	{"inst-length-align", also{"obj-total-length-align", "obj-offset-align"}, func(v *victim) {
		o := v.fewest(2)
		v.either(o)
		first, second := v.two(len(o.Instances))
		n := v.uneven()
		if v.chance(100) { // the object stays aligned
			v.pad(second, 8-n%8+8*v.upTo(8))
		}
		v.pad(first, n)
	}},
	{"inst-unique-id-duplicate", nil, func(v *victim) {
		o := v.pair()
		v.giveIDs(&o)
		v.either(o)
		first, second := v.two(len(o.Instances))
		v.set(v.inst(second)+"UniqueID", v.get(v.inst(first)+"UniqueID"))
	}},
	{"inst-unique-id-mixed", nil, func(v *victim) {
		o, id := v.pair(), v.id() // one instance has an id, or one has none
		if v.chance(128) {
			v.giveIDs(&o)
			id = int64(layout.PERF_NO_UNIQUE_ID)
		}
		v.either(o)
		v.set(v.one("UniqueID"), id)
	}},
	{"inst-parent-missing", nil, func(v *victim) {
		v.with(v.pair())
		in := v.one("")
		v.set(in+".ParentObjectTitleIndex", int64(v.unknown(max(v.uint32(), 1))))
		v.set(in+".ParentObjectInstance", int64(v.uint32()))
	}},
	{"inst-parent-range", nil, func(v *victim) {
		v.either(v.pair())
		title := func(i int) int64 { return v.get(fmt.Sprintf("object[%d].ObjectNameTitleIndex", i)) }
		parent := v.upTo(v.at + 1) // or the object itself
		if title(parent) == 0 {
			parent = v.at
		}
		first := 0
		for title(first) != title(parent) {
			first++
		}
		in := v.one("")
		v.set(in+".ParentObjectTitleIndex", title(parent))
		v.set(in+".ParentObjectInstance", max(0, v.get(fmt.Sprintf("object[%d].NumInstances", first)))+pick(v.Source, 0, int64(v.upTo(1<<20)), math.MaxInt32))
	}},
	{"inst-parent-stray", nil, func(v *victim) {
		v.either(v.pair())
		v.set(v.one("ParentObjectInstance"), max(1, int64(v.uint32())))
	}},
	{"inst-padding-zero", nil, func(v *victim) {
		o := v.fewest(2)
		i := v.upTo(len(o.Instances))
		in := &o.Instances[i]
		gap := 2 * v.upTo(5)
		in.NameOffset = layout.SizeofInstanceDefinition + uint32(gap)
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
}

// pair returns an object with one counter and at least two named instances, in counter blocks of 8 bytes.
func (v *victim) pair() builder.Object {
	o := v.named(layout.PERF_COUNTER_RAWCOUNT)
	return *o.Instance("other", 0)
}

// inst returns the path of an instance of the object, to which a field can be appended.
func (v *victim) inst(i int) string { return v.in(fmt.Sprintf("instance[%d].", i)) }

// one returns the path of an instance of the object, or of a part of the instance.
func (v *victim) one(path string) string {
	in := v.in(fmt.Sprintf("instance[%d]", v.upTo(int(v.get(v.in("NumInstances"))))))
	if path == "" {
		return in
	}
	return in + "." + path
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

// overrun makes a block with n instances. The counter block of the last but one includes most of the last, so that
// leave bytes are left for the last.
func (v *victim) overrun(n, leave int) {
	o := v.fewest(n)
	o.Instances = o.Instances[:n]
	v.either(o)
	end := v.part(v.in("")).End()
	length := end - int64(leave) - v.part(v.inst(n-2)+"block").Off()
	v.set(v.inst(n-1)+"NameOffset", math.MaxUint32) // the bytes of the last are not a plausible instance
	v.set(v.inst(n-2)+"block.ByteLength", length)
}

// pad inserts n zeros at the end of an instance.
func (v *victim) pad(i, n int) {
	in := v.inst(i)
	end := v.part(v.in(fmt.Sprintf("instance[%d]", i))).Off() + v.get(in+"ByteLength")
	v.add(in+"ByteLength", int64(n))
	v.insert(end, make([]byte, n)...)
}
