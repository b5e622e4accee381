package oracle

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/internal/cfacts"
)

// Need builds a walker for a test. If that is impossible, it skips the test, or fails it as [cfacts.RequireVariable] requires.
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
