package layout_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/utf16le"
	"github.com/perfblock/perfblock/layout"
)

func TestNames(t *testing.T) {
	t.Parallel()
	const at = 1000 // offset of the name in the input
	for _, tt := range []struct {
		raw        string
		page       uint32
		terminated bool
		nul        int
		text       string
		kind       error
		off        int64
		len        int
		reason     string
	}{
		{"", 0, false, -1, "", nil, 0, 0, "no name"},
		{"", 1252, false, -1, "", nil, 0, 0, "no name in a code page"},
		{"\x00\x00", 0, true, 0, "", nil, 0, 0, "a name of no characters"},
		{"A\x00\x00\x00", 0, true, 2, "A", nil, 0, 0, "a letter"},
		{"A\x00\x00\x01B\x00\x00\x00", 0, true, 6, "AĀB", nil, 0, 0, "U+0100 holds no NUL"},
		{"\x00A\x00\x00", 0, true, 2, "\u4100", nil, 0, 0, "a unit whose low byte is zero"},
		{"A\x00\x00", 0, false, -1, "", layout.ErrUnterminated, at + 1, 2, "two zero bytes but an odd length"},
		{"A", 0, false, -1, "", layout.ErrUnterminated, at, 1, "less than a code unit: the error points at no byte after it"},
		{"A\x00B\x00", 0, false, -1, "", layout.ErrUnterminated, at + 2, 2, "no NUL"},
		{"A\x00\x00\x01", 0, false, -1, "", layout.ErrUnterminated, at + 2, 2, "ends in U+0100"},
		{"A\x00\x00\x00B\x00\x00\x00", 0, true, 2, "", layout.ErrNUL, at + 2, 2, "a NUL inside"},
		{"A\x00\x00\x00\x00\x00", 0, true, 2, "", layout.ErrNUL, at + 2, 2, "padding counted in the length"},
		{"A\x00\x00\xD8\x00\x00", 0, true, 4, "", layout.ErrText, at + 2, 2, "a high surrogate before the NUL"},
		{"\x00\xDC\x00\x00", 0, true, 2, "", layout.ErrText, at, 2, "a low surrogate alone"},
		{"\xFF\xFEA\x00\x00\x00", 0, true, 4, "\uFEFFA", nil, 0, 0, "a byte order mark is kept"},
		{"\xFE\xFF\x00A\x00\x00", 0, true, 4, "\uFFFE\u4100", nil, 0, 0, "FE FF does not swap the byte order"},
		{"=\xD8\x00\xDE\x00\x00", 0, true, 4, "😀", nil, 0, 0, "a pair of surrogates"},
		{"caf\xE9\x00", 1252, true, 4, "caf\xE9", nil, 0, 0, "a code page's bytes are as they are"},
		{"\x00", 1252, true, 0, "", nil, 0, 0, "no characters in a code page"},
		{"abc", 1252, false, -1, "", layout.ErrUnterminated, at + 2, 1, "no NUL in a code page: one byte"},
		{"a\x00b\x00", 1252, true, 1, "", layout.ErrNUL, at + 1, 1, "a NUL inside, one byte"},
		{"A\x00\x00", 932, true, 1, "", layout.ErrNUL, at + 1, 1, "two NULs in a code page"},
	} {
		n := layout.Name{Span: layout.NewSpan([]byte(tt.raw), at), CodePage: tt.page}
		if n.Terminated() != tt.terminated || n.IndexNUL() != tt.nul {
			t.Errorf("%q: terminated %t, NUL at %d; want %t, %d: %s", tt.raw, n.Terminated(), n.IndexNUL(), tt.terminated, tt.nul, tt.reason)
		}
		unit := 2
		if tt.page != 0 {
			unit = 1
		}
		if n.Unit() != unit {
			t.Errorf("%q: a unit of %d bytes", tt.raw, n.Unit())
		}
		text, err := n.Text()
		appended, appendErr := n.AppendText([]byte("keep"))
		if string(appended) != "keep"+text || fmt.Sprint(appendErr) != fmt.Sprint(err) {
			t.Errorf("AppendText returns %q, %v, and Text returns %q, %v: %s", appended, appendErr, text, err, tt.reason)
		}
		if text != tt.text || !errors.Is(err, tt.kind) {
			t.Errorf("%q: got %q, %v; want %q, %v: %s", tt.raw, text, err, tt.text, tt.kind, tt.reason)
		}
		if e, ok := errors.AsType[*layout.Error](err); ok != (tt.kind != nil) || ok && (e.Off != tt.off || e.Len != tt.len) {
			t.Errorf("%q: %#v, want %d bytes at %d: %s", tt.raw, err, tt.len, tt.off, tt.reason)
		}
	}
}

