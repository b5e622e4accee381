package samples

import (
	"slices"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

const learn = "https://learn.microsoft.com/en-us/windows/win32/"

var (
	calculating = validate.Source{Clause: "Calculating Counter Values", URL: learn + "perfctrs/calculating-counter-values"}
	design      = validate.Source{Clause: "Object and Counter Design", URL: learn + "perfctrs/object-and-counter-design"}
	consuming   = validate.Source{Clause: "Using the PerfLib Functions to Consume Counter Data", URL: learn + "perfctrs/using-the-perflib-functions-to-consume-counter-data"}
)

// sourceOf returns the source of a rule about a field: the documentation page of the structure that has the field.
func sourceOf(r *layout.Record, field string) validate.Source {
	return validate.Source{Clause: r.C + ", " + field, URL: r.Source}
}

// The rules that [Compare] checks, sorted by ID. Each rule is about two samples, and is beside its check.
var rules = []*validate.Rule{layoutRule, monotonicRule, baseRule, unchangedRule, timeRule, frequencyRule, instancesRule, idRule, totalRule, computerRule}

func init() {
	for _, r := range rules {
		r.Since, r.Needs = "v0.1.0", "an older sample, from lint --pair or from a bundle of perfblock capture"
		if r.Forms == nil {
			r.Forms = []string{layout.DataBlockKind.String(), layout.ObjectsKind.String(), layout.QueryDataKind.String()}
		}
	}
	validate.Register(rules...)
}

// Rules returns the rules about two samples, sorted by ID. Importing this package adds them to the rules of package
// validate.
func Rules() []*validate.Rule { return slices.Clone(rules) }
