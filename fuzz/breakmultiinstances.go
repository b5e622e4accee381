package fuzz

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// multiInstancesBreakers break the rules about PERF_MULTI_INSTANCES.
var multiInstancesBreakers = []breaker{
	{"v2-multi-instances-bounds", nil, setField(anyQueryWithInstances, "result.instances.dwTotalSize",
		toOutside(layout.SizeofMultiInstances, span("result.instances.dwTotalSize", "result")))},
	{"v2-multi-instances-size-sum", nil, func(f *faultyBlock) {
		anyQueryWithInstances(f)
		switch f.upTo(3) {
		case 0:
			total := f.get("result.instances.dwTotalSize")
			f.set("result.instances.dwTotalSize", f.otherMultipleOf8(layout.SizeofMultiInstances, total, total))
		case 1: // the Size of an instance is not the distance to its values
			f.setOtherSize("result.instance.Size", leastInstanceSize, "result")
		case 2: // the dwSize of a value is not the distance to the next value
			f.setOtherSize("result.instance.data.dwSize", layout.SizeofCounterData, "result")
		}
	}},
	{"v2-multi-instances-size-align", nil, setField(anyQueryWithInstances, "result.instances.dwTotalSize",
		toUnaligned(layout.SizeofMultiInstances, field("result.instances.dwTotalSize")))},
	{"v2-multi-instances-count", nil, func(f *faultyBlock) {
		n := anyQueryWithInstances(f).get("result.instances.dwInstances")
		f.set("result.instances.dwInstances", pick(f.Source, f.atLeast(n+1), int64(f.upTo(int(n)))))
	}},
	{"v2-multi-instances-data-count", nil, func(f *faultyBlock) {
		if f.chance(80) { // dwCounters does not count the last id, which is then in the place of padding
			f.inQuery(f.resultOfSize(layout.PERF_COUNTERSET, 2+2*f.upTo(4), f.someInstances())).add("result.ids.dwCounters", -1)
			return
		}
		data := anyQueryWithInstances(f).part("result.instance.data")
		at := data.Off()
		sizes := []string{"dwTotalSize", "result.dwSize", "result.instances.dwTotalSize"}
		if f.chance(128) { // an instance has no value for one of the counters
			f.removeBytes(at, int64(data.Len()), sizes...)
			return
		}
		f.insertBytes(at, append([]byte{8, 0, 0, 0, valueSize, 0, 0, 0}, f.bytes(8)...), sizes...)
	}},
	{"v2-multi-instances-empty", nil, func(f *faultyBlock) {
		anyQueryWithInstances(f).changeResult(func(r *builder.Result) { r.Instances = nil })
	}},
}

// anyQueryWithInstances makes query data that has a result with at least one instance.
func anyQueryWithInstances(f *faultyBlock) *faultyBlock {
	return f.inQuery(f.resultOf(layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET))
}

// leastInstanceSize is the smallest Size of a PERF_INSTANCE_HEADER with a name.
const leastInstanceSize = layout.SizeofInstanceHeader + 8

// instanceHeaderBreakers break the rules about PERF_INSTANCE_HEADER.
var instanceHeaderBreakers = []breaker{
	{"v2-instance-header-bounds", nil, func(f *faultyBlock) {
		in, list := f.inListOrResult(f.queryInstances(2))
		f.set(in+".Size", pick(f.Source, int64(f.upTo(leastInstanceSize)), f.atLeast(f.distance(in, list)+1)))
	}},
	{"v2-instance-header-align", nil, func(f *faultyBlock) {
		in, list := f.inListOrResult(f.queryInstancesAndLong())
		f.set(in+".Size", f.unalignedSize(in, list, leastInstanceSize))
	}},
	{"v2-instance-header-slack", nil, func(f *faultyBlock) {
		in, _ := f.inListOrResult(f.queryInstances(1))
		size := uint32(f.get(in+".Size")) + 8*uint32(1+f.upTo(100))
		f.changeQueryInstance(func(in *builder.InstanceHeader) { in.Size = size })
	}},
	{"v2-instance-name-unterminated", nil, func(f *faultyBlock) {
		in, _ := f.inListOrResult(f.queryInstances(1))
		if f.chance(128) {
			f.changeQueryInstance(func(in *builder.InstanceHeader) { in.Name += strings.Repeat("n", f.nameLength()) })
		}
		end := f.part(in).Off() + f.get(in+".Size")
		for at := f.part(in + ".Name").Off(); at < end; at += 2 {
			binary.LittleEndian.PutUint16(f.block[at:], uint16('A'+f.upTo(26)))
		}
	}},
	{"v2-instance-name-empty", nil, func(f *faultyBlock) { f.withInstanceName("") }},
	{"v2-instance-name-too-long", nil, func(f *faultyBlock) {
		f.withInstanceName(strings.Repeat(pick(f.Source, "x", "Я"), 1024+f.upTo(200)))
	}},
	{"v2-instance-name-utf16", nil, func(f *faultyBlock) {
		in, _ := f.inListOrResult(f.queryInstances(1))
		name := f.part(in + ".Name").Bytes()
		binary.LittleEndian.PutUint16(name[2*f.upTo(len(name)/2-1):], f.halfSurrogate())
	}},
	{"v2-instance-name-wildcard", nil, func(f *faultyBlock) {
		f.withInstanceName(strings.Repeat("a", f.nameLength()) + pick(f.Source, "*", "?") + pick(f.Source, "", "b", "*"))
	}},
	{"v2-instance-duplicate", nil, func(f *faultyBlock) { f.duplicateInstance(0) }},
	{"v2-instance-name-case-duplicate", nil, func(f *faultyBlock) { f.duplicateInstance(2 + 2*uint32(f.upTo(5))) }},
	{"v2-instance-id-wildcard", nil, func(f *faultyBlock) {
		in, _ := f.inListOrResult(f.queryInstances(1))
		f.set(in+".InstanceId", noID)
	}},
	{"v2-instance-list-cover", nil, func(f *faultyBlock) {
		list := f.queryInstancesAndLong()
		f.inInstanceList(list)
		switch f.upTo(3) {
		case 0: // the bytes after the last instance are too few for one more
			f.appendBytes(layout.SizeofInstanceHeader - 1)
		case 1: // the last instance is truncated
			last := f.part(fmt.Sprintf("instance[%d]", len(list)-1))
			f.block = f.block[:last.Off()+1+int64(f.upTo(last.Len()-1))]
		case 2: // Size is not the distance to the next instance
			f.setOtherSize("instance.Size", leastInstanceSize, "")
		}
	}},
}

