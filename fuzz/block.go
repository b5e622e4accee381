package fuzz

import (
	"time"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A generator makes the parts of one block.
type generator struct {
	*Source
	Config
	now     int64 // the block's PerfTime100nSec
	objects []builder.Object
}

// DataBlock returns a block with its header.
func DataBlock(s *Source, c Config) builder.DataBlock {
	g := generator{Source: s, Config: c.withDefaults()}
	d := g.header()
	g.makeObjects()
	d.Objects = g.objects
	return d
}

// Objects returns what a provider writes: objects without a header.
func Objects(s *Source, c Config) builder.Objects {
	g := generator{Source: s, Config: c.withDefaults(), now: builder.DefaultTime}
	g.makeObjects()
	return g.objects
}

func (g *generator) makeObjects() {
	for len(g.objects) < g.MaxObjects && g.chance(180) {
		g.objects = append(g.objects, g.object())
	}
}

func (g *generator) header() builder.DataBlock {
	d := builder.DataBlock{
		SystemName:    g.text(),
		PerfTime:      int64(g.uint64() >> 1),
		DefaultObject: int32(g.uint32()),
	}
	if g.chance(128) {
		d.PerfFreq = not(g.positive(), 10_000_000)
	}
	d.SystemTime, d.PerfTime100nSec = g.times()
	header := uint64(layout.PERF_DATA_BLOCK.Size)
	if g.chance(40) {
		d.SystemNameOffset = uint32(header)
		if d.SystemName != "" {
			d.SystemNameOffset += uint32(1 + g.upTo(20))
		}
	}
	if d.SystemName != "" {
		header = max(header, uint64(d.SystemNameOffset)) + uint64(layout.UTF16Len(d.SystemName)) + 2
	}
	if g.chance(40) {
		d.HeaderLength = uint32((header+7)/8*8) + 8*uint32(1+g.upTo(3))
	}
	return d
}

// times returns a moment, and now and then a SystemTime that is not of that moment.
func (g *generator) times() (system layout.SystemTime, now int64) {
	g.now = builder.DefaultTime
	if g.chance(160) {
		end := layout.FileTime(time.Date(30828, 1, 1, 0, 0, 0, 0, time.UTC))
		now = not(1+g.positive()%(end-2), builder.DefaultTime)
		g.now = now
	}
	if now != 0 && g.chance(60) {
		other := layout.FromFileTime(now / 2).Add(-time.Hour)
		if of, err := layout.SystemTimeOf(other); err == nil {
			system = of
		}
		if g.chance(60) { // a date that no calendar has
			system = layout.SystemTime{WYear: 2024, WMonth: 2, WDay: 30, WDayOfWeek: uint16(g.upTo(7))}
		}
	}
	return system, now
}

// not returns v, or the next number if v is what would be computed anyway.
func not[T ~int64 | ~uint32 | ~int32](v, computed T) T {
	if v == computed {
		return v + 1
	}
	return v
}

// text returns a name that is valid, often of plain letters.
func (g *generator) text() string {
	alphabet := pick(g.Source, "abcXYZ019 _", "äßÅéЖ漢字", "𝄞😀𐍈a", "\uFEFF\uFFFE\uFFFFĀ\u2028", "\x01\t\n\"'\\/()#*%:", "_Total")
	runes := []rune(alphabet)
	var s []rune
	for len(s) < g.MaxText && g.chance(210) {
		s = append(s, runes[g.upTo(len(runes))])
	}
	return string(s)
}

// bytes returns text of a code page: any bytes but NUL.
func (g *generator) bytes() string {
	var s []byte
	for len(s) < g.MaxText && g.chance(200) {
		s = append(s, byte(1+g.upTo(255)))
	}
	return string(s)
}
