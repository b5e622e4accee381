package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/validate"
)

// An Origin is the position of a setting in a file. The zero value means that no file has the setting: the setting
// is a default, or the caller made it, for example from a flag.
type Origin struct {
	File     string
	Line     int // counts from 1
	Override int // the number of the override, from 1; 0 if the setting applies to all files
}

// String returns "file:12", or "file:12 (override 2)" for a setting of an override.
func (o Origin) String() string {
	if o.Override == 0 {
		return fmt.Sprintf("%s:%d", o.File, o.Line)
	}
	return fmt.Sprintf("%s:%d (override %d)", o.File, o.Line, o.Override)
}

// origins maps the key of each setting to an Origin. For a rule, [ruleKey] returns the key.
type origins map[string]Origin

// ruleKey returns the key in origins for the setting of a rule or a pattern, such as rules.PERF14*.
func ruleKey(o validate.Override) string { return "rules." + o.Rule }

func (o *origins) set(key string, at Origin) {
	if *o == nil {
		*o = make(origins)
	}
	(*o)[key] = at
}

// note stores the line of each key of the YAML mapping n.
func (o *origins) note(n *yaml.Node) {
	for i := 0; i < len(n.Content); i += 2 {
		o.set(n.Content[i].Value, Origin{Line: n.Content[i].Line})
	}
}

// merged returns the origins of the settings that [Config.With] returns.
func (o origins) merged(over Config) origins {
	all := maps.Clone(o)
	take := func(key string) {
		delete(all, key) // the origin of the overwritten setting
		if at, ok := over.origins[key]; ok {
			all.set(key, at)
		}
	}
	for _, s := range over.values() {
		if s.Set {
			take(s.Key)
		}
	}
	for _, r := range over.Rules {
		take(ruleKey(r))
	}
	return all
}

// Origin returns the position of a setting in a file. key is the key in the file, such as profile. If no file has
// the setting, the result is the zero Origin.
func (c Config) Origin(key string) Origin { return c.origins[key] }

// place sets the file and the override number of each origin. It keeps the line.
func (o origins) place(file string, override int) {
	for key, at := range o {
		o[key] = Origin{file, at.Line, override}
	}
}

// A Setting is the value that applies to a block for one key. Value is written as in a configuration.
type Setting struct {
	Key    string         // such as profile; for a rule its name
	Rule   *validate.Rule // nil if the setting is not for a rule
	Value  string
	Reason string // of a rule
	Set    bool   // false if the value is a default
	Origin Origin
}

// Settings returns the settings of c in this order: profile, fail-on and max-findings; kind and suppressions, if
// they are set; and the rules that are set, in the order of IDs. Overrides and excluded files are not in the
// result.
func (c Config) Settings() []Setting {
	list := slices.DeleteFunc(c.values(), func(s Setting) bool { return s.Value == "" })
	for i := range list {
		list[i].Origin = c.origins[list[i].Key]
	}
	set := make(map[*validate.Rule]validate.Override)
	for _, o := range c.Rules {
		matched, _ := validate.MatchRules(o.Rule)
		for _, r := range matched {
			set[r] = o
		}
	}
	for _, r := range validate.Rules() {
		if o, ok := set[r]; ok {
			list = append(list, Setting{r.Name, r, o.Severity.String(), o.Reason, true, c.origins[ruleKey(o)]})
		}
	}
	return list
}

// values returns the settings except rules, overrides and excluded files. A setting that is not set has its
// default, or "" if there is no default.
func (c Config) values() []Setting {
	failOn, most, kind := c.Threshold().String(), validate.DefaultMaxFindings, ""
	if c.Threshold() == validate.Off {
		failOn = never
	}
	if c.MaxFindings != nil {
		most = *c.MaxFindings
	}
	if c.Kind != nil {
		kind = c.Kind.String()
	}
	return []Setting{
		{Key: "profile", Value: c.Options().Profile.String(), Set: c.Profile != nil},
		{Key: "fail-on", Value: failOn, Set: c.FailOn != nil},
		{Key: "max-findings", Value: strconv.Itoa(most), Set: c.MaxFindings != nil},
		{Key: "kind", Value: kind, Set: c.Kind != nil},
		{Key: "suppressions", Value: c.Suppressions, Set: c.Suppressions != ""},
	}
}
