package page

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/lines"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/rulepage"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// A group has the findings with the same rule and the same severity.
type group struct {
	ID, Name, Severity string
	Doc, Fix, Explain  string
	Findings           []item // those that the page lists
	Rest               int    // number of the other findings
}

// Number returns a text such as "3 findings", or "3 of 5 findings" if the page does not list all findings of the
// group.
func (g *group) Number() string {
	if g.Rest == 0 {
		return quote.Count(len(g.Findings), "finding")
	}
	return fmt.Sprintf("%d of %d findings", len(g.Findings), len(g.Findings)+g.Rest)
}

// An item is a finding in the list. Anchor is the HTML id. At is an offset, or a line and a column. Source is the
// line of a text, or a part of a long line, with a caret under the column.
type item struct {
	Anchor, At, Path, Message, Source string
	Length                            int
}

// worstFirst returns the findings sorted by severity, errors first. Findings of the same severity keep their
// order.
func worstFirst(findings []validate.Finding) []*validate.Finding {
	list := make([]*validate.Finding, 0, len(findings))
	for i := range findings {
		list = append(list, &findings[i])
	}
	slices.SortStableFunc(list, func(a, b *validate.Finding) int { return int(b.Severity) - int(a.Severity) })
	return list
}

// list puts the findings into groups. It returns the number of findings that the page lists. titles[i] has the names of
// the object and the counter of findings[i]; titles can be shorter than findings.
func (v *view) list(findings []*validate.Finding, p validate.Profile, titles []string) (listed int) {
	type key struct {
		rule     *validate.Rule
		severity validate.Severity
	}
	groups := map[key]*group{}
	anchors := map[string]int{}
	size, full := 0, false
	for i, f := range findings {
		g := groups[key{f.Rule, f.Severity}]
		if g == nil {
			g = groupOf(f, p)
			groups[key{f.Rule, f.Severity}] = g
			v.Groups = append(v.Groups, g)
			size += 400 + htmlLen(g.Doc) + htmlLen(g.Fix) + htmlLen(g.Explain) + 3*htmlLen(g.Name) + 3*htmlLen(g.ID)
		}
		it := v.itemOf(f)
		if i < len(titles) && titles[i] != "" {
			it.Path += " " + clean(titles[i], maxText)
		}
		next := size + 120 + htmlLen(it.Path) + htmlLen(it.Message) + htmlLen(it.Source)
		if full = full || listed == MaxFindings || next > maxListed; full {
			g.Rest++
			continue
		}
		size = next
		anchors[it.Anchor]++
		if n := anchors[it.Anchor]; n > 1 {
			it.Anchor = fmt.Sprintf("%s-%d", it.Anchor, n)
		}
		g.Findings = append(g.Findings, it)
		listed++
	}
	for _, g := range v.Groups {
		if g.Rest > 0 {
			v.Unlisted = append(v.Unlisted, g)
		}
	}
	v.left -= size
	return listed
}

// titlesOf returns the names of the object and the counter for each of the first [MaxFindings] findings.
func titlesOf(f report.File, findings []*validate.Finding, names func(index uint32) (name string, builtIn bool)) []string {
	if names == nil || f.Form != "" {
		return nil
	}
	var list []validate.Finding
	for _, found := range findings[:min(len(findings), MaxFindings)] {
		list = append(list, *found)
	}
	titles := identity.Of(f.Kind, f.Block, list)
	for i, path := range titles {
		titles[i] = identity.TitleText(identity.Titles(f.Kind, path, names))
	}
	return titles
}

// htmlLen returns the number of bytes that the text takes in a page.
func htmlLen(text string) int { return len(template.HTMLEscapeString(text)) }

// groupOf returns an empty group with the rule and the severity of a finding.
func groupOf(f *validate.Finding, p validate.Profile) *group {
	const maxExplain = 20_000
	g := &group{Severity: f.Severity.String(), ID: "no rule"}
	if f.Rule == nil {
		return g
	}
	g.ID, g.Name = clean(f.Rule.ID, maxText), clean(f.Rule.Name, maxText)
	g.Doc, g.Fix = clean(rulepage.Sentence(f.Rule.Doc), maxText), clean(f.Rule.Fix, maxText)
	var text bytes.Buffer
	_ = rulepage.Explain(&text, f.Rule, rulepage.ExampleOf(f.Rule), rulepage.Options{Profile: p}) // a Buffer returns no error
	short, _ := quote.First(text.String(), maxExplain)
	for line := range strings.Lines(short) {
		g.Explain += terminal.Printable(strings.TrimSuffix(line, "\n")) + "\n"
	}
	return g
}

// itemOf returns the item for a finding. It changes a negative offset or length to 0, and a line or column below 1 to
// 1.
func (v *view) itemOf(f *validate.Finding) item {
	off := max(f.Off, 0)
	it := item{
		Anchor: fmt.Sprintf("0x%x", off), At: fmt.Sprintf("0x%04x", off), Length: max(f.Len, 0),
		Path: clean(f.Path.String(), maxText), Message: clean(f.Message(), maxText),
	}
	if v.Text {
		line, column := max(f.Line, 1), max(f.Column, 1)
		it.At = fmt.Sprintf("%d:%d", line, column)
		it.Anchor = fmt.Sprintf("L%dC%d", line, column)
		if line <= len(v.source) {
			it.Source = lines.Marked(v.source[line-1], column, terminal.Printable)
		}
	}
	if f.Reason != "" {
		it.Message += " (" + clean(f.Reason, maxText) + ")"
	}
	return it
}
