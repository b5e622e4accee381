package fuzz

import (
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/perfblock/perfblock/layout"
)

// A role is the use of a seriesCell. Counters that share a cell must use it for the same role, or for compatible roles
// such as total and timestamp. The role `amount` is compatible with all roles.
type role uint8

const (
	noRole     role = iota
	total           // only grows
	amount          // rises and falls
	used            // the used part of a capacity
	capacity        // does not change
	components      // does not change
	timestamp       // a total of the ticks of a clock
	clockTime       // the time of a clock in query data
	clockFreq       // the frequency of such a clock, in ticks per second
	startTime       // does not change
)

// A seriesCell describes one value of a row. There is a cell for each counter. Several counters can have values at the
// same offset with the same size. All these counters use the cell of the first counter. The cells of the others are
// unused.
type seriesCell struct {
	role  role
	owner int         // the counter that chose the role
	clock seriesClock // the clock whose ticks a total counts
	freq  int         // for the role clockTime, the cell with the frequency
	mask  uint64      // the largest value
}

// maxChange returns the largest change of a cell in an interval. With this limit, a counter of 4 bytes wraps at most
// once.
func (c *seriesCell) maxChange() uint64 { return c.mask/2 + 1 }

func maskOf(size uint32) uint64 {
	if size == 4 {
		return 1<<32 - 1
	}
	return 1<<64 - 1
}

// roles returns the roles of the cells that have the value and the base value of a counter.
func (m measure) roles() (value, base role) {
	switch m {
	case measuresLevel:
		return amount, noRole
	case measuresUse:
		return used, capacity
	case measuresSpan:
		return total, timestamp
	case measuresHits, measuresDuration, measuresSize:
		return total, total
	case measuresParts, measuresIdleParts:
		return total, components
	case measuresAge:
		return startTime, noRole
	}
	return total, noRole
}

// bounded reports whether the change of the value in an interval has a limit, such as the ticks of the interval.
func (m measure) bounded() bool {
	return m != measuresLevel && m != measuresChange && m != measuresRate && m != measuresSize
}

// compile sets the role of each cell and the order in which the counters change. It derives both from the counter
// types.
func (t *seriesTable) compile() error {
	type key struct {
		typ        layout.CounterType
		cell, base int
	}
	seen := make(map[key]int)
	var levels []int
	for i := range t.counters {
		c := &t.counters[i]
		c.seriesType, c.equal = seriesTypes[c.typ], -1
		if c.measure == measuresParts || c.measure == measuresIdleParts {
			if err := t.claim(c.base, components, i); err != nil {
				return err
			}
		}
		if c.clock == objectClock && c.time >= 0 {
			if err := t.claim(c.time, clockTime, i); err != nil {
				return err
			}
			if err := t.claim(c.freq, clockFreq, i); err != nil {
				return err
			}
			t.cells[c.time].freq = c.freq
		}
	}
	for i := range t.counters {
		c := &t.counters[i]
		_, base := c.measure.roles()
		unclocked := c.measure != measuresSpan && c.clock != noClock && !t.hasClock(c)
		if unclocked {
			c.never = "no-clock"
		}
		switch {
		case c.typ.IsBase():
		case c.measure == noMeasure:
			c.never = "no-formula"
		case c.bytes:
			c.never = "no-number"
		case c.typ.Multi() && t.object != nil && c.base < 0:
			return layout.Faultf(layout.ErrRange, "%s: counter[%d] is a %v, so a %v must follow it", t.path, i, c.typ, layout.PERF_COUNTER_MULTI_BASE)
		case base != noRole && c.base < 0, unclocked && c.measure == measuresAge: // the value does not change
			if c.never == "" {
				c.never = "no-base"
			}
			if cell := &t.cells[c.cell]; cell.role == noRole {
				cell.role, cell.owner = startTime, i
			}
		case c.clock == objectClock && t.object != nil && (t.object.PerfFreq <= 0 || t.object.PerfTime < 0):
			return layout.Faultf(layout.ErrRange, "%s: PerfFreq is %d, must be at least 1, and PerfTime is %d, must be at least 0, because counter[%d] is a %v", t.path, t.object.PerfFreq, t.object.PerfTime, i, c.typ)
		case c.measure == measuresLevel:
			levels = append(levels, i)
		default:
			k := key{c.typ, c.cell, c.base}
			if j, same := seen[k]; same {
				c.equal = j
			} else if err := t.claimBoth(c, i); err != nil {
				return err
			}
			if c.equal < 0 {
				seen[k] = i
			}
			t.order = append(t.order, i)
		}
	}
	for _, i := range levels { // a counter with the measure measuresLevel can use a cell of any role
		if cell := &t.cells[t.counters[i].cell]; cell.role == noRole {
			cell.role = amount
		}
	}
	t.order = append(t.order, levels...)
	n := len(t.counters)
	t.taken, t.fell, t.change, t.now, t.sums = make([]bool, n), make([]bool, n), make([]uint64, n), make([]movement, n), make([]movement, n)
	return nil
}

