package rulepage_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	_ "github.com/perfblock/perfblock/definition" // adds its rules
	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/internal/rulepage"
	"github.com/perfblock/perfblock/layout"
	_ "github.com/perfblock/perfblock/provider" // adds its rules
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
)

const (
	exampleFile = "examples.txtar"
	rulesPage   = "../../docs/rules.md"
	mostLines   = 6 // the largest number of lines of one block in an example
)

func TestExamples(t *testing.T) {
	t.Parallel()
	cases, err := fixture.RuleCases("../../testdata/rules")
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := fixture.PairCases("../../samples/testdata/rules")
	if err != nil {
		t.Fatal(err)
	}
	var archive txtar.Archive
	for _, r := range validate.Rules() {
		note, wrong, right, ok := textExample(t, r)
		if i := slices.IndexFunc(cases, func(c fixture.RuleCase) bool { return c.Rule == r.Name }); i >= 0 {
			c := cases[i]
			note = c.Note
			wrong, right = example(t, c.Kind, c.Broken, c.Near, c.Differs, validate.Bytes(c.Kind, c.Broken, c.Context))
		} else if i := slices.IndexFunc(pairs, func(c fixture.PairCase) bool { return c.Rule == r.Name }); i >= 0 {
			c := pairs[i]
			note = c.Note
			sample := func(b []byte) samples.Sample { return samples.Sample{Kind: c.Kind, Bytes: b, Context: c.Context} }
			wrong, right = example(t, c.Kind, c.Broken, c.Near, nil, samples.Compare(new(validate.Validator), sample(c.Older), sample(c.Broken)))
		} else if !ok {
			continue // TestRulesPage reports a rule without an example
		}
		for _, part := range []struct{ name, text string }{{"note", note + "\n"}, {"wrong", wrong}, {"right", right}} {
			archive.Files = append(archive.Files, txtar.File{Name: r.ID + "/" + part.name, Data: []byte(part.text)})
		}
	}
	golden.File(t, exampleFile, string(txtar.Format(&archive)))
}

// TestRulesPage makes docs/rules.md from the rules and examples.txtar.
func TestRulesPage(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	page.WriteString(pageHead)
	table := rulepage.Table(validate.Rules(), validate.Strict)
	for _, r := range validate.Rules() {
		table = strings.Replace(table, "\n| "+r.ID+" |", fmt.Sprintf("\n| [%s](#%s-%s) |", r.ID, strings.ToLower(r.ID), r.Name), 1)
	}
	page.WriteString("\n" + table)
	for _, r := range validate.Rules() {
		example := rulepage.ExampleOf(r)
		if example.Note == "" || example.Wrong == "" || example.Right == "" {
			t.Errorf("%s lacks an example", r.ID)
		}
		page.WriteString("\n" + rulepage.Markdown(r, example))
	}
	golden.File(t, rulesPage, page.String())
}

const pageHead = `# The rules

` + "`perfblock lint`" + ` checks blocks and texts that define counters against these rules, and ` + "`perfblock probe`" + ` the calls of a
provider. Each rule has a name, an ID that never changes, and a section below, which ` + "`perfblock explain RULE`" + ` shows
too. The table has the severities of the profile strict. [The
rationale](rationale.md#how-do-i-suppress-ignore-or-exclude-a-finding) says how to suppress, ignore or exclude findings.

This page is generated from the rules in validate/, definition/, provider/ and samples/, and their fixtures in
testdata/rules and in the folders testdata/rules of these packages.
`

// example compares the dumps of two blocks. Only wrongBlock breaks the rule. From each dump, example returns the lines
// with a finding, with the path of a finding, or with a path of changedPaths. If a dump has no such line, example
// returns the lines that only this dump has.
func example(t *testing.T, kind layout.Kind, wrongBlock, rightBlock []byte, changedPaths []string, result validate.Result) (wrong, right string) {
	t.Helper()
	paths := slices.Clone(changedPaths)
	for _, f := range result.Findings {
		paths = append(paths, f.Path.String())
	}
	wrongLines := lines(t, kind, wrongBlock, result.Findings)
	rightLines := lines(t, kind, rightBlock, nil)
	return choose(wrongLines, rightLines, paths), choose(rightLines, wrongLines, paths)
}

// longText matches a text of more than 64 characters. Its first characters are enough for an example.
var longText = regexp.MustCompile(`("[^"]{60})[^"]{5,}"`)

// A line is a line of a dump. path is the path of the field in this line.
type line struct{ path, text string }

func lines(t *testing.T, kind layout.Kind, b []byte, findings []validate.Finding) (list []line) {
	t.Helper()
	var text strings.Builder
	if _, err := dump.Formats()[0].Write(&text, kind, b, dump.Options{Findings: findings}); err != nil {
		t.Fatal(err)
	}
	for s := range strings.Lines(text.String()) {
		s = longText.ReplaceAllString(s, `$1..."`)
		columns := strings.SplitN(s, "| ", 3)
		path := ""
		if len(columns) == 3 {
			path, _, _ = strings.Cut(strings.TrimSpace(columns[2]), " ")
		}
		list = append(list, line{strings.TrimSuffix(path, ":"), s})
	}
	return list
}

// choose returns the lines of the first dump that have a finding, or a path that is in paths.
func choose(first, second []line, paths []string) string {
	var chosen []string
	for _, l := range first {
		if l.path != "" && slices.Contains(paths, l.path) || strings.Contains(l.text, "! error PERF") || strings.Contains(l.text, "! warning PERF") || strings.Contains(l.text, "! info PERF") {
			chosen = append(chosen, l.text)
		}
	}
	if len(chosen) == 0 { // if there are no such lines, choose the lines that only the first dump has
		for _, l := range first {
			if !slices.Contains(second, l) {
				chosen = append(chosen, l.text)
			}
		}
	}
	if len(chosen) == 0 {
		return "(no bytes)\n"
	}
	if more := len(chosen) - mostLines; more > 0 {
		chosen = append(chosen[:mostLines], fmt.Sprintf("(and %d more lines)\n", more))
	}
	return strings.Join(chosen, "")
}
