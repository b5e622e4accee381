package validate

import (
	"slices"
	"unicode"
	"unicode/utf16"
)

// folds has buffers for two case-folded names.
type folds struct{ a, b []byte }

const parentBytes = 8 // size of the parent in a folded name

// Offsets of fields in a PERF_INSTANCE_DEFINITION.
const (
	parentTitleAt    = 4
	parentInstanceAt = 8
	uniqueIDAt       = 12
	nameOffsetAt     = 16
	nameLengthAt     = 20
)

// nameAt returns the name, without its terminator, of the instance at an offset in the
// object. The instance must have passed its guards.
func (o *object) nameAt(off uint32) []byte {
	b := o.Bytes()[off:]
	from, n, unit := le.Uint32(b[nameOffsetAt:]), le.Uint32(b[nameLengthAt:]), uint32(2)
	if o.CodePage() != 0 {
		unit = 1
	}
	if text := b[from : from+n : from+n]; n < unit || text[n-unit]|text[n-1] != 0 {
		return text
	}
	return b[from : from+n-unit]
}

// parentAt returns the parent of the instance at an offset in the object.
func (o *object) parentAt(off uint32) [2]uint32 {
	b := o.Bytes()[off:]
	if title := le.Uint32(b[parentTitleAt:]); title != 0 {
		return [2]uint32{title, le.Uint32(b[parentInstanceAt:])}
	}
	return [2]uint32{}
}

// appendFold appends the parent and the name in upper case, with the mapping of .NET's
// ordinal comparison that ignores case. In names of a code page it maps only ASCII
// letters, and only if hasASCII reports true for the code page.
func appendFold(dst, text []byte, codePage uint32, parent [2]uint32) []byte {
	dst = slices.Grow(dst, parentBytes+len(text))
	dst = le.AppendUint32(le.AppendUint32(dst, parent[0]), parent[1])
	switch {
	case codePage != 0 && !hasASCII(codePage):
		return append(dst, text...)
	case codePage != 0:
		for _, c := range text {
			dst = append(dst, upperASCII(c))
		}
		return dst
	}
	for i := 0; i+1 < len(text); i += 2 {
		u := le.Uint16(text[i:])
		if u < 0x80 {
			dst = append(dst, upperASCII(byte(u)), 0)
			continue
		}
		r := rune(u)
		if utf16.IsSurrogate(r) && i+3 < len(text) {
			if whole := utf16.DecodeRune(r, rune(le.Uint16(text[i+2:]))); whole != unicode.ReplacementChar {
				hi, lo := utf16.EncodeRune(unicode.ToUpper(whole))
				dst = le.AppendUint16(le.AppendUint16(dst, uint16(hi)), uint16(lo))
				i += 2
				continue
			}
		}
		dst = le.AppendUint16(dst, uint16(upper(r)))
	}
	return dst
}

// hasASCII reports whether each byte below 0x80 is that ASCII character. This is false for
// the code pages of East Asia, where such a byte can be the second half of a character,
// for EBCDIC and for UTF-7. It is also false for code pages that are not listed.
func hasASCII(codePage uint32) bool {
	switch {
	case codePage >= 1250 && codePage <= 1258, // Windows
		codePage >= 28591 && codePage <= 28605, // ISO 8859
		codePage >= 860 && codePage <= 866:     // DOS
		return true
	}
	switch codePage {
	case 437, 720, 737, 775, 850, 852, 855, 857, 858, 869, 874, 20127, 20866, 21866, 65001:
		return true
	}
	return false
}

func upperASCII(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// upper returns the upper case of r. Like .NET, it does not change the two letters outside
// ASCII whose upper case is in ASCII.
func upper(r rune) rune {
	if r == 'ı' || r == 'ſ' {
		return r
	}
	return unicode.ToUpper(r)
}
