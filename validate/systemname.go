package validate

import (
	"fmt"
	"unicode"
	"unicode/utf16"

	"github.com/perfblock/perfblock/layout"
)

var systemNameRules = []*Rule{
	{
		ID: "PERF1113", Name: "data-system-name-range", Severity: Error, Since: "v0.1.0",
		Doc:     "the system name, if present, is between the 88 bytes of the structure and HeaderLength",
		Why:     "A reader that trusts SystemNameOffset and SystemNameLength takes other bytes for the computer name: bytes of the structure, of an object, or from outside the buffer.",
		Fix:     "Store the name at 88, include it in HeaderLength, and give its length in bytes. Without a name write 0 into both fields.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "SystemNameOffset"), of(&layout.PERF_DATA_BLOCK, "SystemNameLength"), netdata},
		Misread: []string{"netdata refuses a block whose name ends after TotalByteLength", "nmap's msrpcperformance reads the name at 88 only"},
		check:   onDataBlock.check(dataSystemNameRange),
	},
	{
		ID: "PERF1114", Name: "data-system-name-even", Severity: Warning, Since: "v0.1.0",
		Doc:     "the system name is valid UTF-16: its length and offset are even, and every surrogate is part of a pair",
		Why:     "A character takes one or two UTF-16 code units. A half code unit or half pair is lost, shown as another character, or makes a decoder refuse the name.",
		Fix:     "Write the name as UTF-16 at an even offset, and count bytes, not characters.",
		Sources: []Source{of(&layout.PERF_DATA_BLOCK, "SystemNameOffset"), of(&layout.PERF_DATA_BLOCK, "SystemNameLength")},
		check:   onDataBlock.check(dataSystemNameEven),
	},
	{
		ID: "PERF1115", Name: "data-system-name-terminator", Severity: Info, Since: "v0.1.0",
		Doc:     "the system name is not empty and ends in exactly one NUL, which SystemNameLength includes",
		Why:     "Wine includes the NUL. A reader that treats the name as a C string needs it, and a reader that removes the last code unit loses a letter if it is missing. More than one NUL means that padding was counted or that SystemNameOffset points into the name. A name that is only a NUL names no computer.",
		Fix:     "End the name with one NUL and include its two bytes in SystemNameLength. Without a name write 0 into both fields.",
		Sources: []Source{wine},
		check:   onDataBlock.check(dataSystemNameTerminator),
	},
}

// systemName returns the bytes of the system name. There are none where the name is
// not inside the header, or the input ends before it does.
func (h *dataBlock) systemName(p *pass) []byte {
	at, n := int64(h.SystemNameOffset()), int64(h.SystemNameLength())
	if !h.nameHolds() || at+n > int64(len(p.b)) {
		return nil
	}
	return p.b[at : at+n]
}

// nameHolds reports whether there is a system name, and inside the header.
func (h *dataBlock) nameHolds() bool {
	at, n := int64(h.SystemNameOffset()), int64(h.SystemNameLength())
	return n > 0 && h.headerHolds() && at >= int64(layout.PERF_DATA_BLOCK.Size) && at+n <= h.first
}

// dataSystemNameRange blames the length if there is no place in the header at which
// the name would fit, and else the place.
func dataSystemNameRange(p *pass, h *dataBlock) {
	at, n := int64(h.SystemNameOffset()), int64(h.SystemNameLength())
	size := int64(layout.PERF_DATA_BLOCK.Size)
	switch room := h.first - size; {
	case n == 0 || !h.headerHolds() || h.nameHolds():
	case n > room:
		p.field(h, "SystemNameLength", n, "must be at most %d, for which the header has room", room)
	default:
		p.field(h, "SystemNameOffset", at, "must be %s, so that the name is inside the header", between(int64(size), h.first-n))
	}
}

func dataSystemNameEven(p *pass, h *dataBlock) {
	if !h.nameHolds() {
		return
	}
	at, n := h.SystemNameOffset(), h.SystemNameLength()
	if n%2 != 0 {
		p.field(h, "SystemNameLength", n, "must be a multiple of 2, the bytes of a character")
	}
	if at%2 != 0 {
		p.field(h, "SystemNameOffset", at, "must be a multiple of 2, the bytes of a character")
	}
	if at%2 != 0 || n%2 != 0 {
		return // then it is not clear what the characters are
	}
	name := h.systemName(p)
	if i := unpaired(name); i >= 0 {
		p.bytes(h, "SystemName", int64(at)+int64(i), 2, fmt.Sprintf("U+%04X is half of a surrogate pair", le.Uint16(name[i:])), "must be the pair, or neither half")
	}
}

// unpaired returns the offset of the first half of a surrogate pair that has no
// other half, -1 if there is none. b is of whole code units.
func unpaired(b []byte) int {
	for i := 0; i+1 < len(b); i += 2 {
		u := rune(le.Uint16(b[i:]))
		if !utf16.IsSurrogate(u) {
			continue
		}
		if len(b)-i < 4 || utf16.DecodeRune(u, rune(le.Uint16(b[i+2:]))) == unicode.ReplacementChar {
			return i
		}
		i += 2
	}
	return -1
}

func dataSystemNameTerminator(p *pass, h *dataBlock) {
	name := h.systemName(p)
	if len(name) == 0 || len(name)%2 != 0 {
		return
	}
	at := len(name) - 2
	if last := le.Uint16(name[at:]); last != 0 {
		p.bytes(h, "SystemName", int64(h.SystemNameOffset())+int64(at), 2, fmt.Sprintf("U+%04X ends the name", last), "must be a NUL, which SystemNameLength counts")
		return
	}
	if at == 0 {
		p.bytes(h, "SystemName", int64(h.SystemNameOffset()), 2, "a NUL alone", "must be a character before it, or a SystemNameLength of 0")
	}
	for i := 0; i < at; i += 2 {
		if le.Uint16(name[i:]) == 0 {
			p.bytes(h, "SystemName", int64(h.SystemNameOffset())+int64(i), len(name)-i, fmt.Sprintf("the name has a NUL %d bytes before the one that ends it", at-i), "must have no other NUL")
			return
		}
	}
}
