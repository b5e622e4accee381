package fuzz

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

var counterValueBreakers = slices.Concat(counterPlaceBreakers, counterBaseBreakers, counterTitleBreakers)

var counterPlaceBreakers = []breaker{
	{"ctr-size-domain", nil, func(v *victim) {
		i := v.oneOf()
		n := v.uint32()
		if n == 4 || n == 8 {
			n++
		}
		v.set(v.counter(i, "CounterSize"), int64(n))
	}},
	{"ctr-size-type-mismatch", nil, func(v *victim) {
		i := v.row(v.wide())
		v.set(v.counter(i, "CounterSize"), 4)
	}},
	{"ctr-size-type-mismatch", nil, func(v *victim) { // with 4 bytes to spare behind it
		i := v.row(v.wide(), v.narrow(), v.wide()) + 1
		v.set(v.counter(i, "CounterSize"), 8)
	}},
	{"ctr-size-type-mismatch", also{"ctr-overlap-partial"}, func(v *victim) {
		i := v.row(v.wide(), v.narrow(), v.narrow()) + 1
		v.set(v.counter(i, "CounterSize"), 8)
	}},
	{"ctr-size-type-mismatch", also{"ctr-offset-align", "ctr-overlap-partial"}, func(v *victim) {
		i := v.row(v.wide(), v.narrow(), v.narrow()) + 2
		v.set(v.counter(i, "CounterSize"), 8)
	}},
	{"ctr-size-type-mismatch", also{"ctr-offset-align", "ctr-offset-range"}, func(v *victim) {
		i := v.ending(v.wide(), v.narrow(), v.narrow())
		v.set(v.counter(i, "CounterSize"), 8)
	}},
	{"ctr-size-average-timer", nil, func(v *victim) {
		i := v.row(layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BASE)
		v.set(v.counter(i, "CounterSize"), 8)
	}},
	{"ctr-size-nodata", nil, func(v *victim) {
		i := v.row(layout.PERF_COUNTER_NODATA)
		v.set(v.counter(i, "CounterSize"), 1+int64(v.upTo(int(v.room(i)))))
	}},
	{"ctr-size-nodata", also{"ctr-offset-range"}, func(v *victim) {
		i := v.row(layout.PERF_COUNTER_NODATA)
		v.set(v.counter(i, "CounterSize"), v.from(v.room(i)+1))
	}},
	{"ctr-text-length", nil, func(v *victim) {
		i := v.row(v.number())
		ascii := layout.PERF_SIZE_VARIABLE_LEN | layout.PERF_TYPE_TEXT | layout.PERF_TEXT_ASCII
		v.set(v.counter(i, "CounterType"), int64(pick(v.Source, layout.PERF_COUNTER_TEXT, ascii)))
		v.set(v.counter(i, "CounterSize"), 4)
		v.settle()
		v.set(fmt.Sprintf("%s.value[%d]", v.anyBlock(), i), v.from(v.room(i)-4+1))
	}},
	{"ctr-offset-min", nil, func(v *victim) { v.set(v.counter(v.oneOf(), "CounterOffset"), int64(v.upTo(4))) }},
	{"ctr-offset-range", nil, func(v *victim) { // on a boundary
		i, size := v.sized()
		v.set(v.counter(i, "CounterOffset"), v.past()/size*size)
	}},
	{"ctr-offset-range", also{"ctr-offset-align"}, func(v *victim) {
		i, size := v.sized()
		v.set(v.counter(i, "CounterOffset"), min(v.past()/size*size+1+int64(v.upTo(int(size)-1)), math.MaxUint32))
	}},
	{"ctr-offset-range", also{"ctr-offset-align", "ctr-overlap-partial"}, func(v *victim) { // a part of it is inside
		i, size := v.sized()
		v.set(v.counter(i, "CounterOffset"), v.blockLength()-1-int64(v.upTo(int(size)-1)))
	}},
	{"ctr-offset-align", nil, func(v *victim) { // with 4 bytes to spare behind it
		i := v.row(v.wide(), v.narrow(), v.wide()) + 1
		v.add(v.counter(i, "CounterOffset"), int64(1+v.upTo(3)))
	}},
	{"ctr-offset-align", nil, func(v *victim) { // with 4 bytes to spare before it
		v.defined(v.wide(), v.wide())
		v.add(v.counter(0, "CounterOffset"), -1-int64(v.upTo(4)))
	}},
	{"ctr-offset-align", also{"ctr-overlap-partial"}, func(v *victim) {
		t := v.wide()
		i := v.row(t, v.wide())
		v.add(v.counter(i, "CounterOffset"), int64(1+v.upTo(7)))
	}},
	{"ctr-offset-align", also{"ctr-offset-range"}, func(v *victim) {
		i := v.ending(v.wide())
		v.add(v.counter(i, "CounterOffset"), int64(1+v.upTo(7)))
	}},
	{"ctr-overlap-partial", nil, func(v *victim) { // the second half of another
		i := v.row(v.wide(), v.narrow())
		v.set(v.counter(i+1, "CounterOffset"), v.get(v.counter(i, "CounterOffset"))+4)
	}},
	{"ctr-overlap-partial", nil, func(v *victim) { // two, of which it shares the place of the first
		i := v.row(v.wide(), v.narrow(), v.narrow())
		v.set(v.counter(i, "CounterOffset"), v.get(v.counter(i+1, "CounterOffset")))
	}},
	{"ctr-overlap-partial", also{"ctr-offset-align"}, func(v *victim) {
		i := v.row(v.number(), v.number())
		under, over := i, i+1
		if v.chance(128) {
			under, over = over, under
		}
		v.set(v.counter(over, "CounterOffset"), v.get(v.counter(under, "CounterOffset"))+1+2*int64(v.upTo(int(v.get(v.counter(under, "CounterSize")))/2)))
	}},
	{"ctr-overlap-partial", also{"ctr-offset-align", "ctr-offset-range"}, func(v *victim) {
		i := v.ending(v.wide(), v.wide())
		v.set(v.counter(i-1, "CounterOffset"), v.get(v.counter(i, "CounterOffset"))+1+int64(v.upTo(7)))
	}},
}

