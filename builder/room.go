package builder

import (
	"math"
	"slices"
)

// fits reports whether there is room for n bytes without growing.
func (f *Fill) fits(n uint64) bool { return !f.over && n <= uint64(len(f.b)-f.at) }

// take returns the next n bytes, whatever is in them, or nil if there is no room.
func (f *Fill) take(n uint64) []byte {
	if !f.fits(n) && !f.grow(n) {
		return nil
	}
	b := f.b[f.at : f.at+int(n)]
	f.at += int(n)
	return b
}

// grow makes room for n bytes. Where it may not, it counts them, and from then on
// nothing is written any more.
func (f *Fill) grow(n uint64) bool {
	switch {
	case f.tooMuch(n):
		f.over, f.huge = true, true
	case f.over || f.fixed:
		f.over = true
		f.at += int(n)
	default:
		f.b = f.writable(slices.Grow(f.b[:f.at], int(n)))
		return true
	}
	return false
}

// tooMuch reports whether n more bytes are beyond the 32 bits of a TotalByteLength, or
// beyond a slice.
func (f *Fill) tooMuch(n uint64) bool {
	return n > maxTotal-uint64(f.at-len(f.given)) || n > math.MaxInt-uint64(f.at)
}

// writable returns b with its capacity, as far as a TotalByteLength can tell it.
func (f *Fill) writable(b []byte) []byte {
	return b[:min(uint64(cap(b)), uint64(len(f.given))+maxTotal)]
}
