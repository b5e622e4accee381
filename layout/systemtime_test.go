package layout_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

// moments has times as SYSTEMTIME, as FILETIME and in Unix seconds. The FILETIMEs are well-known
// numbers, or sums of whole days of 864,000,000,000 units.
var moments = []struct {
	system layout.SystemTime
	file   int64
	unix   int64
	reason string
}{
	{layout.SystemTime{WYear: 1601, WMonth: 1, WDayOfWeek: 1, WDay: 1}, 0, -11644473600, "where FILETIME starts, a Monday"},
	{layout.SystemTime{WYear: 1601, WMonth: 1, WDayOfWeek: 2, WDay: 2}, 864000000000, -11644387200, "a day later"},
	{layout.SystemTime{WYear: 1970, WMonth: 1, WDayOfWeek: 4, WDay: 1}, 116444736000000000, 0, "where Unix time starts, a Thursday"},
	{layout.SystemTime{WYear: 2000, WMonth: 1, WDayOfWeek: 6, WDay: 1}, 125911584000000000, 946684800, "2000-01-01, a Saturday"},
	{layout.SystemTime{WYear: 2000, WMonth: 2, WDayOfWeek: 2, WDay: 29}, 125962560000000000, 951782400, "2000 was a leap year"},
	{layout.SystemTime{WYear: 2020, WMonth: 2, WDayOfWeek: 6, WDay: 29}, 132274080000000000, 1582934400, "29 February"},
	{layout.SystemTime{WYear: 2020, WMonth: 5, WDayOfWeek: 5, WDay: 1}, 132327648000000000, 1588291200, "2020-05-01, a Friday"},
	{layout.SystemTime{WYear: 2020, WMonth: 5, WDayOfWeek: 5, WDay: 1, WHour: 23, WMinute: 59, WSecond: 59, WMilliseconds: 999}, 132328511999990000, 1588377599, "its last millisecond"},
}

func TestSystemTimeAndFileTime(t *testing.T) {
	t.Parallel()
	for _, tt := range moments {
		moment, err := tt.system.Time()
		if err != nil || moment.Unix() != tt.unix || moment.Location() != time.UTC || moment.Nanosecond() != int(tt.system.WMilliseconds)*1e6 {
			t.Errorf("%v: %v, %v: %s", tt.system, moment, err, tt.reason)
		}
		if got := layout.FileTime(moment); got != tt.file {
			t.Errorf("%v: FILETIME %d, want %d: %s", moment, got, tt.file, tt.reason)
		}
		if got := layout.FromFileTime(tt.file); !got.Equal(moment) || got.Location() != time.UTC {
			t.Errorf("FILETIME %d: %v, want %v: %s", tt.file, got, moment, tt.reason)
		}
		for _, zone := range []*time.Location{time.UTC, time.FixedZone("east", 14*3600), time.FixedZone("west", -12*3600)} {
			if got, err := layout.SystemTimeOf(moment.In(zone)); err != nil || got != tt.system {
				t.Errorf("%v: %v: %v (-want +got):\n%s", moment.In(zone), tt.reason, err, cmp.Diff(tt.system, got))
			}
		}
	}
}

