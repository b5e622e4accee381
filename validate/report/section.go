package report

import (
	"iter"
	"strings"

	"github.com/perfblock/perfblock/validate"
)

// titles are what rules are about, by how their IDs start.
var titles = [...]struct{ id, title string }{
	{"PERF11", "Data blocks"},
	{"PERF12", "Objects"},
	{"PERF13", "Counters"},
	{"PERF14", "Instances and counter blocks"},
	{"PERF20", "Any buffer of perflib.h"},
	{"PERF21", "Query data"},
	{"PERF22", "Answers"},
	{"PERF23", "Ids of the counters in an answer"},
	{"PERF24", "Instances and their names"},
	{"PERF25", "Values"},
	{"PERF26", "Identifiers"},
	{"PERF27", "Lists, strings and GUIDs"},
	{"PERF28", "Registrations"},
	{"PERF29", "Templates and instance blocks"},
}

// Sections yields the rules, which are in the order of their IDs, by what they are about,
// under a title; those of which that is not known have "".
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
	return ""
}
