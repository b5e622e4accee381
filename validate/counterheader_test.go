package validate_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestWrongQueryNumberIsReportedOnce writes wrong numbers into each length and count of query
// data with several records of each kind. It expects one error, at that field, that gives the
// correct number or the required multiple.
func TestWrongQueryNumberIsReportedOnce(t *testing.T) {
	t.Parallel()
	sound := everyResultType()
	if r := validate.Bytes(layout.QueryDataKind, sound, validate.Context{}); len(r.Findings) > 0 {
		t.Fatal(r.Err(validate.Info))
	}
	fields := 0
	for part := range layout.Walk(layout.QueryDataKind, sound) {
		f := part.Field
		if f == nil || !slices.Contains([]layout.RoleKind{layout.Length, layout.Count}, f.Role.Kind) || f.Name == "dwDataSize" {
			continue
		}
		fields++
		was := binary.LittleEndian.Uint32(part.Bytes())
		for _, is := range []uint32{0, 1, 7, was - 16, was - 8, was - 4, was - 1, was + 1, was + 4, was + 8, was + 16, 2 * was, 504, 512, 1<<31 - 1, 1 << 31, 1<<32 - 8, 1<<32 - 1} {
			short := f.Name == "dwSize" && part.Path.Elems()[1].Name == "ids" && was == 24 && is == 20 // dwSize without the padding is allowed
			if is == was || short {
				continue
			}
			b := bytes.Clone(sound)
			binary.LittleEndian.PutUint32(b[part.Off():], is)
			r := validate.Bytes(layout.QueryDataKind, b, validate.Context{})
			var said []validate.Finding
			for _, found := range r.Findings {
				limit := found.Rule.Name == "v2-multi-counters-limit-max" && is > 65536 // a second finding about the same field is expected
				if found.Severity == validate.Error && !limit {
					said = append(said, found)
				}
			}
			if len(said) != 1 || said[0].Path != part.Path || !strings.HasPrefix(said[0].Want, fmt.Sprint("must be ", was)) && !strings.HasPrefix(said[0].Want, "must be a multiple of 8") && !strings.HasSuffix(said[0].Want, "for which there is room") {
				t.Errorf("%v is %d and was %d: %v", part.Path, is, was, r.Err(validate.Info))
			}
		}
	}
	if fields != 36 {
		t.Errorf("%d fields", fields)
	}
}

