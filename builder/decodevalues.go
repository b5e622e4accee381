package builder

import (
	"github.com/perfblock/perfblock/layout"
)

// blocks decodes the counter blocks of one object.
type blocks struct {
	*decoder
	slotting
	counters []Counter
	holes    []hole // where no counter has a value, in order
}

// A hole is a stretch of every block that should be zero; a last one, to the block's end, is implied.
type hole struct{ from, to uint64 }

func newBlocks(d *decoder, o *Object) (*blocks, error) {
	b := &blocks{decoder: d, counters: o.Counters}
	var err error
	if b.slotting, err = slotCounters(o.Counters, o.widest()); err != nil {
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

// length returns the override that gives the block its length.
func (b *blocks) length(block layout.CounterBlock) uint32 {
	if uint64(block.Len()) == uint64(b.need) {
		return 0
	}
	return uint32(block.Len())
}

// values returns the numbers and texts of a block, nil where there are none. times
// is how many blocks are to come, as far as is known, this one included.
func (b *blocks) values(block layout.CounterBlock, times int) (numbers []uint64, texts []string, err error) {
	r := &layout.PERF_COUNTER_BLOCK
	if block.Len()%layout.Align != 0 {
		return nil, nil, broken(block.Path(), r, block.Span, "ByteLength", layout.ErrAlign, "%d is no multiple of 8", block.Len())
	}
	if uint64(block.Len()) < uint64(b.need) {
		return nil, nil, broken(block.Path(), r, block.Span, "ByteLength", layout.ErrBounds, "%d is less than the %d that the counters need", block.Len(), b.need)
	}
	if b.budget -= len(b.counters); b.budget < 0 {
		return nil, nil, tooMany(block.Path(), block.Span)
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

func tooMany(path layout.Path, s layout.Span) error {
	return &layout.Error{Path: path, Off: s.Off(), Len: s.Len(), Err: layout.Faultf(ErrTooLarge, "the block holds far more values than bytes")}
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
		if isZero(s.Bytes()) {
			continue
		}
		if err := b.loseUnlessZero(block.Path().Field("padding"), s); err != nil {
			return err
		}
	}
	return nil
}

// text returns a value of variable length. A text whose own length goes beyond its
// counter's CounterSize is cut there, as the bytes behind are another value's.
func (b *blocks) text(block layout.CounterBlock, i int, s slot, times int) (string, error) {
	path := func() layout.Path { return block.Path().At("value", b.origin[i]) }
	place, err := block.Sub(uint64(s.at), uint64(s.size))
	if err != nil {
		return "", within(path(), err)
	}
	t := b.counters[i].CounterType
	if !t.IsText() {
		return b.strings.add(place.Bytes(), times), nil
	}
	n, room := uint64(le.Uint32(place.Bytes())), uint64(s.size)-lengthPrefix
	if behind := uint64(block.End() - place.Off()); n > behind-lengthPrefix {
		return "", &layout.Error{Path: path(), Off: place.Off(), Len: lengthPrefix, Err: layout.Faultf(layout.ErrBounds, "a text of %d bytes, with %d left in the block", n, behind-lengthPrefix)}
	}
	if n > room {
		if err := b.lose(path(), place, "a text of %d bytes in a value of %d", lengthPrefix+n, s.size); err != nil {
			return "", err
		}
		n = room
		if t.Subtype() == layout.PERF_TEXT_UNICODE {
			n = room &^ 1
		}
	}
	tail, err := place.Sub(lengthPrefix+n, room-n)
	if err == nil && !isZero(tail.Bytes()) {
		err = b.loseUnlessZero(path(), tail)
	}
	if err != nil {
		return "", err
	}
	text, err := place.Sub(lengthPrefix, n)
	if err != nil {
		return "", within(path(), err)
	}
	if t.Subtype() != layout.PERF_TEXT_UNICODE {
		return b.strings.add(text.Bytes(), times), nil
	}
	if plain, ok := b.plainUTF16(text.Bytes(), times); ok {
		return plain, nil
	}
	return b.utf16(text, path())
}
