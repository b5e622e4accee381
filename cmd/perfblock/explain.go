package main

import (
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/rulepage"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

type explainCommand struct {
	output
	kind, format, profile choice
	color                 colouring
}

var explainFormats = []option{
	{"text", "for a terminal"},
	{"markdown", "a section with a heading for a RULE; tables without RULE"},
}

func newExplain() *cobra.Command {
	c := &explainCommand{
		kind:    choice{options: kindOptions(layout.Kinds())},
		format:  choice{value: explainFormats[0].name, options: explainFormats},
		profile: choice{value: profiles()[0].name, options: profiles()},
	}
	cmd := &cobra.Command{
		Use:   "explain [RULE]",
		Short: "Explain a rule: what must hold, why, and how to fix a fault",

		SuggestFor: []string{"rule", "rules"},
		Long: `Explain shows a rule, by its ID or name: what must hold, what happens otherwise, how to
fix it, the sources, and an example. Without RULE it lists all rules with their severities,
or the rules of one kind of block. perfblock lint --help says how to suppress a rule.

Formats:
` + table(explainFormats) + `

Profiles, which set the severity of each rule:
` + table(profiles()) + `

Kinds of block:
` + table(kindOptions(layout.Kinds())),
		Example: `  perfblock explain
  perfblock explain PERF1107
  perfblock explain data-total-length --format markdown
  perfblock explain --profile windows
  perfblock explain --kind query-data`,
		Args: requireArgs("", 0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rules := c.ofKind(validate.Rules())
			if len(args) > 0 {
				if c.kind.value != "" {
					return seeHelp(cmd, errors.New("RULE and --kind exclude each other: --kind lists rules"))
				}
				r, err := findRule(args[0])
				if err != nil {
					return err
				}
				rules = []*validate.Rule{r}
			}
			return c.run(rules, len(args) > 0)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return ruleNames(""), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.flag(cmd, "write to `FILE` or folder/; - is stdout")
	c.kind.flag(cmd, "kind", "list the rules of one kind of block")
	c.format.flag(cmd, "format", "the format of the output")
	c.profile.flag(cmd, "profile", "show the severities of this profile")
	c.color.flag(cmd)
	return cmd
}

// ofKind returns the rules that check the kind of --kind, or all rules without the flag.
func (c *explainCommand) ofKind(rules []*validate.Rule) []*validate.Rule {
	return slices.DeleteFunc(rules, func(r *validate.Rule) bool {
		return c.kind.value != "" && !slices.ContainsFunc(r.Kinds(), func(k layout.Kind) bool { return k.String() == c.kind.value })
	})
}

// run writes the page of rules[0] if page is true, and otherwise a list of the rules.
func (c *explainCommand) run(rules []*validate.Rule, page bool) error {
	p, err := validate.ParseProfile(c.profile.value)
	if err != nil {
		return err
	}
	o := rulepage.Options{Color: c.color.on(c.path), Profile: p}
	base := "rules"
	if page {
		base = rules[0].Name
	}
	markdown := c.format.value == "markdown"
	return c.write(c.file(base+extension(c.format.value)), func(w io.Writer) error {
		w = c.color.writer(w, c.path)
		switch {
		case page && markdown:
			_, err := io.WriteString(w, rulepage.Markdown(rules[0], rulepage.ExampleOf(rules[0])))
			return err
		case page:
			return rulepage.Explain(w, rules[0], rulepage.ExampleOf(rules[0]), o)
		case markdown:
			_, err := io.WriteString(w, rulepage.Table(rules, p))
			return err
		}
		return rulepage.List(w, rules, o)
	})
}
