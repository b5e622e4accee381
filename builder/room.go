package builder

import (
	"math"
	"slices"
)

// A room is a buffer that is being filled. What has no room in one that must not grow
// is counted and not written, and so is all that comes after.
type room struct {
	given []byte // as it was
	b     []byte // with as much of its capacity as may be written
	at    int    // where the next byte goes
	fixed bool
	over  bool // b is full
	huge  bool // and what has no room there is more than any block can hold
}

func newRoom(b []byte) room {
	r := room{given: b, at: len(b)}
	r.b = r.writable(b)
	return r
}

// writable returns b with its capacity, as far as a TotalByteLength can tell it.
func (r *room) writable(b []byte) []byte {
	return b[:min(uint64(cap(b)), uint64(len(r.given))+maxTotal)]
}

// fits reports whether there is room for n bytes without growing.
func (r *room) fits(n uint64) bool { return !r.over && n <= uint64(len(r.b)-r.at) }

// tooMuch reports whether n more bytes are beyond the 32 bits of a TotalByteLength, or
// beyond a slice.
func (r *room) tooMuch(n uint64) bool {
	return n > maxTotal-uint64(r.at-len(r.given)) || n > math.MaxInt-uint64(r.at)
}

// take returns the next n bytes, whatever is in them, or nil if there is no room.
func (r *room) take(n uint64) []byte {
	if !r.fits(n) && !r.grow(n) {
		return nil
	}
	b := r.b[r.at : r.at+int(n)]
	r.at += int(n)
	return b
}

// grow makes room for n bytes, or counts them.
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
