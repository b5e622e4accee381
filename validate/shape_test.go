package validate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// TestRecordShapes checks which bytes look like a value, an instance or a result. The bytes are
// at different offsets, with and without bytes after the limit.
func TestRecordShapes(t *testing.T) {
	t.Parallel()
	const a, wide, zeroLow = 'a', 0x6363, 0x0100 // the low byte of zeroLow is 0
	units := func(a, b uint32) uint32 { return b<<16 | a }
	for _, tt := range []struct {
		reason string
		looks  func(b []byte, at, lim int64) bool
		words  []uint32
		room   int64 // the number of bytes from at to lim
		want   bool
	}{
		{"a value that fills the room", plausibleValue, []uint32{8, 16, 1, 0}, 16, true},
		{"a value with room after it", plausibleValue, []uint32{8, 16, 1, 0}, 24, true},
		{"a value of no bytes", plausibleValue, []uint32{0, 8}, 8, true},
		{"a value of more bytes than it has", plausibleValue, []uint32{9, 16, 1, 0}, 16, false},
		{"a value longer than the room", plausibleValue, []uint32{0, 16, 1, 0}, 8, false},
		{"a value of length 0", plausibleValue, []uint32{0, 0}, 8, false},
		{"a value whose size is not a multiple of 8", plausibleValue, []uint32{0, 12, 0, 0}, 16, false},
		{"half a value", plausibleValue, []uint32{0, 8}, 4, false},
		{"no value", plausibleValue, []uint32{0, 8}, 0, false},

		{"an instance that fills the room", plausibleInstanceHeader, []uint32{16, 1, a, 0}, 16, true},
		{"an instance with room after it", plausibleInstanceHeader, []uint32{16, 1, a, 0}, 24, true},
		{"an instance whose name is empty", plausibleInstanceHeader, []uint32{16, 1, units(0, wide), units(wide, wide)}, 16, true},
		{"an instance whose NUL is at its end", plausibleInstanceHeader, []uint32{24, 1, units(wide, wide), units(wide, wide), units(wide, wide), units(wide, 0)}, 24, true},
		{"an instance whose NUL is too far from its end", plausibleInstanceHeader, []uint32{24, 1, 0, 0, units(wide, wide), units(wide, wide)}, 24, false},
		{"an instance with two zero bytes that belong to different characters", plausibleInstanceHeader, []uint32{24, 1, units(wide, wide), units(wide, a), units(zeroLow, a), units(zeroLow, wide)}, 24, false},
		{"an instance without room for a name", plausibleInstanceHeader, []uint32{8, 1, 0, 0}, 16, false},
		{"an instance longer than the room", plausibleInstanceHeader, []uint32{24, 1, 0, 0, 0, 0}, 16, false},
		{"an instance whose size is not a multiple of 8", plausibleInstanceHeader, []uint32{20, 1, 0, 0, 0, 0}, 24, false},
		{"half an instance", plausibleInstanceHeader, []uint32{16, 1}, 8, false},
		{"no instance", plausibleInstanceHeader, []uint32{16, 1}, 0, false},

		{"a result that fills the room", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 16, 0}, 16, true},
		{"a result with room after it", plausibleResult, []uint32{5, uint32(layout.PERF_COUNTERSET), 24, 0, 1, 1}, 32, true},
		{"a result of an unknown type", plausibleResult, []uint32{5, 3, 16, 0}, 16, false},
		{"a result whose reserved field is not 0", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 16, 1}, 16, false},
		{"a result shorter than its header", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 8, 0}, 16, false},
		{"a result longer than the room", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 24, 0, 1, 1}, 16, false},
		{"a result whose size is not a multiple of 8", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 20, 0, 1, 1}, 24, false},
		{"three quarters of a result", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 16, 0}, 12, false},
		{"no result", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 16, 0}, 0, false},
	} {
		for _, at := range []int64{0, 8, 24} {
			b := make([]byte, at)
			for _, w := range tt.words {
				b = le.AppendUint32(b, w)
			}
			lim := at + tt.room
			b = append(b, make([]byte, 64)...)
			for _, b := range [][]byte{slices.Clip(b[:lim]), b} {
				if got := resultOrPanic(tt.looks, b, at, lim); got != fmt.Sprint(tt.want) {
					t.Errorf("%s, from %d to %d of %d bytes: %v, want %v", tt.reason, at, lim, len(b), got, tt.want)
				}
			}
		}
	}
}

// resultOrPanic returns the result of looks, or the value of its panic, as text.
func resultOrPanic(looks func(b []byte, at, lim int64) bool, b []byte, at, lim int64) (result string) {
	defer func() {
		if p := recover(); p != nil {
			result = fmt.Sprint(p)
		}
	}()
	return fmt.Sprint(looks(b, at, lim))
}
