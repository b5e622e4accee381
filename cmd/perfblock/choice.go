package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// A choice is a flag that takes one of a few words. Its help, its completion and
// what it says to a wrong word come from the table of options.
type choice struct {
	value   string
	options []option
}

type option struct{ name, doc string }

func (c *choice) String() string { return c.value }

// Type stands in the help behind the flag's name; many words have a table of
// their own there.
func (c *choice) Type() string {
	if words := strings.Join(c.names(), "|"); len(words) <= 30 {
		return words
	}
	return "NAME"
}

func (c *choice) Set(s string) error {
	for _, o := range c.options {
		if o.name == s {
			c.value = s
			return nil
		}
	}
	return fmt.Errorf("it is one of %s%s", strings.Join(c.names(), ", "), didYouMean(s, c.names()))
}

func (c *choice) names() []string { return names(c.options) }

func names(options []option) []string {
	var list []string
	for _, o := range options {
		list = append(list, o.name)
	}
	return list
}

// flag gives the command the choice as a flag.
func (c *choice) flag(cmd *cobra.Command, name, usage string) {
	cmd.Flags().Var(c, name, usage)
	complete := func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var list []cobra.Completion
		for _, o := range c.options {
			list = append(list, cobra.CompletionWithDesc(o.name, o.doc))
		}
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
	if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag was added above
	}
}

// table lists options for a help text.
func table(options []option) string {
	width := 0
	for _, o := range options {
		width = max(width, len(o.name))
	}
	var b strings.Builder
	for _, o := range options {
		fmt.Fprintf(&b, "  %-*s  %s\n", width, o.name, o.doc)
	}
	return strings.TrimRight(b.String(), "\n")
}
