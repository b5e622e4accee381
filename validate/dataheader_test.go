package validate_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestQueryLengths checks which of dwTotalSize, dwNumCounters and the dwSize of a result is
// reported where they contradict the content or the size of the input. The second of three
// results is 88 bytes long, at 80.
func TestQueryLengths(t *testing.T) {
	t.Parallel()
	const total, number, second, last, billion = 0, 4, 80 + 8, 168 + 8, 4_000_000_000
	three := func() []byte {
		return queryBytes(singleCounter(4), resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2, 3), counterData(4, 8, 4)), singleCounter(8))
	}
	strange := func() []byte { // the second has an unknown type
		return poke(queryBytes(singleCounter(4), resultBytes(9, make([]byte, 72)), singleCounter(8)))
	}
	for _, tt := range []queryTest{
		{"nothing is wrong", three(), nil},
		{"nothing at all", nil, []string{"buffer-too-short: the input has 0 bytes, must have at least 48"}},
		{"a byte less than a header", three()[:47], []string{"buffer-too-short: the input has 47 bytes, must have at least 48"}},
		{"a header alone", queryBytes(), []string{"no-counters dwNumCounters: dwNumCounters is 0, must be at least 1"}},

		{"a total of none", poke(three(), total, 0), []string{"total-size-bounds dwTotalSize: dwTotalSize is 0, must be 200, where the last result ends"}},
		{"a total less than a header", poke(three(), total, 47), []string{"total-size-bounds dwTotalSize: dwTotalSize is 47, must be 200, where the last result ends"}},
		{"a total of four billion", poke(three(), total, billion), []string{"total-size-bounds dwTotalSize: dwTotalSize is 4000000000, must be 200, where the last result ends"}},
		{"a total 8 too large", poke(three(), total, 208), []string{"total-size-bounds dwTotalSize: dwTotalSize is 208, must be 200, where the last result ends"}},
		{"a total that ends with the second", poke(three(), total, 168), []string{"total-size-sum dwTotalSize: dwTotalSize is 168, must be 200, where the last result ends"}},
		{"a total of the header", poke(three(), total, 48), []string{"total-size-sum dwTotalSize: dwTotalSize is 48, must be 200, where the last result ends"}},
		{"a total in an answer", poke(three(), total, 100), []string{"total-size-align dwTotalSize: dwTotalSize is 100, must be 200, a multiple of 8"}},

		{"no answers, though there are", poke(three(), number, 0), []string{"counter-count-match dwNumCounters: dwNumCounters is 0, must be 3, the results that there are"}},
		{"one answer less", poke(three(), number, 2), []string{"counter-count-match dwNumCounters: dwNumCounters is 2, must be 3, the results that there are"}},
		{"as many as there could be", poke(three(), number, 9), []string{"counter-count-match dwNumCounters: dwNumCounters is 9, must be 3, the results that there are"}},
		{"one more", poke(three(), number, 10), []string{"counter-count-bounds dwNumCounters: dwNumCounters is 10, must be 3, the results that there are"}},
		{"four billion", poke(three(), number, billion), []string{"counter-count-bounds dwNumCounters: dwNumCounters is 4000000000, must be 3, the results that there are"}},

		{"a size of none", poke(three(), second, 0), []string{"counter-header-bounds result[1].dwSize: dwSize is 0, must be 88, for what is in the result"}},
		{"a size less than a header", poke(three(), second, 15), []string{"counter-header-bounds result[1].dwSize: dwSize is 15, must be 88, for what is in the result"}},
		{"a size of a header", poke(three(), second, 16), []string{"counter-size-sum result[1].dwSize: dwSize is 16, must be 88, for what is in the result"}},
		{"a size that is short of a value", poke(three(), second, 72), []string{"counter-size-sum result[1].dwSize: dwSize is 72, must be 88, for what is in the result"}},
		{"a size with the next answer", poke(three(), second, 120), []string{"counter-size-sum result[1].dwSize: dwSize is 120, must be 88, for what is in the result"}},
		{"a size that is no multiple of 8", poke(three(), second, 84), []string{"counter-size-align result[1].dwSize: dwSize is 84, must be 88, a multiple of 8"}},
		{"a size past the end", poke(three(), second, 128), []string{"counter-header-bounds result[1].dwSize: dwSize is 128, must be 88, for what is in the result"}},
		{"the last of them past the end", poke(three(), last, 40), []string{"counter-header-bounds result[2].dwSize: dwSize is 40, must be 32, for what is in the result"}},
		{"the last of four billion", poke(three(), last, billion), []string{"counter-header-bounds result[2].dwSize: dwSize is 4000000000, must be 32, for what is in the result"}},
		{"two sizes", poke(three(), second, 16, last, 0), []string{
			"counter-size-sum result[1].dwSize: dwSize is 16, must be 88, for what is in the result",
			"counter-header-bounds result[2].dwSize: dwSize is 0, must be 32, for what is in the result"}},
		{"room with what could be an answer, which no other number counts", queryBytes(resultBytes(layout.PERF_SINGLE_COUNTER, counterData(8), errorResult(4201))), []string{
			"counter-size-sum result[0].dwSize: dwSize is 48, must be 32, for what is in the result"}},
		{"the same, and more room that is no multiple of 8", queryBytes(resultBytes(layout.PERF_SINGLE_COUNTER, counterData(8), errorResult(4201), []byte{0, 0, 0, 0})), []string{
			"total-size-align dwTotalSize: dwTotalSize is 100, must be 96, a multiple of 8",
			"counter-count-match dwNumCounters: dwNumCounters is 1, must be 2, the results that there are",
			"counter-size-align result[0].dwSize: dwSize is 52, must be 32, a multiple of 8"}},
		{"two sizes that are no multiples of 8, though they add up", poke(queryBytes(singleCounter(4), singleCounter(8)), 48+8, 28, 80+8, 36), []string{
			"counter-size-align result[0].dwSize: dwSize is 28, must be 32, a multiple of 8",
			"counter-header-bounds result[1].dwSize: dwSize is 36, must be 32, for what is in the result"}},
		{"a total and a size", poke(three(), total, 48, second, 128), []string{
			"total-size-sum dwTotalSize: dwTotalSize is 48, must be 200, where the last result ends",
			"counter-header-bounds result[1].dwSize: dwSize is 128, must be 88, for what is in the result"}},
		{"a number and a size", poke(three(), number, 2, second, 0), []string{
			"counter-count-match dwNumCounters: dwNumCounters is 2, must be 3, the results that there are",
			"counter-header-bounds result[1].dwSize: dwSize is 0, must be 88, for what is in the result"}},

		{"the size of the last, and bytes after the end", poke(append(three(), make([]byte, 16)...), last, 48), []string{
			"counter-size-sum result[2].dwSize: dwSize is 48, must be 32, for what is in the result",
			"trailing-bytes rest: the data is followed by 16 bytes, must be none"}},
		{"a size, and a result after the end", poke(append(three(), singleCounter(4)...), second, 96), []string{
			"counter-size-sum result[1].dwSize: dwSize is 96, must be 88, for what is in the result",
			"trailing-bytes rest: the data is followed by 32 bytes, must be none"}},
		{"bytes after the end", append(three(), 1, 2, 3), []string{"trailing-bytes rest: the data is followed by 3 bytes, must be none"}},
		{"a result after the end", append(three(), singleCounter(4)...), []string{"trailing-bytes rest: the data is followed by 32 bytes, must be none"}},
		{"zeros after the end that dwTotalSize counts", poke(append(three(), make([]byte, 8)...), total, 208), []string{
			"total-size-sum dwTotalSize: dwTotalSize is 208, must be 200, where the last result ends"}},
		{"cut off in the last value", three()[:196], []string{
			"total-size-bounds dwTotalSize: dwTotalSize is 200, must be a multiple of 8 from 48 to 192, the bytes there are",
			"counter-header-bounds result[2].dwSize: dwSize is 32, must be a multiple of 8 from 16 to 24, the bytes left"}},
		{"cut off in a header", three()[:176], []string{
			"total-size-bounds dwTotalSize: dwTotalSize is 200, must be a multiple of 8 from 48 to 176, the bytes there are",
			"counter-header-bounds result[2]: 8 bytes left, must be at least 16, the size of PERF_COUNTER_HEADER"}},

		{"an unknown type between valid results", strange(), []string{"counter-type-known result[1].dwType: dwType is 9, must be 0, 1, 2, 4 or 6"}},
		{"it, and a wrong size of the last", poke(strange(), last, 0), []string{
			"counter-type-known result[1].dwType: dwType is 9, must be 0, 1, 2, 4 or 6",
			"counter-header-bounds result[2].dwSize: dwSize is 0, must be 32, for what is in the result"}},
		{"it without a size, from where no one gets on", poke(strange(), second, 0), []string{
			"counter-header-bounds result[1].dwSize: dwSize is 0, must be a multiple of 8 from 16 to 120, the bytes left"}},
		{"two of them", queryBytes(resultBytes(3, make([]byte, 8)), resultBytes(0xFFFFFFFF), singleCounter(4)), []string{
			"counter-type-known result[0].dwType: dwType is 3, must be 0, 1, 2, 4 or 6",
			"counter-type-known result[1].dwType: dwType is 4294967295, must be 0, 1, 2, 4 or 6"}},
	} {
		tt.run(t, layout.QueryDataKind, validate.Context{})
	}
}

