package builder

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

// planHeader checks what belongs to the header and measures it.
func (d *DataBlock) planHeader() (blockPlan, error) {
	var p blockPlan
	here, size := layout.Path{}, uint64(layout.PERF_DATA_BLOCK.Size)
	if err := checkLetters(d.SystemName, 0); err != nil {
		return p, &layout.Error{Path: here.Field("SystemName"), Off: -1, Err: err}
	}
	p.nameOffset, p.header = uint64(d.SystemNameOffset), size
	if d.SystemName != "" {
		if p.nameOffset == 0 {
			p.nameOffset = size
		}
		p.nameSize = lettersLen(d.SystemName, 0) + terminatorLen(0)
		p.header = max(size, p.nameOffset+p.nameSize)
	}
	needed := up(p.header, layout.Align)
	if p.header = needed; d.HeaderLength != 0 {
		p.header = uint64(d.HeaderLength)
	}
	switch {
	case d.SystemName != "" && p.nameOffset < size:
		return p, fault(here, "SystemNameOffset", layout.ErrRange, "%d is inside the structure: it is 0 or at least %d", p.nameOffset, size)
	case p.header < needed || p.header%layout.Align != 0:
		return p, fault(here, "HeaderLength", layout.ErrRange, "%d is no length of this header: it is 0, or a multiple of 8 from %d on", p.header, needed)
	case p.header > math.MaxUint32:
		return p, fault(here, "HeaderLength", ErrTooLarge, "%d is too long", p.header)
	case d.PerfTime < 0:
		return p, fault(here, "PerfTime", layout.ErrRange, "%d is below 0", d.PerfTime)
	case d.PerfFreq < 0:
		return p, fault(here, "PerfFreq", layout.ErrRange, "%d ticks in a second", d.PerfFreq)
	case d.PerfTime100nSec < 0:
		return p, fault(here, "PerfTime100nSec", layout.ErrRange, "%d is no moment from 1601 to 30827", d.PerfTime100nSec)
	}
	var err error
	p.time, p.time100ns, err = d.times()
	return p, err
}

func (d *DataBlock) perfFreq() int64 {
	if d.PerfFreq == 0 {
		return defaultFreq
	}
	return d.PerfFreq
}

// times returns SystemTime and PerfTime100nSec, either computed from the other.
func (d *DataBlock) times() (layout.SystemTime, int64, error) {
	system, now := d.SystemTime, d.PerfTime100nSec
	if system == (layout.SystemTime{}) {
		if now == 0 {
			now = DefaultTime
		}
		system, err := layout.SystemTimeOf(layout.FromFileTime(now))
		if err != nil {
			err = fault(layout.Path{}, "PerfTime100nSec", layout.ErrRange, "%v", err)
		}
		return system, now, err
	}
	if err := system.InRange(); err != nil {
		return system, now, fault(layout.Path{}, "SystemTime", layout.ErrRange, "%v", err)
	}
	if now == 0 {
		t, err := system.Time()
		if err != nil {
			return system, now, fault(layout.Path{}, "SystemTime", layout.ErrRange, "%v, so PerfTime100nSec must be given", err)
		}
		if now = layout.FileTime(t); now == 0 {
			return system, now, fault(layout.Path{}, "PerfTime100nSec", layout.ErrRange, "it is 0 for the first moment of 1601; give a later one")
		}
	}
	return system, now, nil
}
