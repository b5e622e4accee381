package builder

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/perfblock/perfblock/layout"
)

// A buffer is the caller's slice to which a [Fill] appends.
type buffer struct {
	given    []byte // the caller's slice
	b        []byte // the caller's slice, extended up to its capacity, or a longer copy of this slice
	at       int    // where the next byte is written
	fixed    bool   // the buffer must not be replaced by a longer one
	over     bool   // the buffer is full: further bytes are counted but not written
	tooLarge bool   // more bytes were appended than any block can have
}

func newBuffer(b []byte, fixed bool) buffer {
	r := buffer{given: b, at: len(b), fixed: fixed}
	r.b = r.writable(b)
	return r
}

// checkStart returns an error if the length of b is not a multiple of 8. Objects must start at multiples of 8.
func checkStart(b []byte) error {
	if len(b)%layout.Align == 0 {
		return nil
	}
	return fault("", layout.ErrAlign, "the buffer has a length of %d, must be a multiple of 8, because objects start at multiples of 8: pass b[:0] to overwrite the buffer, or append zeros", len(b))
}

// Need returns the capacity that the buffer must have, in bytes. The capacity is the original length plus the
// length of all data added so far, including data that does not fit in the buffer. After an error other than
// [ErrMoreData], the number has no meaning.
func (r *buffer) Need() int { return r.at }

// take returns the next n bytes of the buffer, or nil if the buffer is full. The bytes may contain old data.
func (r *buffer) take(n uint64) []byte {
	if (r.over || n > uint64(len(r.b)-r.at)) && !r.grow(n) {
		return nil
	}
	b := r.b[r.at : r.at+int(n)]
	r.at += int(n)
	return b
}

// grow makes room for n more bytes and returns true. If the total is too long for a block or a slice, grow sets tooLarge
// and returns false. If the buffer cannot grow, grow marks the buffer as full, counts the n bytes and returns false.
func (r *buffer) grow(n uint64) bool {
	switch {
	case n > maxTotal-uint64(r.at-len(r.given)) || n > math.MaxInt-uint64(r.at): // too long for a block, or for a slice
		r.tooLarge = true
	case r.over || r.fixed:
		r.over = true
		r.at += int(n)
	default:
		r.b = r.writable(slices.Grow(r.b[:r.at], int(n)))
		return true
	}
	return false
}

// writable extends b up to its capacity, but to at most len(r.given) + maxTotal bytes, because a Fill adds at most
// maxTotal bytes to r.given.
func (r *buffer) writable(b []byte) []byte {
	return b[:min(uint64(cap(b)), uint64(len(r.given))+maxTotal)]
}

// moreData is an error that wraps [ErrMoreData].
type moreData struct{ need, capacity int }

func (e *moreData) Error() string {
	return fmt.Sprintf("%v: its capacity is %d bytes, must be at least %d", ErrMoreData, e.capacity, e.need)
}

func (e *moreData) Unwrap() error { return ErrMoreData }

// lastMoreData caches the latest moreData error. newMoreData returns this error again for the same need and capacity,
// which saves an allocation.
var lastMoreData atomic.Pointer[moreData]

func newMoreData(need, capacity int) error {
	e := lastMoreData.Load()
	if e == nil || e.need != need || e.capacity != capacity {
		e = &moreData{need, capacity}
		lastMoreData.Store(e)
	}
	return e
}
