package validate_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestQueryLengths checks that a wrong dwTotalSize, dwNumCounters or dwSize of a result is the only
// field reported.
func TestQueryLengths(t *testing.T) {
	t.Parallel()
	// Offsets of dwTotalSize, of dwNumCounters, and of dwSize in the second and in the last of three
	// results. The number billion is too large for each of these fields.
	const total, number, second, last, billion = 0, 4, 80 + 8, 168 + 8, 4_000_000_000
	three := func() []byte {
		return queryBytes(singleCounter(4), resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2, 3), counterData(4, 8, 4)), singleCounter(8))
	}
	unknown := func() []byte { // the second result has an unknown type
		return poke(queryBytes(singleCounter(4), resultBytes(9, make([]byte, 72)), singleCounter(8)))
	}
	for _, tt := range []queryTest{
		{"nothing is wrong", three(), nil},
		{"the input is empty", nil, []string{"buffer-too-short: the input has 0 bytes, must have at least 48, the size of PERF_DATA_HEADER"}},
		{"the input is one byte shorter than a header", three()[:47], []string{"buffer-too-short: the input has 47 bytes, must have at least 48, the size of PERF_DATA_HEADER"}},
		{"the data has no results", queryBytes(), []string{"no-counters dwNumCounters: dwNumCounters is 0, must be at least 1"}},

		{"dwTotalSize is 0", poke(three(), total, 0), []string{"total-size-bounds dwTotalSize: dwTotalSize is 0, must be 200, where the last result ends"}},
		{"dwTotalSize is less than a header", poke(three(), total, 47), []string{"total-size-bounds dwTotalSize: dwTotalSize is 47, must be 200, where the last result ends"}},
		{"dwTotalSize is four billion", poke(three(), total, billion), []string{"total-size-bounds dwTotalSize: dwTotalSize is 4000000000, must be 200, where the last result ends"}},
		{"dwTotalSize is 8 too large", poke(three(), total, 208), []string{"total-size-bounds dwTotalSize: dwTotalSize is 208, must be 200, where the last result ends"}},
		{"dwTotalSize is the end of the second result", poke(three(), total, 168), []string{"total-size-sum dwTotalSize: dwTotalSize is 168, must be 200, where the last result ends"}},
		{"dwTotalSize is the size of the header", poke(three(), total, 48), []string{"total-size-sum dwTotalSize: dwTotalSize is 48, must be 200, where the last result ends"}},
		{"dwTotalSize ends inside a result", poke(three(), total, 100), []string{"total-size-align dwTotalSize: dwTotalSize is 100, must be 200, a multiple of 8"}},

		{"dwNumCounters is 0", poke(three(), number, 0), []string{"counter-count-match dwNumCounters: dwNumCounters is 0, must be 3, the number of results"}},
		{"dwNumCounters is one too small", poke(three(), number, 2), []string{"counter-count-match dwNumCounters: dwNumCounters is 2, must be 3, the number of results"}},
		{"dwNumCounters is the largest number of results that fit into the data", poke(three(), number, 9), []string{"counter-count-match dwNumCounters: dwNumCounters is 9, must be 3, the number of results"}},
		{"dwNumCounters is one more than the number of results that fit into the data", poke(three(), number, 10), []string{"counter-count-bounds dwNumCounters: dwNumCounters is 10, must be 3, the number of results"}},
		{"dwNumCounters is four billion", poke(three(), number, billion), []string{"counter-count-bounds dwNumCounters: dwNumCounters is 4000000000, must be 3, the number of results"}},

		{"dwSize of the second result is 0", poke(three(), second, 0), []string{"counter-header-bounds result[1].dwSize: dwSize is 0, must be 88, the size of the header and the content"}},
		{"dwSize of the second result is less than its header", poke(three(), second, 15), []string{"counter-header-bounds result[1].dwSize: dwSize is 15, must be 88, the size of the header and the content"}},
		{"dwSize of the second result is the size of its header", poke(three(), second, 16), []string{"counter-size-sum result[1].dwSize: dwSize is 16, must be 88, the size of the header and the content"}},
		{"dwSize of the second result omits a value", poke(three(), second, 72), []string{"counter-size-sum result[1].dwSize: dwSize is 72, must be 88, the size of the header and the content"}},
		{"dwSize of the second result includes the third", poke(three(), second, 120), []string{"counter-size-sum result[1].dwSize: dwSize is 120, must be 88, the size of the header and the content"}},
		{"dwSize of the second result is not a multiple of 8", poke(three(), second, 84), []string{"counter-size-align result[1].dwSize: dwSize is 84, must be 88, a multiple of 8"}},
		{"dwSize of the second result ends outside the data", poke(three(), second, 128), []string{"counter-header-bounds result[1].dwSize: dwSize is 128, must be 88, the size of the header and the content"}},
		{"dwSize of the last result ends outside the data", poke(three(), last, 40), []string{"counter-header-bounds result[2].dwSize: dwSize is 40, must be 32, the size of the header and the content"}},
		{"dwSize of the last result is four billion", poke(three(), last, billion), []string{"counter-header-bounds result[2].dwSize: dwSize is 4000000000, must be 32, the size of the header and the content"}},
		{"dwSize of the second and of the third result is wrong", poke(three(), second, 16, last, 0), []string{
			"counter-size-sum result[1].dwSize: dwSize is 16, must be 88, the size of the header and the content",
			"counter-header-bounds result[2].dwSize: dwSize is 0, must be 32, the size of the header and the content"}},
		{"dwSize includes bytes that look like another result, and dwNumCounters counts only one result", queryBytes(resultBytes(layout.PERF_SINGLE_COUNTER, counterData(8), errorResult(4201))), []string{
			"counter-size-sum result[0].dwSize: dwSize is 48, must be 32, the size of the header and the content"}},
		{"dwSize includes bytes that look like another result and 4 more bytes", queryBytes(resultBytes(layout.PERF_SINGLE_COUNTER, counterData(8), errorResult(4201), []byte{0, 0, 0, 0})), []string{
			"total-size-align dwTotalSize: dwTotalSize is 100, must be 96, a multiple of 8",
			"counter-count-match dwNumCounters: dwNumCounters is 1, must be 2, the number of results",
			"counter-size-align result[0].dwSize: dwSize is 52, must be 32, a multiple of 8"}},
		{"two dwSize are not multiples of 8, and their sum is right", poke(queryBytes(singleCounter(4), singleCounter(8)), 48+8, 28, 80+8, 36), []string{
			"counter-size-align result[0].dwSize: dwSize is 28, must be 32, a multiple of 8",
			"counter-header-bounds result[1].dwSize: dwSize is 36, must be 32, the size of the header and the content"}},
		{"dwTotalSize and dwSize of the second result are wrong", poke(three(), total, 48, second, 128), []string{
			"total-size-sum dwTotalSize: dwTotalSize is 48, must be 200, where the last result ends",
			"counter-header-bounds result[1].dwSize: dwSize is 128, must be 88, the size of the header and the content"}},
		{"dwNumCounters and dwSize of the second result are wrong", poke(three(), number, 2, second, 0), []string{
			"counter-count-match dwNumCounters: dwNumCounters is 2, must be 3, the number of results",
			"counter-header-bounds result[1].dwSize: dwSize is 0, must be 88, the size of the header and the content"}},

		{"dwSize of the last result includes trailing bytes", poke(append(three(), make([]byte, 16)...), last, 48), []string{
			"counter-size-sum result[2].dwSize: dwSize is 48, must be 32, the size of the header and the content",
			"trailing-bytes rest: the data is followed by 16 bytes, must be followed by none"}},
		{"dwSize of the second result is wrong, and a result follows the data", poke(append(three(), singleCounter(4)...), second, 96), []string{
			"counter-size-sum result[1].dwSize: dwSize is 96, must be 88, the size of the header and the content",
			"trailing-bytes rest: the data is followed by 32 bytes, must be followed by none"}},
		{"3 bytes follow the data", append(three(), 1, 2, 3), []string{"trailing-bytes rest: the data is followed by 3 bytes, must be followed by none"}},
		{"a result follows the data", append(three(), singleCounter(4)...), []string{"trailing-bytes rest: the data is followed by 32 bytes, must be followed by none"}},
		{"dwTotalSize counts zero bytes after the last result", poke(append(three(), make([]byte, 8)...), total, 208), []string{
			"total-size-sum dwTotalSize: dwTotalSize is 208, must be 200, where the last result ends"}},
		{"the input ends in the last value", three()[:196], []string{
			"total-size-bounds dwTotalSize: dwTotalSize is 200, must be a multiple of 8 from 48 to 192, because the length of the input is 196",
			"counter-header-bounds result[2].dwSize: dwSize is 32, must be a multiple of 8 from 16 to 24, because the number of bytes left in the input is 28"}},
		{"the input ends in the header of the last result", three()[:176], []string{
			"total-size-bounds dwTotalSize: dwTotalSize is 200, must be a multiple of 8 from 48 to 176, the length of the input",
			"counter-header-bounds result[2]: 8 bytes left in the input, must be at least 16, the size of PERF_COUNTER_HEADER"}},

		{"the second of three results has an unknown type", unknown(), []string{"counter-type-known result[1].dwType: dwType is 9, must be 0, 1, 2, 4 or 6"}},
		{"the second result has an unknown type, and dwSize of the last result is wrong", poke(unknown(), last, 0), []string{
			"counter-type-known result[1].dwType: dwType is 9, must be 0, 1, 2, 4 or 6",
			"counter-header-bounds result[2].dwSize: dwSize is 0, must be 32, the size of the header and the content"}},
		{"a result of unknown type has dwSize 0, so the next result is not found", poke(unknown(), second, 0), []string{
			"counter-header-bounds result[1].dwSize: dwSize is 0, must be a multiple of 8 from 16 to 120, the number of bytes left in the input"}},
		{"two results have unknown types", queryBytes(resultBytes(3, make([]byte, 8)), resultBytes(0xFFFFFFFF), singleCounter(4)), []string{
			"counter-type-known result[0].dwType: dwType is 3, must be 0, 1, 2, 4 or 6",
			"counter-type-known result[1].dwType: dwType is 4294967295, must be 0, 1, 2, 4 or 6"}},
	} {
		tt.run(t, layout.QueryDataKind, validate.Context{})
	}
}

