package validate_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// stringsOf returns a valid buffer with the given strings, which include their NUL. An empty Go
// string is an entry without a string.
func stringsOf(texts ...string) []byte {
	const none = 0xFFFFFFFF
	at := uint32(8 + 8*len(texts))
	var entries, strings []byte
	for i, s := range texts {
		e := wire.StringCounter{DwCounterId: uint32(i + 1), DwOffset: at + uint32(len(strings))}
		if s == "" {
			e.DwOffset = none
		}
		entries, strings = e.Append(entries), append(strings, s...)
	}
	strings = append(strings, make([]byte, -len(strings)&7)...)
	b := wire.StringBuffer{DwSize: at + uint32(len(strings)), DwCounters: uint32(len(texts))}.Append(nil)
	return append(append(b, entries...), strings...)
}

// TestStrings checks buffers of strings: dwSize, dwCounters, the offsets, the strings, and the
// bytes between two strings.
func TestStrings(t *testing.T) {
	t.Parallel()
	var golden transcript
	ab, cde, empty := text("Ab\x00"), text("Cde\x00"), text("\x00")
	// changed writes numbers into a buffer of 48 bytes with strings at 32 and 38.
	changed := func(numbers ...uint32) []byte { return poke(stringsOf(ab, cde, ""), numbers...) }
	cut := func(n int, b []byte) []byte { return b[:len(b)-n] }
	const none = 0xFFFFFFFF
	for _, test := range []struct {
		reason string
		b      []byte
		ids    []uint32 // registered ids
		want   string
	}{
		{reason: "nothing is wrong", b: changed()},
		{reason: "a buffer may have no entries", b: stringsOf()},
		{reason: "all entries may have no string", b: stringsOf("", "")},
		{reason: "a string may be empty", b: stringsOf(empty, ab)},
		{reason: "2 bytes follow the buffer", b: append(changed(), 1, 2), want: "v2-trailing-bytes rest 48+2"},

		{reason: "the input is empty", b: nil, want: "bounds  0+0"},
		{reason: "the input is one byte shorter than the header", b: make([]byte, 7), want: "bounds  0+7"},
		{reason: "dwSize is 0, and the strings give the right size", b: changed(0, 0), want: "bounds dwSize 0+4"},
		{reason: "dwSize is 0, and an offset is out of range", b: changed(0, 0, 12, 4), want: "bounds dwSize 0+4"},
		{reason: "all bytes are 0", b: make([]byte, 16), want: "bounds dwSize 0+4"},
		{reason: "dwSize ends in the entries", b: changed(0, 31), want: "bounds dwSize 0+4"},
		{reason: "dwSize omits all strings", b: changed(0, 32), want: "bounds dwSize 0+4"},
		{reason: "dwSize omits the last string", b: changed(0, 38), want: "bounds dwSize 0+4"},
		{reason: "dwSize omits the last NUL", b: changed(0, 44), want: "bounds dwSize 0+4"},
		{reason: "dwSize omits the last byte of the last NUL", b: changed(0, 45), want: "bounds dwSize 0+4"},
		{reason: "dwSize omits the padding", b: changed(0, 46), want: "align dwSize 0+4, v2-trailing-bytes rest 46+2"},
		{reason: "dwSize is one more than the input", b: changed(0, 49), want: "bounds dwSize 0+4"},
		{reason: "dwSize is the largest uint32", b: changed(0, none), want: "bounds dwSize 0+4"},
		{reason: "dwSize counts 8 trailing bytes", b: append(changed(0, 56), 1, 0, 0, 0, 0, 0, 0, 0), want: "slack dwSize 0+4, v2-padding-nonzero padding 48+8"},
		{reason: "dwSize counts 8 zero bytes after the padding", b: append(changed(0, 56), make([]byte, 8)...), want: "slack dwSize 0+4"},
		{reason: "dwSize counts 8 zero bytes after strings that require no padding", b: append(poke(stringsOf(text("abc\x00")), 0, 32), make([]byte, 8)...), want: "slack dwSize 0+4"},
		{reason: "dwSize counts 8 zero bytes after the header", b: append(poke(stringsOf(), 0, 16), make([]byte, 8)...), want: "slack dwSize 0+4"},
		{reason: "dwSize counts 8 zero bytes after entries without strings", b: append(poke(stringsOf("", ""), 0, 32), make([]byte, 8)...), want: "slack dwSize 0+4"},
		{reason: "dwSize counts 8 zero bytes, and the offsets count from the end of the entries", b: append(changed(0, 56, 12, 0, 20, 6), make([]byte, 8)...), want: "slack dwSize 0+4, offset-base entry[0].dwOffset 12+4"},
		{reason: "dwSize counts 12 zero bytes and is not a multiple of 8", b: append(changed(0, 60), make([]byte, 12)...), want: "align dwSize 0+4"},
		{reason: "dwSize counts 8 zero bytes, and an offset is odd", b: append(changed(0, 56, 20, 33), make([]byte, 8)...), want: "offset-odd entry[1].dwOffset 20+4"},
		{reason: "dwSize counts 8 zero bytes, and dwCounters is one too small", b: append(changed(0, 56, 4, 2), make([]byte, 8)...), want: "slack dwSize 0+4, gap dwCounters 4+4"},
		{reason: "the input ends in the strings", b: cut(10, changed()), want: "bounds dwSize 0+4"},
		{reason: "the input ends in the padding after the strings", b: cut(1, changed()), want: "bounds  0+47"},
		{reason: "the input ends in the entries", b: cut(20, changed()), want: "bounds dwSize 0+4"},
		{reason: "dwSize is 0, and the offset of the first string is odd", b: changed(0, 0, 12, 33), want: "bounds dwSize 0+4, offset-odd entry[0].dwOffset 12+4"},
		{reason: "dwSize is 0, and both offsets are out of range", b: changed(0, 0, 12, 999, 20, 999), want: "bounds dwSize 0+4"},
		{reason: "dwSize is 0, and the input ends before the entries", b: []byte{4: 2, 7: 0}, want: "bounds dwCounters 4+4"},
		{reason: "the input ends in entries without strings", b: cut(8, stringsOf("", "")), want: "bounds dwSize 0+4"},
		{reason: "dwSize is 0, the strings require no padding, and the entries are checked", b: poke(stringsOf(text("abc\x00"), text("abc\x00")), 0, 0, 16, 1), want: "bounds dwSize 0+4, duplicate-id entry[1].dwCounterId 16+4"},
		{reason: "dwSize is 0, and the entries have no strings", b: poke(stringsOf("", ""), 0, 0), want: "bounds dwSize 0+4"},

		{reason: "dwCounters is one too large", b: changed(4, 4), want: "bounds dwCounters 4+4"},
		{reason: "dwCounters is two too large", b: changed(4, 5), want: "bounds dwCounters 4+4"},
		{reason: "dwCounters is three too large, and more than the buffer has space for", b: changed(4, 6), want: "bounds dwCounters 4+4"},
		{reason: "dwCounters is one too large, so the entries end with the buffer", b: poke(stringsOf(text("Ab0\x00"), cde, ""), 4, 4), want: "bounds dwCounters 4+4"},
		{reason: "dwCounters is the largest uint32", b: changed(4, none), want: "bounds dwCounters 4+4"},
		{reason: "dwCounters is the largest uint32, and the entries have no strings", b: poke(stringsOf("", ""), 4, none), want: "bounds dwCounters 4+4"},
		{reason: "dwCounters is 9, and the first offset is invalid", b: poke(stringsOf("", ""), 4, 9, 12, 0), want: "bounds dwCounters 4+4"},
		{reason: "dwSize and dwCounters are wrong, and the strings give the right numbers", b: changed(0, 17, 4, 4), want: "bounds dwSize 0+4, bounds dwCounters 4+4"},
		{reason: "dwSize omits the last NUL, and an offset from the end of the entries is wrong", b: poke(stringsOf(ab, cde, text("f\x00")), 0, 49, 12, 16, 20, 6, 28, 14), want: "bounds dwSize 0+4, offset-base entry[0].dwOffset 12+4, v2-padding-nonzero entry[1].gap 32+6"},
		{reason: "dwSize is inside the entries, and dwCounters is two too small", b: changed(0, 24, 4, 1), want: "bounds dwSize 0+4, gap dwCounters 4+4"},

		{reason: "dwCounters is one too small", b: changed(4, 2), want: "gap dwCounters 4+4"},
		{reason: "dwCounters is two too small", b: changed(4, 1), want: "gap dwCounters 4+4"},
		{reason: "dwCounters is 0, and three entries are there", b: changed(4, 0), want: "gap dwCounters 4+4"},
		{reason: "dwCounters is 0, and three entries without strings are there", b: poke(stringsOf("", "", ""), 4, 0), want: "gap dwCounters 4+4"},
		{reason: "dwCounters is two too small, and the last entry has the first string", b: poke(stringsOf(ab, cde, ab), 4, 1, 12, 46, 28, 32), want: "gap dwCounters 4+4"},
		{reason: "2 bytes between the entries and the first string are not 0", b: changed(12, 34), want: "v2-padding-nonzero entry[0].gap 32+2"},
		{reason: "2 bytes between the entries and the first string are 0", b: poke(stringsOf(empty, cde), 12, 26)},
		{reason: "10 bytes that are not an entry precede the first string", b: poke(stringsOf(text("Abcd\x00"), cde), 12, none), want: "v2-padding-nonzero entry[1].gap 24+10"},
		{reason: "no entry has the offset of the second string", b: poke(stringsOf(ab, text("Abcdef\x00"), cde), 20, none), want: "v2-padding-nonzero entry[2].gap 38+14"},
		{reason: "no entry has the offset of the first string, whose bytes look like an entry", b: poke(stringsOf(text("Abd\x00"), text(strings.Repeat("x", 90)+"\x00")), 12, none), want: "v2-padding-nonzero entry[1].gap 24+8"},
		{reason: "no entry has the offset of the first string, whose bytes look like an entry with an odd offset", b: poke(stringsOf(text("Abc\x00"), text(strings.Repeat("x", 33)+strings.Repeat("\u0100", 30)+"\x00")), 12, none), want: "v2-padding-nonzero entry[1].gap 24+8"},
		{reason: "dwCounters omits two entries, of which the second has an invalid offset", b: poke(stringsOf(ab, "", ""), 4, 1, 28, 5), want: "v2-padding-nonzero entry[0].gap 16+16"},
		{reason: "dwCounters omits two entries, of which the second is all zeros", b: poke(stringsOf(ab, "", ""), 4, 1, 24, 0, 28, 0), want: "gap dwCounters 4+4"},
		{reason: "8 bytes that are not an entry follow the only entry", b: append(poke(stringsOf(""), 0, 24), 1, 0, 0, 0, 0, 0, 0, 0), want: "slack dwSize 0+4, v2-padding-nonzero padding 16+8"},

		{reason: "the offset is inside the entries", b: changed(12, 31), want: "offset-range entry[0].dwOffset 12+4"},
		{reason: "the offset is 0", b: changed(12, 0), want: "offset-range entry[0].dwOffset 12+4"},
		{reason: "the offset is the start of the last entry", b: changed(12, 24), want: "offset-range entry[0].dwOffset 12+4"},
		{reason: "the offset is the end of the buffer", b: changed(12, 48), want: "offset-range entry[0].dwOffset 12+4"},
		{reason: "the offset is the last byte of the buffer", b: changed(12, 47), want: "offset-odd entry[0].dwOffset 12+4, unterminated entry[0].Text 47+1"},
		{reason: "the offset is 0xfffffffe", b: changed(28, none-1), want: "offset-range entry[2].dwOffset 28+4"},
		{reason: "both offsets are out of range", b: changed(12, 8, 20, 100), want: "offset-range entry[0].dwOffset 12+4, offset-range entry[1].dwOffset 20+4"},

		{reason: "the offsets count from the end of the entries", b: changed(12, 0, 20, 6), want: "offset-base entry[0].dwOffset 12+4"},
		{reason: "the offsets count from the end of the entries, and the first entry has no string", b: poke(stringsOf("", ab, cde), 20, 0, 28, 6), want: "offset-base entry[1].dwOffset 20+4"},
		{reason: "the offsets do not all fit if they count from the end of the entries", b: changed(12, 0, 20, 16), want: "offset-range entry[0].dwOffset 12+4, offset-range entry[1].dwOffset 20+4"},
		{reason: "the offsets count from the end of the entries, and dwSize is too small", b: changed(0, 40, 12, 0, 20, 6), want: "bounds dwSize 0+4, offset-base entry[0].dwOffset 12+4"},

		{reason: "the offset is odd", b: changed(12, 33), want: "offset-odd entry[0].dwOffset 12+4"},
		{reason: "the offsets count from the end of the entries, and one is odd", b: changed(12, 1, 20, 6), want: "offset-base entry[0].dwOffset 12+4, offset-odd entry[0].dwOffset 12+4"},
		{reason: "the offset is odd, and a NUL is there", b: poke(stringsOf(wide(0, 0, 0, 0)), 12, 17), want: "offset-odd entry[0].dwOffset 12+4"},
		{reason: "the string has no NUL", b: stringsOf(text("abcd")), want: "unterminated entry[0].Text 16+8"},
		{reason: "the second string has no NUL", b: stringsOf(ab, text("abcde")), want: "unterminated entry[1].Text 30+10"},
		{reason: "two entries share a string without a NUL", b: poke(stringsOf(text("abcd"), ""), 20, 26), want: "unterminated entry[0].Text 24+8, unterminated entry[1].Text 26+6"},
		{reason: "zero bytes of different characters are not a NUL", b: stringsOf(wide(0x100, 1, 0x100, 1)), want: "unterminated entry[0].Text 16+8"},

		{reason: "two entries have the same string", b: changed(28, 38)},
		{reason: "a string starts inside another", b: changed(28, 40)},
		{reason: "the strings may have another order than the entries", b: changed(12, 38, 20, 32)},
		{reason: "the padding after the last string is not 0", b: poke(changed(), 44, 0x410000), want: "v2-padding-nonzero padding 46+2"},
		{reason: "bytes between strings that belong to no entry are not 0", b: poke(stringsOf(ab, cde, ab), 20, none), want: "v2-padding-nonzero entry[2].gap 38+8"},
		{reason: "bytes between strings that belong to no entry are 0", b: poke(stringsOf(ab, wide(0, 0), ab), 20, none)},

		{reason: "two entries have the same id", b: changed(24, 1), want: "duplicate-id entry[2].dwCounterId 24+4"},
		{reason: "three entries have the same id", b: changed(16, 1, 24, 1), want: "duplicate-id entry[1].dwCounterId 16+4, duplicate-id entry[2].dwCounterId 24+4"},
		{reason: "all ids are registered", b: changed(), ids: []uint32{3, 2, 1, 0}},
		{reason: "one id is not registered", b: changed(), ids: []uint32{1, 3}, want: "unknown-id entry[1].dwCounterId 16+4"},
		{reason: "one id is not registered, and its offset is out of range", b: changed(20, 7), ids: []uint32{1, 3}, want: "unknown-id entry[1].dwCounterId 16+4, offset-range entry[1].dwOffset 20+4"},
	} {
		var ctx validate.Context
		if test.ids != nil {
			ctx.Registrations = [][]byte{registrationWithIDs(gpu, 0, test.ids...)}
		}
		if got := findingsAt(&golden, test.reason, layout.StringsKind, test.b, ctx, "v2-strings-"); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.reason, got, test.want)
		}
	}
	golden.compare(t, "strings.txt")
}