func (t *seriesTable) hasClock(c *seriesCounter) bool {
	if t.result != nil && c.clock == objectClock {
		return c.time >= 0
	}
	return t.clocks[c.clock].ok
}

// claimBoth sets the roles of the cells of counter i: the cell of the value, and the cell of the base value if the
// counter requires one. It returns an error if a cell has an incompatible role.
func (t *seriesTable) claimBoth(c *seriesCounter, i int) error {
	value, base := c.measure.roles()
	if base != noRole {
		if err := t.claim(c.base, base, i); err != nil {
			return err
		}
		t.cells[c.base].clock = c.clock
	}
	cell := &t.cells[c.cell]
	// A counter whose change has a limit cannot use the cell of an earlier counter. Both changes together could exceed
	// the limit.
	if c.cell == c.base || c.measure.bounded() && cell.role != noRole {
		return t.conflict(i, cell.owner)
	}
	err := t.claim(c.cell, value, i)
	cell.clock = c.clock
	return err
}

// claim sets the role of a cell for counter i. It returns an error if the cell has an incompatible role.
func (t *seriesTable) claim(cell int, want role, i int) error {
	if cell < 0 {
		return nil
	}
	switch c := &t.cells[cell]; {
	case c.role == noRole:
		c.role, c.owner = want, i
	case c.role == want || want == capacity:
	case want == total && c.role == timestamp, want == timestamp && (c.role == total || c.role == clockTime):
	default:
		return t.conflict(i, c.owner)
	}
	return nil
}

// startRow prepares a row for its first block. fresh is true for a row that addRow adds to a running series.
func (t *seriesTable) startRow(random *rand.Rand, r *seriesRow, fresh bool) {
	r.fresh = fresh
	r.walk, r.shown = make([]float32, len(t.counters)), make([]shownValue, len(t.counters))
	for i := range r.walk {
		r.walk[i] = random.Float32()
	}
	for i := range t.cells {
		c, v := &t.cells[i], &r.values[i]
		switch {
		case c.role == total && fresh: // addRow has copied the total from another row
			*v = 0
		case c.role == total && *v == 0:
			*v = random.Uint64N(min(t.oldTotal(c, t.counters[i].peak), c.mask))
		case c.role == amount && *v == 0:
			*v = random.Uint64N(1000)
		case c.role == capacity && *v == 0 && random.IntN(16) > 0:
			*v = 16 << random.Uint64N(16)
		case c.role == components && (*v == 0 || *v > 1024 || overflows(*v, t.clocks[t.counters[i].clock].ticks)):
			*v = 1
		case c.role == timestamp && *v == 0:
			*v = min(uint64(t.clocks[c.clock].now), c.mask)
		case c.role == clockTime && (*v == 0 || *v > 1<<60):
			*v = 1 + random.Uint64N(1<<50)
		case c.role == clockFreq && !t.isFrequency(*v):
			*v = units100ns
		}
	}
}

// oldTotal returns an upper limit for a total in the first block. A total that grows at the highest rate reaches this
// limit in a month.
func (t *seriesTable) oldTotal(c *seriesCell, peak float64) uint64 {
	const month = 30 * 24 * 3600
	if freq := t.clocks[c.clock].freq; freq > 0 {
		return toUint64(float64(freq) * month)
	}
	return toUint64(1 + peak*month)
}

// isFrequency reports whether a clock with the frequency freq has a whole number of ticks in an interval.
func (t *seriesTable) isFrequency(freq uint64) bool {
	_, low := bits.Mul64(freq, uint64(t.interval))
	return freq > 0 && !overflows(freq, uint64(t.interval)) && low%uint64(time.Second) == 0 && low/uint64(time.Second) < 1<<40
}

func overflows(a, b uint64) bool {
	high, low := bits.Mul64(a, b)
	return high > 0 || low > 1<<62
}

// toUint64 converts a number of at least 0. Numbers that are too large become 2^62.
func toUint64(f float64) uint64 {
	if f > 1<<62 {
		return 1 << 62
	}
	return uint64(f)
}

// add adds n to a total, and returns the change of the total. If another counter of the row has already changed the
// total for this block, add does not change it again.
func (t *seriesTable) add(r *seriesRow, cell int, n uint64) uint64 {
	if !t.taken[cell] {
		mask := t.cells[cell].mask
		before := r.values[cell]
		r.values[cell] = (before + n) & mask
		t.taken[cell], t.change[cell], t.fell[cell] = true, n, r.values[cell] < before
	}
	return t.change[cell]
}

// put stores n in a cell, and returns the value of the cell. If another counter of the row has already changed the cell
// for this block, put does not change it again.
func (t *seriesTable) put(r *seriesRow, cell int, n uint64) uint64 {
	if !t.taken[cell] {
		r.values[cell], t.taken[cell] = min(n, t.cells[cell].mask), true
	}
	return r.values[cell]
}
