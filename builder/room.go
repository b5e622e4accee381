package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// A room is a buffer that is written to from its length on.
type room struct {
	given []byte // the buffer as it was
	b     []byte // with as much of its capacity as may be written
	at    int    // where the next byte goes
	fixed bool
	over  bool // b is full: what comes is counted
	huge  bool // and is more than any block can hold
}

func newRoom(b []byte, fixed bool) room {
	r := room{given: b, at: len(b), fixed: fixed}
	r.b = r.writable(b)
	return r
}

// Need returns the capacity that the buffer must have for all that was added so far,
// what it held before included. It is right also where there was no room, and goes on
// counting then. After another error it means nothing.
func (r *room) Need() int { return r.at }

// fits reports whether there is room for n bytes without growing.
func (r *room) fits(n uint64) bool { return !r.over && n <= uint64(len(r.b)-r.at) }

// take returns the next n bytes, whatever is in them, or nil if there is no room.
func (r *room) take(n uint64) []byte {
	if !r.fits(n) && !r.grow(n) {
		return nil
	}
	b := r.b[r.at : r.at+int(n)]
	r.at += int(n)
	return b
}

// grow makes room for n bytes. Where it may not, it counts them, and from then on
// nothing is written any more.
func (r *room) grow(n uint64) bool {
	switch {
	case r.tooMuch(n):
		r.over, r.huge = true, true
	case r.over || r.fixed:
		r.over = true
		r.at += int(n)
	default:
		r.b = r.writable(slices.Grow(r.b[:r.at], int(n)))
		return true
	}
	return false
}

// takeASCII takes a record of that size with the name behind it, padded, and then length
// bytes, if the name is of ASCII, as nearly all are, and there is room, and returns both
// and how long the record is. Such a name is written where it belongs and has been checked
// then, and what it takes is known before. What it returns otherwise is nil, and nothing
// is taken.
func (r *room) takeASCII(size uint64, name string, length uint64) (b []byte, whole uint64) {
	n := 2 * uint64(len(name))
	whole = up(size+n+utf16NUL, layout.Align)
	if !r.fits(whole+length) || length < layout.Align {
		return nil, 0
	}
	b = r.b[r.at:][:whole+length]
	if layout.WidenASCII(b[size:], name) != len(name) {
		return nil, 0
	}
	le.PutUint64(b[size+n:], 0) // the terminator and the padding; what this is of the rest is written again
	r.at += len(b)
	return b, whole
}

// tooMuch reports whether n more bytes are beyond the 32 bits of a block's length, or
// beyond a slice.
func (r *room) tooMuch(n uint64) bool {
	return n > maxTotal-uint64(r.at-len(r.given)) || n > math.MaxInt-uint64(r.at)
}

// writable returns b with its capacity, as far as a block's length can tell it.
func (r *room) writable(b []byte) []byte {
	return b[:min(uint64(cap(b)), uint64(len(r.given))+maxTotal)]
}
