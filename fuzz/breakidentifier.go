package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var identifierBreakers = slices.Concat(identifierLengthBreakers, identifierNameBreakers, identifierValueBreakers)

var identifierLengthBreakers = []breaker{
	{"v2-identifier-bounds", nil, func(v *victim) {
		list := v.asked()
		at := v.upTo(len(list))
		start, size := v.part(identifierIn(at, "")).Off(), identifierIn(at, "Size")
		switch v.upTo(3) {
		case 0:
			v.set(size, int64(v.upTo(40)))
		case 1:
			v.set(size, min(int64(len(v.block))-start+1+int64(v.uint32()), 1<<32-1))
		case 2:
			last := v.part(identifierIn(len(list)-1, "")).Off()
			v.block = v.block[:last+1+int64(v.upTo(39))]
		}
	}},
	{"v2-identifier-align", nil, func(v *victim) {
		list := v.asked()
		v.add(identifierIn(v.upTo(len(list)), "Size"), -1-int64(v.upTo(7)))
	}},
	{"v2-identifier-cover", nil, func(v *victim) {
		list := v.asked()
		if at := v.upTo(len(list)); at == len(list)-1 || v.chance(128) {
			v.set(identifierIn(at, "Size"), 40)
		} else {
			v.add(identifierIn(at, "Size"), v.get(identifierIn(at+1, "Size")))
		}
	}},
	{"v2-identifier-slack", nil, func(v *victim) {
		list := v.asked()
		at := v.upTo(len(list))
		list[at].Size = uint32(v.get(identifierIn(at, "Size"))) + 8*uint32(1+v.upTo(8))
		v.model(&list)
	}},
}

var identifierNameBreakers = []breaker{
	{"v2-identifier-name-unterminated", nil, func(v *victim) {
		list := v.asked()
		at := v.upTo(len(list))
		whole := v.part(identifierIn(at, "")).Bytes()
		for i := range whole[40:] {
			whole[40+i] = byte(1 + v.upTo(255))
		}
	}},
	{"v2-identifier-name-missing", nil, func(v *victim) {
		list := v.asked()
		at := v.upTo(len(list))
		list[at].Name, list[at].Size = "", pick[uint32](v.Source, 0, 48)
		v.model(&list)
		v.register(list[at].CounterSetGuid, pick(v.Source, layout.PERF_COUNTERSET_MULTI_INSTANCES, layout.PERF_COUNTERSET_MULTI_AGGREGATE, layout.PERF_COUNTERSET_INSTANCE_AGGREGATE))
	}},
	{"v2-identifier-name-superfluous", nil, func(v *victim) {
		list := v.asked()
		at := v.upTo(len(list))
		if v.chance(128) {
			list[at].Name, list[at].Size = "", 48
			v.model(&list)
		}
		v.register(list[at].CounterSetGuid, pick(v.Source, layout.PERF_COUNTERSET_SINGLE_INSTANCE, layout.PERF_COUNTERSET_SINGLE_AGGREGATE, layout.PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY))
	}},
	{"v2-identifier-name-too-long", nil, func(v *victim) {
		list := v.asked()
		list[v.upTo(len(list))].Name = strings.Repeat("x", 1024+v.upTo(2000))
		v.model(&list)
	}},
	{"v2-identifier-duplicate", nil, func(v *victim) {
		list := v.asked()
		again := list[v.upTo(len(list))]
		again.Status, again.Index = v.uint32(), v.uint32() // they are no part of what is asked for
		list = append(list, again)
		v.model(&list)
	}},
}

var identifierValueBreakers = []breaker{
	{"v2-identifier-guid-zero", nil, func(v *victim) {
		list := v.asked()
		clear(v.part(identifierIn(v.upTo(len(list)), "CounterSetGuid")).Bytes())
	}},
	{"v2-identifier-reserved-zero", nil, func(v *victim) {
		list := v.asked()
		v.set(identifierIn(v.upTo(len(list)), "Reserved"), max(int64(v.uint32()), 1))
	}},
	{"v2-identifier-add-fields", nil, func(v *victim) {
		list := v.asked()
		v.ctx.Role = validate.GivenRole
		v.set(identifierIn(v.upTo(len(list)), pick(v.Source, "Status", "Index")), max(int64(v.uint32()), 1))
	}},
	{"v2-identifier-index-set", nil, func(v *victim) {
		list := v.asked()
		v.ctx.Role = validate.ToldRole
		at := v.upTo(len(list))
		if other := v.upTo(len(list)); other != at {
			v.set(identifierIn(at, "Index"), v.get(identifierIn(other, "Index")))
		} else {
			v.set(identifierIn(at, "Index"), min(int64(len(list))+int64(v.uint32()), 1<<32-1))
		}
	}},
	{"v2-identifier-status", nil, func(v *victim) {
		list := v.asked()
		v.ctx.Role = validate.ToldRole
		v.set(identifierIn(v.upTo(len(list)), "Status"), max(int64(v.uint32()), 1))
	}},
}

// asked makes identifiers as PerfQueryCounterInfo returns them, one at least, each of
// another counter and with a name.
func (v *victim) asked() builder.Identifiers {
	var list builder.Identifiers
	for i := range 1 + v.upTo(v.MaxObjects) {
		list = append(list, builder.Identifier{
			CounterSetGuid: v.guid(), CounterId: uint32(i), InstanceId: v.uint32(), Index: uint32(i),
			Name: strings.Repeat("n", 1+v.upTo(12)),
		})
		list[i].CounterSetGuid.Data1 |= 1 // no zeros
	}
	v.model(&list)
	return list
}

// register makes the counter set known, with counters of those ids.
func (v *victim) register(set layout.GUID, instances layout.InstanceType, ids ...uint32) {
	r := builder.RegSet{CounterSetGuid: set, InstanceType: instances}
	for _, id := range ids {
		r.Counters = append(r.Counters, builder.RegCounter{CounterId: id, Type: layout.PERF_COUNTER_COUNTER})
	}
	b, err := r.MarshalBinary()
	if err != nil {
		panic(fmt.Sprintf("a breaker made a set that the builder refuses: %v", err))
	}
	v.ctx.Registrations = append(v.ctx.Registrations, b)
}

// identifierIn returns a path in an identifier, "" the identifier itself.
func identifierIn(i int, path string) string {
	if path == "" {
		return fmt.Sprintf("identifier[%d]", i)
	}
	return fmt.Sprintf("identifier[%d].%s", i, path)
}