// TestUnknownTypes checks that a wrong dwSize in a result gives a finding with the required size,
// even if results of unknown type precede this result.
func TestUnknownTypes(t *testing.T) {
	t.Parallel()
	const size = 8
	for _, tt := range []struct {
		reason string
		count  int
	}{
		{"one result of unknown type precedes the wrong dwSize", 1},
		{"a hundred results of unknown type precede the wrong dwSize", 100},
	} {
		unknown := resultBytes(3, make([]byte, 8))
		b := slices.Repeat(unknown, tt.count)
		b = queryBytes(b, poke(singleCounter(4), size, 16), singleCounter(4))
		binary.LittleEndian.PutUint32(b[4:], uint32(tt.count+2))
		var want []string
		for i := range tt.count {
			want = append(want, fmt.Sprintf("counter-type-known result[%d].dwType: dwType is 3, must be 0, 1, 2, 4 or 6", i))
		}
		want = append(want, fmt.Sprintf("counter-size-sum result[%d].dwSize: dwSize is 16, must be 32, the size of the header and the content", tt.count))
		queryTest{tt.reason, b, want}.run(t, layout.QueryDataKind, validate.Context{})
	}
}

// TestResultHeaders checks PERF_COUNTER_HEADER of errors and of other results.
func TestResultHeaders(t *testing.T) {
	t.Parallel()
	const status, reserved = 48, 48 + 12
	for _, tt := range []queryTest{
		{"dwStatus is 4201", queryBytes(errorResult(4201)), nil},
		{"dwStatus is the smallest known error code", queryBytes(errorResult(3)), nil},
		{"dwStatus of an error is 0", queryBytes(errorResult(0)), []string{"error-return-status-zero result[0].dwStatus: dwStatus is 0, must be an error code"}},
		{"dwStatus is an unknown error code", queryBytes(errorResult(2)), []string{"error-status-known result[0].dwStatus: dwStatus is 2, must be an error code that the documentation names, such as 4201"}},
		{"dwStatus is an HRESULT", queryBytes(errorResult(0x80070005)), []string{"error-status-known result[0].dwStatus: dwStatus is 2147942405, must be an error code that the documentation names, such as 4201"}},
		{"dwStatus is an error, and the result has a value", poke(queryBytes(singleCounter(4)), status, 4201), []string{"status-with-data result[0].dwStatus: dwStatus is 4201, must be 0"}},
		{"Reserved is 1", poke(queryBytes(errorResult(4200)), reserved, 1), []string{"counter-reserved-zero result[0].Reserved: Reserved is 1, must be 0"}},
		{"a value follows an error", queryBytes(poke(append(errorResult(4201), counterData(8)...), 8, 32), singleCounter(4)), []string{"error-return-payload result[0].dwSize: dwSize is 32, must be 16: nothing follows the header of an error"}},
		{"4 bytes follow an error", queryBytes(poke(append(errorResult(4201), 0, 0, 0, 0), 8, 20)), []string{
			"total-size-align dwTotalSize: dwTotalSize is 68, must be 64, a multiple of 8",
			"error-return-payload result[0].dwSize: dwSize is 20, must be 16: nothing follows the header of an error"}},
		{"dwSize of an error includes the next result", poke(queryBytes(errorResult(4201), singleCounter(4)), 48+8, 48), []string{"error-return-payload result[0].dwSize: dwSize is 48, must be 16: nothing follows the header of an error"}},
	} {
		tt.run(t, layout.QueryDataKind, validate.Context{})
	}
}

