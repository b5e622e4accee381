package builder

import (
	"time"

	"github.com/perfblock/perfblock/layout"
)

// DefaultTime is the PerfTime100nSec of a block without a time, so that the same model
// always encodes to the same bytes: 2000-01-01 00:00:00 UTC.
const DefaultTime int64 = 125911584000000000

// defaultFreq is the frequency of Windows' clocks today, and that of a count of 100 ns.
const defaultFreq = 10_000_000

// clocks are the clocks of a header in the form of the model, where zero means the default.
type clocks struct {
	in               *clockFields
	system           layout.SystemTime
	ticks, freq, now int64
}

// clockFields are the names of the clocks that differ between V1 and V2.
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
		return fault(here, c.in.ticks, layout.ErrRange, "is %d, must not be negative", c.ticks)
	case c.freq < 0:
		return fault(here, "PerfFreq", layout.ErrRange, "is %d, must not be negative", c.freq)
	case c.now < 0:
		return fault(here, c.in.now, layout.ErrRange, "is %d, must be a time from 1601 to 30827", c.now)
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

// times returns SystemTime and the count of 100 ns. If one of them is zero it is computed
// from the other.
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
			return system, now, fault(layout.Path{}, "SystemTime", layout.ErrRange, "%v, so set %s", err, c.in.now)
		}
		if now = layout.FileTime(t); now == 0 {
			return system, now, fault(layout.Path{}, c.in.now, layout.ErrRange, "is 0 for the first moment of 1601, must be above 0: set a later SystemTime")
		}
	}
	return system, now, nil
}

// moment returns t as a count of 100 ns. For a time that such a count cannot hold it returns
// -1, which encoding refuses.
func moment(t time.Time) int64 {
	now := layout.FileTime(t)
	if _, err := layout.SystemTimeOf(t); err != nil || now == 0 {
		return -1
	}
	return now
}

// clocks decodes the clocks of a header. s starts with the record whose fields they are.
func (d *decoder) clocks(s layout.Span, c clocks) clocks {
	d.times(s, &c)
	r, here := c.in.record, layout.Path{}
	if ticks := c.ticks; ticks < 0 {
		c.ticks = 0
		d.loseField(here, r, s, c.in.ticks, "is %d, must not be negative", ticks)
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

// times sets SystemTime and the count of 100 ns to zero where encoding computes them from
// the other. A value that is lost gets its computed value, so that decoding the encoded model
// returns the same model.
func (d *decoder) times(s layout.Span, c *clocks) {
	r, here := c.in.record, layout.Path{}
	if now := c.now; now <= 0 {
		c.now = 0
		d.loseField(here, r, s, c.in.now, "is %d, must be a time after 1601-01-01", now)
	}
	if err := c.system.InRange(); err != nil {
		c.system = layout.SystemTime{}
		d.loseField(here, r, s, "SystemTime", "%v", err)
	}
	system, now, err := c.times()
	if err != nil { // neither can be computed from the other
		c.system, c.now, d.now = layout.SystemTime{}, 0, DefaultTime
		d.loseField(here, r, s, "SystemTime", "%v", err)
		return
	}
	c.system, c.now, d.now = layout.SystemTime{}, 0, now
	only := clocks{in: c.in, now: now}
	if computed, _, err := only.times(); err != nil || computed != system {
		c.system = system
	}
	only = clocks{in: c.in, system: c.system}
	if _, computed, err := only.times(); err != nil || computed != now {
		c.now = now
	}
}
