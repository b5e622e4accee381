package builder

import (
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A form is the plan of the counter blocks of a template: they are all of one
// length, and each value has its place. The values of an instance of query data are such
// a block too; what each has before it, its lengths, never changes.
type form struct {
	slotting
	counters []Counter // none of query data
	length   uint32    // ByteLength
	sweep    sweep
	query    bool
	lengths  []uint64 // of query data, what stands before each value, as one number
	blank    []byte   // of query data, the block with zeros for values
}

// dataBytes is what a value of 4 or 8 bytes of query data takes, with the lengths before it.
const dataBytes = 16

// A compiled is what templates have in common.
type compiled struct{ form *form }

func newForm(counters []Counter, s slotting, length uint32) *form {
	return &form{slotting: s, counters: counters, length: length, sweep: newSweep(s.slots, length)}
}

// newQueryForm returns the form of the values of those counters, none of which has Bytes.
func newQueryForm(counters []QueryCounter) *form {
	f := &form{query: true}
	for _, c := range counters {
		f.slots = append(f.slots, slot{f.length + layout.PERF_COUNTER_DATA.Size, c.size(), -1})
		whole := uint32(dataLen(uint64(c.size())))
		f.blank = wire.CounterData{DwDataSize: c.size(), DwSize: whole}.Append(f.blank)
		f.lengths = append(f.lengths, le.Uint64(f.blank[f.length:]))
		f.length += whole
		f.blank = zeroTo(f.blank, int(f.length))
	}
	f.sweep = newSweep(f.slots, f.length)
	return f
}

// typ returns the type of a counter, which in query data is not known and makes no
// difference to a number.
func (f *form) typ(i int) layout.CounterType {
	if f.query {
		return 0
	}
	return f.counters[i].CounterType
}

// clear writes a block whose values are zero.
func (f *form) clear(block []byte) {
	if f.query {
		copy(block, f.blank)
		return
	}
	clear(block)
	wire.CounterBlock{ByteLength: f.length}.Put(block)
}

// keeps reports whether a block of query data has the lengths that the form has before
// its values.
func (f *form) keeps(block []byte) bool {
	var differs uint64
	for i, want := range f.lengths {
		at := i * dataBytes
		if at > len(block)-8 {
			return false
		}
		differs |= le.Uint64(block[at:]) ^ want
	}
	return differs == 0
}

// zero writes of a block what put does not.
func (f *form) zero(block []byte) {
	if len(f.sweep.at) == 0 || f.query {
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
		fits = fits && checkNumber(f.typ(i), s, numbers[i]) == nil
		if s.text < 0 {
			putNumber(block[s.at:], s.size, numbers[i])
		}
	}
	return fits
}
