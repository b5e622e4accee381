package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
	"github.com/perfblock/perfblock/validate/report"
)

type lintCommand struct {
	reports     reportFlags
	checks      checkFlags
	kind, input choice
	exitZero    bool
}

func newLint() *cobra.Command {
	c := &lintCommand{
		reports: reportFlags{blocks: true},

		kind:  choice{options: kindOptions(layout.Kinds())},
		input: choice{value: inputs()[0].name, options: inputs()},
	}
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "List the faults of blocks",

		SuggestFor: []string{"check", "test", "validate", "verify"},
		Long: `Lint validates blocks and lists each fault at its byte, with the rule and the fix.
- is standard input. perfblock explain describes the rules.

Exit status:
  0  no finding has the severity of --fail-on, or a higher one
  1  a finding has the severity of --fail-on, or a higher one
  2  the command could not run, or could not validate a FILE; the report has the other
     FILEs, and in json and sarif it also names this FILE
With --exit-zero the status is 0, unless the command could not run.

Formats:
` + table(c.reports.formats()) + `
docs/lint-json.md describes json and jsonl. The pages of html have the bytes and the fields of
each block. They open from a disk, and the value of --out html=FOLDER is a folder.

` + kindHelp + `
` + table(kindOptions(layout.Kinds())) + `

` + inputHelp() + `

Profiles, which set the severity of each rule:
` + table(profiles()) + `

What fails a block, by --fail-on:
` + table(failOns()) + `

To suppress (ignore, exclude, disable) a rule, set it to off: --rule data-version=off, or
--rule data-version=off:REASON. --rule 'inst-*=info' sets all rules that the pattern matches.
Severities are off, info, warning and error.

To report only new findings, write those that there are to a list with --suppress-existing
FILE, and name the list with --suppressions FILE, or with the key suppressions in
` + config.FileName + `. Suppressed findings are counted, but do not fail a block.

The file ` + config.FileName + ` sets profile, fail-on, max-findings and rules for the
blocks in its folder and below; the nearest such file is used. Its overrides set kind, profile
and rules for some files. Flags override it. For standard input it is searched from the
working folder. perfblock config FILE shows what applies to a FILE.
docs/schema/perfblock-config.schema.json describes it to editors.

Some rules need more than the bytes. They report nothing without these flags:
  V1  --query, --first-counter and --last-counter
  V2  --identifiers FILE, from PerfQueryCounterInfo for the query of the query data;
      --reginfo FILE, from PerfQueryCounterSetRegistrationInfo for a counter set, a reg-set;
      --role; --counters
With several --reginfo files, --identifiers is needed to match results to counter sets.
The flags apply to all FILEs of these kinds, and at least one FILE must be of such a kind.
--input applies to the files of the flags too.

Roles of identifiers, by --role:
` + table(roles()),
		Example: `  perfblock lint capture.bin
  perfblock lint collected.bin --kind objects --profile windows
  perfblock lint fixtures/*.bin --out sarif=findings.sarif --out text=-
  perfblock lint capture.bin --rule data-trailing-bytes=off --fail-on warning
  perfblock lint gpu.query-data.bin --identifiers gpu.identifiers.bin --reginfo gpu.reg-set.bin
  xxd capture.bin | perfblock lint -`,
		Args: requireArgs("a FILE, or - for standard input", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			checker, err := c.checks.checker(cmd)
			if err == nil {
				err = checkStdin(slices.Concat(args, c.checks.context.files()))
			}
			if err != nil {
				return seeHelp(cmd, err)
			}
			return c.run(cmd, checker, args)
		},
	}
	c.reports.flags(cmd)
	c.kind.flag(cmd, "kind", "the kind of the blocks")
	c.input.flag(cmd, "input", "the form of the files")
	cmd.Flags().BoolVar(&c.exitZero, "exit-zero", false, "exit with 0, whatever the reports say")
	c.checks.flags(cmd)
	return cmd
}

// checkStdin returns an error if standard input would be read twice.
func checkStdin(paths []string) error {
	n := 0
	for _, path := range paths {
		if file, _ := splitBlock(path); file == stdinPath {
			n++
		}
	}
	if n > 1 {
		return fmt.Errorf("- is given %d times, but standard input can be read once", n)
	}
	return nil
}

func (c *lintCommand) run(cmd *cobra.Command, checker *checker, paths []string) error {
	outs, err := c.reports.list(cmd)
	if err != nil {
		return seeHelp(cmd, err)
	}
	to := files(outs)
	if err := checkSame(append(c.checks.suppress.outputs(), to...), slices.Concat(paths, c.checks.context.files())); err != nil {
		return err
	}
	if err := c.checks.context.read(c.input.value, &checker.context); err != nil {
		return err
	}
	if err := checker.readConfig(); err != nil {
		return err
	}
	w, err := c.reports.begin(outs)
	if err != nil {
		return err
	}
	defer w.discard()
	end, kinds, err := c.files(checker, paths, w)
	if err != nil {
		return err
	}
	if end != errFailed { // otherwise the kind of a file is not known
		if err := checkApplies(cmd.Flags(), kinds); err != nil {
			return seeHelp(cmd, err)
		}
	}
	if err := checkSame(to, checker.configs()); err != nil {
		return err
	}
	if c.exitZero {
		end = nil
	}
	if err := w.close(report.End{ExitCode: new(exitOf(end))}); err != nil {
		return err
	}
	if err := checker.finishSuppressions(); err != nil {
		return err
	}
	return end
}

// files validates the files at the paths and adds them to the reports. end is the error that the
// command ends with, because of what it found; err says that the reports cannot be written. kinds are
// the kinds of the blocks.
func (c *lintCommand) files(checker *checker, paths []string, w *reportWriter) (end error, kinds []layout.Kind, err error) {
	add := func(path string, file report.File, failed bool, err error) error {
		if err != nil {
			complain(err)
			end = errFailed
			return w.unchecked(report.Unchecked{Path: path, Err: err})
		}
		if failed && end == nil {
			end = errFindings
		}
		kinds = append(kinds, file.Kind)
		return w.file(file)
	}
	for _, path := range paths {
		list, err := readBlocks(path, c.input.value)
		if err != nil {
			if err := add(path, report.File{}, false, err); err != nil {
				return nil, nil, err
			}
		}
		for _, s := range list {
			file, failed, err := c.one(checker, s)
			if err := add(s.path, file, failed, err); err != nil {
				return nil, nil, err
			}
		}
	}
	return end, kinds, nil
}

// one validates a block. failed reports whether the findings fail it.
func (c *lintCommand) one(checker *checker, s source) (file report.File, failed bool, err error) {
	kind, detected, err := checker.kindOf(s, c.kind.value)
	if err != nil {
		return file, false, err
	}
	v, err := checker.block(s, kind)
	if err == nil {
		err = v.Unchecked
	}
	if err != nil {
		return file, false, fmt.Errorf("%s: not validated: %w", inputName(s.path), err)
	}
	return report.File{
		Path: s.path, Input: s.input, Kind: kind, Block: s.b, Result: v.Result, Suppressed: v.suppressed.AtLeast(validate.Info),
		Detected: detected, Profile: v.config.Options().Profile, FailOn: v.config.Threshold(),
	}, v.fails() > 0, nil
}
