package report

import (
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/validate"
)

// A fact is a thing that a rule says of itself, beside what must hold. All pages
// are made of the same facts.
type fact struct {
	label string
	items []item // one at least
}

// An item is text; its first part leads to the URL if there is one.
type item struct{ text, url, rest string }

// facts returns what there is to say of a rule.
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
	add("mend", item{text: r.Mend})
	add("kinds", item{text: kindsText(r)})
	if r.Needs != "" {
		add("needs", item{text: r.Needs + ", without which the rule is silent"})
	}
	var sources []item
	for _, s := range r.Sources {
		sources = append(sources, item{text: s.Clause, url: s.URL})
	}
	add("source", sources...)
	add("since", item{text: r.Since})
	return list
}

// kindsText says which kinds of block the rule is about.
func kindsText(r *validate.Rule) string {
	var names []string
	for _, k := range r.Kinds() {
		names = append(names, k.String())
	}
	return strings.Join(names, ", ")
}

// eventItem says what Perflib writes to its log.
func eventItem(id int) item {
	e, known := validate.FindEvent(id)
	it := item{text: "event " + strconv.Itoa(id), url: e.Source.URL}
	if known {
		it.rest = ": " + e.Meaning
	}
	return it
}

func eventText(id int) string {
	it := eventItem(id)
	return it.text + it.rest
}

// severityText says what a rule's findings are: error under strict and windows, off
// under nt4; or error if that is so under every profile.
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

// sentence makes one of a rule's Doc. A first word that is a name stays as it is.
func sentence(doc string) string {
	word, _, _ := strings.Cut(doc, " ")
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" {
		doc = strings.ToUpper(doc[:1]) + doc[1:]
	}
	if doc != "" && !strings.HasSuffix(doc, ".") {
		doc += "."
	}
	return doc
}
