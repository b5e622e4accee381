package samples

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/perfblock/perfblock/layout"
)

// A Formula computes the displayed value of a counter.
type Formula struct {
	// Text is the formula, such as "dN / (dD / F)". N is the value, B the base, and D the clock that
	// [layout.CounterType.TimeBase] selects. N1 is N in the newer sample, N0 is N in the older one, and dN is N1 - N0.
	// F is the frequency of the clock in ticks per second.
	Text string

	uses    use
	compute func(*Inputs) float64
}

// A use is a set of inputs of a formula.
type use uint8

const (
	change     use = 1 << iota // dN
	newBase                    // B1
	baseChange                 // dB
	timeChange                 // dD
	clockTime                  // D1
	frequency                  // F
	notZero                    // B1 is a divisor
)

// The formulas. Source: "Calculating Counter Values" and the pages of the types in the documentation of Windows.
var (
	raw          = &Formula{"N1", 0, func(in *Inputs) float64 { return float64(in.N1) }}
	difference   = &Formula{"dN", change, func(in *Inputs) float64 { return float64(in.dN()) }}
	rate         = &Formula{"dN / (dD / F)", change | timeChange | frequency, func(in *Inputs) float64 { return float64(in.dN()) / (float64(in.dD()) / float64(in.F)) }}
	queueLength  = &Formula{"dN / dD", change | timeChange, func(in *Inputs) float64 { return float64(in.dN()) / float64(in.dD()) }}
	fraction     = &Formula{"100 * N1 / B1", newBase | notZero, func(in *Inputs) float64 { return 100 * (float64(in.N1) / float64(in.B1)) }}
	timer        = &Formula{"100 * dN / dD", change | timeChange, func(in *Inputs) float64 { return 100 * (float64(in.dN()) / float64(in.dD())) }}
	inverseTimer = &Formula{"100 * (1 - dN / dD)", change | timeChange, func(in *Inputs) float64 { return inverse(in, 1) }}
	sampled      = &Formula{"100 * dN / dB", change | baseChange, func(in *Inputs) float64 { return 100 * (float64(in.dN()) / float64(in.dB())) }}
	multiTimer   = &Formula{"100 * (dN / dD) / B1", change | timeChange | newBase | notZero, func(in *Inputs) float64 { return 100 * (float64(in.dN()) / float64(in.dD()) / float64(in.B1)) }}
	inverseMulti = &Formula{"100 * (B1 - dN / dD)", change | timeChange | newBase, func(in *Inputs) float64 { return inverse(in, in.B1) }}
	averageTimer = &Formula{"(dN / F) / dB", change | baseChange | frequency, func(in *Inputs) float64 { return float64(in.dN()) / float64(in.F) / float64(in.dB()) }}
	average      = &Formula{"dN / dB", change | baseChange, func(in *Inputs) float64 { return float64(in.dN()) / float64(in.dB()) }}
	elapsed      = &Formula{"(D1 - N1) / F", clockTime | frequency, func(in *Inputs) float64 { return subtract(0, uint64(in.D1), in.N1) / float64(in.F) }}
)

var formulas = map[layout.CounterType]*Formula{
	layout.PERF_COUNTER_RAWCOUNT_HEX:           raw,
	layout.PERF_COUNTER_LARGE_RAWCOUNT_HEX:     raw,
	layout.PERF_COUNTER_RAWCOUNT:               raw,
	layout.PERF_COUNTER_LARGE_RAWCOUNT:         raw,
	layout.PERF_COUNTER_DELTA:                  difference,
	layout.PERF_COUNTER_LARGE_DELTA:            difference,
	layout.PERF_SAMPLE_COUNTER:                 rate,
	layout.PERF_COUNTER_COUNTER:                rate,
	layout.PERF_COUNTER_BULK_COUNT:             rate,
	layout.PERF_COUNTER_QUEUELEN_TYPE:          queueLength,
	layout.PERF_COUNTER_LARGE_QUEUELEN_TYPE:    queueLength,
	layout.PERF_COUNTER_100NS_QUEUELEN_TYPE:    queueLength,
	layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE: queueLength,
	layout.PERF_RAW_FRACTION:                   fraction,
	layout.PERF_LARGE_RAW_FRACTION:             fraction,
	layout.PERF_COUNTER_TIMER:                  timer,
	layout.PERF_100NSEC_TIMER:                  timer,
	layout.PERF_OBJ_TIME_TIMER:                 timer,
	layout.PERF_COUNTER_TIMER_INV:              inverseTimer,
	layout.PERF_100NSEC_TIMER_INV:              inverseTimer,
	layout.PERF_PRECISION_SYSTEM_TIMER:         sampled,
	layout.PERF_PRECISION_100NS_TIMER:          sampled,
	layout.PERF_PRECISION_OBJECT_TIMER:         sampled,
	layout.PERF_SAMPLE_FRACTION:                sampled,
	layout.PERF_COUNTER_MULTI_TIMER:            multiTimer,
	layout.PERF_100NSEC_MULTI_TIMER:            multiTimer,
	layout.PERF_COUNTER_MULTI_TIMER_INV:        inverseMulti,
	layout.PERF_100NSEC_MULTI_TIMER_INV:        inverseMulti,
	layout.PERF_AVERAGE_TIMER:                  averageTimer,
	layout.PERF_AVERAGE_BULK:                   average,
	layout.PERF_ELAPSED_TIME:                   elapsed,
}

