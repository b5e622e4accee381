package definition

import (
	"crypto/sha1"
	"encoding/binary"

	"github.com/perfblock/perfblock/layout"
)

// namespace is the namespace UUID from which GUIDs are derived. It was chosen at random and must never
// change.
var namespace = [16]byte{0x8d, 0x1f, 0x2b, 0x6a, 0x3c, 0x47, 0x4e, 0x59, 0x9b, 0x0e, 0x52, 0xd7, 0x61, 0xc8, 0xa4, 0xf3}

// derivedGUID returns the UUID of version 5 for a name in namespace: https://www.rfc-editor.org/rfc/rfc9562.
func derivedGUID(name string) layout.GUID {
	h := sha1.New()
	h.Write(namespace[:])
	h.Write([]byte(name))
	b := h.Sum(nil)[:16]
	b[6] = b[6]&0x0f | 5<<4
	b[8] = b[8]&0x3f | 0x80
	return layout.GUID{
		Data1: binary.BigEndian.Uint32(b), Data2: binary.BigEndian.Uint16(b[4:]), Data3: binary.BigEndian.Uint16(b[6:]),
		Data4: [8]byte(b[8:]),
	}
}
