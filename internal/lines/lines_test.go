package lines_test

import (
	"runtime"
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
		{"\xff\xfea\x00\r\x00\n\x00b\x00", []string{"a", "b"}, "UTF-16 is decoded"},
		{"\xfe\xff\x00a\x00\n\x00b", []string{"a", "b"}, "UTF-16 in the other byte order is decoded"},
		{"a\x00\n\x00b\x00", []string{"a", "b"}, "UTF-16 needs no byte order mark"},
		{"\xff\xfea\x00b", []string{"a"}, "half a character at the end is left out"},
		{"\xe4\xe4b", []string{"\uFFFD\uFFFDb"}, "each byte of a code page is one character"},
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
		{"ab", 9, "ab\n  ^", "a column after the end has its caret after the end"},
		{"ab", 0, "ab\n^", "column 0 has its caret at the start"},
		{"", 1, "", "an empty line is not shown"},
		{"äöü", 3, "äöü\n  ^", "columns count characters, not bytes"},
		{"!b", 2, "<!>b\n   ^", "the caret moves if printable makes the text longer"},
		{long, 151, strings.Repeat("a", 60) + "b" + strings.Repeat("c", 39) + "\n" + strings.Repeat(" ", 60) + "^", "a part of a long line is shown, with 60 characters before the column"},
		{long, 1, strings.Repeat("a", 100) + "\n^", "the start of a long line is shown if the column is there"},
		{"short", 1000, "", "a line is not shown for a column far after its end"},
	} {
		got := lines.Marked(tt.line, tt.column, func(s string) string { return strings.ReplaceAll(s, "!", "<!>") })
		if got != tt.want {
			t.Errorf("%q, %d:\n%s\nwant\n%s\n%s", tt.line, tt.column, got, tt.want, tt.reason)
		}
	}
}

// TestMarkedLongLine checks that Marked does not copy a long line. All findings of a file can be in one line.
func TestMarkedLongLine(t *testing.T) {
	line := strings.Repeat("ä", 1<<20)
	for _, column := range []int{1, 1 << 19, 1 << 20} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		lines.Marked(line, column, func(s string) string { return s })
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 64<<10 {
			t.Errorf("column %d: %d bytes", column, n)
		}
	}
}

func TestCursor(t *testing.T) {
	t.Parallel()
	c := lines.Cursor{Text: []byte("aé\n\nb\r\n")}
	for _, tt := range []struct {
		off, line, column int
		reason            string
	}{
		{0, 1, 1, "both count from 1"},
		{3, 1, 3, "columns count characters"},
		{4, 2, 1, "after a line end"},
		{6, 3, 2, "after an empty line"},
		{8, 4, 1, "the end of the text"},
		{1, 1, 2, "an offset before the last one"},
	} {
		if line, column := c.Place(tt.off); line != tt.line || column != tt.column {
			t.Errorf("offset %d: %d:%d, want %d:%d: %s", tt.off, line, column, tt.line, tt.column, tt.reason)
		}
	}
}
