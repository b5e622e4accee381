package identity_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestOfText checks the structural paths of findings in a text.
func TestOfText(t *testing.T) {
	t.Parallel()
	set := layout.Path{}.At("counterSet", 1)
	names := map[layout.Path]string{set: "Shop \"Queues\"", set.At("counter", 2): "Depth", set.At("counter", 3): strings.Repeat("a", 3000)}
	for _, tt := range []struct {
		path   layout.Path
		line   int
		want   string
		reason string
	}{
		{set.At("counter", 2).Field("type"), 9, `counterSet["Shop \"Queues\""].counter["Depth"].type`, "names identify the elements"},
		{set.At("counter", 0), 9, `counterSet["Shop \"Queues\""].counter[#0]`, "a counter without a name of its own has its position"},
		{set.At("counter", 3), 9, `counterSet["Shop \"Queues\""].counter[#3]`, "a name that is too long does not identify"},
		{layout.Path{}.Field("guid"), 1, "guid", "a value of the provider has its path"},
		{layout.Path{}, 2, `"#define DEPTH 3"`, "the line identifies a finding without a path"},
		{layout.Path{}, 3, "", "an empty line does not identify a finding"},
		{layout.Path{}, 99, "", "a line after the end does not identify a finding"},
		{layout.Path{}, 0, "", "a finding without a line has no structural path"},
	} {
		got := identity.OfText(func() []string { return []string{"a", " #define DEPTH 3 ", "", "b"} }, []validate.Finding{{Path: tt.path, Line: tt.line}}, func(p layout.Path) string { return names[p] })
		if got[0] != tt.want {
			t.Errorf("%v, line %d: %s, want %s: %s", tt.path, tt.line, got[0], tt.want, tt.reason)
		}
	}
}
