// Package rulepage writes the pages of rules: as text for a terminal, as Markdown, as a list, and for a SARIF report.
package rulepage

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/validate"
)

// A fact is a property of a rule, with a label. Every page shows the same facts.
type fact struct {
	label string
	items []item // at least one
}

// An item is a line of a fact. The line is text followed by suffix. If url is not empty, text is a link to url.
type item struct{ text, url, suffix string }

// facts returns the facts of a rule, except its Doc and its severity.
func facts(r *validate.Rule) []fact {
	var list []fact
	add := func(label string, items ...item) {
		if len(items) > 0 && items[0] != (item{}) {
			list = append(list, fact{label, items})
		}
	}
	add("why", item{text: r.Why})
	if r.Event != 0 {
		add("perflib", eventItem(r.Event))
	}
	var readers []item
	for _, m := range r.Misread {
		readers = append(readers, item{text: m})
	}
	add("readers", readers...)
	add("fix", item{text: r.Fix})
	var kinds []string
	for _, k := range r.Kinds() {
		kinds = append(kinds, k.String())
	}
	add("kinds", item{text: strings.Join(kinds, ", ")})
	add("forms", item{text: strings.Join(r.Forms, ", ")})
	if r.Needs != "" {
		add("needs", item{text: r.Needs + "; otherwise the rule reports nothing"})
	}
	var sources []item
	for _, s := range r.Sources {
		sources = append(sources, item{text: s.Clause, url: s.URL})
	}
	add("source", sources...)
	add("since", item{text: r.Since})
	return list
}

func eventItem(id int) item {
	e, known := validate.FindEvent(id)
	it := item{text: "event " + strconv.Itoa(id), url: e.Source.URL}
	if known {
		it.suffix = ": " + e.Meaning
	}
	return it
}

// Event returns the ID and the meaning of an event that Perflib writes to its log.
func Event(id int) string {
	it := eventItem(id)
	return it.text + it.suffix
}

// severityText returns the severity of a rule: "error under strict and windows, off under
// nt4", or "error" if all profiles agree.
func severityText(r *validate.Rule) string {
	var order []validate.Severity
	under := map[validate.Severity][]string{}
	for _, p := range validate.Profiles() {
		s := r.In(p)
		if under[s] == nil {
			order = append(order, s)
		}
		under[s] = append(under[s], p.String())
	}
	if len(order) == 1 {
		return order[0].String()
	}
	var parts []string
	for _, s := range order {
		parts = append(parts, s.String()+" under "+strings.Join(under[s], " and "))
	}
	return strings.Join(parts, ", ")
}

// Sentence returns the Doc of a rule as a sentence. The first letter stays lower case if
// the first word is a name, such as wYear.
func Sentence(doc string) string {
	word, _, _ := strings.Cut(doc, " ")
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" {
		doc = strings.ToUpper(doc[:1]) + doc[1:]
	}
	if doc != "" && !strings.HasSuffix(doc, ".") {
		doc += "."
	}
	return doc
}
