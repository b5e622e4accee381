package fuzz

import (
	"fmt"
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
			v.registration()
			v.set("NumCounters", not(int64(v.uint32()), v.get("NumCounters")))
			return
		case 1:
			v.registration()
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
		v.set("CounterSetType", max(int64(v.uint32()), 1))
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
		v.model(&builder.RegSet{CounterSetGuid: v.guid(), InstanceType: v.instanceType()})
	}},
	{"v2-reginfo-counter-limit", nil, func(v *victim) {
		v.registration(v.plain())
		v.block = v.block[:len(v.block)-1-v.upTo(47)] // so that it is not known how many are meant
		v.set("NumCounters", 64_001+int64(v.upTo(1536)))
	}},
	{"v2-reginfo-counter-limit-max", nil, func(v *victim) {
		v.registration(v.plain())
		v.block = v.block[:len(v.block)-1-v.upTo(47)]
		v.set("NumCounters", max(65_537, int64(v.uint32())))
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
		v.add(v.setRow(0, "Attrib"), 1<<(5+v.upTo(59)))
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
		v.set(v.setRow(0, "AggregateFunc"), max(5, int64(v.uint32())))
	}},
	{"v2-reginfo-aggregate-unused", nil, func(v *victim) {
		v.registration(v.plain())
		v.set("InstanceType", 2*int64(v.upTo(2)))
		v.set(v.setRow(0, "AggregateFunc"), 1+int64(v.upTo(4)))
	}},
	{"v2-reginfo-reserved-zero", nil, func(v *victim) {
		v.registered(v.plain())
		v.set(v.setRow(0, "Reserved"), max(int64(v.uint32()), 1))
	}},
}

// registration makes a registration of those counters, whose ids become 0, 1 and so on,
// and of others before and behind them, whose ids are larger. Their instances may be any.
func (v *victim) registration(counters ...builder.RegCounter) {
	set := builder.RegSet{CounterSetGuid: v.guid(), DetailLevel: layout.PERF_DETAIL_ADVANCED, InstanceType: v.instanceType()}
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
func (v *victim) registered(c builder.RegCounter) {
	if v.chance(128) {
		v.registration(c)
		return
	}
	v.at = 0
	v.model(&c)
}

// plain returns a counter that refers to no other.
func (v *victim) plain() builder.RegCounter {
	return builder.RegCounter{CounterId: v.uint32() >> 1, Type: pick(v.Source, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_COUNTER, layout.PERF_100NSEC_TIMER, layout.PERF_RAW_BASE)}
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
	return pick(v.Source, 0, 300, 400, int64(v.uint32())|1)
}

// noInstanceType returns flags that make no type.
func (v *victim) noInstanceType() int64 {
	return pick(v.Source, 1, 8, 10, 14, 16, 18, 20, 24, 30, int64(v.uint32())|32)
}

// noSetType returns a type that no counter of perflib.h has.
func (v *victim) noSetType() int64 {
	return pick(v.Source, int64(layout.PERF_COUNTER_NODATA), int64(layout.PERF_COUNTER_HISTOGRAM_TYPE), int64(v.uint32())|0x8000, int64(layout.PERF_SAMPLE_COUNTER)|4)
}

// noShow returns flags of which one makes another idle.
func (v *victim) noShow() int64 {
	const hidden, digits, fraction, hex = 0x02, 0x04, 0x08, 0x10
	if v.chance(128) {
		return hex | pick[int64](v.Source, digits, fraction, digits|fraction)
	}
	return hidden | pick[int64](v.Source, digits, fraction, hex)
}

// noSetScale returns what is no scale of a counter of perflib.h.
func (v *victim) noSetScale() int64 {
	n := 11 + int64(v.uint32()>>1)
	return pick(v.Source, n, -n, 11, -11)
}
