package fuzz

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var namedBreakers = []breaker{
	{"v2-instance-header-bounds", nil, func(v *victim) {
		in, end := v.inhabited(v.names(2)...)
		v.set(in+".Size", pick(v.Source, int64(v.upTo(16)), v.from(v.rest(in, end)+1)))
	}},
	{"v2-instance-header-align", nil, func(v *victim) {
		in, end := v.inhabited(append(v.names(1), builder.QueryInstance{Name: "which is long"})...)
		v.set(in+".Size", v.noEight(16, v.rest(in, end)))
	}},
	{"v2-instance-header-slack", nil, func(v *victim) {
		names := v.names(1)
		names[v.upTo(len(names))].Size = uint32(8 * (8 + v.upTo(100)))
		v.inhabited(names...)
	}},
	{"v2-instance-name-unterminated", nil, func(v *victim) {
		in, _ := v.inhabited(v.names(1)...)
		name := v.part(in + ".Name")
		for at := name.Off(); at < v.part(in).Off()+v.get(in+".Size"); at += 2 {
			binary.LittleEndian.PutUint16(v.block[at:], uint16('A'+v.upTo(26)))
		}
	}},
	{"v2-instance-name-empty", nil, func(v *victim) { v.called("") }},
	{"v2-instance-name-too-long", nil, func(v *victim) {
		v.called(strings.Repeat(pick(v.Source, "x", "Я"), 1024+v.upTo(200)))
	}},
	{"v2-instance-name-utf16", nil, func(v *victim) {
		in, _ := v.inhabited(v.names(1)...)
		name := v.part(in + ".Name").Bytes()
		binary.LittleEndian.PutUint16(name[2*v.upTo(len(name)/2-1):], uint16(0xD800+v.upTo(0x800)))
	}},
	{"v2-instance-name-wildcard", nil, func(v *victim) {
		v.called(pick(v.Source, "", "a", "chrome ") + pick(v.Source, "*", "?") + pick(v.Source, "", "b", "*"))
	}},
	{"v2-instance-duplicate", nil, func(v *victim) {
		names := v.names(2)
		first, second := v.two(len(names))
		names[second].Name, names[second].InstanceId = names[first].Name, names[first].InstanceId
		if v.chance(128) {
			names[second].Name = strings.ToUpper(names[first].Name)
		}
		v.inhabited(names...)
	}},
	{"v2-instance-name-case-duplicate", nil, func(v *victim) {
		names := v.names(2)
		first, second := v.two(len(names))
		names[first].Name = "web " + names[first].Name
		names[second].Name, names[second].InstanceId = strings.ToUpper(names[first].Name), names[first].InstanceId+2+2*uint32(v.upTo(5))
		v.inhabited(names...)
	}},
	{"v2-instance-id-wildcard", nil, func(v *victim) {
		in, _ := v.inhabited(v.names(1)...)
		v.set(in+".InstanceId", 0xFFFFFFFF)
	}},
	{"v2-instance-list-cover", nil, func(v *victim) {
		v.listed(2)
		if v.chance(128) { // a part of one more
			v.block = append(v.block, make([]byte, 1+v.upTo(7))...)
			return
		}
		// Size leads over the next to what may follow, or to the end.
		size := int64(0)
		for part := range layout.Walk(v.kind, v.block) {
			if strings.HasSuffix(part.Path.String(), "].Size") {
				n, _ := part.Int()
				if size += n; part.Off() > 0 && v.chance(128) {
					break
				}
			}
		}
		v.set("instance[0].Size", size)
	}},
}

// names returns least instances, or more, with names that differ and have two letters at
// the least.
func (v *victim) names(least int) []builder.QueryInstance {
	list := make([]builder.QueryInstance, least+v.upTo(v.MaxInstances))
	for i := range list {
		list[i].Name, list[i].InstanceId = fmt.Sprintf("%s%d", pick(v.Source, "n", "eth", "Größe "), i), v.oddID()
	}
	return list
}

// called makes a block with an instance of that name.
func (v *victim) called(name string) {
	names := v.names(1)
	names[v.upTo(len(names))].Name = name
	v.inhabited(names...)
}

// inhabited makes a list or an answer of those instances, and returns the path of one of
// them and of what it is to end in, "" for the whole.
func (v *victim) inhabited(names ...builder.QueryInstance) (in, end string) {
	in = fmt.Sprintf("instance[%d]", v.upTo(len(names)))
	if v.chance(80) {
		var list builder.InstanceList
		for _, n := range names {
			list = append(list, builder.ListedInstance{Name: n.Name, InstanceId: n.InstanceId, Size: n.Size})
		}
		v.model(&list)
		return in, ""
	}
	r := v.withInstances(0)
	for i := range names {
		names[i].Values = v.valuesOf(r.Counters)
	}
	v.answers(r.Add(names...))
	return v.res(in), v.res("")
}

// listed makes a list of least instances or more.
func (v *victim) listed(least int) {
	var list builder.InstanceList
	for _, n := range v.names(least) {
		list = append(list, builder.ListedInstance{Name: n.Name, InstanceId: n.InstanceId})
	}
	v.model(&list)
}
