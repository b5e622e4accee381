package builder

import (
	"time"

	"github.com/perfblock/perfblock/layout"
)

// clocks are those of a header as the model has them, where zero means the default.
type clocks struct {
	in               *clockFields
	system           layout.SystemTime
	ticks, freq, now int64
}

// clockFields are the names of the clocks that V1 and V2 name differently.
type clockFields struct {
	record     *layout.Record
	ticks, now string
}

var (
	dataBlockClocks = clockFields{&layout.PERF_DATA_BLOCK, "PerfTime", "PerfTime100nSec"}
	queryDataClocks = clockFields{&layout.PERF_DATA_HEADER, "PerfTimeStamp", "PerfTime100NSec"}
)

func (c clocks) check() error {
	here := layout.Path{}
	switch {
	case c.ticks < 0:
		return fault(here, c.in.ticks, layout.ErrRange, "%d is below 0", c.ticks)
	case c.freq < 0:
		return fault(here, "PerfFreq", layout.ErrRange, "%d ticks in a second", c.freq)
	case c.now < 0:
		return fault(here, c.in.now, layout.ErrRange, "%d is no moment from 1601 to 30827", c.now)
	}
	return nil
}

// perfFreq returns the PerfFreq to write.
func (c clocks) perfFreq() int64 {
	if c.freq == 0 {
		return defaultFreq
	}
	return c.freq
}

// times returns SystemTime and the count of 100 ns, either computed from the other.
func (c clocks) times() (layout.SystemTime, int64, error) {
	system, now := c.system, c.now
	if system == (layout.SystemTime{}) {
		if now == 0 {
			now = DefaultTime
		}
		system, err := layout.SystemTimeOf(layout.FromFileTime(now))
		if err != nil {
			err = fault(layout.Path{}, c.in.now, layout.ErrRange, "%v", err)
		}
		return system, now, err
	}
	if err := system.InRange(); err != nil {
		return system, now, fault(layout.Path{}, "SystemTime", layout.ErrRange, "%v", err)
	}
	if now == 0 {
		t, err := system.Time()
		if err != nil {
			return system, now, fault(layout.Path{}, "SystemTime", layout.ErrRange, "%v, so %s must be given", err, c.in.now)
		}
		if now = layout.FileTime(t); now == 0 {
			return system, now, fault(layout.Path{}, c.in.now, layout.ErrRange, "it is 0 for the first moment of 1601; give a later one")
		}
	}
	return system, now, nil
}

// moment returns t as a count of 100 ns, and for what such a count cannot tell one that
// no moment has, so that encoding refuses it.
func moment(t time.Time) int64 {
	now := layout.FileTime(t)
	if _, err := layout.SystemTimeOf(t); err != nil || now == 0 {
		return -1
	}
	return now
}
