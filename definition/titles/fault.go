package titles

import (
	"fmt"
	"iter"

	"github.com/perfblock/perfblock/internal/quote"
)

// A Fault is a part of a table that does not have the form that Windows writes.
type Fault struct {
	Sort  FaultSort
	Pair  int // the index of the pair in [Table.Pairs], -1 for the whole table
	Place Place
	Got   string // what the table has: "the index is 7"
	Want  string // the requirement: "must be even"
}

// A FaultSort is the requirement that a fault breaks.
type FaultSort uint8

const (
	Unpaired  FaultSort = iota // an index has no text: the number of strings is odd, or a line of lodctr has no =
	BadIndex                   // an index is empty, or not a decimal number
	Parity                     // an index of Counter is odd, or one of Help is even
	Order                      // an index is not greater than the index before it
	NoFirst                    // the first pair of Counter is not 1 and the highest index of the system
	Truncated                  // a REG_MULTI_SZ does not end with an empty string
	BadText                    // a string has half a character of UTF-16
)

var faultSorts = [...]string{Unpaired: "unpaired", BadIndex: "index", Parity: "parity", Order: "order", NoFirst: "first", Truncated: "truncated", BadText: "text"}

// String returns the name of the sort, such as parity, or its number if the sort is unknown.
func (s FaultSort) String() string {
	if int(s) < len(faultSorts) {
		return faultSorts[s]
	}
	return fmt.Sprint(uint8(s))
}

// String returns the place of the fault and what is wrong: "3:1: the index is 7, must be even".
func (f Fault) String() string {
	where := fmt.Sprintf("0x%x", f.Place.Off)
	if f.Place.Line > 0 {
		where = fmt.Sprintf("%d:%d", f.Place.Line, f.Place.Col)
	}
	return where + ": " + f.Got + ", " + f.Want
}

// Faults yields the faults of a table in the order of its pairs. It takes time linear in the number of pairs. It finds
// the faults one by one, so a caller that requires a few can stop early.
func (t *Table) Faults() iter.Seq[Fault] {
	return func(yield func(Fault) bool) {
		damage := t.damage
		known := func(before int) bool { // yields the faults that the reader found in pairs before an index
			for len(damage) > 0 && damage[0].Pair < before {
				if !yield(damage[0]) {
					return false
				}
				damage = damage[1:]
			}
			return true
		}
		c := checker{table: t}
		if fault, is := c.first(); is && !yield(fault) {
			return
		}
		for i := range t.Pairs {
			if !known(i) || !c.pair(i, yield) {
				return
			}
		}
		known(len(t.Pairs) + 1)
	}
}

// A checker checks the pairs of a table, one after another.
type checker struct {
	table *Table
	some  [2]bool   // last has an index
	last  [2]uint32 // the last index; in a mixed table, the last even and the last odd index
}

// first returns the fault of a table of names that does not start with the index 1. is is false if there is none.
func (c *checker) first() (fault Fault, is bool) {
	if c.table.Kind != Counter {
		return fault, false
	}
	fault = Fault{Sort: NoFirst, Pair: -1, Got: "the table has no pairs", Want: "must start with the index 1 and the highest index of the system"}
	if len(c.table.Pairs) == 0 {
		fault.Place = c.table.At
		return fault, true
	}
	p := &c.table.Pairs[0]
	index, ok := p.Index()
	fault.Got, fault.Place = "the first pair has the index "+quote.Short(p.Key), p.KeyAt
	return fault, !ok || index != 1
}

// pair yields the faults of pair i. It returns false if yield did.
func (c *checker) pair(i int, yield func(Fault) bool) bool {
	t := c.table
	p := &t.Pairs[i]
	fault := Fault{Pair: i, Place: p.KeyAt}
	if p.Lone {
		fault.Sort, fault.Got, fault.Want = Unpaired, "the string "+quote.Short(p.Key)+" is the last", "must have a text after it"
		if t.Kind == Mixed {
			fault.Got, fault.Want = "the line "+quote.Short(p.Key)+" has no =", "must be INDEX=TEXT"
		}
		if !yield(fault) {
			return false
		}
	}
	index, ok := p.Index()
	if !ok {
		fault.Sort, fault.Got, fault.Want = BadIndex, "the index is "+quote.Short(p.Key), "must be a decimal number"
		return p.Lone && t.Kind == Mixed || yield(fault)
	}
	if t.Kind == Counter && index%2 == 1 && (index != 1 || i > 0) || t.Kind == Help && index%2 == 0 {
		fault.Sort, fault.Got, fault.Want = Parity, fmt.Sprintf("the index is %d", index), "must be even for a name"
		if t.Kind == Help {
			fault.Want = "must be odd for a help text"
		}
		if !yield(fault) {
			return false
		}
	}
	side := 0
	if t.Kind == Mixed {
		side = int(index % 2)
	}
	before, has := c.last[side], c.some[side]
	c.last[side], c.some[side] = index, true
	if has && index <= before {
		fault.Sort, fault.Got, fault.Want = Order, fmt.Sprintf("the index is %d", index), fmt.Sprintf("must be greater than %d, the index before it", before)
		return yield(fault)
	}
	return true
}
