package quote_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/quote"
)

func TestShort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"nothing", "", `""`},
		{"what a message cannot hold as it is", "a\x00\"", `"a\x00\""`},
		{"as much as there may be", strings.Repeat("a", quote.Most), `"` + strings.Repeat("a", quote.Most) + `"`},
		{"more", strings.Repeat("a", quote.Most+1), `"` + strings.Repeat("a", quote.Most) + `"...`},
		{"a letter that would be cut in two", strings.Repeat("a", quote.Most-1) + "é", `"` + strings.Repeat("a", quote.Most-1) + `"...`},
	} {
		if got := quote.Short(tt.text); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.reason, got, tt.want)
		}
	}
}
