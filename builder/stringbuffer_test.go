package builder_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// TestStringsTooLarge checks that EncodedLen returns an error if the texts of a buffer have more
// than 4 GiB in total.
func TestStringsTooLarge(t *testing.T) {
	t.Parallel()
	if !long.Enabled() {
		t.Skip("it measures 2 GiB of text: set PERFBLOCK_LONG")
	}
	large, many := strings.Repeat("x", 1<<24), new(builder.StringBuffer{}) // shared by all values
	for i := range uint32(300) {
		many.Counter(i, large)
	}
	last := "entry[127]"
	if most < math.MaxUint32 {
		last = "entry[63]"
	}
	n, err := many.EncodedLen()
	if e, ok := errors.AsType[*layout.Error](err); n != 0 || !ok || e.Path.String() != last || !errors.Is(err, builder.ErrTooLarge) {
		t.Errorf("%d, %v; want it at %s", n, err, last)
	}
}

// TestStringBufferBytes checks that strings encode to the expected bytes, and that the bytes decode
// to the same strings.
func TestStringBufferBytes(t *testing.T) {
	t.Parallel()
	entries := []builder.StringCounter{{CounterId: 1, Text: "Ab"}, {CounterId: 2, Text: "Cde"}, {CounterId: 3, None: true}}
	const texts = `
41 00 62 00 00 00  43 00 64 00 65 00 00 00  00 00   A b NUL, C d e NUL, padding to 48
`
	checkEncoding(t, builder.StringBuffer{Entries: entries}, hexBytes(t, `
30 00 00 00  03 00 00 00                             dwSize 8 + 3 * 8 + 6 + 8 and padding = 48, 3 entries
01 00 00 00  20 00 00 00                             8 + 3 * 8 = 32
02 00 00 00  26 00 00 00                             32 + 6
03 00 00 00  ff ff ff ff                             none
`+texts), new(builder.StringBuffer))
	checkEncoding(t, builder.StringBuffer{Entries: entries, FromEntries: true}, hexBytes(t, `
30 00 00 00  03 00 00 00
01 00 00 00  00 00 00 00
02 00 00 00  06 00 00 00
03 00 00 00  ff ff ff ff
`+texts), new(builder.StringBuffer))
	checkEncoding(t, builder.StringBuffer{Entries: []builder.StringCounter{{CounterId: 7}, {CounterId: 8}}}, hexBytes(t, `
20 00 00 00  02 00 00 00                             dwSize 8 + 2 * 8 + 2 + 2 and padding = 32
07 00 00 00  18 00 00 00
08 00 00 00  1a 00 00 00
00 00  00 00  00 00 00 00                            two texts of no characters
`), new(builder.StringBuffer))
	checkEncoding(t, builder.StringBuffer{}, hexBytes(t, "08 00 00 00  00 00 00 00\n"), new(builder.StringBuffer))
}

// texts returns a model that encodes to 48 bytes. The texts are at the offsets 32 and 38, and the padding is at
// 46.
func texts() builder.StringBuffer {
	return *new(builder.StringBuffer{}).Counter(1, "Ab").Counter(2, "Cde").Define(builder.StringCounter{CounterId: 3, None: true})
}

