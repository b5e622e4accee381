// Package page writes findings as HTML: a page for each file, and an index of the files.
//
//	var index page.Index
//	name := index.Add(file) // a name for the page, such as cpu.bin-1d0f6a3b52c4.html
//	err := page.Write(w, file, page.Options{Index: page.IndexName})
//	...
//	for name, write := range index.Pages(report.End{}) {
//		...
//	}
//
// A page is one HTML document of at most [MaxBytes] bytes, which opens from a disk and makes no request.
// Even if a browser ignores scripts and style sheets, the page lists the findings and the fields of the
// block. A script adds the bytes and the fields side by side, and filters for the findings.
//
// Texts from a block, a file name or a finding are never markup. Control characters and invisible
// characters in them are written as escapes.
package page

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

const (
	// MaxBytes is the largest size of a page in bytes.
	MaxBytes = 5_000_000

	// MaxFindings is the largest number of findings that a page lists. A table has the number of
	// further findings for each rule.
	MaxFindings = 2000

	// WholeBlock is the size in bytes of the largest block that a page has in full. The page of a larger
	// block has only the start of the block and the bytes around each listed finding.
	WholeBlock = 64 << 10
)

// maxFixed and maxListed are in bytes of HTML. maxText and maxName are in bytes of text before it is escaped.
const (
	maxFixed  = 150_000   // what is on every page: the style sheet, the script and the head
	maxListed = 1_400_000 // findings, and the explanations of their rules; the dump may use the rest of MaxBytes
	maxText   = 500       // a text of a finding, before it is escaped
	maxName   = 300       // the name of the file, before it is escaped
)

// Options are the options of [Write]. The zero value means the defaults.
type Options struct {
	Index   string // relative URL of the index that the page links to; "" for none
	Version string // version of perfblock, for the footer

	// Names returns the name for a title index, as in [report.Options].
	Names func(index uint32) (name string, builtIn bool)
}

// A view has the texts of page.html.
type view struct {
	document

	Name, Kind, Input, Size, Verdict string
	Totals, Worst                    string // Worst is the highest severity of a finding
	Detected, Text                   bool   // Text: the file is a text that defines counters, not a block
	Index, Version                   string

	Notes            []string
	Groups, Unlisted []*group
	Severities       []string
	Shown            string // which bytes Dump has
	Dump             template.HTML

	source []string // the lines of a text

	left int // bytes of HTML that the page may still have; list subtracts the findings, and dump uses the rest
}

// Write writes the page of a file. The error is f.Result.Unchecked, if it is not nil, or an error of w.
func Write(w io.Writer, f report.File, o Options) error {
	if f.Result.Unchecked != nil {
		return f.Result.Unchecked
	}
	counts := f.Result.Counts
	v := view{
		document: pageParts(), Name: nameOf(f.Path), Kind: kindOf(f), Text: f.Form != "", Input: clean(f.Input, maxName), Size: quote.Count(len(f.Block), "byte"),
		left: MaxBytes - maxFixed, Verdict: "passes", Totals: totals(counts, f.Suppressed), Worst: worst(counts), Detected: f.Detected, Index: o.Index, Version: clean(o.Version, maxName),
	}
	if f.Failed() {
		v.Verdict = "fails"
	}
	list := worstFirst(f.Result.Findings)
	if v.Text {
		v.source = f.SourceLines()
	}
	listed := v.list(list, f.Profile, titlesOf(f, list, o.Names))
	if rest := len(list) - listed; rest > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("The page lists %d of %d findings, errors before warnings and infos. A table after the list counts the other findings by rule.", listed, len(list)))
	}
	if f.Result.Truncated {
		v.Notes = append(v.Notes, unlisted(counts.AtLeast(validate.Info)-len(list)))
	}
	for _, g := range v.Groups { // highest severity first
		if !slices.Contains(v.Severities, g.Severity) {
			v.Severities = append(v.Severities, g.Severity)
		}
	}
	if !v.Text {
		v.dump(f, list[:listed], o.Names)
	}
	return pageTemplate().Execute(w, v)
}

// kindOf returns the kind of the block, or the format of the text.
func kindOf(f report.File) string {
	if f.Form != "" {
		return clean(f.Form, maxText)
	}
	return f.Kind.String()
}

// unlisted returns the note about n findings that were counted but not listed.
func unlisted(n int) string {
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%s %s counted but not listed: the limit of findings was reached.", quote.Count(n, "finding"), verb)
}

// nameOf returns the name of the file at path, safe to show in the page.
func nameOf(path string) string {
	switch path {
	case "-":
		return "standard input"
	case "":
		return "unnamed file"
	}
	return clean(path, maxName)
}

// clean returns text as one line that is safe to show. A line of more than n bytes is cut, and "..." is added.
func clean(text string, n int) string {
	short, cut := quote.First(text, n)
	printed, longer := quote.First(terminal.Printable(short), n)
	if cut || longer {
		return printed + "..."
	}
	return printed
}

// totals returns a text with the number of findings of each severity, errors first, and the number of suppressed
// findings.
func totals(c validate.Counts, suppressed int) string {
	var list []string
	for _, s := range slices.Backward(validate.Severities()) {
		if n := c.Of(s); n > 0 {
			list = append(list, quote.Count(n, s.String()))
		}
	}
	text := cmp.Or(strings.Join(list, ", "), "no findings")
	if suppressed > 0 {
		text += fmt.Sprintf(" (%d suppressed)", suppressed)
	}
	return text
}

// worst returns the highest severity in the counts, or "none" if there are no findings.
func worst(c validate.Counts) string {
	for _, s := range slices.Backward(validate.Severities()) {
		if c.Of(s) > 0 {
			return s.String()
		}
	}
	return "none"
}

// A document has the parts of a page that do not depend on the findings.
type document struct {
	Policy        string // content security policy
	Style, Script template.HTML
}

var (
	//go:embed page.html
	pageText string
	//go:embed index.html
	indexText string
	//go:embed page.css
	style string
	//go:embed panes.css
	panesStyle string
	//go:embed dump.js
	dumpScript string
	//go:embed list.js
	listScript string
	//go:embed page.js
	pageScript string

	pageTemplate  = parsed("page.html", pageText)
	indexTemplate = parsed("index.html", indexText)

	pageParts  = sync.OnceValue(func() document { return newDocument(style+panesStyle, dumpScript+listScript+pageScript) })
	indexParts = sync.OnceValue(func() document { return newDocument(style, "") })
)

// parsed returns a function that returns the parsed template. Only the first call parses it.
func parsed(name, text string) func() *template.Template {
	return sync.OnceValue(func() *template.Template { return template.Must(template.New(name).Parse(text)) })
}

// newDocument returns a document with a style sheet and a script. If script is empty, the policy allows no
// scripts.
func newDocument(style, script string) document {
	d := document{
		Policy: "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hashOf(style),
		Style:  template.HTML("<style>" + style + "</style>"),
	}
	if script != "" {
		d.Policy += "; script-src " + hashOf(script)
		d.Script = template.HTML("<script>" + script + "</script>")
	}
	return d
}

// hashOf returns the source expression with which a content security policy allows an inline text.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
