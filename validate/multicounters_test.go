package validate_test

import (
	"slices"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestFaultsAfterUnpaddedIDs checks the findings after a list of ids whose dwSize does not include
// padding. In some cases the padding is present, in others it is missing.
func TestFaultsAfterUnpaddedIDs(t *testing.T) {
	t.Parallel()
	const unaligned = "multi-counters-unaligned result[0].ids.dwSize: dwSize is 12, must be 16, a multiple of 8"
	id := poke(multiCounters(7), 0, 12)
	counters := func(after ...[]byte) []byte {
		return queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, slices.Insert(after, 0, id)...))
	}
	set := func(after ...[]byte) []byte {
		return queryBytes(resultBytes(layout.PERF_COUNTERSET, slices.Insert(after, 0, id)...))
	}
	unpadded := func(b []byte) []byte { // removes the padding after the ids, and appends 4 zeros to the result
		return append(slices.Delete(b, 76, 80), 0, 0, 0, 0)
	}
	one := multiInstances(1, instanceHeader(1, text("a\x00")), counterData(8)) // in a result: at offset 80, its instance at 88, its value at 104
	two := multiInstances(2, instanceHeader(1, text("a\x00")), counterData(8), instanceHeader(2, text("b\x00")), counterData(8))
	for _, tt := range []queryTest{
		{"dwSize of the value is 0", poke(counters(counterData(8)), 84, 0), []string{unaligned,
			"counter-data-bounds result[0].data[0].dwSize: dwSize is 0, must be 16, for a value of 8 bytes"}},
		{"dwSize of the value of an instance is 0", poke(set(one), 108, 0), []string{unaligned,
			"counter-data-bounds result[0].instance[0].data[0].dwSize: dwSize is 0, must be 16, for a value of 8 bytes"}},
		{"dwSize of the value of an instance is that of its header", poke(set(one), 108, 8), []string{unaligned,
			"multi-instances-size-sum result[0].instance[0].data[0].dwSize: dwSize is 8, must be 16, for a value of 8 bytes"}},
		{"dwSize of the value of an instance is that of its header, and the value looks like an instance", poke(set(two), 108, 8, 112, 16), []string{unaligned,
			"counter-data-datasize result[0].instance[0].data[0].dwDataSize: dwDataSize is 8, must be at most 0, because dwSize is 8",
			"padding-nonzero result[0].instance[1].padding: padding has the byte 0x02, must be 0", // the bytes belong to the second value
			"counter-data-bounds result[0].instance[1].data[0].dwSize: dwSize is 0, must be a multiple of 8 from 8 to 24, the number of bytes left in the PERF_MULTI_INSTANCES"}},
		{"dwTotalSize of the instances is 0", poke(set(one), 80, 0), []string{unaligned,
			"multi-instances-bounds result[0].instances.dwTotalSize: dwTotalSize is 0, must be 40, where the last instance ends"}},
		{"dwInstances is too large", poke(set(one), 84, 9), []string{unaligned,
			"multi-instances-count result[0].instances.dwInstances: dwInstances is 9, must be 1, the number of instances"}},
		{"there is no padding, and the list of instances is empty", unpadded(set(multiInstances(0))), []string{
			"counter-size-sum result[0].dwSize: dwSize is 40, must be the size of the header plus the sizes of the records after it: this sum is 36, because at least one of the sizes is not a multiple of 8", unaligned,
			"multi-instances-empty result[0].instances.dwInstances: dwInstances is 0, must be at least 1"}},
		{"there is no padding, and the value looks like a dwSize", poke(unpadded(counters(counterData(4))), 84, 16), []string{
			"counter-size-sum result[0].dwSize: dwSize is 48, must be the size of the header plus the sizes of the records after it: this sum is 44, because at least one of the sizes is not a multiple of 8", unaligned}},
		{"the padding is not 0, and dwDataSize of the value is 0", poke(counters(counterData(8)), 76, 0x2000, 80, 0), []string{unaligned,
			"padding-nonzero result[0].ids.padding: padding has the byte 0x20, must be 0",
			"counter-data-empty result[0].data[0].dwDataSize: dwDataSize is 0, must be 4 or 8",
			"padding-nonzero result[0].data[0].padding: padding has the byte 0x01, must be 0"}},
		{"the padding looks like the header of a value", poke(counters(counterData(8), make([]byte, 8)), 76, 4, 80, 16, 84, 24), []string{unaligned,
			"padding-nonzero result[0].ids.padding: padding has the byte 0x04, must be 0",
			"counter-data-width result[0].data[0].dwDataSize: dwDataSize is 16, must be 4 or 8"}},
		{"nothing follows the padding", counters(), []string{
			"counter-size-sum result[0].dwSize: dwSize is 32, must be larger, because the result must have a value", unaligned}},
		{"nothing follows the ids, and there is no padding", queryBytes(resultBytes(layout.PERF_MULTIPLE_COUNTERS, id[:12])), []string{
			"total-size-align dwTotalSize: dwTotalSize is 76, must be a multiple of 8",
			"counter-size-align result[0].dwSize: dwSize is 28, must be a multiple of 8", unaligned}},
	} {
		tt.run(t, layout.QueryDataKind, validate.Context{})
	}
}
