package validate

import (
	"fmt"
	"time"

	"github.com/perfblock/perfblock/layout"
)

var queryClockRules = []*Rule{
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

// moment returns the date and time of SystemTime, and whether it is one, whatever day of
// the week it claims to be.
func (q *queryData) moment() (time.Time, bool) {
	t := q.SystemTime()
	if t.InRange() != nil {
		return time.Time{}, false
	}
	at := time.Date(int(t.WYear), time.Month(t.WMonth), int(t.WDay), int(t.WHour), int(t.WMinute), int(t.WSecond), int(t.WMilliseconds)*int(time.Millisecond), time.UTC)
	return at, at.Day() == int(t.WDay)
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
