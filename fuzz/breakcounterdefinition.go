package fuzz

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// counterBreakers break the rules about the length, type, level and titles of PERF_COUNTER_DEFINITION.
var counterBreakers = []breaker{
	{"ctr-truncated", nil, func(f *faultyBlock) {
		n := f.numberCounters(3)
		i := f.upTo(n - 2)
		f.add("object.NumCounters", -1) // DefinitionLength has room for one more definition
		// The definition of counter i is so long that the next definition is truncated.
		f.set(counter(i, "ByteLength"), int64(layout.SizeofCounterDefinition*(n-i)-f.upTo(layout.SizeofCounterDefinition)))
	}},
	{"ctr-byte-length-min", nil, func(f *faultyBlock) {
		n := f.numberCounters(1)
		i := f.upTo(n)
		left := int64(layout.SizeofCounterDefinition * (n - i))
		f.set(counter(i, "ByteLength"), pick(f.Source, 0, int64(f.upTo(layout.SizeofCounterDefinition)), layout.SizeofCounterDefinition-1, left+1, left+int64(f.uint32()>>1)+1, math.MaxUint32))
	}},
	{"ctr-byte-length-exact", also{"obj-definition-align", "obj-total-length-align"}, func(f *faultyBlock) {
		n := f.anyPadding()
		anyBlock(f)
		f.chosen["counter"] = f.upTo(int(f.get("object.NumCounters")))
		end := f.part("object.counter").End()
		f.add("object.counter.ByteLength", int64(n))
		f.add("object.DefinitionLength", int64(n))
		f.insertInObject(end, f.bytes(n)...)
	}},
	{"ctr-type-known", also{"ctr-size-type-mismatch", "ctr-size-nodata", "ctr-base-missing-multi", "obj-timer-perftime", "obj-timer-perffreq-rate"}, func(f *faultyBlock) {
		switch f.upTo(4) {
		case 0:
			f.undefinedMultiType()
		case 1:
			f.undefinedTimerType()
		default:
			f.undefinedType()
		}
	}},
	{"ctr-type-unassigned-bits", nil, func(f *faultyBlock) {
		i := f.upTo(f.numberCounters(1))
		bit := pick(f.Source, 0x1000, 0x2000, 0x4000, 0x8000, 0x04000000, 0x08000000, 1+int64(f.upTo(255)))
		f.set(counter(i, "CounterType"), f.get(counter(i, "CounterType"))|bit)
	}},
	{"ctr-type-obsolete", also{"ctr-size-type-mismatch", "ctr-size-nodata"}, func(f *faultyBlock) {
		t := pick(f.Source, layout.PERF_COUNTER_HISTOGRAM_TYPE, layout.PERF_COUNTER_TEXT, layout.PERF_COUNTER_NODATA)
		numberCounter(f).set("object.counter.CounterType", int64(t))
		if t == layout.PERF_COUNTER_NODATA && f.chance(128) {
			f.set("object.counter.CounterSize", 0)
		}
	}},
	{"ctr-default-scale", nil, setField(numberCounter, "object.counter.DefaultScale", func(f *faultyBlock) int64 {
		return pick(f.Source, 8, -8, 8+int64(f.upTo(1000)), -8-int64(f.upTo(1000)), math.MaxInt32, math.MinInt32)
	})},
	{"ctr-detail-level", nil, setField(numberCounter, "object.counter.DetailLevel", (*faultyBlock).undefinedLevel)},

	{"ctr-name-index", nil, setField(numberCounter, "object.counter.CounterNameTitleIndex", toNameTitle)},
	{"ctr-help-index", nil, setField(numberCounter, "object.counter.CounterHelpTitleIndex", toHelpTitle)},
	{"ctr-help-none", nil, setField(numberCounter, "object.counter.CounterHelpTitleIndex", toOneOf(0))},
	{"ctr-help-follows-name", nil, func(f *faultyBlock) { // the index stays odd
		numberCounter(f).add("object.counter.CounterHelpTitleIndex", 2*pick(f.Source, -1, 1+int64(f.upTo(5000))))
	}},
	{"ctr-name-duplicate", also{"ctr-help-follows-name"}, func(f *faultyBlock) {
		f.consecutive(f.numberType(), f.numberType())
		i, other := f.twoInAnyOrder(int(f.get("object.NumCounters")))
		name := f.get(counter(other, "CounterNameTitleIndex"))
		f.set(counter(i, "CounterNameTitleIndex"), name)
		if f.chance(128) {
			f.set(counter(i, "CounterHelpTitleIndex"), name+1)
		}
	}},
	{"ctr-index-range", nil, func(f *faultyBlock) {
		numberCounter(f)
		first, last := f.titles()
		first, last = max(1, first-2*int64(f.upTo(100))), last+2*int64(f.upTo(100))
		f.ctx.FirstCounter, f.ctx.LastCounter = uint32(first), uint32(last)
		name := pick(f.Source, first-2-2*int64(f.upTo(1000)), last+1+2*int64(f.upTo(1<<24)))
		if name < 1 { // possible only with a Base
			name = last + 1
		}
		f.set("object.counter.CounterNameTitleIndex", name)
		f.set("object.counter.CounterHelpTitleIndex", name+1)
	}},
	{"ctr-reserved-title", nil, func(f *faultyBlock) {
		numberCounter(f).set(pick(f.Source, "object.counter.CounterNameTitle", "object.counter.CounterHelpTitle"), int64(max(f.uint32(), 1)))
	}},
}