// TestQueryTruncated has results of unknown types, for which dwSize is the only length. The end
// of other results is not searched for after eight such results, because each could claim the
// whole input. After that dwSize is accepted.
func TestQueryTruncated(t *testing.T) {
	t.Parallel()
	const size = 8
	for _, tt := range []struct {
		reason string
		lost   int
		want   []string
	}{
		{"after one", 1, []string{"counter-size-sum result[1].dwSize: dwSize is 16, must be 32, for what is in the result"}},
		{"after seven", 7, []string{"counter-size-sum result[7].dwSize: dwSize is 16, must be 32, for what is in the result"}},
		{"after eight, so that the next result is read inside the value", 8, []string{
			"counter-size-sum result[8].dwSize: dwSize is 16, must be larger: it ends before the value",
			"counter-header-bounds result[9].dwSize: dwSize is 1, must be a multiple of 8 from 16 to 48, the bytes left"}},
	} {
		unknown := resultBytes(3, make([]byte, 8))
		b := slices.Repeat(unknown, tt.lost)
		b = queryBytes(b, poke(singleCounter(4), size, 16), singleCounter(4))
		binary.LittleEndian.PutUint32(b[4:], uint32(tt.lost+2))
		var want []string
		for i := range tt.lost {
			want = append(want, fmt.Sprintf("counter-type-known result[%d].dwType: dwType is 3, must be 0, 1, 2, 4 or 6", i))
		}
		queryTest{tt.reason, b, append(want, tt.want...)}.run(t, layout.QueryDataKind, validate.Context{})
	}
}

