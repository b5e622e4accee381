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
	bases = []layout.CounterType{
		layout.PERF_RAW_BASE, layout.PERF_LARGE_RAW_BASE, layout.PERF_SAMPLE_BASE, layout.PERF_AVERAGE_BASE, layout.PERF_COUNTER_MULTI_BASE,
	}
)

var counterBaseBreakers = []breaker{
	{"ctr-base-missing", nil, func(v *victim) { v.bereave(pick(v.Source, fractions...)) }},
	{"ctr-base-missing-multi", nil, func(v *victim) { v.bereave(pick(v.Source, multis...)) }},
	{"ctr-base-mismatch", nil, func(v *victim) {
		i := v.pairOf(pick(v.Source, slices.Concat(fractions, multis)...))
		right := layout.CounterType(v.get(v.counter(i+1, "CounterType")))
		wrong := slices.DeleteFunc(slices.Clone(bases), func(t layout.CounterType) bool { return t == right })
		v.set(v.counter(i+1, "CounterType"), int64(pick(v.Source, wrong...)))
	}},
	{"ctr-base-orphan", nil, func(v *victim) {
		before, base := v.number(), pick(v.Source, bases...)
		if before == layout.PERF_SAMPLE_COUNTER && base == layout.PERF_SAMPLE_BASE {
			base = layout.PERF_AVERAGE_BASE // the one base that may follow is not out of place
		}
		i := v.row(before, v.number())
		v.set(v.counter(i+1, "CounterType"), int64(base))
	}},
	{"ctr-base-first", nil, func(v *victim) {
		v.row(v.number())
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
	{"ctr-multi-adjacent", nil, func(v *victim) {
		i := v.pairOf(pick(v.Source, multis...))
		v.set(v.counter(i, "CounterOffset"), v.get(v.anyBlock()+".ByteLength")-8-int64(v.upTo(4)))
	}},
	{"ctr-multi-base-place", nil, func(v *victim) {
		i := v.pairOf(pick(v.Source, multis...))
		v.add(v.counter(i+1, "CounterOffset"), pick(v.Source, 8, 1, 4, -1, -4, -8, 1+int64(v.uint32()>>1)))
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
	if v.chance(128) {
		i := v.pairOf(t)
		v.set(v.counter(i+1, "CounterType"), int64(v.number()))
		return
	}
	i := v.row(v.number())
	v.set(v.counter(i, "CounterType"), int64(t))
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
		i := v.row(v.number(), v.number())
		v.set(v.counter(i+1, "CounterNameTitleIndex"), v.get(v.counter(v.upTo(i+1), "CounterNameTitleIndex")))
	}},
	{"ctr-index-range", nil, func(v *victim) {
		i := v.row(v.number())
		n, away, length := uint32(v.get(v.counter(i, "CounterNameTitleIndex"))), 1+uint32(v.upTo(100)), uint32(v.upTo(100))
		v.ctx.FirstCounter = n + away
		if v.chance(128) {
			v.ctx.FirstCounter = n - away - length
		}
		v.ctx.LastCounter = v.ctx.FirstCounter + length
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
