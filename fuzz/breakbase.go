package fuzz

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// The types that require a base: fractions have one component, multis have several.
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
	{"ctr-base-missing", also{"ctr-size-type-mismatch", "ctr-size-average-timer"}, func(v *victim) {
		if v.chance(128) {
			v.removeBase(pick(v.Source, fractions...))
		} else {
			v.retype(v.number(), pick(v.Source, fractions...))
		}
	}},
	{"ctr-base-missing-multi", also{"ctr-size-type-mismatch", "ctr-multi-adjacent"}, func(v *victim) {
		switch v.upTo(3) {
		case 0:
			v.removeBase(pick(v.Source, multis...))
		case 1:
			v.retype(v.narrow(), pick(v.Source, multis...))
		case 2:
			v.lastMulti()
		}
	}},
	{"ctr-base-mismatch", also{"ctr-size-type-mismatch"}, func(v *victim) {
		i := v.pairOf(pick(v.Source, slices.Concat(fractions, multis)...))
		right := layout.CounterType(v.get(v.counter(i+1, "CounterType")))
		wrong := slices.DeleteFunc(slices.Clone(bases), func(t layout.CounterType) bool { return t == right })
		v.set(v.counter(i+1, "CounterType"), int64(pick(v.Source, wrong...)))
	}},
	{"ctr-base-orphan", also{"ctr-size-type-mismatch"}, func(v *victim) {
		before, base := v.number(), pick(v.Source, bases...)
		if before == layout.PERF_SAMPLE_COUNTER && base == layout.PERF_SAMPLE_BASE {
			base = layout.PERF_AVERAGE_BASE // PERF_SAMPLE_COUNTER may have a PERF_SAMPLE_BASE
		}
		i := v.row(before, v.number())
		v.set(v.counter(i+1, "CounterType"), int64(base))
	}},
	{"ctr-base-first", also{"ctr-size-type-mismatch"}, func(v *victim) {
		v.defined(v.number(), v.number(), v.wide())
		v.set(v.counter(0, "CounterType"), int64(pick(v.Source, bases...)))
	}},
	{"ctr-base-titles", nil, func(v *victim) {
		i := v.pairOf(pick(v.Source, slices.Concat(fractions, multis)...))
		if v.chance(128) {
			v.set(v.counter(i+1, "CounterHelpTitleIndex"), int64(max(v.uint32(), 1)))
			return
		}
		v.set(v.counter(i+1, "CounterNameTitleIndex"), v.get(v.counter(i, "CounterNameTitleIndex"))+1+int64(v.upTo(1000)))
	}},
	{"ctr-multi-adjacent", also{"ctr-multi-base-place", "ctr-offset-align", "ctr-overlap-partial", "ctr-base-missing-multi"}, func(v *victim) {
		if v.chance(80) {
			v.lastMulti()
			return
		}
		i := v.pairOf(pick(v.Source, multis...))
		v.set(v.counter(i, "CounterOffset"), v.blockLength()-8-int64(v.upTo(4))) // too near to the end for a second value
	}},
	{"ctr-multi-base-place", also{"ctr-offset-align", "ctr-overlap-partial", "ctr-offset-range"}, func(v *victim) {
		i := v.pairOf(pick(v.Source, multis...))
		offset := v.counter(i+1, "CounterOffset")
		switch v.upTo(3) {
		case 0: // the place of the counter, or of another
			v.set(offset, pick(v.Source, v.get(v.counter(i, "CounterOffset")), v.blockLength()-8))
		case 1:
			v.add(offset, -1-int64(v.upTo(7)))
		case 2:
			v.set(offset, v.from(v.blockLength())&^7|int64(v.upTo(8)))
		}
	}},
}

// pairOf makes a block that has a counter with a type and its base, and returns the position of the counter.
func (v *victim) pairOf(t layout.CounterType) int {
	base, ok := baseOf[t]
	if !ok {
		base = layout.PERF_COUNTER_MULTI_BASE
	}
	return v.row(t, base)
}

// removeBase makes a block that has a counter with a type and no base after it: the base becomes a counter, or a counter
// gets the type.
func (v *victim) removeBase(t layout.CounterType) {
	if v.chance(128) {
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

// retype makes a block that has a counter of the first type, and gives it the second type.
func (v *victim) retype(from, to layout.CounterType) {
	i := v.row(from)
	v.set(v.counter(i, "CounterType"), int64(to))
}

// lastMulti makes a block whose last counter gets a type with several components.
func (v *victim) lastMulti() {
	i := v.ending(v.wide())
	v.set(v.counter(i, "CounterType"), int64(pick(v.Source, multis...)))
}
