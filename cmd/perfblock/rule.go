package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/validate"
)

// findRule returns the rule of that name, or of that ID in letters of any size.
func findRule(text string) (*validate.Rule, error) {
	var known []string
	for _, r := range validate.Rules() {
		if strings.EqualFold(r.Name, text) || strings.EqualFold(r.ID, text) {
			return r, nil
		}
		known = append(known, r.ID, r.Name)
	}
	return nil, fmt.Errorf("no rule has the ID or name %q: perfblock explain lists them%s", text, suggest.DidYouMean(text, known))
}

// ruleNames offers the names of rules to a shell, each with that behind it.
func ruleNames(behind string) []cobra.Completion {
	var list []cobra.Completion
	for _, r := range validate.Rules() {
		list = append(list, cobra.CompletionWithDesc(r.Name+behind, r.Doc))
	}
	return list
}

// A ruleFlag is a flag that takes the ID or the name of a rule.
type ruleFlag struct{ rule *validate.Rule }

func (f *ruleFlag) String() string {
	if f.rule == nil {
		return ""
	}
	return f.rule.Name
}

func (f *ruleFlag) Type() string { return "RULE" }

func (f *ruleFlag) Set(text string) (err error) {
	f.rule, err = findRule(text)
	return err
}

func (f *ruleFlag) flag(cmd *cobra.Command, name, usage string) {
	cmd.Flags().Var(f, name, usage)
	complete := func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return ruleNames(""), cobra.ShellCompDirectiveNoFileComp
	}
	if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag was added above
	}
}

// An overrideFlag is a flag that sets rules to severities, one each time it stands there.
type overrideFlag struct{ list []validate.Override }

func (f *overrideFlag) String() string { return "" } // it has no default

func (f *overrideFlag) Type() string { return "RULE=SEVERITY" }

func (f *overrideFlag) Set(text string) error {
	name, setting, ok := strings.Cut(text, "=")
	if !ok {
		return fmt.Errorf("it is a rule and a severity, such as data-trailing-bytes=off or data-version=warning:REASON")
	}
	r, err := findRule(name)
	if err != nil {
		return err
	}
	word, reason, _ := strings.Cut(setting, ":")
	s, err := validate.ParseSeverity(word)
	if err != nil {
		return fmt.Errorf("%w%s", err, suggest.DidYouMean(word, severityWords()))
	}
	f.list = append(f.list, validate.Override{Rule: r.Name, Severity: s, Reason: strings.TrimSpace(reason)})
	return nil
}

func (f *overrideFlag) flag(cmd *cobra.Command, name, usage string) {
	cmd.Flags().Var(f, name, usage)
	complete := func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		rule, _, named := strings.Cut(typed, "=")
		if !named {
			return ruleNames("="), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		var list []cobra.Completion
		for _, s := range severityWords() {
			list = append(list, rule+"="+s)
		}
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag was added above
	}
}

// severityWords are what a rule can be set to.
func severityWords() []string {
	words := []string{validate.Off.String()}
	for _, s := range validate.Severities() {
		words = append(words, s.String())
	}
	return words
}
