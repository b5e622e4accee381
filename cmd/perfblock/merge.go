package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

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
once. A file that at least one process could validate is a validated file. The files are ordered
by path, as lint orders the files of a folder, and those in an archive as in the archive.
- is standard input. docs/fleet.md has examples.

Merge compares the texts that define counters, as lint compares its FILEs, such as for the rule
def-guid-collision. Two samples are compared only if one lint command read both.

The format text shows no bytes of blocks, because the lines do not contain them. Names of
objects and counters come from --titles, as for lint, and not from the lines.

Exit status, as of lint:
  0  no finding fails its file
  1  a finding fails its file
  2  the command could not run, a file was not validated, or no FILE has a record of a block
With --exit-zero the status is 0, also without a record, unless the command could not run.
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
		complain(errors.New("no FILE has a record of a block; see what the lint commands wrote to standard error"))
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
		return fmt.Errorf("%w; merge reads what lint --format jsonl writes", plainError(path, err))
	}
	return nil
}
