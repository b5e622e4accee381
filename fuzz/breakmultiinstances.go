package fuzz

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

var multiInstancesBreakers = []breaker{
	{"v2-multi-instances-bounds", nil, func(v *victim) {
		v.query(v.withInstances(1 + v.upTo(v.MaxInstances)))
		total := v.res("instances.dwTotalSize")
		v.set(total, pick(v.Source, int64(v.upTo(8)), v.from(v.rest(total, v.res(""))+1)))
	}},
	{"v2-multi-instances-size-sum", nil, func(v *victim) {
		v.query(v.withInstances(1 + v.upTo(v.MaxInstances)))
		switch total := v.res("instances.dwTotalSize"); v.upTo(3) {
		case 0:
			v.set(total, v.otherEight(8, v.get(total), v.get(total)))
		case 1: // an instance whose Size is not the distance to its values
			in := v.someInstance()
			v.set(in+".Size", v.otherEight(16, v.rest(in, v.res("")), v.get(in+".Size")))
		case 2: // a value whose dwSize is not the distance to the next value
			data := v.someValue()
			v.set(data+".dwSize", v.otherEight(8, v.rest(data, v.res("")), 16))
		}
	}},
	{"v2-multi-instances-size-align", nil, func(v *victim) {
		v.query(v.withInstances(1 + v.upTo(v.MaxInstances)))
		total := v.res("instances.dwTotalSize")
		v.set(total, v.noEight(8, v.get(total)))
	}},
	{"v2-multi-instances-count", nil, func(v *victim) {
		v.query(v.withInstances(1 + v.upTo(v.MaxInstances)))
		n := v.res("instances.dwInstances")
		v.set(n, pick(v.Source, v.from(v.get(n)+1), int64(v.upTo(int(v.get(n))))))
	}},
	{"v2-multi-instances-data-count", nil, func(v *victim) {
		if v.chance(80) { // one id less: the last could be padding
			v.query(v.sizedResult(layout.PERF_COUNTERSET, 2+2*v.upTo(4), 1+v.upTo(v.MaxInstances)))
			v.add(v.res("ids.dwCounters"), -1)
			return
		}
		v.query(v.withInstances(1 + v.upTo(v.MaxInstances)))
		counting := []string{"dwTotalSize", v.res("dwSize"), v.res("instances.dwTotalSize")}
		at := v.part(v.someValue()).Off()
		if v.chance(128) { // an instance lacks a value
			v.excise(at, 16, counting...)
			return
		}
		v.splice(at, append([]byte{8, 0, 0, 0, 16, 0, 0, 0}, v.bytes(8)...), counting...)
	}},
	{"v2-multi-instances-empty", nil, func(v *victim) {
		v.query(v.withInstances(1 + v.upTo(v.MaxInstances)))
		v.reencode(func(r *builder.Result) { r.Instances = nil })
	}},
}

var instanceHeaderBreakers = []breaker{
	{"v2-instance-header-bounds", nil, func(v *victim) {
		_, in, end := v.withNames(v.names(2))
		v.set(in+".Size", pick(v.Source, int64(v.upTo(16)), v.from(v.rest(in, end)+1)))
	}},
	{"v2-instance-header-align", nil, func(v *victim) {
		_, in, end := v.withNames(append(v.names(1), builder.QueryInstance{Name: "which is long", InstanceId: v.oddID()}))
		v.set(in+".Size", v.unalignedSize(in, end, 16))
	}},
	{"v2-instance-header-slack", nil, func(v *victim) {
		names := v.names(1)
		i, in, _ := v.withNames(names)
		names[i].Size = uint32(v.get(in+".Size")) + 8*uint32(1+v.upTo(100))
		v.replaceInstance(i, names[i])
	}},
	{"v2-instance-name-unterminated", nil, func(v *victim) {
		names := v.names(1)
		i, in, _ := v.withNames(names)
		if v.chance(128) {
			names[i].Name += strings.Repeat("n", v.characters())
			v.replaceInstance(i, names[i])
		}
		name := v.part(in + ".Name")
		for at := name.Off(); at < v.part(in).Off()+v.get(in+".Size"); at += 2 {
			binary.LittleEndian.PutUint16(v.block[at:], uint16('A'+v.upTo(26)))
		}
	}},
	{"v2-instance-name-empty", nil, func(v *victim) { v.withName("") }},
	{"v2-instance-name-too-long", nil, func(v *victim) {
		v.withName(strings.Repeat(v.word("x", "Я"), 1024+v.upTo(200)))
	}},
	{"v2-instance-name-utf16", nil, func(v *victim) {
		_, in, _ := v.withNames(v.names(1))
		name := v.part(in + ".Name").Bytes()
		binary.LittleEndian.PutUint16(name[2*v.upTo(len(name)/2-1):], v.half())
	}},
	{"v2-instance-name-wildcard", nil, func(v *victim) {
		v.withName(strings.Repeat("a", v.characters()) + pick(v.Source, "*", "?") + pick(v.Source, "", "b", "*"))
	}},
	{"v2-instance-duplicate", nil, func(v *victim) {
		names := v.names(2)
		v.withNames(names)
		first, second := v.two(len(names))
		again := names[first]
		if v.chance(128) {
			again.Name = strings.ToUpper(again.Name)
		}
		v.replaceInstance(second, again)
	}},
	{"v2-instance-name-case-duplicate", nil, func(v *victim) {
		names := v.names(2)
		v.withNames(names)
		first, second := v.two(len(names))
		v.replaceInstance(second, builder.QueryInstance{Name: strings.ToUpper(names[first].Name), InstanceId: names[first].InstanceId + 2 + 2*uint32(v.upTo(5))})
	}},
	{"v2-instance-id-wildcard", nil, func(v *victim) {
		_, in, _ := v.withNames(v.names(1))
		v.set(in+".InstanceId", noID)
	}},
	{"v2-instance-list-cover", nil, func(v *victim) {
		list := v.listOf(append(v.names(1), builder.QueryInstance{Name: "which is long", InstanceId: v.oddID()}))
		switch v.upTo(3) {
		case 0: // a part of one more instance
			v.block = append(v.block, v.bytes(1+v.upTo(layout.SizeofInstanceHeader-1))...)
		case 1:
			last := v.part(fmt.Sprintf("instance[%d]", len(list)-1))
			v.block = v.block[:last.Off()+1+int64(v.upTo(last.Len()-1))]
		case 2: // an instance whose Size is not the distance to the next instance
			in := fmt.Sprintf("instance[%d]", v.upTo(len(list)))
			v.set(in+".Size", v.otherEight(16, v.rest(in, ""), v.get(in+".Size")))
		}
	}},
}

