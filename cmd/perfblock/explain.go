package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/rulepage"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

type explainCommand struct {
	output
	search                string
	kind, format, profile choice
	color                 colouring
}

var explainFormats = []option{
	{"text", "for a terminal"},
	{"markdown", "a section about one RULE, or tables with several rules"},
}

func newExplain() *cobra.Command {
	c := &explainCommand{}
	cmd := &cobra.Command{
		Use:   "explain [RULE|EVENT]",
		Short: "Explain a rule: what must hold, why, and how to fix a fault",

		SuggestFor: []string{"rule", "rules"},
		Long: `Explain shows a rule, by its ID or name: what must hold, what happens otherwise, how to
fix it, the sources, and an example. Without RULE it lists all rules with their severities.
These arguments and flags select the rules to list:

  a pattern with * or ?     of the ID or name, such as inst-* or PERF14*
  an EVENT                  the ID of an event that Perflib logs, such as 1003
  --kind KIND               the rules of one kind of block
  --search "WORD WORD"      rules whose page has all these words, in upper or lower case

perfblock lint --help says how to suppress a rule.
` + section("Formats", explainFormats) + profileHelp() + section("Kinds of block", kindOptions(layout.Kinds())),
		Example: `  perfblock explain
  perfblock explain PERF1107
  perfblock explain data-total-length --format markdown
  perfblock explain --profile windows
  perfblock explain --kind query-data
  perfblock explain 'inst-*'
  perfblock explain 1003
  perfblock explain --search padding`,
		Args: requireArgs("", 0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && (c.kind.value != "" || c.search != "") {
				return seeHelp(cmd, errors.New("RULE cannot be combined with --kind and --search, which list rules"))
			}
			rules, page, err := c.find(args)
			if err != nil {
				return err
			}
			return c.run(rules, page)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return ruleNames(""), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.flag(cmd, "write to `FILE`, folder/, or \"-\" (stdout)")
	c.kind.flag(cmd, "kind", "list the rules of one kind of block", kindOptions(layout.Kinds()))
	cmd.Flags().StringVar(&c.search, "search", "", "list the rules whose page has all `WORDS`")
	noFiles(cmd, "search")
	c.format.preset(cmd, "format", "the format of the output", explainFormats)
	c.profile.preset(cmd, "profile", "show the severities of this profile", profiles())
	c.color.flag(cmd)
	return cmd
}

// find returns the rules to show. page is true if args name one rule: explain then shows the page of the rule instead
// of a list.
func (c *explainCommand) find(args []string) (rules []*validate.Rule, page bool, err error) {
	if len(args) > 0 {
		return rulesOf(args[0])
	}
	words := strings.Fields(strings.ToLower(c.search))
	for _, r := range validate.Rules() {
		isKind := func(k layout.Kind) bool { return k.String() == c.kind.value }
		text := strings.ToLower(r.ID + " " + r.Name + "\n" + rulepage.Text(r))
		lacks := func(word string) bool { return !strings.Contains(text, word) }
		if (c.kind.value == "" || slices.ContainsFunc(r.Kinds(), isKind)) && !slices.ContainsFunc(words, lacks) {
			rules = append(rules, r)
		}
	}
	if len(rules) == 0 {
		of := ""
		if c.kind.value != "" {
			of = " of the kind " + c.kind.value
		}
		return nil, false, fmt.Errorf("no rule%s has all words of %q", of, c.search)
	}
	return rules, false, nil
}

// rulesOf returns the rules for the argument of explain: the name or ID of a rule, a pattern, or the number of an
// event. page is true if the argument names one rule.
func rulesOf(text string) (rules []*validate.Rule, page bool, err error) {
	event, _ := strconv.Atoi(text)
	_, known := validate.FindEvent(event)
	switch {
	case isPattern(text):
		_, rules, err = matchRules(text)
		return rules, false, err
	case !known:
		r, err := findRule(text)
		return []*validate.Rule{r}, true, err
	}
	for _, r := range validate.Rules() {
		if r.Event == event {
			rules = append(rules, r)
		}
	}
	return rules, false, nil
}

// run writes the page of rules[0] if page is true, and otherwise a list of the rules.
func (c *explainCommand) run(rules []*validate.Rule, page bool) error {
	p := validate.Profiles()[c.profile.chosen()]
	o := rulepage.Options{Color: c.color.enabled(c.path), Profile: p}
	base := "rules"
	if page {
		base = rules[0].Name
	}
	markdown := c.format.value == "markdown"
	return c.writeFile(c.file(base+extension(c.format.value)), func(w io.Writer) error {
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
