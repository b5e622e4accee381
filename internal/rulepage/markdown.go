package rulepage

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

// Markdown returns the page of a rule as a section of Markdown with a heading of the second level.
func Markdown(r *validate.Rule, e Example) string {
	var b strings.Builder
	b.WriteString("## " + escaped(r.ID+" "+r.Name) + "\n\n")
	b.WriteString(Body(r))
	markdownExample(&b, "Wrong", e.Note, e.Wrong)
	markdownExample(&b, "Right", "", e.Right)
	return b.String()
}

// Body returns the page of [Markdown] without its heading and example.
func Body(r *validate.Rule) string {
	var b strings.Builder
	b.WriteString(escaped(Sentence(r.Doc)) + "\n\n")
	markdownFact(&b, fact{"severity", []item{{text: severityText(r)}}})
	for _, f := range facts(r) {
		markdownFact(&b, f)
	}
	return b.String()
}

// Table returns the list of rules as tables of Markdown, one for each of the [Sections].
func Table(rules []*validate.Rule, p validate.Profile) string {
	var b strings.Builder
	before := ""
	for title, rules := range Sections(rules) {
		b.WriteString(before + "**" + title + "**\n\n| ID | name | severity | what must hold |\n|---|---|---|---|\n")
		for _, r := range rules {
			fmt.Fprintf(&b, "| %s | %s | %v | %s |\n", r.ID, r.Name, r.In(p), escaped(r.Doc))
		}
		before = "\n"
	}
	return b.String()
}

func markdownFact(b *strings.Builder, f fact) {
	b.WriteString("- **" + strings.ToUpper(f.label[:1]) + f.label[1:] + ":**")
	for _, it := range f.items {
		if len(f.items) > 1 {
			b.WriteString("\n  -")
		}
		b.WriteString(" " + link(it) + escaped(it.suffix))
	}
	b.WriteString("\n")
}

// link returns the text of an item, as a link if it has a URL.
func link(it item) string {
	if it.url == "" {
		return escaped(it.text)
	}
	return "[" + escaped(it.text) + "](" + destination.Replace(it.url) + ")"
}

// destination escapes the characters that would end a URL in Markdown.
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
		b.WriteString(terminal.Printable(strings.TrimSuffix(line, "\n")) + "\n")
	}
	b.WriteString(fence + "\n")
}

// fenceFor returns a fence for text. The fence has more backquotes than any run of backquotes in the text.
func fenceFor(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence
}

// escaped escapes one line of text, so that Markdown shows the line unchanged. An underscore or a number sign
// inside a word needs no escape.
func escaped(text string) string {
	text = terminal.Printable(text)
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
				b.WriteByte('\\') // at the start of a line, this character starts a list or ends a heading
			}
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
