package fuzz

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

var counterValueBreakers = slices.Concat(counterPlaceBreakers, counterBaseBreakers, counterTitleBreakers)

var counterPlaceBreakers = []breaker{
	{"ctr-size-domain", nil, func(v *victim) {
		i := v.row(v.number())
		n := v.uint32()
		if n == 4 || n == 8 {
			n++
		}
		v.set(v.counter(i, "CounterSize"), int64(n))
	}},
	{"ctr-size-type-mismatch", nil, func(v *victim) {
		i := v.row(v.number())
		v.set(v.counter(i, "CounterSize"), 12-v.get(v.counter(i, "CounterSize"))) // 4 for 8 and the other way round
	}},
	{"ctr-size-average-timer", nil, func(v *victim) {
		i := v.row(layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BASE)
		v.set(v.counter(i, "CounterSize"), 8)
	}},
	{"ctr-size-nodata", nil, func(v *victim) {
		i := v.row(layout.PERF_COUNTER_NODATA)
		v.set(v.counter(i, "CounterSize"), pick(v.Source, 4, 8, int64(max(v.uint32(), 1))))
	}},
	{"ctr-text-length", nil, func(v *victim) {
		i := v.row(v.number())
		ascii := layout.PERF_SIZE_VARIABLE_LEN | layout.PERF_TYPE_TEXT | layout.PERF_TEXT_ASCII
		v.set(v.counter(i, "CounterType"), int64(pick(v.Source, layout.PERF_COUNTER_TEXT, ascii)))
		v.set(v.counter(i, "CounterSize"), 4)
		block := v.anyBlock()
		room := v.get(block+".ByteLength") - v.get(v.counter(i, "CounterOffset")) - 4
		v.set(fmt.Sprintf("%s.value[%d]", block, i), room+1+int64(v.uint32()>>1))
	}},
	{"ctr-offset-min", nil, func(v *victim) {
		i := v.row(v.number())
		v.set(v.counter(i, "CounterOffset"), int64(v.upTo(4)))
	}},
	{"ctr-offset-range", nil, func(v *victim) {
		i := v.row(v.number())
		last := v.get(v.anyBlock()+".ByteLength") - v.get(v.counter(i, "CounterSize"))
		v.set(v.counter(i, "CounterOffset"), last+1+int64(v.uint32()>>1))
	}},
	{"ctr-offset-align", nil, func(v *victim) {
		i := v.row(v.number())
		v.add(v.counter(i, "CounterOffset"), int64(1+v.upTo(int(v.get(v.counter(i, "CounterSize")))-1)))
	}},
	{"ctr-overlap-partial", nil, func(v *victim) {
		i := v.row(v.number(), v.number())
		under, over := i, i+1
		if v.chance(128) {
			under, over = over, under
		}
		inside := 1 + v.upTo(int(v.get(v.counter(under, "CounterSize")))-1)
		v.set(v.counter(over, "CounterOffset"), v.get(v.counter(under, "CounterOffset"))+int64(inside))
	}},
}

// number returns a predefined type of a number that needs no base and is none.
func (v *victim) number() layout.CounterType {
	types := slices.DeleteFunc(slices.Collect(layout.CounterTypes()), func(t layout.CounterType) bool {
		width, _ := t.Width()
		return width == 0 || t.NeedsBase() || t.IsBase()
	})
	return pick(v.Source, types...)
}

// row makes a block that has an object with counters of those types, one behind the
// other and with some before and behind them, and returns the position of the first.
func (v *victim) row(types ...layout.CounterType) int {
	var all []layout.CounterType
	before := v.upTo(3)
	for range before {
		all = append(all, v.number())
	}
	all = append(all, types...)
	for range v.upTo(3) {
		all = append(all, v.number())
	}
	if v.chance(100) {
		v.either(v.single(all...))
	} else {
		v.either(v.named(all...))
	}
	return before
}

// anyBlock returns the path of one of the counter blocks of the object.
func (v *victim) anyBlock() string {
	n := v.get(v.in("NumInstances"))
	if n < 0 {
		return v.in("block")
	}
	return v.in(fmt.Sprintf("instance[%d].block", v.upTo(int(n))))
}
