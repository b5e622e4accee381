package dump_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/perfblock/perfblock/dump"
)

// FuzzTextIsSafe checks that a dump of any name has only printable characters.
func FuzzTextIsSafe(f *testing.F) {
	for _, s := range []string{"", "a\x00", "\x1b\x00[\x002\x00J\x00", "\x2e\x20", "\x00\xd8", "\x00\xd8\x00\xdc", "odd", "\"\x00\\\x00", "\x9b\x00"} {
		for i := range dump.Formats() {
			f.Add(uint8(i), []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, raw []byte) {
		format := dump.Formats()[int(i)%len(dump.Formats())].Name
		got := show(t, format, named(t, raw))
		if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) || r == unicode.ReplacementChar }); i >= 0 && !holds(raw, unicode.ReplacementChar) {
			t.Errorf("%s: %q at %d of\n%s", format, got[i:min(len(got), i+4)], i, got)
		}
	})
}

func holds(raw []byte, want rune) bool {
	for i := 0; i+1 < len(raw); i += 2 {
		if rune(raw[i])|rune(raw[i+1])<<8 == want {
			return true
		}
	}
	return false
}

func utf16Bytes(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}
