package quote_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/quote"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for n, want := range map[uint32]string{0: "0 bytes", 1: "1 byte", 2: "2 bytes"} {
		if got := quote.Count(n, "byte"); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"an empty text is in quotes, too", "", `""`},
		{"characters are escaped", "a\x00\"", `"a\x00\""`},
		{"a text of the largest length is not cut", strings.Repeat("a", quote.Most), `"` + strings.Repeat("a", quote.Most) + `"`},
		{"a longer text is cut", strings.Repeat("a", quote.Most+1), `"` + strings.Repeat("a", quote.Most) + `"...`},
		{"no character is cut in two", strings.Repeat("a", quote.Most-1) + "é", `"` + strings.Repeat("a", quote.Most-1) + `"...`},
	} {
		if got := quote.Short(tt.text); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.reason, got, tt.want)
		}
	}
}

func TestUnicode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"Unicode is unchanged", "é\x00\ufffd\\", "é\x00\ufffd\\"},
		{"a byte that is not UTF-8 has an escape of its own", "é\xffb\xfe\ufffd", `é\xffb\xfe` + "\ufffd"},
		{"each byte of an incomplete character has an escape", "\xe6\xbc", `\xe6\xbc`},
	} {
		if got := quote.Unicode(tt.text); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.reason, got, tt.want)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		words  []string
		want   string
	}{
		{"no word gives an empty text", nil, ""},
		{"one word needs no conjunction", []string{"a"}, "a"},
		{"two words need no comma", []string{"a", "b"}, "a or b"},
		{"commas are between all but the last two words", []string{"a", "b", "c"}, "a, b or c"},
	} {
		if got := quote.List(tt.words, "or"); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.reason, got, tt.want)
		}
	}
}
