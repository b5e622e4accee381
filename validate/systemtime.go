package validate

import (
	"time"

	"github.com/perfblock/perfblock/layout"
)

// systemTimeField is the SYSTEMTIME of a header, at an offset.
type systemTimeField struct{ off int64 }

func (systemTimeField) path() layout.Path      { return layout.Path{}.Field("SystemTime") }
func (systemTimeField) record() *layout.Record { return &layout.SYSTEMTIME }
func (t systemTimeField) start() int64         { return t.off }

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
