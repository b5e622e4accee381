package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

// findRule returns the rule with the given name or ID, in upper or lower case.
func findRule(text string) (*validate.Rule, error) {
	var known []string
	for _, r := range validate.Rules() {
		if strings.EqualFold(r.Name, text) || strings.EqualFold(r.ID, text) {
			return r, nil
		}
		known = append(known, r.ID, r.Name)
	}
	meant := cmp.Or(suggest.Key(text, known), suggest.DidYouMean("PERF"+text, known))
	return nil, fmt.Errorf("no rule has the ID or name %q (perfblock explain lists all rules)%s", text, meant)
}

// ruleNames returns the names of all rules, each followed by suffix, for shell completion.
func ruleNames(suffix string) []cobra.Completion {
	var list []cobra.Completion
	for _, r := range validate.Rules() {
		list = append(list, cobra.CompletionWithDesc(r.Name+suffix, r.Doc))
	}
	return list
}

// A breakFlag is the value of a flag that accepts the ID or the name of a rule, or the word all.
type breakFlag struct {
	rule *validate.Rule
	all  bool
}

const allRules = "all"

func (f *breakFlag) String() string { return "" } // the help shows no default

func (f *breakFlag) Type() string { return "RULE|" + allRules }

func (f *breakFlag) Set(text string) (err error) {
	if f.all, f.rule = text == allRules, nil; !f.all {
		f.rule, err = findRule(text)
	}
	return err
}

func (f *breakFlag) flag(cmd *cobra.Command) {
	cmd.Flags().Var(f, "break", "make a block that breaks a rule, or one for each rule")
	setCompletion(cmd, "break", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return append(ruleNames(""), cobra.CompletionWithDesc(allRules, "a block for each rule")), cobra.ShellCompDirectiveNoFileComp
	})
}

// isPattern reports whether a text is a pattern for several rules.
func isPattern(text string) bool { return strings.ContainsAny(text, "*?[") }

// matchRules returns the rules that a pattern matches, ignoring case. For INST-*, the returned pattern is inst-*.
func matchRules(text string) (pattern string, rules []*validate.Rule, err error) {
	for _, pattern := range []string{text, strings.ToLower(text), strings.ToUpper(text)} {
		if rules, err = validate.MatchRules(pattern); err == nil {
			return pattern, rules, nil
		}
	}
	_, err = validate.MatchRules(text)
	return "", nil, fmt.Errorf("%w; perfblock explain lists all rules", err)
}

// An overrideFlag is a flag that sets the severity of rules, such as --rule inst-*=off. The user may give the flag
// many times.
type overrideFlag struct{ patterns, rules []validate.Override }

// list returns the overrides, first those of patterns. A later override has precedence, so an override of a rule has
// precedence over an override of a pattern.
func (f *overrideFlag) list() []validate.Override { return slices.Concat(f.patterns, f.rules) }

func (f *overrideFlag) String() string { return "" } // the help shows no default

func (f *overrideFlag) Type() string { return "RULE=SEVERITY" }

func (f *overrideFlag) Set(text string) error {
	name, setting, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("must be a rule and a severity, such as data-trailing-bytes=off or data-version=warning:REASON")
	}
	o, to := validate.Override{}, &f.rules
	if isPattern(name) {
		pattern, _, err := matchRules(name)
		if err != nil {
			return err
		}
		o.Rule, to = pattern, &f.patterns
	} else {
		r, err := findRule(name)
		if err != nil {
			return err
		}
		o.Rule = r.Name
	}
	word, reason, _ := strings.Cut(setting, ":")
	s, err := validate.ParseSeverity(word)
	if err != nil {
		return fmt.Errorf("%w%s", err, suggest.DidYouMean(word, config.Severities()))
	}
	o.Severity, o.Reason = s, strings.TrimSpace(reason)
	*to = append(*to, o)
	return nil
}

func (f *overrideFlag) flag(cmd *cobra.Command) {
	cmd.Flags().Var(f, "rule", "set the severity of a RULE or pattern (\"off\" for none)")
	setCompletion(cmd, "rule", func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		rule, _, named := strings.Cut(typed, "=")
		if !named {
			return ruleNames("="), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
		}
		var list []cobra.Completion
		for _, s := range config.Severities() {
			list = append(list, rule+"="+s)
		}
		return list, cobra.ShellCompDirectiveKeepOrder | cobra.ShellCompDirectiveNoFileComp
	})
}
