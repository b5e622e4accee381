//go:build !purego

package builder

import (
	"reflect"
	"testing"
)

// TestInBlock checks which blocks are accessed as a struct. Most processors allow access to a
// struct that is not aligned, so no other test finds such an access.
func TestInBlock(t *testing.T) {
	t.Parallel()
	type counters struct{ A, B uint64 }
	const length = structAt + 16
	block := make([]byte, 2*length) // starts at a multiple of 8, as each slice of 16 bytes or more
	for _, test := range []struct {
		whole  bool
		block  []byte
		want   bool
		reason string
	}{
		{true, block[:length], true, "the block is aligned"},
		{true, block[8:][:length], true, "a block after the start of the array is aligned"},
		{true, block[1:][:length], false, "the block is not aligned"},
		{true, block[4:][:length], reflect.TypeFor[counters]().Align() == 4, "the block is aligned to 4 bytes, which is enough on 386"},
		{true, block[:length-1], false, "the block is too short"},
		{true, nil, false, "there is no block"},
		{false, block[:length], false, "the struct and the block have different layouts"},
	} {
		m := memory[counters]{whole: test.whole}
		got := m.inBlock(test.block)
		if (got != nil) != test.want {
			t.Errorf("%s: %v", test.reason, got)
		}
		if got == nil {
			continue
		}
		if got.A = 1<<64 - 1; test.block[structAt-1] != 0 || test.block[structAt] != 0xFF || test.block[structAt+8] != 0 {
			t.Errorf("%s: field A is at another place: % x", test.reason, test.block)
		}
		clear(block)
	}
}
