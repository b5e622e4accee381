package layout

import (
	"encoding/binary"
	"encoding/hex"
	"iter"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
)

// String returns the GUID in the form that Windows uses: {b4fc721a-0378-476f-89ba-a5a79f810b36}.
func (g GUID) String() string { return string(g.Append(nil)) }

// Append appends the GUID's text to b. It allocates only if b is too small.
func (g GUID) Append(b []byte) []byte {
	digits := binary.BigEndian.AppendUint32(make([]byte, 0, SizeofGUID), g.Data1)
	digits = binary.BigEndian.AppendUint16(digits, g.Data2)
	digits = binary.BigEndian.AppendUint16(digits, g.Data3)
	digits = append(digits, g.Data4[:]...)
	b = append(b, '{')
	for i, part := range [...][]byte{digits[:4], digits[4:6], digits[6:8], digits[8:10], digits[10:]} {
		if i > 0 {
			b = append(b, '-')
		}
		b = hex.AppendEncode(b, part)
	}
	return append(b, '}')
}

// ParseGUID parses a GUID in the form of [GUID.String], with or without braces, in upper
// or lower case. The error wraps [ErrRange].
func ParseGUID(s string) (GUID, error) {
	text := s
	if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		text = text[1 : len(text)-1]
	}
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		var digits [SizeofGUID]byte
		if _, err := hex.Decode(digits[:], []byte(text[:8]+text[9:13]+text[14:18]+text[19:23]+text[24:])); err == nil {
			be := binary.BigEndian
			return GUID{be.Uint32(digits[:]), be.Uint16(digits[4:]), be.Uint16(digits[6:]), [8]byte(digits[8:])}, nil
		}
	}
	return GUID{}, Faultf(ErrRange, "%s is not a GUID such as {b4fc721a-0378-476f-89ba-a5a79f810b36}", quote.Short(s))
}

// ReadGUIDs yields the GUIDs in b. The GUIDs must fill b without gaps. A request for PERF_REG_PROVIDER_GUID returns one
// GUID. PerfEnumerateCounterSet returns any number of GUIDs. If the last GUID is incomplete, ReadGUIDs yields a GUID of
// zeros with an [*Error] that wraps [ErrShort].
func ReadGUIDs(b []byte) iter.Seq2[GUID, error] {
	return func(yield func(GUID, error) bool) {
		rest := NewSpan(b, 0)
		for i := 0; rest.Len() > 0; i++ {
			one, err := rest.recordAt(&GUIDRecord, func() Path { return Path{}.At(GUIDRecord.In, i) })
			if !yield(getGUID(one.b), err) || err != nil {
				return
			}
			rest = rest.skipBytes(uint64(one.Len()))
		}
	}
}

// guids walks n GUIDs at the start of s, or all GUIDs if n is toTheEnd.
func (w *walker) guids(s Span, n uint64) {
	rest, known := w.list(&GUIDRecord, s, Path{}, n, func(one, after Span, i int) (Span, bool) {
		w.part(listElement(&listedGUID, one, Path{}, i))
		return after, true
	})
	if known {
		w.yieldBytes(rest, UnreadPart, Path{}.Field("rest"), nil)
	}
}
