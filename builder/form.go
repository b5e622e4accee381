package builder

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

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

// put writes as many numbers as there are counters into a block, and reports
// whether each fits. Where one does not, the block is not to be used.
func (f *form) put(block []byte, numbers []uint64) bool {
	n, fits := f.sweep.put(block, numbers)
	for i := n; i < len(f.slots); i++ {
		s := f.slots[i]
		fits = fits && checkNumber(f.counters[i].CounterType, s, numbers[i]) == nil
		if s.text < 0 {
			putNumber(block[s.at:], s.size, numbers[i])
		}
	}
	return fits
}

// A sweep writes numbers of both sizes as 8 bytes, in the order of their places, which
// is the fastest that was found. The upper half of a number of 4 bytes, which is zero,
// falls on padding or where the next number comes.
type sweep struct {
	at     []uint32 // of the first counters, or of none
	narrow []uint32 // those of 4 bytes
}

// newSweep returns that of all the slots if each holds a number behind the one before.
// The last may have no room for 8 bytes; it is left out then.
func newSweep(slots []slot, length uint32) sweep {
	var w sweep
	end := uint64(layout.PERF_COUNTER_BLOCK.Size)
	for i, s := range slots {
		at := uint64(s.at)
		if s.text >= 0 || s.size == 0 || at < end {
			return sweep{}
		}
		if end = at + uint64(s.size); at+8 > uint64(length) {
			break
		}
		w.at = append(w.at, s.at)
		if s.size == 4 {
			w.narrow = append(w.narrow, uint32(i))
		}
	}
	return w
}

// put returns how many numbers it has written, and whether each fits.
func (w *sweep) put(block []byte, numbers []uint64) (n int, fits bool) {
	numbers = numbers[:len(w.at)]
	for i, at := range w.at {
		if int64(at) > int64(len(block)-8) {
			return i, false // it is never so; the compiler need not look again
		}
		le.PutUint64(block[at:int(at)+8], numbers[i])
	}
	var all uint64
	for _, i := range w.narrow {
		all |= numbers[i]
	}
	return len(w.at), all <= math.MaxUint32
}