// queryInstances returns at least n instances with distinct names.
func (f *faultyBlock) queryInstances(n int) builder.InstanceList {
	if f.base != nil {
		return f.instancesOfBase(n)
	}
	list := make(builder.InstanceList, n+f.upTo(f.MaxInstances))
	for i, name := range f.distinctNames(len(list), 1, pick(f.Source, alphabet, "Größe ", "漢字Я")) {
		list[i].Name, list[i].InstanceId = name, f.oddInstanceID()
	}
	return list
}

// queryInstancesAndLong returns at least two instances with distinct names. The last name is long.
func (f *faultyBlock) queryInstancesAndLong() builder.InstanceList {
	if f.base != nil {
		return f.instancesOfBase(2)
	}
	return append(f.queryInstances(1), builder.InstanceHeader{Name: "which is long", InstanceId: f.oddInstanceID()})
}

func (f *faultyBlock) withInstanceName(name string) {
	f.inListOrResult(f.queryInstances(1))
	f.changeQueryInstance(func(in *builder.InstanceHeader) { in.Name, in.Size = name, 0 })
}

// duplicateInstance makes a block with an instance and its copy. The InstanceId of the copy is larger by idDifference.
func (f *faultyBlock) duplicateInstance(idDifference uint32) {
	list := f.queryInstances(2)
	f.inListOrResult(list)
	first, second := f.twoBelow(len(list))
	duplicate := list[first]
	duplicate.InstanceId += idDifference
	if idDifference > 0 || f.chance(128) {
		duplicate.Name = strings.ToUpper(duplicate.Name)
	}
	f.chosen["instance"] = second
	f.changeQueryInstance(func(in *builder.InstanceHeader) { in.Name, in.InstanceId = duplicate.Name, duplicate.InstanceId })
}

// inListOrResult makes an instance list, or query data with the instances. It returns the path of an instance and, for
// query data, the path of the result.
func (f *faultyBlock) inListOrResult(instances builder.InstanceList) (in, list string) {
	if f.base != nil && f.base.model.Kind() == layout.QueryDataKind {
		f.useResult()
		return "result.instance", "result"
	}
	if f.base != nil || f.chance(80) {
		f.inInstanceList(instances)
		return "instance", ""
	}
	r := f.resultOfSize(pick(f.Source, layout.PERF_MULTIPLE_INSTANCES, layout.PERF_COUNTERSET), f.someCounters(), 0)
	for _, in := range instances {
		r.Instance(in.Name, in.InstanceId, f.valuesOf(r.Counters)...)
	}
	f.inQuery(r)
	return "result.instance", "result"
}

// inInstanceList makes an instance list with the given instances, and chooses one of them.
func (f *faultyBlock) inInstanceList(list builder.InstanceList) {
	f.encodeOrTake(&list)
	f.chosen["instance"] = f.upTo(len(list))
}

// changeQueryInstance calls a function that changes the model of the chosen instance, in an instance list or in query
// data. Then it encodes the block again.
func (f *faultyBlock) changeQueryInstance(change func(*builder.InstanceHeader)) {
	if list, ok := f.made.(*builder.InstanceList); ok {
		change(&(*list)[f.chosen["instance"]])
		f.encodeFaulty(list)
		return
	}
	f.changeResult(func(r *builder.Result) {
		in := &r.Instances[f.chosen["instance"]]
		header := builder.InstanceHeader{Name: in.Name, InstanceId: in.InstanceId, Size: in.Size}
		change(&header)
		in.Name, in.InstanceId, in.Size = header.Name, header.InstanceId, header.Size
	})
}

// unalignedSize returns a wrong size for a record: a number of at least minSize that is not a multiple of 8. A record
// of this size still ends inside its parent.
func (f *faultyBlock) unalignedSize(recordPath, parentPath string, minSize int64) int64 {
	most := f.distance(recordPath, parentPath)
	n, b := f.unaligned(minSize, most), f.block[f.part(recordPath).Off():][:most]
	// The bytes after the record must not look like the size of another record.
	for n%8 == 0 || plausibleSize(b[n:]) {
		if n++; n > most {
			n = minSize
		}
	}
	return n
}

// plausibleSize reports whether one of the first two numbers in b could be the size of a record.
func plausibleSize(b []byte) bool {
	for i := 0; i < 8 && len(b) >= 8; i += 4 {
		if n := binary.LittleEndian.Uint32(b[i:]); n >= 8 && uint64(n) <= uint64(len(b)) {
			return true
		}
	}
	return false
}
