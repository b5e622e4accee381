package page

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// IndexName is the file name of the first page of an index.
const IndexName = "index.html"

// MaxRows is the largest number of files on one page of an index.
const MaxRows = 1000

// An Index lists files with their numbers of findings. It keeps some texts and numbers for each file, but not the
// block. The zero value is an empty Index. An Index must not be used by several goroutines at once.
type Index struct {
	Version string // version of perfblock, for the footer

	rows   []row
	names  map[string]int // the number of pages, by name
	rules  map[ruleKey]*ruleRow
	counts validate.Counts

	failed, unchecked, skipped int // files
	suppressed                 int // findings
}

// A row is a file in an index.
type row struct {
	Name, Page, Reason string // Page is "" for no page; Reason says why the file was not validated
	Kind               string // of the block, or the form of the text
	Detected           bool   // the kind was detected
	Bytes              int
	Counts             validate.Counts
	Suppressed         int
	Failed             bool
	unchecked          bool // the file was not validated
}

type ruleKey struct {
	id       string
	severity validate.Severity
}

// A ruleRow is a row of the table of rules. Findings is the number of listed findings of the rule in all files.
type ruleRow struct {
	ID, Name, Severity string
	Findings, Files    int

	order validate.Severity
	last  int // number of the last file with a finding
}

// Add adds a file, and returns the name of the HTML file for its page. The name has only ASCII letters, digits,
// points, hyphens and underscores, and is allowed on every system. Add makes the name from the path of the file, so
// that a page has the same name in every run. If two files have the same path, a number makes their names
// different.
func (x *Index) Add(f report.File) (name string) {
	name = x.nameFor(f.Path)
	x.add(f, name)
	return name
}

// AddOnly adds a file that has no page.
func (x *Index) AddOnly(f report.File) { x.add(f, "") }

func (x *Index) add(f report.File, name string) {
	r := row{Name: nameOf(f.Path), Page: name, Kind: kindOf(f), Detected: f.Detected, Bytes: len(f.Block), Counts: f.Result.Counts, Suppressed: f.Suppressed, Failed: f.Failed()}
	x.rows = append(x.rows, r)
	if r.Failed {
		x.failed++
	}
	x.counts.Error += r.Counts.Error
	x.counts.Warning += r.Counts.Warning
	x.counts.Info += r.Counts.Info
	x.suppressed += r.Suppressed
	for i := range f.Result.Findings {
		x.count(&f.Result.Findings[i])
	}
}

// count adds a finding to the row of its rule. The finding belongs to the file that was added last.
func (x *Index) count(f *validate.Finding) {
	if f.Rule == nil {
		return
	}
	key := ruleKey{f.Rule.ID, f.Severity}
	r := x.rules[key]
	if r == nil {
		if x.rules == nil {
			x.rules = map[ruleKey]*ruleRow{}
		}
		r = &ruleRow{ID: clean(f.Rule.ID, maxText), Name: clean(f.Rule.Name, maxText), Severity: f.Severity.String(), order: f.Severity}
		x.rules[key] = r
	}
	r.Findings++
	if r.last != len(x.rows) {
		r.last = len(x.rows)
		r.Files++
	}
}

// Unchecked adds a file that could not be validated. It has no page.
func (x *Index) Unchecked(u report.Unchecked) {
	reason := "unknown reason"
	if u.Err != nil {
		reason = clean(strings.TrimPrefix(u.Err.Error(), u.Path+": "), maxText)
	}
	x.rows = append(x.rows, row{Name: nameOf(u.Path), Reason: reason, unchecked: true})
	x.unchecked++
}

// Skipped counts a file that is not a block, or not a regular file.
func (x *Index) Skipped() { x.skipped++ }

