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

// TestWrongQueryNumberIsReportedOnce writes wrong numbers into each length and count in query data.
// A wrong number must give exactly one error, at the field with this number. The test does not change
// dwDataSize.
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
			var errors []validate.Finding
			for _, found := range r.Findings {
				limit := found.Rule.Name == "v2-multi-counters-limit-max" && is > 65536 // a second finding about the same field is expected
				if found.Severity == validate.Error && !limit {
					errors = append(errors, found)
				}
			}
			if len(errors) != 1 || errors[0].Path != part.Path || !strings.HasPrefix(errors[0].Want, fmt.Sprint("must be ", was)) && !strings.HasPrefix(errors[0].Want, "must be a multiple of 8") {
				t.Errorf("%v is %d and was %d: %v", part.Path, is, was, r.Err(validate.Info))
			}
		}
	}
	if fields != 36 {
		t.Errorf("the data has %d lengths and counts, must have 36", fields)
	}
}

// TestQuerySizes checks sizes and counts that do not match the records of their result.
func TestQuerySizes(t *testing.T) {
	t.Parallel()
	const billion = 4_000_000_000
	ids := func(changes ...uint32) []byte { // the ids are at 64 and have 16 bytes; the values are at 80 and 96
		return poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2), counterData(4, 8))), changes...)
	}
	odd := func(size uint32, padded bool, after ...[]byte) []byte { // one id in 12 bytes, and 4 bytes of padding if padded
		id := poke(multiCounters(7), 0, size)
		if !padded {
			id = id[:12]
		}
		if len(after) == 0 {
			return queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, id, counterData(8)))
		}
		return queryBytes(resultBytes(layout.PERF_COUNTERSET, append([][]byte{id}, after...)...))
	}
	table := multiInstances(1, instanceHeader(1, text("a\x00")), counterData(8))
	unpadded := func(changes ...uint32) []byte { // three ids without padding, then values at 84; the first value is 24
		b := resultBytes(layout.PERF_MULTIPLE_COUNTERS, poke(multiCounters(1, 2, 3), 0, 20)[:20], counterData(8, 8, 8))
		return poke(queryBytes(b), append(changes, 92, 24)...)
	}
	nested := func() []byte { // one id and a value of 64 bytes; also readable as four ids and four values
		value := wire.CounterData{DwDataSize: 64, DwSize: 72}.Append(nil)
		return queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, poke(multiCounters(7), 0, 24), value, counterData(8, 8, 8, 8)))
	}
	three := func(changes ...uint32) []byte { // instances of 16 bytes at 72, 104 and 136; each value has 16 bytes
		return poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES,
			multiInstances(3, instanceHeader(1, text("a\x00")), counterData(8), instanceHeader(3, text("b\x00")), counterData(8), instanceHeader(5, text("c\x00")), counterData(8)))), changes...)
	}
	data := func(n uint32, more ...[]byte) []byte {
		b := wire.CounterData{DwDataSize: n, DwSize: 16}.Append(nil)
		return queryBytes(resultBytes(layout.PERF_SINGLE_COUNTER, append([][]byte{b, make([]byte, 8)}, more...)...))
	}
	fifteen := func(n int) (b []byte) { // n consecutive values of 4 bytes, each with dwSize 15
		for range n {
			b = append(wire.CounterData{DwDataSize: 4, DwSize: 15}.Append(b), make([]byte, 7)...)
		}
		return b
	}
	for _, tt := range []queryTest{
		{"dwSize of the ids includes their padding", odd(16, true), nil},
		{"dwSize of the ids includes their padding, and instances follow", odd(16, true, table), nil},
		{"dwSize of the ids omits their padding", odd(12, true), []string{"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"dwSize of the ids omits their padding, and instances follow", odd(12, true, table), []string{"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"dwSize of the ids omits their padding, instances follow, and dwSize of the result is 0", poke(odd(12, true, table), 56, 0), []string{
			"counter-header-bounds result[0].dwSize: dwSize is 0, must be 72, the size of the header and the content",
			"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"dwSize of the ids omits their padding, and dwSize of the result is 0", poke(odd(12, true), 56, 0), []string{
			"counter-header-bounds result[0].dwSize: dwSize is 0, must be 48, the size of the header and the content",
			"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"the ids have no padding", odd(12, false), []string{
			"total-size-align dwTotalSize: dwTotalSize is 92, must be a multiple of 8",
			"counter-size-align result[0].dwSize: dwSize is 44, must be a multiple of 8",
			"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"the ids have no padding, and dwTotalSize is rounded up", poke(odd(12, false), 0, 96), []string{
			"total-size-bounds: has 92 bytes, must have 96, the dwTotalSize",
			"counter-size-align result[0].dwSize: dwSize is 44, must be a multiple of 8",
			"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"the ids have no padding, dwTotalSize is rounded up, and dwSize is larger", poke(odd(12, false), 0, 96, 56, 48), []string{
			"total-size-bounds: has 92 bytes, must have 96, the dwTotalSize",
			"counter-header-bounds result[0]: has 44 bytes, must have 48, the dwSize",
			"multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"}},
		{"dwSize of the result is not a multiple of 8, and dwSize of the ids is too large", poke(ids(), 56, 44, 64, 100), []string{
			"counter-size-align result[0].dwSize: dwSize is 44, must be a multiple of 8",
			"multi-counters-bounds result[0].ids.dwSize: dwSize is 100, must be at most 24, because the number of bytes left in the result is 28"}},
		{"the ids have no padding, bytes at their end look like a value, and dwSize of the result is 0", unpadded(56, 0), []string{
			"total-size-align dwTotalSize: dwTotalSize is 132, must be a multiple of 8",
			"counter-header-bounds result[0].dwSize: dwSize is 0, must be 88, the size of the header and the content, rounded up to a multiple of 8",
			"multi-counters-unaligned result[0].ids.dwSize: dwSize is 20, must be 24, a multiple of 8"}},
		{"dwSize of the ids is larger than the ids and their padding", odd(24, true), []string{"multi-counters-size result[0].ids.dwSize: dwSize is 24, must be 16, for 1 id"}},
		{"dwSize of the ids counts half of the padding", odd(14, true), []string{"multi-counters-size result[0].ids.dwSize: dwSize is 14, must be 16, for 1 id"}},
		{"dwSize of the ids counts 8 more zero bytes, and instances follow", queryBytes(resultBytes(layout.PERF_COUNTERSET, poke(multiCounters(7), 0, 24), make([]byte, 8), table)), []string{"multi-counters-size result[0].ids.dwSize: dwSize is 24, must be 16, for 1 id"}},
		{"dwSize of the ids is the size of four ids, and the only value contains bytes that look like four values", nested(), []string{
			"multi-counters-size result[0].ids.dwSize: dwSize is 24, must be 16, for 1 id",
			"counter-data-width result[0].data[0].dwDataSize: dwDataSize is 64, must be 4 or 8"}},
		{"dwSize of the ids is 0", odd(0, true), []string{"multi-counters-bounds result[0].ids.dwSize: dwSize is 0, must be 16, for 1 id"}},

		{"the list of ids is empty", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters())), []string{"multi-counters-empty result[0].ids.dwCounters: dwCounters is 0, must be at least 1"}},
		{"the list of ids is empty, and its dwSize is 0", poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters())), 64, 0), []string{
			"multi-counters-bounds result[0].ids.dwSize: dwSize is 0, must be 8, for 0 ids",
			"multi-counters-empty result[0].ids.dwCounters: dwCounters is 0, must be at least 1"}},
		{"the result ends before the header of the ids", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS)), []string{"multi-counters-bounds result[0].ids: 0 bytes left in the result, must be at least 8, the size of PERF_MULTI_COUNTERS"}},
		{"the result ends in the list of ids", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2, 3)[:16])), []string{"multi-counters-bounds result[0].ids.dwSize: dwSize is 24, must be at most 16, the number of bytes left in the result"}},
		{"the result ends in the last id", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2, 3)[:20])), []string{
			"total-size-align dwTotalSize: dwTotalSize is 84, must be a multiple of 8",
			"counter-size-align result[0].dwSize: dwSize is 36, must be a multiple of 8",
			"multi-counters-bounds result[0].ids.dwSize: dwSize is 24, must be at most 16, because the number of bytes left in the result is 20"}},
		{"dwCounters is four billion", ids(68, billion), []string{
			"multi-counters-bounds result[0].ids.dwCounters: dwCounters is 4000000000, must be 2, the number of ids that fill dwSize",
			"multi-counters-limit-max result[0].ids.dwCounters: dwCounters is 4000000000, must be at most 65536"}},
		{"dwCounters is one too small, so one value is left", ids(68, 1), []string{"counter-size-sum result[0].ids.dwCounters: dwCounters is 1, must be 2, the number of values that fill the result"}},
		{"dwCounters is too large, and dwSize of the ids is too small for its header", ids(64, 4, 68, 9), []string{"multi-counters-bounds result[0].ids.dwSize: dwSize is 4, must be at least 8"}},
		{"dwCounters is 9, and dwSize has room for no ids", ids(64, 8, 68, 9), []string{"multi-counters-bounds result[0].ids.dwCounters: dwCounters is 9, must be at most 0, the number of ids that fit into dwSize"}},
		{"dwCounters is 9, dwSize has room for one id, and no value follows that id", ids(64, 12, 68, 9), []string{"multi-counters-bounds result[0].ids.dwCounters: dwCounters is 9, must be at most 1, the number of ids that fit into dwSize"}},
		{"an id occurs twice, and another id is the wildcard", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(5, 0xFFFFFFFF, 5, 0), counterData(8, 8, 8, 8))), []string{
			"multi-counters-wildcard-id result[0].ids.id[1]: the id is 0xffffffff, PERF_WILDCARD_COUNTER, must be the id of a counter",
			"multi-counters-duplicate-id result[0].ids.id[2]: the id is 5, must differ from id[0]"}},

		{"the Size of an instance includes a former value", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2,
			poke(slices.Concat(instanceHeader(1, text("a\x00")), counterData(8), counterData(8)), 0, 48), counterData(8), instanceHeader(3, text("b\x00")), counterData(8)))), []string{
			"instance-header-slack result[0].instance[0].Size: Size is 48, must be 16, the size that the name requires",
			"padding-nonzero result[0].instance[0].padding: padding has the byte 0x08, must be 0"}},
		{"the dwSize of a value includes a former value", poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2), counterData(8, 8, 4))), 84, 32), []string{
			"counter-data-slack result[0].data[0].dwSize: dwSize is 32, must be 16, for a value of 8 bytes",
			"padding-nonzero result[0].data[0].padding: padding has the byte 0x08, must be 0"}},
		{"the list of instances is empty", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(0))), []string{"multi-instances-empty result[0].instances.dwInstances: dwInstances is 0, must be at least 1"}},
		{"the list of instances is empty, and dwSize of the result is 0", poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(0))), 56, 0), []string{
			"counter-header-bounds result[0].dwSize: dwSize is 0, must be 24, the size of the header and the content",
			"multi-instances-empty result[0].instances.dwInstances: dwInstances is 0, must be at least 1"}},
		{"the result ends before the header of the instances", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES)), []string{"multi-instances-bounds result[0].instances: 0 bytes left in the result, must be at least 8, the size of PERF_MULTI_INSTANCES"}},
		{"dwInstances is four billion", three(68, billion), []string{"multi-instances-count result[0].instances.dwInstances: dwInstances is 4000000000, must be 3, the number of instances"}},
		{"dwTotalSize of the instances ends outside the result", three(64, 112), []string{"multi-instances-bounds result[0].instances.dwTotalSize: dwTotalSize is 112, must be 104, where the last instance ends"}},
		{"dwTotalSize of the instances is four billion", three(64, billion), []string{"multi-instances-bounds result[0].instances.dwTotalSize: dwTotalSize is 4000000000, must be 104, where the last instance ends"}},
		{"dwTotalSize of instances without values is four billion", poke(queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(), multiInstances(2, instanceHeader(1, text("a\x00")), instanceHeader(3, text("b\x00"))))), 72, billion), []string{
			"multi-counters-empty result[0].ids.dwCounters: dwCounters is 0, must be at least 1",
			"multi-instances-bounds result[0].instances.dwTotalSize: dwTotalSize is 4000000000, must be 40, where the last instance ends"}},
		{"both dwTotalSize and dwInstances are wrong", three(64, 40, 68, 9), []string{
			"multi-instances-size-sum result[0].instances.dwTotalSize: dwTotalSize is 40, must be 104, where the last instance ends",
			"multi-instances-count result[0].instances.dwInstances: dwInstances is 9, must be 3, the number of instances"}},
		{"Size of the first instance includes all others", three(72, 96), []string{"multi-instances-size-sum result[0].instance[0].Size: Size is 96, must be 16, the size that the name requires"}},
		{"Size of the first instance ends outside the result", three(72, 104), []string{"instance-header-bounds result[0].instance[0].Size: Size is 104, must be 16, the size that the name requires"}},
		{"Size of the second instance is four billion", three(104, billion), []string{"instance-header-bounds result[0].instance[1].Size: Size is 4000000000, must be 16, the size that the name requires"}},
		{"Size of the last instance includes its value", three(136, 32), []string{"multi-instances-size-sum result[0].instance[2].Size: Size is 32, must be 16, the size that the name requires"}},
		{"Size of the only instance is four billion, and its name is long", poke(queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(), multiInstances(1, instanceHeader(1, text(strings.Repeat("x", 40)+"\x00"))))), 80, billion), []string{
			"multi-counters-empty result[0].ids.dwCounters: dwCounters is 0, must be at least 1",
			"instance-header-bounds result[0].instance[0].Size: Size is 4000000000, must be 96, the size that the name requires"}},
		{"Size of the only instance is four billion, its name is long, and it has a value", poke(queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(1, instanceHeader(1, text(strings.Repeat("x", 40)+"\x00")), counterData(8)))), 72, billion), []string{
			"instance-header-bounds result[0].instance[0].Size: Size is 4000000000, must be 96, the size that the name requires"}},
		{"Size of all instances is 0", three(72, 0, 104, 0, 136, 0), []string{
			"instance-header-bounds result[0].instance[0].Size: Size is 0, must be 16, the size that the name requires",
			"instance-header-bounds result[0].instance[1].Size: Size is 0, must be 16, the size that the name requires",
			"instance-header-bounds result[0].instance[2].Size: Size is 0, must be 16, the size that the name requires"}},
		{"the first instance has one value too many", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8, 8), instanceHeader(3, text("b\x00")), counterData(8)))), []string{
			"multi-instances-data-count result[0].instances: instance 0 has too many values, each instance must have 1 value"}},
		{"each instance has one value too many", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8, 8), instanceHeader(3, text("b\x00")), counterData(8, 8)))), []string{
			"multi-instances-data-count result[0].instances: each instance has 2 values, must have 1"}},
		{"each instance has two values too many, and the first extra value looks like an instance", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8, 8, 8), instanceHeader(3, text("b\x00")), counterData(8, 8, 8)))), []string{
			"multi-instances-data-count result[0].instances: each instance has 3 values, must have 1"}},
		{"a value precedes the first instance", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(1, counterData(8), instanceHeader(1, text("a\x00")), counterData(8)))), []string{
			"multi-instances-data-count result[0].instances: a value is where instance 0 must be, each instance must have 1 value"}},
		{"the last instance has no value", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8), instanceHeader(3, text("b\x00"))))), []string{
			"multi-instances-data-count result[0].instances: instance 1 has too few values, each instance must have 1 value"}},
		{"the name has no NUL, and InstanceId could be the dwSize of a value", queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(2, instanceHeader(24, text("abcd")), counterData(8), instanceHeader(3, text("b\x00")), counterData(8)))), []string{
			"instance-name-unterminated result[0].instance[0].Name: the 8 bytes of the name have no NUL, must end in a NUL"}},
		{"each instance has two values for three counters", queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(1, 2, 3), multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8, 8), instanceHeader(3, text("b\x00")), counterData(8, 8)))), []string{
			"multi-instances-data-count result[0].instances: instance 0 has too few values, each instance must have 3 values"}},
		{"dwCounters is 4, and there are three ids and three values", poke(queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(1, 2, 3), multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8, 8, 8), instanceHeader(3, text("b\x00")), counterData(8, 8, 8)))), 68, 4), []string{
			"multi-instances-data-count result[0].ids.dwCounters: dwCounters is 4, must be 3, the number of values of each instance"}},

		{"dwDataSize is four billion", ids(80, billion), []string{"counter-data-datasize result[0].data[0].dwDataSize: dwDataSize is 4000000000, must be at most 8, because dwSize is 16"}},
		{"dwSize of two consecutive values is 0", ids(84, 0, 100, 0), []string{
			"counter-data-bounds result[0].data[0].dwSize: dwSize is 0, must be a multiple of 8 from 8 to 32, the number of bytes left in the result"}},
		{"dwSize of a value is 15 in a result of 40 bytes", poke(data(8, make([]byte, 8)), 68, 15), []string{
			"counter-size-sum result[0].dwSize: dwSize is 40, must be 32, the size of the header and the content",
			"counter-data-align result[0].data[0].dwSize: dwSize is 15, must be a multiple of 8"}},
		{"dwSize of a value is 15 and dwDataSize is four billion, in a result of 40 bytes", poke(data(billion, make([]byte, 8)), 68, 15), []string{
			"counter-size-sum result[0].dwSize: dwSize is 40, must be 32, the size of the header and the content",
			"counter-data-datasize result[0].data[0].dwDataSize: dwDataSize is 4000000000, must be at most 8, because dwSize, rounded up to a multiple of 8, is 16",
			"counter-data-align result[0].data[0].dwSize: dwSize is 15, must be a multiple of 8"}},
		{"dwSize of a value is 12 and dwDataSize is 6, in a result of 40 bytes", poke(data(6, make([]byte, 8)), 68, 12), []string{
			"counter-size-sum result[0].dwSize: dwSize is 40, must be 32, the size of the header and the content",
			"counter-data-width result[0].data[0].dwDataSize: dwDataSize is 6, must be 4 or 8",
			"counter-data-align result[0].data[0].dwSize: dwSize is 12, must be a multiple of 8"}},
		{"dwSize of nine values is 15 in a result of 224 bytes", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2, 3, 4, 5, 6, 7, 8, 9), fifteen(9), make([]byte, 9+16))), slices.Insert(slices.Collect(func(yield func(string) bool) {
			for i := range 9 {
				if !yield(fmt.Sprintf("counter-data-align result[0].data[%d].dwSize: dwSize is 15, must be a multiple of 8", i)) {
					return
				}
			}
		}), 0, "counter-size-sum result[0].dwSize: dwSize is 224, must be 208, the size of the header and the content")},
		{"a single counter has two values", data(8, counterData(8)), []string{"counter-size-sum result[0].dwSize: dwSize is 48, must be 32, the size of the header and the content"}},
		{"a single counter has no value", queryBytes(resultBytes(layout.PERF_SINGLE_COUNTER)), []string{"counter-size-sum result[0].dwSize: dwSize is 16, must be larger, because the result must have a value"}},
		{"the result ends in the header of the value", queryBytes(resultBytes(layout.PERF_SINGLE_COUNTER, counterData(8)[:8])), []string{"counter-data-bounds result[0].data[0].dwSize: dwSize is 16, must be 8, the number of bytes left in the result"}},
		{"dwDataSize is 0", data(0), []string{"counter-data-empty result[0].data[0].dwDataSize: dwDataSize is 0, must be 4 or 8"}},
		{"dwDataSize is 1", data(1), []string{"counter-data-width result[0].data[0].dwDataSize: dwDataSize is 1, must be 4 or 8"}},
		{"dwDataSize is 7", data(7), []string{"counter-data-width result[0].data[0].dwDataSize: dwDataSize is 7, must be 4 or 8"}},
		{"dwDataSize is 9, and dwSize has room for 8", data(9), []string{"counter-data-datasize result[0].data[0].dwDataSize: dwDataSize is 9, must be at most 8, because dwSize is 16"}},
	} {
		tt.run(t, layout.QueryDataKind, validate.Context{})
	}
}
