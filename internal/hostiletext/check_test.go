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
		{"an empty text has a start", "", 1, 1, true},
		{"there is no line 0", "a", 0, 1, false},
		{"there is no column 0", "a", 1, 0, false},
		{"the column after the last character is valid", "ab", 1, 3, true},
		{"later columns are not valid", "ab", 1, 4, false},
		{"columns count characters, not bytes", "é\u2003", 1, 4, false},
		{"the second line has a first column", "a\nb", 2, 1, true},
		{"an empty last line counts", "a\n", 2, 1, true},
		{"a line after the last one is not valid", "a", 2, 1, false},
		{"U+2028 ends a line in YAML", "a\u2028b", 2, 2, true},
		{"U+2028 does not end a line in an editor", "a\u2028b", 1, 3, true},
		{"CR LF ends one line, not two", "a\r\nb", 3, 1, false},
	} {
		if got := isPosition(tt.text, tt.line, tt.column); got != tt.want {
			t.Errorf("%s: isPosition(%q, %d, %d) = %v", tt.reason, tt.text, tt.line, tt.column, got)
		}
	}
}
