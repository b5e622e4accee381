package fuzz

import (
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// InstanceList returns what PerfEnumerateCounterSetInstances would.
func InstanceList(s *Source, c Config) (l builder.InstanceList) {
	g := generator{Source: s, Config: c.withDefaults()}
	var in builder.QueryInstance
	for len(l) < g.MaxInstances && g.chance(200) {
		if len(l) > 0 && g.chance(12) {
			in = g.namesake(in)
		} else {
			in = g.queryInstance()
		}
		l = append(l, builder.ListedInstance{Name: in.Name, InstanceId: in.InstanceId, Size: in.Size})
	}
	return l
}

// Identifiers returns what PerfAddCounters takes or PerfQueryCounterInfo would return.
func Identifiers(s *Source, c Config) (l builder.Identifiers) {
	g := generator{Source: s, Config: c.withDefaults()}
	for len(l) < g.MaxObjects && g.chance(180) {
		l = append(l, g.identifier())
	}
	return l
}

func (g *generator) identifier() builder.Identifier {
	id := builder.Identifier{CounterSetGuid: g.guid(), CounterId: g.uint32(), InstanceId: g.uint32(), Name: g.text()}
	if g.chance(60) {
		id = builder.AllCounters(id.CounterSetGuid, pick(g.Source, layout.PERF_WILDCARD_INSTANCE, "", "C*", layout.PERF_AGGREGATE_INSTANCE))
	}
	if g.chance(128) { // as it is returned
		id.Status, id.Index = pick(g.Source, 0, 4200, g.uint32()), g.uint32()
	}
	need := layout.PERF_COUNTER_IDENTIFIER.Size
	if id.Name != "" {
		need += uint32(layout.UTF16Len(id.Name)) + 2
	}
	id.Size = g.longer(need)
	return id
}

func (g *generator) guid() layout.GUID {
	id := layout.GUID{Data1: g.uint32(), Data2: uint16(g.uint32()), Data3: uint16(g.uint32())}
	for i := range id.Data4 {
		id.Data4[i] = g.byte()
	}
	return id
}
