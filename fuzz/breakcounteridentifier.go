package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// identifierBreakers break the rules about PERF_COUNTER_IDENTIFIER.
var identifierBreakers = []breaker{
	{"v2-identifier-bounds", nil, func(f *faultyBlock) {
		list := f.returnedIdentifiers()
		switch f.upTo(3) {
		case 0:
			f.set("identifier.Size", int64(f.upTo(layout.SizeofCounterIdentifier)))
		case 1:
			f.set("identifier.Size", f.atLeast(f.distance("identifier", "")+1))
		case 2: // the last PERF_COUNTER_IDENTIFIER is truncated
			last := f.part(fmt.Sprintf("identifier[%d]", len(list)-1)).Off()
			f.block = f.block[:last+1+int64(f.upTo(layout.SizeofCounterIdentifier-1))]
		}
	}},
	{"v2-identifier-align", nil, setField(anyIdentifiers, "identifier.Size", toUnaligned(layout.SizeofCounterIdentifier, span("identifier", "")))},
	{"v2-identifier-cover", nil, func(f *faultyBlock) {
		anyIdentifiers(f).setOtherSize("identifier.Size", layout.SizeofCounterIdentifier, "")
	}},
	{"v2-identifier-slack", nil, func(f *faultyBlock) {
		size := uint32(anyIdentifiers(f).get("identifier.Size")) + 8*uint32(1+f.upTo(8))
		f.changeIdentifier(func(id *builder.CounterIdentifier) { id.Size = size })
	}},
	{"v2-identifier-name-unterminated", nil, func(f *faultyBlock) {
		anyIdentifiers(f)
		if f.chance(128) {
			f.changeIdentifier(func(id *builder.CounterIdentifier) { id.Name += strings.Repeat("n", f.nameLength()) })
		}
		name := f.part("identifier").Bytes()[layout.SizeofCounterIdentifier:]
		for i := range name {
			name[i] = byte(1 + f.upTo(255))
		}
	}},
	{"v2-identifier-name-missing", nil, func(f *faultyBlock) {
		list := f.returnedIdentifiers()
		f.addRegistration(list[f.chosen["identifier"]].CounterSetGuid, pick(f.Source, layout.PERF_COUNTERSET_MULTI_INSTANCES, layout.PERF_COUNTERSET_MULTI_AGGREGATE, layout.PERF_COUNTERSET_INSTANCE_AGGREGATE))
		f.changeIdentifier(func(id *builder.CounterIdentifier) {
			id.Name, id.Size = "", pick[uint32](f.Source, 0, layout.SizeofCounterIdentifier+8)
		})
	}},
	{"v2-identifier-name-superfluous", nil, func(f *faultyBlock) {
		list := f.returnedIdentifiers()
		id := &list[f.chosen["identifier"]]
		f.addRegistration(id.CounterSetGuid, pick(f.Source, layout.PERF_COUNTERSET_SINGLE_INSTANCE, layout.PERF_COUNTERSET_SINGLE_AGGREGATE, layout.PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY))
		name := id.Name
		if f.base == nil {
			id.Name = ""
			f.encodeValid(&list)
		} else if id.Name != "" {
			f.endAttempt("an identifier without a name")
		}
		if f.chance(128) && name != "" {
			id.Name = name
		} else { // the name is empty
			id.Size = layout.SizeofCounterIdentifier + 8
		}
		f.encodeFaulty(&list)
	}},
	{"v2-identifier-name-too-long", nil, func(f *faultyBlock) {
		anyIdentifiers(f).changeIdentifier(func(id *builder.CounterIdentifier) { id.Name = strings.Repeat("x", 1024+f.upTo(2000)) })
	}},
	{"v2-identifier-duplicate", nil, func(f *faultyBlock) {
		list := f.returnedIdentifiers()
		duplicate := list[f.chosen["identifier"]]
		duplicate.Status, duplicate.Index = f.uint32(), f.uint32() // the rule ignores both fields
		list = slices.Insert(list, f.upTo(len(list)+1), duplicate)
		f.encodeFaulty(&list)
	}},
	{"v2-identifier-guid-zero", nil, func(f *faultyBlock) {
		clear(anyIdentifiers(f).part("identifier.CounterSetGuid").Bytes())
	}},
	{"v2-identifier-reserved-zero", nil, setField(anyIdentifiers, "identifier.Reserved", toAtLeast(1))},
	{"v2-identifier-add-fields", nil, func(f *faultyBlock) {
		list := f.returnedIdentifiers()
		for i := range list {
			list[i].Index = 0
		}
		f.encodeValid(&list)
		f.ctx.Role = validate.PassedRole
		f.set(pick(f.Source, "identifier.Status", "identifier.Index"), f.atLeast(1))
	}},
	{"v2-identifier-index-set", nil, func(f *faultyBlock) { // Index is the Index of another identifier, or is too large
		list := f.returnedIdentifiers()
		f.ctx.Role = validate.ReturnedRole
		index := int64(f.upTo(len(list)))
		if index == f.get("identifier.Index") {
			index = f.atLeast(int64(len(list)))
		}
		f.set("identifier.Index", index)
	}},
	{"v2-identifier-status", nil, func(f *faultyBlock) {
		f.ctx.Role = validate.ReturnedRole
		anyIdentifiers(f).set("identifier.Status", f.atLeast(1))
	}},
}

// anyIdentifiers calls returnedIdentifiers. It returns f, so that calls can be chained.
func anyIdentifiers(f *faultyBlock) *faultyBlock {
	f.returnedIdentifiers()
	return f
}

// returnedIdentifiers makes one or more identifiers like those that PerfQueryCounterInfo returns, and chooses one.
func (f *faultyBlock) returnedIdentifiers() builder.Identifiers {
	if f.base != nil {
		list := f.takeCopy(layout.IdentifiersKind).(*builder.Identifiers)
		if len(*list) == 0 {
			f.endAttempt("an identifier")
		}
		f.chosen["identifier"] = f.upTo(len(*list))
		return *list
	}
	var list builder.Identifiers
	for i, name := range f.distinctNames(1+f.upTo(f.MaxObjects), 1, pick(f.Source, alphabet, "Größe ", "漢字Я")) {
		// InstanceId and two parts of the GUID are odd, so that they do not look like a Size, which is a multiple of 8.
		id := builder.CounterIdentifier{CounterSetGuid: f.guid(), CounterId: uint32(i), InstanceId: f.uint32() | 1, Index: uint32(i), Name: name}
		id.CounterSetGuid.Data2 |= 1
		id.CounterSetGuid.Data4[4] |= 1
		list = append(list, id)
	}
	f.chosen["identifier"] = f.upTo(len(list))
	f.encodeValid(&list)
	return list
}

// changeIdentifier calls a function that changes the model of the chosen identifier. Then it encodes the identifiers
// again.
func (f *faultyBlock) changeIdentifier(change func(*builder.CounterIdentifier)) {
	list := f.made.(*builder.Identifiers)
	change(&(*list)[f.chosen["identifier"]])
	f.encodeFaulty(list)
}

// addRegistration adds a registration to the context. The registered counter set has counters with the given ids.
func (f *faultyBlock) addRegistration(set layout.GUID, instances layout.InstanceType, ids ...uint32) {
	r := builder.CounterSetRegInfo{CounterSetGuid: set, InstanceType: instances}
	for _, id := range ids {
		r.Counters = append(r.Counters, builder.CounterRegInfo{CounterId: id, Type: layout.PERF_COUNTER_COUNTER})
	}
	f.ctx.Registrations = append(f.ctx.Registrations, bytesOf(&r))
}