// TestResultHeaders checks results that are errors and the headers of other results.
func TestResultHeaders(t *testing.T) {
	t.Parallel()
	const status, reserved = 48, 48 + 12
	for _, tt := range []queryTest{
		{"an error", queryBytes(errorResult(4201)), nil},
		{"the first known error code", queryBytes(errorResult(3)), nil},
		{"no error", queryBytes(errorResult(0)), []string{"error-return-status-zero result[0].dwStatus: dwStatus is 0, must be an error"}},
		{"an unknown error code", queryBytes(errorResult(2)), []string{"error-status-known result[0].dwStatus: dwStatus is 2, must be an error that the documentation names, such as 4201"}},
		{"an HRESULT", queryBytes(errorResult(0x80070005)), []string{"error-status-known result[0].dwStatus: dwStatus is 2147942405, must be an error that the documentation names, such as 4201"}},
		{"an error beside a value", poke(queryBytes(singleCounter(4)), status, 4201), []string{"status-with-data result[0].dwStatus: dwStatus is 4201, must be 0"}},
		{"a Reserved", poke(queryBytes(errorResult(4200)), reserved, 1), []string{"counter-reserved-zero result[0].Reserved: Reserved is 1, must be 0"}},
		{"bytes after an error", queryBytes(poke(append(errorResult(4201), counterData(8)...), 8, 32), singleCounter(4)), []string{"error-return-payload result[0].dwSize: dwSize is 32, must be 16, as nothing follows an error"}},
		{"half of a multiple of 8 after it", queryBytes(poke(append(errorResult(4201), 0, 0, 0, 0), 8, 20)), []string{
			"total-size-align dwTotalSize: dwTotalSize is 68, must be a multiple of 8",
			"error-return-payload result[0].dwSize: dwSize is 20, must be 16, as nothing follows an error"}},
		{"the next result after it", poke(queryBytes(errorResult(4201), singleCounter(4)), 48+8, 48), []string{"error-return-payload result[0].dwSize: dwSize is 48, must be 16, as nothing follows an error"}},
	} {
		tt.run(t, layout.QueryDataKind, validate.Context{})
	}
}

