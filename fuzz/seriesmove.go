package fuzz

import (
	"math"
	"math/rand/v2"
)

// A movement has the two numbers that describe a counter in an interval. For example, n is 3 hits and whole is 5
// attempts. If only one number describes the counter, such as a level, then n is this number, and whole is 0.
type movement struct{ n, whole uint64 }

// advance changes the values of all counters in all rows. The argument seconds is the length of the interval, or 0 for
// the first block.
func (t *seriesTable) advance(random *rand.Rand, seconds float64) {
	clear(t.sums)
	t.many = 0
	for _, totals := range []bool{false, true} {
		for _, r := range t.rows {
			if r.total == totals {
				t.advanceRow(random, r, seconds)
			}
		}
	}
}

func (t *seriesTable) advanceRow(random *rand.Rand, r *seriesRow, seconds float64) {
	clear(t.taken)
	clear(t.fell)
	clear(t.change)
	for i, c := range t.cells {
		if c.role == clockTime && seconds > 0 {
			t.add(r, i, uint64(ticks(t.interval, int64(r.values[c.freq]))))
		}
	}
	sum := r.total && t.many > 0
	for _, i := range t.order {
		c := &t.counters[i]
		switch {
		case c.equal >= 0:
			t.now[i] = t.now[c.equal]
		case seconds > 0 || !c.measure.needsTwo():
			wish := t.draw(random, r, i, seconds)
			if sum && c.measure.aggregated() {
				wish = t.aggregate(r, i)
			}
			t.now[i] = t.apply(r, c, wish)
		}
		if !r.total {
			t.sums[i].n += t.now[i].n
			t.sums[i].whole += t.now[i].whole
		}
	}
	if !r.total {
		t.many++
	}
	for i := range t.counters {
		r.shown[i] = t.show(r, i, seconds)
		if cell := t.counters[i].cell; cell != i {
			r.values[i] = r.values[cell]
		}
	}
}

// aggregate returns the movement of counter i of _Total. It is the sum or the average of the movements of all other
// rows.
func (t *seriesTable) aggregate(r *seriesRow, i int) movement {
	sum, c := t.sums[i], &t.counters[i]
	switch c.measure {
	case measuresBusy, measuresIdle:
		return movement{sum.n / t.many, t.ticksOf(c)}
	case measuresSpan:
		return movement{sum.n / t.many, sum.whole / t.many}
	}
	return sum
}

// draw returns a random movement of counter i of a row.
func (t *seriesTable) draw(random *rand.Rand, r *seriesRow, i int, seconds float64) movement {
	c := &t.counters[i]
	if seconds > 0 {
		r.walk[i] = reflected(r.walk[i] + float32(random.NormFloat64())/10)
	}
	busy := float64(r.walk[i])
	part := func(whole uint64) movement { return movement{min(toUint64(busy*float64(whole)), whole), whole} }
	ticks := t.ticksOf(c)
	switch c.measure {
	case measuresLevel:
		return movement{n: level(random, r.values[c.cell], t.cells[c.cell].mask, seconds)}
	case measuresAge:
		return movement{n: t.age(random, r, c, seconds)}
	case measuresBusy, measuresIdle:
		return part(ticks)
	case measuresSpan:
		return part(ticks - ticks/2000 + random.Uint64N(ticks/1000+1))
	case measuresQueue:
		return movement{n: toUint64(busy * 20 * float64(ticks))}
	case measuresUse:
		return part(r.values[c.base])
	case measuresParts, measuresIdleParts:
		return movement{part(r.values[c.base] * ticks).n, r.values[c.base]}
	}
	events := toUint64(busy * busy * c.peak * seconds)
	switch c.measure {
	case measuresHits:
		return part(events)
	case measuresDuration:
		return movement{toUint64(float64(events) * busy * float64(t.clocks[tickClock].freq) / 50), events}
	case measuresSize:
		return movement{toUint64(float64(events) * busy * 65536), events}
	}
	return movement{n: events}
}

// apply changes the cells of a counter by the movement `wish`, as far as the cells allow. It returns the movement that
// results.
func (t *seriesTable) apply(r *seriesRow, c *seriesCounter, wish movement) movement {
	most := t.cells[c.cell].maxChange()
	m := movement{whole: wish.whole}
	switch c.measure {
	case measuresLevel:
		if m.n = r.values[c.cell]; t.cells[c.cell].role == amount {
			m.n = t.put(r, c.cell, wish.n)
		}
		return m
	case measuresUse:
		if m.whole = r.values[c.base]; t.cells[c.base].role == capacity {
			m.whole = t.put(r, c.base, wish.whole)
		}
		m.n = t.put(r, c.cell, min(wish.n, m.whole))
		return m
	case measuresAge:
		return wish
	case measuresBusy:
		wish.n = min(wish.n, wish.whole)
	case measuresIdle: // the counter counts the ticks that are not busy
		m.n = wish.whole - t.add(r, c.cell, min(wish.whole-min(wish.n, wish.whole), most))
		return m
	case measuresIdleParts:
		all := wish.whole * t.ticksOf(c)
		m.n = all - t.add(r, c.cell, min(all-wish.n, most))
		return m
	case measuresSpan, measuresHits:
		m.whole = t.add(r, c.base, min(wish.whole, t.cells[c.base].maxChange()))
		wish.n = min(wish.n, m.whole)
	case measuresDuration, measuresSize:
		if m.whole = t.add(r, c.base, min(wish.whole, t.cells[c.base].maxChange())); m.whole == 0 {
			wish.n = 0
		}
	}
	m.n = t.add(r, c.cell, min(wish.n, most))
	return m
}

// ticksOf returns the ticks of the clock of a counter in this interval.
func (t *seriesTable) ticksOf(c *seriesCounter) uint64 {
	if c.time >= 0 {
		return t.change[c.time]
	}
	return t.clocks[c.clock].ticks
}

// level returns a number near v.
func level(random *rand.Rand, v, most uint64, seconds float64) uint64 {
	if seconds == 0 {
		return v
	}
	step := random.Uint64N(v/16 + 3)
	switch up := random.IntN(2) == 0; {
	case up && most-v >= step:
		return v + step
	case !up && v >= step:
		return v - step
	}
	return v
}

// age returns the age of an instance in ticks. The value of the counter is the start time of the instance.
func (t *seriesTable) age(random *rand.Rand, r *seriesRow, c *seriesCounter, seconds float64) uint64 {
	now, start := uint64(0), &r.values[c.cell]
	if t.object != nil {
		now = uint64(t.object.PerfTime)
	} else {
		now = r.values[c.time]
	}
	switch {
	case r.fresh:
		*start = now - random.Uint64N(min(now, t.ticksOf(c))+1)
	case seconds == 0 && (*start == 0 || *start > now): // the first block has no valid start time
		*start = now - random.Uint64N(min(now, 1<<44)+1)
	}
	*start = min(*start, t.cells[c.cell].mask)
	return now - *start
}

// reflected returns f if f is from 0 to 1. It mirrors a smaller f at 0 and a larger f at 1. The result is from 0 to 1.
func reflected(f float32) float32 {
	if f < 0 {
		f = -f
	}
	if f > 1 {
		f = 2 - f
	}
	return min(max(f, 0), 1)
}

// peakOf returns a random upper limit for the events of a counter in a second.
func peakOf(random *rand.Rand, mask uint64) float64 {
	if mask == maskOf(4) {
		return math.Exp(random.Float64() * math.Log(5e3))
	}
	return math.Exp(random.Float64() * math.Log(5e6))
}
