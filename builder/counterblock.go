package builder

import (
	"cmp"
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A CounterBlock holds the encoded values of one instance. A provider that counts events as
// they happen keeps a CounterBlock for each instance. In Collect, one call copies all its values.
// This is faster than setting each value:
//
//	site.block.Add64(requests, 1) // for each request
//	f.Block(site.block)           // in Collect
//
// If the counters are the fields of a struct, a [Binding] is simpler. A CounterBlock can also hold
// texts, counters that are known only at run time, and counters that share bytes.
//
// [Fill.Block] and [Refresh.Block] copy the values. After the copy, the CounterBlock can count
// further events. A count that exceeds its 4 or 8 bytes wraps.
//
// After an error, calls that set or add a value have no effect, and a [Fill] or [Refresh] that
// copies the values reports the error. [CounterBlock.Clear] removes the error. A variable of type
// CounterBlock must not be copied: pass a pointer. A CounterBlock is not safe for concurrent use:
// counting and collecting must use the same lock. The zero CounterBlock belongs to no template:
// setting a value is an error.
type CounterBlock struct {
	_ noCopy
	currentBlock
	template *blockFormat // like currentBlock.format, but an error does not change it; nil in the zero CounterBlock
	bytes    []byte       // like currentBlock.block, but an error does not change it
}

// CounterBlock returns a new CounterBlock with the value 0 for each counter. It is valid for t and
// for the templates that [Template.Rebase] returns from t.
func (t *Template) CounterBlock() *CounterBlock {
	b := &CounterBlock{template: t.format}
	if t.format != nil {
		b.bytes = make([]byte, t.format.length)
	}
	b.Clear()
	return b
}

// Clear sets all values to 0 and removes the error.
func (b *CounterBlock) Clear() {
	b.currentBlock = currentBlock{block: b.bytes, format: b.template, missing: errNoTemplateBlock}
	if b.template != nil {
		b.template.clear(b.bytes)
	}
}

// Add32 adds n to the value of a counter of 4 bytes. A sum of more than 32 bits wraps.
func (b *CounterBlock) Add32(h Handle32, n uint32) {
	if h.format != b.format || h.at == 0 {
		b.failHandle(handle(h))
		return
	}
	at := b.block[h.at:]
	le.PutUint32(at, le.Uint32(at)+n)
}

// Add64 adds n to the value of a counter of 8 bytes. A sum of more than 64 bits wraps.
func (b *CounterBlock) Add64(h Handle64, n uint64) {
	if h.format != b.format || h.at == 0 {
		b.failHandle(handle(h))
		return
	}
	at := b.block[h.at:]
	le.PutUint64(at, le.Uint64(at)+n)
}

// Get32 returns the value of a counter of 4 bytes, even after an error. If the handle is not
// valid for the template, Get32 returns 0.
func (b *CounterBlock) Get32(h Handle32) uint32 {
	if h.format != b.template || h.at == 0 {
		return 0
	}
	return le.Uint32(b.bytes[h.at:])
}

// Get64 returns the value of a counter of 8 bytes. See [CounterBlock.Get32].
func (b *CounterBlock) Get64(h Handle64) uint64 {
	if h.format != b.template || h.at == 0 {
		return 0
	}
	return le.Uint64(b.bytes[h.at:])
}

// Err returns the first error of setting or adding a value since the last Clear.
func (b *CounterBlock) Err() error { return b.err }

// blockLength returns the ByteLength of a counter block. The result is ofInstance, the BlockLength of the instance. If
// ofInstance is 0, the result is the BlockLength of the object. If both are 0, the result is smallest.
func (o *Object) blockLength(ofInstance, smallest uint32) uint32 {
	return cmp.Or(ofInstance, o.BlockLength, smallest)
}

// checkBlockLength checks a BlockLength of the model. smallest is the length that the values need.
func checkBlockLength(n, smallest uint32) error {
	if n != 0 && (n < smallest || n%layout.Align != 0) {
		return fault("BlockLength", layout.ErrRange, "is %d, must be 0 or a multiple of 8 that is at least %d", n, smallest)
	}
	return nil
}

// values holds the counters, values and texts of one counter block.
type values struct {
	counters []Counter
	numbers  []uint64
	texts    []string
}

// check checks that each counter has a value, and that the value fits its CounterSize.
func (v values) check(p blockLayout) error {
	if len(v.numbers) != len(v.counters) {
		return fault("", ErrCount, "has %s for %s, must have one for each counter, bases included", quote.Count(len(v.numbers), "value"), quote.Count(len(v.counters), "counter"))
	}
	if len(v.texts) != p.texts {
		return fault("", ErrCount, "has %s, must have %d: one text for each counter with a value of variable length", quote.Count(len(v.texts), "text"), p.texts)
	}
	if p.texts == 0 && p.packed == nil && p.fit(v.numbers) {
		return nil
	}
	var all faults
	for i, s := range p.places {
		t := v.counters[i].CounterType
		err := checkNumber(t, s, v.numbers[i])
		if err == nil && s.text >= 0 {
			err = checkVariable(t, s, v.texts[s.text])
		}
		if err != nil {
			all.add(within(valuePath(i), err))
		}
	}
	if len(all) == 0 && p.packed != nil {
		return v.checkShared(p)
	}
	return all.err()
}

// fit reports whether each number fits its CounterSize. All counters must be numbers.
func (p blockLayout) fit(numbers []uint64) bool {
	var tooLarge uint64
	numbers = numbers[:len(p.places)]
	for i := range p.places {
		tooLarge |= numbers[i] >> (8 * p.places[i].size)
	}
	return tooLarge == 0
}

// checkNumber checks n, the number in Values for a counter of type t.
func checkNumber(t layout.CounterType, p place, n uint64) error {
	switch {
	case p.text >= 0 && n != 0:
		return layout.Faultf(layout.ErrRange, "is %d, must be 0: the value of a %v is not a number, set it in Texts or with SetText", n, t)
	case p.size == 0 && n != 0:
		return layout.Faultf(layout.ErrRange, "is %d, must be 0: %v has no value", n, t)
	case !fits(n, p.size): // 0 fits each size
		return layout.Faultf(layout.ErrRange, "is %d, must fit the counter's 4 bytes", n)
	}
	return nil
}

// checkShared checks counters that share bytes. It writes the numbers to a buffer, in the order of the counters. Then
// it returns an error for each number that a later number has changed in the buffer.
func (v values) checkShared(p blockLayout) error {
	all := make([]byte, p.numberBytes)
	for i, s := range p.places {
		if s.text < 0 {
			putNumber(all[p.packed[i]:], s.size, v.numbers[i])
		}
	}
	var conflicts faults
	for i, s := range p.places {
		if s.text < 0 && getNumber(all[p.packed[i]:], s.size) != v.numbers[i] {
			conflicts.add(within(valuePath(i), fault("", ErrConflict, "is %d in %d bytes at offset %d of the counter block, but another counter has a different value in the same bytes: change a CounterOffset or a value", v.numbers[i], s.size, s.at)))
		}
	}
	return conflicts.err()
}

// append appends a counter block with valid values. length is its ByteLength.
func (v values) append(b []byte, p blockLayout, length uint32) []byte {
	start := len(b)
	b = wire.CounterBlock{ByteLength: length}.Append(b)
	b = zeroTo(b, start+int(length))
	block := b[start:]
	for i, s := range p.places {
		if s.text >= 0 {
			putText(block[s.at:s.at+s.size], v.counters[i].CounterType, v.texts[s.text])
		} else {
			putNumber(block[s.at:], s.size, v.numbers[i])
		}
	}
	return b
}

// zeroTo appends zeros until b has the length n.
func zeroTo(b []byte, n int) []byte {
	at := len(b)
	b = slices.Grow(b, n-at)[:n]
	clear(b[at:])
	return b
}

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

// A blockDecoder decodes the counter blocks of one object.
type blockDecoder struct {
	*decoder
	blockLayout
	counters []Counter
	gaps     []gap // the bytes that belong to no value, in order
}

// A gap is a range of bytes in a counter block that belongs to no value. The bytes should be 0.
type gap struct {
	start uint64
	end   uint64 // 0 means the end of the block
}

func newBlockDecoder(d *decoder, o *Object) (*blockDecoder, error) {
	b := &blockDecoder{decoder: d, counters: o.Counters}
	var err error
	if b.blockLayout, err = newBlockLayout(o.Counters, o.longestTexts()); err != nil {
		return nil, err
	}
	at := uint64(layout.SizeofCounterBlock)
	for _, i := range b.byOffset() {
		s := b.places[i]
		if s.size == 0 {
			continue
		}
		if uint64(s.at) > at {
			b.gaps = append(b.gaps, gap{at, uint64(s.at)})
		}
		at = max(at, uint64(s.at)+uint64(s.size))
	}
	b.gaps = append(b.gaps, gap{start: at})
	return b, nil
}

// length returns the BlockLength in the model for a counter block of n bytes: 0 if n is the default length, otherwise
// n.
func (b *blockDecoder) length(n uint32) uint32 {
	if n == b.need {
		return 0
	}
	return n
}

// values decodes the Values and Texts of a block. An empty result is nil.
func (b *blockDecoder) values(block layout.CounterBlock, remaining int) (numbers []uint64, texts []string, err error) {
	r := &layout.PERF_COUNTER_BLOCK
	if block.Len()%layout.Align != 0 {
		return nil, nil, broken(block.Path(), r, block.Span, "ByteLength", layout.ErrAlign, "is %d, must be a multiple of 8", block.Len())
	}
	if uint64(block.Len()) < uint64(b.need) {
		return nil, nil, broken(block.Path(), r, block.Span, "ByteLength", layout.ErrBounds, "is %d, must be at least %d, the length that the counters require", block.Len(), b.need)
	}
	if b.budget -= b.cost(); b.budget < 0 {
		return nil, nil, &layout.Error{Path: block.Path(), Off: block.Off(), Len: block.Len(), Err: layout.Faultf(ErrTooLarge, "the counter blocks have far more values than bytes, because their counters share bytes")}
	}
	if len(b.counters) > 0 {
		numbers = b.takeNumbers(remaining)
	}
	if b.texts > 0 {
		texts = b.lists.take(b.texts, min(remaining, 1+b.budget/b.cost()))
	}
	for i, s := range b.places {
		if s.text < 0 {
			numbers[i] = getNumber(block.Bytes()[s.at:], s.size)
		} else if texts[s.text], err = b.text(block, i, s, remaining); err != nil {
			return nil, nil, err
		}
	}
	b.checkGaps(block)
	return numbers, texts, nil
}

// cost returns the number to subtract from decoder.budget for one block. A counter of variable length costs 4, any
// other counter costs 1.
func (b *blockDecoder) cost() int { return len(b.counters) + 3*b.texts }

// takeNumbers returns a slice for the numbers of a block. The caller must first subtract the cost of the block from the
// budget.
func (b *blockDecoder) takeNumbers(remaining int) []uint64 {
	n := len(b.counters)
	if len(b.numbers.free) < n {
		remaining = min(remaining, 1+b.budget/b.cost())
	}
	return b.numbers.take(n, remaining)
}

// checkGaps records an ErrUnkept error for each gap with bytes other than 0. All values must be inside the block.
func (b *blockDecoder) checkGaps(block layout.CounterBlock) {
	for _, g := range b.gaps {
		if g.end == 0 {
			g.end = uint64(block.Len())
		}
		s, _ := block.Sub(g.start, g.end-g.start)
		if !isZero(s.Bytes()) {
			b.loseUnlessZero(block.Path().Field("padding"), s)
		}
	}
}
