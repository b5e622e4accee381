package definition

import (
	"slices"
	"strings"

	"github.com/perfblock/perfblock/validate"
)

// A rule is a [validate.Rule] with its check.
type rule struct {
	validate.Rule
	check check
}

// rules has the rules about definitions, PERF4xxx. The function init registers the rules in package validate.
var rules = slices.Concat(providerRules, counterSetRules, counterRules, refusalRules, iniRules, headerRules, manifestRules, regFileRules, compareRules, []*rule{differsRule, collisionRule, countRule})

func init() {
	for _, r := range rules {
		for _, f := range r.check.forms {
			r.Forms = append(r.Forms, f.String())
		}
		validate.Register(&r.Rule)
	}
}

// Rules returns the rules about definitions, sorted by ID. Importing this package adds them to the rules
// of package validate.
func Rules() []*validate.Rule {
	var list []*validate.Rule
	for _, r := range validate.Rules() {
		if strings.HasPrefix(r.ID, "PERF4") {
			list = append(list, r)
		}
	}
	return list
}

// A check has the function of a rule, and the forms of the files to which the rule applies.
type check struct {
	forms []Form
	run   func(f *File, report func(finding))
}

// providerForms has the file forms for checks of the field File.Provider. Rules about .ini files check the lines
// instead.
var providerForms = []Form{YAML, Manifest}

type (
	providerOf struct {
		element
		*Provider
		form Form
	}
	setOf struct {
		element
		*CounterSet
		provider *Provider
		index    index
	}
	counterOf struct {
		element
		*Counter
		set setOf
	}
)

func (c check) onForms(forms ...Form) check {
	c.forms = forms
	return c
}

// either combines two checks of different file formats, such as a check of YAML and a check of manifests.
func either(first, second check) check {
	return check{slices.Concat(first.forms, second.forms), func(f *File, report func(finding)) {
		if slices.Contains(first.forms, f.Form) {
			first.run(f, report)
		} else {
			second.run(f, report)
		}
	}}
}

// onProvider returns a check that calls f with the provider.
func onProvider(f func(p providerOf, report func(finding))) check {
	return check{providerForms, func(in *File, report func(finding)) {
		if p := in.Provider; p != nil {
			f(providerOf{p.element(), p, in.Form}, report)
		}
	}}
}

// value returns manifestValue for a manifest, and yamlValue for YAML. manifestValue is the value in the text. yamlValue
// can be a default value, because perfblock define writes default values.
func (p providerOf) value(manifestValue, yamlValue string) string {
	if p.form == Manifest {
		return manifestValue
	}
	return yamlValue
}

// onSet returns a check that calls f for each counter set.
func onSet(f func(s setOf, report func(finding))) check {
	return onProvider(func(p providerOf, report func(finding)) {
		for e, s := range p.sets() {
			f(setOf{e, s, p.Provider, s.index()}, report)
		}
	})
}

// onCounter returns a check that calls f for each counter.
func onCounter(f func(c counterOf, report func(finding))) check {
	return onSet(func(s setOf, report func(finding)) {
		for e, c := range s.counters(s.path) {
			f(counterOf{e, c, s}, report)
		}
	})
}

// findings returns the findings of all rules in a file.
func (f *File) findings() []validate.Finding {
	var list []validate.Finding
	for _, r := range rules {
		if !slices.Contains(r.check.forms, f.Form) {
			continue
		}
		r.check.run(f, func(at finding) { list = append(list, at.withRule(r)) })
	}
	return list
}

// learn is the common start of source URLs.
const learn = "https://learn.microsoft.com/en-us/windows/win32/perfctrs/"

var (
	schemaPage     = validate.Source{Clause: "Performance Counters Schema", URL: learn + "performance-counters-schema"}
	providerPage   = validate.Source{Clause: "provider element", URL: learn + "performance-counters-provider-complex-type"}
	setPage        = validate.Source{Clause: "counterSet element", URL: learn + "performance-counters-counterset-complex-type"}
	counterPage    = validate.Source{Clause: "counter element", URL: learn + "performance-counters-counter-complex-type"}
	attribPage     = validate.Source{Clause: "counterAttribute element", URL: learn + "performance-counters-counterattribute-complex-type"}
	definitionPage = validate.Source{Clause: "PERF_COUNTER_DEFINITION", URL: "https://learn.microsoft.com/en-us/windows/win32/api/winperf/ns-winperf-perf_counter_definition"}
	pathPage       = validate.Source{Clause: "Specifying a Counter Path", URL: learn + "specifying-a-counter-path"}
	languagePage   = validate.Source{Clause: "[MS-LCID] 2.2", URL: "https://learn.microsoft.com/openspecs/windows_protocols/ms-lcid/a9eac961-e77d-41a6-90a5-ce1a8b0cdb9c"}
	iniPage        = validate.Source{Clause: "Adding Counter Names and Descriptions to the Registry", URL: learn + "adding-counter-names-and-descriptions-to-the-registry"}
)
