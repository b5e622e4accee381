//go:build !race

package validate_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// resultsOf returns query data with n results. make returns result i.
func resultsOf(n int, make func(i int) []byte) []byte {
	b := queryBytes()
	for i := range n {
		b = append(b, make(i)...)
	}
	return poke(b, 0, uint32(len(b)), 4, uint32(n))
}

// instancesOf returns query data with one result of n instances. make returns instance i.
// instancesOf appends a value to each instance.
func instancesOf(n int, make func(i int) []byte) []byte {
	var b []byte
	for i := range n {
		b = append(append(b, make(i)...), counterData(4)...)
	}
	return queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(n, b)))
}

// listOf returns a list of n instances. make returns instance i.
func listOf(n int, make func(i int) []byte) (b []byte) {
	for i := range n {
		b = append(b, make(i)...)
	}
	return b
}

// setEach writes value(i) as a uint32 at the offset start + i*step, for each i up to the end of b.
func setEach(b []byte, start, step int, value func(i int) uint32) []byte {
	for i := 0; start+step <= len(b); i, start = i+1, start+step {
		binary.LittleEndian.PutUint32(b[start:], value(i))
	}
	return b
}

var (
	plainName    = validInstanceHeader()
	unterminated = instanceHeader(1, text("xxxx")) // its name has no NUL
)

