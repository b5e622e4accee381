package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/validate"
)

// fileMapping describes a whole configuration.
var fileMapping = form.Mapping[Config]{What: "a configuration",
	Keys: []form.Key[Config]{
		{Name: "profile", Form: profileForm, Doc: profileDoc + " Default: " + validate.Profiles()[0].String() + ".", Field: func(c *Config) any { return allocate(&c.Profile) }},
		{Name: "fail-on", Form: form.Word(FailOns(), ParseFailOn), Doc: "The lowest severity of a finding that makes perfblock lint and build fail. Default: " + defaultFailOn.String() + ".", Field: func(c *Config) any { return allocate(&c.FailOn) }},
		{Name: "max-findings", Form: maxFindingsForm, Doc: fmt.Sprintf("How many findings of each severity are listed, 0 for all. Findings that are not listed are counted too. Default: %d.", validate.DefaultMaxFindings), Field: func(c *Config) any { return allocate(&c.MaxFindings) }},
		{Name: "rules", Form: rulesForm, Doc: rulesDoc, Field: func(c *Config) any { return ruleSettings{&c.Rules, &c.origins} }},
		{Name: "overrides", Form: overridesForm, Doc: "Settings for some files. The last override that applies to a file has precedence.", Field: func(c *Config) any { return &c.Overrides }},
		{Name: "exclude", Form: excludeForm, Doc: "Globs of files that perfblock lint does not validate. Files that the command line names are always validated. " + globDoc, Field: func(c *Config) any { return &c.Exclude }},
		{Name: "suppressions", Form: suppressionsForm, Doc: "The path of a list of findings that perfblock lint does not report. The path is relative to the folder of the configuration. lint --suppress-existing writes the list.", Field: func(c *Config) any { return &c.Suppressions }},
	},
	Note: func(c *Config, n *yaml.Node) { c.origins.note(n) },
}

const (
	profileDoc = "The profile that sets the severities of rules."
	rulesDoc   = "Severities of single rules, by ID, by name, or by a pattern such as inst-* or PERF14*. They apply in all profiles. An ID or a name has precedence over a pattern. A later pattern has precedence over an earlier pattern."
	globDoc    = "A glob is relative to the folder of the configuration. A glob without a slash matches a name in every folder, and a glob that matches a folder or an archive matches all files in it. ** matches any number of folders."
)

// overrideMapping describes an element of overrides.
var overrideMapping = form.Mapping[Override]{Name: "override", What: "an override",
	Keys: []form.Key[Override]{
		{Name: "paths", Form: pathsForm, Required: true, Doc: "Globs of the files. " + globDoc, Field: func(o *Override) any { return &o.Paths }},
		{Name: "kind", Form: form.Word(fileKinds(), parseFileKind), Doc: "The kind of the blocks, or titles for title databases. The values are those of the flag --kind of perfblock lint.", Field: func(o *Override) any { return allocate(&o.Kind) }},
		{Name: "profile", Form: profileForm, Doc: profileDoc, Field: func(o *Override) any { return allocate(&o.Profile) }},
		{Name: "rules", Form: rulesForm, Doc: rulesDoc, Field: func(o *Override) any { return ruleSettings{&o.Rules, &o.origins} }},
	},
	Note: func(o *Override, n *yaml.Node) { o.origins.note(n) },
}

// allocate sets a field to a pointer to a new zero value. It returns the pointer.
func allocate[T any](field **T) *T {
	*field = new(T)
	return *field
}

// words returns the text of each value.
func words[T fmt.Stringer](values []T) []string {
	var list []string
	for _, v := range values {
		list = append(list, v.String())
	}
	return list
}

var profileForm = form.Word(words(validate.Profiles()), validate.ParseProfile)

// These limits bound the time that perfblock needs to find the settings for a file.
const (
	mostOverrides = 1000
	mostChoices   = 10_000 // texts to which the braces of a glob expand
)

