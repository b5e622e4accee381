package fuzz

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

var counterBreakers = slices.Concat(counterTypeBreakers, counterValueBreakers)

const definitionBytes = 40 // of a PERF_COUNTER_DEFINITION

var counterTypeBreakers = []breaker{
	{"ctr-truncated", nil, func(v *victim) {
		n := v.numbers(3)
		i := v.upTo(n - 2)
		// The definition takes all that is left but less than the next one needs, and
		// there is one less than DefinitionLength has room for.
		v.add(v.in("NumCounters"), -1)
		v.set(v.counter(i, "ByteLength"), int64(definitionBytes*(n-i)-v.upTo(definitionBytes)))
	}},
	{"ctr-byte-length-min", nil, func(v *victim) {
		n := v.numbers(1)
		i := v.upTo(n)
		left := int64(definitionBytes * (n - i))
		v.set(v.counter(i, "ByteLength"), pick(v.Source, 0, int64(v.upTo(definitionBytes)), definitionBytes-1, left+1, left+int64(v.uint32()>>1)+1, math.MaxUint32))
	}},
	{"ctr-byte-length-exact", nil, func(v *victim) { v.either(v.some()).lengthenDefinition(8 * (1 + v.upTo(8))) }},
	{"ctr-byte-length-exact", also{"obj-definition-align", "obj-total-length-align"}, func(v *victim) { v.last(v.some()).lengthenDefinition(v.uneven()) }},
	{"ctr-byte-length-exact", also{"obj-definition-align", "obj-total-length-align", "obj-offset-align"}, func(v *victim) {
		v.followed(v.some()).lengthenDefinition(v.uneven())
	}},
	{"ctr-type-known", nil, func(v *victim) { v.unnamed(v.narrow(), 0, layout.PERF_SIZE_DWORD, layout.PERF_SIZE_VARIABLE_LEN) }},
	{"ctr-type-known", nil, func(v *victim) { v.unnamed(v.wide(), 0, layout.PERF_SIZE_LARGE, layout.PERF_SIZE_VARIABLE_LEN) }},
	{"ctr-type-known", also{"ctr-size-type-mismatch"}, func(v *victim) { v.unnamed(v.narrow(), 0, layout.PERF_SIZE_LARGE) }},
	{"ctr-type-known", also{"ctr-size-type-mismatch"}, func(v *victim) { v.unnamed(v.wide(), 0, layout.PERF_SIZE_DWORD) }},
	{"ctr-type-known", also{"ctr-size-nodata"}, func(v *victim) { v.unnamed(v.number(), 0, layout.PERF_SIZE_ZERO) }},
	{"ctr-type-known", also{"ctr-base-missing-multi"}, func(v *victim) {
		v.unnamed(v.wide(), layout.PERF_TYPE_COUNTER|layout.PERF_MULTI_COUNTER, layout.PERF_SIZE_LARGE)
	}},
	{"ctr-type-known", also{"obj-timer-perftime", "obj-timer-perffreq-rate"}, func(v *victim) {
		o := v.single(v.types(1 + v.upTo(4))...)
		v.either(o)
		i := v.upTo(len(o.Counters))
		t := layout.PERF_TYPE_COUNTER | layout.PERF_OBJECT_TIMER | layout.PERF_DISPLAY_NOSHOW | layout.CounterType(v.uint32()&0x00CF0000)
		if v.get(v.counter(i, "CounterSize")) == 8 {
			t |= layout.PERF_SIZE_LARGE
		}
		v.set(v.counter(i, "CounterType"), int64(t|histogram))
	}},
	{"ctr-type-unassigned-bits", nil, func(v *victim) {
		i := v.upTo(v.numbers(1))
		bit := pick(v.Source, 0x1000, 0x2000, 0x4000, 0x8000, 0x04000000, 0x08000000, 1+int64(v.upTo(255)))
		v.set(v.counter(i, "CounterType"), v.get(v.counter(i, "CounterType"))|bit)
	}},
	{"ctr-type-obsolete", nil, func(v *victim) {
		i := v.row(v.narrow())
		v.set(v.counter(i, "CounterType"), int64(pick(v.Source, layout.PERF_COUNTER_HISTOGRAM_TYPE, layout.PERF_COUNTER_TEXT)))
	}},
	{"ctr-type-obsolete", nil, func(v *victim) {
		i := v.row(v.number())
		v.set(v.counter(i, "CounterType"), int64(layout.PERF_COUNTER_NODATA))
		v.set(v.counter(i, "CounterSize"), 0)
	}},
	{"ctr-type-obsolete", also{"ctr-size-type-mismatch"}, func(v *victim) {
		i := v.row(v.wide())
		v.set(v.counter(i, "CounterType"), int64(layout.PERF_COUNTER_HISTOGRAM_TYPE))
	}},
	{"ctr-type-obsolete", also{"ctr-size-nodata"}, func(v *victim) {
		i := v.row(v.number())
		v.set(v.counter(i, "CounterType"), int64(layout.PERF_COUNTER_NODATA))
	}},
}

// numbers makes a block that has an object with counters that have no base and are
// none, and returns how many: least, or up to three more.
func (v *victim) numbers(least int) int {
	types := make([]layout.CounterType, least+v.upTo(4))
	for i := range types {
		types[i] = pick(v.Source, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_100NSEC_TIMER)
	}
	v.either(v.named(types...))
	return len(types)
}

// lengthenDefinition puts n bytes at the end of one of the definitions.
func (v *victim) lengthenDefinition(n int) {
	i := v.upTo(int(v.get(v.in("NumCounters"))))
	end := v.part(v.counter(i, "")).End()
	v.add(v.counter(i, "ByteLength"), int64(n))
	v.add(v.in("DefinitionLength"), int64(n))
	v.insert(end, v.bytes(n)...)
}

// histogram is a bit that no named type has beside others. With it no counter is a base
// or needs one.
const histogram layout.CounterType = 1 << 31

// unnamed makes a block that has a counter of a type, and gives it a type that winperf.h
// has no name for, with those bits and one of the sizes.
func (v *victim) unnamed(of, bits layout.CounterType, sizes ...layout.CounterType) {
	i := v.row(of)
	const both = 0x00300000 // of the time base, which no named type has
	odd := pick(v.Source, both, histogram|0x00010000)
	if bits != 0 {
		odd = both
	}
	const random = 0xF1CF0C00 // the bits of a type but for the size, the time base, and PERF_MULTI_COUNTER
	t := layout.CounterType(v.uint32())&random | odd | bits | pick(v.Source, sizes...)
	switch {
	case bits == 0 && (t.IsBase() || t.NeedsBase()):
		t |= histogram
	case bits != 0: // a value that is no base
		t &^= histogram | 0x000F0800
	}
	v.set(v.counter(i, "CounterType"), int64(t))
}

// counter returns the path of a counter of the object that the breaker asked for, or
// of a field of it.
func (v *victim) counter(i int, field string) string {
	path := v.in(fmt.Sprintf("counter[%d]", i))
	if field == "" {
		return path
	}
	return path + "." + field
}