var hostileQueries = []hostile{
	{"results whose dwSize is 0", 300_000, layout.QueryDataKind, func(n int) []byte {
		return resultsOf(n, func(int) []byte { return poke(singleCounter(4), 8, 0) })
	}},
	{"results whose dwSize is too small", 300_000, layout.QueryDataKind, func(n int) []byte {
		return resultsOf(n, func(int) []byte { return poke(singleCounter(4), 8, 24) })
	}},
	{"results whose dwSize includes all following results", 300_000, layout.QueryDataKind, func(n int) []byte {
		return resultsOf(n, func(i int) []byte { return poke(singleCounter(4), 8, uint32(32*(n-i))) })
	}},
	{"results of an unknown type", 300_000, layout.QueryDataKind, func(n int) []byte {
		return resultsOf(n, func(int) []byte { return poke(singleCounter(4), 4, 9) })
	}},
	{"results of which every second has an unknown type", 300_000, layout.QueryDataKind, func(n int) []byte {
		return resultsOf(n, func(i int) []byte { return poke(singleCounter(4), 4, uint32(1+8*(i%2))) })
	}},
	{"results whose dwCounters is the number of the following values", 200_000, layout.QueryDataKind, func(n int) []byte {
		return resultsOf(n, func(int) []byte {
			return poke(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2), counterData(4, 4)), 8, 24, 20, math.MaxUint16)
		})
	}},
	{"results whose dwTotalSize includes all following results", 200_000, layout.QueryDataKind, func(n int) []byte {
		return resultsOf(n, func(i int) []byte {
			return poke(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(1, plainName, counterData(4))), 16, uint32(48*(n-i)), 20, math.MaxUint32)
		})
	}},
	{"results with two instances and a dwInstances of four billion", 200_000, layout.QueryDataKind, func(n int) []byte {
		return resultsOf(n, func(int) []byte {
			return poke(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, plainName, counterData(4), instanceHeader(2, text("dns\x00")), counterData(4))), 20, math.MaxUint32)
		})
	}},
	{"results whose instances extend over all following results", 20_000, layout.QueryDataKind, func(n int) []byte {
		b := poke(queryBytes(), 0, math.MaxUint32-15, 4, math.MaxUint32)
		end := 48 + 48*(n-1) + 72
		for i := range n {
			for _, v := range []int{0, 4, 48, 0, end - (len(b) + 16), n - i, 16, 0, 'a', 0, 24, 32} {
				b = binary.LittleEndian.AppendUint32(b, uint32(v))
			}
		}
		return append(b, bytes.Repeat([]byte{0xFF}, 32)...)
	}},
	{"results whose ids extend over all following results", 20_000, layout.QueryDataKind, func(n int) []byte {
		values := 48 + 24*n
		b := poke(queryBytes(), 0, 0, 4, uint32(n))
		for i := range n {
			ids := values - (48 + 24*i + 16)
			for _, v := range []int{0, int(layout.PERF_MULTIPLE_COUNTERS), 24, 0, ids, (ids - 8) / 4} {
				b = binary.LittleEndian.AppendUint32(b, uint32(v))
			}
		}
		return append(b, bytes.Repeat(counterData(8), 2*n)...)
	}},
	{"results without counter ids", 400_000, layout.QueryDataKind, func(n int) []byte {
		return resultsOf(n, func(int) []byte { return resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters()) })
	}},
	{"results without counter ids, and a registered set of many counters", 100_000, layout.QueryDataKind, func(n int) []byte {
		return resultsOf(n, func(int) []byte { return resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters()) })
	}},
	{"dwNumCounters of four billion", 300_000, layout.QueryDataKind, func(n int) []byte {
		return poke(resultsOf(n, func(int) []byte { return singleCounter(4) }), 4, math.MaxUint32)
	}},
	{"errors", 500_000, layout.QueryDataKind, func(n int) []byte {
		return resultsOf(n, func(int) []byte { return errorResult(0) })
	}},

	{"equal counter ids", 1_000_000, layout.QueryDataKind, func(n int) []byte {
		return queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(make([]uint32, n)...), multiInstances(0)))
	}},
	{"dwCounters of four billion", 500_000, layout.QueryDataKind, func(n int) []byte {
		return poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(make([]uint32, n)...), counterData(slices.Repeat([]uint32{4}, n)...))), 68, math.MaxUint32)
	}},
	{"a dwSize of the ids that is too large", 500_000, layout.QueryDataKind, func(n int) []byte {
		return poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(make([]uint32, n)...), counterData(slices.Repeat([]uint32{4}, n)...))), 64, uint32(8*n))
	}},
	{"values whose dwSize is 0", 500_000, layout.QueryDataKind, func(n int) []byte {
		b := queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(make([]uint32, n)...), counterData(slices.Repeat([]uint32{4}, n)...)))
		return setEach(b, len(b)-16*n+4, 16, func(int) uint32 { return 0 })
	}},
	{"values whose dwSize includes all following values", 500_000, layout.QueryDataKind, func(n int) []byte {
		b := queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(make([]uint32, n)...), counterData(slices.Repeat([]uint32{4}, n)...)))
		return setEach(b, len(b)-16*n+4, 16, func(i int) uint32 { return uint32(16 * (n - i)) })
	}},
	{"values whose dwDataSize is the number of the following bytes", 500_000, layout.QueryDataKind, func(n int) []byte {
		b := queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(make([]uint32, n)...), counterData(slices.Repeat([]uint32{4}, n)...)))
		return setEach(b, len(b)-16*n, 16, func(i int) uint32 { return uint32(16 * (n - i)) })
	}},

	{"results with equal instances", 300_000, layout.QueryDataKind, func(n int) []byte {
		return instancesOf(n, func(int) []byte { return plainName })
	}},
	{"results with instances of the same name and different ids", 300_000, layout.QueryDataKind, func(n int) []byte {
		return instancesOf(n, func(i int) []byte { return instanceHeader(uint32(i), text("web\x00")) })
	}},
	{"results with instances whose names differ only in case", 100_000, layout.QueryDataKind, func(n int) []byte {
		return instancesOf(n, func(i int) []byte { return instanceHeader(uint32(i), string(terminated(caseVariant(i), 0))) })
	}},
	{"results with instances whose Size is 0", 300_000, layout.QueryDataKind, func(n int) []byte {
		b := instancesOf(n, func(int) []byte { return plainName })
		return setEach(b, 72, 32, func(int) uint32 { return 0 })
	}},
	{"results with instances whose Size includes all following instances", 300_000, layout.QueryDataKind, func(n int) []byte {
		b := instancesOf(n, func(int) []byte { return plainName })
		return setEach(b, 72, 32, func(i int) uint32 { return uint32(32 * (n - i)) })
	}},
	{"results with instances whose Size includes all following instances, without NULs", 300_000, layout.QueryDataKind, func(n int) []byte {
		b := bytes.Repeat(instanceHeader(0x00780078, text("xxxxxxxx")), n)
		b = queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(n, b)))
		return setEach(b, 72, 24, func(i int) uint32 { return uint32(24 * (n - i)) })
	}},
	{"dwInstances of four billion", 300_000, layout.QueryDataKind, func(n int) []byte {
		return poke(instancesOf(n, func(int) []byte { return plainName }), 68, math.MaxUint32)
	}},
	{"results with instances that have six values for one counter", 200_000, layout.QueryDataKind, func(n int) []byte {
		return instancesOf(n, func(int) []byte { return append(slices.Clone(plainName), counterData(4, 4, 4, 4, 4)...) })
	}},

	{"a list of equal instances", 500_000, layout.InstancesKind, func(n int) []byte {
		return listOf(n, func(int) []byte { return plainName })
	}},
	{"a list of instances without NULs", 500_000, layout.InstancesKind, func(n int) []byte {
		return listOf(n, func(int) []byte { return unterminated })
	}},
	{"a list of instances without NULs whose Size is 0", 500_000, layout.InstancesKind, func(n int) []byte {
		return setEach(bytes.Repeat(unterminated, n), 0, 16, func(int) uint32 { return 0 })
	}},
	{"a list of instances without NULs whose Size includes all following instances", 500_000, layout.InstancesKind, func(n int) []byte {
		return setEach(bytes.Repeat(instanceHeader(0x00780078, text("xxxx")), n), 0, 16, func(i int) uint32 { return uint32(16*(n-i)) | 8 })
	}},
	{"a list of two very long names", 4_000_000, layout.InstancesKind, func(n int) []byte {
		return slices.Concat(instanceHeader(1, text(strings.Repeat("x", n)+"\x00")), instanceHeader(1, text(strings.Repeat("X", n)+"\x00")))
	}},
	{"zeros as query data", 10_000_000, layout.QueryDataKind, func(n int) []byte { return make([]byte, n) }},
	{"zeros as results", 10_000_000, layout.QueryDataKind, func(n int) []byte {
		return poke(append(queryBytes(), make([]byte, n)...), 0, uint32(48+n), 4, uint32(n/16))
	}},
	{"0xFF as query data", 10_000_000, layout.QueryDataKind, func(n int) []byte { return bytes.Repeat([]byte{0xFF}, n) }},
	{"zeros as a list", 10_000_000, layout.InstancesKind, func(n int) []byte { return make([]byte, n) }},
	{"0xFF as a list", 10_000_000, layout.InstancesKind, func(n int) []byte { return bytes.Repeat([]byte{0xFF}, n) }},
	{"letters as a list", 6_000_000, layout.InstancesKind, func(n int) []byte { return bytes.Repeat(text16("xxxx"), n/8) }},
	{"PERF_DATA_HEADER records", 10_000_000, layout.QueryDataKind, func(n int) []byte { return bytes.Repeat(queryBytes(), n/48) }},
}

