package validate

import (
	"fmt"
	"time"

	"github.com/perfblock/perfblock/layout"
)

// systemTimeField is the SYSTEMTIME of a header, at an offset.
type systemTimeField struct{ off int64 }

func (systemTimeField) path() layout.Path { return layout.Path{}.Field("SystemTime") }

func (systemTimeField) record() *layout.Record { return &layout.SYSTEMTIME }

func (t systemTimeField) start() int64 { return t.off }

var clockRules = []*Rule{
	{
		ID: "PERF1116", Name: "data-systemtime", Severity: Warning, Since: "v0.1.0",
		Doc:     "each field of SystemTime is one that a SYSTEMTIME can have",
		Why:     "It is the moment of the sample. SystemTimeToFileTime and its like refuse a month 13 or an hour 24, and a reader that does not ask has no time at all, or a wrong one.",
		Fix:     "Fill it with GetSystemTime, or from PerfTime100nSec with FileTimeToSystemTime.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "SystemTime"), {"SYSTEMTIME", layout.SYSTEMTIME.Source}},
		check:   onDataBlock.check(dataSystemTime),
	},
	{
		ID: "PERF1117", Name: "data-perf-freq", Severity: Error, Since: "v0.1.0",
		Doc:     "PerfFreq is above 0 where a counter is computed with it",
		Why:     "A rate divides by seconds, which are PerfTime divided by PerfFreq. With 0 the reader divides by zero, and with less the rate is negative.",
		Fix:     "Write what QueryPerformanceFrequency gives.",
		Sources: []Source{calculating, of(&layout.PERF_DATA_BLOCK, "PerfFreq")},
		check:   onDataBlock.atEnd(dataPerfFreq),
	},
	{
		ID: "PERF1118", Name: "data-perf-freq-unused", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfFreq is above 0 even where no counter is computed with it",
		Why:     "It belongs to the computer and not to the counters, so there always is one. A reader may divide by it before it looks at a counter.",
		Fix:     "Write what QueryPerformanceFrequency gives.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "PerfFreq")},
		check:   onDataBlock.atEnd(dataPerfFreqUnused),
	},
	{
		ID: "PERF1119", Name: "data-perf-time", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfTime is not below 0, and PerfTime100nSec is above 0",
		Why:     "Rates are computed from how far these clocks went on between two samples. A clock that was never read stands still, and the reader divides by zero.",
		Fix:     "Write what QueryPerformanceCounter and GetSystemTimeAsFileTime give.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "PerfTime"), of(&layout.PERF_DATA_BLOCK, "PerfTime100nSec")},
		check:   onDataBlock.check(dataPerfTime),
	},
	{
		ID: "PERF1120", Name: "data-padding-zero", Severity: Info, Since: "v0.1.0",
		Doc:     "the 4 bytes between SystemTime and PerfTime are 0",
		Why:     "They are no member of the structure and only align PerfTime. Other bytes there are left over from what the memory was used for before, which need not concern the reader.",
		Fix:     "Clear the structure before you fill it.",
		Sources: []Source{headerFile},
		check:   onDataBlock.check(dataPadding),
	},
	{
		ID: "PERF1234", Name: "obj-timer-perffreq", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with a PERF_ELAPSED_TIME has a PerfFreq above 0",
		Why:     "The time that has passed is divided by the object's PerfFreq to give seconds. There is no value without it, and a reader that does not look divides by 0.",
		Fix:     "Write the ticks that the object's PerfTime makes in a second, 10000000 where it is a FILETIME.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "PerfFreq"), calculating},
		check:   onDefinitions.check(objectTimerFreq),
	},
	{
		ID: "PERF1235", Name: "obj-timer-perftime", Severity: Error, Since: "v0.1.0",
		Doc:     "an object with a counter of PERF_OBJECT_TIMER has a PerfTime above 0",
		Why:     "Such counters are computed with the object's PerfTime in place of the header's. Where it stays 0 no time passes between two samples, and elapsed times are negative.",
		Fix:     "Write the time of the sample in the ticks in which the counters count.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "PerfTime"), calculating},
		check:   onDefinitions.check(objectTimerTime),
	},
	{
		ID: "PERF1236", Name: "obj-timer-perffreq-rate", Severity: Warning, Since: "v0.1.0",
		Doc:     "an object with a counter of PERF_OBJECT_TIMER has a PerfFreq above 0, though none is a PERF_ELAPSED_TIME",
		Why:     "The page asks for it wherever such a counter is. Known formulas divide two times and do without, so that only readers are hurt which turn PerfTime into seconds.",
		Fix:     "Write the ticks that the object's PerfTime makes in a second, 10000000 where it is a FILETIME.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "PerfFreq")},
		check:   onDefinitions.check(objectTimerFreqRate),
	},
	{
		ID: "PERF2108", Name: "v2-perf-freq-positive", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfFreq is above 0",
		Why:     "A rate divides by seconds, which are PerfTimeStamp divided by PerfFreq. With 0 the reader divides by zero, and with less the rate is negative.",
		Fix:     "Write what QueryPerformanceFrequency gives.",
		Sources: []Source{of(&layout.PERF_DATA_HEADER, "PerfFreq"), consuming},
		check:   onQueryData.check(queryFreq),
	},
	{
		ID: "PERF2109", Name: "v2-timestamp-negative", Severity: Warning, Since: "v0.1.0",
		Doc:     "PerfTimeStamp and PerfTime100NSec are not below 0",
		Why:     "They are signed in one document and unsigned in the other, and no clock of Windows gets that far. Readers differ in what they make of it.",
		Fix:     "Write what QueryPerformanceCounter and GetSystemTimePreciseAsFileTime give.",
		Sources: []Source{of(&layout.PERF_DATA_HEADER, "PerfTimeStamp"), of(&layout.PERF_DATA_HEADER, "PerfTime100NSec"), pcqData},
		check:   onQueryData.check(queryStamps),
	},
	{
		ID: "PERF2110", Name: "v2-systemtime-range", Severity: Warning, Since: "v0.1.0",
		Doc:     "each field of SystemTime is one that a SYSTEMTIME can have",
		Why:     "It is the moment of the sample. SystemTimeToFileTime and its like refuse a month 13 or an hour 24, and a reader that does not ask has no time at all, or a wrong one.",
		Fix:     "Fill it with GetSystemTime, or from PerfTime100NSec with FileTimeToSystemTime.",
		Sources: []Source{of(&layout.PERF_DATA_HEADER, "SystemTime"), systemPage},
		check:   onQueryData.check(querySystemTime),
	},
	{
		ID: "PERF2111", Name: "v2-systemtime-weekday", Severity: Info, Since: "v0.1.0",
		Doc:     "wDayOfWeek is the day of the date beside it",
		Why:     "The functions that convert a SYSTEMTIME do not look at it, but who shows it shows the wrong day, and a date that was put together by hand is easily wrong in more than that.",
		Fix:     "Fill SystemTime with GetSystemTime or FileTimeToSystemTime, which set all of it.",
		Sources: []Source{systemPage},
		check:   onQueryData.check(queryWeekday),
	},
	{
		ID: "PERF2112", Name: "v2-systemtime-mismatch", Severity: Warning, Since: "v0.1.0",
		Doc:     "SystemTime, taken for UTC, and PerfTime100NSec are within 2 seconds of each other",
		Why:     "Both are the moment of the sample in UTC. A difference of whole hours is local time in one of them, any other a clock that was read another time.",
		Fix:     "Read the clock once, in UTC, and write both from it.",
		Sources: []Source{of(&layout.PERF_DATA_HEADER, "SystemTime"), of(&layout.PERF_DATA_HEADER, "PerfTime100NSec"), wineTest},
		check:   onQueryData.check(queryTimes),
	},
}

