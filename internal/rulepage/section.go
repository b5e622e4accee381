package rulepage

import (
	"iter"
	"strings"

	"github.com/perfblock/perfblock/validate"
)

// titles has the titles of the sections by the first characters of the rule IDs.
var titles = [...]struct{ id, title string }{
	{"PERF11", "Data blocks"},
	{"PERF12", "Objects"},
	{"PERF13", "Counters"},
	{"PERF14", "Instances and counter blocks"},
	{"PERF20", "All buffers of perflib.h"},
	{"PERF21", "Query data"},
	{"PERF22", "Results of a query"},
	{"PERF23", "Counter ids in a result"},
	{"PERF24", "Instances and their names"},
	{"PERF25", "Values"},
	{"PERF26", "Identifiers"},
	{"PERF27", "Lists, strings and GUIDs"},
	{"PERF28", "Registrations"},
	{"PERF29", "Templates and instance blocks"},
	{"PERF30", "Calls of a provider"},
	{"PERF40", "Definitions of counters"},
	{"PERF41", "Instrumentation manifests"},
	{"PERF42", "Names for lodctr"},
	{"PERF43", "Registry of providers"},
	{"PERF44", "Title databases"},
	{"PERF45", "Blocks and files, compared"},
	{"PERF50", "Two samples"},
}

// Sections groups rules by the first characters of their IDs, such as PERF12 for objects. It yields the title and the
// rules of each group. The rules must be in the order of their IDs.
func Sections(rules []*validate.Rule) iter.Seq2[string, []*validate.Rule] {
	return func(yield func(string, []*validate.Rule) bool) {
		for len(rules) > 0 {
			title, n := titleOf(rules[0]), 1
			for n < len(rules) && titleOf(rules[n]) == title {
				n++
			}
			if !yield(title, rules[:n:n]) {
				return
			}
			rules = rules[n:]
		}
	}
}

func titleOf(r *validate.Rule) string {
	for _, t := range titles {
		if strings.HasPrefix(r.ID, t.id) {
			return t.title
		}
	}
	return "" // an unknown ID
}
