package fuzz

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// dataBlockBreakers break the rules about PERF_DATA_BLOCK.
var dataBlockBreakers = []breaker{
	{"data-truncated", nil, func(f *faultyBlock) { anyDataBlock(f).truncate(layout.SizeofDataBlock) }},
	{"data-signature", nil, func(f *faultyBlock) {
		anyDataBlock(f)
		f.block[f.upTo(8)] ^= byte(1 + f.upTo(255))
	}},
	{"data-endian-value", nil, setField(anyDataBlock, "LittleEndian", toAtLeast(2))},
	{"data-big-endian", nil, setField(anyDataBlock, "LittleEndian", toOneOf(0))},
	{"data-version", nil, setField(anyDataBlock, "Version", toEither(toOneOf(0), toAtLeast(2)))},
	{"data-revision", nil, setField(anyDataBlock, "Revision", toEither(toOneOf(0), toAtLeast(2)))},
	{"data-total-length", nil, setField(anyDataBlock, "TotalByteLength", toOutside(layout.SizeofDataBlock, blockSize))},
	{"data-trailing-bytes", nil, func(f *faultyBlock) { anyDataBlock(f).appendBytes(200) }},
	{"data-header-length", nil, setField(anyDataBlock, "HeaderLength", toOutside(layout.SizeofDataBlock, blockSize))},
	{"data-header-align", also{"obj-offset-align"}, func(f *faultyBlock) {
		if f.chance(128) {
			anyDataBlock(f)
		} else {
			f.encodeValid(new(f.header()))
		}
		f.lengthenDataHeader(f.notMultipleOf8())
	}},
	{"data-object-sum", nil, func(f *faultyBlock) {
		anyDataBlock(f)
		switch size := f.size(); f.upTo(4) {
		case 0: // TotalByteLength does not count the header
			f.set("TotalByteLength", max(layout.SizeofDataBlock, size-f.get("HeaderLength")))
		case 1:
			f.set("TotalByteLength", layout.SizeofDataBlock+int64(f.upTo(int(size-layout.SizeofDataBlock))))
		case 2: // TotalByteLength counts bytes after the last object that are too few for an object
			f.appendBytes(layout.SizeofObjectType - 1)
			f.set("TotalByteLength", f.size())
		default:
			f.set("NumObjectTypes", int64(f.upTo(len(f.objects))))
		}
	}},
	{"data-object-count", nil, setField(anyDataBlock, "NumObjectTypes", toMoreThan(field("NumObjectTypes")))},
	{"data-object-duplicate", also{"obj-help-follows-name"}, func(f *faultyBlock) {
		other := f.withAnotherObject(f.anyObject())
		title := int64(f.objects[other].ObjectNameTitleIndex)
		f.set("object.ObjectNameTitleIndex", title)
		if f.chance(128) {
			f.set("object.ObjectHelpTitleIndex", title+1)
		}
	}},
	{"data-padding-zero", nil, func(f *faultyBlock) {
		padding := anyDataBlock(f).part("Padding").Bytes()
		padding[f.upTo(len(padding))] = byte(1 + f.upTo(255))
	}},

	{"data-system-name-range", nil, func(f *faultyBlock) {
		f.withSystemName(f.text() + "A")
		header := f.get("HeaderLength")
		switch f.upTo(3) {
		case 0:
			f.set("SystemNameLength", f.atLeast(header-f.get("SystemNameOffset")+1))
		case 1:
			f.set("SystemNameOffset", int64(f.upTo(layout.SizeofDataBlock)))
		default:
			f.set("SystemNameOffset", f.atLeast(header-f.get("SystemNameLength")+1))
		}
	}},
	{"data-system-name-even", also{"data-system-name-terminator"}, func(f *faultyBlock) {
		if f.chance(100) { // the name starts one byte later
			f.withSystemName(strings.Repeat(pick(f.Source, "A", "z7", "Жé"), 1+f.upTo(min(20, 1+f.MaxText/2))) + pick(f.Source, "7", "Ж"))
			f.add("SystemNameOffset", 1)
			f.add("SystemNameLength", -2)
			return
		}
		f.withSystemName(f.text() + pick(f.Source, "7", "A", "z"))
		name := f.part("SystemName").Bytes()
		switch last := len(name) - 4; f.upTo(3) {
		case 0:
			f.add("SystemNameLength", -1)
		case 1: // the first half of a surrogate pair is before the NUL
			binary.LittleEndian.PutUint16(name[last:], uint16(0xD800+f.upTo(0x400)))
		default: // the name starts with the second half of a surrogate pair
			binary.LittleEndian.PutUint16(name, uint16(0xDC00+f.upTo(0x400)))
		}
	}},
	{"data-system-name-terminator", also{"data-system-name-even"}, func(f *faultyBlock) {
		f.withSystemName(f.text() + pick(f.Source, "7", "Ж"))
		name := f.part("SystemName").Bytes()
		switch {
		case f.chance(128):
			binary.LittleEndian.PutUint16(name[len(name)-2:], pick(f.Source, f.utf16Unit(), f.halfSurrogate()))
		case f.chance(64): // the name is only a NUL
			clear(name)
			f.add("SystemNameLength", 2-int64(len(name)))
		default:
			f.add("SystemNameLength", -2)
		}
	}},

	{"data-systemtime", nil, func(f *faultyBlock) { withValidSystemTime(f).breakSystemTime() }},
	{"data-systemtime-weekday", nil, setField(withValidSystemTime, "SystemTime.wDayOfWeek", toOther(0, toOneOf(6), field("SystemTime.wDayOfWeek")))},
	{"data-perf-freq", nil, func(f *faultyBlock) {
		t := pick(f.Source, layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_SAMPLE_COUNTER)
		if f.chance(64) {
			f.inDataBlock(f.objectWith(singleBlock, layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BASE))
		} else {
			f.inDataBlock(f.objectWith(valueBlocks, t))
		}
		f.set("PerfFreq", toNotPositive(f))
	}},
	{"data-perf-freq-unused", nil, func(f *faultyBlock) {
		f.MaxObjects = 0 // generate no other objects, because their counters could require PerfFreq
		o := f.objectWith(anyBlocks, anyType)
		if f.base == nil {
			o = f.objectWith(instanceBlocks, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_100NSEC_TIMER)
		}
		f.inDataBlock(o).set("PerfFreq", toNotPositive(f))
	}},
	{"data-perf-time", nil, func(f *faultyBlock) {
		anyDataBlock(f)
		if f.chance(128) {
			f.set("PerfTime", -f.positive())
			return
		}
		f.set("PerfTime100nSec", toNotPositive(f))
	}},
}

