package validate

import "github.com/perfblock/perfblock/layout"

// A plainType is what the scan of counters must know of a predefined type of numbers.
type plainType struct {
	typ, base layout.CounterType // base is of the definition that must follow, 0 for none
	width     uint32             // 4 or 8; 0 for no type
	isBase    bool
	multi     bool // its base has a place of its own
	clock     bool // it is computed with the object's PerfTime
	freq      bool // it is computed with the header's PerfFreq
}

// plainTypes has each where its number times golden says, or right behind: to search
// the list of types for each counter takes longer than all else that is done with it.
var plainTypes = func() (list [1 << typeBits]plainType) {
	for t := range layout.CounterTypes() {
		width, fixed := t.Width()
		base, _ := t.Base()
		if !fixed || width == 0 || obsolete(t) || t.Unassigned() != 0 || t.NeedsBase() != (base != 0) {
			continue
		}
		i := typeAt(t)
		for list[i].width != 0 {
			i = (i + 1) % len(list)
		}
		list[i] = plainType{t, base, width, t.IsBase(), t.Multi() && t.NeedsBase(), t.UsesObjectTimer(), usesFreq(t)}
	}
	return list
}()

const typeBits = 8

func typeAt(t layout.CounterType) int { return int(uint32(t) * (golden >> 32) >> (32 - typeBits)) }

// findPlainType returns the type of that number, one without width if there is none.
func findPlainType(t layout.CounterType) *plainType {
	i := typeAt(t)
	for plainTypes[i].width != 0 && plainTypes[i].typ != t {
		i = (i + 1) % len(plainTypes)
	}
	return &plainTypes[i]
}
