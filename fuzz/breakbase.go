package fuzz

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
)

var (
	// fractions are the types that require a base counter, except the types with the bit PERF_MULTI_COUNTER.
	fractions = []layout.CounterType{
		layout.PERF_RAW_FRACTION, layout.PERF_LARGE_RAW_FRACTION, layout.PERF_SAMPLE_FRACTION, layout.PERF_AVERAGE_TIMER, layout.PERF_AVERAGE_BULK,
		layout.PERF_PRECISION_SYSTEM_TIMER, layout.PERF_PRECISION_100NS_TIMER, layout.PERF_PRECISION_OBJECT_TIMER,
	}
	// multis are the types with the bit PERF_MULTI_COUNTER. All of them require a base counter.
	multis = []layout.CounterType{
		layout.PERF_COUNTER_MULTI_TIMER, layout.PERF_COUNTER_MULTI_TIMER_INV, layout.PERF_100NSEC_MULTI_TIMER, layout.PERF_100NSEC_MULTI_TIMER_INV,
	}
	bases = []layout.CounterType{
		layout.PERF_RAW_BASE, layout.PERF_SAMPLE_BASE, layout.PERF_AVERAGE_BASE, layout.PERF_LARGE_RAW_BASE, layout.PERF_COUNTER_MULTI_BASE,
	}
)

// counterBaseBreakers break the rules about base counters, and about counter types that require a base counter.
var counterBaseBreakers = []breaker{
	{"ctr-base-missing", also{"ctr-size-type-mismatch", "ctr-size-average-timer"}, func(f *faultyBlock) {
		numberCounter(f).set("object.counter.CounterType", int64(pick(f.Source, fractions...)))
	}},
	{"ctr-base-missing-multi", also{"ctr-size-type-mismatch", "ctr-multi-adjacent"}, func(f *faultyBlock) {
		if f.chance(80) {
			f.multiTypeAtTheEnd()
			return
		}
		numberCounter(f).set("object.counter.CounterType", int64(pick(f.Source, multis...)))
	}},
	{"ctr-base-mismatch", also{"ctr-size-type-mismatch"}, func(f *faultyBlock) {
		i := f.counterWithBase(pick(f.Source, slices.Concat(fractions, multis)...))
		right := layout.CounterType(f.get(counter(i+1, "CounterType")))
		wrong := slices.DeleteFunc(slices.Clone(bases), func(t layout.CounterType) bool { return t == right })
		f.setType(i+1, pick(f.Source, wrong...))
	}},
	{"ctr-base-orphan", also{"ctr-size-type-mismatch"}, func(f *faultyBlock) {
		before, base := f.numberType(), pick(f.Source, bases...)
		if before == layout.PERF_SAMPLE_COUNTER && base == layout.PERF_SAMPLE_BASE {
			base = layout.PERF_AVERAGE_BASE // PERF_SAMPLE_COUNTER may have a PERF_SAMPLE_BASE
		}
		i := f.consecutive(before, f.numberType())
		f.setType(i+1, base)
	}},
	{"ctr-base-first", also{"ctr-size-type-mismatch"}, func(f *faultyBlock) {
		f.onlyCounters(f.numberType(), anyType)
		f.setType(0, pick(f.Source, bases...))
	}},
	{"ctr-base-titles", nil, func(f *faultyBlock) {
		i := f.counterWithBase(pick(f.Source, slices.Concat(fractions, multis)...))
		if f.chance(128) {
			f.set(counter(i+1, "CounterHelpTitleIndex"), int64(max(f.uint32(), 1)))
			return
		}
		f.set(counter(i+1, "CounterNameTitleIndex"), f.get("object.counter.CounterNameTitleIndex")+1+int64(f.upTo(1000)))
	}},
	{"ctr-multi-adjacent", also{"ctr-multi-base-place", "ctr-offset-align", "ctr-overlap-partial", "ctr-base-missing-multi"}, func(f *faultyBlock) {
		if f.chance(80) {
			f.multiTypeAtTheEnd()
			return
		}
		f.counterWithBase(pick(f.Source, multis...)) // the second value of the counter will end after the counter block
		f.set("object.counter.CounterOffset", f.blockLength()-8-int64(f.upTo(4)))
	}},
	{"ctr-multi-base-place", also{"ctr-offset-align", "ctr-overlap-partial", "ctr-offset-range"}, func(f *faultyBlock) {
		i := f.counterWithBase(pick(f.Source, multis...))
		offset := counter(i+1, "CounterOffset")
		switch f.upTo(3) {
		case 0: // the value of the base is at the offset of the counter or of another counter
			f.set(offset, pick(f.Source, f.get("object.counter.CounterOffset"), f.blockLength()-8))
		case 1:
			f.add(offset, -1-int64(f.upTo(7)))
		case 2:
			f.set(offset, f.atLeast(f.blockLength())&^7|int64(f.upTo(8)))
		}
	}},
}

// counterWithBase makes a block with a counter of type t, followed by its base counter. It returns the position of the
// counter of type t and stores the position in f.chosen.
func (f *faultyBlock) counterWithBase(t layout.CounterType) int {
	base, _ := t.Base()
	return f.consecutive(t, base)
}

// multiTypeAtTheEnd makes a block and changes the type of the last counter to one of the types in multis.
func (f *faultyBlock) multiTypeAtTheEnd() {
	i := f.lastCounters(f.type8())
	f.setType(i, pick(f.Source, multis...))
}
