package validate_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// stringsOf returns a valid buffer with those strings, which include their NUL, under the ids 1,
// 2 and so on. "" is an entry without a string.
func stringsOf(texts ...string) []byte {
	const none = 0xFFFFFFFF
	at := uint32(8 + 8*len(texts))
	var entries, strings []byte
	for i, s := range texts {
		e := wire.StringCounterHeader{DwCounterId: uint32(i + 1), DwOffset: at + uint32(len(strings))}
		if s == "" {
			e.DwOffset = none
		}
		entries, strings = e.Append(entries), append(strings, s...)
	}
	strings = append(strings, make([]byte, -len(strings)&7)...)
	b := wire.StringBufferHeader{DwSize: at + uint32(len(strings)), DwCounters: uint32(len(texts))}.Append(nil)
	return append(append(b, entries...), strings...)
}

func TestStrings(t *testing.T) {
	t.Parallel()
	var said transcript
	ab, cde, empty := text("Ab\x00"), text("Cde\x00"), text("\x00")
	worked := func(numbers ...uint32) []byte { return poke(stringsOf(ab, cde, ""), numbers...) } // strings at 32 and 38, 48 bytes
	less := func(n int, b []byte) []byte { return b[:len(b)-n] }
	const none = 0xFFFFFFFF
	for _, test := range []struct {
		reason string
		b      []byte
		ids    []uint32 // registered ids
		want   string
	}{
		{reason: "as it should be", b: worked()},
		{reason: "no counters", b: stringsOf()},
		{reason: "no strings", b: stringsOf("", "")},
		{reason: "an empty string", b: stringsOf(empty, ab)},
		{reason: "trailing bytes", b: append(worked(), 1, 2), want: "v2-trailing-bytes rest 48+2"},

		{reason: "nothing", b: nil, want: "bounds  0+0"},
		{reason: "less than the header", b: make([]byte, 7), want: "bounds  0+7"},
		{reason: "no dwSize, but strings that say where it should lead", b: worked(0, 0), want: "bounds dwSize 0+4"},
		{reason: "no dwSize, and an offset out of range", b: worked(0, 0, 12, 4), want: "bounds dwSize 0+4"},
		{reason: "nothing but zeros", b: make([]byte, 16), want: "bounds dwSize 0+4"},
		{reason: "dwSize leads into the entries", b: worked(0, 31), want: "bounds dwSize 0+4"},
		{reason: "dwSize has the entries alone", b: worked(0, 32), want: "bounds dwSize 0+4"},
		{reason: "dwSize leaves the last string out", b: worked(0, 38), want: "bounds dwSize 0+4"},
		{reason: "dwSize leaves the last NUL out", b: worked(0, 44), want: "bounds dwSize 0+4"},
		{reason: "dwSize leaves half of it out", b: worked(0, 45), want: "bounds dwSize 0+4"},
		{reason: "dwSize leaves padding out", b: worked(0, 46), want: "align dwSize 0+4, v2-trailing-bytes rest 46+2"},
		{reason: "dwSize leads out", b: worked(0, 49), want: "bounds dwSize 0+4"},
		{reason: "dwSize leads far out", b: worked(0, none), want: "bounds dwSize 0+4"},
		{reason: "dwSize counts the trailing bytes too", b: append(worked(0, 56), 1, 0, 0, 0, 0, 0, 0, 0), want: "slack dwSize 0+4, v2-padding-nonzero padding 48+8"},
		{reason: "zeros that are more than padding", b: append(worked(0, 56), make([]byte, 8)...), want: "slack dwSize 0+4"},
		{reason: "zeros, and no padding is needed", b: append(poke(stringsOf(text("abc\x00")), 0, 32), make([]byte, 8)...), want: "slack dwSize 0+4"},
		{reason: "zeros after the header", b: append(poke(stringsOf(), 0, 16), make([]byte, 8)...), want: "slack dwSize 0+4"},
		{reason: "zeros after entries that have no strings", b: append(poke(stringsOf("", ""), 0, 32), make([]byte, 8)...), want: "slack dwSize 0+4"},
		{reason: "zeros, and offsets from the end of the entries", b: append(worked(0, 56, 12, 0, 20, 6), make([]byte, 8)...), want: "slack dwSize 0+4, offset-base entry[0].dwOffset 12+4"},
		{reason: "zeros, and a length that is no multiple of 8", b: append(worked(0, 60), make([]byte, 12)...), want: "align dwSize 0+4"},
		{reason: "zeros, and another offset may be what is wrong", b: append(worked(0, 56, 20, 33), make([]byte, 8)...), want: "offset-odd entry[1].dwOffset 20+4"},
		{reason: "zeros, and an entry too few", b: append(worked(0, 56, 4, 2), make([]byte, 8)...), want: "slack dwSize 0+4, gap dwCounters 4+4"},
		{reason: "cut off inside the strings", b: less(10, worked()), want: "bounds dwSize 0+4"},
		{reason: "cut off inside the entries", b: less(20, worked()), want: "bounds dwSize 0+4"},
		{reason: "no dwSize, and a string at an odd offset that ends before the last one", b: worked(0, 0, 12, 33), want: "bounds dwSize 0+4, offset-odd entry[0].dwOffset 12+4"},
		{reason: "no dwSize, and strings that lead out", b: worked(0, 0, 12, 999, 20, 999), want: "bounds dwSize 0+4"},
		{reason: "no dwSize, and no room for the entries", b: []byte{4: 2, 7: 0}, want: "bounds dwCounters 4+4"},
		{reason: "cut off inside the entries, which are all", b: less(8, stringsOf("", "")), want: "bounds dwSize 0+4"},
		{reason: "no dwSize, and no padding: the rest is checked", b: poke(stringsOf(text("abc\x00"), text("abc\x00")), 0, 0, 16, 1), want: "bounds dwSize 0+4, duplicate-id entry[1].dwCounterId 16+4"},
		{reason: "no dwSize and no strings", b: poke(stringsOf("", ""), 0, 0), want: "bounds dwSize 0+4"},

		{reason: "one entry too many", b: worked(4, 4), want: "bounds dwCounters 4+4"},
		{reason: "two entries too many", b: worked(4, 5), want: "bounds dwCounters 4+4"},
		{reason: "three too many, for which there is no room", b: worked(4, 6), want: "bounds dwCounters 4+4"},
		{reason: "one too many, which is the end of the buffer", b: poke(stringsOf(text("Ab0\x00"), cde, ""), 4, 4), want: "bounds dwCounters 4+4"},
		{reason: "far too many", b: worked(4, none), want: "bounds dwCounters 4+4"},
		{reason: "far too many, and no strings", b: poke(stringsOf("", ""), 4, none), want: "bounds dwCounters 4+4"},
		{reason: "far too many, and what is there is no entry", b: poke(stringsOf("", ""), 4, 9, 12, 0), want: "bounds dwCounters 4+4"},
		{reason: "neither is right, and the strings tell both", b: worked(0, 17, 4, 4), want: "bounds dwSize 0+4, bounds dwCounters 4+4"},

		{reason: "one entry too few, which has no string", b: worked(4, 2), want: "gap dwCounters 4+4"},
		{reason: "two entries too few", b: worked(4, 1), want: "gap dwCounters 4+4"},
		{reason: "all entries too few", b: worked(4, 0), want: "gap dwCounters 4+4"},
		{reason: "all too few, and no strings", b: poke(stringsOf("", "", ""), 4, 0), want: "gap dwCounters 4+4"},
		{reason: "two too few, and the first string is that of the last", b: poke(stringsOf(ab, cde, ab), 4, 1, 12, 46, 28, 32), want: "gap dwCounters 4+4"},
		{reason: "a letter before the first string, too little for an entry", b: worked(12, 34), want: "v2-padding-nonzero entry[0].gap 32+2"},
		{reason: "zeros before the first string", b: poke(stringsOf(empty, cde), 12, 26)},
		{reason: "what is no entry before the first string", b: poke(stringsOf(text("Abcd\x00"), cde), 12, none), want: "v2-padding-nonzero entry[1].gap 24+10"},
		{reason: "the text of the second, which no entry leads to", b: poke(stringsOf(ab, text("Abcdef\x00"), cde), 20, none), want: "v2-padding-nonzero entry[2].gap 38+14"},
		{reason: "the text of the first, as long as an entry, with a letter that leads into a string", b: poke(stringsOf(text("Abd\x00"), text(strings.Repeat("x", 90)+"\x00")), 12, none), want: "v2-padding-nonzero entry[1].gap 24+8"},
		{reason: "the same, and the letter is an odd offset", b: poke(stringsOf(text("Abc\x00"), text(strings.Repeat("x", 33)+strings.Repeat("\u0100", 30)+"\x00")), 12, none), want: "v2-padding-nonzero entry[1].gap 24+8"},
		{reason: "an entry, and what is none, before the first string", b: poke(stringsOf(ab, "", ""), 4, 1, 28, 5), want: "v2-padding-nonzero entry[0].gap 16+16"},
		{reason: "an entry, and zeros before the first string", b: poke(stringsOf(ab, "", ""), 4, 1, 24, 0, 28, 0), want: "gap dwCounters 4+4"},
		{reason: "what is no entry, and no string", b: append(poke(stringsOf(""), 0, 24), 1, 0, 0, 0, 0, 0, 0, 0), want: "slack dwSize 0+4, v2-padding-nonzero padding 16+8"},

		{reason: "an offset into the entries", b: worked(12, 31), want: "offset-range entry[0].dwOffset 12+4"},
		{reason: "an offset of 0", b: worked(12, 0), want: "offset-range entry[0].dwOffset 12+4"},
		{reason: "the start of the last entry, which has no string", b: worked(12, 24), want: "offset-range entry[0].dwOffset 12+4"},
		{reason: "the end of the buffer", b: worked(12, 48), want: "offset-range entry[0].dwOffset 12+4"},
		{reason: "the last byte, which is no string", b: worked(12, 47), want: "offset-odd entry[0].dwOffset 12+4, unterminated entry[0].Text 47+1"},
		{reason: "none but for one bit", b: worked(28, none-1), want: "offset-range entry[2].dwOffset 28+4"},
		{reason: "both strings", b: worked(12, 8, 20, 100), want: "offset-range entry[0].dwOffset 12+4, offset-range entry[1].dwOffset 20+4"},

		{reason: "from the end of the entries", b: worked(12, 0, 20, 6), want: "offset-base entry[0].dwOffset 12+4"},
		{reason: "from the end of the entries, and the first has none", b: poke(stringsOf("", ab, cde), 20, 0, 28, 6), want: "offset-base entry[1].dwOffset 20+4"},
		{reason: "not all fit", b: worked(12, 0, 20, 16), want: "offset-range entry[0].dwOffset 12+4, offset-range entry[1].dwOffset 20+4"},
		{reason: "from the end of the entries, which dwSize does not fit", b: worked(0, 40, 12, 0, 20, 6), want: "bounds dwSize 0+4, offset-base entry[0].dwOffset 12+4"},

		{reason: "an odd offset", b: worked(12, 33), want: "offset-odd entry[0].dwOffset 12+4"},
		{reason: "odd from the end of the entries", b: worked(12, 1, 20, 6), want: "offset-base entry[0].dwOffset 12+4, offset-odd entry[0].dwOffset 12+4"},
		{reason: "an odd offset, and a NUL there", b: poke(stringsOf(wide(0, 0, 0, 0)), 12, 17), want: "offset-odd entry[0].dwOffset 12+4"},
		{reason: "no NUL", b: stringsOf(text("abcd")), want: "unterminated entry[0].Text 16+8"},
		{reason: "no NUL, but in a string before", b: stringsOf(ab, text("abcde")), want: "unterminated entry[1].Text 30+10"},
		{reason: "no NUL, and two entries share it", b: poke(stringsOf(text("abcd"), ""), 20, 26), want: "unterminated entry[0].Text 24+8, unterminated entry[1].Text 26+6"},
		{reason: "half a NUL, twice", b: stringsOf(wide(0x100, 1, 0x100, 1)), want: "unterminated entry[0].Text 16+8"},

		{reason: "two entries of one string", b: worked(28, 38)},
		{reason: "a string in another", b: worked(28, 40)},
		{reason: "strings in another order", b: worked(12, 38, 20, 32)},
		{reason: "a letter after the last string", b: poke(worked(), 44, 0x410000), want: "v2-padding-nonzero padding 46+2"},
		{reason: "a letter between strings that belongs to none", b: poke(stringsOf(ab, cde, ab), 20, none), want: "v2-padding-nonzero entry[2].gap 38+8"},
		{reason: "zeros between strings", b: poke(stringsOf(ab, wide(0, 0), ab), 20, none)},

		{reason: "a counter twice", b: worked(24, 1), want: "duplicate-id entry[2].dwCounterId 24+4"},
		{reason: "a counter three times", b: worked(16, 1, 24, 1), want: "duplicate-id entry[1].dwCounterId 16+4, duplicate-id entry[2].dwCounterId 24+4"},
		{reason: "all are registered", b: worked(), ids: []uint32{3, 2, 1, 0}},
		{reason: "one is not", b: worked(), ids: []uint32{1, 3}, want: "unknown-id entry[1].dwCounterId 16+4"},
		{reason: "one is not, and its string cannot be read", b: worked(20, 7), ids: []uint32{1, 3}, want: "unknown-id entry[1].dwCounterId 16+4, offset-range entry[1].dwOffset 20+4"},
	} {
		var ctx validate.Context
		if test.ids != nil {
			ctx.Registrations = [][]byte{registeredSet(gpu, 0, test.ids...)}
		}
		if got := findingsAt(&said, test.reason, layout.StringsKind, test.b, ctx, "v2-strings-"); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.reason, got, test.want)
		}
	}
	said.compare(t, "strings.txt")
}
