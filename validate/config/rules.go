package config

import (
	"fmt"

	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/validate"
	"go.yaml.in/yaml/v4"
)

// settingMapping is what a rule is set to where more is said than a severity.
var settingMapping = mapping[validate.Override]{
	what: "what a rule is set to", unknown: "the keys are severity and reason, and none is",
	keys: []key[validate.Override]{
		{name: "severity", doc: "As what findings of the rule are reported.", schema: oneOf(severities()), read: readSeverity},
		{name: "reason", doc: "Why; findings repeat it.", schema: schema{"type": "string"}, read: readReason},
	},
}

// ruleSettings are the overrides and, of each rule, the key that set it.
type ruleSettings struct {
	list []validate.Override
	at   map[*validate.Rule]*yaml.Node
}

// rulesMapping has each rule twice, by its ID and by its name.
var rulesMapping = mapping[ruleSettings]{
	what: "rules", unknown: "no rule has the ID or name",
	keys: ruleKeys(),
}

func ruleKeys() []key[ruleSettings] {
	var keys []key[ruleSettings]
	for _, r := range validate.Rules() {
		doc := fmt.Sprintf("%s %s, %v: %s.", r.ID, r.Name, r.Severity, r.Doc)
		read := func(to *ruleSettings, name, n *yaml.Node) error { return to.set(r, name, n) }
		keys = append(keys, key[ruleSettings]{r.ID, doc, ref("rule"), read}, key[ruleSettings]{r.Name, doc, ref("rule"), read})
	}
	return keys
}

func (s *ruleSettings) set(r *validate.Rule, name, n *yaml.Node) error {
	if first := s.at[r]; first != nil {
		return yamltext.On(name, "%s and %s, at %d:%d, are one rule", name.Value, first.Value, first.Line, first.Column)
	}
	s.at[r] = name
	o := validate.Override{Rule: r.Name}
	if n.Kind != yaml.MappingNode {
		if err := readSeverity(&o, name, n); err != nil {
			return err
		}
	} else if err := settingMapping.read(n, &o); err != nil {
		return err
	}
	if o.Severity == validate.AsRule {
		return fmt.Errorf("wants a severity, one of %s", list(severities()))
	}
	s.list = append(s.list, o)
	return nil
}

// readRules takes nothing for no rules: it is what is left where all are commented out.
func readRules(c *Config, _, n *yaml.Node) error {
	if isNothing(n) {
		return nil
	}
	s := ruleSettings{at: make(map[*validate.Rule]*yaml.Node)}
	err := rulesMapping.read(n, &s)
	c.Rules = s.list
	return err
}
