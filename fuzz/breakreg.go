package fuzz

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// noID is the id of a reference that there is not, and of no counter.
const noID = 0xFFFFFFFF

var regBreakers = slices.Concat(regSetBreakers, regCounterBreakers, referenceBreakers)

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
		v.shortenOr(v.upTo(100))
	}},
	{"v2-reginfo-string-unterminated", nil, func(v *victim) {
		v.model(new(builder.RegString(v.text())))
		switch n := len(v.block); v.upTo(4) {
		case 0:
			v.block = v.block[:max(n-2, 1)] // a block of no bytes is no file
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
		v.block = v.block[:32]
		v.set("NumCounters", 0)
	}},
	{"v2-reginfo-counter-limit", also{"v2-reginfo-size"}, func(v *victim) {
		v.registration(v.plain())
		v.block = v.block[:len(v.block)-1-v.upTo(47)] // so that it is not known how many are meant
		v.set("NumCounters", 64_001+int64(v.upTo(1536)))
	}},
	{"v2-reginfo-counter-limit-max", also{"v2-reginfo-size"}, func(v *victim) {
		v.registration(v.plain())
		v.block = v.block[:len(v.block)-1-v.upTo(47)]
		v.set("NumCounters", v.from(65_537))
	}},
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
		v.set(v.setRow(0, "Attrib"), v.strayBits())
	}},
	{"v2-reginfo-attrib-combination", nil, func(v *victim) {
		v.registered(v.plain())
		v.set(v.setRow(0, "Attrib"), v.noShow())
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

// registration makes a registration of those counters, whose ids become 0, 1 and so on,
// and of others before and behind them, whose ids are larger. Their instances may be any.
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

// registered makes a registration of a set with that counter, or of the counter alone.
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

// setRow returns the path of a field of one of the counters that the breaker asked for.
func (v *victim) setRow(i int, field string) string {
	return fmt.Sprintf("counter[%d].%s", v.at+i, field)
}

// counters returns how many there are.
func (v *victim) counters() int { return int(v.get("NumCounters")) }

// shortenOr takes n bytes off the end, or all but the first, or adds n; 0 stands for 1.
func (v *victim) shortenOr(n int) {
	n = max(n, 1)
	if v.chance(128) {
		v.block = append(v.block, make([]byte, n)...)
		return
	}
	v.block = v.block[:max(len(v.block)-n, 1)]
}

// noSetLevel returns what is no level of perflib.h.
func (v *victim) noSetLevel() int64 {
	n := pick(v.Source, 0, 99, 300, 400, int64(v.uint32()))
	if n == 100 || n == 200 {
		n++
	}
	return n
}

// noInstanceType returns flags that make no type.
func (v *victim) noInstanceType() int64 {
	t := layout.InstanceType(pick(v.Source, uint32(v.upTo(32)), v.uint32()))
	if t.Valid() {
		t |= 1
	}
	return int64(t)
}

// noSetType returns a type that no counter of perflib.h has.
func (v *victim) noSetType() int64 {
	t := pick(v.Source, layout.PERF_COUNTER_NODATA, layout.PERF_COUNTER_HISTOGRAM_TYPE, layout.PERF_SAMPLE_COUNTER|4, layout.CounterType(v.uint32()))
	if t.Predefined() && t != layout.PERF_COUNTER_NODATA && t != layout.PERF_COUNTER_HISTOGRAM_TYPE {
		t |= 0x8000
	}
	return int64(t)
}

// strayBits returns flags that there are, and others.
func (v *victim) strayBits() int64 {
	if v.chance(128) {
		return 1 << (5 + v.upTo(59))
	}
	return int64(v.uint64()&^0x1F|1<<(5+v.upTo(59))) | pick[int64](v.Source, 0, 1, 2, 4, 8, 12, 16, 17)
}

// noShow returns flags of which one makes another idle.
func (v *victim) noShow() int64 {
	const hidden, digits, fraction, hex = 0x02, 0x04, 0x08, 0x10
	by := int64(v.upTo(2)) // reference, which goes with all
	if v.chance(128) {
		return by | hex | pick[int64](v.Source, digits, fraction, digits|fraction)
	}
	return by | hidden | int64(1+v.upTo(7))*digits
}

// noSetScale returns what is no scale of a counter of perflib.h.
func (v *victim) noSetScale() int64 {
	n := min(11+int64(v.uint32()>>1), math.MaxInt32)
	return pick(v.Source, n, -n, 11, -11, math.MinInt32)
}
