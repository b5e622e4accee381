package definition

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var differsRule = &rule{Rule: validate.Rule{
	ID: "PERF4505", Name: "def-file-differs", Severity: validate.Warning, Since: "v0.2.0",
	Doc:     "a manifest, an .ini file or another definition has the sets and counters of the definition it is compared with",
	Why:     "Windows reads the names, types and ids of the other file. Code and tests that are made from the definition then disagree with what consumers see.",
	Fix:     "Generate the file again from the definition, with perfblock define -o.",
	Sources: []validate.Source{schemaPage, iniPage},
	Needs:   "the definition of the provider",
	Forms:   []string{YAML.String(), Manifest.String(), INI.String()},
}}

// CompareFile reports the differences between p and the definition in a file: sets and counters that only p or only
// the file has, and other names, types, ids and numbers, and counters of which only one has the attribute reference. A set of the file corresponds to the set of p with the same
// GUID, or else with the same name. A counter corresponds to the counter with the same id. An .ini file has no ids
// and no types, so its counters correspond by name. A file without a Provider, such as a header, has no findings.
func (p *Provider) CompareFile(v *validate.Validator, f *File) validate.Result {
	if f.Provider == nil {
		return v.Collect(nil)
	}
	c := fileComparison{want: p, got: f.Provider, ini: f.Form == INI}
	other := f.Provider
	byID, byName := make(map[layout.GUID]int), make(map[string]int)
	for j := range other.CounterSets {
		s := &other.CounterSets[j]
		byName[s.Name.String()] = j
		if !c.ini { // an .ini file has no GUIDs
			byID[other.SetID(s)] = j
		}
	}
	found := make(map[*CounterSet]bool)
	for i := range p.CounterSets {
		set := &p.CounterSets[i]
		j, is := byID[p.SetID(set)]
		if !is {
			j, is = byName[set.Name.String()]
		}
		if !is {
			c.report(other.at.find("counterSets"), layout.Path{}, fmt.Sprintf("the set %s of the definition is missing", quoted(set.Name.String())), "must be present")
			continue
		}
		found[&other.CounterSets[j]] = true
		c.set(set, &other.CounterSets[j], layout.Path{}.At("counterSet", j))
	}
	for j := range other.CounterSets {
		if s := &other.CounterSets[j]; !found[s] {
			c.report(s.at.find(""), layout.Path{}.At("counterSet", j), fmt.Sprintf("the set %s is not in the definition", quoted(s.Name.String())), "must be one of its sets")
		}
	}
	if c.ini {
		c.titles(p, other)
	}
	return v.Collect(c.findings)
}

const byReference = layout.PERF_ATTRIB_BY_REFERENCE

// A fileComparison collects the differences of a file from a definition.
type fileComparison struct {
	want, got *Provider
	ini       bool
	findings  []validate.Finding
}

func (c *fileComparison) report(at place, path layout.Path, got, want string) {
	c.findings = append(c.findings, validate.Finding{Rule: &differsRule.Rule, Path: path, Line: at.line, Column: at.column, Got: got, Want: want})
}

// set compares a set of the definition with the same set of the file.
func (c *fileComparison) set(want, got *CounterSet, path layout.Path) {
	if a, b := want.Name.String(), got.Name.String(); a != b {
		c.report(got.at.find("name"), path.Field("name"), "the name is "+quoted(b), "must be "+quoted(a))
	}
	if !c.ini && want.Instances != got.Instances {
		c.report(got.at.find("instances"), path.Field("instances"), "the instances are "+got.InstancesWord(), "must be "+want.InstancesWord())
	}
	x := got.index()
	found := make(map[int]bool)
	for i := range want.Counters {
		w := &want.Counters[i]
		if c.ini && w.Type.IsBase() && w.Title == nil { // an .ini file has no name for such a base
			continue
		}
		j, is := x.ids[w.ID]
		if c.ini {
			j, is = x.names[w.Name.String()]
		}
		if !is {
			c.report(got.at.find("counters"), path, fmt.Sprintf("the counter %s of the definition is missing", called(w.Name)), "must be present")
			continue
		}
		found[j] = true
		g := &got.Counters[j]
		at := path.At("counter", j)
		if a, b := w.Name.String(), g.Name.String(); a != b {
			c.report(g.at.find("name"), at.Field("name"), "the name is "+called(g.Name), "must be "+quoted(a))
		}
		if !c.ini && w.Type != g.Type {
			c.report(g.at.find("type"), at.Field("type"), fmt.Sprintf("the type of %s is %v", called(g.Name), g.Type), fmt.Sprintf("must be %v", w.Type))
		}
		if a, b := c.want.Attributes(w)&byReference, c.got.Attributes(g)&byReference; !c.ini && a != b {
			got, must := "has", "must not have it"
			if a != 0 {
				got, must = "does not have", "must have it"
			}
			c.report(g.at.find("attributes"), at.Field("attributes"), called(g.Name)+" "+got+" the attribute reference", must)
		}
	}
	for j := range got.Counters {
		if g := &got.Counters[j]; !found[j] {
			c.report(g.at.find(""), path.At("counter", j), fmt.Sprintf("the counter %s is not in the definition", called(g.Name)), "must be one of the counters of the set")
		}
	}
}

// titles compares the numbers of the symbols that both definitions have.
func (c *fileComparison) titles(want, got *Provider) {
	numbers := make(map[string]uint32)
	for _, t := range want.Titles() {
		numbers[t.Symbol] = t.Number
	}
	for _, t := range got.Titles() {
		at := t.Set.at
		if t.Counter != nil {
			at = t.Counter.at
		}
		if number, is := numbers[t.Symbol]; is && number != t.Number {
			c.report(at.find(""), layout.Path{}, fmt.Sprintf("%s is %d in the header", t.Symbol, t.Number), fmt.Sprintf("must be %d", number))
		}
	}
}