// FormulaOf returns the formula of a type. It returns nil for bases, text and labels, for the obsolete histogram, and
// for types that are not predefined.
func FormulaOf(t layout.CounterType) *Formula { return formulas[t] }

// NeedsTwo reports whether the formula uses an older sample.
func (f *Formula) NeedsTwo() bool { return f.uses&(change|baseChange|timeChange) != 0 }

// inverse returns 100 * (b - dN/dD). It computes this as 100 * ((b*dD - dN) / dD), because the subtraction of the
// integers b*dD and dN is exact. The floating-point subtraction b - dN/dD would leave few correct digits if dN/dD is
// close to b.
func inverse(in *Inputs, b uint64) float64 {
	high, low := bits.Mul64(b, in.dD())
	return 100 * (subtract(high, low, in.dN()) / float64(in.dD()))
}

// subtract returns the 128-bit number with the halves high and low, minus n.
func subtract(high, low, n uint64) float64 {
	const two64 = 1 << 64
	if high == 0 && low < n {
		return -float64(n - low)
	}
	low, borrow := bits.Sub64(low, n, 0)
	return float64(high-borrow)*two64 + float64(low)
}

// Inputs has the numbers of a value. A number that the formula does not use is 0.
type Inputs struct {
	N0, N1 uint64 // the value in the older and in the newer sample
	B0, B1 uint64 // the base
	D0, D1 int64  // the clock
	F      int64  // the frequency of the clock in the newer sample, in ticks per second

	older        bool // the older sample has the counter, and also B0 and D0 if the formula uses them
	wrapN, wrapB bool // the value or the base has 4 bytes and can wrap
	tick         bool // the clock is known
	base         bool // the base is known
}

// dN returns N1 - N0. The difference wraps at 32 bits if wrapN is true.
func (in *Inputs) dN() uint64 { return sub(in.N1, in.N0, in.wrapN) }

func (in *Inputs) dB() uint64 { return sub(in.B1, in.B0, in.wrapB) }

func (in *Inputs) dD() uint64 { return uint64(in.D1) - uint64(in.D0) }

func sub(a, b uint64, wrap bool) uint64 {
	if wrap {
		return uint64(uint32(a) - uint32(b))
	}
	return a - b
}

// value returns the result of a formula, or the first reason why there is no result.
func (in *Inputs) value(f *Formula) (float64, Missing) {
	uses := func(u use) bool { return f.uses&u != 0 }
	switch {
	case uses(timeChange|clockTime|frequency) && !in.tick:
		return 0, NoClock
	case uses(newBase|baseChange) && !in.base:
		return 0, NoBase
	case f.NeedsTwo() && !in.older:
		return 0, NoOlderSample
	case uses(change) && in.N1 < in.N0 && !in.wrapN, uses(baseChange) && in.B1 < in.B0 && !in.wrapB:
		return 0, FellOrWrapped
	case uses(baseChange) && in.B1 == in.B0:
		return 0, BaseUnchanged
	case uses(notZero) && in.B1 == 0, uses(frequency) && in.F <= 0:
		return 0, ZeroDenominator
	case uses(timeChange) && in.D1 <= in.D0:
		return 0, NoTime
	}
	return f.compute(in), Present
}

// Operands yields the numbers that the formula of the value uses, with their names in [Formula.Text]. For a change such
// as dN, it yields both numbers, N1 and N0. Operands leaves out a number that the samples do not have. It yields
// nothing if the value has no formula, or if Missing is NoNumber.
func (v *Value) Operands() iter.Seq2[string, string] {
	return func(yield func(name, number string) bool) {
		f := v.Formula()
		if f == nil || v.Missing == NoNumber {
			return
		}
		in, uses := &v.Inputs, func(u use) bool { return f.uses&u != 0 }
		for _, operand := range []struct {
			name string
			used bool
			n    any
		}{
			{"N1", true, in.N1},
			{"N0", uses(change) && in.older, in.N0},
			{"B1", uses(newBase|baseChange) && in.base, in.B1},
			{"B0", uses(baseChange) && in.base && in.older, in.B0},
			{"D1", uses(timeChange|clockTime) && in.tick, in.D1},
			{"D0", uses(timeChange) && in.tick && in.older, in.D0},
			{"F", uses(frequency) && in.tick, in.F},
		} {
			if operand.used && !yield(operand.name, fmt.Sprint(operand.n)) {
				return
			}
		}
	}
}
