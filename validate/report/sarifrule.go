package report

import (
	"strings"

	"github.com/perfblock/perfblock/internal/rulepage"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

type sarifRule struct {
	ID                   string              `json:"id"`
	Name                 string              `json:"name"`
	ShortDescription     sarifText           `json:"shortDescription"`
	FullDescription      sarifText           `json:"fullDescription"`
	Help                 sarifText           `json:"help"`
	HelpURI              string              `json:"helpUri,omitempty"`
	DefaultConfiguration sarifConfiguration  `json:"defaultConfiguration"`
	Properties           sarifRuleProperties `json:"properties"`
}

type sarifConfiguration struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
}

type sarifRuleProperties struct {
	Tags []string `json:"tags"`
}

// sarifRuleOf returns the description of a rule with its severity under a profile.
func sarifRuleOf(r *validate.Rule, p validate.Profile) sarifRule {
	rule := sarifRule{
		ID: r.ID, Name: r.Name,
		ShortDescription:     sarifText{Text: plainMessage(rulepage.Sentence(r.Doc))},
		FullDescription:      sarifText{Text: plainMessage(rulepage.Sentence(r.Doc) + " " + r.Why)},
		Help:                 sarifText{Text: braces.Replace(rulepage.Text(r)), Markdown: braces.Replace(rulepage.Body(r))},
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

// level returns the name of a severity in SARIF.
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

// subjects has the record that a rule checks by the first word of its name.
var subjects = map[string]string{"data": "data-block", "obj": "object", "ctr": "counter", "inst": "instance", "blk": "counter-block"}

// tags returns the words by which a user can select rules.
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

// braces doubles braces: a single brace starts or ends a placeholder of SARIF (2.1.0
// section 3.11.5).
var braces = strings.NewReplacer("{", "{{", "}", "}}")

// plainMessage returns text as a message without placeholders and links: a text of a
// block must not become a link that a reader follows. Other text needs no escape (3.11.6).
func plainMessage(text string) string {
	return braces.Replace(strings.ReplaceAll(terminal.Printable(text), "](", "] ("))
}
