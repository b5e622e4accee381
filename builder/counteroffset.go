package builder

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A place is the offset and size of a counter's value in every counter block of an object.
type place struct {
	at, size uint32 // CounterOffset and CounterSize
	text     int    // the position of the value in Texts, -1 for a number or no value
}

// A blockLayout holds the offset and size of each value in the counter blocks of an object.
type blockLayout struct {
	places []place
	texts  int    // number of values of variable length
	need   uint32 // the smallest ByteLength of a block, a multiple of 8
	// packed[i] is the offset of the numeric value of counter i in the buffer of values.checkShared. This buffer has
	// only the bytes of numeric values. If packed is nil, values.checkShared is not required: no values share bytes, or
	// the layout was returned with an error.
	packed      []uint32
	numberBytes int // the length of this buffer, 0 if packed is nil
}

// A placer computes the offsets of the values in a counter block, in the order of the counters.
type placer struct {
	next uint64 // the end of the values so far
	need uint64 // the end of the bytes that readers read for the counters so far
	base uint64 // where readers expect the base of the previous counter, 0 if they use the CounterOffset of the base
}

func newPlacer() placer {
	return placer{next: layout.SizeofCounterBlock, need: layout.SizeofCounterBlock}
}

// auto returns the default offset of a value.
func (s *placer) auto(t layout.CounterType, size uint32) uint64 {
	_, number := t.Width()
	switch {
	case s.base != 0 && t.IsBase():
		return s.base // where Microsoft's sample reads the base of a multi counter
	case size == 0:
		return s.next
	// Microsoft's sample and netdata read 8 bytes for a PERF_AVERAGE_TIMER, even if it has only 4 bytes.
	case number && size == 8 || t == layout.PERF_AVERAGE_TIMER:
		return roundUp(s.next, 8)
	}
	return roundUp(s.next, 4)
}

// take marks the bytes of a value as used.
func (s *placer) take(t layout.CounterType, at uint64, size uint32) {
	end := at + uint64(size)
	// A PERF_AVERAGE_TIMER of 4 bytes at a multiple of 8 reserves 8 bytes, because some readers read 8 bytes.
	if t == layout.PERF_AVERAGE_TIMER && at%8 == 0 {
		end = max(end, at+8)
	}
	s.next = max(s.next, end)
	s.need = max(s.need, s.next)
	s.base = 0
	if t.Multi() && t.NeedsBase() {
		// Microsoft's sample reads the base at the offset at+multiBaseAt, even if the base has another CounterOffset.
		s.need = max(s.need, at+multiBaseAt+multiBaseSize)
		if at+multiBaseAt >= s.next {
			s.base = at + multiBaseAt
		}
	}
}

// The offset and size that Microsoft's sample uses for the base of a multi counter.
const (
	multiBaseAt   = 8 // from the start of the counter's value
	multiBaseSize = 4 // a DWORD with the number of components
)

// newBlockLayout checks and computes the offset and size of each value. longest is the result of Object.longestTexts.
//
// If newBlockLayout returns an error, the caller must use the layout only to check the values and each BlockLength. The
// field need of this layout is 8, the ByteLength of a block without values. If a CounterSize is wrong, the size of the
// place is large enough for each value of the counter.
func newBlockLayout(counters []Counter, longest []uint64) (blockLayout, error) {
	p := blockLayout{places: make([]place, 0, len(counters))}
	s, overlap := newPlacer(), false
	// The definitions and the block must fit in TotalByteLength, a DWORD that is a multiple of 8.
	const largest = math.MaxUint32 / layout.Align * layout.Align
	most := largest - min(largest, definitionLength(len(counters)))
	var all faults
	crowded := false // an earlier value has no space, and its error is enough for all such values
	for i, c := range counters {
		text := none
		width, fixed := c.CounterType.Width()
		needed := uint64(width)
		if !fixed {
			text, p.texts = p.texts, p.texts+1
			needed = longest[text]
		}
		size, err := c.size(needed, fixed)
		if err != nil {
			if size = uint32(min(needed, math.MaxUint32)); fixed && needed > 0 {
				size = 8
			}
		}
		valueSize := size // the size that the check of the values uses
		at := uint64(c.CounterOffset)
		if at < layout.SizeofCounterBlock { // 0 means the default; for 1 to 3, checkCounter returns an error
			at = s.auto(c.CounterType, size)
		}
		if at+uint64(size) > most {
			noSpace := c.CounterOffset < layout.SizeofCounterBlock && layout.SizeofCounterBlock+uint64(size) <= most
			if err == nil && !(noSpace && crowded) && !all.full() {
				err = c.tooFar(at, size, most)
			}
			crowded = crowded || noSpace
			if !fixed {
				valueSize = uint32(min(needed, math.MaxUint32))
			}
			at, size = layout.SizeofCounterBlock, 0 // the value does not move the values after it
		}
		if err != nil && !all.full() {
			all.add(within(counterPath(i), err))
		}
		overlap = overlap || size > 0 && at < s.next
		p.places = append(p.places, place{uint32(at), valueSize, text})
		s.take(c.CounterType, at, size)
	}
	if len(all) == 0 && overlap {
		all.add(p.pack())
	}
	if len(all) > 0 {
		p.packed, p.need = nil, layout.Align
		return p, all.err()
	}
	p.need = uint32(roundUp(s.need, layout.Align))
	return p, nil
}