// hostileContexts maps names of hostile inputs to functions. Each function returns the context for
// an input of n bytes.
var hostileContexts = map[string]func(n int) validate.Context{
	"results without counter ids, and a registered set of many counters": func(n int) validate.Context {
		return validate.Context{Registrations: [][]byte{registrationOfMany(n/48, func(int, *wire.CounterRegInfo) {})}}
	},
}

// identifierList returns a list of n identifiers. make returns identifier i and its name.
func identifierList(n int, make func(i int) (wire.CounterIdentifier, string)) (b []byte) {
	for i := range n {
		id, name := make(i)
		b = appendIdentifier(b, id, name)
	}
	return b
}

// stringBuffer returns a PERF_STRING_BUFFER_HEADER with n entries, followed by texts.
func stringBuffer(n int, texts string, offset func(i int) uint32) []byte {
	size := 8 + 8*n + len(texts)
	b := wire.StringBuffer{DwSize: uint32(size), DwCounters: uint32(n)}.Append(make([]byte, 0, size))
	for i := range n {
		b = wire.StringCounter{DwCounterId: uint32(i), DwOffset: offset(i)}.Append(b)
	}
	return append(b, texts...)
}

var hostileLists = []hostile{
	{"equal identifiers", 100_000, layout.IdentifiersKind, func(n int) []byte {
		return identifierList(n, func(int) (wire.CounterIdentifier, string) { return identifierOfName(text("*\x00")), text("*\x00") })
	}},
	{"identifiers with the same long name", 2_000, layout.IdentifiersKind, func(n int) []byte {
		name := text(strings.Repeat("x", 2000) + "\x00")
		return identifierList(n, func(int) (wire.CounterIdentifier, string) { return identifierOfName(name), name })
	}},
	{"identifiers whose Size includes all following identifiers", 100_000, layout.IdentifiersKind, func(n int) []byte {
		return identifierList(n, func(i int) (wire.CounterIdentifier, string) {
			id := identifierOfName("")
			id.Size = uint32(40 * (n - i))
			return id, ""
		})
	}},
	{"identifiers whose Size includes all following identifiers, and the last Size is 0", 100_000, layout.IdentifiersKind, func(n int) []byte {
		b := identifierList(n, func(i int) (wire.CounterIdentifier, string) {
			id := identifierOfName("")
			id.Size = uint32(40 * (n - i))
			return id, ""
		})
		return poke(b, uint32(len(b)-20), 0)
	}},
	{"identifiers whose Size includes all following identifiers, and whose bytes look like more identifiers", 50_000, layout.IdentifiersKind, func(n int) []byte {
		return identifierList(n, func(i int) (wire.CounterIdentifier, string) {
			return wire.CounterIdentifier{
				CounterSetGuid: layout.GUID{Data1: 'A', Data2: 1, Data4: [8]byte{2, 0, 0, 0, 3}}, Size: uint32(40 * (n - i)), InstanceId: 40,
			}, ""
		})
	}},
	{"an identifier whose extra bytes look like identifiers at every multiple of 8", 500_000, layout.IdentifiersKind, func(n int) []byte {
		id := identifierOfName("")
		id.Size = uint32(40 + 8*n + 40)
		return append(appendIdentifier(nil, id, "x\x00\x00\x00"+strings.Repeat("\x28\x00\x00\x00\x00\x00\x00\x00", n-1)), make([]byte, 40)...)
	}},
	{"identifiers whose Size is not a multiple of 8", 100_000, layout.IdentifiersKind, func(n int) []byte {
		id := identifierOfName("")
		id.Size = 43
		return bytes.Repeat(append(id.Append(nil), 0xFF, 0xFF, 0xFF), n)
	}},
	{"zeros as identifiers", 10_000_000, layout.IdentifiersKind, func(n int) []byte { return make([]byte, n) }},
	{"0x28 as identifiers", 10_000_000, layout.IdentifiersKind, func(n int) []byte { return bytes.Repeat([]byte{40, 0, 0, 0}, n/4) }},
	{"equal GUIDs", 1_000_000, layout.GUIDsKind, func(n int) []byte { return make([]byte, 16*n) }},
	{"different GUIDs", 500_000, layout.GUIDsKind, func(n int) (b []byte) {
		for i := range n {
			b = wire.GUID(layout.GUID{Data1: uint32(i)}).Append(b)
		}
		return b
	}},
	{"entries with the same string", 500_000, layout.StringsKind, func(n int) []byte {
		return stringBuffer(n, strings.Repeat("x\x00", 4*n)+"\x00\x00", func(int) uint32 { return uint32(8 + 8*n) })
	}},
	{"strings that start inside each other", 500_000, layout.StringsKind, func(n int) []byte {
		return stringBuffer(n, strings.Repeat("xx", 4*n)+"\x00\x00\x00", func(i int) uint32 { return uint32(8 + 8*n + 8*n - i) })
	}},
	{"strings that start inside each other, without a NUL", 500_000, layout.StringsKind, func(n int) []byte {
		return stringBuffer(n, strings.Repeat("xx", 4*n), func(i int) uint32 { return uint32(8 + 8*n + i) })
	}},
	{"strings whose offsets are not valid", 500_000, layout.StringsKind, func(n int) []byte {
		return stringBuffer(n, "", func(i int) uint32 { return uint32(i) })
	}},
	{"entries with the same counter", 500_000, layout.StringsKind, func(n int) []byte {
		b := stringBuffer(n, "", func(int) uint32 { return layout.NoString })
		for i := range n {
			binary.LittleEndian.PutUint32(b[8+8*i:], 1)
		}
		return b
	}},
	{"entries that dwCounters does not count", 500_000, layout.StringsKind, func(n int) []byte {
		return poke(stringBuffer(n, "", func(int) uint32 { return layout.NoString }), 4, 0)
	}},
}

