package builder

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A form is the plan of the counter blocks of a template: all have the same length,
// and each value has a fixed place.
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

// zero writes of a block what put does not.
func (f *form) zero(block []byte) {
	if len(f.sweep.at) == 0 {
		f.clear(block)
		return
	}
	wire.CounterBlock{ByteLength: f.length}.Put(block)
	le.PutUint32(block[layout.PERF_COUNTER_BLOCK.Size:], 0) // padding, or written next
	for _, h := range f.sweep.holes {
		clear(block[h.from:h.to])
	}
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
