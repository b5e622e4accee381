package lines_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/lines"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text   string
		want   []string
		reason string
	}{
		{"", []string{""}, "an empty text has one line"},
		{"a\r\nb\n", []string{"a", "b", ""}, "the ends are removed"},
		{"\uFEFFä\nb", []string{"ä", "b"}, "a byte order mark is not a character"},
		{"\xff\xfea\x00\r\x00\n\x00b\x00", []string{"a", "b"}, "UTF-16"},
		{"\xfe\xff\x00a\x00\n\x00b", []string{"a", "b"}, "UTF-16 in the other order"},
		{"a\x00\n\x00b\x00", []string{"a", "b"}, "UTF-16 without a byte order mark"},
		{"\xff\xfea\x00b", []string{"a"}, "half a character at the end"},
		{"\xe4\xe4b", []string{"\uFFFD\uFFFDb"}, "a code page: a character for each byte"},
	} {
		if got := lines.Of([]byte(tt.text)); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q: %s", tt.text, got, tt.want, tt.reason)
		}
	}
}

func TestMarked(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 150) + "b" + strings.Repeat("c", 150)
	for _, tt := range []struct {
		line   string
		column int
		want   string
		reason string
	}{
		{"scale: 11", 8, "scale: 11\n       ^", "a short line is whole"},
		{"\tx ", 2, " x\n ^", "a tab is as wide as a space"},
		{"ab", 9, "ab\n  ^", "after the end"},
		{"ab", 0, "ab\n^", "no column"},
		{"", 1, "", "an empty line"},
		{"äöü", 3, "äöü\n  ^", "characters, not bytes"},
		{"!b", 2, "<!>b\n   ^", "the text that is shown is longer"},
		{long, 151, strings.Repeat("a", 60) + "b" + strings.Repeat("c", 39) + "\n" + strings.Repeat(" ", 60) + "^", "a part of a long line"},
		{long, 1, strings.Repeat("a", 100) + "\n^", "its start"},
		{"short", 1000, "", "far after the end"},
	} {
		got := lines.Marked(tt.line, tt.column, func(s string) string { return strings.ReplaceAll(s, "!", "<!>") })
		if got != tt.want {
			t.Errorf("%q, %d:\n%s\nwant\n%s\n%s", tt.line, tt.column, got, tt.want, tt.reason)
		}
	}
}
