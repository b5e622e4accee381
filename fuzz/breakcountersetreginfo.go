package fuzz

import (
	"fmt"
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// noID is the id of an absent reference. No counter has it.
const noID = 0xFFFFFFFF

var regSetBreakers = []breaker{
	{"v2-reginfo-size", nil, func(v *victim) {
		switch v.upTo(4) {
		case 0:
			v.registration(v.plain())
			v.set("NumCounters", not(int64(v.uint32()), v.get("NumCounters")))
			return
		case 1:
			v.registration(v.plain())
		case 2:
			v.model(new(v.plain()))
		case 3:
			v.model(new(builder.RegGUID(v.guid())))
		}
		if n := 1 + v.upTo(100); v.chance(128) {
			v.block = append(v.block, make([]byte, n)...)
		} else {
			v.block = v.block[:max(len(v.block)-n, 1)]
		}
	}},
	{"v2-reginfo-string-unterminated", nil, func(v *victim) {
		v.model(new(builder.RegString(v.text())))
		switch n := len(v.block); v.upTo(4) {
		case 0:
			v.block = v.block[:max(n-2, 1)]
		case 1:
			v.block = v.block[:n-1]
		case 2:
			v.block = append(v.block, v.byte())
		case 3:
			v.block = append(v.block, 'a'+v.byte()%26, v.byte())
		}
	}},
	{"v2-reginfo-type-zero", nil, func(v *victim) {
		v.registration(v.plain())
		v.set("CounterSetType", v.from(1))
	}},
	{"v2-reginfo-detail-level", nil, func(v *victim) {
		v.registered(v.plain())
		level := v.noSetLevel()
		if v.kind == layout.RegSetKind && v.chance(128) {
			v.set("DetailLevel", level)
			return
		}
		v.set(v.setRow(0, "DetailLevel"), level)
	}},
	{"v2-reginfo-instance-type", nil, func(v *victim) {
		v.registration(v.plain())
		v.set("InstanceType", v.noInstanceType())
	}},
	{"v2-reginfo-no-counters", nil, func(v *victim) {
		v.registration(v.plain())
		v.block = v.block[:v.part("counter[0]").Off()]
		v.set("NumCounters", 0)
	}},
	{"v2-reginfo-counter-limit", also{"v2-reginfo-size"}, func(v *victim) { v.countRegistered(64_001 + int64(v.upTo(1536))) }},
	{"v2-reginfo-counter-limit-max", also{"v2-reginfo-size"}, func(v *victim) { v.countRegistered(v.from(65_537)) }},
}

// countRegistered sets NumCounters and truncates the last counter, so that the size does not determine the number.
func (v *victim) countRegistered(n int64) {
	v.registration(v.plain())
	last := v.part(fmt.Sprintf("counter[%d]", v.counters()-1)).Len()
	v.block = v.block[:len(v.block)-1-v.upTo(last-1)]
	v.set("NumCounters", n)
}

var regCounterBreakers = []breaker{
	{"v2-reginfo-counter-id-duplicate", nil, func(v *victim) {
		v.registration(v.plain(), v.plain())
		i := v.upTo(v.counters())
		j := (i + 1 + v.upTo(v.counters()-1)) % v.counters()
		v.set(fmt.Sprintf("counter[%d].CounterId", i), v.get(fmt.Sprintf("counter[%d].CounterId", j)))
	}},
	{"v2-reginfo-counter-id-wildcard", nil, func(v *victim) {
		v.registered(v.plain())
		v.set(v.setRow(0, "CounterId"), noID)
	}},
	{"v2-reginfo-counter-type", nil, func(v *victim) {
		v.registered(v.plain())
		v.set(v.setRow(0, "Type"), v.noSetType())
	}},
	{"v2-reginfo-attrib-bits", nil, func(v *victim) {
		v.registered(v.plain())
		v.set(v.setRow(0, "Attrib"), v.undefinedAttrib())
	}},
	{"v2-reginfo-attrib-combination", nil, func(v *victim) {
		v.registered(v.plain())
		v.set(v.setRow(0, "Attrib"), v.noEffectAttrib())
	}},
	{"v2-reginfo-scale", nil, func(v *victim) {
		v.registered(v.plain())
		v.set(v.setRow(0, "DefaultScale"), v.noSetScale())
	}},
	{"v2-reginfo-aggregate-range", nil, func(v *victim) {
		v.registered(v.plain())
		v.set(v.setRow(0, "AggregateFunc"), v.from(5))
	}},
	{"v2-reginfo-aggregate-unused", nil, func(v *victim) {
		v.registration(v.plain())
		set := v.made.(*builder.CounterSetRegInfo)
		set.InstanceType = pick(v.Source, layout.PERF_COUNTERSET_SINGLE_INSTANCE, layout.PERF_COUNTERSET_MULTI_INSTANCES)
		v.model(set)
		v.set(v.setRow(0, "AggregateFunc"), 1+int64(v.upTo(4)))
	}},
	{"v2-reginfo-reserved-zero", nil, func(v *victim) {
		v.registered(v.plain())
		v.set(v.setRow(0, "Reserved"), v.from(1))
	}},
}

// registration makes a registration of the counters, which get the ids 0, 1 and so on, between counters with larger ids.
func (v *victim) registration(counters ...builder.CounterRegInfo) {
	set := builder.CounterSetRegInfo{CounterSetGuid: v.guid(), DetailLevel: layout.PERF_DETAIL_ADVANCED, InstanceType: v.instanceType()}
	for i := range counters {
		counters[i].CounterId = uint32(i)
	}
	others := func() {
		for range v.upTo(3) {
			set.Counter(1000+uint32(len(set.Counters)), layout.PERF_COUNTER_DELTA)
		}
	}
	others()
	v.at = len(set.Counters)
	set.Define(counters...)
	others()
	v.model(&set)
}

// registered makes a registration of a set with the counter, or of the counter alone.
func (v *victim) registered(c builder.CounterRegInfo) {
	if v.chance(128) {
		v.registration(c)
		return
	}
	v.at = 0
	v.model(&c)
}

// plain returns a counter that refers to no other.
func (v *victim) plain() builder.CounterRegInfo {
	return builder.CounterRegInfo{CounterId: v.uint32() >> 1, Type: pick(v.Source, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_COUNTER, layout.PERF_100NSEC_TIMER, layout.PERF_RAW_BASE)}
}

// setRow returns the path of a field of counter i among those that the breaker asked for.
func (v *victim) setRow(i int, field string) string {
	return fmt.Sprintf("counter[%d].%s", v.at+i, field)
}

// counters returns NumCounters.
func (v *victim) counters() int { return int(v.get("NumCounters")) }

// noSetLevel returns a level that perflib.h does not define.
func (v *victim) noSetLevel() int64 {
	n := pick(v.Source, 0, 99, 300, 400, int64(v.uint32()))
	if n == 100 || n == 200 {
		n++
	}
	return n
}

// noInstanceType returns flags that are not an instance type.
func (v *victim) noInstanceType() int64 {
	t := layout.InstanceType(pick(v.Source, uint32(v.upTo(32)), v.uint32()))
	if t.Valid() {
		t |= 1
	}
	return int64(t)
}

// noSetType returns a type that no counter of a set may have.
func (v *victim) noSetType() int64 {
	t := pick(v.Source, layout.PERF_COUNTER_NODATA, layout.PERF_COUNTER_HISTOGRAM_TYPE, layout.PERF_SAMPLE_COUNTER|4, layout.CounterType(v.uint32()))
	if t.Predefined() && t != layout.PERF_COUNTER_NODATA && t != layout.PERF_COUNTER_HISTOGRAM_TYPE {
		t |= 0x8000
	}
	return int64(t)
}

// undefinedAttrib returns flags of which at least one is not defined.
func (v *victim) undefinedAttrib() int64 {
	if v.chance(128) {
		return 1 << (5 + v.upTo(59))
	}
	return int64(v.uint64()&^0x1F|1<<(5+v.upTo(59))) | pick[int64](v.Source, 0, 1, 2, 4, 8, 12, 16, 17)
}

// noEffectAttrib returns flags one of which has no effect because of another.
func (v *victim) noEffectAttrib() int64 {
	const hidden, digits, fraction, hex = 0x02, 0x04, 0x08, 0x10
	byReference := int64(v.upTo(2)) // may be combined with all
	if v.chance(128) {
		return byReference | hex | pick[int64](v.Source, digits, fraction, digits|fraction)
	}
	return byReference | hidden | int64(1+v.upTo(7))*digits
}

// noSetScale returns a scale out of the range of perflib.h.
func (v *victim) noSetScale() int64 {
	n := min(11+int64(v.uint32()>>1), math.MaxInt32)
	return pick(v.Source, n, -n, 11, -11, math.MinInt32)
}

var referenceBreakers = []breaker{
	{"v2-reginfo-ref-exists", nil, func(v *victim) {
		path := v.referring()
		if v.chance(128) { // the counter itself
			v.set(path, v.get(v.setRow(0, "CounterId")))
			v.detach()
			return
		}
		v.set(path, min(v.from(10_000), noID-1))
	}},
	{"v2-reginfo-ref-missing", nil, func(v *victim) {
		v.set(v.referring(), noID)
		v.detach()
	}},
	{"v2-reginfo-ref-missing-multi", nil, func(v *victim) {
		v.registration(
			builder.CounterRegInfo{Type: layout.PERF_COUNTER_MULTI_TIMER_INV, BaseCounterId: new(uint32(2)), MultiId: new(uint32(1))},
			builder.CounterRegInfo{Type: layout.PERF_COUNTER_RAWCOUNT},
			builder.CounterRegInfo{Type: layout.PERF_COUNTER_MULTI_BASE})
		v.set(v.setRow(0, "BaseCounterId"), noID)
		v.detach()
	}},
	{"v2-reginfo-ref-type", nil, func(v *victim) { v.set(v.referring(), int64(3+v.upTo(2))) }},
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
		v.detach()
	}},
	{"v2-reginfo-time-freq-pair", nil, func(v *victim) {
		v.registration(v.plain(), builder.CounterRegInfo{Type: layout.PERF_COUNTER_LARGE_RAWCOUNT})
		v.set(v.setRow(0, pick(v.Source, "PerfTimeId", "PerfFreqId")), 1)
		v.detach()
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

// detach replaces some registrations of a set by the counter alone, without the counters it refers to.
func (v *victim) detach() {
	if v.chance(128) {
		c := v.part(fmt.Sprintf("counter[%d]", v.at))
		v.kind, v.block, v.before, v.at = layout.RegCounterKind, c.Bytes(), v.before[c.Off():c.End()], 0
	}
}

// ownClock returns a type that uses a clock of the set.
func (v *victim) ownClock() layout.CounterType {
	return pick(v.Source, layout.PERF_ELAPSED_TIME, layout.PERF_OBJ_TIME_TIMER, layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, layout.PERF_PRECISION_OBJECT_TIMER)
}

// referring makes a registration of a counter that refers to one or both of the two counters after it; two more counters
// follow. It returns the path of a reference.
func (v *victim) referring() string {
	c := builder.CounterRegInfo{}
	field, others := "", [2]layout.CounterType{}
	switch v.upTo(3) {
	case 0:
		field, c.BaseCounterId = "BaseCounterId", new(uint32(1))
		c.Type = pick(v.Source, layout.PERF_SAMPLE_FRACTION, layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BULK, layout.PERF_RAW_FRACTION,
			layout.PERF_LARGE_RAW_FRACTION, layout.PERF_PRECISION_SYSTEM_TIMER, layout.PERF_PRECISION_100NS_TIMER)
		others = [2]layout.CounterType{references[c.Type].base, layout.PERF_COUNTER_DELTA}
	case 1:
		field = pick(v.Source, "PerfTimeId", "PerfFreqId")
		c.Type, c.PerfTimeId, c.PerfFreqId = v.ownClock(), new(uint32(1)), new(uint32(2))
		others = [2]layout.CounterType{layout.PERF_COUNTER_LARGE_RAWCOUNT, layout.PERF_COUNTER_LARGE_RAWCOUNT}
	case 2:
		field, c.MultiId = "MultiId", new(uint32(1))
		c.Type = pick(v.Source, multis...)
		c.BaseCounterId = new(uint32(2)) // one of the types requires it; all may have it
		others = [2]layout.CounterType{layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_MULTI_BASE}
	}
	v.registration(c,
		builder.CounterRegInfo{Type: others[0]}, builder.CounterRegInfo{Type: others[1]},
		builder.CounterRegInfo{Type: layout.PERF_COUNTER_TIMER}, builder.CounterRegInfo{Type: layout.PERF_COUNTER_LARGE_DELTA})
	return v.setRow(0, field)
}
