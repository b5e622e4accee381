package layout_test

import (
	"testing"

	"github.com/perfblock/perfblock/layout"
)

// TestSlots checks that the values of an instance are between the structure and the name.
func TestSlots(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		offset uint32
		slots  int
		reason string
	}{
		{48, 2, "the values end where the name starts"},
		{47, 1, "an incomplete value is left out"},
		{40, 1, "bytes before InstanceNameOffset are values"},
		{32, 0, "there are no bytes between the structure and the name"},
		{31, 0, "a name in the structure means no values"},
		{0, 0, "a name at the start of the structure means no values"},
		{56, 3, "all bytes after the structure are values"},
		{57, 0, "a name after the end means no values"},
		{most, 0, "a name after the end means no values"},
	} {
		b := perflibBytes(t, "set instance")
		le.PutUint32(b[0x18:], tt.offset)
		in, err := layout.ReadCounterSetInstance(b)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for slot := range in.Slots() {
			if slot.Off() != int64(32+8*n) || slot.Len() != 8 {
				t.Errorf("slot %d: %d bytes at %d", n, slot.Len(), slot.Off())
			}
			n++
		}
		if n != tt.slots {
			t.Errorf("name at %d: %d slots, want %d: %s", tt.offset, n, tt.slots, tt.reason)
		}
	}
}

// TestSetInstanceWithoutName checks that a name of length 0 may have any offset.
func TestSetInstanceWithoutName(t *testing.T) {
	t.Parallel()
	b := perflibBytes(t, "set instance")
	le.PutUint32(b[0x18:], 0)
	le.PutUint32(b[0x1C:], 0)
	in, err := layout.ReadCounterSetInstance(b)
	if err != nil {
		t.Fatal(err)
	}
	if name, err := in.Name(); err != nil || name.Len() != 0 || name.Off() != 32 {
		t.Errorf("%d bytes at %d, %v", name.Len(), name.Off(), err)
	}
}
