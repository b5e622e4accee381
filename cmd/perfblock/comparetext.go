package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/comparison"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suppression"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// comparison returns what merge needs to compare a text with others as lint does. alone has the totals without the
// findings of the comparison.
func (v *verdict) comparison(b block.Source, texts *definition.FileSet, alone comparison.Totals, contents, header []byte) *comparison.Text {
	c := &comparison.Text{Totals: alone, Apart: texts.Apart, MaxFindings: v.config.Options().MaxFindings, Contents: comparison.Pack(contents)}
	if header != nil {
		c.Header = comparison.Pack(header)
	}
	compared := make(map[string]bool)
	for _, r := range texts.Rules() {
		compared[r.Name] = true
		one := comparison.Setting{Rule: r.ID, Severity: validate.Off.String()}
		result, err := v.settings.validate(func(v *validate.Validator) (validate.Result, error) {
			return v.Collect([]validate.Finding{{Rule: r}}), nil
		})
		if err == nil && len(result.Findings) > 0 {
			one.Severity, one.Reason = result.Findings[0].Severity.String(), result.Findings[0].Reason
		}
		c.Rules = append(c.Rules, one)
	}
	if known := v.settings.known; known != nil {
		for _, e := range known.list.EntriesOf(known.fileOf(b)) {
			if compared[e.Rule] {
				c.Suppressions = append(c.Suppressions, comparison.Suppression{Rule: e.Rule, Path: e.Path, Count: e.Count})
			}
		}
	}
	return c
}

// compareRecords compares the texts of records, as lint compares the texts of its FILEs.
func compareRecords(records *report.Records) error {
	var texts definition.FileSet
	var apart []string // texts without a comparison
	err := records.Compare(func(f report.File) (report.File, error) {
		if f.Comparison == nil {
			if f.Form != definition.Titles.String() {
				apart = append(apart, f.Path)
			}
			return f, nil
		}
		c := f.Comparison()
		file, err := definition.Read(f.Path, f.Block, func(name string) ([]byte, error) {
			if c.Header == nil {
				return nil, errors.New("there is no header")
			}
			return c.Header.Unpack()
		})
		if err != nil {
			return f, err
		}
		if file.Form.String() != f.Form {
			return f, fmt.Errorf("the text is %s, must be %s", file.Form, f.Form)
		}
		options, err := c.Options()
		if err != nil {
			return f, err
		}
		var known suppression.List
		for _, s := range c.Suppressions {
			known.Put(suppression.Entry{Rule: s.Rule, Path: s.Path, Count: s.Count})
			options.MaxFindings = mostSuppressed
		}
		v, err := validate.New(options)
		if err != nil {
			return f, err
		}
		texts.Apart = c.Apart
		if !slices.EqualFunc(c.Rules, texts.Rules(), func(a comparison.Setting, b *validate.Rule) bool { return a.Rule == b.ID }) {
			return f, errors.New("the comparison does not have the rules of this version")
		}
		more := verdict{Result: texts.Check(v, file)}
		places := func() []string {
			return identity.OfText(func() []string { return file.Lines(f.Block) }, more.Findings, file.Names())
		}
		more.suppress(&known, "", places(), c.MaxFindings, func(string) bool { return true })
		f.Result, f.Places, f.Suppressed = more.Result, places(), more.suppressed
		return f, nil
	})
	if err == nil && len(apart) > 0 {
		more := ""
		if n := len(apart) - 1; n > 0 {
			more = " (and " + quote.Count(n, "other text") + ")"
		}
		complain(fmt.Errorf("%s%s: not compared with the texts of other reports, because its record has no text; docs/fleet.md has the reasons", apart[0], more))
	}
	return err
}
