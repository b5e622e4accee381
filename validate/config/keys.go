package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// fileMapping describes a whole configuration.
var fileMapping = mapping[Config]{
	what: "a configuration", unknown: "no key %s: the keys are profile, fail-on, max-findings, rules, overrides, exclude and suppressions%s",
	keys: []key[Config]{
		{name: "profile", doc: profileDoc + " Default: " + validate.Profiles()[0].String() + ".", schema: oneOf(profiles()), read: func(c *Config, _, n *yaml.Node) error { return readProfile(&c.Profile, n) }},
		{name: "fail-on", doc: "The lowest severity of a finding that makes perfblock lint and build fail. Default: " + DefaultFailOn.String() + ".", schema: oneOf(FailOns()), read: readFailOn},
		{name: "max-findings", doc: fmt.Sprintf("How many findings of each severity are listed, 0 for all. Findings that are not listed are counted too. Default: %d.", validate.DefaultMaxFindings), schema: schema{"type": "integer", "minimum": 0, "maximum": math.MaxInt32}, read: readMaxFindings},
		{name: "rules", doc: rulesDoc, schema: ref("rules"), read: func(c *Config, _, n *yaml.Node) error { return readRules(&c.Rules, &c.origins, n) }},
		{name: "overrides", doc: "Settings for some files. The last override that applies to a file has precedence.", schema: orNull(listOf(ref("override"))), read: readOverrides},
		{name: "exclude", doc: "Globs of files that perfblock lint leaves out when it finds them in a folder or an archive. " + globDoc, schema: orNull(listOf(globSchema)), read: readExclude},
		{name: "suppressions", doc: "The file with the findings that perfblock lint does not report, relative to the folder of the configuration. lint --suppress-existing writes it.", schema: schema{"type": "string", "minLength": 1}, read: readSuppressions},
	},
	note: func(c *Config, key string, line int) { c.origins.set(key, Origin{Line: line}) },
}

const (
	profileDoc = "The profile that sets the severities of rules."
	rulesDoc   = "Severities of single rules, by ID or name, or by a pattern of either such as inst-* or PERF14*. They apply in all profiles. An ID or a name has precedence over a pattern, and a later pattern over an earlier one."
	globDoc    = "A glob is relative to the folder of the configuration. A glob without a slash matches a name in every folder, and one that matches a folder or an archive matches all files in it. ** matches any number of folders."
)

// overrideMapping describes an element of overrides.
var overrideMapping = mapping[Override]{
	what: "an override", unknown: "no key %s: the keys of an override are paths, kind, profile and rules%s",
	keys: []key[Override]{
		{name: "paths", doc: "Globs of the files. " + globDoc, schema: atLeastOne(listOf(globSchema)), read: func(o *Override, _, n *yaml.Node) error { return readGlobs(&o.Paths, n) }},
		{name: "kind", doc: "The kind of the blocks, as for --kind.", schema: oneOf(kinds()), read: readKind},
		{name: "profile", doc: profileDoc, schema: oneOf(profiles()), read: func(o *Override, _, n *yaml.Node) error { return readProfile(&o.Profile, n) }},
		{name: "rules", doc: rulesDoc, schema: ref("rules"), read: func(o *Override, _, n *yaml.Node) error { return readRules(&o.Rules, &o.origins, n) }},
	},
	note: func(o *Override, key string, line int) { o.origins.set(key, Origin{Line: line}) },
}

// These limits bound the time to find the settings for a file.
const (
	mostOverrides = 1000
	mostChoices   = 10_000 // texts to which the braces of a glob expand
)

func readOverrides(c *Config, _, n *yaml.Node) error {
	if yamltext.IsNull(n) {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return yamltext.Want(n, "a list of overrides, each with paths")
	}
	if len(n.Content) > mostOverrides {
		return fmt.Errorf("has %d overrides, must have at most %d", len(n.Content), mostOverrides)
	}
	var faults yamltext.Faults
	for _, one := range yamltext.Items(n) {
		var o Override
		if err := overrideMapping.read(one, &o); err != nil {
			faults.Add(err)
		} else if len(o.Paths) == 0 {
			faults.Add(yamltext.On(one, "an override requires the key paths, a list of globs"))
		}
		c.Overrides = append(c.Overrides, o)
	}
	return faults.Err()
}

func readExclude(c *Config, _, n *yaml.Node) error {
	if yamltext.IsNull(n) {
		return nil
	}
	return readGlobs(&c.Exclude, n)
}

func readSuppressions(c *Config, _, n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || n.Value == "" {
		return yamltext.Want(n, "the path of a file")
	}
	c.Suppressions = n.Value
	return nil
}

// readGlobs reads a list of globs.
func readGlobs(to *[]string, n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return yamltext.Want(n, "a list of globs such as [captures/, \"*.bin\"]")
	}
	var faults yamltext.Faults
	for _, item := range yamltext.Items(n) {
		if err := checkGlob(item); err != nil {
			faults.Add(yamltext.On(item, "%w", err))
		}
		*to = append(*to, item.Value)
	}
	return faults.Err()
}

func checkGlob(n *yaml.Node) error {
	glob := n.Value
	switch {
	case n.Kind != yaml.ScalarNode || n.Tag != "!!str" || glob == "":
		return yamltext.Want(n, "a glob")
	case strings.Contains(glob, `\`):
		return fmt.Errorf("%s has \\, must have / between folders on every system; write [*] to match a *", quote.Short(glob))
	case slices.Contains(strings.Split(glob, "/"), "..") || slices.Contains(strings.Split(glob, "/"), "."):
		return fmt.Errorf("%s has the step . or .., must be a path in the folder of the configuration", quote.Short(glob))
	case math.Pow(float64(strings.Count(glob, ",")+1), float64(strings.Count(glob, "{"))) > mostChoices:
		return fmt.Errorf("%s has too many texts in braces; write several globs", quote.Short(glob))
	case !doublestar.ValidatePattern(glob):
		return fmt.Errorf("%s is not a glob: a [ or a { is not closed", quote.Short(glob))
	}
	return nil
}

func kinds() []string {
	var names []string
	for _, k := range layout.Kinds() {
		names = append(names, k.String())
	}
	return names
}

func profiles() []string {
	var names []string
	for _, p := range validate.Profiles() {
		names = append(names, p.String())
	}
	return names
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

func readProfile(to **validate.Profile, n *yaml.Node) error {
	p, err := readWord(n, profiles(), validate.ParseProfile)
	*to = &p
	return err
}

func readKind(o *Override, _, n *yaml.Node) error {
	k, err := readWord(n, kinds(), layout.ParseKind)
	o.Kind = &k
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
