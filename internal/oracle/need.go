package oracle

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/internal/cfacts"
)

// Need builds a walker for a test. Where that is impossible it skips the test, or fails it if the environment says that foreign
// judges must be there: see [cfacts.RequireVariable].
func Need(tb testing.TB) *Walker {
	tb.Helper()
	w, err := Build(tb.TempDir())
	if errors.Is(err, ErrUnavailable) {
		cfacts.Absent(tb, err.Error())
	}
	if err != nil {
		tb.Fatal(err)
	}
	return w
}
