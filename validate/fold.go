package validate

import (
	"slices"
	"unicode"
	"unicode/utf16"
)

// folds is room for two names without regard to case.
type folds struct{ a, b []byte }

const parentBytes = 8 // of the parent, before the name

// Where fields of a PERF_INSTANCE_DEFINITION are.
const (
	parentTitleAt    = 4
	parentInstanceAt = 8
	uniqueIDAt       = 12
	nameOffsetAt     = 16
	nameLengthAt     = 20
)

// nameAt returns the name, without its terminator, of the instance at an offset in the
// object, which has been validated.
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

// appendFold appends the parent and the name as .NET's ordinal comparison without
// regard to case has it. Names of a code page are not decoded: of them it is the
// letters of ASCII alone, where the code page has them.
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

// hasASCII reports whether a byte below 0x80 is the character of ASCII wherever it
// stands. Not so in the code pages of East Asia, where it may be the second half of
// a character, in those of EBCDIC, nor in UTF-7: there an a and an A may be two
// things that differ in more than case. Of a code page that is not here nothing is known.
func hasASCII(codePage uint32) bool {
	switch {
	case codePage >= 1250 && codePage <= 1258, // Windows
		codePage >= 28591 && codePage <= 28605, // ISO 8859
		codePage >= 860 && codePage <= 866:     // DOS, and so are those of three digits below
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

// upper leaves the two letters alone whose upper case would be ASCII, as .NET does.
func upper(r rune) rune {
	if r == 'ı' || r == 'ſ' {
		return r
	}
	return unicode.ToUpper(r)
}
