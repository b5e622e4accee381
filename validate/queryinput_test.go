package validate_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// queryBytes prepends a valid PERF_DATA_HEADER to results.
func queryBytes(results ...[]byte) []byte {
	body := slices.Concat(results...)
	return append(wire.QueryData{
		DwTotalSize: uint32(48 + len(body)), DwNumCounters: uint32(len(results)), PerfTimeStamp: 1, PerfFreq: 10_000_000, PerfTime100NSec: 134_397_380_967_890_000,
		SystemTime: layout.SystemTime{WYear: 2026, WMonth: 11, WDayOfWeek: 6, WDay: 21, WHour: 12, WMinute: 34, WSecond: 56, WMilliseconds: 789},
	}.Append(nil), body...)
}

// resultBytes prepends a PERF_COUNTER_HEADER to the parts of a result.
func resultBytes(t layout.PerfCounterDataType, parts ...[]byte) []byte {
	body := slices.Concat(parts...)
	return append(wire.Result{DwType: t, DwSize: uint32(16 + len(body))}.Append(nil), body...)
}

// errorResult returns an error result of 16 bytes.
func errorResult(status uint32) []byte {
	return wire.Result{DwStatus: status, DwSize: 16}.Append(nil)
}

// multiCounters returns a PERF_MULTI_COUNTERS with the ids and their padding. dwSize counts the
// padding.
func multiCounters(ids ...uint32) []byte {
	n := 8 + 4*len(ids)
	b := wire.MultiCounters{DwSize: uint32(n + -n&7), DwCounters: uint32(len(ids))}.Append(nil)
	for _, id := range ids {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return append(b, make([]byte, -n&7)...)
}

// multiInstances prepends a PERF_MULTI_INSTANCES to n instances and their values.
func multiInstances(n int, parts ...[]byte) []byte {
	body := slices.Concat(parts...)
	return append(wire.MultiInstances{DwTotalSize: uint32(8 + len(body)), DwInstances: uint32(n)}.Append(nil), body...)
}

// instanceHeader returns a PERF_INSTANCE_HEADER with its name and its padding.
func instanceHeader(id uint32, nameWithNUL string) []byte {
	n := 8 + len(nameWithNUL)
	b := append(wire.InstanceHeader{Size: uint32(n + -n&7), InstanceId: id}.Append(nil), nameWithNUL...)
	return append(b, make([]byte, -n&7)...)
}

// validInstanceHeader returns a valid instance with the name web.
func validInstanceHeader() []byte { return instanceHeader(1, text("web\x00")) }

// counterData returns values of 4 or 8 bytes, one for each size.
func counterData(sizes ...uint32) (b []byte) {
	for i, n := range sizes {
		b = wire.CounterData{DwDataSize: n, DwSize: 16}.Append(b)
		b = append(b, byte(i+1), 0, 0, 0, 0, 0, 0, 0)
	}
	return b
}

// singleCounter returns a result of 32 bytes with one value.
func singleCounter(size uint32) []byte {
	return resultBytes(layout.PERF_SINGLE_COUNTER, counterData(size))
}

// everyResultType returns query data of 504 bytes with a result of each type. The results are at the
// offsets 48, 64, 96, 184, 296 and 472. A result with instances has three, so that one instance is
// neither the first nor the last.
func everyResultType() []byte {
	return queryBytes(
		errorResult(4201),
		singleCounter(4),
		resultBytes(layout.PERF_MULTIPLE_COUNTERS, multiCounters(1, 2, 3), counterData(4, 8, 4)),
		resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(3, instanceHeader(0, text("C:\x00")), counterData(8), instanceHeader(5, text("Disk\x00")), counterData(8), instanceHeader(6, text("_\x00")), counterData(8))),
		resultBytes(layout.PERF_COUNTERSET, multiCounters(7, 9), multiInstances(3, instanceHeader(0, text("a\x00")), counterData(4, 8), instanceHeader(0, text("b\x00")), counterData(4, 8), instanceHeader(0, text("abc\x00")), counterData(4, 8))),
		singleCounter(8),
	)
}

// A queryTest has a block of V2 and its expected findings.
type queryTest struct {
	reason string
	b      []byte
	want   []string // the rule without v2-, the path and the message of each finding
}

func (tt queryTest) run(t *testing.T, kind layout.Kind, ctx validate.Context) {
	t.Helper()
	var got []string
	for _, f := range validate.Bytes(kind, slices.Clip(tt.b), ctx).Findings {
		path := f.Path.String()
		if path != "" {
			path = " " + path
		}
		got = append(got, f.Rule.Name[len("v2-"):]+path+": "+f.Message())
	}
	if diff := cmp.Diff(tt.want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
	}
}