// counterOffsetBreakers break the rules about the CounterSize and CounterOffset of PERF_COUNTER_DEFINITION.
var counterOffsetBreakers = []breaker{
	{"ctr-size-domain", nil, setField(anyCounter, "object.counter.CounterSize", toEither(toOneOf(0, 1, 2, 3, 5, 6, 7), toAtLeast(9)))},
	{"ctr-size-type-mismatch", also{"ctr-overlap-partial", "ctr-offset-align", "ctr-offset-range"}, func(f *faultyBlock) {
		i, size := 0, int64(8)
		switch f.upTo(4) {
		case 0:
			i, size = f.consecutive(f.type8()), 4
		case 1: // 4 unused bytes follow the value
			i = f.consecutive(f.type8(), f.type4(), f.type8()) + 1
		case 2:
			i = f.consecutive(f.type8(), f.type4(), f.type4()) + 1 + f.upTo(2)
		case 3:
			i = f.lastCounters(f.type8(), f.type4(), f.type4())
		}
		f.set(counter(i, "CounterSize"), size)
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

// titles returns the smallest and the largest title index of the object and its counters.
func (f *faultyBlock) titles() (first, last int64) {
	first = f.get("object.ObjectNameTitleIndex")
	last = f.get("object.ObjectHelpTitleIndex")
	for i := range f.objects[f.chosen["object"]].Counters {
		if name := f.get(counter(i, "CounterNameTitleIndex")); name != 0 {
			first, last = min(first, name), max(last, name, f.get(counter(i, "CounterHelpTitleIndex")))
		}
	}
	return first, last
}

// numberCounters makes a block that has an object with at least n counters, none of which requires a base counter.
// It returns the number of counters of the object.
func (f *faultyBlock) numberCounters(n int) int {
	if f.base == nil {
		n += f.upTo(4)
	}
	o := f.objectWith(valueBlocks, f.plainTypes(n)...)
	f.inBlock(o)
	return len(o.Counters)
}

const (
	// bit31 is set in no predefined type. A type with this bit is not the type of a base counter and requires no base
	// counter.
	bit31 layout.CounterType = 1 << 31

	// bothTimeBases are two bits that no predefined type has together.
	bothTimeBases layout.CounterType = 0x00300000
)

// undefinedType makes a block with a counter of a type that is not in winperf.h.
func (f *faultyBlock) undefinedType() {
	i := f.consecutive(f.numberType())
	const assigned = 0xF3FF0F00
	t := layout.CounterType(f.uint32())&assigned | bothTimeBases
	if t.IsBase() || t.NeedsBase() {
		t |= bit31
	}
	f.setType(i, t)
}

// undefinedMultiType makes a block with a counter whose type is not in winperf.h and requires a base counter.
func (f *faultyBlock) undefinedMultiType() {
	i := f.consecutive(f.type8())
	t := layout.CounterType(f.uint32()) & 0x71C00000
	f.setType(i, t|bothTimeBases|layout.PERF_TYPE_COUNTER|layout.PERF_MULTI_COUNTER|layout.PERF_SIZE_LARGE)
}

// undefinedTimerType makes a block with a counter whose type is not in winperf.h and uses the clock of the object.
func (f *faultyBlock) undefinedTimerType() {
	o := f.objectWith(singleBlock, f.someTypes()...) // a new object has no clock
	f.inBlock(o)
	i := f.upTo(len(o.Counters))
	t := layout.PERF_TYPE_COUNTER | layout.PERF_OBJECT_TIMER | layout.PERF_DISPLAY_NOSHOW | layout.CounterType(f.uint32()&0x00CF0000)
	if f.get(counter(i, "CounterSize")) == 8 {
		t |= layout.PERF_SIZE_LARGE
	}
	f.setType(i, t|bit31)
}

// counter returns the path of a field in counter i of the chosen object.
func counter(i int, field string) string { return fmt.Sprintf("object.counter[%d].%s", i, field) }

func (f *faultyBlock) setType(i int, t layout.CounterType) {
	f.set(counter(i, "CounterType"), int64(t))
}

// numberType returns a counter type with values of 4 or 8 bytes that requires no base counter.
func (f *faultyBlock) numberType() layout.CounterType { return f.typeOfWidth(4, 8) }

func (f *faultyBlock) type4() layout.CounterType { return f.typeOfWidth(4) }

func (f *faultyBlock) type8() layout.CounterType { return f.typeOfWidth(8) }

// typeOfWidth returns a counter type that requires no base counter. Its values have one of the given widths in bytes.
func (f *faultyBlock) typeOfWidth(widths ...uint32) layout.CounterType {
	types := slices.DeleteFunc(slices.Collect(layout.CounterTypes()), func(t layout.CounterType) bool {
		width, _ := t.Width()
		return !slices.Contains(widths, width) || t.NeedsBase() || t.IsBase() || t == layout.PERF_COUNTER_HISTOGRAM_TYPE
	})
	return pick(f.Source, f.typesOfBase(types)...)
}

// numberCounter makes a block and chooses a counter with a type that numberType returns. Other counters are before and
// after this counter.
func numberCounter(f *faultyBlock) *faultyBlock {
	f.consecutive(f.numberType())
	return f
}

// consecutive makes a block that has an object with consecutive counters of the given types. It chooses the first of
// these counters and returns its position.
func (f *faultyBlock) consecutive(types ...layout.CounterType) int {
	if f.base != nil {
		return f.counterOfBase(anywhere, types)
	}
	for range f.upTo(3) {
		types = append(types, f.numberType())
	}
	i := f.lastCounters(append(types, f.type8())...) - len(types)
	f.chosen["counter"] = i
	return i
}

// lastCounters makes a block with an object whose last counters have the given types. It returns the position of the
// last counter.
func (f *faultyBlock) lastCounters(types ...layout.CounterType) int {
	if f.base != nil {
		return f.counterOfBase(atEnd, types) + len(types) - 1
	}
	var all []layout.CounterType
	for range f.upTo(3) {
		all = append(all, f.numberType())
	}
	all = append(all, types...)
	f.onlyCounters(all...)
	return len(all) - 1
}

// onlyCounters makes a block that has an object with counters of the given types and no other counters. If f.base is
// set, other counters can follow.
func (f *faultyBlock) onlyCounters(types ...layout.CounterType) {
	if f.base != nil {
		f.counterOfBase(atStart, types)
		return
	}
	o := f.objectWith(instanceBlocks, types...)
	if f.chance(100) {
		o = f.objectWith(singleBlock, types...)
	}
	o.PerfTime, o.PerfFreq = f.positive(), f.positive() // a damaged type may use the clock of the object
	f.inBlock(o)
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

// bytesFromValue returns the number of bytes from the start of the value of the chosen counter to the end of the
// counter block.
func (f *faultyBlock) bytesFromValue() int64 {
	return f.blockLength() - f.get("object.counter.CounterOffset")
}
