package builder

import (
	"math"
	"slices"

	"github.com/perfblock/perfblock/internal/ascii"
	"github.com/perfblock/perfblock/layout"
)

// A room is a buffer that is written to from its length on.
type room struct {
	given []byte // the caller's buffer
	b     []byte // with the part of its capacity that may be written
	at    int    // where the next byte is written
	fixed bool
	over  bool // b is full: further bytes are only counted
	huge  bool // and are more than any block can hold
}

func newRoom(b []byte, fixed bool) room {
	r := room{given: b, at: len(b), fixed: fixed}
	r.b = r.writable(b)
	return r
}

// Need returns the capacity that the buffer must have for everything added so far, including
// its contents before. It counts on when the buffer is full. After any other error it has no
// meaning.
func (r *room) Need() int { return r.at }

// fits reports whether there is room for n bytes without growing.
func (r *room) fits(n uint64) bool { return !r.over && n <= uint64(len(r.b)-r.at) }

// take returns the next n bytes, which may have any value, or nil if there is no room.
func (r *room) take(n uint64) []byte {
	if !r.fits(n) && !r.grow(n) {
		return nil
	}
	b := r.b[r.at : r.at+int(n)]
	r.at += int(n)
	return b
}

// grow makes room for n bytes. If it may not, it counts them, and nothing is written any more.
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

// takeASCII takes a record of that size with its name, padded, and then length bytes. It
// returns all of them, and the length of the record with its name. Most names are ASCII, so
// they are checked and written in one pass. For another name, or without room, it takes
// nothing and returns nil.
func (r *room) takeASCII(size uint64, name string, length uint64) (b []byte, whole uint64) {
	n := 2 * uint64(len(name))
	whole = up(size+n+utf16NUL, layout.Align)
	if !r.fits(whole+length) || length < layout.Align {
		return nil, 0
	}
	b = r.b[r.at:][:whole+length]
	if ascii.Widen(b[size:], name) != len(name) {
		return nil, 0
	}
	le.PutUint64(b[size+n:], 0) // the terminator and the padding; the caller overwrites what follows
	r.at += len(b)
	return b, whole
}

// tooMuch reports whether n more bytes exceed the 32 bits of a block's length, or a slice.
func (r *room) tooMuch(n uint64) bool {
	return n > maxTotal-uint64(r.at-len(r.given)) || n > math.MaxInt-uint64(r.at)
}

// writable returns b with its capacity, up to the longest block.
func (r *room) writable(b []byte) []byte {
	return b[:min(uint64(cap(b)), uint64(len(r.given))+maxTotal)]
}
