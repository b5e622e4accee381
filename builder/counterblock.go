package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A CounterBlock holds the encoded values of one instance. A provider that counts events as
// they happen keeps one for each instance and copies it in Collect, which is faster than
// setting each value:
//
//	site.block.Add64(requests, 1) // for each request
//	f.Block(site.block)           // in Collect
//
// Block copies the values, so counting can go on in the same CounterBlock as soon as Block
// returns. A count that exceeds its 4 or 8 bytes wraps.
//
// The first error sticks: nothing is counted after it, and a [Fill] or [Refresh] that copies
// the block reports it, until [CounterBlock.Clear]. A CounterBlock must not be copied, and is
// not safe for concurrent use: counting and collecting must share a lock.
type CounterBlock struct {
	_ noCopy
	row
	form   *form
	values []byte // the block, also after an error
}

// CounterBlock returns a new block of the template, with zeros for values. Like a handle, it
// can also be used with what [Template.Rebase] returns.
func (t *Template) CounterBlock() *CounterBlock {
	b := &CounterBlock{form: t.form}
	if t.form != nil {
		b.values = make([]byte, t.form.length)
	}
	b.Clear()
	return b
}

// Clear sets all values to zero and forgets the error.
func (b *CounterBlock) Clear() {
	b.row = row{block: b.values, of: b.form}
	if b.form != nil { // the zero CounterBlock belongs to no template
		b.form.clear(b.values)
	}
}

// SetText is [Fill.SetText].
func (b *CounterBlock) SetText(h HandleText, s string) { b.setText(h, s) }

// Add32 adds n to the value of a counter of 4 bytes, which wraps.
func (b *CounterBlock) Add32(h Handle32, n uint32) {
	if (h.of != b.of || h.at == 0) && !b.ready(handle(h)) {
		return
	}
	at := b.block[h.at:]
	le.PutUint32(at, le.Uint32(at)+n)
}

// Add64 adds n to the value of a counter of 8 bytes, which wraps.
func (b *CounterBlock) Add64(h Handle64, n uint64) {
	if (h.of != b.of || h.at == 0) && !b.ready(handle(h)) {
		return
	}
	at := b.block[h.at:]
	le.PutUint64(at, le.Uint64(at)+n)
}

// Get32 returns the value of a counter of 4 bytes, also after an error. It returns 0 for a
// handle of another template.
func (b *CounterBlock) Get32(h Handle32) uint32 {
	if h.of != b.form || h.at == 0 {
		return 0
	}
	return le.Uint32(b.values[h.at:])
}

// Get64 is Get32 for a counter of 8 bytes.
func (b *CounterBlock) Get64(h Handle64) uint64 {
	if h.of != b.form || h.at == 0 {
		return 0
	}
	return le.Uint64(b.values[h.at:])
}

// Err returns the first error of the calls that set or added values.
func (b *CounterBlock) Err() error { return b.err }

// blockLength returns the ByteLength of a block: own if it is not 0, then the object's
// BlockLength, then the shortest that holds the values.
func (o *Object) blockLength(own, need uint32) uint32 {
	switch {
	case own != 0:
		return own
	case o.BlockLength != 0:
		return o.BlockLength
	}
	return need
}

func checkBlockLength(n, need uint32) error {
	if n != 0 && (n < need || n%layout.Align != 0) {
		return fault(layout.Path{}, "BlockLength", layout.ErrRange, "is %d, must be 0 or a multiple of 8 that is at least %d", n, need)
	}
	return nil
}

// values are the values of one counter block with their counters.
type values struct {
	counters []Counter
	numbers  []uint64
	texts    []string
}

// check checks the values against the slots of a block.
func (v values) check(p slotting) error {
	if len(v.numbers) != len(v.counters) {
		return fault(layout.Path{}, "", ErrCount, "has %s for %s, must have one for each", count(len(v.numbers), "value"), count(len(v.counters), "counter"))
	}
	if len(v.texts) != p.texts {
		return fault(layout.Path{}, "", ErrCount, "has %s for %s of variable length, must have one for each", count(len(v.texts), "text"), count(p.texts, "counter"))
	}
	for i, s := range p.slots {
		t := v.counters[i].CounterType
		err := checkNumber(t, s, v.numbers[i])
		if err == nil && s.text >= 0 {
			err = checkVariable(t, s, v.texts[s.text])
		}
		if err != nil {
			return &layout.Error{Path: valuePath(i), Off: -1, Err: err}
		}
	}
	if p.packed != nil {
		return v.checkShared(p)
	}
	return nil
}

// checkNumber checks the value of a counter of that type; for one of variable length it must be 0.
func checkNumber(t layout.CounterType, s slot, n uint64) error {
	switch {
	case (s.text >= 0 || s.size == 0) && n != 0:
		return layout.Faultf(layout.ErrRange, "is %d, must be 0: %v has no number", n, t)
	case s.text < 0 && !fits(n, s.size):
		return layout.Faultf(layout.ErrRange, "is %d, must fit the counter's 4 bytes", n)
	}
	return nil
}

