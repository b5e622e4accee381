package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	_ "github.com/perfblock/perfblock/definition" // adds its rules, which a configuration can name
	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	_ "github.com/perfblock/perfblock/provider" // adds its rules
	_ "github.com/perfblock/perfblock/samples"  // adds its rules
	"github.com/perfblock/perfblock/validate"
)

var settingMapping = form.Mapping[validate.Override]{Name: "setting", What: "the setting of a rule",
	Keys: []form.Key[validate.Override]{
		{Name: "severity", Form: severityForm, Required: true, Doc: "The severity of findings of the rule.", Field: func(o *validate.Override) any { return &o.Severity }},
		{Name: "reason", Form: reasonForm, Doc: "The reason for this setting. Each finding of the rule shows the reason.", Field: func(o *validate.Override) any { return &o.Reason }},
	},
}

var severityForm = form.Word(Severities(), validate.ParseSeverity)

// Severities returns the values for the severity of a rule.
func Severities() []string {
	return words(append([]validate.Severity{validate.Off}, validate.Severities()...))
}

// reasonForm describes a text. Reading joins the lines of the text to one line.
var reasonForm = &form.Form{
	Schema: form.Members{{"type", "string"}},
	Read: func(n *yaml.Node, to any) error {
		if n.Kind != yaml.ScalarNode || yamltext.IsNull(n) {
			return yamltext.Want(n, "a text")
		}
		*to.(*string) = strings.Join(strings.Fields(n.Value), " ")
		return nil
	},
}

// ruleForm describes the setting of a rule or a pattern. The setting is a severity, or a mapping that has a severity
// and can have a reason.
var ruleForm = &form.Form{
	Schema: form.Ref("rule"),
	Read: func(n *yaml.Node, to any) error {
		o := to.(*validate.Override)
		if n.Kind == yaml.MappingNode {
			return settingMapping.Read(n, o)
		}
		return severityForm.Read(n, &o.Severity)
	},
}

// ruleSettings points to the fields of a configuration that rulesForm sets.
type ruleSettings struct {
	rules   *[]validate.Override // first patterns, then names of rules
	origins *origins
}

// rulesForm describes the settings of rules. The mapping can be null.
var rulesForm = &form.Form{
	Schema: form.Ref("rules"),
	Read: func(n *yaml.Node, to any) error {
		if yamltext.IsNull(n) {
			return nil
		}
		var patterns, rules []validate.Override
		seen := make(map[string]*yaml.Node)
		err := form.ReadKeys(n, "rules", func(name, value *yaml.Node) error {
			rule, err := findRule(name.Value)
			if err != nil {
				return yamltext.On(name, "%w", err)
			}
			if first := seen[rule]; first != nil && first.Value != name.Value {
				return yamltext.On(name, "%s is the same rule as %s at %d:%d; remove one", name.Value, first.Value, first.Line, first.Column)
			} else if first != nil {
				return form.Repeated(name, first)
			}
			seen[rule] = name
			o := validate.Override{Rule: rule}
			if err := ruleForm.Read(value, &o); err != nil {
				return err
			}
			to.(ruleSettings).origins.set(ruleKey(o), Origin{Line: name.Line})
			if isPattern(rule) {
				patterns = append(patterns, o)
			} else {
				rules = append(rules, o)
			}
			return nil
		})
		*to.(ruleSettings).rules = slices.Concat(patterns, rules) // the last override of a rule applies
		return err
	},
}

// findRule accepts the ID or the name of a rule, and returns the name. If the argument is a pattern that matches a
// rule, findRule returns the pattern.
func findRule(text string) (string, error) {
	if isPattern(text) {
		_, err := validate.MatchRules(text)
		if err != nil {
			err = fmt.Errorf("%w%s", err, suggest.DidYouMean(text, patterns()))
		}
		return text, err
	}
	if r, err := validate.FindRule(text); err == nil {
		return r.Name, nil
	}
	var names []string
	for _, r := range validate.Rules() {
		names = append(names, r.ID, r.Name)
	}
	return "", fmt.Errorf("no rule has the ID or name %s%s", quote.Short(text), suggest.DidYouMean(text, names))
}

// isPattern reports whether a text has a character that can be in a pattern but not in an ID or a
// name.
func isPattern(text string) bool { return strings.ContainsAny(text, "*?[") }

// patterns returns the patterns that an error message can suggest, such as inst-* for names and PERF14* for IDs.
func patterns() []string {
	var list []string
	for _, r := range validate.Rules() {
		for i, c := range r.Name {
			if c == '-' {
				list = append(list, r.Name[:i+1]+"*")
			}
		}
		list = append(list, r.ID[:len(r.ID)-2]+"*")
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// ruleSection returns two rows for each rule: one for its ID and one for its name.
func ruleSection() form.Section {
	var s form.Section
	for _, r := range validate.Rules() {
		doc := fmt.Sprintf("%s %s, %v: %s.", r.ID, r.Name, r.Severity, r.Doc)
		s.Rows = append(s.Rows, form.Row{Name: r.ID, Doc: doc, Form: ruleForm}, form.Row{Name: r.Name, Doc: doc, Form: ruleForm})
	}
	return s
}
