package rulepage_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/perfblock/perfblock/internal/dump"
	"github.com/perfblock/perfblock/internal/rulecase"
	"github.com/perfblock/perfblock/internal/rulepage"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

var update = flag.Bool("update", false, "rewrite examples.txtar and docs/rules.md")

const (
	exampleFile = "examples.txtar"
	rulesPage   = "../../docs/rules.md"
	mostLines   = 6 // of one block in an example
)

func TestExamples(t *testing.T) {
	t.Parallel()
	cases, err := rulecase.Load("../../testdata/rules")
	if err != nil {
		t.Fatal(err)
	}
	var archive txtar.Archive
	for _, r := range validate.Rules() {
		i := slices.IndexFunc(cases, func(c rulecase.Case) bool { return c.Rule == r.Name })
		if i < 0 {
			continue // which the test of the fixtures tells
		}
		note, wrong, right := example(t, cases[i])
		for _, part := range []struct{ name, text string }{{"note", note + "\n"}, {"wrong", wrong}, {"right", right}} {
			archive.Files = append(archive.Files, txtar.File{Name: r.ID + "/" + part.name, Data: []byte(part.text)})
		}
	}
	golden(t, exampleFile, txtar.Format(&archive))
}

// TestRulesPage makes the page from the rules and the examples that the package has.
func TestRulesPage(t *testing.T) {
	t.Parallel()
	var page bytes.Buffer
	page.WriteString(pageHead)
	for title, rules := range report.Sections(validate.Rules()) {
		fmt.Fprintf(&page, "\n**%s**\n\n| ID | name | severity | what must hold |\n|---|---|---|---|\n", title)
		for _, r := range rules {
			fmt.Fprintf(&page, "| [%s](#%s-%s) | %s | %v | %s |\n", r.ID, strings.ToLower(r.ID), r.Name, r.Name, r.Severity, r.Doc)
		}
	}
	for _, r := range validate.Rules() {
		example := rulepage.Example(r)
		if example.Note == "" || example.Wrong == "" || example.Right == "" {
			t.Errorf("%s lacks an example", r.ID)
		}
		page.WriteString("\n" + report.Markdown(r, example))
	}
	golden(t, rulesPage, page.Bytes())
}

const pageHead = `# The rules

What ` + "`perfblock lint`" + ` and package ` + "`validate`" + ` hold a block against. Each rule has an ID that never changes, the severity it has under the
profile strict, and a section below; ` + "`perfblock explain RULE`" + ` shows the same. This page is generated: the rules are in
validate/, the examples are made from testdata/rules.
`

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), string(got)); diff != "" {
		t.Errorf("%s is not what the rules and fixtures make (-have +made); go test ./internal/rulepage -update:\n%s", file, diff)
	}
}

// example returns what is wrong, and the lines of the two blocks that tell them apart.
func example(t *testing.T, c rulecase.Case) (note, wrong, right string) {
	t.Helper()
	result := validate.Bytes(c.Kind, c.Broken, c.Context)
	paths := slices.Clone(c.Differs)
	for _, f := range result.Findings {
		paths = append(paths, f.Path.String())
	}
	broken := lines(t, c.Kind, c.Broken, result.Findings)
	near := lines(t, c.Kind, c.Near, nil)
	return c.Note, choose(broken, near, paths), choose(near, broken, paths)
}

// A line is one of a dump: path, and text.
type line struct{ path, text string }

func lines(t *testing.T, kind layout.Kind, b []byte, findings []validate.Finding) (list []line) {
	t.Helper()
	var text strings.Builder
	if _, err := dump.Formats()[0].Write(&text, kind, b, dump.Options{Findings: findings}); err != nil {
		t.Fatal(err)
	}
	for s := range strings.Lines(text.String()) {
		columns := strings.SplitN(s, "| ", 3)
		path := ""
		if len(columns) == 3 {
			path, _, _ = strings.Cut(strings.TrimSpace(columns[2]), " ")
		}
		list = append(list, line{strings.TrimSuffix(path, ":"), s})
	}
	return list
}

// choose returns the lines that the paths name or that have a finding, or, where
// there are none, those which the other block has not.
func choose(list, other []line, paths []string) string {
	var chosen []string
	for _, l := range list {
		if l.path != "" && slices.Contains(paths, l.path) || strings.Contains(l.text, "! error PERF") || strings.Contains(l.text, "! warning PERF") || strings.Contains(l.text, "! info PERF") {
			chosen = append(chosen, l.text)
		}
	}
	if len(chosen) == 0 {
		for _, l := range list {
			if !slices.Contains(other, l) {
				chosen = append(chosen, l.text)
			}
		}
	}
	if len(chosen) == 0 {
		return "(none of it is there)\n"
	}
	if more := len(chosen) - mostLines; more > 0 {
		chosen = append(chosen[:mostLines], fmt.Sprintf("(and %d lines more)\n", more))
	}
	return strings.Join(chosen, "")
}
