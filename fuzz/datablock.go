package fuzz

import (
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

func (g *generator) dataBlock() builder.DataBlock {
	d := g.header()
	g.makeObjects()
	d.Objects = g.objects
	return d
}

func (g *generator) makeObjects() {
	for of := range g.eachPart(objectPart, 0, g.MaxObjects-len(g.objects)) {
		g.objects = append(g.objects, of.object())
	}
}

// header returns a data block without objects.
func (g *generator) header() builder.DataBlock {
	d := builder.DataBlock{
		PerfTime:      int64(g.uint64() >> 1),
		DefaultObject: int32(g.uint32()),
	}
	if g.gives(128) {
		d.PerfFreq = avoid(g.positive(), 10_000_000)
	}
	d.SystemTime, d.PerfTime100nSec = g.times()
	gap, moved := 1+g.upTo(20), g.gives(40)
	padding, longer := 1+g.upTo(3), g.gives(40)
	d.SystemName = g.text()
	header := uint32(layout.SizeofDataBlock)
	if moved {
		d.SystemNameOffset = header
		if d.SystemName != "" {
			d.SystemNameOffset += uint32(gap)
		}
	}
	if d.SystemName != "" {
		header = max(header, d.SystemNameOffset) + utf16Size(d.SystemName)
	}
	if longer {
		d.HeaderLength = align8(header) + 8*uint32(padding)
	}
	return d
}

// times returns a PerfTime100nSec and sometimes a SystemTime that contradicts it. If the SystemTime is zero, the
// encoder computes it from PerfTime100nSec.
func (g *generator) times() (system layout.SystemTime, now int64) {
	g.now = builder.DefaultTime
	if g.chance(160) {
		end := layout.FileTime(time.Date(30828, 1, 1, 0, 0, 0, 0, time.UTC))
		now = avoid(1+g.positive()%(end-2), builder.DefaultTime)
		g.now = now
	}
	if other := g.gives(60); other && now != 0 {
		hourBefore := layout.FromFileTime(now / 2).Add(-time.Hour)
		if of, err := layout.SystemTimeOf(hourBefore); err == nil {
			system = of
		}
		if g.chance(60) { // February 30 does not exist
			system = layout.SystemTime{WYear: 2024, WMonth: 2, WDay: 30, WDayOfWeek: uint16(g.upTo(7))}
		}
	}
	return system, now
}
