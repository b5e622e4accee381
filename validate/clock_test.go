package validate_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestHeaderValues checks the version, the clocks and the padding of PERF_DATA_BLOCK.
func TestHeaderValues(t *testing.T) {
	t.Parallel()
	const unused = "data-perf-freq-unused PerfFreq: PerfFreq is 0, must be greater than 0"
	for _, tt := range []struct {
		reason  string
		block   []byte
		changes []fieldValue
		want    []string
	}{
		{"0 is not a known Version", twoObjects(), []fieldValue{{"Version", 0}}, []string{"data-version Version: Version is 0, must be 1"}},
		{"0 is not a known Revision", twoObjects(), []fieldValue{{"Revision", 0}}, []string{"data-revision Revision: Revision is 0, must be 1"}},
		{"PerfTime may be 0", twoObjects(), []fieldValue{{"PerfTime", 0}}, nil},
		{"PerfTime is negative", twoObjects(), []fieldValue{{"PerfTime", -1}}, []string{"data-perf-time PerfTime: PerfTime is -1, must be at least 0"}},
		{"both clocks are negative, which is two findings", twoObjects(), []fieldValue{{"PerfTime", -9}, {"PerfTime100nSec", -9}},
			[]string{"data-perf-time PerfTime: PerfTime is -9, must be at least 0", "data-perf-time PerfTime100nSec: PerfTime100nSec is -9, must be greater than 0"}},
		{"PerfTime100nSec and PerfFreq may be 1", twoObjects(), []fieldValue{{"PerfTime100nSec", 1}, {"PerfFreq", 1}}, nil},
		{"the last byte of the padding is not 0", twoObjects(), []fieldValue{{"Padding", 1 << 24}}, []string{"data-padding-zero Padding: Padding is 16777216, must be 0"}},
		{"PerfFreq is negative", twoObjects(), []fieldValue{{"PerfFreq", -1}}, []string{"data-perf-freq-unused PerfFreq: PerfFreq is -1, must be greater than 0"}},
		{"no counter uses PerfFreq, as there are no objects", blockOfObjects(headerEnd), []fieldValue{{"PerfFreq", 0}}, []string{unused}},
		{"PERF_COUNTER_DELTA does not use PerfFreq", blockOfObjects(headerEnd, objectWithoutInstances(2, layout.PERF_COUNTER_DELTA)), []fieldValue{{"PerfFreq", 0}}, []string{unused}},
		{"PERF_COUNTER_COUNTER in the last object uses PerfFreq", blockOfObjects(headerEnd, objectWithInstance(6), objectWithoutInstances(2, layout.PERF_COUNTER_COUNTER)), []fieldValue{{"PerfFreq", 0}},
			[]string{"data-perf-freq PerfFreq: PerfFreq is 0, must be greater than 0, because a PERF_COUNTER_COUNTER is computed with it"}},
		{"two counters use PerfFreq, and the finding names the first", blockOfObjects(headerEnd, objectWithoutInstances(2, layout.PERF_SAMPLE_COUNTER), objectWithoutInstances(4, layout.PERF_COUNTER_COUNTER)), []fieldValue{{"PerfFreq", -2}},
			[]string{"data-perf-freq PerfFreq: PerfFreq is -2, must be greater than 0, because a PERF_SAMPLE_COUNTER is computed with it"}},
	} {
		expectFindings(t, tt.reason, layout.DataBlockKind, withFields(tt.block, tt.changes...), tt.want...)
	}
}

// TestTypesThatUsePerfFreq checks which counter types require a valid PerfFreq: exactly the
// types that are computed with the PerfFreq of PERF_DATA_BLOCK.
func TestTypesThatUsePerfFreq(t *testing.T) {
	t.Parallel()
	uses := []layout.CounterType{layout.PERF_SAMPLE_COUNTER, layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_AVERAGE_TIMER}
	for typ := range layout.CounterTypes() {
		b := blockOfObjects(headerEnd, objectWithoutInstances(2, typ))
		setHeader(b, "PerfFreq", 0)
		got := slices.ContainsFunc(findings(layout.DataBlockKind, b), func(line string) bool { return strings.HasPrefix(line, "data-perf-freq ") })
		if want := slices.Contains(uses, typ); got != want {
			t.Errorf("%v uses PerfFreq: %t, want %t", typ, got, want)
		}
	}
}

// TestSystemTime checks the range of each field of SystemTime.
func TestSystemTime(t *testing.T) {
	t.Parallel()
	least := [8]uint16{1601, 1, 0, 1, 0, 0, 0, 0}
	most := [8]uint16{30827, 12, 6, 31, 23, 59, 59, 999}
	names := [8]string{"wYear", "wMonth", "wDayOfWeek", "wDay", "wHour", "wMinute", "wSecond", "wMilliseconds"}
	at := func(fields [8]uint16) []byte {
		b := blockOfObjects(headerEnd)
		for i, v := range fields {
			binary.LittleEndian.PutUint16(b[36+2*i:], v)
		}
		return b
	}
	expectFindings(t, "each field has its smallest valid value; January 1, 1601 is a Monday", layout.DataBlockKind, at(least),
		"data-systemtime-weekday SystemTime.wDayOfWeek: wDayOfWeek is 0, must be 1, a Monday")
	expectFindings(t, "each field has its largest valid value; December 31, 30827 is a Friday", layout.DataBlockKind, at(most),
		"data-systemtime-weekday SystemTime.wDayOfWeek: wDayOfWeek is 6, must be 5, a Friday")
	expectFindings(t, "a date that does not exist has no weekday", layout.DataBlockKind, at([8]uint16{2026, 2, 0, 29, 0, 0, 0, 0}),
		"data-systemtime SystemTime.wDay: wDay is 29, must be at most 28, the last day of the month")
	expectFindings(t, "all fields are 0, and only wYear is reported", layout.DataBlockKind, at([8]uint16{}),
		"data-systemtime SystemTime.wYear: wYear is 0, must be 1601 to 30827")
	for i, name := range names {
		for _, edge := range []struct {
			fields [8]uint16
			by     uint16
		}{{least, 0xFFFF}, {most, 1}} {
			if edge.fields[i] == 0 {
				continue // no lower value exists
			}
			edge.fields[i] += edge.by
			b := at(edge.fields)
			found := validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Findings
			if len(found) != 1 || found[0].Rule.Name != "data-systemtime" || found[0].Path.String() != "SystemTime."+name || found[0].Off != int64(36+2*i) || found[0].Len != 2 {
				t.Errorf("%s of %d: %v", name, edge.fields[i], found)
			}
		}
	}
}