// TestNULInsideAName checks the error for a NUL inside a name. The error gives the number of bytes from the NUL,
// including the NUL, to the end of the name.
func TestNULInsideAName(t *testing.T) {
	t.Parallel()
	n := layout.Name{Span: layout.NewSpan([]byte("A\x00\x00\x00\x00\x00\x00\x00"), 0x20)}
	_, err := n.Text()
	if got, want := fmt.Sprint(err), "at 0x22: NUL inside the name, 6 bytes before its end"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// encode returns the text as UTF-16LE. It uses the standard library.
func encode(s string) []byte {
	b := []byte{}
	for _, u := range utf16.Encode([]rune(s)) {
		b = le.AppendUint16(b, u)
	}
	return b
}

// ranges has the ranges of characters for random text. The first and last character of a range are chosen more often
// than the others.
var ranges = [][2]rune{{0, 0x7F}, {0x80, 0x7FF}, {0x800, 0xD7FF}, {0xE000, 0xFFFF}, {0x10000, 0x10FFFF}, {0xFEFF, 0xFEFF}, {0xFFFC, 0xFFFF}}

func randomText(rnd *rand.Rand) string {
	var s strings.Builder
	for range rnd.IntN(12) {
		r := ranges[rnd.IntN(len(ranges))]
		switch rnd.IntN(4) {
		case 0:
			s.WriteRune(r[0])
		case 1:
			s.WriteRune(r[1])
		default:
			s.WriteRune(r[0] + rnd.Int32N(r[1]-r[0]+1))
		}
	}
	return s.String()
}

// TestAppendUTF16ReplacementAfterASCII checks that AppendUTF16 encodes U+FFFD like any other
// character, also after a run of ASCII characters.
func TestAppendUTF16ReplacementAfterASCII(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"abcdefgh\uFFFD", "abcdefghijklmnopqrst\uFFFDu", "\uFFFD"} {
		roomy, err := layout.AppendUTF16(make([]byte, 0, 100), text)
		tight, tightErr := layout.AppendUTF16(nil, text)
		if err != nil || tightErr != nil || !bytes.Equal(roomy, tight) || len(roomy) != 2*utf8.RuneCountInString(text) {
			t.Errorf("%q: % x, %v; without room % x, %v", text, roomy, err, tight, tightErr)
		}
	}
}

func TestUTF16AgainstTheStandardLibrary(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 5_000 {
		checkUTF16(t, randomText(rnd))
	}
}

func TestUTF16IsLossless(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text   string
		want   []byte
		reason string
	}{
		{"", []byte{}, "nothing"},
		{"A", []byte{0x41, 0}, "ASCII"},
		{"\u007F\u0080", []byte{0x7F, 0, 0x80, 0}, "the last character of 7 bits and the first of 8"},
		{"\uFEFFA", []byte{0xFF, 0xFE, 0x41, 0}, "a leading U+FEFF is a character"},
		{"\uFFFEA", []byte{0xFE, 0xFF, 0x41, 0}, "FE FF does not swap the order of what follows"},
		{"A\uFEFF", []byte{0x41, 0, 0xFF, 0xFE}, "U+FEFF is a character at the end too"},
		{"\uFEFF", []byte{0xFF, 0xFE}, "U+FEFF is a character alone too"},
		{"\uFFFD", []byte{0xFD, 0xFF}, "U+FFFD is a valid character"},
		{"\uFFFF", []byte{0xFF, 0xFF}, "a noncharacter is a character"},
		{"a\x00b\x00", []byte{0x61, 0, 0, 0, 0x62, 0, 0, 0}, "NUL is kept"},
		{"AĀB", []byte{0x41, 0, 0x00, 0x01, 0x42, 0}, "two zero bytes that are no NUL"},
		{"\uD7FF\uE000", []byte{0xFF, 0xD7, 0x00, 0xE0}, "the characters before and after the surrogates"},
		{"\U00010000", []byte{0x00, 0xD8, 0x00, 0xDC}, "the first character that takes a surrogate pair"},
		{"\U0010FFFF", []byte{0xFF, 0xDB, 0xFF, 0xDF}, "the last character that takes a surrogate pair"},
	} {
		checkUTF16(t, tt.text)
		if got, err := layout.AppendUTF16([]byte{}, tt.text); err != nil || !bytes.Equal(got, tt.want) {
			t.Errorf("%q: % x, %v; want % x: %s", tt.text, got, err, tt.want, tt.reason)
		}
	}
}

