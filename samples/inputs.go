package samples

// Inputs has the numbers that a formula uses. The other numbers are 0.
type Inputs struct {
	N0, N1 uint64 // the value in the older and in the newer sample
	B0, B1 uint64 // the base
	D0, D1 int64  // the clock
	F      int64  // the frequency of the clock in the newer sample, in ticks per second

	older        bool // the older sample has the counter
	wrapN, wrapB bool // the value or the base has 4 bytes and can wrap
	tick         bool // the clock is known
	base         bool // the base is known
}

// dN returns the change of the value. It wraps if the formula allows that.
func (in *Inputs) dN() uint64 { return sub(in.N1, in.N0, in.wrapN) }

func (in *Inputs) dB() uint64 { return sub(in.B1, in.B0, in.wrapB) }

func (in *Inputs) dD() uint64 { return uint64(in.D1) - uint64(in.D0) }

func sub(a, b uint64, wrap bool) uint64 {
	if wrap {
		return uint64(uint32(a) - uint32(b))
	}
	return a - b
}

// value returns the number that a formula gives, or the reason why there is none. If several reasons apply, value
// returns the first one in the order of the cases.
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
