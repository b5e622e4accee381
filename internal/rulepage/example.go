package rulepage

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"github.com/perfblock/perfblock/validate"
)

// An Example has lines of a file that break a rule, and the correct lines of a similar file. The zero value means
// that the rule has no example.
type Example struct {
	Note  string // what is wrong
	Wrong string // any number of lines, such as lines of a dump
	Right string
}

// examples is an archive with a folder for each rule ID. TestExamples generates the archive from fixtures.
//
//go:embed examples.txtar
var examples []byte

var exampleParts = sync.OnceValue(func() map[string]string {
	parts := make(map[string]string)
	for _, f := range txtar.Parse(examples).Files {
		parts[f.Name] = string(f.Data)
	}
	return parts
})

// ExampleOf returns the example of a rule.
func ExampleOf(r *validate.Rule) Example {
	parts := exampleParts()
	return Example{Note: strings.TrimSpace(parts[r.ID+"/note"]), Wrong: parts[r.ID+"/wrong"], Right: parts[r.ID+"/right"]}
}