// anyDataBlock makes a data block with at least one object.
func anyDataBlock(f *faultyBlock) *faultyBlock { return f.inDataBlock(f.anyObject()) }

// withValidSystemTime makes a data block whose SystemTime is valid, with at least one object.
func withValidSystemTime(f *faultyBlock) *faultyBlock {
	d := f.header()
	d.SystemTime = layout.SystemTime{} // the encoder then computes it from PerfTime100nSec
	return f.inDataBlockOf(d, f.anyObject())
}

// anyBlock makes a block of the kind data-block or objects, with at least one object.
func anyBlock(f *faultyBlock) *faultyBlock { return f.inBlock(f.anyObject()) }

// inDataBlock makes a data block with o and several generated objects.
func (f *faultyBlock) inDataBlock(o builder.Object) *faultyBlock {
	return f.inDataBlockOf(f.header(), o)
}

// inDataBlockOf makes a data block with the header d, the object o and several generated objects.
func (f *faultyBlock) inDataBlockOf(d builder.DataBlock, o builder.Object) *faultyBlock {
	if f.base != nil {
		f.useDataBlock()
		return f.useObject(o)
	}
	f.addObject(o)
	d.Objects = f.objects
	return f.encodeValid(&d)
}

// inBlock makes a block of the kind data-block or objects, with o and several generated objects.
func (f *faultyBlock) inBlock(o builder.Object) *faultyBlock {
	if f.base != nil {
		return f.useObject(o)
	}
	if f.chance(128) {
		f.addObject(o)
		return f.encodeValid(new(builder.Objects(f.objects)))
	}
	return f.inDataBlock(o)
}

