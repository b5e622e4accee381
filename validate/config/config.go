// Package config reads the file .perfblock.yaml, in which a project sets how perfblock
// validates its blocks.
//
//	profile: windows      # strict, windows or nt4
//	fail-on: warning      # error, warning, info or never
//	max-findings: 100     # the most to list of each severity; 0 lists all
//	rules:
//	  inst-name-duplicate: {severity: off, reason: "names repeat by design"}
//	  PERF14*: warning
//	overrides:
//	  - paths: [queries/, "*.qd"]
//	    kind: query-data
//	    profile: strict
//	exclude: [old/]
//	suppressions: known.yaml
//
// A [Config] has only the settings in the file. [Config.For] returns the settings for one block file.
// [Config.With] combines two Configs, for example the settings in the file and the flags of a command.
//
// The keys of rules are IDs, names, or patterns such as PERF14* (see [validate.MatchRules]). An ID or
// a name has precedence over a pattern. A later pattern has precedence over an earlier pattern.
//
// Paths are globs, relative to the folder of .perfblock.yaml, with / between folders on every system.
// ** matches any number of folders, and {a,b} matches a or b. A glob such as *.qd or queries/, which has
// no slash except at its end, matches a name in every folder. The glob /a.bin matches a.bin only in the
// folder of .perfblock.yaml. A glob that matches a folder or an archive matches all files in it.
//
// An error in the file is an [*Error] with line and column. If the file has several errors, the returned
// error lists them in the order of their places, and unwraps to each [*Error]. YAML anchors, aliases,
// tags, directives and a second document are errors. docs/schema/perfblock-config.schema.json is the
// JSON Schema of the file, for editors.
package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// FileName is the name of the configuration file. [Find] also accepts the extension .yml.
const FileName = ".perfblock.yaml"

// A Config has the settings of a configuration file. A nil field means that the file does not set the field. The
// zero value sets nothing.
type Config struct {
	Kind        *FileKind // in a configuration file, only an override can set it
	Profile     *validate.Profile
	FailOn      *validate.Severity  // the lowest severity that makes a block fail; Off means never
	MaxFindings *int                // largest number of listed findings of each severity, 0 for all
	Rules       []validate.Override // first patterns, then names of rules, each in the order of the file
	Overrides   []Override          // in the order of the file; the last one that applies has precedence
	Exclude     []string            // globs of files that are not validated: see [Config.Excluded]

	// Suppressions is the path of a list of findings, relative to the folder of the file. perfblock
	// lint does not report the findings in the list. "" means no list.
	Suppressions string

	origins origins
}

// Options returns the settings as options of a validator.
func (c Config) Options() validate.Options {
	o := validate.Options{Overrides: c.Rules}
	if c.Profile != nil {
		o.Profile = *c.Profile
	}
	if c.MaxFindings != nil {
		o.MaxFindings = *c.MaxFindings
		if o.MaxFindings == 0 {
			o.MaxFindings = -1
		}
	}
	return o
}

// Threshold returns the lowest severity of a finding that makes a block fail. Off means that findings never make a
// block fail. The caller passes the result to [validate.Counts.AtLeast].
func (c Config) Threshold() validate.Severity {
	if c.FailOn != nil {
		return *c.FailOn
	}
	return defaultFailOn
}

// With merges c and the argument. If both have a setting, the setting of the argument applies. Rules, Overrides
// and Exclude are lists: the result has the elements of c, and then the elements of the argument.
func (c Config) With(over Config) Config {
	c.origins = c.origins.merged(over)
	c.Kind = cmp.Or(over.Kind, c.Kind)
	c.Profile = cmp.Or(over.Profile, c.Profile)
	c.FailOn = cmp.Or(over.FailOn, c.FailOn)
	c.MaxFindings = cmp.Or(over.MaxFindings, c.MaxFindings)
	c.Suppressions = cmp.Or(over.Suppressions, c.Suppressions)
	c.Rules = slices.Concat(c.Rules, over.Rules) // the last override of a rule applies
	c.Overrides = slices.Concat(c.Overrides, over.Overrides)
	c.Exclude = slices.Concat(c.Exclude, over.Exclude)
	return c
}

// defaultFailOn is the default of fail-on.
const defaultFailOn = validate.Error

// never is the value of fail-on that means [validate.Off].
const never = "never"

// FailOns lists the values of fail-on, the default first. A value is the lowest severity of a finding that makes a
// block fail.
func FailOns() []string {
	list := words(validate.Severities())
	slices.Reverse(list)
	return append(list, never)
}

// ParseFailOn returns the severity for a value from [FailOns], and [validate.Off] for never. The error wraps
// [layout.ErrRange].
func ParseFailOn(text string) (validate.Severity, error) {
	if text == never {
		return validate.Off, nil
	}
	if s, err := validate.ParseSeverity(text); err == nil && s != validate.Off {
		return s, nil
	}
	return 0, layout.Faultf(layout.ErrRange, "no threshold %q: must be one of %s", text, strings.Join(FailOns(), ", "))
}

// An Error is an error in a configuration. Line and Column count from 1, and Column counts characters. Both are 0
// if the position is not known.
type Error struct {
	File         string
	Line, Column int
	Err          error
}

// Error returns "file:12:5: message".
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }
