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
	{"ctr-byte-length-exact", nil, func(v *victim) {
		i := v.upTo(v.numbers(1))
		end := v.part(v.counter(i, "")).End()
		more := 8 * (1 + v.upTo(4))
		v.add(v.counter(i, "ByteLength"), int64(more))
		v.add(v.in("DefinitionLength"), int64(more))
		v.insert(end, make([]byte, more)...)
	}},
	{"ctr-type-known", nil, func(v *victim) {
		i := v.upTo(v.numbers(1))
		// No named type has both bits of the time base, or the top bit and others.
		odd := pick(v.Source, 0x00300000, uint32(0x80000100))
		v.set(v.counter(i, "CounterType"), int64(v.uint32()&^0x0C00F0FF|odd))
	}},
	{"ctr-type-unassigned-bits", nil, func(v *victim) {
		i := v.upTo(v.numbers(1))
		bit := pick(v.Source, 0x1000, 0x2000, 0x4000, 0x8000, 0x04000000, 0x08000000, 1+int64(v.upTo(255)))
		v.set(v.counter(i, "CounterType"), v.get(v.counter(i, "CounterType"))|bit)
	}},
	{"ctr-type-obsolete", nil, func(v *victim) {
		i := v.upTo(v.numbers(1))
		v.set(v.counter(i, "CounterType"), int64(pick(v.Source, layout.PERF_COUNTER_TEXT, layout.PERF_COUNTER_NODATA, layout.PERF_COUNTER_HISTOGRAM_TYPE)))
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

// counter returns the path of a counter of the object that the breaker asked for, or
// of a field of it.
func (v *victim) counter(i int, field string) string {
	path := v.in(fmt.Sprintf("counter[%d]", i))
	if field == "" {
		return path
	}
	return path + "." + field
}