func TestQueryClocks(t *testing.T) {
	t.Parallel()
	const stamp, now, freq, system = 8, 16, 24, 32
	const at = 134_397_380_967_890_000 // of the header of these tests
	set := func(off int, n int64) []byte {
		b := queryBytes(singleCounter(4))
		binary.LittleEndian.PutUint64(b[off:], uint64(n))
		return b
	}
	moment := func(field int, n uint16) []byte {
		b := queryBytes(singleCounter(4))
		binary.LittleEndian.PutUint16(b[system+2*field:], n)
		return b
	}
	const mismatch = "systemtime-mismatch SystemTime: SystemTime is 2026-11-21 12:34:56, must be "
	for _, tt := range []queryTest{
		{"a tick a second", set(freq, 1), nil},
		{"no ticks", set(freq, 0), []string{"perf-freq-positive PerfFreq: PerfFreq is 0, must be greater than 0"}},
		{"ticks back", set(freq, -1), []string{"perf-freq-positive PerfFreq: PerfFreq is -1, must be greater than 0"}},
		{"no ticks so far", set(stamp, 0), nil},
		{"before that", set(stamp, -1), []string{"timestamp-negative PerfTimeStamp: PerfTimeStamp is -1, must be at least 0"}},
		{"the last tick", set(stamp, 1<<63-1), nil},
		{"before 1601", set(now, -1<<63), []string{"timestamp-negative PerfTime100NSec: PerfTime100NSec is -9223372036854775808, must be at least 0"}},
		{"two seconds later", set(now, at+20_000_000), nil},
		{"a little more", set(now, at+20_000_002), []string{mismatch + "2026-11-21 12:34:58, the time in PerfTime100NSec"}},
		{"two seconds sooner", set(now, at-20_000_000), nil},
		{"a little more", set(now, at-20_000_002), []string{mismatch + "2026-11-21 12:34:54, the time in PerfTime100NSec"}},
		{"in 1601", set(now, 0), []string{mismatch + "1601-01-01 00:00:00, the time in PerfTime100NSec"}},
		{"at the end of all time", set(now, 1<<63-1), []string{mismatch + "30828-09-14 02:48:05, the time in PerfTime100NSec"}},

		{"another day of the week", moment(2, 0), []string{"systemtime-weekday SystemTime.wDayOfWeek: wDayOfWeek is 0, must be 6, a Saturday"}},
		{"no day of the week", moment(2, 7), []string{"systemtime-range SystemTime.wDayOfWeek: wDayOfWeek is 7, must be 0 to 6"}},
		{"a year too early", moment(0, 1600), []string{"systemtime-range SystemTime.wYear: wYear is 1600, must be 1601 to 30827"}},
		{"a year too late", moment(0, 30828), []string{"systemtime-range SystemTime.wYear: wYear is 30828, must be 1601 to 30827"}},
		{"no month", moment(1, 0), []string{"systemtime-range SystemTime.wMonth: wMonth is 0, must be 1 to 12"}},
		{"November has 30 days", moment(3, 31), []string{"systemtime-range SystemTime.wDay: wDay is 31, must be at most 30, the days of that month"}},
		{"a leap second", moment(6, 60), []string{"systemtime-range SystemTime.wSecond: wSecond is 60, must be 0 to 59"}},
		{"a second of a thousand milliseconds", moment(7, 1000), []string{"systemtime-range SystemTime.wMilliseconds: wMilliseconds is 1000, must be 0 to 999"}},
	} {
		tt.run(t, layout.QueryDataKind, validate.Context{})
	}
}
