package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var identifierBreakers = []breaker{
	{"v2-identifier-bounds", nil, func(v *victim) {
		list := v.returned()
		at := identifierIn(v.upTo(len(list)), "")
		switch v.upTo(3) {
		case 0:
			v.set(at+".Size", int64(v.upTo(layout.SizeofCounterIdentifier)))
		case 1:
			v.set(at+".Size", v.from(v.rest(at, "")+1))
		case 2:
			last := v.part(identifierIn(len(list)-1, "")).Off()
			v.block = v.block[:last+1+int64(v.upTo(layout.SizeofCounterIdentifier-1))]
		}
	}},
	{"v2-identifier-align", nil, func(v *victim) {
		list := v.returned()
		at := identifierIn(v.upTo(len(list)), "")
		v.set(at+".Size", v.noEight(layout.SizeofCounterIdentifier, v.rest(at, "")))
	}},
	{"v2-identifier-cover", nil, func(v *victim) {
		list := v.returned()
		at := identifierIn(v.upTo(len(list)), "")
		v.set(at+".Size", v.otherEight(layout.SizeofCounterIdentifier, v.rest(at, ""), v.get(at+".Size")))
	}},
	{"v2-identifier-slack", nil, func(v *victim) {
		list := v.returned()
		at := v.upTo(len(list))
		list[at].Size = uint32(v.get(identifierIn(at, "Size"))) + 8*uint32(1+v.upTo(8))
		v.remodel(&list)
	}},
	{"v2-identifier-name-unterminated", nil, func(v *victim) {
		list := v.returned()
		at := v.upTo(len(list))
		if v.chance(128) {
			list[at].Name += strings.Repeat("n", v.characters())
			v.remodel(&list)
		}
		name := v.part(identifierIn(at, "")).Bytes()[layout.SizeofCounterIdentifier:]
		for i := range name {
			name[i] = byte(1 + v.upTo(255))
		}
	}},
	{"v2-identifier-name-missing", nil, func(v *victim) {
		list := v.returned()
		at := v.upTo(len(list))
		v.register(list[at].CounterSetGuid, pick(v.Source, layout.PERF_COUNTERSET_MULTI_INSTANCES, layout.PERF_COUNTERSET_MULTI_AGGREGATE, layout.PERF_COUNTERSET_INSTANCE_AGGREGATE))
		list[at].Name, list[at].Size = "", pick[uint32](v.Source, 0, layout.SizeofCounterIdentifier+8)
		v.remodel(&list)
	}},
	{"v2-identifier-name-superfluous", nil, func(v *victim) {
		list := v.returned()
		at := v.upTo(len(list))
		v.register(list[at].CounterSetGuid, pick(v.Source, layout.PERF_COUNTERSET_SINGLE_INSTANCE, layout.PERF_COUNTERSET_SINGLE_AGGREGATE, layout.PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY))
		name := list[at].Name
		list[at].Name = ""
		v.model(&list)
		if list[at].Size = layout.SizeofCounterIdentifier + 8; v.chance(128) {
			list[at].Name, list[at].Size = name, 0
		}
		v.remodel(&list)
	}},
	{"v2-identifier-name-too-long", nil, func(v *victim) {
		list := v.returned()
		list[v.upTo(len(list))].Name = strings.Repeat("x", 1024+v.upTo(2000))
		v.remodel(&list)
	}},
	{"v2-identifier-duplicate", nil, func(v *victim) {
		list := v.returned()
		again := list[v.upTo(len(list))]
		again.Status, again.Index = v.uint32(), v.uint32() // the rule ignores them
		list = slices.Insert(list, v.upTo(len(list)+1), again)
		v.remodel(&list)
	}},
	{"v2-identifier-guid-zero", nil, func(v *victim) {
		list := v.returned()
		clear(v.part(identifierIn(v.upTo(len(list)), "CounterSetGuid")).Bytes())
	}},
	{"v2-identifier-reserved-zero", nil, func(v *victim) {
		list := v.returned()
		v.set(identifierIn(v.upTo(len(list)), "Reserved"), v.from(1))
	}},
	{"v2-identifier-add-fields", nil, func(v *victim) {
		list := v.returned()
		for i := range list {
			list[i].Index = 0
		}
		v.model(&list)
		v.ctx.Role = validate.GivenRole
		v.set(identifierIn(v.upTo(len(list)), pick(v.Source, "Status", "Index")), v.from(1))
	}},
	{"v2-identifier-index-set", nil, func(v *victim) {
		list := v.returned()
		v.ctx.Role = validate.ToldRole
		at := v.upTo(len(list))
		if other := v.upTo(len(list)); other != at {
			v.set(identifierIn(at, "Index"), v.get(identifierIn(other, "Index")))
		} else {
			v.set(identifierIn(at, "Index"), v.from(int64(len(list))))
		}
	}},
	{"v2-identifier-status", nil, func(v *victim) {
		list := v.returned()
		v.ctx.Role = validate.ToldRole
		v.set(identifierIn(v.upTo(len(list)), "Status"), v.from(1))
	}},
}

// returned makes identifiers as PerfQueryCounterInfo returns them: at least one, with distinct counters and with names.
// Numbers that could be the Size of an identifier at another multiple of 8 are odd.
func (v *victim) returned() builder.Identifiers {
	var list builder.Identifiers
	for i, name := range v.labels(1+v.upTo(v.MaxObjects), 1, v.word(alphabet, "Größe ", "漢字Я")) {
		id := builder.CounterIdentifier{CounterSetGuid: v.guid(), CounterId: uint32(i), InstanceId: v.uint32() | 1, Index: uint32(i), Name: name}
		id.CounterSetGuid.Data2 |= 1
		id.CounterSetGuid.Data4[4] |= 1
		list = append(list, id)
	}
	v.model(&list)
	return list
}

// register adds the registration of a counter set to the context.
func (v *victim) register(set layout.GUID, instances layout.InstanceType, ids ...uint32) {
	r := builder.CounterSetRegInfo{CounterSetGuid: set, InstanceType: instances}
	for _, id := range ids {
		r.Counters = append(r.Counters, builder.CounterRegInfo{CounterId: id, Type: layout.PERF_COUNTER_COUNTER})
	}
	v.ctx.Registrations = append(v.ctx.Registrations, bytesOf(&r))
}

// identifierIn returns a path in an identifier, or the path of the identifier.
func identifierIn(i int, path string) string {
	if path == "" {
		return fmt.Sprintf("identifier[%d]", i)
	}
	return fmt.Sprintf("identifier[%d].%s", i, path)
}
