package provider

import (
	"slices"

	"github.com/perfblock/perfblock/validate"
)

// A rule is a rule of package validate, with the function that checks a call.
type rule struct {
	validate.Rule
	check func(m *callResult, report report)
}

// A report adds a finding about a value of a call. value is the name of the value in the log, such as bytes.
type report func(value, got, want string)

// rules has the rules about the calls of a provider, PERF3xxx. A rule without Sources has collectPage as its source.
var rules = slices.Concat(callRules, returnRules, contentsRules, guardRules)

func init() {
	for _, r := range rules {
		r.Since, r.Forms = "v0.1.0", []string{CallsForm}
		if r.Sources == nil {
			r.Sources = []validate.Source{collectPage}
		}
		validate.Register(&r.Rule)
	}
}

const learn = "https://learn.microsoft.com/en-us/windows/win32/"

var (
	openPage    = validate.Source{Clause: "PM_OPEN_PROC", URL: learn + "api/winperf/nc-winperf-pm_open_proc"}
	collectPage = validate.Source{Clause: "PM_COLLECT_PROC", URL: learn + "api/winperf/nc-winperf-pm_collect_proc"}
	closePage   = validate.Source{Clause: "PM_CLOSE_PROC", URL: learn + "api/winperf/nc-winperf-pm_close_proc"}
	queryPage   = validate.Source{Clause: "Using the Registry Functions to Consume Counter Data", URL: learn + "perfctrs/using-the-registry-functions-to-consume-counter-data"}
	entriesPage = validate.Source{Clause: "Creating Other Registry Entries", URL: learn + "perfctrs/creating-other-registry-entries"}
)

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
