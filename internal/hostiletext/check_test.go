package hostiletext

import "testing"

func TestIsPosition(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason       string
		text         string
		line, column int
		want         bool
	}{
		{"start of an empty text", "", 1, 1, true},
		{"line 0", "a", 0, 1, false},
		{"column 0", "a", 1, 0, false},
		{"after the last character", "ab", 1, 3, true},
		{"one further", "ab", 1, 4, false},
		{"columns count characters, not bytes", "é\u2003", 1, 4, false},
		{"second line", "a\nb", 2, 1, true},
		{"empty last line", "a\n", 2, 1, true},
		{"missing line", "a", 2, 1, false},
		{"U+2028 ends a line in YAML", "a\u2028b", 2, 2, true},
		{"U+2028 does not end a line in an editor", "a\u2028b", 1, 3, true},
		{"CR LF ends one line, not two", "a\r\nb", 3, 1, false},
	} {
		if got := isPosition(tt.text, tt.line, tt.column); got != tt.want {
			t.Errorf("%s: isPosition(%q, %d, %d) = %v", tt.reason, tt.text, tt.line, tt.column, got)
		}
	}
}
