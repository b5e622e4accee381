package fuzz

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var joinedBreakers = []breaker{
	{"v2-data-identifier-count", nil, func(v *victim) {
		v.answers(v.anyAnswer())
		n := int(v.get("dwNumCounters"))
		if n > 1 && v.chance(128) {
			v.identify(1+v.upTo(n-1), v.guid())
			return
		}
		v.identify(n+1+v.upTo(4), v.guid())
	}},
	{"v2-data-identifier-type", nil, func(v *victim) {
		v.answers(v.withData())
		// The identifier asks for another number of counters, or of instances.
		v.identify(int(v.get("dwNumCounters")), v.guid(), int64(pick(v.Source, layout.PERF_MULTIPLE_COUNTERS, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET)))
	}},
	{"v2-data-counter-unknown", nil, func(v *victim) {
		r := v.withIDs(1 + v.upTo(v.MaxCounters))
		set := registered(r)
		if i := v.upTo(len(set.Counters)); v.chance(128) {
			set.Counters[i].CounterId += 1_000_000_000
		} else {
			set.Counters = append(set.Counters, builder.RegCounter{CounterId: 1_000_000_000, Type: layout.PERF_COUNTER_RAWCOUNT, DetailLevel: layout.PERF_DETAIL_NOVICE})
		}
		v.joined(r, set)
	}},
	{"v2-counter-data-width-type", nil, func(v *victim) {
		r := v.withIDs(1 + v.upTo(v.MaxCounters))
		set := registered(r)
		c := &set.Counters[v.upTo(len(set.Counters))]
		if c.Type == layout.PERF_COUNTER_RAWCOUNT {
			c.Type = layout.PERF_COUNTER_LARGE_RAWCOUNT
		} else {
			c.Type = layout.PERF_COUNTER_RAWCOUNT
		}
		v.joined(r, set)
	}},
}

// identify gives the context identifiers that ask for what the answers are, n of them, all
// of one set. That of the answer the breaker asked for asks for what differs from it by
// the bits.
func (v *victim) identify(n int, guid layout.GUID, other ...int64) {
	answers := int(v.get("dwNumCounters"))
	var list builder.Identifiers
	for i := range n {
		t := int64(layout.PERF_ERROR_RETURN)
		if i < answers {
			t = v.get(fmt.Sprintf("result[%d].dwType", i))
		}
		if t == int64(layout.PERF_SINGLE_COUNTER) {
			t = 0
		}
		if i == v.at && len(other) > 0 {
			t ^= other[0]
		}
		id := builder.Identifier{CounterSetGuid: guid, CounterId: uint32(v.upTo(100)), InstanceId: 0xFFFFFFFF, Index: uint32(i)}
		if t&int64(layout.PERF_MULTIPLE_COUNTERS) != 0 {
			id.CounterId = layout.PERF_WILDCARD_COUNTER
		}
		id.Name = pick(v.Source, "", "C:", "_Total")
		if t&int64(layout.PERF_MULTIPLE_INSTANCES) != 0 {
			id.Name = pick(v.Source, "*", "disk*", "?")
		}
		list = append(list, id)
	}
	for i := range list { // as they are told in any order
		j := i + v.upTo(len(list)-i)
		list[i], list[j] = list[j], list[i]
	}
	b, err := list.MarshalBinary()
	if err != nil {
		panic(err)
	}
	v.ctx.Identifiers = b
}

// registered returns what is registered of the set of an answer with ids.
func registered(r *builder.Result) builder.RegSet {
	var set builder.RegSet
	for _, c := range r.Counters {
		t := layout.PERF_COUNTER_LARGE_RAWCOUNT
		if c.Size == 4 {
			t = layout.PERF_COUNTER_RAWCOUNT
		}
		set.Counters = append(set.Counters, builder.RegCounter{CounterId: c.CounterId, Type: t, DetailLevel: layout.PERF_DETAIL_NOVICE})
	}
	return set
}

// joined makes query data of the answer, with what is registered of its set: alone, or
// among others that identifiers tell from it.
func (v *victim) joined(r *builder.Result, set builder.RegSet) {
	set.CounterSetGuid = v.guid()
	if v.chance(128) {
		v.model(new(builder.QueryData).Add(r))
	} else {
		v.model(new(builder.QueryData).Add(builder.ErrorReturn(4201), r))
		v.at = 1
		v.identify(2, set.CounterSetGuid)
	}
	b, err := set.MarshalBinary()
	if err != nil {
		panic(err)
	}
	v.ctx.Registrations = [][]byte{b}
}
