package browser

import (
	"errors"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/perfblock/perfblock/internal/cfacts"
	"github.com/perfblock/perfblock/validate/report"
)

// TestAccessible checks pages with axe-core, in the light and the dark colour scheme.
func TestAccessible(t *testing.T) {
	axe, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		cfacts.Absent(t, "no axe-core: npm ci in this folder installs it")
	}
	gone := report.Unchecked{Path: "gone.bin", Err: errors.New("no such file")}
	for _, tt := range []struct{ name, url string }{
		{"findings", pageOf(t, small(t))},
		{"many findings", pageOf(t, many(t, 700, 10))},
		{"no findings", pageOf(t, clean(t))},
		{"index", folder(t, []report.Unchecked{gone}, small(t), clean(t))},
	} {
		for _, scheme := range []string{"light", "dark"} {
			p := open(t, tt.url, device{scheme: scheme})
			eval[any](p, `document.querySelectorAll("details").forEach((e) => { e.open = e.closest("#dump") === null; })`)
			eval[any](p, string(axe)+"; 0")
			list, err := chromedp.Run(p.ctx, chromedp.Evaluate[[]string](`axe.run().then((r) => r.violations
				.map((v) => v.impact + " " + v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + " " + n.failureSummary).join("; ")))`, chromedp.EvalAwaitPromise))
			if err != nil {
				t.Fatal(err)
			}
			for _, violation := range list {
				t.Errorf("%s, %s: %s", tt.name, scheme, violation)
			}
		}
	}
}
