package fuzz

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// The types with a base behind them, of one component and of several.
var (
	baseOf = map[layout.CounterType]layout.CounterType{
		layout.PERF_RAW_FRACTION:           layout.PERF_RAW_BASE,
		layout.PERF_LARGE_RAW_FRACTION:     layout.PERF_LARGE_RAW_BASE,
		layout.PERF_SAMPLE_FRACTION:        layout.PERF_SAMPLE_BASE,
		layout.PERF_AVERAGE_TIMER:          layout.PERF_AVERAGE_BASE,
		layout.PERF_AVERAGE_BULK:           layout.PERF_AVERAGE_BASE,
		layout.PERF_PRECISION_SYSTEM_TIMER: layout.PERF_PRECISION_TIMESTAMP,
		layout.PERF_PRECISION_100NS_TIMER:  layout.PERF_PRECISION_TIMESTAMP,
		layout.PERF_PRECISION_OBJECT_TIMER: layout.PERF_PRECISION_TIMESTAMP,
	}
	fractions = []layout.CounterType{
		layout.PERF_RAW_FRACTION, layout.PERF_LARGE_RAW_FRACTION, layout.PERF_SAMPLE_FRACTION, layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BULK,
		layout.PERF_PRECISION_SYSTEM_TIMER, layout.PERF_PRECISION_100NS_TIMER, layout.PERF_PRECISION_OBJECT_TIMER,
	}
	multis = []layout.CounterType{
		layout.PERF_COUNTER_MULTI_TIMER, layout.PERF_COUNTER_MULTI_TIMER_INV, layout.PERF_100NSEC_MULTI_TIMER, layout.PERF_100NSEC_MULTI_TIMER_INV,
	}
	narrowBases = []layout.CounterType{layout.PERF_RAW_BASE, layout.PERF_SAMPLE_BASE, layout.PERF_AVERAGE_BASE}
	wideBases   = []layout.CounterType{layout.PERF_LARGE_RAW_BASE, layout.PERF_COUNTER_MULTI_BASE}
	bases       = slices.Concat(narrowBases, wideBases)
)

var counterBaseBreakers = []breaker{
	{"ctr-base-missing", nil, func(v *victim) { v.bereave(pick(v.Source, fractions...)) }},
	{"ctr-base-missing", also{"ctr-size-type-mismatch"}, func(v *victim) {
		v.retype(v.narrow(), pick(v.Source, layout.PERF_LARGE_RAW_FRACTION, layout.PERF_AVERAGE_BULK, layout.PERF_PRECISION_100NS_TIMER))
	}},
	{"ctr-base-missing", also{"ctr-size-type-mismatch"}, func(v *victim) {
		v.retype(v.wide(), pick(v.Source, layout.PERF_RAW_FRACTION, layout.PERF_SAMPLE_FRACTION))
	}},
	{"ctr-base-missing", also{"ctr-size-average-timer"}, func(v *victim) { v.retype(v.wide(), layout.PERF_AVERAGE_TIMER) }},
	{"ctr-base-missing-multi", nil, func(v *victim) { v.bereave(pick(v.Source, multis...)) }},
	{"ctr-base-missing-multi", also{"ctr-size-type-mismatch"}, func(v *victim) { v.retype(v.narrow(), pick(v.Source, multis...)) }},
	{"ctr-base-missing-multi", also{"ctr-multi-adjacent"}, func(v *victim) { // the last value of the block
		i := v.ending(v.wide())
		v.set(v.counter(i, "CounterType"), int64(pick(v.Source, multis...)))
	}},
	{"ctr-base-mismatch", nil, func(v *victim) { v.mismatch(true) }},
	{"ctr-base-mismatch", also{"ctr-size-type-mismatch"}, func(v *victim) { v.mismatch(false) }},
	{"ctr-base-orphan", nil, func(v *victim) {
		before, base := v.number(), pick(v.Source, bases...)
		if before == layout.PERF_SAMPLE_COUNTER && base == layout.PERF_SAMPLE_BASE {
			base = layout.PERF_AVERAGE_BASE // the one base that may follow is not out of place
		}
		i := v.row(before, v.like(base))
		v.set(v.counter(i+1, "CounterType"), int64(base))
	}},
	{"ctr-base-orphan", also{"ctr-size-type-mismatch"}, func(v *victim) {
		i := v.row(v.number(), v.narrow())
		v.set(v.counter(i+1, "CounterType"), int64(pick(v.Source, wideBases...)))
	}},
	{"ctr-base-first", nil, func(v *victim) {
		base := pick(v.Source, bases...)
		v.defined(v.like(base), v.number(), v.wide())
		v.set(v.counter(0, "CounterType"), int64(base))
	}},
	{"ctr-base-first", also{"ctr-size-type-mismatch"}, func(v *victim) {
		v.defined(v.wide(), v.number(), v.wide())
		v.set(v.counter(0, "CounterType"), int64(pick(v.Source, narrowBases...)))
	}},
	{"ctr-base-titles", nil, func(v *victim) {
		i := v.pairOf(pick(v.Source, slices.Concat(fractions, multis)...))
		if v.chance(128) {
			v.set(v.counter(i+1, "CounterHelpTitleIndex"), int64(max(v.uint32(), 1)))
			return
		}
		v.set(v.counter(i+1, "CounterNameTitleIndex"), v.get(v.counter(i, "CounterNameTitleIndex"))+1+int64(v.upTo(1000)))
	}},
	{"ctr-multi-adjacent", also{"ctr-multi-base-place"}, func(v *victim) { // in the last place, which is another's
		i := v.pairOf(pick(v.Source, multis...))
		v.set(v.counter(i, "CounterOffset"), v.blockLength()-8)
	}},
	{"ctr-multi-adjacent", also{"ctr-multi-base-place", "ctr-offset-align", "ctr-overlap-partial"}, func(v *victim) {
		i := v.pairOf(pick(v.Source, multis...))
		v.set(v.counter(i, "CounterOffset"), v.blockLength()-9-int64(v.upTo(3)))
	}},
	{"ctr-multi-adjacent", also{"ctr-base-missing-multi"}, func(v *victim) {
		i := v.ending(v.wide())
		v.set(v.counter(i, "CounterType"), int64(pick(v.Source, multis...)))
	}},
	{"ctr-multi-base-place", nil, func(v *victim) { // the place of the counter, or of another
		i := v.pairOf(pick(v.Source, multis...))
		v.set(v.counter(i+1, "CounterOffset"), pick(v.Source, v.get(v.counter(i, "CounterOffset")), v.blockLength()-8))
	}},
	{"ctr-multi-base-place", also{"ctr-offset-align", "ctr-overlap-partial"}, func(v *victim) {
		i := v.pairOf(pick(v.Source, multis...))
		v.add(v.counter(i+1, "CounterOffset"), -1-int64(v.upTo(7)))
	}},
	{"ctr-multi-base-place", also{"ctr-offset-range"}, func(v *victim) {
		i := v.pairOf(pick(v.Source, multis...))
		v.set(v.counter(i+1, "CounterOffset"), v.past()&^7)
	}},
	{"ctr-multi-base-place", also{"ctr-offset-align", "ctr-offset-range"}, func(v *victim) {
		i := v.pairOf(pick(v.Source, multis...))
		v.set(v.counter(i+1, "CounterOffset"), v.past()&^7|1+int64(v.upTo(7)))
	}},
}