// systemTimeField reports the first field of a SYSTEMTIME that it cannot have.
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
			p.field(at, f.name, f.is, "%d to %d", f.least, f.atMost)
			return
		}
	}
	last := time.Date(int(t.WYear), time.Month(t.WMonth)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	if int(t.WDay) > last {
		p.field(at, "wDay", t.WDay, "%d at most, the days of that month", last)
	}
}

// dataSystemTime speaks of the first field alone: one that was not filled in has
// several that are wrong.
func dataSystemTime(p *pass, h *dataBlock) { p.systemTime(systemTimeField{36}, h.SystemTime()) }

func dataPerfFreq(p *pass, h *dataBlock) {
	if f := h.PerfFreq(); f <= 0 && h.usesFreq != "" {
		p.field(h, "PerfFreq", f, "more than 0, as a %s is computed with it", h.usesFreq)
	}
}

func dataPerfFreqUnused(p *pass, h *dataBlock) {
	if f := h.PerfFreq(); f <= 0 && h.usesFreq == "" {
		p.field(h, "PerfFreq", f, "more than 0")
	}
}

// usesFreq reports whether a counter of the type is computed with the PerfFreq of
// the data block.
func usesFreq(t layout.CounterType) bool {
	switch t {
	case layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_SAMPLE_COUNTER, layout.PERF_AVERAGE_TIMER:
		return true
	}
	return false
}

