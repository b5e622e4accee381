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

// A FaultSort is the kind of requirement that a fault breaks.
type FaultSort uint8

const (
	Unpaired  FaultSort = iota // an index has no text: the number of strings is odd, or a line of lodctr has no =
	BadIndex                   // an index is empty, or not a decimal number
	Parity                     // an index in Counter is odd, or an index in Help is even
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

// String returns the place of the fault and what is wrong, such as:
//
//	3:1: the index is 7, must be even
func (f Fault) String() string {
	where := fmt.Sprintf("0x%x", f.Place.Off)
	if f.Place.Line > 0 {
		where = fmt.Sprintf("%d:%d", f.Place.Line, f.Place.Col)
	}
	return where + ": " + f.Got + ", " + f.Want
}

// Faults yields the faults of a table in the order of its pairs. The time is linear in the number of pairs. A caller
// that requires only a few faults can stop early.
func (t *Table) Faults() iter.Seq[Fault] {
	return func(yield func(Fault) bool) {
		damage := t.damage
		c := checker{table: t}
		faults := c.startFaults()
		for i := range len(t.Pairs) + 1 {
			for len(damage) > 0 && damage[0].Pair < i {
				faults, damage = append(faults, damage[0]), damage[1:]
			}
			if i < len(t.Pairs) {
				faults = c.pair(faults, i)
			}
			for _, f := range faults {
				if !yield(f) {
					return
				}
			}
			faults = faults[:0]
		}
	}
}

// A checker checks the pairs of a table, one after another.
type checker struct {
	table *Table
	least [2]uint64 // the least index that may follow; in a mixed table, of the even and of the odd indexes
}

// startFaults returns a fault if a table of names does not start with the index 1.
func (c *checker) startFaults() []Fault {
	t := c.table
	at, got := t.At, "the table has no pairs"
	if len(t.Pairs) > 0 {
		at, got = t.Pairs[0].KeyAt, "the first pair has the index "+quote.Short(t.Pairs[0].Key)
		if index, ok := t.Pairs[0].Index(); ok && index == 1 {
			return nil
		}
	}
	if t.Kind != Counter {
		return nil
	}
	return []Fault{{NoFirst, -1, at, got, "must start with the index 1 and the highest index of the system"}}
}

// pair appends the faults of pair i to faults.
func (c *checker) pair(faults []Fault, i int) []Fault {
	t := c.table
	p := &t.Pairs[i]
	add := func(sort FaultSort, got, want string) { faults = append(faults, Fault{sort, i, p.KeyAt, got, want}) }
	switch {
	case p.Lone && t.Kind == Mixed:
		add(Unpaired, "the line "+quote.Short(p.Key)+" has no =", "must be INDEX=TEXT")
	case p.Lone:
		add(Unpaired, "the string "+quote.Short(p.Key)+" is the last", "must have a text after it")
	}
	index, ok := p.Index()
	if !ok {
		if !p.Lone || t.Kind != Mixed {
			add(BadIndex, "the index is "+quote.Short(p.Key), "must be a decimal number")
		}
		return faults
	}
	switch {
	case t.Kind == Counter && index%2 == 1 && (index != 1 || i > 0):
		add(Parity, fmt.Sprintf("the index is %d", index), "must be even for a name")
	case t.Kind == Help && index%2 == 0:
		add(Parity, fmt.Sprintf("the index is %d", index), "must be odd for a help text")
	}
	side := 0
	if t.Kind == Mixed {
		side = int(index % 2)
	}
	if least := c.least[side]; uint64(index) < least {
		add(Order, fmt.Sprintf("the index is %d", index), fmt.Sprintf("must be greater than %d, the index before it", least-1))
	}
	c.least[side] = uint64(index) + 1
	return faults
}
