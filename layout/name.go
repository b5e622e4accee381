package layout

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"github.com/perfblock/perfblock/internal/utf16le"
)

// A Name is a name or another text in a block: its bytes and its code page. A valid name includes its terminator.
type Name struct {
	Span
	CodePage uint32 // 0 is UTF-16LE
}

// Unit returns the size of a code unit in bytes: 2 in UTF-16, otherwise 1.
func (n Name) Unit() int {
	if n.CodePage == 0 {
		return 2
	}
	return 1
}

// Terminated reports whether the name consists of whole code units and the last of them is
// NUL.
func (n Name) Terminated() bool {
	unit := n.Unit()
	return n.Len() >= unit && n.Len()%unit == 0 && n.b[n.Len()-unit] == 0 && n.b[n.Len()-1] == 0
}

// IndexNUL returns the offset in bytes of the first NUL code unit, or -1 if the name has no NUL. U+0100 has a zero
// byte but is not NUL.
func (n Name) IndexNUL() int {
	if n.CodePage != 0 {
		return bytes.IndexByte(n.b, 0)
	}
	return indexNUL(n.b)
}

// indexNUL is [Name.IndexNUL] for a text b in UTF-16LE.
func indexNUL(b []byte) int {
	i := 0
	for ; i <= len(b)-8; i += 8 { // four code units at once
		const ones, highs = 0x0001_0001_0001_0001, 0x8000_8000_8000_8000
		w := le.Uint64(b[i : i+8 : i+8])
		if zero := (w - ones) &^ w & highs; zero != 0 { // its lowest set bit is in the first code unit that is 0
			return i + bits.TrailingZeros64(zero)/16*2
		}
	}
	for ; i+1 < len(b); i += 2 {
		if b[i]|b[i+1] == 0 {
			return i
		}
	}
	return -1
}

// Text returns the name without its terminator. UTF-16 is returned as UTF-8. A name in a code page is returned as
// its bytes, not decoded. A name of length 0 is the empty string. The error is an [*Error] that wraps
// [ErrUnterminated], [ErrNUL] or [ErrText], and has the offset in the input.
func (n Name) Text() (string, error) {
	text, err := n.text()
	if err != nil || n.CodePage != 0 {
		return string(text), err
	}
	s, err := DecodeUTF16(text)
	return s, n.inText(err)
}

// AppendText appends the text of the name, as [Name.Text] returns it, to dst. On an error AppendText returns dst
// unchanged.
func (n Name) AppendText(dst []byte) ([]byte, error) {
	text, err := n.text()
	if err != nil || n.CodePage != 0 {
		return append(dst, text...), err
	}
	out, valid := utf16le.AppendUTF8(dst, text)
	if !valid {
		_, err = checkUTF16(text)
		return dst, n.inText(err)
	}
	return out, nil
}

// text returns the bytes of the name without its terminator.
func (n Name) text() ([]byte, error) {
	if n.Len() == 0 {
		return nil, nil
	}
	if !n.Terminated() {
		return nil, n.fault(n.Len()-min(n.Unit(), n.Len()), Faultf(ErrUnterminated, "the %d bytes of the name do not end in NUL", n.Len()))
	}
	text := n.b[:n.Len()-n.Unit()]
	if i := n.IndexNUL(); i < len(text) {
		return nil, n.fault(i, Faultf(ErrNUL, "NUL inside the name, %d bytes before its end", n.Len()-i))
	}
	return text, nil
}

func (n Name) fault(at int, err error) *Error {
	return &Error{Off: n.off + int64(at), Len: min(n.Unit(), n.Len()-at), Err: err}
}

// inText converts the offset of an error from an offset in the name to an offset in the input.
func (n Name) inText(err error) error {
	if e, ok := err.(*Error); ok {
		e.Off += n.off
	}
	return err
}

// ReadRegText returns b as a text with its terminator, as
// PerfQueryCounterSetRegistrationInfo returns it for PERF_REG_COUNTERSET_NAME_STRING,
// PERF_REG_COUNTERSET_HELP_STRING, PERF_REG_PROVIDER_NAME and
// PERF_REG_COUNTERSET_ENGLISH_NAME.
func ReadRegText(b []byte) Name { return Name{Span: NewSpan(b[:len(b):len(b)], 0)} }

// codec decodes UTF-16LE. It replaces invalid text without an error, so [DecodeUTF16] checks the text first.
var codec = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM) // IgnoreBOM keeps a leading U+FEFF as a character