// nameFor returns a name for the page of the file at path.
func (x *Index) nameFor(path string) string {
	const longest = 60
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	base = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, base)
	base = strings.TrimLeft(base[:min(len(base), longest)], ".-")
	if base == "" {
		base = "block"
	}
	name := fmt.Sprintf("%s-%.6x", base, sha256.Sum256([]byte(path)))
	if x.names == nil {
		x.names = map[string]int{}
	}
	x.names[name]++
	if n := x.names[name]; n > 1 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	return name + ".html"
}

// An indexView has the texts of index.html.
type indexView struct {
	document

	Files, Totals, Worst, Version string
	Notes                         []string
	Parts                         []part
	Unchecked, Rows               []row
	Rules                         []*ruleRow
}

// A part is a page of the index.
type part struct {
	Number  int
	Name    string
	Current bool
}

// Pages yields the file name of each page of the index, and a function that writes the page. The first name is
// [IndexName]. The files with the most errors are on the first page. The error of the function is an error of its
// writer.
func (x *Index) Pages(e report.End) iter.Seq2[string, func(io.Writer) error] {
	return func(yield func(string, func(io.Writer) error) bool) {
		rows := slices.Clone(x.rows)
		slices.SortStableFunc(rows, compareRows)
		v := x.view(e)
		for i := range max(1, (len(rows)+MaxRows-1)/MaxRows) {
			name := IndexName
			if i > 0 {
				name = fmt.Sprintf("index-%d.html", i+1)
			}
			v.Parts = append(v.Parts, part{Number: i + 1, Name: name})
		}
		for i, p := range v.Parts {
			v := v
			rows := rows[i*MaxRows : min(len(rows), (i+1)*MaxRows)]
			unchecked := min(max(0, x.unchecked-i*MaxRows), len(rows)) // the files that were not validated come first
			v.Unchecked, v.Rows = rows[:unchecked], rows[unchecked:]
			if i > 0 {
				v.Rules = nil
			}
			if v.Parts = slices.Clone(v.Parts); len(v.Parts) == 1 {
				v.Parts = nil
			} else {
				v.Parts[i].Current = true
			}
			if !yield(p.Name, func(w io.Writer) error { return indexTemplate().Execute(w, v) }) {
				return
			}
		}
	}
}

// view returns the texts that are on all pages of the index.
func (x *Index) view(e report.End) indexView {
	v := indexView{document: indexParts(), Files: quote.Count(len(x.rows), "file"), Totals: totals(x.counts, x.suppressed), Worst: worst(x.counts), Version: clean(x.Version, maxName)}
	if e.Interrupted {
		v.Notes = append(v.Notes, "The run was interrupted: files are missing from this list.")
	}
	if x.unchecked > 0 {
		v.Worst = validate.Error.String()
		v.Totals += "; " + quote.Count(x.unchecked, "file") + " not validated"
	}
	if x.failed > 0 {
		v.Totals += "; " + quote.Count(x.failed, "file") + " failed"
	}
	if x.skipped > 0 {
		v.Notes = append(v.Notes, quote.Count(x.skipped, "other file")+" skipped (not a block, or not a regular file).")
	}
	for _, r := range x.rules {
		v.Rules = append(v.Rules, r)
	}
	slices.SortFunc(v.Rules, func(a, b *ruleRow) int {
		return cmp.Or(cmp.Compare(b.order, a.order), cmp.Compare(b.Findings, a.Findings), cmp.Compare(a.ID, b.ID))
	})
	return v
}

// compareRows orders the files of an index: files that were not validated, then files that fail, then all other files.
// In each of these groups, files with more errors come first.
func compareRows(a, b row) int {
	rank := func(r row) int {
		switch {
		case r.unchecked:
			return 0
		case r.Failed:
			return 1
		}
		return 2
	}
	return cmp.Or(
		cmp.Compare(rank(a), rank(b)),
		cmp.Compare(b.Counts.Error, a.Counts.Error), cmp.Compare(b.Counts.Warning, a.Counts.Warning), cmp.Compare(b.Counts.Info, a.Counts.Info),
		cmp.Compare(a.Name, b.Name),
	)
}
