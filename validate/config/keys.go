package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"go.yaml.in/yaml/v4"
)

// fileMapping is the whole of a configuration.
var fileMapping = mapping[Config]{
	what: "a configuration", unknown: "the keys are profile, fail-on, max-findings and rules, and none is",
	keys: []key[Config]{
		{name: "profile", doc: "What blocks are held against. Left out: " + validate.Profiles()[0].String() + ".", schema: oneOf(profiles()), read: readProfile},
		{name: "fail-on", doc: "The least severity of a finding by which perfblock lint and build fail. Left out: " + DefaultFailOn.String() + ".", schema: oneOf(FailOns()), read: readFailOn},
		{name: "max-findings", doc: fmt.Sprintf("How many findings of each severity are listed, 0 for all; all are counted. Left out: %d.", validate.DefaultMaxFindings), schema: schema{"type": "integer", "minimum": 0, "maximum": math.MaxInt32}, read: readMaxFindings},
		{name: "rules", doc: "Severities of single rules, by ID or name. They hold under any profile.", schema: ref("rules"), read: readRules},
	},
}

func profiles() []string {
	var names []string
	for _, p := range validate.Profiles() {
		names = append(names, p.String())
	}
	return names
}

// severities are the words by which a rule is set.
func severities() []string {
	words := []string{validate.Off.String()}
	for _, s := range validate.Severities() {
		words = append(words, s.String())
	}
	return words
}

// word reads one of a few words.
func word[T any](n *yaml.Node, words []string, parse func(string) (T, error)) (T, error) {
	var none T
	if n.Kind != yaml.ScalarNode || isNothing(n) {
		return none, fmt.Errorf("wants one of %s, not %s", list(words), yamltext.Describe(n))
	}
	v, err := parse(n.Value)
	if err != nil {
		return none, layout.Faultf(err, "%v%s", err, suggest.DidYouMean(n.Value, words))
	}
	return v, nil
}

func readProfile(c *Config, _, n *yaml.Node) error {
	p, err := word(n, profiles(), validate.ParseProfile)
	c.Profile = &p
	return err
}

func readFailOn(c *Config, _, n *yaml.Node) error {
	s, err := word(n, FailOns(), ParseFailOn)
	c.FailOn = &s
	return err
}

func readMaxFindings(c *Config, _, n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" {
		return fmt.Errorf("wants a whole number from 0 to %d, not %s", math.MaxInt32, yamltext.Describe(n))
	}
	// Decimal alone: a 0 in front is octal to some.
	most, err := strconv.ParseUint(n.Value, 10, 31)
	if err != nil || strconv.FormatUint(most, 10) != n.Value {
		return fmt.Errorf("%s is no whole number from 0 to %d", quote.Short(n.Value), math.MaxInt32)
	}
	c.MaxFindings = new(int(most))
	return nil
}

// readReason reads a text as one on one line, whatever lines it is written on.
func readReason(o *validate.Override, _, n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode || isNothing(n) {
		return fmt.Errorf("wants a text, not %s", yamltext.Describe(n))
	}
	o.Reason = strings.Join(strings.Fields(n.Value), " ")
	return nil
}

func readSeverity(o *validate.Override, _, n *yaml.Node) (err error) {
	o.Severity, err = word(n, severities(), validate.ParseSeverity)
	return err
}
