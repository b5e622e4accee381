package fuzz

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/builder"
)

var namedBreakers = []breaker{
	{"v2-instance-header-bounds", nil, func(v *victim) {
		_, in, end := v.inhabited(v.names(2))
		v.set(in+".Size", pick(v.Source, int64(v.upTo(16)), v.from(v.rest(in, end)+1)))
	}},
	{"v2-instance-header-align", nil, func(v *victim) {
		_, in, end := v.inhabited(append(v.names(1), builder.QueryInstance{Name: "which is long", InstanceId: v.oddID()}))
		v.set(in+".Size", v.astray(in, end, 16))
	}},
	{"v2-instance-header-slack", nil, func(v *victim) {
		names := v.names(1)
		i, in, _ := v.inhabited(names)
		names[i].Size = uint32(v.get(in+".Size")) + 8*uint32(1+v.upTo(100))
		v.instead(i, names[i])
	}},
	{"v2-instance-name-unterminated", nil, func(v *victim) {
		names := v.names(1)
		i, in, _ := v.inhabited(names)
		if v.chance(128) { // a longer one, as with the padding many lengths are one
			names[i].Name += strings.Repeat("n", v.characters())
			v.instead(i, names[i])
		}
		name := v.part(in + ".Name")
		for at := name.Off(); at < v.part(in).Off()+v.get(in+".Size"); at += 2 {
			binary.LittleEndian.PutUint16(v.block[at:], uint16('A'+v.upTo(26)))
		}
	}},
	{"v2-instance-name-empty", nil, func(v *victim) { v.called("") }},
	{"v2-instance-name-too-long", nil, func(v *victim) {
		v.called(strings.Repeat(v.word("x", "Я"), 1024+v.upTo(200)))
	}},
	{"v2-instance-name-utf16", nil, func(v *victim) {
		_, in, _ := v.inhabited(v.names(1))
		name := v.part(in + ".Name").Bytes()
		binary.LittleEndian.PutUint16(name[2*v.upTo(len(name)/2-1):], uint16(0xD800+v.upTo(0x800)))
	}},
	{"v2-instance-name-wildcard", nil, func(v *victim) {
		v.called(strings.Repeat("a", v.characters()) + pick(v.Source, "*", "?") + pick(v.Source, "", "b", "*"))
	}},
	{"v2-instance-duplicate", nil, func(v *victim) {
		names := v.names(2)
		v.inhabited(names)
		first, second := v.two(len(names))
		again := names[first]
		if v.chance(128) {
			again.Name = strings.ToUpper(again.Name)
		}
		v.instead(second, again)
	}},
	{"v2-instance-name-case-duplicate", nil, func(v *victim) {
		names := v.names(2)
		v.inhabited(names)
		first, second := v.two(len(names))
		v.instead(second, builder.QueryInstance{Name: strings.ToUpper(names[first].Name), InstanceId: names[first].InstanceId + 2 + 2*uint32(v.upTo(5))})
	}},
	{"v2-instance-id-wildcard", nil, func(v *victim) {
		_, in, _ := v.inhabited(v.names(1))
		v.set(in+".InstanceId", 0xFFFFFFFF)
	}},
	{"v2-instance-list-cover", nil, func(v *victim) {
		list := v.listed(v.names(2))
		last := fmt.Sprintf("instance[%d]", len(list)-1)
		if v.chance(128) { // a part of one more
			v.block = append(v.block, v.bytes(1+v.upTo(7))...)
			return
		}
		v.block = v.block[:v.part(last).Off()+1+int64(v.upTo(v.part(last).Len()-1))]
	}},
	{"v2-instance-list-cover", nil, func(v *victim) { // an instance that does not lead to the next one
		list := v.listed(append(v.names(1), builder.QueryInstance{Name: "which is long", InstanceId: v.oddID()}))
		in := fmt.Sprintf("instance[%d]", v.upTo(len(list)))
		v.set(in+".Size", v.otherEight(16, v.rest(in, ""), v.get(in+".Size")))
	}},
}

// names returns least instances, or more, with names that differ.
func (v *victim) names(least int) []builder.QueryInstance {
	list := make([]builder.QueryInstance, least+v.upTo(v.MaxInstances))
	for i, name := range v.labels(len(list), 1, v.word(alphabet, "Größe ", "漢字Я")) {
		list[i].Name, list[i].InstanceId = name, v.oddID()
	}
	return list
}

// called makes a block with an instance of that name.
func (v *victim) called(name string) {
	names := v.names(1)
	i, _, _ := v.inhabited(names)
	v.instead(i, builder.QueryInstance{Name: name, InstanceId: names[i].InstanceId})
}

// inhabited makes a list or an answer of those instances, and returns one of them, its path
// and that of what it is to end in, "" for the whole.
func (v *victim) inhabited(names []builder.QueryInstance) (i int, in, end string) {
	i = v.upTo(len(names))
	in = fmt.Sprintf("instance[%d]", i)
	if v.chance(80) {
		v.listed(names)
		return i, in, ""
	}
	r := v.withInstances(0)
	for _, n := range names {
		n.Values = v.valuesOf(r.Counters)
		r.Add(n)
	}
	v.answers(r)
	return i, v.res(in), v.res("")
}

// instead makes the block again with another instance in the place of one, whose values
// stay.
func (v *victim) instead(i int, by builder.QueryInstance) {
	if list, ok := v.made.(*builder.InstanceList); ok {
		(*list)[i] = builder.InstanceHeader{Name: by.Name, InstanceId: by.InstanceId, Size: by.Size}
		v.remodel(list)
		return
	}
	v.again(func(r *builder.Result) {
		by.Values = r.Instances[i].Values
		r.Instances[i] = by
	})
}

// listed makes a list of those instances.
func (v *victim) listed(names []builder.QueryInstance) builder.InstanceList {
	var list builder.InstanceList
	for _, n := range names {
		list = append(list, builder.InstanceHeader{Name: n.Name, InstanceId: n.InstanceId, Size: n.Size})
	}
	v.model(&list)
	return list
}
