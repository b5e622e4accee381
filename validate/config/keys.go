package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// fileMapping describes a whole configuration.
var fileMapping = mapping[Config]{
	what: "a configuration", unknown: "no key %s: the keys are profile, fail-on, max-findings and rules%s",
	keys: []key[Config]{
		{name: "profile", doc: "The profile that sets the severities of rules. Default: " + validate.Profiles()[0].String() + ".", schema: oneOf(profiles()), read: readProfile},
		{name: "fail-on", doc: "The lowest severity of a finding that makes perfblock lint and build fail. Default: " + DefaultFailOn.String() + ".", schema: oneOf(FailOns()), read: readFailOn},
		{name: "max-findings", doc: fmt.Sprintf("How many findings of each severity are listed, 0 for all. Findings that are not listed are counted too. Default: %d.", validate.DefaultMaxFindings), schema: schema{"type": "integer", "minimum": 0, "maximum": math.MaxInt32}, read: readMaxFindings},
		{name: "rules", doc: "Severities of single rules, by ID or name. They apply in all profiles.", schema: ref("rules"), read: readRules},
	},
}

// settingMapping describes the setting of a rule with a reason.
var settingMapping = mapping[validate.Override]{
	what: "the setting of a rule", unknown: "no key %s: the keys are severity and reason%s",
	keys: []key[validate.Override]{
		{name: "severity", doc: "The severity of findings of the rule.", schema: oneOf(severities()), read: readSeverity},
		{name: "reason", doc: "The reason for this setting. Each finding of the rule repeats it.", schema: schema{"type": "string"}, read: readReason},
	},
}

// rulesMapping has two keys for each rule, its ID and its name.
var rulesMapping = mapping[ruleSettings]{
	what: "rules", unknown: "no rule has the ID or name %s%s",
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

// ruleSettings has the overrides of the rules, and the key that set each rule.
type ruleSettings struct {
	list []validate.Override
	at   map[*validate.Rule]*yaml.Node
}

func (s *ruleSettings) set(r *validate.Rule, name, n *yaml.Node) error {
	if first := s.at[r]; first != nil {
		return yamltext.On(name, "%s is the same rule as %s at %d:%d; remove one", name.Value, first.Value, first.Line, first.Column)
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
		return fmt.Errorf("the key severity is required, one of %s", strings.Join(severities(), ", "))
	}
	s.list = append(s.list, o)
	return nil
}

// readRules reads the key rules. If all rules are commented out, the value is null and sets no
// rules.
func readRules(c *Config, _, n *yaml.Node) error {
	if yamltext.IsNull(n) {
		return nil
	}
	s := ruleSettings{at: make(map[*validate.Rule]*yaml.Node)}
	err := rulesMapping.read(n, &s)
	c.Rules = s.list
	return err
}

func profiles() []string {
	var names []string
	for _, p := range validate.Profiles() {
		names = append(names, p.String())
	}
	return names
}

// severities lists the words for the severity of a rule.
func severities() []string {
	words := []string{validate.Off.String()}
	for _, s := range validate.Severities() {
		words = append(words, s.String())
	}
	return words
}

// readWord returns the value of one of the given words.
func readWord[T any](n *yaml.Node, words []string, parse func(string) (T, error)) (T, error) {
	var none T
	if n.Kind != yaml.ScalarNode || yamltext.IsNull(n) {
		return none, yamltext.Want(n, "one of "+strings.Join(words, ", "))
	}
	v, err := parse(n.Value)
	if err != nil {
		return none, layout.Faultf(err, "%v%s", err, suggest.DidYouMean(n.Value, words))
	}
	return v, nil
}

func readProfile(c *Config, _, n *yaml.Node) error {
	p, err := readWord(n, profiles(), validate.ParseProfile)
	c.Profile = &p
	return err
}

func readFailOn(c *Config, _, n *yaml.Node) error {
	s, err := readWord(n, FailOns(), ParseFailOn)
	c.FailOn = &s
	return err
}

func readMaxFindings(c *Config, _, n *yaml.Node) error {
	what := fmt.Sprintf("a whole number from 0 to %d", math.MaxInt32)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" {
		return yamltext.Want(n, what)
	}
	// Only plain decimal numbers are valid, because YAML readers differ on the meaning of 010.
	most, err := strconv.ParseUint(n.Value, 10, 31)
	if err != nil || strconv.FormatUint(most, 10) != n.Value {
		return fmt.Errorf("is %s, must be %s", quote.Short(n.Value), what)
	}
	c.MaxFindings = new(int(most))
	return nil
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
