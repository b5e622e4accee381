package report

import (
	"strings"

	"github.com/perfblock/perfblock/validate"
)

// sarifRuleOf is all that a rule says of itself, with the severity it has under a profile.
func sarifRuleOf(r *validate.Rule, p validate.Profile) sarifRule {
	rule := sarifRule{
		ID: r.ID, Name: r.Name,
		ShortDescription:     sarifText{Text: plainMessage(sentence(r.Doc))},
		FullDescription:      sarifText{Text: plainMessage(sentence(r.Doc) + " " + r.Why)},
		Help:                 sarifText{Text: helpText(r), Markdown: helpMarkdown(r)},
		DefaultConfiguration: sarifConfiguration{Enabled: true, Level: level(r.In(p))},
		Properties:           sarifRuleProperties{tags(r)},
	}
	if r.In(p) == validate.Off {
		rule.DefaultConfiguration = sarifConfiguration{Enabled: false, Level: level(r.Severity)}
	}
	if len(r.Sources) > 0 {
		rule.HelpURI = r.Sources[0].URL
	}
	return rule
}

// level is what SARIF calls a severity.
func level(s validate.Severity) string {
	switch s {
	case validate.Error:
		return "error"
	case validate.Warning:
		return "warning"
	case validate.Info:
		return "note"
	}
	return "none"
}

// subjects are what rules are about, by the first word of their names.
var subjects = map[string]string{"data": "data-block", "obj": "object", "ctr": "counter", "inst": "instance", "blk": "counter-block"}

// tags are what one may want to choose rules by.
func tags(r *validate.Rule) []string {
	subject, _, _ := strings.Cut(r.Name, "-")
	if word, ok := subjects[subject]; ok {
		subject = word
	}
	list := []string{"performance-counters", subject}
	if subject == "v2" {
		for _, k := range r.Kinds() {
			list = append(list, k.String())
		}
	}
	if r.Event != 0 {
		list = append(list, "perflib-event")
	}
	if r.Needs != "" {
		list = append(list, "needs-context")
	}
	return list
}

// helpText is the page of a rule as plain text, a fact on a line.
func helpText(r *validate.Rule) string {
	var b strings.Builder
	b.WriteString(sentence(r.Doc) + "\n")
	for _, f := range facts(r) {
		for _, it := range f.items {
			b.WriteString("\n" + f.label + ": " + it.text + it.rest)
			if it.url != "" {
				b.WriteString(" <" + it.url + ">")
			}
		}
	}
	return braces.Replace(b.String())
}

func helpMarkdown(r *validate.Rule) string {
	var b strings.Builder
	markdownBody(&b, r)
	return braces.Replace(b.String())
}

// braces doubles those of a text: a single one starts or ends a placeholder of SARIF
// (2.1.0 section 3.11.5).
var braces = strings.NewReplacer("{", "{{", "}", "}}")

// plainMessage returns text as a message of SARIF, which takes neither what is in
// braces for a placeholder nor [a](b) for a link: a block must not choose where a
// reader is led. What is not in a link needs no escape, and there is none (3.11.6).
func plainMessage(text string) string {
	return braces.Replace(strings.ReplaceAll(printable(text), "](", "] ("))
}