func TestSystemTimeFaults(t *testing.T) {
	t.Parallel()
	good := layout.SystemTime{WYear: 2020, WMonth: 5, WDayOfWeek: 5, WDay: 1, WHour: 12, WMinute: 30, WSecond: 30, WMilliseconds: 500}
	for _, tt := range []struct {
		change  func(*layout.SystemTime)
		want    string // the error of Time
		inRange string // the error of InRange
		reason  string
	}{
		{func(s *layout.SystemTime) {}, "", "", "nothing wrong"},
		{func(s *layout.SystemTime) { s.WYear = 1600 }, "wYear is 1600, must be 1601 to 30827", "wYear is 1600, must be 1601 to 30827", "before FILETIME"},
		{func(s *layout.SystemTime) { s.WYear = 30828 }, "wYear is 30828, must be 1601 to 30827", "wYear is 30828, must be 1601 to 30827", "after the range of SYSTEMTIME"},
		{func(s *layout.SystemTime) { s.WMonth = 0 }, "wMonth is 0, must be 1 to 12", "wMonth is 0, must be 1 to 12", "months count from 1"},
		{func(s *layout.SystemTime) { s.WMonth = 13 }, "wMonth is 13, must be 1 to 12", "wMonth is 13, must be 1 to 12", "months end at 12"},
		{func(s *layout.SystemTime) { s.WDayOfWeek = 7 }, "wDayOfWeek is 7, must be 0 to 6", "wDayOfWeek is 7, must be 0 to 6", "Saturday is 6"},
		{func(s *layout.SystemTime) { s.WDay = 0 }, "wDay is 0, must be 1 to 31", "wDay is 0, must be 1 to 31", "days count from 1"},
		{func(s *layout.SystemTime) { s.WDay = 32 }, "wDay is 32, must be 1 to 31", "wDay is 32, must be 1 to 31", "no month has 32"},
		{func(s *layout.SystemTime) { s.WHour = 24 }, "wHour is 24, must be 0 to 23", "wHour is 24, must be 0 to 23", "midnight is 0"},
		{func(s *layout.SystemTime) { s.WMinute = 60 }, "wMinute is 60, must be 0 to 59", "wMinute is 60, must be 0 to 59", ""},
		{func(s *layout.SystemTime) { s.WSecond = 60 }, "wSecond is 60, must be 0 to 59", "wSecond is 60, must be 0 to 59", "no leap seconds"},
		{func(s *layout.SystemTime) { s.WMilliseconds = 1000 }, "wMilliseconds is 1000, must be 0 to 999", "wMilliseconds is 1000, must be 0 to 999", ""},
		{func(s *layout.SystemTime) { s.WMonth, s.WHour = 0, 99 }, "wMonth is 0, must be 1 to 12", "wMonth is 0, must be 1 to 12", "the first of two"},
		{func(s *layout.SystemTime) { s.WDayOfWeek = 4 }, "wDayOfWeek is 4, must be 5, the weekday of the date", "", "it was a Friday"},
		{func(s *layout.SystemTime) { s.WDayOfWeek = 0 }, "wDayOfWeek is 0, must be 5, the weekday of the date", "", "0 is Sunday, not unset"},
		{func(s *layout.SystemTime) { s.WMonth, s.WDay = 2, 30 }, "wDay 30 is after the end of the month", "", "30 February"},
		{func(s *layout.SystemTime) { s.WMonth, s.WDay = 4, 31 }, "wDay 31 is after the end of the month", "", "31 April"},
		{func(s *layout.SystemTime) { s.WYear, s.WMonth, s.WDay = 2021, 2, 29 }, "wDay 29 is after the end of the month", "", "2021 had no 29 February"},
		{func(s *layout.SystemTime) { s.WYear, s.WMonth, s.WDay = 1900, 2, 29 }, "wDay 29 is after the end of the month", "", "1900 had no 29 February"},
	} {
		s := good
		tt.change(&s)
		_, err := s.Time()
		checkText(t, err, tt.want, tt.reason)
		checkText(t, s.InRange(), tt.inRange, tt.reason)
	}
	if err := (layout.SystemTime{}).InRange(); err == nil || err.Error() != "wYear is 0, must be 1601 to 30827" {
		t.Errorf("a SYSTEMTIME of zeros: %v", err)
	}
}

func checkText(t *testing.T, err error, want, reason string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want || err != nil && !errors.Is(err, layout.ErrRange) {
		t.Errorf("got %q, want %q: %s", got, want, reason)
	}
}

func TestSystemTimeEdges(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		year, month, day int
		ok               bool
	}{{1600, 12, 31, false}, {1601, 1, 1, true}, {30827, 12, 31, true}, {30828, 1, 1, false}, {-5, 1, 1, false}} {
		moment := time.Date(tt.year, time.Month(tt.month), tt.day, 12, 0, 0, 0, time.UTC)
		s, err := layout.SystemTimeOf(moment)
		if (err == nil) != tt.ok || err != nil && !errors.Is(err, layout.ErrRange) {
			t.Errorf("%v: %v, %v", moment, s, err)
		}
		if back, err := s.Time(); tt.ok && (err != nil || !back.Equal(moment)) {
			t.Errorf("%v: back %v, %v", moment, back, err)
		}
	}
	// At the start of 1601 in a time zone east of UTC, the year in UTC is 1600, which is out of range.
	if _, err := layout.SystemTimeOf(time.Date(1601, 1, 1, 0, 0, 0, 0, time.FixedZone("east", 3600))); !errors.Is(err, layout.ErrRange) {
		t.Errorf("the range is that of the year in UTC: %v", err)
	}
}

func TestTimesRoundTrip(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 6))
	last := layout.FileTime(time.Date(30828, 1, 1, 0, 0, 0, 0, time.UTC)) - 1
	for range 10_000 {
		file := rnd.Int64N(last)
		moment := layout.FromFileTime(file)
		if got := layout.FileTime(moment); got != file {
			t.Fatalf("FILETIME %d: %v, then %d", file, moment, got)
		}
		if got := layout.FileTime(moment.Add(99 * time.Nanosecond)); got != file {
			t.Fatalf("FILETIME %d, 99 ns later: %d", file, got)
		}
		s, err := layout.SystemTimeOf(moment)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := s.Time(); err != nil || !back.Equal(moment.Truncate(time.Millisecond)) {
			t.Fatalf("%v: %v, %v", moment, back, err)
		}
	}
}