// TestQueryClocks checks the clocks and the SystemTime of PERF_DATA_HEADER.
func TestQueryClocks(t *testing.T) {
	t.Parallel()
	const stamp, now, freq, system = 8, 16, 24, 32
	const at = 134_397_380_967_890_000 // PerfTime100NSec in the header of these tests
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
		{"PerfFreq is 1", set(freq, 1), nil},
		{"PerfFreq is 0", set(freq, 0), []string{"perf-freq-positive PerfFreq: PerfFreq is 0, must be greater than 0"}},
		{"PerfFreq is negative", set(freq, -1), []string{"perf-freq-positive PerfFreq: PerfFreq is -1, must be greater than 0"}},
		{"PerfTimeStamp is 0", set(stamp, 0), nil},
		{"PerfTimeStamp is negative", set(stamp, -1), []string{"timestamp-negative PerfTimeStamp: PerfTimeStamp is -1, must be at least 0"}},
		{"PerfTimeStamp is the largest int64", set(stamp, 1<<63-1), nil},
		{"PerfTime100NSec is negative", set(now, -1<<63), []string{"timestamp-negative PerfTime100NSec: PerfTime100NSec is -9223372036854775808, must be at least 0"}},
		{"PerfTime100NSec is two seconds later than SystemTime", set(now, at+20_000_000), nil},
		{"PerfTime100NSec is a little more than two seconds later than SystemTime", set(now, at+20_000_002), []string{mismatch + "2026-11-21 12:34:58, the time in PerfTime100NSec"}},
		{"PerfTime100NSec is two seconds earlier than SystemTime", set(now, at-20_000_000), nil},
		{"PerfTime100NSec is a little more than two seconds earlier than SystemTime", set(now, at-20_000_002), []string{mismatch + "2026-11-21 12:34:54, the time in PerfTime100NSec"}},
		{"PerfTime100NSec is 0, which is in 1601", set(now, 0), []string{mismatch + "1601-01-01 00:00:00, the time in PerfTime100NSec"}},
		{"PerfTime100NSec is the largest int64", set(now, 1<<63-1), []string{mismatch + "30828-09-14 02:48:05, the time in PerfTime100NSec"}},

		{"wDayOfWeek does not match the date", moment(2, 0), []string{"systemtime-weekday SystemTime.wDayOfWeek: wDayOfWeek is 0, must be 6, a Saturday"}},
		{"wDayOfWeek is out of range", moment(2, 7), []string{"systemtime-range SystemTime.wDayOfWeek: wDayOfWeek is 7, must be 0 to 6"}},
		{"wYear is too small", moment(0, 1600), []string{"systemtime-range SystemTime.wYear: wYear is 1600, must be 1601 to 30827"}},
		{"wYear is too large", moment(0, 30828), []string{"systemtime-range SystemTime.wYear: wYear is 30828, must be 1601 to 30827"}},
		{"wMonth is 0", moment(1, 0), []string{"systemtime-range SystemTime.wMonth: wMonth is 0, must be 1 to 12"}},
		{"wDay is 31 in November", moment(3, 31), []string{"systemtime-range SystemTime.wDay: wDay is 31, must be at most 30, the last day of the month"}},
		{"wSecond is 60, as in a leap second", moment(6, 60), []string{"systemtime-range SystemTime.wSecond: wSecond is 60, must be 0 to 59"}},
		{"wMilliseconds is 1000", moment(7, 1000), []string{"systemtime-range SystemTime.wMilliseconds: wMilliseconds is 1000, must be 0 to 999"}},
	} {
		tt.run(t, layout.QueryDataKind, validate.Context{})
	}
}
