package builder

import (
	"math"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// values are the values of one counter block, beside the counters they belong to.
type values struct {
	counters []Counter
	numbers  []uint64
	texts    []string
}

// check reports what keeps the values from filling a block of that plan.
func (v values) check(p slotting) error {
	if len(v.numbers) != len(v.counters) {
		return fault(layout.Path{}, "", ErrCount, "%d values for %d counters", len(v.numbers), len(v.counters))
	}
	if len(v.texts) != p.texts {
		return fault(layout.Path{}, "", ErrCount, "%d texts for %d counters of variable length", len(v.texts), p.texts)
	}
	for i, s := range p.slots {
		if err := v.checkOne(i, s); err != nil {
			return &layout.Error{Path: layout.Path{}.At("value", i), Off: -1, Err: err}
		}
	}
	if p.packed != nil {
		return v.checkShared(p)
	}
	return nil
}

func (v values) checkOne(i int, s slot) error {
	t := v.counters[i].CounterType
	if err := checkNumber(t, s, v.numbers[i]); err != nil || s.text < 0 {
		return err
	}
	return checkVariable(t, s, v.texts[s.text])
}

// checkNumber reports what keeps n from being the value of a counter of that type.
func checkNumber(t layout.CounterType, s slot, n uint64) error {
	switch {
	case (s.text >= 0 || s.size == 0) && n != 0:
		return layout.Faultf(layout.ErrRange, "%d, but a %v has no number: it is 0", n, t)
	case s.text < 0 && !fits(n, s.size):
		return layout.Faultf(layout.ErrRange, "%d does not fit the counter's 4 bytes", n)
	}
	return nil
}

// checkVariable reports what keeps text from being the value of a counter of that
// type, which is of variable length.
func checkVariable(t layout.CounterType, s slot, text string) error {
	if err := checkText(t, text); err != nil {
		return layout.Faultf(layout.ErrText, "%s of %s", inText(err), quote.Short(text))
	}
	if n := textLen(t, text); n > uint64(s.size) || !t.IsText() && n < uint64(s.size) {
		return layout.Faultf(layout.ErrRange, "%d bytes for a value of %d", n, s.size)
	}
	return nil
}

// checkShared writes the numbers into a block of nothing but their places and
// looks whether every one is still there when all are written.
func (v values) checkShared(p slotting) error {
	all := make([]byte, p.numberBytes)
	for i, s := range p.slots {
		if s.text < 0 {
			putNumber(all[p.packed[i]:], s.size, v.numbers[i])
		}
	}
	for i, s := range p.slots {
		if s.text < 0 && getNumber(all[p.packed[i]:], s.size) != v.numbers[i] {
			return fault(layout.Path{}.At("value", i), "", ErrConflict, "another counter writes a different value to bytes %d to %d of the block", s.at, s.at+s.size)
		}
	}
	return nil
}

// put writes checked values into a block's zeroed bytes.
func (v values) put(p slotting, block []byte) {
	for i, s := range p.slots {
		if s.text >= 0 {
			putText(block[s.at:s.at+s.size], v.counters[i].CounterType, v.texts[s.text])
		} else {
			putNumber(block[s.at:], s.size, v.numbers[i])
		}
	}
}

// fits reports whether n fits a counter of that size.
func fits(n uint64, size uint32) bool { return size != 4 || n <= math.MaxUint32 }

func putNumber(b []byte, size uint32, n uint64) {
	switch size {
	case 8:
		le.PutUint64(b, n)
	case 4:
		le.PutUint32(b, uint32(n))
	}
}

func getNumber(b []byte, size uint32) uint64 {
	switch size {
	case 8:
		return le.Uint64(b)
	case 4:
		return uint64(le.Uint32(b))
	}
	return 0
}
