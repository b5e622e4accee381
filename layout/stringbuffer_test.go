package layout_test

import (
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// TestBaseOfStrings checks that Base recognizes what dwOffset is relative to: the start of the buffer, or the end of
// the entries.
func TestBaseOfStrings(t *testing.T) {
	t.Parallel()
	const first = layout.SizeofStringBufferHeader + 3*layout.SizeofStringCounterHeader
	for _, tt := range []struct {
		offsets [3]uint32
		base    int64
		reason  string
	}{
		{[3]uint32{32, 38, 44}, 0, "offsets from the start are valid"},
		{[3]uint32{44, 38, 32}, 0, "the order of the offsets does not matter"},
		{[3]uint32{0, 6, 12}, first, "offsets below the end of the entries count from there"},
		{[3]uint32{most, most, 0}, first, "one offset below the end of the entries decides"},
		{[3]uint32{0, 34, 36}, first, "two offsets are valid with both bases, and the first only from the end of the entries"},
		{[3]uint32{32, 34, 36}, 0, "if all offsets are valid with both bases, they count from the start"},
		{[3]uint32{0, 34, 38}, 0, "the first offset is valid only from the end of the entries, the last only from the start"},
		{[3]uint32{38, 0, 0}, 0, "the first offset is valid only from the start, the others only from the end of the entries"},
		{[3]uint32{0, 37, most}, first, "a string may start at the last byte"},
		{[3]uint32{most, most, most}, 0, "a buffer may have no strings"},
		{[3]uint32{31, most, most}, first, "a string from the start must not begin in the last entry"},
		{[3]uint32{most - 1, most, most}, 0, "an offset after the buffer is valid with neither base"},
	} {
		b := stringBuffer(3)
		b = append(b, make([]byte, 20)...)
		le.PutUint32(b, uint32(len(b))) // 70
		for i, offset := range tt.offsets {
			le.PutUint32(b[12+8*i:], offset)
		}
		s, err := layout.ReadStringBuffer(b)
		if err != nil || s.Base() != tt.base {
			t.Errorf("%v: base %d, %v, want %d: %s", tt.offsets, s.Base(), err, tt.base, tt.reason)
		}
		for e := range s.Entries() {
			text, err := e.Text()
			at := tt.base + int64(e.DwOffset())
			if want := at >= first && at < 70; e.DwOffset() != layout.NoString && (err == nil) != want || err == nil && text.Len() > 0 && text.Off() != at {
				t.Errorf("%v: %v at %d, %v: %s", tt.offsets, e.Path(), text.Off(), err, tt.reason)
			}
			if e.DwOffset() == layout.NoString && (err != nil || text.Len() != 0) {
				t.Errorf("%v: %v has %d bytes, %v: %s", tt.offsets, e.Path(), text.Len(), err, tt.reason)
			}
		}
	}
}

// TestEmptyAndMissingStrings checks that an empty string has a NUL and a missing string has no
// bytes.
func TestEmptyAndMissingStrings(t *testing.T) {
	t.Parallel()
	const first = layout.SizeofStringBufferHeader + layout.SizeofStringCounterHeader
	b := setField(t, layout.StringsKind, stringBuffer(1), "entry[0].dwOffset", first+4)
	s, err := layout.ReadStringBuffer(b)
	if err != nil {
		t.Fatal(err)
	}
	for e := range s.Entries() {
		if text, err := e.Text(); err != nil || text.Len() != 2 {
			t.Errorf("%d bytes, %v", text.Len(), err)
		}
	}
	b = wire.CounterIdentifier{Size: 48}.Append(nil)
	b = wire.CounterIdentifier{Size: 40}.Append(append(b, make([]byte, 8)...))
	var lens []int
	for id := range layout.ReadCounterIdentifiers(b) {
		lens = append(lens, id.Name().Len())
	}
	if len(lens) != 2 || lens[0] != 2 || lens[1] != 0 {
		t.Errorf("names of %v bytes", lens)
	}
}
