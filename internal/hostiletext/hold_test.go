package hostiletext

import "testing"

func TestIsPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason       string
		text         string
		line, column int
		want         bool
	}{
		{"the start of nothing", "", 1, 1, true},
		{"no line", "a", 0, 1, false},
		{"no column", "a", 1, 0, false},
		{"the end", "ab", 1, 3, true},
		{"behind the end", "ab", 1, 4, false},
		{"characters, not bytes", "é\u2003", 1, 4, false},
		{"a second line", "a\nb", 2, 1, true},
		{"an empty last line", "a\n", 2, 1, true},
		{"a line that is not there", "a", 2, 1, false},
		{"a line that YAML ends", "a\u2028b", 2, 2, true},
		{"the same, to an editor one line", "a\u2028b", 1, 3, true},
		{"two marks that end one line", "a\r\nb", 3, 1, false},
	} {
		if got := isPlace(tt.text, tt.line, tt.column); got != tt.want {
			t.Errorf("%s: %d:%d of %q: %v", tt.reason, tt.line, tt.column, tt.text, got)
		}
	}
}
