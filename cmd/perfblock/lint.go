package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate/config"
	"github.com/perfblock/perfblock/validate/report"
)

type lintCommand struct {
	output
	judging             judgeFlags
	kind, input, format choice
	color               colouring
}

func newLint() *cobra.Command {
	c := &lintCommand{
		kind:   choice{options: kindOptions(layout.Kinds())},
		input:  choice{value: inputs()[0].name, options: inputs()},
		format: choice{value: reportFormats()[0].name, options: reportFormats()},
	}
	cmd := &cobra.Command{
		Use:   "lint FILE...",
		Short: "Say what is wrong with blocks",
		Long: `Lint holds blocks against the rules of the documentation and lists what breaks
them. - is standard input. What a rule says and why, perfblock explain tells.

The exit status is 0 if no finding is as bad as --fail-on says, 1 if one is, and 2 if
the command could not run or a FILE could not be judged; the others are judged and
written all the same, and json and sarif name the one that was not. An output that is
one of the FILEs, by any name, is refused.

Formats:
` + table(reportFormats()) + `
What each member of the json is, docs/lint-json.md says.

` + kindHelp + `
` + table(kindOptions(layout.Kinds())) + `

Inputs:
` + table(inputs()) + `

Profiles:
` + table(profiles()) + `

What fails a block, by --fail-on:
` + table(failOns()) + `

The file ` + config.FileName + ` in the folder of FILE or the next one above that has
it sets profile, fail-on, max-findings and rules; flags go on top. For - it is the
working folder. docs/schema/perfblock-config.schema.json describes it to editors.

--rule sets a rule, by ID or name, to off, info, warning or error, and may say why:
--rule data-version=off:REASON.

Rules that need more than the bytes are silent without it. Of winperf.h, --query,
--first-counter and --last-counter give it. Of perflib.h, --identifiers is the file of
what PerfQueryCounterInfo returned for the query that query data answers, and each
--reginfo that of what PerfQueryCounterSetRegistrationInfo returned for a counter set,
a reg-set. Which of several sets an answer is of only identifiers tell; one alone is
taken for that of query data and of strings. They are read as --input says, and hold
for all FILEs. --role says what identifiers are for, and --counters how many counters
the set of an instance block has.

What identifiers are for:
` + table(roles()),
		Example: `  perfblock lint capture.bin
  perfblock lint collected.bin --kind objects --profile windows
  perfblock lint fixtures/*.bin --format sarif -o findings.sarif
  perfblock lint capture.bin --rule data-trailing-bytes=off --fail-on warning
  perfblock lint gpu.query-data.bin --identifiers gpu.identifiers.bin --reginfo gpu.reg-set.bin
  xxd capture.bin | perfblock lint -`,
		Args: wantArgs("a FILE, or - for standard input", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			j, err := c.judging.judge(cmd)
			if err == nil {
				err = checkStdin(slices.Concat(args, c.judging.told.files()))
			}
			if err != nil {
				return seeHelp(cmd, err)
			}
			return c.run(j, args)
		},
	}
	c.flag(cmd, "write to `FILE` or folder/; - is stdout")
	c.kind.flag(cmd, "kind", "what the bytes are, where they do not say so themselves")
	c.input.flag(cmd, "input", "how the bytes are given")
	c.format.flag(cmd, "format", "how to write the findings")
	c.color.flag(cmd)
	c.judging.flags(cmd)
	return cmd
}

// checkStdin refuses to read standard input twice: the second time there is nothing.
func checkStdin(paths []string) error {
	n := 0
	for _, path := range paths {
		if path == stdinPath {
			n++
		}
	}
	if n > 1 {
		return errors.New("- stands twice, and standard input can be read once")
	}
	return nil
}

func (c *lintCommand) run(j *judge, paths []string) error {
	f, err := report.FormatNamed(c.format.value)
	if err != nil {
		return err
	}
	to := c.file("findings." + c.format.value)
	if err := checkSame([]string{to}, slices.Concat(paths, c.judging.told.files())); err != nil {
		return err
	}
	if err := c.judging.told.read(c.input.value, &j.context); err != nil {
		return err
	}
	if j.file != "" {
		if r := j.ruling(j.file); r.err != nil {
			return r.err
		}
	}
	var files []report.File
	var unchecked []report.Unchecked
	end := error(nil)
	for _, path := range paths {
		file, v, err := c.one(j, path)
		switch {
		case err != nil:
			complain(err)
			unchecked = append(unchecked, report.Unchecked{Path: path, Err: err})
			end = errFailed
			continue
		case v.fails() > 0 && end == nil:
			end = errFindings
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return end // and no report, which would look like one of blocks without findings
	}
	if err := checkSame([]string{to}, j.configs()); err != nil {
		return err
	}
	err = c.write(to, func(w io.Writer) error {
		return f.Write(c.color.writer(w, c.path), files, report.Options{
			Color: c.color.on(c.path), Version: moduleVersion(), Profile: j.profile(),
			Unchecked: unchecked, ExitCode: new(exitOf(end)),
		})
	})
	if err != nil {
		return err
	}
	return end
}

// one judges the block in the file at path.
func (c *lintCommand) one(j *judge, path string) (report.File, verdict, error) {
	s, err := readBlock(path, c.input.value)
	if err != nil {
		return report.File{}, verdict{}, err
	}
	kind, err := kindOf(s, c.kind.value)
	if err != nil {
		return report.File{}, verdict{}, err
	}
	v, err := j.block(path, kind, s.b)
	if err == nil {
		err = v.Unchecked
	}
	if err != nil {
		return report.File{}, verdict{}, fmt.Errorf("%s: not judged: %w", inputName(path), err)
	}
	return report.File{Path: path, Input: s.input, Kind: kind, Block: s.b, Result: v.Result}, v, nil
}
