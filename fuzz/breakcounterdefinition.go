package fuzz

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

var counterBreakers = []breaker{
	{"ctr-truncated", nil, func(v *victim) {
		n := v.numbers(3)
		i := v.upTo(n - 2)
		// The definition is so long that fewer bytes than a definition are left, and NumCounters counts one definition
		// less than DefinitionLength has room for.
		v.add(v.in("NumCounters"), -1)
		v.set(v.counter(i, "ByteLength"), int64(layout.SizeofCounterDefinition*(n-i)-v.upTo(layout.SizeofCounterDefinition)))
	}},
	{"ctr-byte-length-min", nil, func(v *victim) {
		n := v.numbers(1)
		i := v.upTo(n)
		left := int64(layout.SizeofCounterDefinition * (n - i))
		v.set(v.counter(i, "ByteLength"), pick(v.Source, 0, int64(v.upTo(layout.SizeofCounterDefinition)), layout.SizeofCounterDefinition-1, left+1, left+int64(v.uint32()>>1)+1, math.MaxUint32))
	}},
	{"ctr-byte-length-exact", also{"obj-definition-align", "obj-total-length-align", "obj-offset-align"}, func(v *victim) {
		n := pick(v.Source, 8*(1+v.upTo(8)), v.uneven())
		v.either(v.some())
		i := v.upTo(int(v.get(v.in("NumCounters"))))
		end := v.part(v.counter(i, "")).End()
		v.add(v.counter(i, "ByteLength"), int64(n))
		v.add(v.in("DefinitionLength"), int64(n))
		v.insert(end, v.bytes(n)...)
	}},
	{"ctr-type-known", also{"ctr-size-type-mismatch", "ctr-size-nodata", "ctr-base-missing-multi", "obj-timer-perftime", "obj-timer-perffreq-rate"}, func(v *victim) {
		switch v.upTo(4) {
		case 0:
			v.unnamedMulti()
		case 1:
			v.unnamedTimer()
		default:
			v.unnamed()
		}
	}},
	{"ctr-type-unassigned-bits", nil, func(v *victim) {
		i := v.upTo(v.numbers(1))
		bit := pick(v.Source, 0x1000, 0x2000, 0x4000, 0x8000, 0x04000000, 0x08000000, 1+int64(v.upTo(255)))
		v.set(v.counter(i, "CounterType"), v.get(v.counter(i, "CounterType"))|bit)
	}},
	{"ctr-type-obsolete", also{"ctr-size-type-mismatch", "ctr-size-nodata"}, func(v *victim) {
		i := v.row(v.number())
		t := pick(v.Source, layout.PERF_COUNTER_HISTOGRAM_TYPE, layout.PERF_COUNTER_TEXT, layout.PERF_COUNTER_NODATA)
		v.set(v.counter(i, "CounterType"), int64(t))
		if t == layout.PERF_COUNTER_NODATA && v.chance(128) {
			v.set(v.counter(i, "CounterSize"), 0)
		}
	}},
	{"ctr-default-scale", nil, func(v *victim) {
		i := v.row(v.number())
		v.set(v.counter(i, "DefaultScale"), pick(v.Source, 8, -8, 8+int64(v.upTo(1000)), -8-int64(v.upTo(1000)), math.MaxInt32, math.MinInt32))
	}},
	{"ctr-detail-level", nil, func(v *victim) {
		i := v.row(v.number())
		n := v.uint32()
		if layout.DetailLevel(n).Valid() {
			n++
		}
		v.set(v.counter(i, "DetailLevel"), int64(n))
	}},

	{"ctr-name-index", nil, func(v *victim) {
		i := v.row(v.number())
		v.set(v.counter(i, "CounterNameTitleIndex"), pick(v.Source, 0, int64(v.uint32()|1)))
	}},
	{"ctr-help-index", nil, func(v *victim) {
		i := v.row(v.number())
		v.set(v.counter(i, "CounterHelpTitleIndex"), int64(max(v.uint32()&^1, 2)))
	}},
	{"ctr-help-none", nil, func(v *victim) {
		i := v.row(v.number())
		v.set(v.counter(i, "CounterHelpTitleIndex"), 0)
	}},
	{"ctr-help-follows-name", nil, func(v *victim) {
		i := v.row(v.number())
		v.add(v.counter(i, "CounterHelpTitleIndex"), 2*pick(v.Source, -1, 1+int64(v.upTo(5000)))) // still odd
	}},
	{"ctr-name-duplicate", also{"ctr-help-follows-name"}, func(v *victim) {
		v.row(v.number(), v.number())
		i, other := v.two(int(v.get(v.in("NumCounters"))))
		if v.chance(128) {
			i, other = other, i
		}
		name := v.get(v.counter(other, "CounterNameTitleIndex"))
		v.set(v.counter(i, "CounterNameTitleIndex"), name)
		if v.chance(128) {
			v.set(v.counter(i, "CounterHelpTitleIndex"), name+1)
		}
	}},
	{"ctr-index-range", nil, func(v *victim) {
		i := v.row(v.number())
		first := v.get(v.in("ObjectNameTitleIndex")) - 2*int64(v.upTo(100))
		last := v.get(v.counter(int(v.get(v.in("NumCounters")))-1, "CounterHelpTitleIndex")) + 2*int64(v.upTo(100))
		v.ctx.FirstCounter, v.ctx.LastCounter = uint32(first), uint32(last)
		name := pick(v.Source, first-2-2*int64(v.upTo(1000)), last+1+2*int64(v.upTo(1<<24)))
		v.set(v.counter(i, "CounterNameTitleIndex"), name)
		v.set(v.counter(i, "CounterHelpTitleIndex"), name+1)
	}},
	{"ctr-reserved-title", nil, func(v *victim) {
		i := v.row(v.number())
		v.set(v.counter(i, pick(v.Source, "CounterNameTitle", "CounterHelpTitle")), int64(max(v.uint32(), 1)))
	}},
}

