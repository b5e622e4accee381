//go:build !race

package validate_test

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// identifierList returns n consecutive identifiers made by make.
func identifierList(n int, make func(i int) (wire.CounterIdentifier, string)) (b []byte) {
	for i := range n {
		id, name := make(i)
		b = appendIdentifier(b, id, name)
	}
	return b
}

// entriesOf returns a buffer of n entries, followed by the strings.
func entriesOf(n int, texts string, offset func(i int) uint32) []byte {
	size := 8 + 8*n + len(texts)
	b := wire.StringBufferHeader{DwSize: uint32(size), DwCounters: uint32(n)}.Append(make([]byte, 0, size))
	for i := range n {
		b = wire.StringCounterHeader{DwCounterId: uint32(i), DwOffset: offset(i)}.Append(b)
	}
	return append(b, texts...)
}

var hostileLists = []hostile{
	{"identifiers that ask for the same", 100_000, layout.IdentifiersKind, func(n int) []byte {
		return identifierList(n, func(int) (wire.CounterIdentifier, string) { return identifierOfName(text("*\x00")), text("*\x00") })
	}},
	{"identifiers of one long name", 2_000, layout.IdentifiersKind, func(n int) []byte {
		name := text(strings.Repeat("x", 2000) + "\x00")
		return identifierList(n, func(int) (wire.CounterIdentifier, string) { return identifierOfName(name), name })
	}},
	{"identifiers each with all that follow", 100_000, layout.IdentifiersKind, func(n int) []byte {
		return identifierList(n, func(i int) (wire.CounterIdentifier, string) {
			id := identifierOfName("")
			id.Size = uint32(40 * (n - i))
			return id, ""
		})
	}},
	{"identifiers each with all that follow but the last", 100_000, layout.IdentifiersKind, func(n int) []byte {
		b := identifierList(n, func(i int) (wire.CounterIdentifier, string) {
			id := identifierOfName("")
			id.Size = uint32(40 * (n - i))
			return id, ""
		})
		return poke(b, uint32(len(b)-20), 0)
	}},
	{"identifiers each with all that follow, with bytes between them that look like identifiers", 50_000, layout.IdentifiersKind, func(n int) []byte {
		return identifierList(n, func(i int) (wire.CounterIdentifier, string) {
			return wire.CounterIdentifier{
				CounterSetGuid: layout.GUID{Data1: 'A', Data2: 1, Data4: [8]byte{2, 0, 0, 0, 3}}, Size: uint32(40 * (n - i)), InstanceId: 40,
			}, ""
		})
	}},
	{"an identifier with room in which others seem to start at every multiple of 8", 500_000, layout.IdentifiersKind, func(n int) []byte {
		id := identifierOfName("")
		id.Size = uint32(40 + 8*n + 40)
		return append(appendIdentifier(nil, id, "x\x00\x00\x00"+strings.Repeat("\x28\x00\x00\x00\x00\x00\x00\x00", n-1)), make([]byte, 40)...)
	}},
	{"identifiers of a Size that is no multiple of 8", 100_000, layout.IdentifiersKind, func(n int) []byte {
		id := identifierOfName("")
		id.Size = 43
		return bytes.Repeat(append(id.Append(nil), 0xFF, 0xFF, 0xFF), n)
	}},
	{"zeros as identifiers", 10_000_000, layout.IdentifiersKind, func(n int) []byte { return make([]byte, n) }},
	{"0x28 as identifiers", 10_000_000, layout.IdentifiersKind, func(n int) []byte { return bytes.Repeat([]byte{40, 0, 0, 0}, n/4) }},
	{"one GUID", 1_000_000, layout.GUIDsKind, func(n int) []byte { return make([]byte, 16*n) }},
	{"different GUIDs", 500_000, layout.GUIDsKind, func(n int) (b []byte) {
		for i := range n {
			b = wire.GUID(layout.GUID{Data1: uint32(i)}).Append(b)
		}
		return b
	}},
	{"entries of one string", 500_000, layout.StringsKind, func(n int) []byte {
		return entriesOf(n, strings.Repeat("x\x00", 4*n)+"\x00\x00", func(int) uint32 { return uint32(8 + 8*n) })
	}},
	{"strings in strings", 500_000, layout.StringsKind, func(n int) []byte {
		return entriesOf(n, strings.Repeat("xx", 4*n)+"\x00\x00\x00", func(i int) uint32 { return uint32(8 + 8*n + 8*n - i) })
	}},
	{"strings in strings without an end", 500_000, layout.StringsKind, func(n int) []byte {
		return entriesOf(n, strings.Repeat("xx", 4*n), func(i int) uint32 { return uint32(8 + 8*n + i) })
	}},
	{"strings whose offsets are not valid", 500_000, layout.StringsKind, func(n int) []byte {
		return entriesOf(n, "", func(i int) uint32 { return uint32(i) })
	}},
	{"strings of one counter", 500_000, layout.StringsKind, func(n int) []byte {
		b := entriesOf(n, "", func(int) uint32 { return layout.NoString })
		for i := range n {
			binary.LittleEndian.PutUint32(b[8+8*i:], 1)
		}
		return b
	}},
	{"entries that dwCounters does not count", 500_000, layout.StringsKind, func(n int) []byte {
		return poke(entriesOf(n, "", func(int) uint32 { return layout.NoString }), 4, 0)
	}},
}
