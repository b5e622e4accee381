package fuzz

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (g *generator) identifiers() (list builder.Identifiers) {
	for of := range g.each(objectPart, 0, g.MaxObjects) {
		list = append(list, of.identifier())
	}
	return list
}

func (g *generator) identifier() builder.CounterIdentifier {
	padding, asksAll := g.padding(), g.chance(60)
	id := builder.CounterIdentifier{CounterSetGuid: g.guid(), CounterId: g.uint32(), InstanceId: g.uint32()}
	status, index, returned := g.status(), g.uint32(), g.chance(128)
	if id.Name = g.text(); asksAll {
		id = builder.AllCounters(id.CounterSetGuid, pick(g.Source, layout.PERF_WILDCARD_INSTANCE, "", "C*", layout.PERF_AGGREGATE_INSTANCE))
	}
	if returned { // PerfQueryCounterInfo sets these fields
		id.Status, id.Index = status, index
	}
	required := uint32(layout.SizeofCounterIdentifier)
	if id.Name != "" {
		required += utf16Size(id.Name)
	}
	id.Size = lengthWith(padding, required)
	return id
}
