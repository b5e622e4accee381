package validate

import (
	"fmt"
	"slices"
	"time"

	"github.com/perfblock/perfblock/layout"
)

// systemTimeField is the field SystemTime of a header.
type systemTimeField struct{ off int64 }

// SystemTime in the headers of V1 and V2.
var (
	dataTime  = systemTimeField{int64(layout.PERF_DATA_BLOCK.Field("SystemTime").At)}
	queryTime = systemTimeField{int64(layout.PERF_DATA_HEADER.Field("SystemTime").At)}
)

func (systemTimeField) path() layout.Path { return layout.Path{}.Field("SystemTime") }

func (systemTimeField) record() *layout.Record { return &layout.SYSTEMTIME }

func (t systemTimeField) start() int64 { return t.off }

var clockRules = []*Rule{
	{
		ID: "PERF1116", Name: "data-systemtime", Severity: Warning, Since: "v0.1.0",
		Doc:     "each field of SystemTime is in the range of a SYSTEMTIME",
		Why:     "SystemTime is the time of the sample. SystemTimeToFileTime refuses a month 13 or an hour 24. A reader that ignores the error uses a wrong time.",
		Fix:     "Fill SystemTime with GetSystemTime, or convert PerfTime100nSec with FileTimeToSystemTime.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "SystemTime"), {"SYSTEMTIME", layout.SYSTEMTIME.Source}},
		check:   onDataBlock.check(func(p *pass, h *dataBlock) { p.systemTime(dataTime, h.SystemTime()) }),
	},
	{
		ID: "PERF1117", Name: "data-perf-freq", Severity: Error, Since: "v0.1.0",
		Doc:     "PerfFreq is above 0 if a counter is computed with PerfFreq",
		Why:     "To compute a rate, a reader divides by the seconds between two samples. It computes the seconds in two steps: it subtracts the two values of PerfTime, and divides the difference by PerfFreq. If PerfFreq is 0, the reader divides by zero. If PerfFreq is negative, the rate is negative.",
		Fix:     "Write the result of QueryPerformanceFrequency.",
		Sources: []Source{calculating, sourceOf(&layout.PERF_DATA_BLOCK, "PerfFreq")},
		check: onDataBlock.atEnd(func(p *pass, h *dataBlock) {
			if f := h.PerfFreq(); f <= 0 && h.usesFreq != "" {
				p.field(h, "PerfFreq", f, "must be greater than 0, because a %s is computed with it", h.usesFreq)
			}
		}),
	},
	{
		ID: "PERF1118", Name: "data-perf-freq-unused", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfFreq is above 0 even if no counter is computed with PerfFreq",
		Why:     "PerfFreq is a property of the computer and is never 0. A reader may divide by PerfFreq before it looks at the counters.",
		Fix:     "Write the result of QueryPerformanceFrequency.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "PerfFreq")},
		check: onDataBlock.atEnd(func(p *pass, h *dataBlock) {
			require(p, h, "PerfFreq", h.PerfFreq(), h.PerfFreq() > 0 || h.usesFreq != "", "must be greater than 0")
		}),
	},
	{
		ID: "PERF1119", Name: "data-perf-time", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfTime is not negative, and PerfTime100nSec is above 0",
		Why:     "To compute a rate, a reader divides by the difference of PerfTime or PerfTime100nSec between two samples. If a program never sets the field, the difference is 0, and the reader divides by zero.",
		Fix:     "Write the results of QueryPerformanceCounter and GetSystemTimeAsFileTime.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_BLOCK, "PerfTime"), sourceOf(&layout.PERF_DATA_BLOCK, "PerfTime100nSec")},
		check: onDataBlock.check(func(p *pass, h *dataBlock) {
			require(p, h, "PerfTime", h.PerfTime(), h.PerfTime() >= 0, "must be at least 0")
			require(p, h, "PerfTime100nSec", h.PerfTime100nSec(), h.PerfTime100nSec() > 0, "must be greater than 0")
		}),
	},
	{
		ID: "PERF1120", Name: "data-padding-zero", Severity: Info, Since: "v0.1.0",
		Doc:     "the 4 bytes between SystemTime and PerfTime are 0",
		Why:     "These bytes are padding before PerfTime. Readers ignore them. If they are not 0, they are leftover memory of the writer.",
		Fix:     "Clear the structure before you fill it.",
		Sources: []Source{headerFile},
		check: onDataBlock.check(func(p *pass, h *dataBlock) {
			p.requireZero(h, "Padding", le.Uint32(h.Bytes()[layout.PERF_DATA_BLOCK.Field("Padding").At:]))
		}),
	},
	{
		ID: "PERF1122", Name: "data-systemtime-weekday", Severity: Info, Since: "v0.1.0",
		Doc:     "wDayOfWeek is the weekday of the date",
		Why:     "The conversion functions ignore wDayOfWeek, but a program that displays it shows the wrong day. The other fields of a date with a wrong weekday are often wrong too.",
		Fix:     "Fill SystemTime with GetSystemTime or FileTimeToSystemTime, which set all fields.",
		Sources: []Source{{"SYSTEMTIME", layout.SYSTEMTIME.Source}, sourceOf(&layout.PERF_DATA_BLOCK, "SystemTime")},
		check:   onDataBlock.check(func(p *pass, h *dataBlock) { p.weekday(dataTime, h.SystemTime()) }),
	},
	{
		ID: "PERF1234", Name: "obj-timer-perffreq", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with a PERF_ELAPSED_TIME counter has a PerfFreq above 0",
		Why:     "A reader divides the elapsed time by PerfFreq of the object to get seconds. If PerfFreq is 0, the counter has no value, and a reader that does not check PerfFreq divides by zero.",
		Fix:     "Write the number of ticks per second of the object's PerfTime. If this PerfTime is a FILETIME, write 10000000.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "PerfFreq"), calculating},
		check: onDefinitions.check(func(p *pass, o definedObject) {
			ok := o.PerfFreq() > 0 || !o.objectClock || !o.hasElapsedTime()
			require(p, o, "PerfFreq", o.PerfFreq(), ok, "must be greater than 0, because a PERF_ELAPSED_TIME is computed with it")
		}),
	},
	{
		ID: "PERF1235", Name: "obj-timer-perftime", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with a PERF_OBJECT_TIMER counter has a PerfTime above 0",
		Why:     "A reader computes a PERF_OBJECT_TIMER counter with PerfTime of the object, not of the data block. If PerfTime is 0 in every sample, the time between two samples is 0, and a reader cannot compute a rate. The value of a PERF_ELAPSED_TIME counter is then negative, because it is PerfTime minus the start time.",
		Fix:     "Write the time of the sample, in the same unit as the values of the counters.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "PerfTime"), calculating},
		check: onDefinitions.check(func(p *pass, o definedObject) {
			require(p, o, "PerfTime", o.PerfTime(), o.PerfTime() > 0 || !o.objectClock, "must be greater than 0, because a counter of PERF_OBJECT_TIMER is computed with it")
		}),
	},
	{
		ID: "PERF1236", Name: "obj-timer-perffreq-rate", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object with a PERF_OBJECT_TIMER counter has a PerfFreq above 0, even without a PERF_ELAPSED_TIME counter",
		Why:     "The documentation requires PerfFreq for every PERF_OBJECT_TIMER counter. The known formulas divide one time by another time and do not need PerfFreq. Only readers that convert PerfTime to seconds are affected.",
		Fix:     "Write the number of ticks per second of the object's PerfTime. If this PerfTime is a FILETIME, write 10000000.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "PerfFreq")},
		check: onDefinitions.check(func(p *pass, o definedObject) {
			ok := o.PerfFreq() > 0 || !o.objectClock || o.hasElapsedTime()
			require(p, o, "PerfFreq", o.PerfFreq(), ok, "must be greater than 0, because the object has a counter of PERF_OBJECT_TIMER")
		}),
	},
	{
		ID: "PERF2108", Name: "v2-perf-freq-positive", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfFreq is above 0",
		Why:     "To compute a rate, a reader divides by the seconds between two samples. It computes the seconds in two steps: it subtracts the two values of PerfTimeStamp, and divides the difference by PerfFreq. If PerfFreq is 0, the reader divides by zero. If PerfFreq is negative, the rate is negative.",
		Fix:     "Write the result of QueryPerformanceFrequency.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_HEADER, "PerfFreq"), consuming},
		check: onQueryData.check(func(p *pass, q *queryData) {
			require(p, q, "PerfFreq", q.PerfFreq(), q.PerfFreq() > 0, "must be greater than 0")
		}),
	},
	{
		ID: "PERF2109", Name: "v2-timestamp-negative", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfTimeStamp and PerfTime100NSec are not negative",
		Why:     "One document declares these fields signed and another unsigned, so readers interpret a negative value differently. No clock of Windows reaches such a value.",
		Fix:     "Write the results of QueryPerformanceCounter and GetSystemTimePreciseAsFileTime.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_HEADER, "PerfTimeStamp"), sourceOf(&layout.PERF_DATA_HEADER, "PerfTime100NSec"), pcqData},
		check: onQueryData.check(func(p *pass, q *queryData) {
			require(p, q, "PerfTimeStamp", q.PerfTimeStamp(), q.PerfTimeStamp() >= 0, "must be at least 0")
			require(p, q, "PerfTime100NSec", q.PerfTime100NSec(), q.PerfTime100NSec() >= 0, "must be at least 0")
		}),
	},
	{
		ID: "PERF2110", Name: "v2-systemtime-range", Severity: Warning, Since: "v0.1.0",
		Doc:     "each field of SystemTime is in the range of a SYSTEMTIME",
		Why:     "SystemTime is the time of the sample. SystemTimeToFileTime refuses a month 13 or an hour 24. A reader that ignores the error uses a wrong time.",
		Fix:     "Fill SystemTime with GetSystemTime, or convert PerfTime100NSec with FileTimeToSystemTime.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_HEADER, "SystemTime"), systemPage},
		check:   onQueryData.check(func(p *pass, q *queryData) { p.systemTime(queryTime, q.SystemTime()) }),
	},
	{
		ID: "PERF2111", Name: "v2-systemtime-weekday", Severity: Info, Since: "v0.1.0",
		Doc:     "wDayOfWeek is the weekday of the date",
		Why:     "The conversion functions ignore wDayOfWeek, but a program that displays it shows the wrong day. The other fields of a date with a wrong weekday are often wrong too.",
		Fix:     "Fill SystemTime with GetSystemTime or FileTimeToSystemTime, which set all fields.",
		Sources: []Source{systemPage},
		check:   onQueryData.check(func(p *pass, q *queryData) { p.weekday(queryTime, q.SystemTime()) }),
	},
	{
		ID: "PERF2112", Name: "v2-systemtime-mismatch", Severity: Warning, Since: "v0.1.0",
		Doc:     "SystemTime, as UTC, and PerfTime100NSec differ by at most 2 seconds",
		Why:     "SystemTime and PerfTime100NSec both have the time of the sample in UTC. If they differ by whole hours, one of them is local time. If they differ by another amount, they were read at different times.",
		Fix:     "Read the clock once, in UTC, and write both fields from it.",
		Sources: []Source{sourceOf(&layout.PERF_DATA_HEADER, "SystemTime"), sourceOf(&layout.PERF_DATA_HEADER, "PerfTime100NSec"), wineTest},
		check: onQueryData.check(func(p *pass, q *queryData) {
			at, ok := moment(q.SystemTime())
			if !ok || q.PerfTime100NSec() < 0 {
				return
			}
			const most = int64(2 * time.Second / 100)
			if apart := layout.FileTime(at) - q.PerfTime100NSec(); apart > most || apart < -most {
				want := layout.FromFileTime(q.PerfTime100NSec())
				p.reportBytes(q, "SystemTime", queryTime.off, int(layout.SYSTEMTIME.Size), fmt.Sprintf("SystemTime is %s", at.Format(time.DateTime)), fmt.Sprintf("must be %s, the time in PerfTime100NSec", want.Format(time.DateTime)))
			}
		}),
	},
}

