package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/dump"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

type dumpCommand struct {
	output
	kind, input, format choice
	findings            choice
	color               colouring
	drop                bool
}

func newDump() *cobra.Command {
	c := &dumpCommand{
		kind:   choice{options: kindOptions(layout.Kinds())},
		input:  choice{value: inputs()[0].name, options: inputs()},
		format: choice{value: dumpFormats()[0].name, options: dumpFormats()},

		findings: choice{value: validate.Warning.String(), options: failOns()},
	}
	cmd := &cobra.Command{
		Use:   "dump FILE",
		Short: "Show what is in a block",
		Long: `Dump shows a block field by field, as far as it can be read. - is standard input.
The exit status is 1 if something in the block could not be read, and 2 if the
command could not run. An output that is FILE itself, by any name, is refused.

Formats:
` + table(dumpFormats()) + `
What each member of the json is, docs/dump-json.md says.

` + kindHelp + `
` + table(kindOptions(layout.Kinds())) + `

Inputs:
` + table(inputs()) + `

What perfblock lint finds is shown at its bytes: errors and warnings, unless --findings
says otherwise, under the configuration that lint would use. It does not change the
exit status. Where that configuration is wrong, a line on standard error says so, and
no findings are shown.

A spec does not keep everything, such as padding that is not zero. Where a block
has such things, --format yaml stops and names the first; with --drop it leaves them
out, and lists them on standard error and in comments at the head of the spec. Only
a sound block becomes a spec; a spec makes a broken one by its patches.`,
		Example: `  perfblock dump cpu.bin
  perfblock dump cpu.bin --format tree
  perfblock dump collected.bin --kind objects --format json -o fields.json
  perfblock dump answers.bin --kind query-data --format tree
  perfblock dump cpu.bin --format yaml --drop -o cpu.yaml
  xxd cpu.bin | perfblock dump -`,
		Args: wantArgs("a FILE, or - for standard input", 1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.drop && c.format.value != yamlOption.name {
				return seeHelp(cmd, fmt.Errorf("--drop goes with --format %s", yamlOption.name))
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
	c.flag(cmd, "write to `FILE` or folder/; - is stdout")
	c.kind.flag(cmd, "kind", "what the bytes are, where they do not say so themselves")
	c.input.flag(cmd, "input", "how the bytes are given")
	c.format.flag(cmd, "format", "how to show the block")
	c.findings.flag(cmd, "findings", "the least to show of what lint finds")
	c.color.flag(cmd)
	cmd.Flags().BoolVar(&c.drop, "drop", false, "leave out of a spec what it cannot keep")
	return cmd
}

func (c *dumpCommand) run(path string) error {
	to := c.file(baseOf(path) + "." + c.format.value)
	if err := checkSame([]string{to}, []string{path}); err != nil {
		return err
	}
	s, err := readBlock(path, c.input.value)
	if err != nil {
		return err
	}
	kind, err := kindOf(s, c.kind.value)
	if err != nil {
		return err
	}
	if c.format.value == yamlOption.name {
		return c.yaml(s, kind, to)
	}
	f, err := dump.FormatNamed(c.format.value)
	if err != nil {
		return err
	}
	findings, err := c.judged(path, kind, s.b)
	if err != nil {
		complain(fmt.Errorf("%s: not judged: %w", s.name, err))
	}
	faults := 0
	err = c.write(to, func(w io.Writer) (err error) {
		faults, err = f.Write(c.color.writer(w, c.path), kind, s.b, dump.Options{Color: c.color.on(c.path), Findings: findings})
		return err
	})
	if err == nil && faults > 0 {
		return errFaulty
	}
	return err
}

// judged returns the findings to show, under the configuration that holds for the
// file at path. Of a kind without rules there are none.
func (c *dumpCommand) judged(path string, kind layout.Kind, b []byte) ([]validate.Finding, error) {
	least, err := config.ParseFailOn(c.findings.value)
	if err != nil || least == validate.Off {
		return nil, err
	}
	v, err := new(judge).block(path, kind, b)
	if err != nil || v.Unchecked != nil {
		return nil, err
	}
	return slices.DeleteFunc(v.Findings, func(f validate.Finding) bool { return f.Severity < least }), nil
}

// yaml writes the spec of the block to the file at that path, all of it or none.
func (c *dumpCommand) yaml(s source, kind layout.Kind, to string) error {
	from, losses, err := spec.FromBlock(kind, s.b, c.drop)
	switch {
	case errors.Is(err, builder.ErrUnkept) && !c.drop:
		return fmt.Errorf("%s: a spec cannot keep %w; --drop leaves such things out and lists them", s.name, err)
	case err != nil:
		return fmt.Errorf("%s: only a sound block becomes a spec, and this one is not: %w; "+
			"a spec makes a broken block of a sound one by patches", s.name, err)
	}
	var text []byte
	for _, loss := range losses {
		text = fmt.Appendf(text, "# dropped: %s\n", oneLine(loss.Error()))
	}
	if text, err = from.AppendYAML(text); err != nil {
		return fmt.Errorf("%s: no spec holds this block: %w", s.name, err)
	}
	for _, loss := range losses { // now that there is a spec that lacks them
		complain(fmt.Errorf("%s: dropped: %w", s.name, loss))
	}
	return c.write(to, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
