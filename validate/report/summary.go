package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/validate"
)

// A summary writes the numbers of listed findings by rule, by file and by object.
type summary struct {
	*texter

	rules, paths, records map[string]validate.Counts
}

// maxRows is the largest number of rows in a table of a summary.
const maxRows = 50

func (s *summary) file(f *File) error {
	places := f.structuralPaths()
	for i := range f.Result.Findings {
		found := &f.Result.Findings[i]
		one := oneFinding[max(found.Severity, validate.Info)]
		rule := found.Rule.ID + " " + found.Rule.Name
		s.rules[rule] = sum(s.rules[rule], one)
		record := f.recordOf(places[i])
		if object, _ := f.titles(i); object.Name != "" {
			record += "   " + identity.TitleText(object)
		}
		s.records[record] = sum(s.records[record], one)
	}
	if f.Result.Counts.AtLeast(validate.Info) > 0 {
		s.paths[f.name()] = sum(s.paths[f.name()], f.Result.Counts)
	}
	s.files++
	s.counts = sum(s.counts, f.Result.Counts)
	s.add(f)
	return nil
}

// recordOf returns the first part of a structural path, such as object[238] or counterSet["Queues"].
func (f *File) recordOf(place string) string {
	if i := strings.IndexByte(place, ']'); i >= 0 {
		return place[:i+1]
	}
	if f.Form != "" {
		return "other lines"
	}
	return "header"
}

// oneFinding maps each severity to the counts of a single finding with this severity.
var oneFinding = map[validate.Severity]validate.Counts{validate.Error: {Error: 1}, validate.Warning: {Warning: 1}, validate.Info: {Info: 1}}

func (s *summary) finish(e End) error {
	s.table("rule", s.rules)
	s.table("file", s.paths)
	s.table("record", s.records)
	if text := s.detections(); text != "" {
		s.line(text)
	}
	s.total()
	return s.stop(e)
}

// table writes a row for each name. Names with the most findings of the highest severity come first.
func (s *summary) table(what string, rows map[string]validate.Counts) {
	names := slices.Collect(maps.Keys(rows))
	slices.SortFunc(names, func(a, b string) int {
		x, y := rows[a], rows[b]
		return cmp.Or(cmp.Compare(y.Error, x.Error), cmp.Compare(y.Warning, x.Warning), cmp.Compare(y.Info, x.Info), cmp.Compare(a, b))
	})
	if len(names) == 0 {
		return
	}
	s.line(s.ink.Bold.Text(fmt.Sprintf("%8s %8s %8s  %s", "errors", "warnings", "infos", what)))
	for _, name := range names[:min(len(names), maxRows)] {
		c := rows[name]
		s.line(fmt.Sprintf("%8d %8d %8d  %s", c.Error, c.Warning, c.Info, terminal.Printable(name)))
	}
	if more := len(names) - maxRows; more > 0 {
		s.line(fmt.Sprintf("%28s%d more", "", more))
	}
	s.line()
}
