package validate_test

import (
	"encoding/binary"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestSystemName checks SystemNameLength, SystemNameOffset and the system name. The name HOST001
// and its NUL take 16 bytes from 88 to HeaderLength.
func TestSystemName(t *testing.T) {
	t.Parallel()
	const (
		length = "SystemNameLength"
		offset = "SystemNameOffset"
		two    = "even (UTF-16 code units)"
	)
	for _, tt := range []struct {
		reason  string
		units   []uint16 // characters that replace the name
		changes []fieldValue
		want    []string
	}{
		{"the name is valid", nil, nil, nil},
		{"there is no name", nil, []fieldValue{{length, 0}, {offset, 0}}, nil},
		{"there is no name, so SystemNameOffset may be any", nil, []fieldValue{{length, 0}, {offset, fourBillion}}, nil},
		{"there is no name, so SystemNameOffset may be odd", nil, []fieldValue{{length, 0}, {offset, 89}}, nil},
		{"the length is one character more than the header has room for", nil, []fieldValue{{length, 18}},
			[]string{"data-system-name-range SystemNameLength: SystemNameLength is 18, must be at most 16, the number of bytes between the structure and HeaderLength"}},
		{"the length is four billion", nil, []fieldValue{{length, fourBillion}},
			[]string{"data-system-name-range SystemNameLength: SystemNameLength is 4000000000, must be at most 16, the number of bytes between the structure and HeaderLength"}},
		{"the header has no room for a name", nil, []fieldValue{{"HeaderLength", 88}, {"NumObjectTypes", 0}, {"TotalByteLength", 88}},
			[]string{"data-system-name-range SystemNameLength: SystemNameLength is 16, must be at most 0, the number of bytes between the structure and HeaderLength", "data-trailing-bytes rest: the block is followed by 16 bytes, must be followed by none"}},
		{"the offset is inside the structure", nil, []fieldValue{{offset, 87}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 87, must be 88, so that the name is inside the header"}},
		{"the offset is 0", nil, []fieldValue{{offset, 0}, {length, 4}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 0, must be 88 to 100, so that the name is inside the header"}},
		{"the name ends with the header", nil, []fieldValue{{offset, 90}, {length, 14}}, nil},
		{"the name ends two bytes after the header", nil, []fieldValue{{offset, 92}, {length, 14}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 92, must be 88 to 90, so that the name is inside the header"}},
		{"the offset is four billion", nil, []fieldValue{{offset, fourBillion}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 4000000000, must be 88, so that the name is inside the header"}},

		{"the length is odd, so the terminator is not checked", nil, []fieldValue{{length, 13}},
			[]string{"data-system-name-even SystemNameLength: SystemNameLength is 13, must be " + two}},
		{"the offset is odd", nil, []fieldValue{{offset, 89}, {length, 14}},
			[]string{"data-system-name-even SystemNameOffset: SystemNameOffset is 89, must be " + two}},
		{"the length and the offset are odd", nil, []fieldValue{{offset, 89}, {length, 13}},
			[]string{"data-system-name-even SystemNameLength: SystemNameLength is 13, must be " + two, "data-system-name-even SystemNameOffset: SystemNameOffset is 89, must be " + two}},
		{"the length is odd, so surrogates are not checked", []uint16{0xD800}, []fieldValue{{length, 15}},
			[]string{"data-system-name-even SystemNameLength: SystemNameLength is 15, must be " + two}},
		{"the name has a surrogate pair", []uint16{'a', 0xD83D, 0xDE00, 'b'}, nil, nil},
		{"the name has a surrogate pair and no NUL", []uint16{0xD83D, 0xDE00}, []fieldValue{{length, 4}},
			[]string{"data-system-name-terminator SystemName: the last code unit of the name is U+DE00, must be a NUL, which SystemNameLength includes"}},
		{"the name has two surrogate pairs", []uint16{0xD800, 0xDC00, 0xDBFF, 0xDFFF}, nil, nil},
		{"the name has the characters before and after the surrogates", []uint16{0xD7FF, 0xE000}, nil, nil},
		{"the name has an unpaired first half of a surrogate pair", []uint16{'a', 0xD83D, 'b'}, nil,
			[]string{"data-system-name-even SystemName: U+D83D is an unpaired surrogate, must be part of a surrogate pair"}},
		{"the name has an unpaired second half after a surrogate pair", []uint16{0xD83D, 0xDE00, 0xDE00}, nil,
			[]string{"data-system-name-even SystemName: U+DE00 is an unpaired surrogate, must be part of a surrogate pair"}},
		{"the halves are in the wrong order, and the first is reported", []uint16{0xDE00, 0xD83D}, nil,
			[]string{"data-system-name-even SystemName: U+DE00 is an unpaired surrogate, must be part of a surrogate pair"}},
		{"the name has an unpaired first half before the NUL", []uint16{'a', 'b', 'c', 'd', 'e', 'f', 0xDBFF}, nil,
			[]string{"data-system-name-even SystemName: U+DBFF is an unpaired surrogate, must be part of a surrogate pair"}},
		{"the name has an unpaired first half at its end and no NUL", []uint16{'a', 0xD800}, []fieldValue{{length, 4}},
			[]string{"data-system-name-even SystemName: U+D800 is an unpaired surrogate, must be part of a surrogate pair",
				"data-system-name-terminator SystemName: the last code unit of the name is U+D800, must be a NUL, which SystemNameLength includes"}},
		{"the name has no NUL", nil, []fieldValue{{length, 14}},
			[]string{"data-system-name-terminator SystemName: the last code unit of the name is U+0031, must be a NUL, which SystemNameLength includes"}},
		{"the name ends in U+0100, whose low byte is 0", []uint16{'a', 0x0100}, []fieldValue{{length, 4}},
			[]string{"data-system-name-terminator SystemName: the last code unit of the name is U+0100, must be a NUL, which SystemNameLength includes"}},
		{"the name is empty and has a NUL", []uint16{0}, []fieldValue{{length, 2}},
			[]string{"data-system-name-terminator SystemName: the name has only a NUL, must have a character before the NUL, or SystemNameLength must be 0"}},
		{"the length counts padding", []uint16{'a', 'b', 0, 0}, []fieldValue{{length, 8}},
			[]string{"data-system-name-terminator SystemName: the name has a NUL 2 bytes before its last code unit, must have a NUL only at its end"}},
		{"the name has two NULs inside, and the first is reported", []uint16{'a', 0, 'b', 0, 0}, []fieldValue{{length, 10}},
			[]string{"data-system-name-terminator SystemName: the name has a NUL 6 bytes before its last code unit, must have a NUL only at its end"}},
		{"the name has only NULs", []uint16{0, 0}, []fieldValue{{length, 4}},
			[]string{"data-system-name-terminator SystemName: the name has a NUL 2 bytes before its last code unit, must have a NUL only at its end"}},
		{"the name has a NUL inside and none at its end", []uint16{'a', 0, 'b'}, []fieldValue{{length, 6}},
			[]string{"data-system-name-terminator SystemName: the last code unit of the name is U+0062, must be a NUL, which SystemNameLength includes"}},
		{"HeaderLength is too small, so the name is not checked", nil, []fieldValue{{"HeaderLength", 80}, {length, fourBillion}},
			[]string{"data-header-length HeaderLength: HeaderLength is 80, must be a multiple of 8 from 88 to 104, an offset inside the block"}},
		{"HeaderLength is too large, so the name is not checked", nil, []fieldValue{{"HeaderLength", fourBillion}, {length, 15}},
			[]string{"data-header-length HeaderLength: HeaderLength is 4000000000, must be a multiple of 8 from 88 to 104, an offset inside the block"}},
	} {
		b := blockOfObjects(headerEnd)
		for i, u := range tt.units {
			binary.LittleEndian.PutUint16(b[88+2*i:], u)
		}
		expectFindings(t, tt.reason, layout.DataBlockKind, withFields(b, tt.changes...), tt.want...)
	}
}

// TestSystemNameOffsets checks the offset and the length of the findings in the name.
func TestSystemNameOffsets(t *testing.T) {
	t.Parallel()
	b := blockOfObjects(headerEnd)
	binary.LittleEndian.PutUint16(b[92:], 0xD800)
	setHeader(b, "SystemNameLength", 14)
	found := validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Findings
	if len(found) != 2 || found[0].Off != 92 || found[0].Len != 2 || found[1].Off != 100 || found[1].Len != 2 {
		t.Errorf("must have findings at 92 and 100, of 2 bytes each: %v", found)
	}
}
