package fuzz

import (
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var objectTitleBreakers = []breaker{
	{"obj-name-index", nil, func(v *victim) {
		v.counting()
		v.set(v.in("ObjectNameTitleIndex"), pick(v.Source, 0, int64(v.unknown(v.uint32()|1))))
	}},
	{"obj-help-index", nil, func(v *victim) {
		v.counting()
		v.set(v.in("ObjectHelpTitleIndex"), max(int64(v.uint32()&^1), 2))
	}},
	{"obj-help-none", nil, func(v *victim) {
		v.counting()
		v.set(v.in("ObjectHelpTitleIndex"), 0)
	}},
	{"obj-help-follows-name", nil, func(v *victim) {
		v.counting()
		help := int64(v.uint32() | 1)
		if help == v.get(v.in("ObjectNameTitleIndex"))+1 {
			help -= 2
		}
		v.set(v.in("ObjectHelpTitleIndex"), help)
	}},
	{"obj-reserved-title", nil, func(v *victim) {
		v.counting()
		v.set(v.in(pick(v.Source, "ObjectNameTitle", "ObjectHelpTitle")), max(int64(v.uint32()), 1))
	}},
	{"obj-detail-level", nil, func(v *victim) {
		v.counting()
		level := v.uint32()
		if level%100 == 0 {
			level++ // as the four levels are
		}
		v.set(v.in("DetailLevel"), pick(v.Source, int64(level), 0, 500))
	}},
	{"obj-detail-level-min", nil, func(v *victim) {
		levels := [...]layout.DetailLevel{layout.PERF_DETAIL_NOVICE, layout.PERF_DETAIL_ADVANCED, layout.PERF_DETAIL_EXPERT, layout.PERF_DETAIL_WIZARD}
		lowest := v.upTo(len(levels))
		o := v.single(layout.PERF_COUNTER_RAWCOUNT, layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE)
		o.Counters[0].DetailLevel = levels[lowest+v.upTo(len(levels)-lowest)]
		o.Counters[1].DetailLevel = levels[lowest]
		v.either(o)
		v.set(v.in("DetailLevel"), int64(levels[(lowest+1+v.upTo(len(levels)-1))%len(levels)]))
	}},
	{"obj-default-counter", nil, func(v *victim) {
		o := v.named(layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE)
		v.either(o)
		n := int32(v.uint32())
		if n == 0 || n == -1 || n == int32(o.Counters[0].CounterNameTitleIndex) {
			n = 1 // the base
		}
		v.set(v.in("DefaultCounter"), int64(pick(v.Source, 1, 2, -2, n)))
	}},
	{"obj-codepage-unicode", also{"inst-name-codepage"}, func(v *victim) {
		v.either(v.named(layout.PERF_COUNTER_RAWCOUNT))
		v.change(func(o *builder.Object) { o.CodePage = v.someCodePage() })
	}},
	{"obj-codepage-unicode", nil, func(v *victim) { // there is no name that is in it
		v.either(v.single(layout.PERF_COUNTER_RAWCOUNT)).set(v.in("CodePage"), int64(v.someCodePage()))
	}},
	{"obj-codepage-valid", nil, func(v *victim) {
		v.counting()
		v.set(v.in("CodePage"), pick(v.Source, 1200, 1201, 12000, 12001, 4, 65002, 1<<16+1252, 70_000+int64(v.uint32()>>1)))
	}},
	{"obj-timer-perffreq", nil, func(v *victim) {
		v.either(v.timed(layout.PERF_ELAPSED_TIME))
		v.set(v.in("PerfFreq"), v.notPositive())
	}},
	{"obj-timer-perftime", nil, func(v *victim) {
		v.either(v.timed(v.timer(layout.PERF_ELAPSED_TIME)...))
		v.set(v.in("PerfTime"), v.notPositive())
	}},
	{"obj-timer-perffreq-rate", nil, func(v *victim) {
		v.either(v.timed(v.timer(layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE)...))
		v.set(v.in("PerfFreq"), v.notPositive())
	}},
}

// someCodePage returns one that Windows has.
func (v *victim) someCodePage() uint32 {
	return pick(v.Source, uint32(1252), 65001, 65000, 932, 437, 37, 1, 42)
}

// counting makes a block that has an object with a counter, with instances or without.
func (v *victim) counting() {
	if v.upTo(2) == 0 {
		v.either(v.single(layout.PERF_COUNTER_RAWCOUNT))
		return
	}
	v.either(v.named(layout.PERF_COUNTER_RAWCOUNT))
}

// timed returns an object with counters of those types, and others before and behind them.
func (v *victim) timed(types ...layout.CounterType) builder.Object {
	before, behind := v.upTo(3), v.upTo(3)
	var all []layout.CounterType
	for range before {
		all = append(all, layout.PERF_COUNTER_RAWCOUNT)
	}
	all = append(all, types...)
	for range behind {
		all = append(all, layout.PERF_100NSEC_TIMER)
	}
	return v.single(all...)
}

// timer returns a type that is computed with the object's clock, the one that is
// given or another, and the base it needs.
func (v *victim) timer(or layout.CounterType) []layout.CounterType {
	switch v.upTo(3) {
	case 1:
		return []layout.CounterType{layout.PERF_OBJ_TIME_TIMER}
	case 2:
		return []layout.CounterType{layout.PERF_PRECISION_OBJECT_TIMER, layout.PERF_PRECISION_TIMESTAMP}
	}
	return []layout.CounterType{or}
}

// notPositive returns a number of 64 bits that is 0 or less.
func (v *victim) notPositive() int64 {
	return pick(v.Source, 0, -1, math.MinInt64, -int64(v.uint64()>>1))
}
