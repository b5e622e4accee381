package samples

import (
	"iter"
	"strconv"
)

// Operands yields the numbers that the formula of the value uses, with their names in [Formula.Text]. For a change such
// as dN, it yields both numbers, N1 and N0. Operands leaves out a number that the samples do not have, and yields
// nothing if the value has no formula.
func (v *Value) Operands() iter.Seq2[string, string] {
	return func(yield func(name, number string) bool) {
		if v.Counter == nil || v.Counter.Formula() == nil || v.Missing == NoNumber {
			return
		}
		in, uses := &v.Inputs, func(u use) bool { return v.Counter.Formula().uses&u != 0 }
		for _, operand := range []struct {
			name string
			used bool
			n    uint64
		}{
			{"N1", true, in.N1},
			{"N0", uses(change) && in.older, in.N0},
			{"B1", uses(newBase|baseChange) && in.base, in.B1},
			{"B0", uses(baseChange) && in.base && in.older, in.B0},
		} {
			if operand.used && !yield(operand.name, strconv.FormatUint(operand.n, 10)) {
				return
			}
		}
		for _, operand := range []struct {
			name string
			used bool
			n    int64
		}{
			{"D1", uses(timeChange | clockTime), in.D1},
			{"D0", uses(timeChange) && in.older, in.D0},
			{"F", uses(frequency), in.F},
		} {
			if operand.used && in.tick && !yield(operand.name, strconv.FormatInt(operand.n, 10)) {
				return
			}
		}
	}
}