// optional returns a form that also accepts null. If all lines of a value are commented out, YAML reads the value as
// null.
func optional(f *form.Form) *form.Form {
	return &form.Form{
		Schema: orNull(f.Schema),
		Read: func(n *yaml.Node, to any) error {
			if yamltext.IsNull(n) {
				return nil
			}
			return f.Read(n, to)
		},
	}
}

// overridesForm describes a list of overrides. The list can be null.
var overridesForm = optional(&form.Form{
	Schema: overrideList.Schema,
	Read: func(n *yaml.Node, to any) error {
		switch {
		case n.Kind != yaml.SequenceNode:
			return yamltext.Want(n, "a list of overrides, each with paths")
		case len(n.Content) > mostOverrides:
			return fmt.Errorf("has %d overrides, must have at most %d", len(n.Content), mostOverrides)
		}
		return overrideList.Read(n, to)
	},
})

var overrideList = form.List("overrides", &overrideMapping)

// pathsForm describes a list with at least one glob.
var pathsForm = &form.Form{
	Schema: append(globsSchema, form.Member{"minItems", 1}),
	Read: func(n *yaml.Node, to any) error {
		if n.Kind == yaml.SequenceNode && yamltext.Len(n) == 0 {
			return errors.New("has no globs, must have at least one")
		}
		return readGlobs(n, to)
	},
}

// excludeForm describes a list of globs. The list can be null.
var excludeForm = optional(&form.Form{Schema: globsSchema, Read: readGlobs})

func readGlobs(n *yaml.Node, to any) error {
	if n.Kind != yaml.SequenceNode {
		return yamltext.Want(n, "a list of globs such as [captures/, \"*.bin\"]")
	}
	globs := to.(*[]string)
	return form.ReadEach(n, func(_ int, item *yaml.Node) error {
		*globs = append(*globs, item.Value)
		if err := checkGlob(item); err != nil {
			return yamltext.On(item, "%w", err)
		}
		return nil
	})
}

func checkGlob(n *yaml.Node) error {
	glob := n.Value
	switch {
	case n.Kind != yaml.ScalarNode || n.Tag != "!!str" || glob == "":
		return yamltext.Want(n, "a glob")
	case strings.Contains(glob, `\`):
		return fmt.Errorf("%s has \\, must have / between folders on every system; to match the character *, write [*]", quote.Short(glob))
	case slices.Contains(strings.Split(glob, "/"), "..") || slices.Contains(strings.Split(glob, "/"), "."):
		return fmt.Errorf(`%s has "." or ".." as a folder, must be a path inside the folder of the configuration`, quote.Short(glob))
	case math.Pow(float64(strings.Count(glob, ",")+1), float64(strings.Count(glob, "{"))) > mostChoices:
		return fmt.Errorf("%s has too many alternatives in braces; write several globs", quote.Short(glob))
	case !doublestar.ValidatePattern(glob):
		return fmt.Errorf("%s is not a glob: a [ or a { is not closed", quote.Short(glob))
	}
	return nil
}

// suppressionsForm describes the path of a file.
var suppressionsForm = &form.Form{
	Schema: form.Members{{"type", "string"}, {"minLength", 1}},
	Read: func(n *yaml.Node, to any) error {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || n.Value == "" {
			return yamltext.Want(n, "the path of a file")
		}
		*to.(*string) = n.Value
		return nil
	},
}

// maxFindingsForm describes a plain decimal number. It does not accept numbers such as 010: YAML 1.1 reads 010 as
// octal.
var maxFindingsForm = &form.Form{
	Schema: form.IntegerSchema(form.Span{Hi: math.MaxInt32}),
	Read: func(n *yaml.Node, to any) error {
		what := fmt.Sprintf("a whole number from 0 to %d", math.MaxInt32)
		if n.Kind != yaml.ScalarNode || n.Tag != "!!int" {
			return yamltext.Want(n, what)
		}
		most, err := strconv.ParseUint(n.Value, 10, 31)
		if err != nil || strconv.FormatUint(most, 10) != n.Value {
			return fmt.Errorf("is %s, must be %s", quote.Short(n.Value), what)
		}
		*to.(*int) = int(most)
		return nil
	},
}
