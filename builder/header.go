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
	}
	if err := d.clocks().check(); err != nil {
		return p, err
	}
	var err error
	p.time, p.time100ns, err = d.clocks().times()
	return p, err
}

func (d *DataBlock) clocks() clocks {
	return clocks{&dataBlockClocks, d.SystemTime, d.PerfTime, d.PerfFreq, d.PerfTime100nSec}
}