// AppendUTF16 appends s to dst as UTF-16LE, without a terminator or byte order mark. NUL and U+FEFF have no special
// meaning. If s is not valid UTF-8, AppendUTF16 returns dst unchanged and an [*Error] that wraps [ErrText]. The Off
// of the error is an offset in s.
func AppendUTF16(dst []byte, s string) ([]byte, error) {
	out, start := dst, 0
	if n := len(dst); cap(dst)-n >= 2*len(s) {
		start = utf16le.Widen(dst[n:cap(dst)], s)
		out = dst[:n+2*start]
	}
	for i, r := range s[start:] {
		switch {
		case r < utf8.RuneSelf:
			out = append(out, byte(r), 0)
		case r < 0x10000 && (r != utf8.RuneError || strings.HasPrefix(s[start+i:], "\uFFFD")):
			out = append(out, byte(r), byte(r>>8))
		case r >= 0x10000:
			high, low := utf16.EncodeRune(r)
			out = append(out, byte(high), byte(high>>8), byte(low), byte(low>>8))
		default:
			at := utf16le.Invalid(s)
			return dst, &Error{Off: int64(at), Len: 1, Err: Faultf(ErrText, "byte 0x%02x of the text is not UTF-8", s[at])}
		}
	}
	return out, nil
}

// DecodeUTF16 decodes all of b as UTF-16LE, including NUL characters and byte order marks. If b has an odd length
// or an unpaired surrogate, DecodeUTF16 returns an [*Error] that wraps [ErrText]. The Off of the error is an offset
// in b.
func DecodeUTF16(b []byte) (string, error) {
	ascii, err := checkUTF16(b)
	if err != nil {
		return "", err
	}
	if ascii {
		return decodeASCII(b), nil
	}
	s, err := codec.NewDecoder().Bytes(b)
	if err != nil {
		return "", Faultf(ErrText, "%v", err)
	}
	return string(s), nil
}

// checkUTF16 returns the error of [DecodeUTF16], and whether b has only ASCII characters.
func checkUTF16(b []byte) (ascii bool, err error) {
	if len(b)%2 != 0 {
		return false, &Error{Off: int64(len(b) - 1), Len: 1, Err: Faultf(ErrText, "UTF-16 has %d bytes, must be an even number", len(b))}
	}
	ascii = true
	for i := 0; i < len(b); i += 2 {
		u := le.Uint16(b[i:])
		ascii = ascii && u < utf8.RuneSelf
		if !utf16.IsSurrogate(rune(u)) {
			continue
		}
		if i+2 >= len(b) || utf16.DecodeRune(rune(u), rune(le.Uint16(b[i+2:]))) == utf8.RuneError {
			return false, &Error{Off: int64(i), Len: 2, Err: Faultf(ErrText, "unpaired surrogate 0x%04x", u)}
		}
		i += 2
	}
	return ascii, nil
}

// decodeASCII decodes UTF-16LE that has only ASCII characters.
func decodeASCII(b []byte) string {
	var s strings.Builder
	s.Grow(len(b) / 2)
	for i := 0; i < len(b); i += 2 {
		s.WriteByte(b[i])
	}
	return s.String()
}

// KnownCodePage reports whether id is a valid CodePage of names. The valid ids are 0, for names in
// UTF-16, and the code pages that Microsoft documents and MultiByteToWideChar converts.
//
// The code pages of UTF-16 and UTF-32 (1200, 1201, 12000 and 12001) are not valid, because only managed programs can
// use them.
func KnownCodePage(id uint32) bool {
	_, known := slices.BinarySearch(codePages, id)
	return known
}

// codePages lists the known code pages in ascending order, without UTF-16 and UTF-32. Sources:
// https://learn.microsoft.com/windows/win32/api/stringapiset/nf-stringapiset-multibytetowidechar
// https://learn.microsoft.com/windows/win32/intl/code-page-identifiers
var codePages = []uint32{
	0, 1, 2, 3, 37, 42, // 1 is CP_OEMCP, 2 CP_MACCP, 3 CP_THREAD_ACP, 42 CP_SYMBOL
	437, 500, 708, 709, 710, 720, 737, 775,
	850, 852, 855, 857, 858, 860, 861, 862, 863, 864, 865, 866, 869, 870, 874, 875,
	932, 936, 949, 950,
	1026, 1047, 1140, 1141, 1142, 1143, 1144, 1145, 1146, 1147, 1148, 1149,
	1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258, 1361,
	10000, 10001, 10002, 10003, 10004, 10005, 10006, 10007, 10008,
	10010, 10017, 10021, 10029, 10079, 10081, 10082,
	20000, 20001, 20002, 20003, 20004, 20005,
	20105, 20106, 20107, 20108, 20127, 20261, 20269, 20273, 20277, 20278, 20280, 20284, 20285, 20290, 20297,
	20420, 20423, 20424, 20833, 20838, 20866, 20871, 20880, 20905, 20924, 20932, 20936, 20949,
	21025, 21027, 21866,
	28591, 28592, 28593, 28594, 28595, 28596, 28597, 28598, 28599, 28603, 28605,
	29001, 38598,
	50220, 50221, 50222, 50225, 50227, 50229, 50930, 50931, 50933, 50935, 50936, 50937, 50939,
	51932, 51936, 51949, 51950, 52936, 54936,
	57002, 57003, 57004, 57005, 57006, 57007, 57008, 57009, 57010, 57011,
	65000, 65001,
}
