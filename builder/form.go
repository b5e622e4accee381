package builder

import (
	"math"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A form is the plan of the counter blocks of a template: all have the same length, and each
// value has a fixed place.
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
	wire.CounterBlock{ByteLength: f.length}.Put(block)
}

// zero writes the bytes of a block that put does not write.
func (f *form) zero(block []byte) {
	if len(f.sweep.at) == 0 {
		f.clear(block)
		return
	}
	wire.CounterBlock{ByteLength: f.length}.Put(block)
	le.PutUint32(block[layout.PERF_COUNTER_BLOCK.Size:], 0) // padding, or overwritten by put
	for _, h := range f.sweep.holes {
		clear(block[h.from:h.to])
	}
}

// put writes the numbers of all counters, and reports whether each fits.
func (f *form) put(block []byte, numbers []uint64) bool {
	n, fit := f.sweep.put(block, numbers)
	for i := n; i < len(f.slots); i++ {
		s := f.slots[i]
		fit = fit && checkNumber(f.counters[i].CounterType, s, numbers[i]) == nil
		if s.text < 0 {
			putNumber(block[s.at:], s.size, numbers[i])
		}
	}
	return fit
}

// A sweep writes numbers of 4 and of 8 bytes in the order of their places, all as 8 bytes,
// which measured fastest. The upper half of a number of 4 bytes, which is zero, overwrites
// padding or a place that is written next.
type sweep struct {
	at     []uint32 // the places of the first counters, or none
	narrow []uint32 // the counters of 4 bytes
	holes  []hole   // from byte 8 on, what neither the sweep nor the counters after it write
}

// newSweep returns the sweep of the slots if each holds a number and starts after the end of
// the one before, and an empty sweep otherwise, since it would overwrite a text. It leaves
// out a last counter with less than 8 bytes of room.
func newSweep(slots []slot, length uint32) sweep {
	var w sweep
	at := uint64(layout.PERF_COUNTER_BLOCK.Size) // the end of the slot before
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
				return sweep{} // the next slot starts before this one
			}
			written = at // the last number is written as 4 bytes
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

// put returns how many numbers it has written, and whether each of them fits.
func (w *sweep) put(block []byte, numbers []uint64) (n int, fit bool) {
	numbers = numbers[:len(w.at)]
	for i, at := range w.at {
		if int64(at) > int64(len(block)-8) {
			return i, false // never happens; it saves the compiler's bounds checks
		}
		le.PutUint64(block[at:int(at)+8], numbers[i])
	}
	var all uint64
	for _, i := range w.narrow {
		all |= numbers[i]
	}
	return len(w.at), all <= math.MaxUint32
}
