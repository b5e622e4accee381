package builder

import (
	"cmp"
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A slot is the place of a counter's value in every counter block of its object.
type slot struct {
	at, size uint32
	text     int // position in Texts, -1 for a number
}

// A slotting is the plan of an object's counter blocks.
type slotting struct {
	slots []slot
	texts int    // number of values of variable length
	need  uint32 // the shortest ByteLength of a block, a multiple of 8
	// packed is nil unless slots overlap. Then it holds each number's place in a buffer of
	// numberBytes bytes that has room for the numbers and nothing else.
	packed      []uint32
	numberBytes int
}

// A slotter assigns places in a counter block, in the order of the counters.
type slotter struct {
	next uint64 // the end of the last value so far
	need uint64 // the end of what readers of the types so far look at
	base uint64 // where readers look for the base of the previous counter, 0 for no special place
}

func newSlotter() slotter {
	first := uint64(layout.PERF_COUNTER_BLOCK.Size)
	return slotter{next: first, need: first}
}

// auto returns the place of a value without a CounterOffset. A PERF_AVERAGE_TIMER of 4
// bytes gets room for 8, the upper half zero, because the Microsoft sample and netdata read
// 8; its base is then where every reader looks for it. The base of a PERF_MULTI_COUNTER is
// placed where the sample looks for it.
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

// take marks the value's place as used.
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
		s.need = max(s.need, at+multiBaseAt+multiBaseSize)
		if at+multiBaseAt >= before {
			s.base = at + multiBaseAt
		}
	}
}

// The sample reads the number of components of a PERF_MULTI_COUNTER as a DWORD 8 bytes
// after the start of the value.
const (
	multiBaseAt   = 8
	multiBaseSize = 4
)

// longestBlock returns the longest counter block of an object with that many counters:
// TotalByteLength, which includes the definitions, is a DWORD and a multiple of 8.
func longestBlock(counters int) uint64 {
	const most = math.MaxUint32 / layout.Align * layout.Align
	return most - min(most, definitionLength(counters))
}

// slotCounters plans the counter blocks of an object. longest holds the size of the longest
// value of each counter of variable length.
func slotCounters(counters []Counter, longest []uint64) (slotting, error) {
	p := slotting{slots: make([]slot, 0, len(counters))}
	s, shared, most := newSlotter(), false, longestBlock(len(counters))
	for i, c := range counters {
		text := -1
		width, fixed := c.CounterType.Width()
		needed := uint64(width)
		if !fixed {
			text, p.texts = p.texts, p.texts+1
			needed = longest[text]
		}
		size, err := c.size(needed, fixed)
		if err != nil {
			return slotting{}, within(counterPath(i), err)
		}
		at := uint64(c.CounterOffset)
		if at == 0 {
			at = s.auto(c.CounterType, size)
		}
		if at+uint64(size) > most {
			return slotting{}, fault(counterPath(i), "CounterOffset", ErrTooLarge, "is %d for a value of %d bytes, but a counter block can have %d bytes", at, size, most)
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

// size returns the CounterSize to write. needed is the width of a number, or the size of the
// longest value of variable length.
func (c Counter) size(needed uint64, fixed bool) (uint32, error) {
	here, n := layout.Path{}, uint64(c.CounterSize)
	switch {
	case needed > math.MaxUint32:
		return 0, fault(here, "", ErrTooLarge, "a value of %d bytes does not fit 32 bits", needed)
	case n == 0:
		return uint32(needed), nil
	case !fixed && n < needed:
		return 0, fault(here, "CounterSize", layout.ErrRange, "is %d, must be 0 or at least %d, the size of the longest value", n, needed)
	case fixed && needed == 0:
		return 0, fault(here, "CounterSize", layout.ErrRange, "is %d, must be 0: %v has no value", n, c.CounterType)
	case fixed && n != 4 && n != 8:
		return 0, fault(here, "CounterSize", layout.ErrRange, "is %d, must be 0, 4 or 8 for a number", n)
	}
	return c.CounterSize, nil
}

// pack fills packed. Numbers may share bytes with each other, but not with texts.
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
	var texts uint32 // the end of the previous text
	for _, i := range p.byOffset() {
		s := p.slots[i]
		first, _ := slices.BinarySearch(bytes, s.at)
		p.packed[i] = uint32(first)
		if s.size > 0 && s.at < texts || s.text >= 0 && first < len(bytes) && bytes[first] < s.at+s.size {
			return fault(counterPath(i), "CounterOffset", ErrConflict, "is %d, where a text and another value overlap", s.at)
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

// normalize sets decoded sizes and offsets to 0 where encoding computes the same.
func (o *Object) normalize() {
	longest, text := o.longestTexts(), 0
	s := newSlotter()
	for i := range o.Counters {
		c := &o.Counters[i]
		size, at := c.CounterSize, uint64(c.CounterOffset)
		width, fixed := c.CounterType.Width()
		computed := uint64(width)
		if !fixed {
			computed = longest[text]
			text++
		}
		if c.CounterSize == 0 { // decoding dropped the CounterSize
			size = uint32(computed)
		}
		if uint64(size) == computed {
			c.CounterSize = 0
		}
		if at == s.auto(c.CounterType, size) {
			c.CounterOffset = 0
		}
		s.take(c.CounterType, at, size)
	}
}

func up(n, to uint64) uint64 { return (n + to - 1) / to * to }
