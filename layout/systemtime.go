package layout

import "time"

// epoch is the start of PerfTime100nSec, 1601-01-01, in Unix seconds.
const epoch = -11644473600

// SystemTimeOf returns the SYSTEMTIME of t in UTC, truncated to milliseconds. The error
// wraps [ErrRange] if the year is not 1601 to 30827.
func SystemTimeOf(t time.Time) (SystemTime, error) {
	t = t.UTC()
	if y := t.Year(); y < 1601 || y > 30827 {
		return SystemTime{}, Faultf(ErrRange, "year %d is out of range, must be 1601 to 30827", y)
	}
	return SystemTime{
		WYear: uint16(t.Year()), WMonth: uint16(t.Month()), WDayOfWeek: uint16(t.Weekday()), WDay: uint16(t.Day()),
		WHour: uint16(t.Hour()), WMinute: uint16(t.Minute()), WSecond: uint16(t.Second()),
		WMilliseconds: uint16(t.Nanosecond() / 1e6),
	}, nil
}

// Time returns the time in UTC. The error wraps [ErrRange]. Time returns an error if a field is out of range, if
// the day is after the end of the month, or if the day of the week is wrong.
func (s SystemTime) Time() (time.Time, error) {
	if err := s.InRange(); err != nil {
		return time.Time{}, err
	}
	t := time.Date(int(s.WYear), time.Month(s.WMonth), int(s.WDay), int(s.WHour), int(s.WMinute), int(s.WSecond), int(s.WMilliseconds)*1e6, time.UTC)
	if t.Day() != int(s.WDay) {
		return time.Time{}, Faultf(ErrRange, "wDay %d is after the end of the month", s.WDay)
	}
	if t.Weekday() != time.Weekday(s.WDayOfWeek) {
		return time.Time{}, Faultf(ErrRange, "wDayOfWeek is %d, must be %d, the weekday of the date", s.WDayOfWeek, t.Weekday())
	}
	return t, nil
}

// InRange returns an error that wraps [ErrRange] and names the first field that is out of
// range. It checks each field by itself, so it accepts 30 February and a wrong day of the week.
func (s SystemTime) InRange() error {
	for _, f := range [...]struct {
		name      string
		v, lo, hi uint16
	}{
		{"wYear", s.WYear, 1601, 30827}, {"wMonth", s.WMonth, 1, 12}, {"wDayOfWeek", s.WDayOfWeek, 0, 6}, {"wDay", s.WDay, 1, 31},
		{"wHour", s.WHour, 0, 23}, {"wMinute", s.WMinute, 0, 59}, {"wSecond", s.WSecond, 0, 59}, {"wMilliseconds", s.WMilliseconds, 0, 999},
	} {
		if f.v < f.lo || f.v > f.hi {
			return Faultf(ErrRange, "%s is %d, must be %d to %d", f.name, f.v, f.lo, f.hi)
		}
	}
	return nil
}

// FileTime returns t in the unit of PerfTime100nSec: 100 ns since 1601-01-01, UTC. The year
// of t must be 1601 to 30827.
func FileTime(t time.Time) int64 {
	return (t.Unix()-epoch)*1e7 + int64(t.Nanosecond()/100)
}

// FromFileTime returns the time of a PerfTime100nSec, in UTC.
func FromFileTime(ft int64) time.Time {
	sec, rest := ft/1e7, ft%1e7
	return time.Unix(sec+epoch, rest*100).UTC()
}