// number returns a predefined type of a number that needs no base, is none and is not obsolete.
func (v *victim) number() layout.CounterType { return pick(v.Source, numbers(4, 8)...) }

// narrow returns one of 4 bytes.
func (v *victim) narrow() layout.CounterType { return pick(v.Source, numbers(4)...) }

// wide returns one of 8.
func (v *victim) wide() layout.CounterType { return pick(v.Source, numbers(8)...) }

// like returns one of as many bytes as another type has.
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

// row makes a block that has an object with counters of those types, one behind the
// other and with some before and behind them, and returns the position of the first.
// The last is none of them and ends with the counter blocks, which so need be no shorter
// whatever becomes of the others.
func (v *victim) row(types ...layout.CounterType) int {
	for range v.upTo(3) {
		types = append(types, v.number())
	}
	return v.ending(append(types, v.wide())...) - len(types)
}

// ending makes the same with none behind those types, and returns the position of the last.
func (v *victim) ending(types ...layout.CounterType) int {
	var all []layout.CounterType
	for range v.upTo(3) {
		all = append(all, v.number())
	}
	all = append(all, types...)
	v.defined(all...)
	return len(all) - 1
}

// defined makes a block that has an object with counters of those types and values.
func (v *victim) defined(types ...layout.CounterType) {
	o := v.named(types...)
	if v.chance(100) {
		o = v.single(types...)
	}
	o.PerfTime, o.PerfFreq = v.positive(), v.positive() // for whatever may come to want them
	v.either(o)
}

// oneOf makes a block that has an object with counters, and returns the position of one.
func (v *victim) oneOf() int {
	return v.upTo(1 + v.ending(v.number()))
}

// sized makes a block with a row, and returns one of its counters and its size.
func (v *victim) sized() (i int, size int64) {
	i = v.row(v.number())
	return i, v.get(v.counter(i, "CounterSize"))
}

// blockLength returns how long the counter blocks of the object are.
func (v *victim) blockLength() int64 { return v.get(v.anyBlock() + ".ByteLength") }

// room returns how many bytes there are from the value of a counter to the end of the block.
func (v *victim) room(i int) int64 { return v.blockLength() - v.get(v.counter(i, "CounterOffset")) }

// past returns an offset behind the counter blocks.
func (v *victim) past() int64 { return v.from(v.blockLength()) }

// anyBlock returns the path of one of the counter blocks of the object.
func (v *victim) anyBlock() string {
	n := v.get(v.in("NumInstances"))
	if n < 0 {
		return v.in("block")
	}
	return v.in(fmt.Sprintf("instance[%d].block", v.upTo(int(n))))
}
