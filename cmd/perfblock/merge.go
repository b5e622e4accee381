package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/comparison"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suppression"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

type mergeCommand struct {
	reports  reportFlags
	exitZero bool
}

func newMerge() *cobra.Command {
	c := &mergeCommand{}
	cmd := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Make one report from the reports of many lint commands",

		SuggestFor: []string{"join", "combine"},
		Long: `Merge reads what perfblock lint --format jsonl wrote in several processes, and writes one
report. The order of the FILEs and of their lines has no effect, and copies of a line count
once. A file counts as validated if at least one process could validate it. The report has the
files in the order of their paths, as for a folder in lint, and the members of an archive in the
order of the archive. - is standard input. docs/fleet.md has examples.

Merge compares texts that define counters, as lint does for its FILEs: for example, the rule
def-guid-collision compares the GUIDs of all texts. Merge does not compare samples: two samples
are compared only if one lint command read both.

The format text shows no bytes of blocks, because the lines do not contain them. Names of
objects and counters come from --titles, as for lint, and not from the lines.

Exit status, as of lint:
  0  no finding fails its file
  1  a finding fails its file
  2  the command could not run, a file was not validated, or the FILEs have no results for any block
With --exit-zero, the status is 2 if the command could not run, and otherwise 0.
` + section("Formats", reportFormats()),
		Example: `  perfblock merge part-*.jsonl --out sarif=all.sarif --out text=-
  cat part-*.jsonl | perfblock merge - --summary
  perfblock merge old.jsonl new.jsonl --format jsonl -o both.jsonl`,
		Args: requireArgs("a FILE, or - for standard input", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkStdin(slices.Concat(args, c.reports.names.files)); err != nil {
				return seeHelp(cmd, err)
			}
			outs, err := c.reports.list(cmd)
			if err != nil {
				return seeHelp(cmd, err)
			}
			return c.run(outs, args)
		},
	}
	c.reports.flags(cmd)
	cmd.Flags().BoolVar(&c.exitZero, "exit-zero", false, "exit with 0, whatever the reports say")
	return cmd
}

func (c *mergeCommand) run(outs []reportOut, paths []string) error {
	if err := checkSame(files(outs), slices.Concat(c.reports.names.files, paths)); err != nil {
		return err
	}
	var records report.Records
	for _, path := range paths {
		if err := readRecords(&records, path); err != nil {
			return err
		}
	}
	if err := compareRecords(&records); err != nil {
		return err
	}
	w, err := c.reports.begin(outs)
	if err != nil {
		return err
	}
	defer w.discard()
	var end error
	if records.Len() == 0 { // an error, as in lint: the processes that write the records may have failed
		complain(errors.New("the FILEs have no results for any block; read the messages of the lint commands"))
		end = errFailed
	}
	for _, to := range w.writers {
		failed, unchecked, err := records.Write(to)
		if err != nil {
			return writeError(w.paths, err)
		}
		switch {
		case unchecked > 0:
			end = errFailed
		case failed:
			end = errFaulty
		}
	}
	if c.exitZero {
		end = nil
	}
	if err := w.close(report.End{ExitCode: new(exitOf(end))}); err != nil {
		return err
	}
	return end
}

func readRecords(records *report.Records, path string) error {
	var from io.Reader = os.Stdin
	if path != stdinPath {
		f, err := os.Open(path)
		if err != nil {
			return plainError(path, err)
		}
		defer f.Close()
		from = f
	}
	if err := records.Read(from); err != nil {
		return fmt.Errorf("%w; a FILE must be the output of lint --format jsonl", plainError(path, err))
	}
	return nil
}

// comparison returns data for the record of a definition. With this data, the command merge can compare the definition
// with definitions in other records.
//
// totals counts the findings that do not depend on other records. header is the header of an .ini file, or nil.
func (v *verdict) comparison(b block.Source, texts *definition.FileSet, totals comparison.Totals, contents, header []byte) *comparison.Text {
	c := &comparison.Text{Totals: totals, Apart: texts.Apart, MaxFindings: v.settings.config.Options().MaxFindings, Contents: comparison.Pack(contents)}
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

// compareRecords compares the definitions in the records, such as the manifest and the YAML file of one provider. It
// replaces the findings of earlier comparisons.
func compareRecords(records *report.Records) error {
	var texts definition.FileSet
	var apart []string // the paths of texts that cannot be compared
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
				return nil, errors.New("the record has no header")
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
			return f, errors.New("the comparison rules in the record differ from the comparison rules of this version of perfblock")
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
