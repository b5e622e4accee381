package validate_test

import (
	"encoding/binary"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestSystemName checks a block with the system name HOST001 and its NUL: 16 bytes at 88, up to
// HeaderLength.
func TestSystemName(t *testing.T) {
	t.Parallel()
	const (
		length = "SystemNameLength"
		offset = "SystemNameOffset"
		two    = "a multiple of 2, the bytes of a character"
	)
	for _, tt := range []struct {
		reason  string
		units   []uint16 // characters that replace the name
		changes []written
		want    []string
	}{
		{"the name as it is", nil, nil, nil},
		{"no name", nil, []written{{length, 0}, {offset, 0}}, nil},
		{"no name, so it does not matter where", nil, []written{{length, 0}, {offset, fourBillion}}, nil},
		{"no name, so it does not matter whether that is even", nil, []written{{length, 0}, {offset, 89}}, nil},
		{"a character more than the header has room for", nil, []written{{length, 18}},
			[]string{"data-system-name-range SystemNameLength: SystemNameLength is 18, must be at most 16, for which the header has room"}},
		{"four billion bytes", nil, []written{{length, fourBillion}},
			[]string{"data-system-name-range SystemNameLength: SystemNameLength is 4000000000, must be at most 16, for which the header has room"}},
		{"the header has no room at all", nil, []written{{"HeaderLength", 88}, {"NumObjectTypes", 0}, {"TotalByteLength", 88}},
			[]string{"data-system-name-range SystemNameLength: SystemNameLength is 16, must be at most 0, for which the header has room", "data-trailing-bytes rest: the block is followed by 16 bytes, must be none"}},
		{"in the structure", nil, []written{{offset, 87}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 87, must be 88, so that the name is inside the header"}},
		{"at nothing", nil, []written{{offset, 0}, {length, 4}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 0, must be 88 to 100, so that the name is inside the header"}},
		{"up to the end of the header", nil, []written{{offset, 90}, {length, 14}}, nil},
		{"two bytes beyond the header", nil, []written{{offset, 92}, {length, 14}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 92, must be 88 to 90, so that the name is inside the header"}},
		{"far beyond the header", nil, []written{{offset, fourBillion}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 4000000000, must be 88, so that the name is inside the header"}},

		{"an odd length, and no word on a terminator", nil, []written{{length, 13}},
			[]string{"data-system-name-even SystemNameLength: SystemNameLength is 13, must be " + two}},
		{"an odd offset", nil, []written{{offset, 89}, {length, 14}},
			[]string{"data-system-name-even SystemNameOffset: SystemNameOffset is 89, must be " + two}},
		{"both odd", nil, []written{{offset, 89}, {length, 13}},
			[]string{"data-system-name-even SystemNameLength: SystemNameLength is 13, must be " + two, "data-system-name-even SystemNameOffset: SystemNameOffset is 89, must be " + two}},
		{"of an odd length no half of a pair is looked for", []uint16{0xD800}, []written{{length, 15}},
			[]string{"data-system-name-even SystemNameLength: SystemNameLength is 15, must be " + two}},
		{"a pair", []uint16{'a', 0xD83D, 0xDE00, 'b'}, nil, nil},
		{"a pair, and no NUL", []uint16{0xD83D, 0xDE00}, []written{{length, 4}},
			[]string{"data-system-name-terminator SystemName: U+DE00 ends the name, must be a NUL, which SystemNameLength counts"}},
		{"two pairs", []uint16{0xD800, 0xDC00, 0xDBFF, 0xDFFF}, nil, nil},
		{"neighbours of surrogates", []uint16{0xD7FF, 0xE000}, nil, nil},
		{"the first half alone", []uint16{'a', 0xD83D, 'b'}, nil,
			[]string{"data-system-name-even SystemName: U+D83D is half of a surrogate pair, must be the pair, or neither half"}},
		{"the second half alone, after a pair", []uint16{0xD83D, 0xDE00, 0xDE00}, nil,
			[]string{"data-system-name-even SystemName: U+DE00 is half of a surrogate pair, must be the pair, or neither half"}},
		{"the wrong way round: the first of them is named", []uint16{0xDE00, 0xD83D}, nil,
			[]string{"data-system-name-even SystemName: U+DE00 is half of a surrogate pair, must be the pair, or neither half"}},
		{"the first half before the NUL", []uint16{'a', 'b', 'c', 'd', 'e', 'f', 0xDBFF}, nil,
			[]string{"data-system-name-even SystemName: U+DBFF is half of a surrogate pair, must be the pair, or neither half"}},
		{"the first half at the end", []uint16{'a', 0xD800}, []written{{length, 4}},
			[]string{"data-system-name-even SystemName: U+D800 is half of a surrogate pair, must be the pair, or neither half",
				"data-system-name-terminator SystemName: U+D800 ends the name, must be a NUL, which SystemNameLength counts"}},
		{"no NUL", nil, []written{{length, 14}},
			[]string{"data-system-name-terminator SystemName: U+0031 ends the name, must be a NUL, which SystemNameLength counts"}},
		{"a letter whose low byte is 0 is no NUL", []uint16{'a', 0x0100}, []written{{length, 4}},
			[]string{"data-system-name-terminator SystemName: U+0100 ends the name, must be a NUL, which SystemNameLength counts"}},
		{"nothing but a NUL", []uint16{0}, []written{{length, 2}},
			[]string{"data-system-name-terminator SystemName: a NUL alone, must be a character before it, or a SystemNameLength of 0"}},
		{"padding is counted", []uint16{'a', 'b', 0, 0}, []written{{length, 8}},
			[]string{"data-system-name-terminator SystemName: the name has a NUL 2 bytes before the one that ends it, must have no other NUL"}},
		{"of several NULs the first is named", []uint16{'a', 0, 'b', 0, 0}, []written{{length, 10}},
			[]string{"data-system-name-terminator SystemName: the name has a NUL 6 bytes before the one that ends it, must have no other NUL"}},
		{"nothing but NULs", []uint16{0, 0}, []written{{length, 4}},
			[]string{"data-system-name-terminator SystemName: the name has a NUL 2 bytes before the one that ends it, must have no other NUL"}},
		{"a NUL inside, and none at the end", []uint16{'a', 0, 'b'}, []written{{length, 6}},
			[]string{"data-system-name-terminator SystemName: U+0062 ends the name, must be a NUL, which SystemNameLength counts"}},
		{"H is wrong, so there is no word on the name", nil, []written{{"HeaderLength", 80}, {length, fourBillion}},
			[]string{"data-header-length HeaderLength: HeaderLength is 80, must be 88 to 104, inside the block"}},
		{"H is wrong, so there is no word on how long the name is", nil, []written{{"HeaderLength", fourBillion}, {length, 15}},
			[]string{"data-header-length HeaderLength: HeaderLength is 4000000000, must be 88 to 104, inside the block"}},
	} {
		b := blockOfObjects(headerEnd)
		for i, u := range tt.units {
			binary.LittleEndian.PutUint16(b[88+2*i:], u)
		}
		expectFindings(t, tt.reason, layout.DataBlockKind, rewritten(b, tt.changes...), tt.want...)
	}
}

// TestSystemNameOffsets checks the exact offset of a fault in the name.
func TestSystemNameOffsets(t *testing.T) {
	t.Parallel()
	b := blockOfObjects(headerEnd)
	binary.LittleEndian.PutUint16(b[92:], 0xD800)
	setHeader(b, "SystemNameLength", 14)
	found := validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Findings
	if len(found) != 2 || found[0].Off != 92 || found[0].Len != 2 || found[1].Off != 100 || found[1].Len != 2 {
		t.Errorf("half a pair at 92 and no NUL at 100: %v", found)
	}
}
