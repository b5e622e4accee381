package layout_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

func TestNames(t *testing.T) {
	t.Parallel()
	const at = 1000 // where the name lies in the input
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
		if text != tt.text || !errors.Is(err, tt.kind) {
			t.Errorf("%q: got %q, %v; want %q, %v: %s", tt.raw, text, err, tt.text, tt.kind, tt.reason)
		}
		if e, ok := errors.AsType[*layout.Error](err); ok != (tt.kind != nil) || ok && (e.Off != tt.off || e.Len != tt.len) {
			t.Errorf("%q: %#v, want %d bytes at %d: %s", tt.raw, err, tt.len, tt.off, tt.reason)
		}
	}
}

// The error for a NUL inside a name has the distance from the NUL to the name's end in bytes, the NUL included.
func TestNULInsideAName(t *testing.T) {
	t.Parallel()
	n := layout.Name{Span: layout.NewSpan([]byte("A\x00\x00\x00\x00\x00\x00\x00"), 0x20)}
	_, err := n.Text()
	if got, want := fmt.Sprint(err), "at 0x22: NUL inside the name, 6 bytes before its end"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
