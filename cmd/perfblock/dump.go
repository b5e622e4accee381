package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

type dumpCommand struct {
	output
	blockFlags
	format, findings choice
	color            colouring
	drop             bool
	names            namesFlag
	checker          checker
}

func newDump() *cobra.Command {
	c := &dumpCommand{findings: choice{value: validate.Warning.String()}}
	cmd := &cobra.Command{
		Use:   "dump FILE",
		Short: "Show the fields of a block",

		SuggestFor: []string{"decode", "print", "show", "view"},
		Long: `Dump shows the fields of a block, also of a broken one. - is standard input.

Exit status:
  0  no errors
  1  a part of the block could not be read
  2  the command could not run
` + section("Formats", dumpFormats()) + `docs/dump-json.md describes the json.
` + blockHelp(layout.Kinds()) + `
Dump shows the findings of lint at their bytes: errors and warnings, or the severities
of --findings. It uses the configuration that lint would use. If the configuration has an
error, dump prints the error and shows no findings. Findings do not change the exit status.
` + titlesHelp + `
--format yaml writes the spec of a valid block. A spec cannot hold all values, for example
padding that is not zero. If the block has such a value, dump reports the value and writes no
spec. With --drop, dump writes a spec without such values, and lists them on standard error
and in comments at the start of the spec. A broken block has no spec: write the spec of a
valid block and add patches to it.`,
		Example: `  perfblock dump cpu.bin
  perfblock dump cpu.bin --format tree
  perfblock dump cpu.bin --format tree --titles perflib.reg --language 009
  perfblock dump collected.bin --kind objects --format json -o fields.json
  perfblock dump answers.bin --kind query-data --format tree
  perfblock dump cpu.bin --format yaml --drop -o cpu.yaml
  xxd cpu.bin | perfblock dump -`,
		Args: requireArgs("a FILE, or - for standard input", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.drop && c.format.value != yamlOption.name {
				return seeHelp(cmd, fmt.Errorf("--drop requires --format %s", yamlOption.name))
			}
			if err := checkStdin(slices.Concat(args, c.names.files)); err != nil {
				return seeHelp(cmd, err)
			}
			return c.run(args[0])
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
	c.flag(cmd, "write to `FILE`, folder/, or \"-\" (stdout)")
	c.blockFlags.flags(cmd, layout.Kinds())
	c.format.preset(cmd, "format", "the format of the output", dumpFormats())
	c.findings.flag(cmd, "findings", "the lowest severity to show", failOns())
	c.color.flag(cmd)
	c.names.flags(cmd)
	cmd.Flags().BoolVar(&c.drop, "drop", false, "leave out values that a spec cannot hold")
	return cmd
}

func (c *dumpCommand) run(path string) error {
	file, _ := block.SplitPath(path)
	to := c.file(baseOf(file) + extension(c.format.value))
	if err := checkSame([]string{to}, append(slices.Clone(c.names.files), path)); err != nil {
		return err
	}
	names, err := c.names.lookup(path)
	if err != nil {
		return err
	}
	s, err := readBlock(path, c.form())
	if err != nil {
		return err
	}
	kind, detected, err := c.checker.kindOf(s, c.kind.value)
	if err != nil {
		return err
	}
	if detected {
		complain(fmt.Errorf("%s: the kind %v was detected", s.Name(), kind))
	}
	if c.format.value == yamlOption.name {
		return c.yaml(s, kind, to)
	}
	f := dump.Formats()[c.format.chosen()]
	findings, err := c.findingsOf(s, kind)
	if err != nil {
		complain(fmt.Errorf("%s: not validated: %w", s.Name(), err))
	}
	faults := 0
	err = c.writeFile(to, func(w io.Writer) (err error) {
		faults, err = f.Write(c.color.writer(w, c.path), kind, s.Bytes, dump.Options{Color: c.color.enabled(c.path), Findings: findings, Names: names})
		return err
	})
	if err == nil && faults > 0 {
		return errFaulty
	}
	return err
}

// findingsOf returns the findings to show. The configuration of the block applies.
func (c *dumpCommand) findingsOf(s block.Source, kind layout.Kind) ([]validate.Finding, error) {
	least, err := config.ParseFailOn(c.findings.value)
	if err != nil || least == validate.Off {
		return nil, err
	}
	v, err := c.checker.block(s, kind)
	if err != nil || v.Unchecked != nil {
		return nil, err
	}
	return slices.DeleteFunc(v.Findings, func(f validate.Finding) bool { return f.Severity < least }), nil
}

// yaml writes the spec of the block to the file at the path `to`.
func (c *dumpCommand) yaml(s block.Source, kind layout.Kind, to string) error {
	from, losses, err := spec.FromBlock(kind, s.Bytes, c.drop)
	switch {
	case errors.Is(err, builder.ErrUnkept) && !c.drop:
		return fmt.Errorf("%s: a spec cannot hold all data of this block: %w; use --drop to leave out such data", s.Name(), err)
	case err != nil:
		return fmt.Errorf("%s: only a valid block has a spec: %w; to make a broken block, build a valid spec with patches", s.Name(), err)
	}
	var text []byte
	for _, loss := range losses {
		text = fmt.Appendf(text, "# dropped: %s\n", terminal.Printable(loss.Error()))
	}
	if text, err = from.AppendYAML(text); err != nil {
		return fmt.Errorf("%s: a spec cannot hold this block: %w", s.Name(), err)
	}
	for _, loss := range losses {
		complain(fmt.Errorf("%s: dropped: %w", s.Name(), loss))
	}
	return c.writeAll(outfile.Bytes(to, text))
}
