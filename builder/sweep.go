package builder

import (
	"math"

	"github.com/perfblock/perfblock/layout"
)

// A sweep writes numbers of both sizes as 8 bytes, in the order of their places, which
// is the fastest that was found. The upper half of a number of 4 bytes, which is zero,
// falls on padding or where the next number comes.
type sweep struct {
	at     []uint32 // of the first counters, or of none
	narrow []uint32 // those of 4 bytes
	holes  []hole   // what neither they nor the counters behind them write, from byte 8 on
}

// newSweep returns that of all the slots if each holds a number behind the one before,
// and none if one does not: a text is not to be written over. The last may have no room
// for 8 bytes; it is left out then.
func newSweep(slots []slot, length uint32) sweep {
	var w sweep
	at := uint64(layout.PERF_COUNTER_BLOCK.Size) // behind the slot before
	written := at + 4                            // with the length
	for i, s := range slots {
		if s.text >= 0 || s.size == 0 || uint64(s.at) < at {
			return sweep{}
		}
		if uint64(s.at) > written {
			w.holes = append(w.holes, hole{written, uint64(s.at)})
		}
		at = uint64(s.at) + uint64(s.size)
		if uint64(s.at)+8 > uint64(length) {
			if i != len(slots)-1 {
				return sweep{} // what comes stands before it
			}
			written = at // put with 4 bytes
			break
		}
		written = uint64(s.at) + 8
		w.at = append(w.at, s.at)
		if s.size == 4 {
			w.narrow = append(w.narrow, uint32(i))
		}
	}
	if written < uint64(length) {
		w.holes = append(w.holes, hole{written, uint64(length)})
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
