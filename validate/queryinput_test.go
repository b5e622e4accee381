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

// aQuery puts a header before answers, with which nothing is wrong.
func aQuery(answers ...[]byte) []byte {
	body := slices.Concat(answers...)
	return append(wire.DataHeader{
		DwTotalSize: uint32(48 + len(body)), DwNumCounters: uint32(len(answers)), PerfTimeStamp: 1, PerfFreq: 10_000_000, PerfTime100NSec: 134_397_380_967_890_000,
		SystemTime: layout.SystemTime{WYear: 2026, WMonth: 11, WDayOfWeek: 6, WDay: 21, WHour: 12, WMinute: 34, WSecond: 56, WMilliseconds: 789},
	}.Append(nil), body...)
}

// anAnswer puts a header before the parts of an answer.
func anAnswer(t layout.PerfCounterDataType, parts ...[]byte) []byte {
	body := slices.Concat(parts...)
	return append(wire.CounterHeader{DwType: t, DwSize: uint32(16 + len(body))}.Append(nil), body...)
}

// failed is an answer of 16 bytes.
func failed(status uint32) []byte {
	return wire.CounterHeader{DwStatus: status, DwSize: 16}.Append(nil)
}

// someIDs are ids with their padding, which dwSize counts.
func someIDs(ids ...uint32) []byte {
	n := 8 + 4*len(ids)
	b := wire.MultiCounters{DwSize: uint32(n + -n&7), DwCounters: uint32(len(ids))}.Append(nil)
	for _, id := range ids {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return append(b, make([]byte, -n&7)...)
}

// aTable puts a PERF_MULTI_INSTANCES before n instances with their values.
func aTable(n int, parts ...[]byte) []byte {
	body := slices.Concat(parts...)
	return append(wire.MultiInstances{DwTotalSize: uint32(8 + len(body)), DwInstances: uint32(n)}.Append(nil), body...)
}

// aName is an instance with a name of those bytes, NUL and all, and zeros behind it.
func aName(id uint32, name string) []byte {
	n := 8 + len(name)
	b := append(wire.InstanceHeader{Size: uint32(n + -n&7), InstanceId: id}.Append(nil), name...)
	return append(b, make([]byte, -n&7)...)
}

// plainInstanceHeaders is an instance that is like others.
func plainInstanceHeaders() []byte { return aName(1, text("web\x00")) }

// values are values of 4 or 8 bytes, as the sizes say.
func values(sizes ...uint32) (b []byte) {
	for i, n := range sizes {
		b = wire.CounterData{DwDataSize: n, DwSize: 16}.Append(b)
		b = append(b, byte(i+1), 0, 0, 0, 0, 0, 0, 0)
	}
	return b
}

// oneOf is an answer of 32 bytes.
func oneOf(size uint32) []byte { return anAnswer(layout.PERF_SINGLE_COUNTER, values(size)) }

// manySorts has an answer of each type, and first, in the middle and last of what there is
// several of: answers at 48, 64, 96, 184, 296 and 472 of 504 bytes.
func manySorts() []byte {
	return aQuery(
		failed(4201),
		oneOf(4),
		anAnswer(layout.PERF_MULTIPLE_COUNTERS, someIDs(1, 2, 3), values(4, 8, 4)),
		anAnswer(layout.PERF_MULTIPLE_INSTANCES, aTable(3, aName(0, text("C:\x00")), values(8), aName(5, text("Disk\x00")), values(8), aName(6, text("_\x00")), values(8))),
		anAnswer(layout.PERF_COUNTERSET, someIDs(7, 9), aTable(3, aName(0, text("a\x00")), values(4, 8), aName(0, text("b\x00")), values(4, 8), aName(0, text("abc\x00")), values(4, 8))),
		oneOf(8),
	)
}

// A queryTest is query data, or a list of instances, and what is found in it.
type queryTest struct {
	reason string
	b      []byte
	want   []string // rule without v2-, path, message
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
