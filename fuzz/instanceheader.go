package fuzz

import (
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (g *generator) instanceList() (list builder.InstanceList) {
	var in builder.QueryInstance
	for of := range g.each(instancePart, 0, g.MaxInstances) {
		if again := of.chance(12); again && len(list) > 0 {
			in = of.namesake(in)
		} else {
			in = of.queryInstance()
		}
		list = append(list, builder.InstanceHeader{Name: in.Name, InstanceId: in.InstanceId, Size: in.Size})
	}
	return list
}

func (g *generator) queryInstance() builder.QueryInstance {
	more := g.longer()
	in := builder.QueryInstance{InstanceId: g.uint32(), Name: g.text()}
	in.Size = more.than(layout.PERF_INSTANCE_HEADER.Size + uint32(layout.UTF16Len(in.Name)) + 2)
	return in
}

// namesake returns an instance with the same name, sometimes in capitals, and with the same id or another.
func (g *generator) namesake(of builder.QueryInstance) builder.QueryInstance {
	in := builder.QueryInstance{Name: of.Name, InstanceId: of.InstanceId, Size: of.Size}
	if g.chance(128) {
		in.Name, in.Size = strings.ToUpper(in.Name), 0
	}
	if g.chance(128) {
		in.InstanceId = g.uint32()
	}
	return in
}