func TestStringsLosses(t *testing.T) {
	t.Parallel()
	change := func(i int, text string) func(s *builder.StringBuffer) {
		return func(s *builder.StringBuffer) { s.Entries[i].Text = text }
	}
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		left   func(s *builder.StringBuffer)
	}{
		{"bytes after the strings", appendZeros, "rest", nil},
		{"padding", func(b []byte) []byte { b[47] = 1; return b }, "padding", nil},
		{"no padding", insert(46, -2, 0), "dwSize", nil},
		{"more padding", insert(48, 8, 0), "dwSize", nil},
		{"a length that is not a multiple of 8", insert(48, 2, 0), "dwSize", nil},
		{"a gap before the second text", insert(38, 2, 0, 20), "entry[1].dwOffset dwSize", nil},
		{"a gap before the first text", insert(32, 8, 0, 12, 20), "entry[0].dwOffset", nil},
		{"texts in another order", inOrder(putDWORD(12, 38), putDWORD(20, 32)), "entry[0].dwOffset entry[1].dwOffset", func(s *builder.StringBuffer) {
			s.Entries[0].Text, s.Entries[1].Text = "Cde", "Ab"
		}},
		{"two entries with the same offset", putDWORD(20, 32), "entry[1].dwOffset padding dwSize", change(1, "Ab")},
		{"the second text starts inside the first text", putDWORD(20, 34), "entry[1].dwOffset padding dwSize", change(1, "b")},
		{"the first entry points into the text of the second entry", putDWORD(12, 34), "entry[0].dwOffset", change(0, "b")},
		{"a text at an odd offset", putDWORD(20, 41), "entry[1].dwOffset", change(1, "\u6500")},
		{"an unpaired surrogate", putDWORD(32, 'b'<<16|0xd800), "entry[0].Text", change(0, "\uFFFDb")},
		{"offsets from the entries, with a gap before the first text", inOrder(putDWORD(12, 2), putDWORD(20, 6)), "entry[0].dwOffset", func(s *builder.StringBuffer) {
			s.FromEntries = true
			s.Entries[0].Text = "b"
		}},
	} {
		s := texts()
		b, err := s.MarshalBinary()
		if err != nil || len(b) != 48 {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		if test.left != nil {
			test.left(&s)
		}
		checkLosses(t, test.reason, test.damage(b), test.path, s, builder.StringBuffer{FromEntries: true})
	}
}

func TestStringsBroken(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		off    int64
		kind   error
	}{
		{"no header", func(b []byte) []byte { return b[:7] }, "", 0, layout.ErrShort},
		{"dwSize is larger than the input", putDWORD(0, 56), "dwSize", 0, layout.ErrBounds},
		{"dwSize is smaller than the header", putDWORD(0, 7), "dwSize", 0, layout.ErrBounds},
		{"more entries than fit", putDWORD(4, 6), "dwCounters", 4, layout.ErrBounds},
		{"a text after the end", putDWORD(20, 48), "entry[1].dwOffset", 20, layout.ErrBounds},
		{"a text in the entries, while the other offset counts from the start", putDWORD(12, 31), "entry[0].dwOffset", 12, layout.ErrBounds},
		{"a text without NUL", inOrder(putDWORD(40, 0x640064), putDWORD(44, 0x640064)), "entry[1].Text", 46, layout.ErrUnterminated},
		{"half a NUL at the end", putDWORD(20, 47), "entry[1].Text", 47, layout.ErrUnterminated},
	} {
		b, err := texts().MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		checkBroken(t, test.reason, layout.StringsKind, test.damage(b), test.path, test.off, test.kind)
	}
}

// TestStringsThatShare checks that entries can share the bytes of texts, up to a limit for the total length.
func TestStringsThatShare(t *testing.T) {
	shared := func(entries, letters, step int) []byte {
		first := 8 + 8*entries
		b := wire.StringBuffer{DwSize: uint32(first + 2*letters + 2), DwCounters: uint32(entries)}.Append(nil)
		for i := range entries {
			b = wire.StringCounter{DwCounterId: uint32(i), DwOffset: uint32(first + step*i)}.Append(b)
		}
		for range letters {
			b = append(b, 'x', 0)
		}
		return append(b, 0, 0)
	}
	for _, test := range []struct {
		reason                 string
		entries, letters, step int
		kind                   error
	}{
		{"many entries with one short text", 100, 300, 0, nil},
		{"many entries with one empty text", 50_000, 0, 0, nil},
		{"the largest total length of texts", 18, 1931, 0, nil}, // 18 * 3864 = 1<<16 + 4016
		{"texts that exceed the largest total length", 18, 1932, 0, builder.ErrTooLarge},
		{"many entries with one long text", 50_000, 50_000, 0, builder.ErrTooLarge},
		{"each text starts inside the text before it", 50_000, 50_000, 2, builder.ErrTooLarge},
	} {
		b := shared(test.entries, test.letters, test.step)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var s builder.StringBuffer
		_, err := s.UnmarshalLossy(b)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, test.kind) || test.kind == nil && len(s.Entries) != test.entries {
			t.Errorf("%s: %d entries, %v, want %v", test.reason, len(s.Entries), err, test.kind)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20+14*uint64(len(b)) {
			t.Errorf("%s: %d bytes allocated for %d", test.reason, used, len(b))
		}
	}
}