// registrationOfMany returns a registration with n counters. change modifies each counter.
func registrationOfMany(n int, change func(i int, c *wire.CounterRegInfo)) []byte {
	b := wire.CounterSetRegInfo{NumCounters: uint32(n)}.Append(make([]byte, 0, 32+48*n))
	for i := range n {
		c := registeredCounter(uint32(i), layout.PERF_COUNTER_COUNTER)
		change(i, &c)
		b = c.Append(b)
	}
	return b
}

// templateOf returns a template of n counters. of(i) is the id and the offset of counter i.
func templateOf(n int, of func(i int) (id, offset uint32)) []byte {
	b := wire.CounterSetInfo{NumCounters: uint32(n)}.Append(make([]byte, 0, 40+32*n))
	for i := range n {
		id, offset := of(i)
		b = wire.CounterInfo{CounterId: id, Offset: offset}.Append(b)
	}
	return b
}

// instanceOf returns a PERF_COUNTERSET_INSTANCE of n bytes. fill is repeated after the header.
func instanceOf(n int, head wire.CounterSetInstance, fill ...byte) []byte {
	return append(head.Append(make([]byte, 0, n)), bytes.Repeat(fill, (n-32)/len(fill))...)
}

var hostileSets = []hostile{
	{"registered counters with the same id", 100_000, layout.RegSetKind, func(n int) []byte {
		return registrationOfMany(n, func(_ int, c *wire.CounterRegInfo) { c.CounterId = 7 })
	}},
	{"registered counters that refer to the last counter", 100_000, layout.RegSetKind, func(n int) []byte {
		return registrationOfMany(n, func(_ int, c *wire.CounterRegInfo) {
			id := uint32(n - 1)
			c.BaseCounterId, c.PerfTimeId, c.PerfFreqId, c.MultiId = id, id, id, id
		})
	}},
	{"registered counters that refer to missing counters", 100_000, layout.RegSetKind, func(n int) []byte {
		return registrationOfMany(n, func(i int, c *wire.CounterRegInfo) {
			c.BaseCounterId, c.PerfTimeId, c.PerfFreqId, c.MultiId = uint32(n+i), uint32(2*n+i), uint32(3*n+i), uint32(4*n+i)
		})
	}},
	{"registered counters with different clocks", 100_000, layout.RegSetKind, func(n int) []byte {
		return registrationOfMany(n, func(i int, c *wire.CounterRegInfo) {
			if c.Type = layout.PERF_COUNTER_LARGE_RAWCOUNT; i%2 == 0 {
				c.Type, c.PerfTimeId, c.PerfFreqId = layout.PERF_ELAPSED_TIME, uint32(i+1), uint32(i+1)
			}
		})
	}},
	{"zeros as a registration", 10_000_000, layout.RegSetKind, func(n int) []byte { return make([]byte, n) }},
	{"0xff as a registration", 10_000_000, layout.RegSetKind, func(n int) []byte { return bytes.Repeat([]byte{0xFF}, n) }},
	{"template counters with the same id and different offsets", 100_000, layout.TemplateKind, func(n int) []byte {
		return templateOf(n, func(i int) (id, offset uint32) { return 7, uint32(8 * i) })
	}},
	{"template counters with the same offset, except the last", 100_000, layout.TemplateKind, func(n int) []byte {
		return templateOf(n, func(i int) (id, offset uint32) { return uint32(i), uint32(i / (n - 1)) })
	}},
	{"0xff as a template", 10_000_000, layout.TemplateKind, func(n int) []byte { return bytes.Repeat([]byte{0xFF}, n) }},
	{"a counter set instance whose name has no NUL", 10_000_000, layout.InstanceBlockKind, func(n int) []byte {
		return instanceOf(n, wire.CounterSetInstance{DwSize: uint32(n), InstanceNameOffset: 32, InstanceNameSize: uint32(n - 32)}, 'a', 0)
	}},
	{"a counter set instance whose name has an odd offset", 10_000_000, layout.InstanceBlockKind, func(n int) []byte {
		return instanceOf(n, wire.CounterSetInstance{DwSize: uint32(n), InstanceNameOffset: 3, InstanceNameSize: uint32(n / 2)}, 'a')
	}},
	{"a counter set instance with many bytes of padding", 10_000_000, layout.InstanceBlockKind, func(n int) []byte {
		return instanceOf(n, wire.CounterSetInstance{DwSize: uint32(n), InstanceNameOffset: 32, InstanceNameSize: 2}, 0)
	}},
	{"a registered text without a NUL", 10_000_000, layout.RegStringKind, func(n int) []byte { return bytes.Repeat([]byte{'a'}, n) }},
	{"a registered text of NULs", 10_000_000, layout.RegStringKind, func(n int) []byte { return make([]byte, n) }},
}