// TestQuerySizes has sizes and counts that point outside their result or into another record.
func TestQuerySizes(t *testing.T) {
	t.Parallel()
	const billion = 4_000_000_000
	ids := func(changes ...uint32) []byte { // ids at 64, of 16 bytes, and values at 80 and 96
		return poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2), counterData(4, 8))), changes...)
	}
	odd := func(size uint32, padded bool, behind ...[]byte) []byte { // one id, of 12 bytes with or without padding
		id := poke(multiCounters(7), 0, size)
		if !padded {
			id = id[:12]
		}
		if len(behind) == 0 {
			return queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, id, counterData(8)))
		}
		return queryBytes(resultBytes(layout.PERF_COUNTERSET, append([][]byte{id}, behind...)...))
	}
	table := multiInstances(1, instanceHeader(1, text("a\x00")), counterData(8))
	unpadded := func(changes ...uint32) []byte { // three ids, then values at 84; the first is 24 bytes long
		b := resultBytes(layout.PERF_MULTIPLE_COUNTERS, poke(multiCounters(1, 2, 3), 0, 20)[:20], counterData(8, 8, 8))
		return poke(queryBytes(b), append(changes, 92, 24)...)
	}
	nested := func() []byte { // either one id and a value of 64 bytes, or four ids and the values inside that value
		value := wire.CounterData{DwDataSize: 64, DwSize: 72}.Append(nil)
		return queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, poke(multiCounters(7), 0, 24), value, counterData(8, 8, 8, 8)))
	}
	three := func(changes ...uint32) []byte { // instances at 72, 104 and 136, of 16 bytes, with a value of 16
		return poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES,
			multiInstances(3, instanceHeader(1, text("a\x00")), counterData(8), instanceHeader(3, text("b\x00")), counterData(8), instanceHeader(5, text("c\x00")), counterData(8)))), changes...)
	}
	data := func(n uint32, more ...[]byte) []byte {
		b := wire.CounterData{DwDataSize: n, DwSize: 16}.Append(nil)
		return queryBytes(resultBytes(layout.PERF_SINGLE_COUNTER, append([][]byte{b, make([]byte, 8)}, more...)...))
	}
	fifteen := func(n int) (b []byte) { // counterData of 4 bytes whose dwSize is 15, one after the other
		for range n {
			b = append(wire.CounterData{DwDataSize: 4, DwSize: 15}.Append(b), make([]byte, 7)...)
		}
		return b
	}
	for _, tt := range []queryTest{
		{"an odd id with its padding", odd(16, true), nil},
		{"the same before instances", odd(16, true, table), nil},
		{"the padding is there and is not counted", odd(12, true), []string{"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"the same before instances", odd(12, true, table), []string{"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"the same before instances, and the answer has no size", poke(odd(12, true, table), 56, 0), []string{
			"counter-header-bounds result[0].dwSize: dwSize is 0, must be 72, for what is in the result",
			"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"the padding is there and is not counted, and the answer has no size", poke(odd(12, true), 56, 0), []string{
			"counter-header-bounds result[0].dwSize: dwSize is 0, must be 48, for what is in the result",
			"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"there is none", odd(12, false), []string{
			"total-size-align dwTotalSize: dwTotalSize is 92, must be a multiple of 8",
			"counter-size-align result[0].dwSize: dwSize is 44, must be a multiple of 8",
			"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"no ids, bytes at their end look like a value, and the result has no size", unpadded(56, 0), []string{
			"total-size-align dwTotalSize: dwTotalSize is 132, must be a multiple of 8",
			"counter-header-bounds result[0].dwSize: dwSize is 0, must be a multiple of 8, for what is in the result",
			"multi-counters-unaligned result[0].ids.dwSize: dwSize is 20, must be 24, a multiple of 8"}},
		{"a size of neither", odd(24, true), []string{"multi-counters-size result[0].ids.dwSize: dwSize is 24, must be 16, for 1 ids"}},
		{"one between", odd(14, true), []string{"multi-counters-size result[0].ids.dwSize: dwSize is 14, must be 16, for 1 ids"}},
		{"one with room for more before instances", queryBytes(resultBytes(layout.PERF_COUNTERSET, poke(multiCounters(7), 0, 24), make([]byte, 8), table)), []string{"multi-counters-size result[0].ids.dwSize: dwSize is 24, must be 16, for 1 ids"}},
		{"the size of four ids: their values would be inside the value of the one", nested(), []string{
			"multi-counters-size result[0].ids.dwSize: dwSize is 24, must be 16, for 1 ids",
			"counter-data-width result[0].data[0].dwDataSize: dwDataSize is 64, must be 4 or 8"}},
		{"none", odd(0, true), []string{"multi-counters-bounds result[0].ids.dwSize: dwSize is 0, must be 16, for 1 ids"}},

		{"no ids at all", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters())), []string{"multi-counters-empty result[0].ids.dwCounters: dwCounters is 0, must be at least 1"}},
		{"nor a size", poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters())), 64, 0), []string{
			"multi-counters-bounds result[0].ids.dwSize: dwSize is 0, must be 8, for 0 ids",
			"multi-counters-empty result[0].ids.dwCounters: dwCounters is 0, must be at least 1"}},
		{"no room for how many there are", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS)), []string{"multi-counters-bounds result[0].ids: 0 bytes left in the result, must be at least 8, the size of PERF_MULTI_COUNTERS"}},
		{"the ids of an answer that ends in them", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2, 3)[:16])), []string{"multi-counters-bounds result[0].ids.dwSize: dwSize is 24, must be at most 16, the bytes left in the result"}},
		{"four billion ids", ids(68, billion), []string{
			"multi-counters-bounds result[0].ids.dwCounters: dwCounters is 4000000000, must be 2, the ids that dwSize has room for",
			"multi-counters-limit-max result[0].ids.dwCounters: dwCounters is 4000000000, must be at most 65536"}},
		{"an id less, which leaves a value", ids(68, 1), []string{"counter-size-sum result[0].ids.dwCounters: dwCounters is 1, must be 2, the values that fill the result"}},
		{"ids and their size", ids(64, 4, 68, 9), []string{"multi-counters-bounds result[0].ids.dwSize: dwSize is 4, must be at least 8"}},
		{"ids in the size of none", ids(64, 8, 68, 9), []string{"multi-counters-bounds result[0].ids.dwCounters: dwCounters is 9, must be at most 0, for which dwSize has room"}},
		{"ids in the size of one, and where that would end is no value", ids(64, 12, 68, 9), []string{"multi-counters-bounds result[0].ids.dwCounters: dwCounters is 9, must be at most 1, for which dwSize has room"}},
		{"an id twice, and one that is none", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(5, 0xFFFFFFFF, 5, 0), counterData(8, 8, 8, 8))), []string{
			"multi-counters-wildcard-id result[0].ids.id[1]: the id is 0xffffffff, PERF_WILDCARD_COUNTER, must be that of a counter",
			"multi-counters-duplicate-id result[0].ids.id[2]: counter 5 is at id[0] too, must be there once"}},

		{"what was a value is left in the room of a name", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2,
			poke(slices.Concat(instanceHeader(1, text("a\x00")), counterData(8), counterData(8)), 0, 48), counterData(8), instanceHeader(3, text("b\x00")), counterData(8)))), []string{
			"instance-header-slack result[0].instance[0].Size: Size is 48, must be 16, for the name",
			"padding-nonzero result[0].instance[0].padding: padding has the byte 0x08, must be 0"}},
		{"a former value remains after another value", poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2), counterData(8, 8, 4))), 84, 32), []string{
			"counter-data-slack result[0].data[0].dwSize: dwSize is 32, must be 16, for a value of 8 bytes",
			"padding-nonzero result[0].data[0].padding: padding has the byte 0x08, must be 0"}},
		{"no instances", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(0))), []string{"multi-instances-empty result[0].instances.dwInstances: dwInstances is 0, must be at least 1"}},
		{"no instances, and the answer has no size", poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(0))), 56, 0), []string{
			"counter-header-bounds result[0].dwSize: dwSize is 0, must be 24, for what is in the result",
			"multi-instances-empty result[0].instances.dwInstances: dwInstances is 0, must be at least 1"}},
		{"no room for how many there are", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES)), []string{"multi-instances-bounds result[0].instances: 0 bytes left in the result, must be at least 8, the size of PERF_MULTI_INSTANCES"}},
		{"four billion instances", three(68, billion), []string{"multi-instances-count result[0].instances.dwInstances: dwInstances is 4000000000, must be 3, the number of instances"}},
		{"instances that claim more than the answer has", three(64, 112), []string{"multi-instances-bounds result[0].instances.dwTotalSize: dwTotalSize is 112, must be 104, where the last instance ends"}},
		{"four billion bytes", three(64, billion), []string{"multi-instances-bounds result[0].instances.dwTotalSize: dwTotalSize is 4000000000, must be 104, where the last instance ends"}},
		{"four billion bytes of instances without values", poke(queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(), multiInstances(2, instanceHeader(1, text("a\x00")), instanceHeader(3, text("b\x00"))))), 72, billion), []string{
			"multi-counters-empty result[0].ids.dwCounters: dwCounters is 0, must be at least 1",
			"multi-instances-bounds result[0].instances.dwTotalSize: dwTotalSize is 4000000000, must be 40, where the last instance ends"}},
		{"how many, and of how many bytes", three(64, 40, 68, 9), []string{
			"multi-instances-size-sum result[0].instances.dwTotalSize: dwTotalSize is 40, must be 104, where the last instance ends",
			"multi-instances-count result[0].instances.dwInstances: dwInstances is 9, must be 3, the number of instances"}},
		{"the first claims all", three(72, 96), []string{"multi-instances-size-sum result[0].instance[0].Size: Size is 96, must be 16, for the name"}},
		{"the first claims more than all", three(72, 104), []string{"instance-header-bounds result[0].instance[0].Size: Size is 104, must be 16, for the name"}},
		{"one in the middle claims four billion", three(104, billion), []string{"instance-header-bounds result[0].instance[1].Size: Size is 4000000000, must be 16, for the name"}},
		{"the last claims its value", three(136, 32), []string{"multi-instances-size-sum result[0].instance[2].Size: Size is 32, must be 16, for the name"}},
		{"the only one, whose name is long, claims four billion", poke(queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(), multiInstances(1, instanceHeader(1, text(strings.Repeat("x", 40)+"\x00"))))), 80, billion), []string{
			"multi-counters-empty result[0].ids.dwCounters: dwCounters is 0, must be at least 1",
			"instance-header-bounds result[0].instance[0].Size: Size is 4000000000, must be 96, for the name"}},
		{"the same with a value", poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(1, instanceHeader(1, text(strings.Repeat("x", 40)+"\x00")), counterData(8)))), 72, billion), []string{
			"instance-header-bounds result[0].instance[0].Size: Size is 4000000000, must be 96, for the name"}},
		{"none of them has a size", three(72, 0, 104, 0, 136, 0), []string{
			"instance-header-bounds result[0].instance[0].Size: Size is 0, must be 16, for the name",
			"instance-header-bounds result[0].instance[1].Size: Size is 0, must be 16, for the name",
			"instance-header-bounds result[0].instance[2].Size: Size is 0, must be 16, for the name"}},
		{"one more value after the first", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8, 8), instanceHeader(3, text("b\x00")), counterData(8)))), []string{
			"multi-instances-data-count result[0].instances: one more value follows those of instance 0, each instance must have 1"}},
		{"one more value after each", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8, 8), instanceHeader(3, text("b\x00")), counterData(8, 8)))), []string{
			"multi-instances-data-count result[0].instances: each instance has 2 values, must have 1"}},
		{"two more values after each; the first looks like an instance with a name", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8, 8, 8), instanceHeader(3, text("b\x00")), counterData(8, 8, 8)))), []string{
			"multi-instances-data-count result[0].instances: each instance has 3 values, must have 1"}},
		{"a value before the first", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(1, counterData(8), instanceHeader(1, text("a\x00")), counterData(8)))), []string{
			"multi-instances-data-count result[0].instances: a value is where instance 0 must be, each instance must have 1"}},
		{"the last has none", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8), instanceHeader(3, text("b\x00"))))), []string{
			"multi-instances-data-count result[0].instances: the instances end where instance 1 must have a value, each instance must have 1"}},
		{"no NUL, and an InstanceId that could be the size of a value", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(24, text("abcd")), counterData(8), instanceHeader(3, text("b\x00")), counterData(8)))), []string{
			"instance-name-unterminated result[0].instance[0].Name: the 8 bytes of the name have no NUL, must end in a NUL"}},
		{"each has two, of three counters", queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(1, 2, 3), multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8, 8), instanceHeader(3, text("b\x00")), counterData(8, 8)))), []string{
			"multi-instances-data-count result[0].instances: an instance starts where instance 0 must have a value, each instance must have 3"}},
		{"each has two, of four counters that are to be three", poke(queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(1, 2, 3), multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8, 8, 8), instanceHeader(3, text("b\x00")), counterData(8, 8, 8)))), 68, 4), []string{
			"multi-instances-data-count result[0].ids.dwCounters: dwCounters is 4, must be 3, the values that each instance has"}},

		{"values of 4 billion bytes", ids(80, billion), []string{"counter-data-datasize result[0].data[0].dwDataSize: dwDataSize is 4000000000, must be at most 8, for which dwSize has room"}},
		{"consecutive records of size 0", ids(84, 0, 100, 0), []string{
			"counter-data-bounds result[0].data[0].dwSize: dwSize is 0, must be a multiple of 8 from 8 to 32, the bytes left"}},
		{"a value of 15 bytes in an answer of 40", poke(data(8, make([]byte, 8)), 68, 15), []string{
			"counter-size-sum result[0].dwSize: dwSize is 40, must be 32, for what is in the result",
			"counter-data-datasize result[0].data[0].dwDataSize: dwDataSize is 8, must be at most 7, for which dwSize has room",
			"counter-data-align result[0].data[0].dwSize: dwSize is 15, must be a multiple of 8"}},
		{"nine values of 15 bytes in an answer of 200", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2, 3, 4, 5, 6, 7, 8, 9), fifteen(9), make([]byte, 9+16))), slices.Insert(slices.Collect(func(yield func(string) bool) {
			for i := range 9 {
				if !yield(fmt.Sprintf("counter-data-align result[0].data[%d].dwSize: dwSize is 15, must be a multiple of 8", i)) {
					return
				}
			}
		}), 0, "counter-size-sum result[0].dwSize: dwSize is 224, must be 208, for what is in the result")},
		{"a value more than one", data(8, counterData(8)), []string{"counter-size-sum result[0].dwSize: dwSize is 48, must be 32, for what is in the result"}},
		{"none", queryBytes(resultBytes(layout.PERF_SINGLE_COUNTER)), []string{"counter-size-sum result[0].dwSize: dwSize is 16, must be larger: it ends before the value"}},
		{"half of one", queryBytes(resultBytes(layout.PERF_SINGLE_COUNTER, counterData(8)[:8])), []string{"counter-data-bounds result[0].data[0].dwSize: dwSize is 16, must be 8, the bytes left"}},
		{"no bytes", data(0), []string{"counter-data-empty result[0].data[0].dwDataSize: dwDataSize is 0, must be 4 or 8"}},
		{"one", data(1), []string{"counter-data-width result[0].data[0].dwDataSize: dwDataSize is 1, must be 4 or 8"}},
		{"seven", data(7), []string{"counter-data-width result[0].data[0].dwDataSize: dwDataSize is 7, must be 4 or 8"}},
		{"nine in the room of eight", data(9), []string{"counter-data-datasize result[0].data[0].dwDataSize: dwDataSize is 9, must be at most 8, for which dwSize has room"}},
	} {
		tt.run(t, layout.QueryDataKind, validate.Context{})
	}
}
