package fuzz

import (
	"fmt"
	"math"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// noID in BaseCounterId, PerfTimeId, PerfFreqId or MultiId means that the counter refers to no counter.
const noID = 0xFFFFFFFF

// regSetBreakers break the rules about PERF_COUNTERSET_REG_INFO, and about the other blocks that
// PerfQueryCounterSetRegistrationInfo returns.
var regSetBreakers = []breaker{
	{"v2-reginfo-size", nil, func(f *faultyBlock) {
		switch f.upTo(4) {
		case 0:
			anyRegSet(f).set("NumCounters", avoid(int64(f.uint32()), f.get("NumCounters")))
			return
		case 1:
			anyRegSet(f)
		case 2:
			f.encodeOrTake(new(f.plainCounter()))
		case 3:
			f.encodeOrTake(new(builder.RegGUID(f.guid())))
		}
		if n := 1 + f.upTo(100); f.chance(128) {
			f.block = append(f.block, make([]byte, n)...)
		} else {
			f.block = f.block[:max(len(f.block)-n, 1)]
		}
	}},
	{"v2-reginfo-string-unterminated", nil, func(f *faultyBlock) {
		f.encodeOrTake(new(builder.RegString(f.text())))
		switch n := len(f.block); f.upTo(4) {
		case 0:
			f.block = f.block[:max(n-2, 1)]
		case 1:
			f.block = f.block[:n-1]
		case 2:
			f.block = append(f.block, f.byte())
		case 3:
			f.block = append(f.block, 'a'+f.byte()%26, f.byte())
		}
	}},
	{"v2-reginfo-type-zero", nil, setField(anyRegSet, "CounterSetType", toAtLeast(1))},
	{"v2-reginfo-detail-level", nil, func(f *faultyBlock) {
		anyRegSetOrCounter(f)
		if level := toIllegalLevel(f); f.kind == layout.RegSetKind && f.chance(128) {
			f.set("DetailLevel", level)
		} else {
			f.set("counter.DetailLevel", level)
		}
	}},
	{"v2-reginfo-instance-type", nil, setField(anyRegSet, "InstanceType", toUndefinedInstanceType)},
	{"v2-reginfo-no-counters", nil, func(f *faultyBlock) {
		anyRegSet(f)
		f.block = f.block[:f.part("counter[0]").Off()]
		f.set("NumCounters", 0)
	}},
	{"v2-reginfo-counter-limit", also{"v2-reginfo-size"}, func(f *faultyBlock) { f.truncateAndSetNumCounters(f.undocumentedCount()) }},
	{"v2-reginfo-counter-limit-max", also{"v2-reginfo-size"}, func(f *faultyBlock) { f.truncateAndSetNumCounters(f.atLeast(maxCounters + 1)) }},
}

// truncateAndSetNumCounters sets NumCounters to n. It also truncates the last counter, so that the size of the block
// fits no number of counters.
func (f *faultyBlock) truncateAndSetNumCounters(n int64) {
	anyRegSet(f)
	last := f.part(fmt.Sprintf("counter[%d]", f.counters()-1)).Len()
	f.block = f.block[:len(f.block)-1-f.upTo(last-1)]
	f.set("NumCounters", n)
}

// regCounterBreakers break the rules about PERF_COUNTER_REG_INFO.
var regCounterBreakers = []breaker{
	{"v2-reginfo-counter-id-duplicate", nil, func(f *faultyBlock) {
		f.regSet(f.plainCounter(), f.plainCounter())
		i, j := f.twoInAnyOrder(f.counters())
		f.set(counterOfSet(i, "CounterId"), f.get(counterOfSet(j, "CounterId")))
	}},
	{"v2-reginfo-counter-id-wildcard", nil, setField(anyRegSetOrCounter, "counter.CounterId", toOneOf(int64(layout.PERF_WILDCARD_COUNTER)))},
	{"v2-reginfo-counter-type", nil, setField(anyRegSetOrCounter, "counter.Type", toIllegalType)},
	{"v2-reginfo-attrib-bits", nil, setField(anyRegSetOrCounter, "counter.Attrib", toUndefinedAttrib)},
	{"v2-reginfo-attrib-combination", nil, setField(anyRegSetOrCounter, "counter.Attrib", toContradictoryAttrib)},
	{"v2-reginfo-scale", nil, setField(anyRegSetOrCounter, "counter.DefaultScale", toIllegalScale)},
	{"v2-reginfo-aggregate-range", nil, setField(anyRegSetOrCounter, "counter.AggregateFunc", toAtLeast(5))},
	{"v2-reginfo-aggregate-unused", nil, func(f *faultyBlock) {
		anyRegSet(f)
		if f.base == nil {
			set := f.made.(*builder.CounterSetRegInfo)
			set.InstanceType = pick(f.Source, layout.PERF_COUNTERSET_SINGLE_INSTANCE, layout.PERF_COUNTERSET_MULTI_INSTANCES)
			f.encodeValid(set)
		}
		f.set("counter.AggregateFunc", 1+int64(f.upTo(4)))
	}},
	{"v2-reginfo-reserved-zero", nil, setField(anyRegSetOrCounter, "counter.Reserved", toAtLeast(1))},
}

// anyRegSet makes the registration of a counter set and chooses a counter that refers to no other counter.
func anyRegSet(f *faultyBlock) *faultyBlock { return f.regSet(f.plainCounter()) }

// anyRegSetOrCounter makes the registration of a counter set or of a single counter. It chooses a counter that refers
// to no other counter.
func anyRegSetOrCounter(f *faultyBlock) *faultyBlock {
	c := f.plainCounter()
	if f.chance(128) {
		return f.regSet(c)
	}
	f.chosen["counter"] = 0
	return f.encodeOrTake(&c)
}

// regSet makes the registration of a counter set. The set has the given counters, with the ids 0, 1 and so on, and
// other counters before and after them. regSet stores the position of the first given counter in f.chosen. With a Base,
// it calls setOfBase instead.
func (f *faultyBlock) regSet(counters ...builder.CounterRegInfo) *faultyBlock {
	if f.base != nil {
		return f.setOfBase(&counters[0], min(len(counters), 2))
	}
	set := builder.CounterSetRegInfo{CounterSetGuid: f.guid(), DetailLevel: layout.PERF_DETAIL_ADVANCED, InstanceType: f.instanceType()}
	for i := range counters {
		counters[i].CounterId = uint32(i)
	}
	others := func() {
		for range f.upTo(3) {
			set.Counter(1000+uint32(len(set.Counters)), layout.PERF_COUNTER_DELTA)
		}
	}
	others()
	f.chosen["counter"] = len(set.Counters)
	set.Define(counters...)
	others()
	return f.encodeValid(&set)
}

// plainCounter returns a counter that refers to no other counter.
func (f *faultyBlock) plainCounter() builder.CounterRegInfo {
	return builder.CounterRegInfo{CounterId: f.uint32() >> 1, Type: pick(f.Source, layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_COUNTER, layout.PERF_100NSEC_TIMER, layout.PERF_RAW_BASE)}
}

// toIllegalLevel chooses a DetailLevel that no counter of a set may have.
func toIllegalLevel(f *faultyBlock) int64 {
	return pick(f.Source, f.undefinedLevel(), 300, 400)
}

// toUndefinedInstanceType chooses an InstanceType that perflib.h does not define.
func toUndefinedInstanceType(f *faultyBlock) int64 {
	return pick(f.Source, int64(f.uint32()|1), 8, 10, 14, 16, 18, 20, f.atLeast(23))
}

// toIllegalType chooses a Type that no counter of a set may have.
func toIllegalType(f *faultyBlock) int64 {
	const noBit, noTimeBase = 0x8000, 0x00300000 // no predefined type has the bit 0x8000, or both bits of 0x00300000
	t := layout.CounterType(f.uint32())
	return int64(pick(f.Source, layout.PERF_COUNTER_NODATA, layout.PERF_COUNTER_HISTOGRAM_TYPE, layout.PERF_SAMPLE_COUNTER|4, t|noBit, t|noTimeBase))
}

// toUndefinedAttrib chooses an Attrib with at least one flag that perflib.h does not define.
func toUndefinedAttrib(f *faultyBlock) int64 {
	undefined := uint64(1) << (5 + f.upTo(59))
	if f.chance(128) {
		return int64(undefined)
	}
	return int64(f.uint64()&^0x1F|undefined) | pick[int64](f.Source, 0, 1, 2, 4, 8, 12, 16, 17)
}

// toContradictoryAttrib chooses an Attrib in which one flag cancels the effect of another flag.
func toContradictoryAttrib(f *faultyBlock) int64 {
	const hidden, digits, fraction, hex = 0x02, 0x04, 0x08, 0x10
	byReference := int64(f.upTo(2)) // may be combined with all flags
	if f.chance(128) {
		return byReference | hex | pick[int64](f.Source, digits, fraction, digits|fraction)
	}
	return byReference | hidden | int64(1+f.upTo(7))*digits
}

// toIllegalScale chooses a scale out of the range of perflib.h.
func toIllegalScale(f *faultyBlock) int64 {
	n := min(11+int64(f.uint32()>>1), math.MaxInt32)
	return pick(f.Source, n, -n, 11, -11, math.MinInt32)
}

// referenceBreakers break the rules about the counters to which a PERF_COUNTER_REG_INFO refers.
var referenceBreakers = []breaker{
	{"v2-reginfo-ref-exists", nil, func(f *faultyBlock) {
		path := f.reference()
		if f.chance(128) { // the counter refers to itself
			f.set(path, f.get("counter.CounterId"))
			f.sometimesWithoutSet()
			return
		}
		f.set(path, min(f.atLeast(10_000), noID-1))
	}},
	{"v2-reginfo-ref-missing", nil, func(f *faultyBlock) {
		f.set(f.reference(), noID)
		f.sometimesWithoutSet()
	}},
	{"v2-reginfo-ref-missing-multi", nil, func(f *faultyBlock) {
		f.regSet(
			builder.CounterRegInfo{Type: layout.PERF_COUNTER_MULTI_TIMER_INV, BaseCounterId: new(uint32(2)), MultiId: new(uint32(1))},
			builder.CounterRegInfo{Type: layout.PERF_COUNTER_RAWCOUNT},
			builder.CounterRegInfo{Type: layout.PERF_COUNTER_MULTI_BASE})
		f.set("counter.BaseCounterId", noID)
		f.sometimesWithoutSet()
	}},
	{"v2-reginfo-ref-type", nil, func(f *faultyBlock) { f.set(f.reference(), int64(3+f.upTo(2))) }},
	{"v2-reginfo-ref-unused", nil, func(f *faultyBlock) {
		f.regSet(f.plainCounter(), builder.CounterRegInfo{Type: layout.PERF_COUNTER_RAWCOUNT}, builder.CounterRegInfo{Type: layout.PERF_COUNTER_LARGE_RAWCOUNT})
		switch f.upTo(3) {
		case 0:
			f.set("counter.BaseCounterId", 1)
		case 1:
			f.set("counter.MultiId", 1)
		case 2:
			f.set("counter.PerfTimeId", 2)
			f.set("counter.PerfFreqId", 2)
		}
		f.sometimesWithoutSet()
	}},
	{"v2-reginfo-time-freq-pair", nil, func(f *faultyBlock) {
		f.regSet(f.plainCounter(), builder.CounterRegInfo{Type: layout.PERF_COUNTER_LARGE_RAWCOUNT})
		f.set(pick(f.Source, "counter.PerfTimeId", "counter.PerfFreqId"), 1)
		f.sometimesWithoutSet()
	}},
	{"v2-reginfo-time-freq-uniform", nil, func(f *faultyBlock) { // one of three counters refers to another clock
		timer := func(time, freq uint32) builder.CounterRegInfo {
			return builder.CounterRegInfo{Type: f.typeWithClock(), PerfTimeId: &time, PerfFreqId: &freq}
		}
		large := builder.CounterRegInfo{Type: layout.PERF_COUNTER_LARGE_RAWCOUNT}
		f.regSet(timer(3, 4), timer(3, 4), timer(3, 4), large, large, large)
		other := int64(5)
		if f.base == nil {
			f.chosen["counter"] += f.upTo(3)
		} else {
			set := f.made.(*builder.CounterSetRegInfo)
			other = int64(set.Counters[f.upTo(len(set.Counters))].CounterId)
		}
		f.set(pick(f.Source, "counter.PerfTimeId", "counter.PerfFreqId"), other)
	}},
}

// sometimesWithoutSet reduces the block to the chosen counter in half of the cases. The kind of the block is then
// reg-counter.
func (f *faultyBlock) sometimesWithoutSet() {
	if f.base == nil && f.chance(128) {
		c := f.part("counter")
		f.kind, f.block, f.before, f.chosen["counter"] = layout.RegCounterKind, c.Bytes(), f.before[c.Off():c.End()], 0
	}
}

// typeWithClock returns a type that requires PerfTimeId and PerfFreqId.
func (f *faultyBlock) typeWithClock() layout.CounterType {
	return pick(f.Source, layout.PERF_ELAPSED_TIME, layout.PERF_OBJ_TIME_TIMER, layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, layout.PERF_PRECISION_OBJECT_TIMER)
}

// reference makes a registration in which the chosen counter refers to another counter. It returns the path of the
// reference, such as "counter.BaseCounterId".
func (f *faultyBlock) reference() string {
	c := builder.CounterRegInfo{}
	path, others := "", [2]layout.CounterType{}
	switch f.upTo(3) {
	case 0:
		path, c.BaseCounterId = "counter.BaseCounterId", new(uint32(1))
		c.Type = pick(f.Source, layout.PERF_SAMPLE_FRACTION, layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BULK, layout.PERF_RAW_FRACTION,
			layout.PERF_LARGE_RAW_FRACTION, layout.PERF_PRECISION_SYSTEM_TIMER, layout.PERF_PRECISION_100NS_TIMER)
		others = [2]layout.CounterType{references[c.Type].base, layout.PERF_COUNTER_DELTA}
	case 1:
		path = pick(f.Source, "counter.PerfTimeId", "counter.PerfFreqId")
		c.Type, c.PerfTimeId, c.PerfFreqId = f.typeWithClock(), new(uint32(1)), new(uint32(2))
		others = [2]layout.CounterType{layout.PERF_COUNTER_LARGE_RAWCOUNT, layout.PERF_COUNTER_LARGE_RAWCOUNT}
	case 2:
		path, c.MultiId = "counter.MultiId", new(uint32(1))
		c.Type = pick(f.Source, multis...)
		if f.base == nil {
			c.BaseCounterId = new(uint32(2)) // one of the types in multis requires a base, and the others may have one
		}
		others = [2]layout.CounterType{layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_MULTI_BASE}
	}
	f.regSet(c,
		builder.CounterRegInfo{Type: others[0]}, builder.CounterRegInfo{Type: others[1]},
		builder.CounterRegInfo{Type: layout.PERF_COUNTER_TIMER}, builder.CounterRegInfo{Type: layout.PERF_COUNTER_LARGE_DELTA})
	return path
}
