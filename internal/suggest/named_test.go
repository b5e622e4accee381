package suggest_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/suggest"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	list := []string{"Hex", "C", "Go"}
	for _, tt := range []struct{ reason, name, want, err string }{
		{"the first", "hex", "Hex", ""},
		{"the last", "go", "Go", ""},
		{"the case counts", "Go", "", `no format "Go": it is one of hex, c, go`},
		{"no name is none of them", "", "", `no format "": it is one of hex, c, go`},
	} {
		got, err := suggest.Named("format", tt.name, list, strings.ToLower)
		if got != tt.want || (err != nil) != (tt.err != "") || err != nil && err.Error() != tt.err {
			t.Errorf("%s: %q, %v; want %q, %q", tt.reason, got, err, tt.want, tt.err)
		}
	}
}
