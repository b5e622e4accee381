package builder

import "github.com/perfblock/perfblock/layout"

// A form is the plan of the counter blocks of a template: they are all of one
// length, and each value has its place.
type form struct {
	slotting
	counters []Counter
	length   uint32 // ByteLength
	sweep    sweep
}

func newForm(counters []Counter, s slotting, length uint32) *form {
	return &form{slotting: s, counters: counters, length: length, sweep: newSweep(s.slots, length)}
}

// clear writes a block whose values are zero.
func (f *form) clear(block []byte) {
	clear(block)
	layout.PutCounterBlock(block, &layout.CounterBlock{ByteLength: f.length})
}

// zero writes of a block what put does not.
func (f *form) zero(block []byte) {
	if len(f.sweep.at) == 0 {
		f.clear(block)
		return
	}
	// A PERF_COUNTER_BLOCK is one number of 4 bytes; those behind it are padding, or
	// written next.
	le.PutUint64(block, uint64(f.length))
	for _, h := range f.sweep.holes {
		clear(block[h.from:h.to])
	}
}

// put writes as many numbers as there are counters into a block, and reports
// whether each fits. Where one does not, the block is not to be used.
func (f *form) put(block []byte, numbers []uint64) bool {
	n, fits := f.sweep.put(block, numbers)
	if n == len(f.slots) {
		return fits
	}
	return f.putFrom(n, block, numbers) && fits
}

// putFrom writes the numbers from that of counter n on.
func (f *form) putFrom(n int, block []byte, numbers []uint64) bool {
	fits := true
	for i := n; i < len(f.slots); i++ {
		s := f.slots[i]
		fits = fits && checkNumber(f.counters[i].CounterType, s, numbers[i]) == nil
		if s.text < 0 {
			putNumber(block[s.at:], s.size, numbers[i])
		}
	}
	return fits
}