func dataPerfTime(p *pass, h *dataBlock) {
	if t := h.PerfTime(); t < 0 {
		p.field(h, "PerfTime", t, "0 or more")
	}
	if t := h.PerfTime100nSec(); t <= 0 {
		p.field(h, "PerfTime100nSec", t, "more than 0")
	}
}

func dataPadding(p *pass, h *dataBlock) {
	if v := le.Uint32(h.Bytes()[52:]); v != 0 {
		p.field(h, "Padding", v, "0")
	}
}

// elapsed reports whether a counter of the object is a PERF_ELAPSED_TIME.
func (o *object) elapsed() bool {
	for i := range o.counters {
		if o.counters[i].typ == layout.PERF_ELAPSED_TIME {
			return true
		}
	}
	return false
}

func objectTimerFreq(p *pass, o definitions) {
	if f := o.PerfFreq(); f <= 0 && o.clock && o.elapsed() {
		p.field(o, "PerfFreq", f, "above 0, for PERF_ELAPSED_TIME")
	}
}

func objectTimerTime(p *pass, o definitions) {
	if t := o.PerfTime(); t <= 0 && o.clock {
		p.field(o, "PerfTime", t, "above 0, for counters of PERF_OBJECT_TIMER")
	}
}

func objectTimerFreqRate(p *pass, o definitions) {
	if f := o.PerfFreq(); f <= 0 && o.clock && !o.elapsed() {
		p.field(o, "PerfFreq", f, "above 0, for counters of PERF_OBJECT_TIMER")
	}
}

func queryFreq(p *pass, q *queryData) {
	if f := q.PerfFreq(); f <= 0 {
		p.field(q, "PerfFreq", f, "more than 0")
	}
}

func queryStamps(p *pass, q *queryData) {
	if t := q.PerfTimeStamp(); t < 0 {
		p.field(q, "PerfTimeStamp", t, "0 or more")
	}
	if t := q.PerfTime100NSec(); t < 0 {
		p.field(q, "PerfTime100NSec", t, "0 or more")
	}
}

// querySystemTimeAt is where SystemTime stands.
const querySystemTimeAt = 32

func querySystemTime(p *pass, q *queryData) {
	p.systemTime(systemTimeField{querySystemTimeAt}, q.SystemTime())
}

func queryWeekday(p *pass, q *queryData) {
	if at, ok := q.moment(); ok && int(q.SystemTime().WDayOfWeek) != int(at.Weekday()) {
		p.field(systemTimeField{querySystemTimeAt}, "wDayOfWeek", q.SystemTime().WDayOfWeek, "%d, a %v", int(at.Weekday()), at.Weekday())
	}
}

func queryTimes(p *pass, q *queryData) {
	at, ok := q.moment()
	if !ok || q.PerfTime100NSec() < 0 {
		return
	}
	const second = int64(time.Second / 100)
	// In halves, as the two may be further apart than 64 bits hold.
	if apart := layout.FileTime(at)/2 - q.PerfTime100NSec()/2; apart > second || apart < -second {
		want := layout.FromFileTime(q.PerfTime100NSec())
		p.bytes(q, "SystemTime", querySystemTimeAt, int(layout.SYSTEMTIME.Size), fmt.Sprintf("SystemTime is %s", at.Format(time.DateTime)), fmt.Sprintf("%s, which PerfTime100NSec says", want.Format(time.DateTime)))
	}
}
