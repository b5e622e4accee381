package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/perfblock/perfblock/validate"
)

// List writes a table with a line for each rule: ID, name, severity under the
// profile, what must hold. Each of the Sections has its title before it. The error is
// one of w.
func List(w io.Writer, rules []*validate.Rule, o Options) error {
	b := bufio.NewWriter(w)
	t := texter{w: b, ink: newPaints(o.Color)}
	var id, name, severity int
	for _, r := range rules {
		id, name = max(id, len(r.ID)), max(name, len(r.Name))
		severity = max(severity, len(r.In(o.Profile).String()))
	}
	before := ""
	for title, rules := range Sections(rules) {
		if title != "" {
			t.line(before, t.ink.label.text(title+":"))
		}
		for _, r := range rules {
			s := r.In(o.Profile)
			t.line(pad(r.ID, id), t.ink.place.text(r.Name), pad("", name-len(r.Name)), t.ink.of(s).text(s.String()), pad("", severity-len(s.String())), r.Doc)
		}
		before = "\n"
	}
	return b.Flush()
}

// pad returns s with spaces behind it, two more than the width wants.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", width-len(s)+2)
}
