// Package config is the file .perfblock.yaml, by which a project says how its
// blocks are judged.
//
//	profile: windows      # strict, windows or nt4
//	fail-on: warning      # error, warning, info or never
//	max-findings: 100     # listed of each severity; 0 for all
//	rules:
//	  inst-name-duplicate: {severity: off, reason: "names repeat by design"}
//	  PERF1404: warning
//
// The one idea to know: a [Config] has what the file sets and nothing else, so that
// who asks for something by other means can put it on top. A rule goes by its ID
// or its name.
//
// Every error in a text is an [*Error] with line and column, and says what could
// stand there. Anchors, aliases, tags and directives of YAML are refused, as is a
// second document. [Schema] describes the file to editors.
package config

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/validate"
)

// FileName is what the file is called.
const FileName = ".perfblock.yaml"

// A Config is what a file sets. What is nil is not set; the zero value sets nothing.
type Config struct {
	Profile     *validate.Profile
	FailOn      *validate.Severity  // the least that fails; Off is never
	MaxFindings *int                // listed of each severity, 0 for all
	Rules       []validate.Override // in the order of the file, each rule by its name
}

// Options returns how to judge by the configuration.
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

// Threshold returns the least severity of a finding that fails a block: for
// [validate.Counts.AtLeast], of which nothing is at least Off.
func (c Config) Threshold() validate.Severity {
	if c.FailOn != nil {
		return *c.FailOn
	}
	return DefaultFailOn
}

// With returns the configuration with what over sets on top. Of settings of one
// rule those of over hold.
func (c Config) With(over Config) Config {
	if over.Profile != nil {
		c.Profile = over.Profile
	}
	if over.FailOn != nil {
		c.FailOn = over.FailOn
	}
	if over.MaxFindings != nil {
		c.MaxFindings = over.MaxFindings
	}
	c.Rules = slices.Concat(c.Rules, over.Rules) // of two for a rule, the later one holds
	return c
}

// An Error is a fault of a text, and the place in it. Line and Column count from 1,
// columns in characters.
type Error struct {
	File         string
	Line, Column int
	Err          error
}

// Error returns "file:12:5: message".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Column, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }
