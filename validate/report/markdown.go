package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/validate"
)

// Markdown returns the page of a rule as a section of Markdown that starts with a
// heading of the second level: the same that [Explain] writes.
func Markdown(r *validate.Rule, e Example) string {
	var b strings.Builder
	b.WriteString("## " + escaped(r.ID+" "+r.Name) + "\n\n")
	markdownBody(&b, r)
	markdownExample(&b, "Wrong", e.Note, e.Wrong)
	markdownExample(&b, "Right", "", e.Right)
	return b.String()
}

// markdownBody writes the page without its heading.
func markdownBody(b *strings.Builder, r *validate.Rule) {
	b.WriteString(escaped(sentence(r.Doc)) + "\n\n")
	markdownFact(b, fact{"severity", []item{{text: severityText(r)}}})
	for _, f := range facts(r) {
		markdownFact(b, f)
	}
}

func markdownFact(b *strings.Builder, f fact) {
	b.WriteString("- **" + strings.ToUpper(f.label[:1]) + f.label[1:] + ":**")
	for _, it := range f.items {
		if len(f.items) > 1 {
			b.WriteString("\n  -")
		}
		b.WriteString(" " + link(it) + escaped(it.rest))
	}
	b.WriteString("\n")
}

// link returns the text of an item, as a link if it leads somewhere.
func link(it item) string {
	if it.url == "" {
		return escaped(it.text)
	}
	return "[" + escaped(it.text) + "](" + destination.Replace(it.url) + ")"
}

// destination escapes in a URL what would end it in Markdown.
var destination = strings.NewReplacer("(", `\(`, ")", `\)`, "<", "%3C", ">", "%3E", " ", "%20")

func markdownExample(b *strings.Builder, label, note, text string) {
	if text == "" {
		return
	}
	if note != "" {
		note = " " + escaped(note)
	}
	fence := fenceFor(text)
	b.WriteString("\n" + label + ":" + note + "\n\n" + fence + "text\n")
	for line := range strings.Lines(text) {
		b.WriteString(printable(strings.TrimSuffix(line, "\n")) + "\n")
	}
	b.WriteString(fence + "\n")
}

// fenceFor returns backquotes enough to stand around text: more than any in it.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// escaped returns text, one line, as Markdown that shows it as it is. An underscore
// or a number sign inside a word means nothing to Markdown.
func escaped(text string) string {
	text = printable(text)
	var b strings.Builder
	before := ' '
	for i, r := range text {
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch r {
		case '\\', '`', '*', '[', ']', '<', '>', '|', '~', '&':
			b.WriteByte('\\')
		case '_', '#':
			if !letter(before) || !letter(after) {
				b.WriteByte('\\')
			}
		case '+', '-', '=':
			if i == 0 {
				b.WriteByte('\\') // it would start a list or end a heading
			}
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