// checkShared refuses different numbers in the same bytes: it writes all numbers to a packed
// buffer and reads them back.
func (v values) checkShared(p slotting) error {
	all := make([]byte, p.numberBytes)
	for i, s := range p.slots {
		if s.text < 0 {
			putNumber(all[p.packed[i]:], s.size, v.numbers[i])
		}
	}
	for i, s := range p.slots {
		if s.text < 0 && getNumber(all[p.packed[i]:], s.size) != v.numbers[i] {
			return fault(valuePath(i), "", ErrConflict, "is %d, but another counter has a different value in bytes %d to %d of the block", v.numbers[i], s.at, s.at+s.size)
		}
	}
	return nil
}

// append appends a counter block of checked values, with that ByteLength.
func (v values) append(b []byte, p slotting, length uint32) []byte {
	start := len(b)
	b = wire.CounterBlock{ByteLength: length}.Append(b)
	b = zeroTo(b, start+int(length))
	block := b[start:]
	for i, s := range p.slots {
		if s.text >= 0 {
			putText(block[s.at:s.at+s.size], v.counters[i].CounterType, v.texts[s.text])
		} else {
			putNumber(block[s.at:], s.size, v.numbers[i])
		}
	}
	return b
}

// zeroTo appends zeros up to the length n.
func zeroTo(b []byte, n int) []byte {
	at := len(b)
	b = slices.Grow(b, n-at)[:n]
	clear(b[at:])
	return b
}

// fits reports whether n fits a number of that size.
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

// blocks decodes the counter blocks of one object.
type blocks struct {
	*decoder
	slotting
	counters []Counter
	holes    []hole // the bytes that belong to no value, in order
}

// A hole is a range of a block that should be zero. The last one extends to the end of the
// block and has to 0.
type hole struct{ from, to uint64 }

func newBlocks(d *decoder, o *Object) (*blocks, error) {
	b := &blocks{decoder: d, counters: o.Counters}
	var err error
	if b.slotting, err = slotCounters(o.Counters, o.longestTexts()); err != nil {
		return nil, err
	}
	at := uint64(layout.PERF_COUNTER_BLOCK.Size)
	for _, i := range b.byOffset() {
		s := b.slots[i]
		if s.size == 0 {
			continue
		}
		if uint64(s.at) > at {
			b.holes = append(b.holes, hole{at, uint64(s.at)})
		}
		at = max(at, uint64(s.at)+uint64(s.size))
	}
	b.holes = append(b.holes, hole{from: at})
	return b, nil
}

// length returns the BlockLength that gives the block its length.
func (b *blocks) length(block layout.CounterBlock) uint32 {
	if uint64(block.Len()) == uint64(b.need) {
		return 0
	}
	return uint32(block.Len())
}

// values decodes the numbers and texts of a block, nil where there are none. times is the
// expected number of blocks still to come, this one included.
func (b *blocks) values(block layout.CounterBlock, times int) (numbers []uint64, texts []string, err error) {
	r := &layout.PERF_COUNTER_BLOCK
	if block.Len()%layout.Align != 0 {
		return nil, nil, broken(block.Path(), r, block.Span, "ByteLength", layout.ErrAlign, "is %d, must be a multiple of 8", block.Len())
	}
	if uint64(block.Len()) < uint64(b.need) {
		return nil, nil, broken(block.Path(), r, block.Span, "ByteLength", layout.ErrBounds, "is %d, must be at least the %d that the counters require", block.Len(), b.need)
	}
	if b.budget -= len(b.counters); b.budget < 0 {
		return nil, nil, &layout.Error{Path: block.Path(), Off: block.Off(), Len: block.Len(), Err: layout.Faultf(ErrTooLarge, "there are far more values than bytes")}
	}
	if len(b.counters) > 0 {
		numbers = b.numbers.take(len(b.counters), times)
	}
	if b.texts > 0 {
		texts = b.lists.take(b.texts, times)
	}
	for i, s := range b.slots {
		if s.text < 0 {
			numbers[i] = getNumber(block.Bytes()[s.at:], s.size)
		} else if texts[s.text], err = b.text(block, i, s, times); err != nil {
			return nil, nil, err
		}
	}
	return numbers, texts, b.checkHoles(block)
}

func (b *blocks) checkHoles(block layout.CounterBlock) error {
	for _, h := range b.holes {
		if h.to == 0 {
			h.to = uint64(block.Len())
		}
		s, err := block.Sub(h.from, h.to-h.from)
		if err != nil {
			return within(block.Path(), err)
		}
		if !isZero(s.Bytes()) {
			b.loseUnlessZero(block.Path().Field("padding"), s)
		}
	}
	return nil
}