// numbers makes a block that has an object with least or more counters that require no base, and returns their number.
func (v *victim) numbers(least int) int {
	types := make([]layout.CounterType, least+v.upTo(4))
	for i := range types {
		types[i] = pick(v.Source, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_100NSEC_TIMER)
	}
	v.either(v.named(types...))
	return len(types)
}

// bit31 is a bit that no type has together with others. A counter with it is not a base and requires none.
const bit31 layout.CounterType = 1 << 31

// bothTimeBases are two bits that no type has together.
const bothTimeBases layout.CounterType = 0x00300000

// randomBits are the bits of a type except the size, the time base and PERF_MULTI_COUNTER.
const randomBits layout.CounterType = 0xF1CF0C00

// unnamed makes a block that has a counter with a type that winperf.h does not define.
func (v *victim) unnamed() {
	i := v.row(v.number())
	sizes := []layout.CounterType{layout.PERF_SIZE_DWORD, layout.PERF_SIZE_LARGE, layout.PERF_SIZE_VARIABLE_LEN, layout.PERF_SIZE_ZERO}
	t := layout.CounterType(v.uint32())&randomBits | pick(v.Source, bothTimeBases, bit31|0x00010000) | pick(v.Source, sizes...)
	if t.IsBase() || t.NeedsBase() {
		t |= bit31
	}
	v.set(v.counter(i, "CounterType"), int64(t))
}

// unnamedMulti makes the type one of several components, which requires a base.
func (v *victim) unnamedMulti() {
	i := v.row(v.wide())
	t := layout.CounterType(v.uint32())&(randomBits&^(bit31|0x000F0800)) | bothTimeBases | layout.PERF_TYPE_COUNTER | layout.PERF_MULTI_COUNTER | layout.PERF_SIZE_LARGE
	v.set(v.counter(i, "CounterType"), int64(t))
}

// unnamedTimer makes the type one that uses the clock of the object, which has none.
func (v *victim) unnamedTimer() {
	o := v.single(v.types(1 + v.upTo(4))...)
	v.either(o)
	i := v.upTo(len(o.Counters))
	t := layout.PERF_TYPE_COUNTER | layout.PERF_OBJECT_TIMER | layout.PERF_DISPLAY_NOSHOW | layout.CounterType(v.uint32()&0x00CF0000)
	if v.get(v.counter(i, "CounterSize")) == 8 {
		t |= layout.PERF_SIZE_LARGE
	}
	v.set(v.counter(i, "CounterType"), int64(t|bit31))
}

// counter returns the path of a counter of the object, or of a field of the counter.
func (v *victim) counter(i int, field string) string {
	path := v.in(fmt.Sprintf("counter[%d]", i))
	if field == "" {
		return path
	}
	return path + "." + field
}

// number returns a type of a number that requires no base, is not a base and is not obsolete.
func (v *victim) number() layout.CounterType { return pick(v.Source, numbers(4, 8)...) }

// narrow returns such a type of 4 bytes.
func (v *victim) narrow() layout.CounterType { return pick(v.Source, numbers(4)...) }

// wide returns such a type of 8 bytes.
func (v *victim) wide() layout.CounterType { return pick(v.Source, numbers(8)...) }

// like returns such a type with the width of another type.
func (v *victim) like(t layout.CounterType) layout.CounterType {
	width, _ := t.Width()
	return pick(v.Source, numbers(width)...)
}

func numbers(widths ...uint32) []layout.CounterType {
	return slices.DeleteFunc(slices.Collect(layout.CounterTypes()), func(t layout.CounterType) bool {
		width, _ := t.Width()
		return !slices.Contains(widths, width) || t.NeedsBase() || t.IsBase() || t == layout.PERF_COUNTER_HISTOGRAM_TYPE
	})
}

// row makes a block that has an object with counters of the types in a row, between others, and returns the position of
// the first. The last counter is not one of them: its value ends the counter blocks.
func (v *victim) row(types ...layout.CounterType) int {
	for range v.upTo(3) {
		types = append(types, v.number())
	}
	return v.ending(append(types, v.wide())...) - len(types)
}

// ending makes the same block with no counter after the types, and returns the position of the last.
func (v *victim) ending(types ...layout.CounterType) int {
	var all []layout.CounterType
	for range v.upTo(3) {
		all = append(all, v.number())
	}
	all = append(all, types...)
	v.defined(all...)
	return len(all) - 1
}

// defined makes a block that has an object with counters of the types.
func (v *victim) defined(types ...layout.CounterType) {
	o := v.named(types...)
	if v.chance(100) {
		o = v.single(types...)
	}
	o.PerfTime, o.PerfFreq = v.positive(), v.positive() // a damaged type may require them
	v.either(o)
}
