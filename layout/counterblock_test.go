package layout_test

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// TestValueBounds checks that a value outside its block is a fault at the CounterOffset of the
// counter.
func TestValueBounds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		offset, size uint32
		len          int // -1 for an error
		reason       string
	}{
		{4, 4, 4, "a value may start after ByteLength"},
		{4, 12, 12, "a value may fill the block"},
		{4, 0, 0, "a value may have no bytes"},
		{16, 0, 0, "a value without bytes may be at the end"},
		{12, 4, 4, "a value may end with the block"},
		{13, 4, -1, "a value must not end after the block"},
		{4, 13, -1, "a value must not end after the block"},
		{16, 1, -1, "a value must not start after the block"},
		{17, 0, -1, "a value without bytes must not be after the block"},
		{3, 4, -1, "a value must not overlap ByteLength"},
		{0, 0, -1, "a value without bytes must not be in ByteLength"},
		{most, 4, -1, "the sum of offset and size must not wrap to 3"},
		{4, most, -1, "the sum of offset and size must not wrap to 3"},
		{most - 3, 8, -1, "the sum of offset and size must not wrap to 4"},
	} {
		b := patched(t, patch{0xC0, tt.size}, patch{0xC4, tt.offset})
		for o := range layout.ReadObjects(b[smallObjects:0x100]) {
			block, err := o.Block()
			if err != nil {
				t.Fatal(err)
			}
			for c := range o.Counters() {
				v, err := block.Value(c)
				e, _ := errors.AsType[*layout.Error](err)
				if (err == nil) != (tt.len >= 0) || err == nil && (v.Len() != tt.len || v.Off() != 0x90+int64(tt.offset)) || err != nil && (e == nil || e.Path.String() != "object[0].counter[0].CounterOffset" || e.Off != 0x64 || e.Len != 4 || !errors.Is(err, layout.ErrBounds)) {
					t.Errorf("%d bytes from %d: %d at %d, %v: %s", tt.size, tt.offset, v.Len(), v.Off(), err, tt.reason)
				}
				break
			}
		}
	}
}