// names returns at least least instances with distinct names.
func (v *victim) names(least int) []builder.QueryInstance {
	list := make([]builder.QueryInstance, least+v.upTo(v.MaxInstances))
	for i, name := range v.labels(len(list), 1, v.word(alphabet, "Größe ", "漢字Я")) {
		list[i].Name, list[i].InstanceId = name, v.oddID()
	}
	return list
}

// withName makes a block that has an instance with a name.
func (v *victim) withName(name string) {
	names := v.names(1)
	i, _, _ := v.withNames(names)
	v.replaceInstance(i, builder.QueryInstance{Name: name, InstanceId: names[i].InstanceId})
}

// withNames makes a list or query data with the instances. It returns the number and the path of an instance, and the
// path of the record that contains the instances, "" for a list.
func (v *victim) withNames(names []builder.QueryInstance) (i int, in, end string) {
	i = v.upTo(len(names))
	in = fmt.Sprintf("instance[%d]", i)
	if v.chance(80) {
		v.listOf(names)
		return i, in, ""
	}
	r := v.withInstances(0)
	for _, n := range names {
		n.Values = v.valuesOf(r.Counters)
		r.Add(n)
	}
	v.query(r)
	return i, v.res(in), v.res("")
}

// replaceInstance encodes the block again with another instance i, which keeps its values.
func (v *victim) replaceInstance(i int, by builder.QueryInstance) {
	if list, ok := v.made.(*builder.InstanceList); ok {
		(*list)[i] = builder.InstanceHeader{Name: by.Name, InstanceId: by.InstanceId, Size: by.Size}
		v.remodel(list)
		return
	}
	v.reencode(func(r *builder.Result) {
		by.Values = r.Instances[i].Values
		r.Instances[i] = by
	})
}

// listOf makes a list of the instances.
func (v *victim) listOf(names []builder.QueryInstance) builder.InstanceList {
	var list builder.InstanceList
	for _, n := range names {
		list = append(list, builder.InstanceHeader{Name: n.Name, InstanceId: n.InstanceId, Size: n.Size})
	}
	v.model(&list)
	return list
}

// unalignedSize returns a size for a record that is not a multiple of 8, from least to the end of another record. At the
// end of the size is no plausible size: the records could continue there.
func (v *victim) unalignedSize(from, to string, least int64) int64 {
	most := v.rest(from, to)
	n, b := v.noEight(least, most), v.block[v.part(from).Off():][:most]
	for n%8 == 0 || plausibleSize(b[n:]) {
		if n++; n > most {
			n = least
		}
	}
	return n
}

// plausibleSize reports whether one of the first two numbers could be the size of a record.
func plausibleSize(b []byte) bool {
	for i := 0; i < 8 && len(b) >= 8; i += 4 {
		if n := binary.LittleEndian.Uint32(b[i:]); n >= 8 && uint64(n) <= uint64(len(b)) {
			return true
		}
	}
	return false
}
