package fuzz

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var referenceBreakers = []breaker{
	{"v2-reginfo-ref-exists", nil, func(v *victim) {
		path := v.referring()
		if v.chance(128) {
			v.set(path, v.get(v.setRow(0, "CounterId")))
			v.alone()
			return
		}
		v.set(path, min(v.from(10_000), noID-1)) // which no counter has
	}},
	{"v2-reginfo-ref-missing", nil, func(v *victim) {
		v.set(v.referring(), noID)
		v.alone()
	}},
	{"v2-reginfo-ref-missing-multi", nil, func(v *victim) {
		v.registration(
			builder.CounterRegInfo{Type: layout.PERF_COUNTER_MULTI_TIMER_INV, BaseCounterId: new(uint32(2)), MultiId: new(uint32(1))},
			builder.CounterRegInfo{Type: layout.PERF_COUNTER_RAWCOUNT},
			builder.CounterRegInfo{Type: layout.PERF_COUNTER_MULTI_BASE})
		v.set(v.setRow(0, "BaseCounterId"), noID)
		v.alone()
	}},
	{"v2-reginfo-ref-type", nil, func(v *victim) {
		v.set(v.referring(), int64(3+v.upTo(2)))
	}},
	{"v2-reginfo-ref-unused", nil, func(v *victim) {
		v.registration(v.plain(), builder.CounterRegInfo{Type: layout.PERF_COUNTER_RAWCOUNT}, builder.CounterRegInfo{Type: layout.PERF_COUNTER_LARGE_RAWCOUNT})
		switch v.upTo(3) {
		case 0:
			v.set(v.setRow(0, "BaseCounterId"), 1)
		case 1:
			v.set(v.setRow(0, "MultiId"), 1)
		case 2:
			v.set(v.setRow(0, "PerfTimeId"), 2)
			v.set(v.setRow(0, "PerfFreqId"), 2)
		}
		v.alone()
	}},
	{"v2-reginfo-time-freq-pair", nil, func(v *victim) {
		v.registration(v.plain(), builder.CounterRegInfo{Type: layout.PERF_COUNTER_LARGE_RAWCOUNT})
		v.set(v.setRow(0, pick(v.Source, "PerfTimeId", "PerfFreqId")), 1)
		v.alone()
	}},
	{"v2-reginfo-time-freq-uniform", nil, func(v *victim) {
		timer := func(time, freq uint32) builder.CounterRegInfo {
			return builder.CounterRegInfo{Type: v.ownClock(), PerfTimeId: &time, PerfFreqId: &freq}
		}
		large := builder.CounterRegInfo{Type: layout.PERF_COUNTER_LARGE_RAWCOUNT}
		v.registration(timer(3, 4), timer(3, 4), timer(3, 4), large, large, large)
		v.set(v.setRow(v.upTo(3), pick(v.Source, "PerfTimeId", "PerfFreqId")), 5)
	}},
}

// alone leaves, of some sets, the counter that the breaker asked for and nothing else:
// what it refers to is not seen then.
func (v *victim) alone() {
	if v.chance(128) {
		c := v.part(fmt.Sprintf("counter[%d]", v.at))
		v.kind, v.block, v.before, v.at = layout.RegCounterKind, c.Bytes(), v.before[c.Off():c.End()], 0
	}
}

// ownClock returns a type that is computed with a clock of the set.
func (v *victim) ownClock() layout.CounterType {
	return pick(v.Source, layout.PERF_ELAPSED_TIME, layout.PERF_OBJ_TIME_TIMER, layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, layout.PERF_PRECISION_OBJECT_TIMER)
}

// referring makes a registration of a counter that is computed with others, two behind
// it of which it refers to one or both, and two more that are nothing for it. It returns
// the path of a reference.
func (v *victim) referring() string {
	c := builder.CounterRegInfo{}
	field, others := "", [2]layout.CounterType{}
	switch v.upTo(3) {
	case 0:
		field, c.BaseCounterId = "BaseCounterId", new(uint32(1))
		pair := pick(v.Source,
			[2]layout.CounterType{layout.PERF_SAMPLE_FRACTION, layout.PERF_SAMPLE_BASE},
			[2]layout.CounterType{layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BASE},
			[2]layout.CounterType{layout.PERF_AVERAGE_BULK, layout.PERF_AVERAGE_BASE},
			[2]layout.CounterType{layout.PERF_RAW_FRACTION, layout.PERF_RAW_BASE},
			[2]layout.CounterType{layout.PERF_LARGE_RAW_FRACTION, layout.PERF_LARGE_RAW_BASE},
			[2]layout.CounterType{layout.PERF_PRECISION_SYSTEM_TIMER, layout.PERF_LARGE_RAW_BASE},
			[2]layout.CounterType{layout.PERF_PRECISION_100NS_TIMER, layout.PERF_LARGE_RAW_BASE})
		c.Type, others = pair[0], [2]layout.CounterType{pair[1], layout.PERF_COUNTER_DELTA}
	case 1:
		field = pick(v.Source, "PerfTimeId", "PerfFreqId")
		c.Type, c.PerfTimeId, c.PerfFreqId = v.ownClock(), new(uint32(1)), new(uint32(2))
		others = [2]layout.CounterType{layout.PERF_COUNTER_LARGE_RAWCOUNT, layout.PERF_COUNTER_LARGE_RAWCOUNT}
	case 2:
		field, c.MultiId = "MultiId", new(uint32(1))
		c.Type = pick(v.Source, layout.PERF_COUNTER_MULTI_TIMER, layout.PERF_COUNTER_MULTI_TIMER_INV, layout.PERF_100NSEC_MULTI_TIMER, layout.PERF_100NSEC_MULTI_TIMER_INV)
		c.BaseCounterId = new(uint32(2)) // which one of them is to have, and all may
		others = [2]layout.CounterType{layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_MULTI_BASE}
	}
	v.registration(c,
		builder.CounterRegInfo{Type: others[0]}, builder.CounterRegInfo{Type: others[1]},
		builder.CounterRegInfo{Type: layout.PERF_COUNTER_TIMER}, builder.CounterRegInfo{Type: layout.PERF_COUNTER_LARGE_DELTA})
	return v.setRow(0, field)
}
