package fuzz

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// InstanceList returns what PerfEnumerateCounterSetInstances would.
func InstanceList(s *Source, c Config) (l builder.InstanceList) {
	var in builder.QueryInstance
	g := newGenerator(s, c)
	for of := range g.each(instancePart, 0, g.MaxInstances) {
		if again := of.chance(12); again && len(l) > 0 {
			in = of.namesake(in)
		} else {
			in = of.queryInstance()
		}
		l = append(l, builder.InstanceHeader{Name: in.Name, InstanceId: in.InstanceId, Size: in.Size})
	}
	return l
}

// Identifiers returns what PerfAddCounters takes or PerfQueryCounterInfo would return.
func Identifiers(s *Source, c Config) (l builder.Identifiers) {
	g := newGenerator(s, c)
	for of := range g.each(objectPart, 0, g.MaxObjects) {
		l = append(l, of.identifier())
	}
	return l
}

func (g *generator) identifier() builder.CounterIdentifier {
	more, asksAll := g.longer(), g.chance(60)
	id := builder.CounterIdentifier{CounterSetGuid: g.guid(), CounterId: g.uint32(), InstanceId: g.uint32()}
	status, index, told := g.status(), g.uint32(), g.chance(128)
	if id.Name = g.text(); asksAll {
		id = builder.AllCounters(id.CounterSetGuid, pick(g.Source, layout.PERF_WILDCARD_INSTANCE, "", "C*", layout.PERF_AGGREGATE_INSTANCE))
	}
	if told { // as it is returned
		id.Status, id.Index = status, index
	}
	need := layout.PERF_COUNTER_IDENTIFIER.Size
	if id.Name != "" {
		need += uint32(layout.UTF16Len(id.Name)) + 2
	}
	id.Size = more.than(need)
	return id
}

// guid returns a GUID, now and then that of nothing.
func (g *generator) guid() layout.GUID {
	none := g.chance(8)
	id := layout.GUID{Data1: g.uint32(), Data2: uint16(g.uint32()), Data3: uint16(g.uint32())}
	for i := range id.Data4 {
		id.Data4[i] = g.byte()
	}
	if none {
		return layout.GUID{}
	}
	return id
}
