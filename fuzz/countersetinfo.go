package fuzz

import (
	"slices"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (g *generator) counterSetInfo() builder.CounterSetInfo {
	t := builder.CounterSetInfo{CounterSetGuid: g.guid(), ProviderGuid: g.guid(), InstanceType: g.instanceType()}
	ids := counterIDs{}
	for of := range g.eachPart(counterPart, 1, g.MaxCounters) {
		c := builder.CounterInfo{
			CounterId:   of.newID(ids),
			Type:        of.setType(),
			Attrib:      of.attrib(),
			DetailLevel: of.setLevel(),
			Scale:       of.setScale(),
			Offset:      pick(of.Source, 0, uint32(8*len(t.Counters)), of.uint32()),
		}
		if of.gives(60) {
			width, _ := c.Type.Width()
			sizes := []uint32{8, 4, 32, of.uint32()}
			if g.Numbers {
				sizes = sizes[:2]
			}
			if c.Size = pick(of.Source, sizes...); c.Size == width {
				c.Size = 0
			}
		}
		t.Counters = append(t.Counters, c)
	}
	return t
}

func (g *generator) counterSetInstance() builder.CounterSetInstance {
	in := builder.CounterSetInstance{CounterSetGuid: g.guid(), InstanceId: g.uint32(), Name: g.text()}
	for of := range g.eachPart(counterPart, 0, g.MaxCounters) {
		in.Values = append(in.Values, of.uint64())
	}
	return in
}

// counterIDs holds the ids of the counters of a set.
type counterIDs = usedKeys[uint32]

// newID returns an id that is not in ids, and adds the id to ids. Small ids are frequent.
func (g *generator) newID(ids counterIDs) uint32 {
	id := g.uint32()
	id -= id / layout.PERF_WILDCARD_COUNTER
	return ids.take(id, func(id uint32) uint32 { return (id + 1) % layout.PERF_WILDCARD_COUNTER })
}

func (g *generator) instanceType() layout.InstanceType {
	return pick(g.Source, layout.PERF_COUNTERSET_SINGLE_INSTANCE, layout.PERF_COUNTERSET_MULTI_INSTANCES,
		layout.PERF_COUNTERSET_SINGLE_AGGREGATE, layout.PERF_COUNTERSET_MULTI_AGGREGATE,
		layout.PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY, layout.PERF_COUNTERSET_INSTANCE_AGGREGATE)
}

// setTypes are the types that winperf.h defines. Counter sets may have counters of all these types.
var setTypes = slices.Collect(layout.CounterTypes())

// setType returns one of setTypes, or sometimes a type that winperf.h does not define.
func (g *generator) setType() layout.CounterType {
	if g.chance(24) {
		if t := layout.CounterType(g.uint32()); !t.Predefined() && !(g.Numbers && notNumber(t)) {
			return t
		}
	}
	types := setTypes
	if g.Numbers {
		types = slices.DeleteFunc(slices.Clone(types), notNumber)
	}
	return pick(g.Source, types...)
}

func (g *generator) attrib() layout.Attrib { return layout.Attrib(g.upTo(32)) }

// setLevel returns a detail level: one that winperf.h defines, another number, or 0 for the default.
func (g *generator) setLevel() layout.DetailLevel {
	return pick(g.Source, 0, layout.PERF_DETAIL_ADVANCED, layout.PERF_DETAIL_EXPERT, layout.PERF_DETAIL_WIZARD, avoid(layout.DetailLevel(g.uint32()), layout.PERF_DETAIL_NOVICE))
}

func (g *generator) setScale() int32 { return pick(g.Source, 0, int32(g.upTo(21)-10)) }
