package layout_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

// unread lists what Walk could not read: path, place, length and the kind of fault.
func unread(kind layout.Kind, b []byte) (lines []string) {
	for p := range layout.Walk(kind, b) {
		if p.Sort != layout.UnreadPart {
			continue
		}
		why := "-"
		for name, k := range map[string]error{"short": layout.ErrShort, "bounds": layout.ErrBounds, "signature": layout.ErrSignature, "order": layout.ErrByteOrder, "range": layout.ErrRange} {
			if errors.Is(p.Err, k) {
				why = name
			}
		}
		if e, ok := errors.AsType[*layout.Error](p.Err); ok {
			why = fmt.Sprintf("%s at 0x%x %v", why, e.Off, e.Path)
		}
		lines = append(lines, fmt.Sprintf("%v 0x%x %d %s", p.Path, p.Off(), p.Len(), why))
	}
	return lines
}

func TestWalkOfBrokenBlocks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		at     int
		value  uint32
		want   []string
		reason string
	}{
		{0x00, 0, []string{"rest 0x58 416 signature at 0x0 Signature"}, "no signature: only the header's fields"},
		{0x08, 0, []string{"rest 0x58 416 order at 0x8 LittleEndian"}, "big-endian"},
		{0x14, 505, []string{"rest 0x1f8 0 bounds at 0x14 TotalByteLength"}, "longer than the bytes, all of which are shown"},
		{0x14, 503, []string{"object[1].instance[1].block.rest 0x1ec 11 bounds at 0x1e8 object[1].instance[1].block.ByteLength", "object[1].rest 0x1f7 0 bounds at 0x100 object[1].TotalByteLength", "rest 0x1f7 1 -"}, "one short: the last object, then a byte behind"},
		{0x14, 256, []string{"object[1].rest 0x100 0 short at 0x100 object[1]", "rest 0x100 248 -"}, "the second object lies behind the end"},
		{0x14, 300, []string{"object[1].rest 0x100 44 short at 0x100 object[1]", "rest 0x12c 204 -"}, "less than a record left"},
		{0x18, 88, []string{"padding 0x58 0 bounds at 0x50 SystemNameLength", "object[0].rest 0x98 352 bounds at 0x5c object[0].DefinitionLength", "object[0].rest 0x1f8 0 bounds at 0x58 object[0].TotalByteLength"}, "no room for the name, which is taken for an object"},
		{0x18, 505, []string{"rest 0x58 416 bounds at 0x18 HeaderLength"}, "a header longer than the block"},
		{0x1C, 0, []string{"rest 0x60 408 -"}, "no objects asked for"},
		{0x1C, 1, []string{"rest 0x100 248 -"}, "one object asked for"},
		{0x1C, 3, []string{"object[2].rest 0x1f8 0 short at 0x1f8 object[2]"}, "one object too many: nothing to show, but the reason"},
		{0x54, 91, []string{"padding 0x58 8 bounds at 0x50 SystemNameLength"}, "the name ends beyond the header"},
		{0x60, 63, []string{"object[0].rest 0xa0 344 bounds at 0x60 object[0].TotalByteLength"}, "without a length there is no next object"},
		{0x64, 161, []string{"object[0].rest 0xa0 96 bounds at 0x64 object[0].DefinitionLength"}, "the next object is still found"},
		{0x68, 63, []string{"object[0].rest 0xa0 96 bounds at 0x68 object[0].HeaderLength"}, "the next object is still found"},
		{0x68, 72, []string{"object[0].extension 0xa0 8 -", "object[0].counter[0].rest 0xd0 32 bounds at 0xa8 object[0].counter[0].ByteLength"}, "a longer header: eight bytes on, a length of 0"},
		{0x80, 1, []string{"object[0].rest 0xc8 40 -"}, "one counter asked for"},
		{0x80, 0, []string{"object[0].rest 0xa0 80 -"}, "no counter asked for"},
		{0x80, 3, []string{"object[0].counter[2].rest 0xf0 0 short at 0xf0 object[0].counter[2]"}, "one counter too many"},
		{0xA0, 39, []string{"object[0].counter[0].rest 0xc8 40 bounds at 0xa0 object[0].counter[0].ByteLength"}, "the block is still found"},
		{0xA0, 48, []string{"object[0].counter[0].extension 0xc8 8 -", "object[0].counter[1].rest 0xd0 32 short at 0xd0 object[0].counter[1]"}, "a longer definition"},
		{0x88, 0, []string{"object[0].rest 0xf0 16 -"}, "no instances, no block"},
		{0x88, 0xFFFFFFFE, []string{"object[0].rest 0xf0 16 -"}, "a metadata answer"},
		{0x88, 1, []string{"object[0].instance[0].rest 0xf0 16 short at 0xf0 object[0].instance[0]"}, "a block where an instance should be"},
		{0xF0, 17, []string{"object[0].block.rest 0xf4 12 bounds at 0xf0 object[0].block.ByteLength"}, "beyond the object"},
		{0xF0, 8, []string{"object[0].block.padding 0xf8 0 bounds at 0xec object[0].counter[1].CounterOffset", "object[0].rest 0xf8 8 -"}, "a block shorter than its room: the second value does not fit"},
		{0xC4, 13, []string{"object[0].block.padding 0x100 0 bounds at 0xc4 object[0].counter[0].CounterOffset"}, "a value that ends one behind the block"},
		{0xEC, 16, []string{"object[0].block.padding 0xf8 8 bounds at 0xec object[0].counter[1].CounterOffset"}, "a value behind the block"},
		{0x128, 0, []string{"object[1].rest 0x190 104 -"}, "none of the instances"},
		{0x128, 1, []string{"object[1].rest 0x1c0 56 -"}, "one of the instances"},
		{0x128, 3, []string{"object[1].instance[2].rest 0x1f8 0 short at 0x1f8 object[1].instance[2]"}, "one instance too many"},
		{0x190, 23, []string{"object[1].instance[0].rest 0x1a8 80 bounds at 0x190 object[1].instance[0].ByteLength"}, "without a length there is no next instance"},
		{0x190, 100, []string{"object[1].instance[0].block.rest 0x1f8 0 bounds at 0x1f4 object[1].instance[0].block.ByteLength"}, "a block of four zero bytes"},
		{0x1A0, 23, []string{"object[1].instance[0].padding 0x1a8 8 bounds at 0x1a0 object[1].instance[0].NameOffset"}, "the block is still found"},
		{0x1A0, 28, nil, "a gap before the name is padding"},
		{0x1B0, 73, []string{"object[1].instance[0].block.rest 0x1b4 68 bounds at 0x1b0 object[1].instance[0].block.ByteLength"}, "without a length there is no next instance"},
		{0x1E8, 12, []string{"object[1].rest 0x1f4 4 -"}, "a last block shorter than its room"},
	} {
		b := patched(t, patch{tt.at, tt.value})
		if diff := cmp.Diff(tt.want, unread(layout.DataBlockKind, b)); diff != "" {
			t.Errorf("0x%x = %d: %s (-want +got):\n%s", tt.at, int32(tt.value), tt.reason, diff)
		}
		covered(t, layout.DataBlockKind, b)
	}
}