// pairOf makes a block that has a counter of that type and its base, and returns the
// position of the counter.
func (v *victim) pairOf(t layout.CounterType) int {
	base, ok := baseOf[t]
	if !ok {
		base = layout.PERF_COUNTER_MULTI_BASE
	}
	return v.row(t, base)
}

// bereave makes a block that has a counter of that type and no base behind it.
func (v *victim) bereave(t layout.CounterType) {
	if v.chance(128) { // what was the base is a counter of its own
		i := v.pairOf(t)
		base := layout.CounterType(v.get(v.counter(i+1, "CounterType")))
		name := v.get(v.counter(i, "CounterNameTitleIndex")) + 2
		v.set(v.counter(i+1, "CounterNameTitleIndex"), name)
		v.set(v.counter(i+1, "CounterHelpTitleIndex"), name+1)
		v.set(v.counter(i+1, "DetailLevel"), int64(layout.PERF_DETAIL_NOVICE))
		v.settle()
		v.set(v.counter(i+1, "CounterType"), int64(v.like(base)))
		return
	}
	v.retype(v.like(t), t)
}

// retype makes a block that has a counter of the first type, and calls it one of the second.
func (v *victim) retype(from, to layout.CounterType) {
	i := v.row(from)
	v.set(v.counter(i, "CounterType"), int64(to))
}

// mismatch makes a block that has a counter with the base of another, which is as wide
// as its own or is not.
func (v *victim) mismatch(as bool) {
	i := v.pairOf(pick(v.Source, slices.Concat(fractions, multis)...))
	right := layout.CounterType(v.get(v.counter(i+1, "CounterType")))
	wrong := slices.DeleteFunc(slices.Clone(bases), func(t layout.CounterType) bool {
		return t == right || (t.Size() == right.Size()) != as
	})
	v.set(v.counter(i+1, "CounterType"), int64(pick(v.Source, wrong...)))
}

// nameTwice makes a block with several counters, and returns one of them and the name of another.
func (v *victim) nameTwice() (i int, name int64) {
	v.row(v.number(), v.number())
	i, other := v.two(int(v.get(v.in("NumCounters"))))
	if v.chance(128) {
		i, other = other, i
	}
	return i, v.get(v.counter(other, "CounterNameTitleIndex"))
}

var counterTitleBreakers = []breaker{
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
		v.add(v.counter(i, "CounterHelpTitleIndex"), 2*pick(v.Source, -1, 1+int64(v.upTo(5000)))) // odd as it was
	}},
	{"ctr-name-duplicate", nil, func(v *victim) {
		i, name := v.nameTwice()
		v.set(v.counter(i, "CounterNameTitleIndex"), name)
		v.set(v.counter(i, "CounterHelpTitleIndex"), name+1)
	}},
	{"ctr-name-duplicate", also{"ctr-help-follows-name"}, func(v *victim) {
		i, name := v.nameTwice()
		v.set(v.counter(i, "CounterNameTitleIndex"), name)
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
}
