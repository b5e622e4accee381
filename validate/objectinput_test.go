package validate_test

import (
	"encoding/binary"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A testInstance is an instance that appendObject encodes. It need not be valid.
type testInstance struct {
	parent [2]uint32
	id     int32
	name   []byte // with its terminator
	block  uint32 // bytes of its counter block
}

// namedInstance returns an instance with a counter block of 8 bytes. name includes the terminator.
func namedInstance(name []byte) testInstance {
	return testInstance{id: layout.PERF_NO_UNIQUE_ID, name: name, block: 8}
}

// appendObject appends an object with counters and instances. It sets the lengths and counts.
func appendObject(b []byte, head wire.Object, counters []wire.Counter, instances []testInstance) []byte {
	start := len(b)
	head.HeaderLength, head.NumCounters, head.NumInstances = 64, uint32(len(counters)), int32(len(instances))
	head.DefinitionLength = 64 + 40*head.NumCounters
	b = head.Append(b)
	for _, c := range counters {
		c.ByteLength = 40
		b = c.Append(b)
	}
	var zero [8]byte
	for _, in := range instances {
		padding := -len(in.name) & 7
		b = wire.Instance{
			ByteLength: 24 + uint32(len(in.name)+padding), ParentObjectTitleIndex: in.parent[0], ParentObjectInstance: in.parent[1],
			UniqueID: in.id, NameOffset: 24, NameLength: uint32(len(in.name)),
		}.Append(b)
		b = append(append(b, in.name...), zero[:padding]...)
		b = wire.CounterBlock{ByteLength: in.block}.Append(b)
		b = append(b, make([]byte, in.block-4)...)
	}
	binary.LittleEndian.PutUint32(b[start:], uint32(len(b)-start))
	return b
}

// oneCounter has one valid counter.
var oneCounter = []wire.Counter{{
	CounterNameTitleIndex: 4002, CounterHelpTitleIndex: 4003, DetailLevel: layout.PERF_DETAIL_NOVICE,
	CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterSize: 4, CounterOffset: 4,
}}

// object4000 is the header of a valid object with the title 4000.
var object4000 = wire.Object{ObjectNameTitleIndex: 4000, ObjectHelpTitleIndex: 4001, DetailLevel: layout.PERF_DETAIL_NOVICE}

// dataBlockBytes returns a PERF_DATA_BLOCK followed by n objects. Its TotalByteLength is `cut`
// bytes larger than the block, as in a truncated block.
func dataBlockBytes(objects []byte, n, cut uint32) []byte {
	total := 88 + uint32(len(objects)) + cut
	return append(wire.DataBlock{
		Signature: layout.Signature, LittleEndian: 1, Version: 1, Revision: 1, TotalByteLength: total, HeaderLength: 88, NumObjectTypes: n,
		SystemTime: layout.SystemTime{WYear: 2000, WMonth: 1, WDayOfWeek: 6, WDay: 1}, PerfTime: 1, PerfFreq: 1, PerfTime100nSec: 1,
	}.Append(nil), objects...)
}

// poke writes DWORDs into a copy of b. numbers are pairs of an offset and a DWORD.
func poke(b []byte, numbers ...uint32) []byte {
	b = slices.Clone(b)
	for i := 0; i < len(numbers); i += 2 {
		binary.LittleEndian.PutUint32(b[numbers[i]:], numbers[i+1])
	}
	return b
}

// instanceList returns n instances. The function instance returns instance i.
func instanceList(n int, instance func(i int) testInstance) []testInstance {
	list := make([]testInstance, n)
	for i := range list {
		list[i] = instance(i)
	}
	return list
}

// counterList returns n counters. The function change modifies each counter.
func counterList(n int, change func(i int, c *wire.Counter)) []wire.Counter {
	list := make([]wire.Counter, n)
	for i := range list {
		list[i] = oneCounter[0]
		list[i].CounterNameTitleIndex, list[i].CounterHelpTitleIndex = uint32(4002+2*i), uint32(4003+2*i)
		change(i, &list[i])
	}
	return list
}

// caseVariant returns a name of 20 letters with its NUL. The bits of i select the letters in
// upper case.
func caseVariant(i int) []byte {
	name := text16("abcdefghijklmnopqrst")
	for bit := range 20 {
		name[2*bit] ^= byte(i>>bit&1) << 5
	}
	return terminated(name, 0)
}
