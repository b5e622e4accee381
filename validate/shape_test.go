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
		{"a value may end at the limit", plausibleValue, []uint32{8, 16, 1, 0}, 16, true},
		{"a value may end before the limit", plausibleValue, []uint32{8, 16, 1, 0}, 24, true},
		{"a value may have no bytes", plausibleValue, []uint32{0, 8}, 8, true},
		{"dwDataSize must fit into dwSize", plausibleValue, []uint32{9, 16, 1, 0}, 16, false},
		{"a value must not end after the limit", plausibleValue, []uint32{0, 16, 1, 0}, 8, false},
		{"a value must have at least its header", plausibleValue, []uint32{0, 0}, 8, false},
		{"dwSize must be a multiple of 8", plausibleValue, []uint32{0, 12, 0, 0}, 16, false},
		{"the header of a value must end before the limit", plausibleValue, []uint32{0, 8}, 4, false},
		{"a value must not start at the limit", plausibleValue, []uint32{0, 8}, 0, false},

		{"an instance may end at the limit", plausibleInstanceHeader, []uint32{16, 1, a, 0}, 16, true},
		{"an instance may end before the limit", plausibleInstanceHeader, []uint32{16, 1, a, 0}, 24, true},
		{"a name may be empty", plausibleInstanceHeader, []uint32{16, 1, units(0, wide), units(wide, wide)}, 16, true},
		{"the NUL may be the last code unit of the instance", plausibleInstanceHeader, []uint32{24, 1, units(wide, wide), units(wide, wide), units(wide, wide), units(wide, 0)}, 24, true},
		{"the NUL must be in the last 8 bytes", plausibleInstanceHeader, []uint32{24, 1, 0, 0, units(wide, wide), units(wide, wide)}, 24, false},
		{"two zero bytes of different characters are not a NUL", plausibleInstanceHeader, []uint32{24, 1, units(wide, wide), units(wide, a), units(zeroLow, a), units(zeroLow, wide)}, 24, false},
		{"an instance must have space for a name", plausibleInstanceHeader, []uint32{8, 1, 0, 0}, 16, false},
		{"an instance must not end after the limit", plausibleInstanceHeader, []uint32{24, 1, 0, 0, 0, 0}, 16, false},
		{"Size must be a multiple of 8", plausibleInstanceHeader, []uint32{20, 1, 0, 0, 0, 0}, 24, false},
		{"the name must start before the limit", plausibleInstanceHeader, []uint32{16, 1}, 8, false},
		{"an instance must not start at the limit", plausibleInstanceHeader, []uint32{16, 1}, 0, false},

		{"a result may end at the limit", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 16, 0}, 16, true},
		{"a result may end before the limit", plausibleResult, []uint32{5, uint32(layout.PERF_COUNTERSET), 24, 0, 1, 1}, 32, true},
		{"dwType must be known", plausibleResult, []uint32{5, 3, 16, 0}, 16, false},
		{"Reserved must be 0", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 16, 1}, 16, false},
		{"a result must have at least its header", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 8, 0}, 16, false},
		{"a result must not end after the limit", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 24, 0, 1, 1}, 16, false},
		{"dwSize of a result must be a multiple of 8", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 20, 0, 1, 1}, 24, false},
		{"the header of a result must end before the limit", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 16, 0}, 12, false},
		{"a result must not start at the limit", plausibleResult, []uint32{5, uint32(layout.PERF_SINGLE_COUNTER), 16, 0}, 0, false},
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

// resultOrPanic calls a function. It returns the result, or the value of the panic, as text.
func resultOrPanic(function func(b []byte, at, lim int64) bool, b []byte, at, lim int64) (result string) {
	defer func() {
		if p := recover(); p != nil {
			result = fmt.Sprint(p)
		}
	}()
	return fmt.Sprint(function(b, at, lim))
}
