package builder

import (
	"cmp"
	"time"

	"github.com/perfblock/perfblock/layout"
)

// DefaultTime is the PerfTime100nSec of a model without a time: 2000-01-01 00:00:00 UTC. It is
// fixed so that a model always encodes to the same bytes.
const DefaultTime int64 = 125911584000000000

// defaultFreq is the default PerfFreq in ticks per second: the frequency of QueryPerformanceCounter on current
// Windows.
const defaultFreq int64 = 10_000_000

// clocks holds the time fields of a header. In a model, 0 means the default.
type clocks struct {
	names  *clockNames
	system layout.SystemTime
	ticks  int64 // PerfTime or PerfTimeStamp
	freq   int64 // PerfFreq
	now    int64 // PerfTime100nSec or PerfTime100NSec
}

// clockNames has the field names that differ between PERF_DATA_BLOCK and PERF_DATA_HEADER.
type clockNames struct {
	record     *layout.Record
	ticks, now string
}

var (
	dataBlockClocks = clockNames{&layout.PERF_DATA_BLOCK, "PerfTime", "PerfTime100nSec"}
	queryDataClocks = clockNames{&layout.PERF_DATA_HEADER, "PerfTimeStamp", "PerfTime100NSec"}
)

// check checks the clocks, and returns SystemTime and PerfTime100nSec as [clocks.times] does.
func (c clocks) check() (layout.SystemTime, int64, error) {
	var all faults
	if c.ticks < 0 {
		all.add(fault(c.names.ticks, layout.ErrRange, "is %d, must not be negative", c.ticks))
	}
	if c.freq < 0 {
		all.add(fault("PerfFreq", layout.ErrRange, "is %d, must not be negative", c.freq))
	}
	if c.now < 0 {
		all.add(fault(c.names.now, layout.ErrRange, "is %d, must not be negative: it counts units of 100 ns since 1601-01-01", c.now))
		c.now = DefaultTime
	}
	system, now, err := c.times()
	all.add(err)
	return system, now, all.err()
}

// times returns SystemTime and PerfTime100nSec. If one of them is 0, it is computed from the other value. If both
// are 0, both are set to [DefaultTime].
func (c clocks) times() (layout.SystemTime, int64, error) {
	system, now := c.system, c.now
	if system == (layout.SystemTime{}) {
		now = cmp.Or(now, DefaultTime)
		system, err := layout.SystemTimeOf(layout.FromFileTime(now))
		if err != nil {
			err = fault(c.names.now, layout.ErrRange, "%v", err)
		}
		return system, now, err
	}
	if err := system.InRange(); err != nil {
		return system, now, fault("SystemTime", layout.ErrRange, "%v", err)
	}
	if now == 0 {
		t, err := system.Time()
		if err != nil {
			return system, now, fault("SystemTime", layout.ErrRange, "%v: set a valid SystemTime, or set %s too", err, c.names.now)
		}
		if now = layout.FileTime(t); now == 0 {
			return system, now, fault("SystemTime", layout.ErrRange, "is the first moment of 1601, must be later: %s would be 0, which means the default", c.names.now)
		}
	}
	return system, now, nil
}

// fileTime returns t in units of 100 ns since 1601-01-01 UTC, or -1 if a model cannot hold t. Encoding returns an
// error for -1.
func fileTime(t time.Time) int64 {
	now := layout.FileTime(t)
	// SystemTimeOf requires a year from 1601 to 30827. In a model, 0 means the default time.
	if _, err := layout.SystemTimeOf(t); err != nil || now == 0 {
		return -1
	}
	return now
}

// clocks converts the decoded time fields of a header to the fields of the model. s starts with the header.
func (d *decoder) clocks(s layout.Span, c clocks) clocks {
	d.checkTimes(s, &c)
	r := c.names.record
	if ticks := c.ticks; ticks < 0 {
		c.ticks = 0
		d.loseField(here, r, s, c.names.ticks, "is %d, must not be negative", ticks)
	}
	switch freq := c.freq; {
	case freq <= 0:
		c.freq = 0
		d.loseField(here, r, s, "PerfFreq", "is %d, must be above 0", freq)
	case freq == defaultFreq:
		c.freq = 0
	}
	return c
}

// checkTimes sets invalid times, and times that encoding can compute, to 0. It records an ErrUnkept error for each
// invalid time.
func (d *decoder) checkTimes(s layout.Span, c *clocks) {
	r := c.names.record
	if now := c.now; now <= 0 {
		c.now = 0
		d.loseField(here, r, s, c.names.now, "is %d, must be a time after 1601-01-01", now)
	}
	if err := c.system.InRange(); err != nil {
		c.system = layout.SystemTime{}
		d.loseField(here, r, s, "SystemTime", "%v", err)
	}
	system, now, err := c.times()
	if err != nil { // neither SystemTime nor PerfTime100nSec has a valid value
		c.system, c.now = layout.SystemTime{}, 0
		d.loseField(here, r, s, "SystemTime", "%v", err)
		return
	}
	c.system, c.now, d.now = layout.SystemTime{}, 0, now
	only := clocks{names: c.names, now: now}
	if computed, _, err := only.times(); err != nil || computed != system {
		c.system = system
	}
	only = clocks{names: c.names, system: c.system}
	if _, computed, err := only.times(); err != nil || computed != now {
		c.now = now
	}
}