// addObject generates objects, inserts o among them, and chooses an instance of o. If another object or one of its
// instances uses the title of o, o gets an unused title.
func (f *faultyBlock) addObject(o builder.Object) {
	f.makeObjects()
	title := f.unusedTitle(o.ObjectNameTitleIndex)
	for i := range o.Instances {
		if in := &o.Instances[i]; in.ParentObjectTitleIndex == o.ObjectNameTitleIndex {
			in.ParentObjectTitleIndex = title
		}
	}
	o.ObjectNameTitleIndex = title
	i := f.upTo(len(f.objects) + 1)
	f.objects = slices.Insert(f.objects, i, o)
	f.chosen["object"] = i
	if n := len(o.Instances); n > 0 {
		f.chosen["instance"] = f.upTo(n)
	}
}

// unusedTitle adds 2 to a title index until no object or instance uses the index.
func (f *faultyBlock) unusedTitle(title uint32) uint32 {
	used := map[uint32]bool{}
	for _, o := range f.objects {
		used[o.ObjectNameTitleIndex] = true
		for _, in := range o.Instances {
			used[in.ParentObjectTitleIndex] = true
		}
	}
	for used[title] {
		title += 2
	}
	return title
}

// changeObject calls a function that changes the model of the chosen object. Then it encodes the block again.
func (f *faultyBlock) changeObject(change func(*builder.Object)) {
	o := &f.objects[f.chosen["object"]]
	o.Counters, o.Instances = slices.Clone(o.Counters), slices.Clone(o.Instances) // both lists may belong to the Base
	change(o)
	f.encodeFaulty(f.made)
}

// changeInstance calls a function that changes the model of the chosen instance. Then it encodes the block again.
func (f *faultyBlock) changeInstance(change func(*builder.Instance)) {
	f.changeObject(func(o *builder.Object) { change(&o.Instances[f.chosen["instance"]]) })
}

// totals returns the path of each TotalByteLength that counts the bytes of the chosen object.
func (f *faultyBlock) totals() []string {
	if f.kind == layout.DataBlockKind {
		return []string{"object.TotalByteLength", "TotalByteLength"}
	}
	return []string{"object.TotalByteLength"}
}

func (f *faultyBlock) insertInObject(off int64, b ...byte) { f.insertBytes(off, b, f.totals()...) }

// lengthenDataHeader inserts n bytes between the system name and the objects.
func (f *faultyBlock) lengthenDataHeader(n int) {
	f.insertBytes(f.get("HeaderLength"), f.bytes(n), "HeaderLength", "TotalByteLength")
}

// withSystemName makes a data block with a system name at an even offset.
func (f *faultyBlock) withSystemName(name string) {
	if f.base != nil {
		if f.useDataBlock(); f.get("SystemNameLength") < 4 {
			f.endAttempt("a system name")
		}
		return
	}
	d := f.header()
	d.SystemName = name
	d.SystemNameOffset, d.HeaderLength = 0, 0
	f.makeObjects()
	d.Objects = f.objects
	f.encodeValid(&d)
	f.lengthenDataHeader(8 * f.upTo(3))
}

// withAnotherObject makes a block that contains o and at least one other object. It stores the position of o in
// f.chosen and returns the position of another object.
func (f *faultyBlock) withAnotherObject(o builder.Object) (other int) {
	if f.base != nil {
		if f.inBlock(o); len(f.objects) < 2 {
			f.endAttempt("two objects")
		}
		if other = f.upTo(len(f.objects) - 1); other >= f.chosen["object"] {
			other++
		}
		return other
	}
	f.makeObjects()
	f.MaxObjects = 0 // generate no more objects, because their instances could refer to one of the two
	f.addObject(o)
	position := f.chosen["object"]
	anyBlock(f)
	if other = f.chosen["object"]; other <= position {
		position++
	}
	f.chosen["object"] = position
	return other
}
