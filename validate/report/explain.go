package report

import (
	"bufio"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/perfblock/perfblock/validate"
)

// An Example shows bytes that break a rule beside bytes that keep to it. The zero
// value is none.
type Example struct {
	Note  string // what is wrong
	Wrong string // any number of lines, such as those of a dump
	Right string
}

const (
	pageWidth  = 80 // of a page in a terminal; a long word, such as a URL, goes beyond
	labelWidth = 9
)

// Explain writes the page of a rule for a terminal: all that there is to say of it,
// and the example if there is one. The error is one of w.
func Explain(w io.Writer, r *validate.Rule, e Example, o Options) error {
	b := bufio.NewWriter(w)
	t := texter{w: b, ink: newPaints(o.Color)}
	t.line(t.ink.place.text(r.ID+" "+r.Name), "   ", t.ink.of(r.In(o.Profile)).text(severityText(r)))
	t.line()
	t.paragraph("", 0, sentence(r.Doc))
	t.line()
	for _, f := range facts(r) {
		label := f.label
		for _, it := range f.items {
			t.paragraph(label, labelWidth, it.text+it.rest)
			if label = ""; it.url != "" {
				t.line(strings.Repeat(" ", labelWidth), t.ink.offset.text(it.url))
			}
		}
	}
	t.example("wrong", e.Note, e.Wrong)
	t.example("right", "", e.Right)
	return b.Flush()
}

// paragraph writes text in lines that start at a column, the first behind a label.
func (t *texter) paragraph(label string, column int, text string) {
	for _, line := range wrap(printable(text), pageWidth-column) {
		t.line(t.ink.label.text(label), strings.Repeat(" ", column-len(label)), line)
		label = ""
	}
}

// example writes one side of an example.
func (t *texter) example(label, note, text string) {
	if text == "" {
		return
	}
	t.line()
	if note != "" {
		note = " " + printable(note)
	}
	t.line(t.ink.label.text(label+":"), note)
	for line := range strings.Lines(text) {
		t.line(indent, printable(strings.TrimSuffix(line, "\n")))
	}
}

// wrap breaks text between words into lines of that many characters at most, where
// the words are not longer than that.
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