func checkUTF16(t *testing.T, s string) {
	t.Helper()
	want := encode(s)
	got, err := layout.AppendUTF16([]byte("prefix"), s)
	if diff := cmp.Diff(append([]byte("prefix"), want...), got); diff != "" || err != nil {
		t.Fatalf("%q: %v (-want +got):\n%s", s, err, diff)
	}
	if n, at := utf16le.Len(s), utf16le.Invalid(s); n != len(want) || at != -1 {
		t.Fatalf("%q: length %d, want %d; invalid at %d", s, n, len(want), at)
	}
	if back, err := layout.DecodeUTF16(want); err != nil || back != s {
		t.Fatalf("% x: %q, %v; want %q", want, back, err, s)
	}
}

func TestDecodeUTF16Faults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		units  []uint16
		extra  []byte
		off    int64
		len    int
		reason string
	}{
		{[]uint16{0xD800}, nil, 0, 2, "a high surrogate alone"},
		{[]uint16{0xDC00}, nil, 0, 2, "a low surrogate alone"},
		{[]uint16{'a', 'b', 0xDBFF}, nil, 4, 2, "a high surrogate at the end"},
		{[]uint16{'a', 0xDFFF, 'b'}, nil, 2, 2, "a low surrogate inside"},
		{[]uint16{'a', 0xD800, 'b'}, nil, 2, 2, "a high surrogate before a letter"},
		{[]uint16{0xDC00, 0xD800}, nil, 0, 2, "a reversed pair"},
		{[]uint16{0xD800, 0xD800, 0xDC00}, nil, 0, 2, "a high surrogate before a pair"},
		{[]uint16{0xD800, 0xDC00, 0xDC00}, nil, 4, 2, "a low surrogate after a pair"},
		{[]uint16{0xD83D, 0xDE00, 0xFEFF, 0xD800}, nil, 6, 2, "an unpaired surrogate after a pair and U+FEFF"},
		{[]uint16{0xD800, 0xE000}, nil, 0, 2, "0xE000 is no surrogate"},
		{nil, []byte{0x41}, 0, 1, "one byte"},
		{[]uint16{'a', 'b'}, []byte{0}, 4, 1, "an odd length: the last byte"},
		{[]uint16{0xD800}, []byte{0}, 2, 1, "an odd length is reported before other faults"},
	} {
		var b []byte
		for _, u := range tt.units {
			b = le.AppendUint16(b, u)
		}
		b = append(b, tt.extra...)
		s, err := layout.DecodeUTF16(b)
		textFault(t, err, tt.off, tt.len, tt.reason)
		if s != "" {
			t.Errorf("% x: got %q with the error: %s", b, s, tt.reason)
		}
	}
}

func textFault(t *testing.T, err error, off int64, n int, reason string) {
	t.Helper()
	e, ok := errors.AsType[*layout.Error](err)
	if !ok || !errors.Is(err, layout.ErrText) || e.Off != off || e.Len != n {
		t.Errorf("%#v (%v), want ErrText for %d bytes at %d: %s", err, err, n, off, reason)
	}
}

func TestEncodeFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text   string
		off    int64
		reason string
	}{
		{"\x80", 0, "a continuation byte alone"},
		{"ab\xBF", 2, "a continuation byte after letters"},
		{"a\xC3", 1, "a character of two bytes is truncated"},
		{"a\xE2\x82", 1, "a character of three bytes is truncated"},
		{"a\xF0\x9F\x98", 1, "a character of four bytes is truncated"},
		{"é\xC3(", 2, "a letter where a continuation byte should be"},
		{"\xC0\x80", 0, "NUL is encoded with two bytes"},
		{"\xC1\xBF", 0, "U+007F is encoded with two bytes"},
		{"\xE0\x9F\xBF", 0, "U+07FF is encoded with three bytes"},
		{"\xF0\x8F\xBF\xBF", 0, "U+FFFF is encoded with four bytes"},
		{"x\xED\xA0\x80", 1, "a high surrogate is encoded as UTF-8"},
		{"x\xED\xBF\xBF", 1, "a low surrogate is encoded as UTF-8"},
		{"\xED\xA0\xBD\xED\xB8\x80", 0, "a surrogate pair is encoded as UTF-8"},
		{"\xF4\x90\x80\x80", 0, "the character is above U+10FFFF"},
		{"\xF5\x80\x80\x80", 0, "0xF5 starts no character"},
		{"\xFE\xFF", 0, "a byte order mark of UTF-16"},
		{"\uFFFD\uFFFD\xFF", 6, "the byte after U+FFFD is the fault"},
		{"\U0001F600\x00\xFF", 5, "the fault is after a pair and a NUL"},
	} {
		if at := utf16le.Invalid(tt.text); at != int(tt.off) {
			t.Errorf("%q: Invalid returns %d, want %d: %s", tt.text, at, tt.off, tt.reason)
		}
		backing := append(make([]byte, 0, 64), "keep"...)
		got, err := layout.AppendUTF16(backing, tt.text)
		textFault(t, err, tt.off, 1, tt.reason)
		if string(got) != "keep" || string(backing) != "keep" {
			t.Errorf("%q: dst is %q, was %q: %s", tt.text, got, backing, tt.reason)
		}
		if got, _ := layout.AppendUTF16([]byte("keep"), strings.Repeat("long", 50)+tt.text); string(got) != "keep" {
			t.Errorf("%q: a dst that had to grow is %q: %s", tt.text, got, tt.reason)
		}
	}
}

func TestAppendUTF16OfASCIIDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := layout.AppendUTF16(dst, "_Total, all of it"); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// codePageText lists the expected known code pages, grouped by use.
const codePageText = `
UTF-16 (0) and the computer's default pages: 0-3 42
MS-DOS and its successors: 437 708-710 720 737 775 850 852 855 857-858 860-866 869 874
Windows, one byte: 1250-1258
Windows, east Asia: 932 936 949-950 1361
EBCDIC of IBM: 37 500 870 875 1026 1047 1140-1149
EBCDIC of IBM, countries: 20273 20277-20278 20280 20284-20285 20290 20297 20420 20423-20424 20833 20838 20871 20880 20905 20924 21025 21027
Macintosh: 10000-10008 10010 10017 10021 10029 10079 10081-10082
Taiwan: 20000-20005
IA5, ASCII and teletext: 20105-20108 20127 20261 20269
KOI8: 20866 21866
Japan, China and Korea: 20932 20936 20949
ISO 8859: 28591-28599 28603 28605 38598
Europa: 29001
ISO 2022: 50220-50222 50225 50227 50229
EBCDIC, mixed: 50930-50931 50933 50935-50937 50939
EUC and similar: 51932 51936 51949-51950 52936 54936
India: 57002-57011
UTF-7 and UTF-8: 65000-65001
`

func TestKnownCodePage(t *testing.T) {
	t.Parallel()
	known := map[uint32]bool{}
	for line := range strings.Lines(strings.TrimSpace(codePageText)) {
		what, list, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatal(line)
		}
		for word := range strings.FieldsSeq(list) {
			first, last, isRange := strings.Cut(word, "-")
			if !isRange {
				last = first
			}
			var from, to uint32
			if _, err := fmt.Sscan(first+" "+last, &from, &to); err != nil {
				t.Fatal(what, err)
			}
			for id := from; id <= to; id++ {
				known[id] = true
			}
		}
	}
	for id := range uint32(70_000) {
		if got := layout.KnownCodePage(id); got != known[id] {
			t.Errorf("code page %d is known: %v", id, got)
		}
	}
	for _, id := range []uint32{1 << 16, 1<<16 + 1252, math.MaxInt32, math.MaxUint32} {
		if layout.KnownCodePage(id) {
			t.Errorf("code page %d is known", id)
		}
	}
}
