package builder

import (
	"cmp"
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A slot is where a counter's value stands in every counter block of its object.
type slot struct {
	at, size uint32
	text     int // position in Texts, -1 for a number
}

// A slotting is the plan of an object's counter blocks.
type slotting struct {
	slots []slot
	texts int    // how many values are of variable length
	need  uint32 // the shortest ByteLength of a block, a multiple of 8
	// packed is nil unless slots overlap. Then it gives each number's place in a
	// block that has room for the numbers and nothing else.
	packed      []uint32
	numberBytes int // the length of that block
}

// slotter hands out places in a counter block, in the order of the counters.
type slotter struct {
	next uint64 // behind the last value so far
	need uint64 // what readers of the types so far look at
	base uint64 // where the base of the counter before is looked for, 0 for nowhere of its own
}

func newSlotter() slotter {
	first := uint64(layout.PERF_COUNTER_BLOCK.Size)
	return slotter{next: first, need: first}
}

// auto returns where a value goes that is not told a place. A PERF_AVERAGE_TIMER
// of 4 bytes gets room for 8, the upper half zero, because the Microsoft sample and
// netdata read 8; so its base stands where every reader looks for it.
// The base of a PERF_MULTI_COUNTER goes where the sample looks for it.
func (s *slotter) auto(t layout.CounterType, size uint32) uint64 {
	_, number := t.Width()
	switch {
	case s.base != 0 && t.IsBase():
		return s.base
	case size == 0:
		return s.next
	case number && size == 8 || t == layout.PERF_AVERAGE_TIMER:
		return up(s.next, 8)
	}
	return up(s.next, 4)
}

// take books the value's place.
func (s *slotter) take(t layout.CounterType, at uint64, size uint32) {
	end := at + uint64(size)
	if t == layout.PERF_AVERAGE_TIMER && at%8 == 0 {
		end = max(end, at+8)
	}
	before := s.next
	s.next = max(s.next, end)
	s.need = max(s.need, s.next)
	s.base = 0
	if t.Multi() && t.NeedsBase() {
		s.need = max(s.need, at+multiRoom) // the number of components, where the sample reads it
		if at+multiBaseAt >= before {
			s.base = at + multiBaseAt
		}
	}
}

// The sample reads the number of components of a PERF_MULTI_COUNTER as a DWORD 8
// bytes behind the value.
const (
	multiBaseAt   = 8
	multiBaseSize = 4
	multiRoom     = multiBaseAt + multiBaseSize
)

// longestBlock returns what a counter block can have behind so many definitions:
// TotalByteLength, which counts them too, is a DWORD and a multiple of 8.
func longestBlock(counters int) uint64 {
	const most = math.MaxUint32 / layout.Align * layout.Align
	return most - min(most, definitionLength(counters))
}

// slotCounters plans the counter blocks of an object. widest gives the bytes that
// the longest value of each counter of variable length takes.
func slotCounters(counters []Counter, widest []uint64) (slotting, error) {
	p := slotting{slots: make([]slot, 0, len(counters))}
	s, shared, longest := newSlotter(), false, longestBlock(len(counters))
	for i, c := range counters {
		text := -1
		width, fixed := c.CounterType.Width()
		if !fixed {
			text, p.texts = p.texts, p.texts+1
		}
		size, err := c.size(width, fixed, widest, text)
		if err == nil {
			err = c.checkOffset()
		}
		if err != nil {
			return slotting{}, within(counterPath(i), err)
		}
		at := uint64(c.CounterOffset)
		if at == 0 {
			at = s.auto(c.CounterType, size)
		}
		if at+uint64(size) > longest {
			return slotting{}, within(counterPath(i), fault(layout.Path{}, "CounterOffset", ErrTooLarge, "a value of %d bytes at offset %d lies beyond the %d that a counter block can have", size, at, longest))
		}
		shared = shared || size > 0 && at < s.next
		p.slots = append(p.slots, slot{uint32(at), size, text})
		s.take(c.CounterType, at, size)
	}
	p.need = uint32(up(s.need, layout.Align))
	if shared {
		return p, p.pack()
	}
	return p, nil
}

// pack fills packed. Numbers may share bytes; a text has its own.
func (p *slotting) pack() error {
	var bytes []uint32 // of the block that hold numbers
	for _, s := range p.slots {
		for at := s.at; s.text < 0 && at < s.at+s.size; at++ {
			bytes = append(bytes, at)
		}
	}
	slices.Sort(bytes)
	bytes = slices.Compact(bytes)
	p.packed, p.numberBytes = make([]uint32, len(p.slots)), len(bytes)
	var texts uint32 // behind the text before
	for _, i := range p.byOffset() {
		s := p.slots[i]
		first, _ := slices.BinarySearch(bytes, s.at)
		p.packed[i] = uint32(first)
		if s.size > 0 && s.at < texts || s.text >= 0 && first < len(bytes) && bytes[first] < s.at+s.size {
			return fault(counterPath(i), "CounterOffset", ErrConflict, "%d is a place where texts and other values meet", s.at)
		}
		if s.text >= 0 {
			texts = max(texts, s.at+s.size)
		}
	}
	return nil
}

// byOffset returns the positions of the slots in the order of their places.
func (p *slotting) byOffset() []int {
	order := make([]int, len(p.slots))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.slots[a].at, p.slots[b].at) })
	return order
}

// size returns the CounterSize to write.
func (c Counter) size(width uint32, fixed bool, widest []uint64, text int) (uint32, error) {
	switch {
	case !fixed && widest[text] > math.MaxUint32:
		return 0, fault(layout.Path{}, "", ErrTooLarge, "a value of %d bytes does not fit 32 bits", widest[text])
	case !fixed && c.CounterSize == 0:
		return uint32(widest[text]), nil
	case !fixed && uint64(c.CounterSize) < widest[text]:
		return 0, fault(layout.Path{}, "CounterSize", layout.ErrRange, "%d is less than the %d that the longest value takes", c.CounterSize, widest[text])
	case c.CounterSize == 0:
		return width, nil
	case fixed && (width == 0 || c.CounterSize != 4 && c.CounterSize != 8):
		return 0, fault(layout.Path{}, "CounterSize", layout.ErrRange, "%d is no size of %v: leave it 0", c.CounterSize, c.CounterType)
	}
	return c.CounterSize, nil
}

func (c Counter) checkOffset() error {
	if first := layout.PERF_COUNTER_BLOCK.Size; c.CounterOffset != 0 && c.CounterOffset < first {
		return fault(layout.Path{}, "CounterOffset", layout.ErrRange, "%d is inside the block's ByteLength: it is 0 or at least %d", c.CounterOffset, first)
	}
	return nil
}

func up(n, to uint64) uint64 { return (n + to - 1) / to * to }
