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

// answersOf returns query data with n results made by make.
func answersOf(n int, make func(i int) []byte) []byte {
	b := queryBytes()
	for i := range n {
		b = append(b, make(i)...)
	}
	return poke(b, 0, uint32(len(b)), 4, uint32(n))
}

// instancesOf returns query data with a result of n instances made by make, each with a value.
func instancesOf(n int, make func(i int) []byte) []byte {
	var b []byte
	for i := range n {
		b = append(append(b, make(i)...), counterData(4)...)
	}
	return queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(n, b)))
}

// listOf returns a list of n instances made by make.
func listOf(n int, make func(i int) []byte) (b []byte) {
	for i := range n {
		b = append(b, make(i)...)
	}
	return b
}

// setEach overwrites the first uint32 of each record of size bytes, from an offset on.
func setEach(b []byte, at, size int, claim func(i int) uint32) []byte {
	for i := 0; at+size <= len(b); i, at = i+1, at+size {
		binary.LittleEndian.PutUint32(b[at:], claim(i))
	}
	return b
}

var (
	plainName = validInstanceHeader()
	endless   = instanceHeader(1, text("xxxx")) // without a NUL
)

var hostileQueries = []hostile{
	{"results of size 0", 300_000, layout.QueryDataKind, func(n int) []byte {
		return answersOf(n, func(int) []byte { return poke(singleCounter(4), 8, 0) })
	}},
	{"results whose size ends inside them", 300_000, layout.QueryDataKind, func(n int) []byte {
		return answersOf(n, func(int) []byte { return poke(singleCounter(4), 8, 24) })
	}},
	{"results each with all that follow", 300_000, layout.QueryDataKind, func(n int) []byte {
		return answersOf(n, func(i int) []byte { return poke(singleCounter(4), 8, uint32(32*(n-i))) })
	}},
	{"results of an unknown type", 300_000, layout.QueryDataKind, func(n int) []byte {
		return answersOf(n, func(int) []byte { return poke(singleCounter(4), 4, 9) })
	}},
	{"every other result of an unknown type", 300_000, layout.QueryDataKind, func(n int) []byte {
		return answersOf(n, func(i int) []byte { return poke(singleCounter(4), 4, uint32(1+8*(i%2))) })
	}},
	{"results with as many values as follow", 200_000, layout.QueryDataKind, func(n int) []byte {
		return answersOf(n, func(int) []byte {
			return poke(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2), counterData(4, 4)), 8, 24, 20, math.MaxUint16)
		})
	}},
	{"results with instances to the end", 200_000, layout.QueryDataKind, func(n int) []byte {
		return answersOf(n, func(i int) []byte {
			return poke(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(1, plainName, counterData(4))), 16, uint32(48*(n-i)), 20, math.MaxUint32)
		})
	}},
	{"results with two instances that count four billion", 200_000, layout.QueryDataKind, func(n int) []byte {
		return answersOf(n, func(int) []byte {
			return poke(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, plainName, counterData(4), instanceHeader(2, text("dns\x00")), counterData(4))), 20, math.MaxUint32)
		})
	}},
	{"results whose instances include all that follow", 20_000, layout.QueryDataKind, func(n int) []byte {
		b := poke(queryBytes(), 0, math.MaxUint32-15, 4, math.MaxUint32)
		end := 48 + 48*(n-1) + 72
		for i := range n {
			for _, v := range []int{0, 4, 48, 0, end - (len(b) + 16), n - i, 16, 0, 'a', 0, 24, 32} {
				b = binary.LittleEndian.AppendUint32(b, uint32(v))
			}
		}
		return append(b, bytes.Repeat([]byte{0xFF}, 32)...)
	}},
	{"results without ids", 400_000, layout.QueryDataKind, func(n int) []byte {
		return answersOf(n, func(int) []byte { return resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters()) })
	}},
	{"results without ids, of a set of many counters", 100_000, layout.QueryDataKind, func(n int) []byte {
		return answersOf(n, func(int) []byte { return resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters()) })
	}},
	{"dwNumCounters of four billion", 300_000, layout.QueryDataKind, func(n int) []byte {
		return poke(answersOf(n, func(int) []byte { return singleCounter(4) }), 4, math.MaxUint32)
	}},
	{"errors and nothing else", 500_000, layout.QueryDataKind, func(n int) []byte {
		return answersOf(n, func(int) []byte { return errorResult(0) })
	}},

	{"equal ids", 1_000_000, layout.QueryDataKind, func(n int) []byte {
		return queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(make([]uint32, n)...), multiInstances(0)))
	}},
	{"dwCounters of four billion", 500_000, layout.QueryDataKind, func(n int) []byte {
		return poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(make([]uint32, n)...), counterData(slices.Repeat([]uint32{4}, n)...))), 68, math.MaxUint32)
	}},
	{"a dwSize of ids that ends inside the values", 500_000, layout.QueryDataKind, func(n int) []byte {
		return poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(make([]uint32, n)...), counterData(slices.Repeat([]uint32{4}, n)...))), 64, uint32(8*n))
	}},
	{"values of size 0", 500_000, layout.QueryDataKind, func(n int) []byte {
		b := queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(make([]uint32, n)...), counterData(slices.Repeat([]uint32{4}, n)...)))
		return setEach(b, len(b)-16*n+4, 16, func(int) uint32 { return 0 })
	}},
	{"values each with all that follow", 500_000, layout.QueryDataKind, func(n int) []byte {
		b := queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(make([]uint32, n)...), counterData(slices.Repeat([]uint32{4}, n)...)))
		return setEach(b, len(b)-16*n+4, 16, func(i int) uint32 { return uint32(16 * (n - i)) })
	}},
	{"values of as many bytes as follow", 500_000, layout.QueryDataKind, func(n int) []byte {
		b := queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(make([]uint32, n)...), counterData(slices.Repeat([]uint32{4}, n)...)))
		return setEach(b, len(b)-16*n, 16, func(i int) uint32 { return uint32(16 * (n - i)) })
	}},

	{"instances with one name", 300_000, layout.QueryDataKind, func(n int) []byte {
		return instancesOf(n, func(int) []byte { return plainName })
	}},
	{"instances with one name and different ids", 300_000, layout.QueryDataKind, func(n int) []byte {
		return instancesOf(n, func(i int) []byte { return instanceHeader(uint32(i), text("web\x00")) })
	}},
	{"instances whose names differ in case", 100_000, layout.QueryDataKind, func(n int) []byte {
		return instancesOf(n, func(i int) []byte { return instanceHeader(uint32(i), string(terminated(caseVariant(i), 0))) })
	}},
	{"instances of size 0", 300_000, layout.QueryDataKind, func(n int) []byte {
		b := instancesOf(n, func(int) []byte { return plainName })
		return setEach(b, 72, 32, func(int) uint32 { return 0 })
	}},
	{"instances each with all that follow", 300_000, layout.QueryDataKind, func(n int) []byte {
		b := instancesOf(n, func(int) []byte { return plainName })
		return setEach(b, 72, 32, func(i int) uint32 { return uint32(32 * (n - i)) })
	}},
	{"instances each with all that follow, without a NUL", 300_000, layout.QueryDataKind, func(n int) []byte {
		b := bytes.Repeat(instanceHeader(0x00780078, text("xxxxxxxx")), n)
		b = queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(n, b)))
		return setEach(b, 72, 24, func(i int) uint32 { return uint32(24 * (n - i)) })
	}},
	{"dwInstances of four billion", 300_000, layout.QueryDataKind, func(n int) []byte {
		return poke(instancesOf(n, func(int) []byte { return plainName }), 68, math.MaxUint32)
	}},
	{"one more value after each", 200_000, layout.QueryDataKind, func(n int) []byte {
		return instancesOf(n, func(int) []byte { return append(slices.Clone(plainName), counterData(4, 4, 4, 4, 4)...) })
	}},

	{"a list of one name", 500_000, layout.InstancesKind, func(n int) []byte {
		return listOf(n, func(int) []byte { return plainName })
	}},
	{"a list without NULs", 500_000, layout.InstancesKind, func(n int) []byte {
		return listOf(n, func(int) []byte { return endless })
	}},
	{"a list without NULs and sizes", 500_000, layout.InstancesKind, func(n int) []byte {
		return setEach(bytes.Repeat(endless, n), 0, 16, func(int) uint32 { return 0 })
	}},
	{"a list without NULs, each with all that follow", 500_000, layout.InstancesKind, func(n int) []byte {
		return setEach(bytes.Repeat(instanceHeader(0x00780078, text("xxxx")), n), 0, 16, func(i int) uint32 { return uint32(16*(n-i)) | 8 })
	}},
	{"a name that is nearly all of the list", 4_000_000, layout.InstancesKind, func(n int) []byte {
		return slices.Concat(instanceHeader(1, text(strings.Repeat("x", n)+"\x00")), instanceHeader(1, text(strings.Repeat("X", n)+"\x00")))
	}},
	{"zeros as query data", 10_000_000, layout.QueryDataKind, func(n int) []byte { return make([]byte, n) }},
	{"zeros after a header", 10_000_000, layout.QueryDataKind, func(n int) []byte {
		return poke(append(queryBytes(), make([]byte, n)...), 0, uint32(48+n), 4, uint32(n/16))
	}},
	{"0xFF as query data", 10_000_000, layout.QueryDataKind, func(n int) []byte { return bytes.Repeat([]byte{0xFF}, n) }},
	{"zeros as a list", 10_000_000, layout.InstancesKind, func(n int) []byte { return make([]byte, n) }},
	{"0xFF as a list", 10_000_000, layout.InstancesKind, func(n int) []byte { return bytes.Repeat([]byte{0xFF}, n) }},
	{"letters as a list", 6_000_000, layout.InstancesKind, func(n int) []byte { return bytes.Repeat(text16("xxxx"), n/8) }},
	{"headers of query data", 10_000_000, layout.QueryDataKind, func(n int) []byte { return bytes.Repeat(queryBytes(), n/48) }},
}

// hostileContexts returns the context for some of the hostile inputs, given their length.
var hostileContexts = map[string]func(n int) validate.Context{
	"results without ids, of a set of many counters": func(n int) validate.Context {
		return validate.Context{Registrations: [][]byte{registeredMany(n/48, func(int, *wire.CounterRegInfo) {})}}
	},
}