// tooFar returns an error for a value that does not fit in a counter block. The value starts at the offset `at` and has
// `size` bytes. `most` is the length of the largest counter block that the object can have.
func (c Counter) tooFar(at uint64, size uint32, most uint64) error {
	switch {
	case layout.SizeofCounterBlock+uint64(size) > most && c.CounterSize != 0:
		return fault("CounterSize", ErrTooLarge, "is %d, must be at most %d", size, most-min(most, layout.SizeofCounterBlock))
	case c.CounterOffset >= layout.SizeofCounterBlock:
		return fault("CounterOffset", ErrTooLarge, "is %d for a value of %d bytes, must be at most %d: a counter block of this object can have at most %d bytes", at, size, most-min(most, uint64(size)), most)
	}
	return fault("", ErrTooLarge, "has no space: its %d bytes start at offset %d, and a counter block of this object can have at most %d bytes", size, at, most)
}

// size returns the CounterSize to write. needed is the width of a number, or the length of the longest value of a
// counter of variable length.
func (c Counter) size(needed uint64, fixed bool) (uint32, error) {
	n := uint64(c.CounterSize)
	switch {
	case needed > math.MaxUint32:
		return 0, fault("", ErrTooLarge, "has a value of %d bytes, must have at most %d", needed, uint32(math.MaxUint32))
	case n == 0:
		return uint32(needed), nil
	case !fixed && n < needed:
		return 0, fault("CounterSize", layout.ErrRange, "is %d, must be 0 or at least %d, the size of the longest value", n, needed)
	case fixed && needed == 0:
		return 0, fault("CounterSize", layout.ErrRange, "is %d, must be 0: %v has no value", n, c.CounterType)
	case fixed && n != 4 && n != 8:
		return 0, fault("CounterSize", layout.ErrRange, "is %d, must be 0, 4 or 8 for a number", n)
	}
	return c.CounterSize, nil
}

// pack sets the fields packed and numberBytes. Numbers may overlap each other. If a text overlaps a number or another
// text, pack returns an error for the later counter. If there are several overlaps, pack can miss some: it can return
// further errors after the reported counters have moved.
func (p *blockLayout) pack() error {
	var bytes []uint32 // the offsets of all bytes that hold numbers
	for _, s := range p.places {
		for at := s.at; s.text < 0 && at < s.at+s.size; at++ {
			bytes = append(bytes, at)
		}
	}
	slices.Sort(bytes)
	bytes = slices.Compact(bytes)
	p.packed, p.numberBytes = make([]uint32, len(p.places)), len(bytes)
	overlaps := make(map[int]int) // the key is a counter that must move; the value is the counter that it overlaps
	// The loop below visits the counters in the order of their offsets. text is the visited text that ends last, and
	// number is the visited number that ends last. Neither variable holds a counter that must move: such a counter is
	// not stored, or the variable is set to the constant none.
	text, number := none, none
	overlapped := func(s place) int {
		switch {
		case s.at < p.end(text):
			return text
		case s.text >= 0 && s.at < p.end(number):
			return number
		}
		return none
	}
	for _, i := range p.byOffset() {
		s := p.places[i]
		first, _ := slices.BinarySearch(bytes, s.at)
		p.packed[i] = uint32(first)
		last := &number
		if s.text >= 0 {
			last = &text
		}
		if s.size == 0 || len(overlaps) >= mostFaults {
			continue
		}
		other := overlapped(s)
		for ; other > i; other = overlapped(s) {
			overlaps[other] = i
			if other == text {
				text = none // the earlier texts end before s
			} else {
				number = none
			}
		}
		switch {
		case other != none:
			overlaps[i] = other
		case s.at+s.size > p.end(*last):
			*last = i
		}
	}
	var all faults
	for _, i := range slices.Sorted(maps.Keys(overlaps)) {
		// The model sets this CounterOffset: a default offset is after the values of the earlier counters, so it
		// overlaps none of them.
		all.add(within(counterPath(i), fault("CounterOffset", ErrConflict, "is %d, but the value of %d bytes overlaps the value of %v: only numbers may share bytes", p.places[i].at, p.places[i].size, counterPath(overlaps[i]))))
	}
	return all.err()
}

// none is the position of no counter.
const none = -1

// end returns the offset where the value of counter i ends. If i is none, end returns 0.
func (p *blockLayout) end(i int) uint32 {
	if i == none {
		return 0
	}
	return p.places[i].at + p.places[i].size
}

// byOffset returns the positions of the counters, sorted by the offsets of the values.
func (p *blockLayout) byOffset() []int {
	order := make([]int, len(p.places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.places[a].at, p.places[b].at) })
	return order
}

// normalize sets a decoded size or offset to 0 if encoding computes the same number.
func (o *Object) normalize() {
	longest, text := o.longestTexts(), 0
	s := newPlacer()
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

func roundUp(n, unit uint64) uint64 { return (n + unit - 1) / unit * unit }
