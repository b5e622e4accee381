// Package rulepage has the examples of rules: the bytes of a block that breaks each,
// and of one that just does not, as a dump shows them. They are made from the
// fixtures of the rules; see the test.
package rulepage

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

//go:embed examples.txtar
var examples []byte

var byName = sync.OnceValue(func() map[string]string {
	texts := make(map[string]string)
	for _, f := range txtar.Parse(examples).Files {
		texts[f.Name] = string(f.Data)
	}
	return texts
})

// Example returns what shows the rule broken and kept.
func Example(r *validate.Rule) report.Example {
	texts := byName()
	return report.Example{Note: strings.TrimSpace(texts[r.ID+"/note"]), Wrong: texts[r.ID+"/wrong"], Right: texts[r.ID+"/right"]}
}
