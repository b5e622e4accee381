package rulepage

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

const (
	pageWidth  = 80 // columns; a longer word, such as a URL, exceeds it
	labelWidth = 9
)

// Options selects how a page for a terminal looks.
type Options struct {
	Color   bool
	Profile validate.Profile // the profile whose severities are shown
}

// A texter writes pages for a terminal.
type texter struct {
	w   *bufio.Writer // keeps the first error
	ink terminal.Palette
}

// Explain writes the page of a rule for a terminal, with the example if there is one.
// The error is an error of w.
func Explain(w io.Writer, r *validate.Rule, e Example, o Options) error {
	b := bufio.NewWriter(w)
	t := texter{w: b, ink: terminal.NewPalette(o.Color)}
	t.line(t.ink.Bold.Text(r.ID+" "+r.Name), "   ", t.ink.Severity(r.In(o.Profile)).Text(severityText(r)))
	t.line()
	t.paragraph("", 0, Sentence(r.Doc))
	t.line()
	for _, f := range facts(r) {
		label := f.label
		for _, it := range f.items {
			t.paragraph(label, labelWidth, it.text+it.suffix)
			if label = ""; it.url != "" {
				t.line(strings.Repeat(" ", labelWidth), t.ink.Faint.Text(it.url))
			}
		}
	}
	t.example("wrong", e.Note, e.Wrong)
	t.example("right", "", e.Right)
	return b.Flush()
}

// List writes a line for each rule: ID, name, severity, Doc. Before the rules of each of the
// [Sections], it writes the title of the section. The error is an error of w.
func List(w io.Writer, rules []*validate.Rule, o Options) error {
	b := bufio.NewWriter(w)
	t := texter{w: b, ink: terminal.NewPalette(o.Color)}
	var id, name, severity int
	for _, r := range rules {
		id, name = max(id, len(r.ID)), max(name, len(r.Name))
		severity = max(severity, len(r.In(o.Profile).String()))
	}
	before := ""
	for title, rules := range Sections(rules) {
		if title != "" {
			t.line(before, t.ink.Bold.Text(title+":"))
		}
		for _, r := range rules {
			s := r.In(o.Profile)
			t.line(fmt.Sprintf("%-*s  ", id, r.ID), t.ink.Faint.Text(r.Name), strings.Repeat(" ", name-len(r.Name)+2),
				t.ink.Severity(s).Text(s.String()), strings.Repeat(" ", severity-len(s.String())+2), r.Doc)
		}
		before = "\n"
	}
	return b.Flush()
}

// Text returns the page of a rule as plain text with a line for each fact.
func Text(r *validate.Rule) string {
	var b strings.Builder
	b.WriteString(Sentence(r.Doc) + "\n")
	for _, f := range facts(r) {
		for _, it := range f.items {
			b.WriteString("\n" + f.label + ": " + it.text + it.suffix)
			if it.url != "" {
				b.WriteString(" <" + it.url + ">")
			}
		}
	}
	return b.String()
}

func (t *texter) line(parts ...string) {
	_, _ = t.w.WriteString(strings.Join(parts, "") + "\n")
}

// paragraph writes a label and a text. Each line of the text starts at the given column.
func (t *texter) paragraph(label string, column int, text string) {
	for _, line := range wrap(terminal.Printable(text), pageWidth-column) {
		t.line(t.ink.Bold.Text(label), strings.Repeat(" ", column-len(label)), line)
		label = ""
	}
}

// example writes one half of an example: the lines that break the rule, or the corrected lines.
func (t *texter) example(label, note, text string) {
	if text == "" {
		return
	}
	t.line()
	if note != "" {
		note = " " + terminal.Printable(note)
	}
	t.line(t.ink.Bold.Text(label+":"), note)
	for line := range strings.Lines(text) {
		t.line("  ", terminal.Printable(strings.TrimSuffix(line, "\n")))
	}
}

// wrap breaks text between words into lines of at most width characters. A word of more than width characters gets
// its own line.
func wrap(text string, width int) []string {
	var lines []string
	line, n := "", 0
	for word := range strings.FieldsSeq(text) {
		length := utf8.RuneCountInString(word)
		if n > 0 && n+1+length > width {
			lines, line, n = append(lines, line), "", 0
		}
		if n > 0 {
			line, n = line+" ", n+1
		}
		line, n = line+word, n+length
	}
	return append(lines, line)
}