// systemTime reports the first field of a SYSTEMTIME that is out of range.
func (p *pass) systemTime(at systemTimeField, t layout.SystemTime) {
	for _, f := range [...]struct {
		name              string
		is, least, atMost uint16
	}{
		{"wYear", t.WYear, 1601, 30827},
		{"wMonth", t.WMonth, 1, 12},
		{"wDayOfWeek", t.WDayOfWeek, 0, 6},
		{"wDay", t.WDay, 1, 31},
		{"wHour", t.WHour, 0, 23},
		{"wMinute", t.WMinute, 0, 59},
		{"wSecond", t.WSecond, 0, 59},
		{"wMilliseconds", t.WMilliseconds, 0, 999},
	} {
		if f.is < f.least || f.is > f.atMost {
			p.field(at, f.name, f.is, "must be %d to %d", f.least, f.atMost)
			return // one finding is enough, because a SYSTEMTIME that was never set has several wrong fields
		}
	}
	last := time.Date(int(t.WYear), time.Month(t.WMonth)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	if int(t.WDay) > last {
		p.field(at, "wDay", t.WDay, "must be at most %d, the last day of the month", last)
	}
}

// weekday reports a wDayOfWeek that is not the weekday of the date. Another rule reports fields that are
// out of range.
func (p *pass) weekday(at systemTimeField, t layout.SystemTime) {
	if date, ok := moment(t); ok && time.Weekday(t.WDayOfWeek) != date.Weekday() {
		p.field(at, "wDayOfWeek", t.WDayOfWeek, "must be %d, a %v", int(date.Weekday()), date.Weekday())
	}
}

// moment returns the time of a SYSTEMTIME in UTC. It returns false if a field is out of range, or
// if the date does not exist, such as 31 June.
func moment(t layout.SystemTime) (time.Time, bool) {
	if t.InRange() != nil {
		return time.Time{}, false
	}
	at := time.Date(int(t.WYear), time.Month(t.WMonth), int(t.WDay), int(t.WHour), int(t.WMinute), int(t.WSecond), int(t.WMilliseconds)*int(time.Millisecond), time.UTC)
	return at, at.Day() == int(t.WDay)
}

// usesFreq reports whether a reader needs PerfFreq of the data block to compute counters of a type.
func usesFreq(t layout.CounterType) bool {
	switch t {
	case layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_SAMPLE_COUNTER, layout.PERF_AVERAGE_TIMER:
		return true
	}
	return false
}

func (o *object) hasElapsedTime() bool {
	return slices.ContainsFunc(o.counters, func(c counter) bool { return c.typ == layout.PERF_ELAPSED_TIME })
}