func TestWalkOfBytesCutOrAdded(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)
	objects := b[smallObjects:]
	for _, tt := range []struct {
		kind   layout.Kind
		bytes  []byte
		want   []string
		reason string
	}{
		{layout.DataBlockKind, nil, []string{"rest 0x0 0 short at 0x0 "}, "nothing"},
		{layout.DataBlockKind, b[:87], []string{"rest 0x0 87 short at 0x0 "}, "less than a header"},
		{layout.DataBlockKind, b[:88], []string{"rest 0x58 0 bounds at 0x14 TotalByteLength"}, "a header alone"},
		{layout.DataBlockKind, append(b[:len(b):len(b)], 1, 2, 3), []string{"rest 0x1f8 3 -"}, "bytes behind the end"},
		{layout.DataBlockKind, b[:96:96], []string{"object[0].rest 0x60 0 short at 0x60 object[0]", "rest 0x60 0 bounds at 0x14 TotalByteLength"}, "nothing but a header"},
		{layout.DataBlockKind, append(append(slices.Clone(b[:8]), 0), b[9:400]...), []string{"rest 0x58 312 order at 0x8 LittleEndian"}, "cut, and of the other byte order"},
		{layout.ObjectsKind, nil, nil, "no objects"},
		{layout.ObjectsKind, objects[:1], []string{"object[0].rest 0x0 1 short at 0x0 object[0]"}, "a byte"},
		{layout.ObjectsKind, objects[:63], []string{"object[0].rest 0x0 63 short at 0x0 object[0]"}, "less than a record"},
		{layout.ObjectsKind, objects[:64], []string{"object[0].rest 0x40 0 bounds at 0x4 object[0].DefinitionLength", "object[0].rest 0x40 0 bounds at 0x0 object[0].TotalByteLength"}, "a record alone"},
		{layout.ObjectsKind, objects[:160], nil, "one object"},
		{layout.ObjectsKind, append(objects[:408:408], 1, 2, 3), []string{"object[2].rest 0x198 3 short at 0x198 object[2]"}, "bytes behind the end are a third object"},
	} {
		if diff := cmp.Diff(tt.want, unread(tt.kind, tt.bytes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		covered(t, tt.kind, tt.bytes)
	}
}

// Parts that are neither field nor value around names and in longer records.
func TestWalkOfGaps(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		patches []patch
		want    string
		reason  string
	}{
		{[]patch{{0x1A0, 28}}, "padding gap 0x1a8 4, name Name 0x1ac 4", "a gap before the name"},
		{[]patch{{0x1A0, 25}, {0x1A4, 5}}, "padding gap 0x1a8 1, name Name 0x1a9 5, padding padding 0x1ae 2", "odd places"},
		{[]patch{{0x1A4, 0}}, "padding padding 0x1a8 8", "no name: all is padding"},
		{[]patch{{0x1A4, 8}}, "name Name 0x1a8 8", "no padding"},
	} {
		var got string
		for p := range layout.Walk(layout.DataBlockKind, patched(t, tt.patches...)) {
			if p.Off() >= 0x1A8 && p.Off() < 0x1B0 {
				if got != "" {
					got += ", "
				}
				got += fmt.Sprintf("%v %s 0x%x %d", p.Sort, lastOf(p.Path.Elems()), p.Off(), p.Len())
			}
		}
		if got != tt.want {
			t.Errorf("got %s; want %s: %s", got, tt.want, tt.reason)
		}
	}
}
