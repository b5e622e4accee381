package layout_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

// encode returns the text as UTF-16LE, made with the standard library.
func encode(s string) []byte {
	b := []byte{}
	for _, u := range utf16.Encode([]rune(s)) {
		b = le.AppendUint16(b, u)
	}
	return b
}

// Ranges for the characters of random text. Their first and last characters are more frequent.
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

// AppendUTF16 encodes U+FFFD as any other character, also after ASCII that it widens in words.
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
		{"\u007F\u0080", []byte{0x7F, 0, 0x80, 0}, "the edge of ASCII"},
		{"\uFEFFA", []byte{0xFF, 0xFE, 0x41, 0}, "a leading U+FEFF is a character"},
		{"\uFFFEA", []byte{0xFE, 0xFF, 0x41, 0}, "FE FF does not swap the order of what follows"},
		{"A\uFEFF", []byte{0x41, 0, 0xFF, 0xFE}, "nor later on"},
		{"\uFEFF", []byte{0xFF, 0xFE}, "nor alone"},
		{"\uFFFD", []byte{0xFD, 0xFF}, "U+FFFD is a valid character"},
		{"\uFFFF", []byte{0xFF, 0xFF}, "a noncharacter is a character"},
		{"a\x00b\x00", []byte{0x61, 0, 0, 0, 0x62, 0, 0, 0}, "NUL is kept"},
		{"AĀB", []byte{0x41, 0, 0x00, 0x01, 0x42, 0}, "two zero bytes that are no NUL"},
		{"\uD7FF\uE000", []byte{0xFF, 0xD7, 0x00, 0xE0}, "either side of the surrogates"},
		{"\U00010000", []byte{0x00, 0xD8, 0x00, 0xDC}, "the first pair"},
		{"\U0010FFFF", []byte{0xFF, 0xDB, 0xFF, 0xDF}, "the last pair"},
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
	if err := layout.CheckUTF8(s); err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	got, err := layout.AppendUTF16([]byte("prefix"), s)
	if diff := cmp.Diff(append([]byte("prefix"), want...), got); diff != "" || err != nil {
		t.Fatalf("%q: %v (-want +got):\n%s", s, err, diff)
	}
	if n := layout.UTF16Len(s); n != len(want) {
		t.Fatalf("%q: length %d, want %d", s, n, len(want))
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
		{[]uint16{0xD83D, 0xDE00, 0xFEFF, 0xD800}, nil, 6, 2, "after a pair and U+FEFF"},
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
		{"a\xC3", 1, "two bytes, cut short"},
		{"a\xE2\x82", 1, "three bytes, cut short"},
		{"a\xF0\x9F\x98", 1, "four bytes, cut short"},
		{"é\xC3(", 2, "a letter where a continuation byte should be"},
		{"\xC0\x80", 0, "NUL, overlong"},
		{"\xC1\xBF", 0, "two bytes for U+007F"},
		{"\xE0\x9F\xBF", 0, "three bytes for U+07FF"},
		{"\xF0\x8F\xBF\xBF", 0, "four bytes for U+FFFF"},
		{"x\xED\xA0\x80", 1, "a high surrogate"},
		{"x\xED\xBF\xBF", 1, "a low surrogate"},
		{"\xED\xA0\xBD\xED\xB8\x80", 0, "a pair of surrogates, three bytes each"},
		{"\xF4\x90\x80\x80", 0, "beyond U+10FFFF"},
		{"\xF5\x80\x80\x80", 0, "never a first byte"},
		{"\xFE\xFF", 0, "a byte order mark of UTF-16"},
		{"\uFFFD\uFFFD\xFF", 6, "the byte after U+FFFD is the fault"},
		{"\U0001F600\x00\xFF", 5, "after a pair and a NUL"},
	} {
		textFault(t, layout.CheckUTF8(tt.text), tt.off, 1, tt.reason)
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
