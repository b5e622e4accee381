package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/validate"
)

// settingMapping describes the setting of a rule with a reason.
var settingMapping = mapping[validate.Override]{
	what: "the setting of a rule", unknown: "no key %s: the keys are severity and reason%s",
	keys: []key[validate.Override]{
		{name: "severity", doc: "The severity of findings of the rule.", schema: oneOf(severities()), read: readSeverity},
		{name: "reason", doc: "The reason for this setting. Each finding of the rule repeats it.", schema: schema{"type": "string"}, read: readReason},
	},
}

// rulesMapping has two keys for each rule, its ID and its name. Other keys are patterns.
var rulesMapping = mapping[ruleSettings]{
	what: "rules", unknown: "no rule has the ID or name %s%s",
	keys: ruleKeys(), other: patternKey,
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

// patternMarks are the characters that only a pattern has, and no ID or name.
const patternMarks = "*?["

// patternKey returns the key for a pattern, or nil if the name is not a pattern.
func patternKey(name string) (*key[ruleSettings], error) {
	if !strings.ContainsAny(name, patternMarks) {
		return nil, nil
	}
	if _, err := validate.MatchRules(name); err != nil {
		return nil, fmt.Errorf("%w%s", err, suggest.DidYouMean(name, patterns()))
	}
	return &key[ruleSettings]{name: name, read: func(to *ruleSettings, name, n *yaml.Node) error {
		o, err := readOverride(name.Value, n)
		if err == nil {
			to.patterns = append(to.patterns, o)
			to.origins.set(ruleKey(o), Origin{Line: name.Line})
		}
		return err
	}}, nil
}

// patterns returns the patterns to suggest: for each rule the first words of its name, and the first
// digits of its ID.
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

// rulesOf returns the rules whose ID or name is the text, or matches it as a pattern.
func rulesOf(text string) []*validate.Rule {
	if r, err := validate.FindRule(text); err == nil {
		return []*validate.Rule{r}
	}
	list, _ := validate.MatchRules(text)
	return list
}

// ruleSettings has the overrides of the rules, and the key that set each rule.
type ruleSettings struct {
	patterns, rules []validate.Override
	at              map[*validate.Rule]*yaml.Node
	origins         *origins
}

func (s *ruleSettings) set(r *validate.Rule, name, n *yaml.Node) error {
	if first := s.at[r]; first != nil {
		return yamltext.On(name, "%s is the same rule as %s at %d:%d; remove one", name.Value, first.Value, first.Line, first.Column)
	}
	s.at[r] = name
	o, err := readOverride(r.Name, n)
	if err == nil {
		s.rules = append(s.rules, o)
		s.origins.set(ruleKey(o), Origin{Line: name.Line})
	}
	return err
}

// readOverride reads the setting of rules.
func readOverride(rule string, n *yaml.Node) (validate.Override, error) {
	o := validate.Override{Rule: rule}
	if n.Kind != yaml.MappingNode {
		return o, readSeverity(&o, nil, n)
	}
	if err := settingMapping.read(n, &o); err != nil {
		return o, err
	}
	if o.Severity == validate.AsRule {
		return o, fmt.Errorf("the key severity is required, one of %s", strings.Join(severities(), ", "))
	}
	return o, nil
}

// readRules reads the key rules. If all rules are commented out, the value is null and sets no
// rules.
func readRules(to *[]validate.Override, at *origins, n *yaml.Node) error {
	if yamltext.IsNull(n) {
		return nil
	}
	s := ruleSettings{at: make(map[*validate.Rule]*yaml.Node), origins: at}
	err := rulesMapping.read(n, &s)
	*to = slices.Concat(s.patterns, s.rules) // the last override of a rule applies
	return err
}

// severities lists the words for the severity of a rule.
func severities() []string {
	words := []string{validate.Off.String()}
	for _, s := range validate.Severities() {
		words = append(words, s.String())
	}
	return words
}

// readReason reads a text and joins its lines to one.
func readReason(o *validate.Override, _, n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode || yamltext.IsNull(n) {
		return yamltext.Want(n, "a text")
	}
	o.Reason = strings.Join(strings.Fields(n.Value), " ")
	return nil
}

func readSeverity(o *validate.Override, _, n *yaml.Node) (err error) {
	o.Severity, err = readWord(n, severities(), validate.ParseSeverity)
	return err
}
