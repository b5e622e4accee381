package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

type buildCommand struct {
	blockWriter
	noLint  bool
	checker checker
	specs   []string
	made    map[string]string // the spec of each written file, by the path of the file in lower case
}

func newBuild() *cobra.Command {
	c := &buildCommand{}
	cmd := &cobra.Command{
		Use:   "build SPEC...",
		Short: "Turn specs into blocks",

		SuggestFor: []string{"create", "encode", "make"},
		Long: `Build turns each SPEC, a YAML or JSON file, into a block. - is standard input.

For several SPECs, -o must be a folder: one that exists, or a name that ends in /. The
block of cpu.yaml is cpu.bin there. If its kind is not data-block, the name has the kind
too, as in cpu.query-data.bin, so that lint and dump know the kind. If a SPEC has an error,
the others are built, and the exit status is 2.

Build lints each block with the ` + config.FileName + ` that lint would use for the SPEC.
Findings that fail the block, by default errors, are listed on standard error, and the
exit status is 1, but the block is written. A SPEC with patches is broken on purpose: a line
lists its findings, and the exit status is 0.
` + section("Formats of the block", blockFormats()) + outputHelp,
		Example: `  perfblock build cpu.yaml -o cpu.bin
  perfblock build cpu.yaml --format hex
  perfblock build specs/*.yaml -o blocks/
  perfblock build cpu.yaml --format go --name fixtures.CPU -o cpu.go
  perfblock dump cpu.bin --format yaml | perfblock build - -o again.bin`,
		Args: requireArgs("a SPEC, or - for standard input", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.checkFiles(args); err != nil {
				return seeHelp(cmd, err)
			}
			c.specs, c.made = args, make(map[string]string)
			var end error
			for _, path := range args {
				switch err := c.one(path); {
				case errors.Is(err, errFaulty) && end == nil:
					end = err
				case err != nil && !errors.Is(err, errFaulty):
					complain(err)
					end = errFailed
				}
			}
			return end
		},
		ValidArgsFunction: cobra.FixedCompletions([]cobra.Completion{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt),
	}
	c.flags(cmd, blockFormats())
	cmd.Flags().BoolVar(&c.noLint, "no-lint", false, "do not lint the blocks")
	return cmd
}

// checkFiles returns an error if a block would overwrite another block or a spec.
func (c *buildCommand) checkFiles(specs []string) error {
	err := c.check()
	if err == nil && len(specs) > 1 {
		err = c.checkFolder(fmt.Sprintf("build of %d SPECs", len(specs)))
	}
	if err != nil {
		return err
	}
	var files []string
	for _, s := range specs {
		files = append(files, c.file(baseOf(s)+c.ext()))
	}
	return checkSame(files, specs)
}

func (c *buildCommand) one(path string) error {
	text, err := readInput(path)
	switch {
	case err != nil:
		return err
	case len(text) == 0:
		return block.Empty(path)
	}
	s, err := spec.Parse(block.NameOf(path), text)
	if err != nil {
		if isBlock(path, text) {
			return fmt.Errorf("%s: is a block, must be a spec (YAML or JSON); make one with perfblock dump --format yaml", block.NameOf(path))
		}
		return err
	}
	b, err := s.Build()
	if err != nil {
		return err
	}
	if err := c.claim(c.blockFile(baseOf(path), s.Kind()), path); err != nil {
		return err
	}
	c.names = namesOf(s.Model)
	if err := c.writeAll(c.blockFileOf(baseOf(path), s.Kind(), b)); err != nil || c.noLint {
		return err
	}
	return c.lint(path, s, b)
}

// claim reserves the output file `to` for the block of the spec at path. It returns an error if the output file is a
// spec, or already has the block of an earlier spec.
//
// The name of the output file can contain the kind of the block, as in cpu.query-data.bin. checkFiles does not know the
// kind, so it does not find all of these errors.
func (c *buildCommand) claim(to, path string) error {
	// On some systems, two names that differ only in case are the same file.
	if other, ok := c.made[strings.ToLower(to)]; ok {
		return fmt.Errorf("%s: not built: %s already has the block of %s", block.NameOf(path), to, block.NameOf(other))
	}
	if err := checkSame([]string{to}, c.specs); err != nil {
		return fmt.Errorf("%s: not built: %w", block.NameOf(path), err)
	}
	c.made[strings.ToLower(to)] = path
	return nil
}

// lint lists the findings of a block on standard error. If a finding fails the block, lint returns errFaulty.
func (c *buildCommand) lint(path string, s *spec.Spec, b []byte) error {
	name := block.NameOf(path)
	v, err := c.checker.block(block.Source{Path: path, File: path, Bytes: b}, s.Kind())
	switch {
	case err != nil:
		return fmt.Errorf("%s: not linted: %w", name, err)
	case len(s.Patches) > 0:
		complain(fmt.Errorf("%s: %s", name, patched(v.Result)))
		return nil
	case v.fails() == 0:
		return nil
	}
	listed := 0
	for _, f := range v.Findings {
		if f.Severity >= v.settings.config.Threshold() {
			complain(fmt.Errorf("%s: %v", name, f))
			listed++
		}
	}
	if more := v.fails() - listed; more > 0 {
		complain(fmt.Errorf("%s: and %s", name, quote.Count(more, "more finding")))
	}
	return errFaulty
}

// patched returns a message that lists the rules with findings in a patched block. The author of the patches compares
// this list with the intended faults.
func patched(r validate.Result) string {
	var rules []string
	of := map[string]int{}
	for _, f := range r.Findings {
		if of[f.Rule.Name]++; of[f.Rule.Name] == 1 {
			rules = append(rules, f.Rule.Name)
		}
	}
	for i, name := range rules {
		if n := of[name]; n > 1 && len(rules) > 1 {
			rules[i] = fmt.Sprintf("%s (%d)", name, n)
		}
	}
	n := r.Counts.AtLeast(validate.Info)
	if more := n - len(r.Findings); more > 0 {
		rules = append(rules, fmt.Sprintf("and %d not listed", more))
	}
	if n == 0 {
		return "the patched block has no findings"
	}
	return fmt.Sprintf("the patched block has %s: %s", quote.Count(n, "finding"), strings.Join(rules, ", "))
}

// baseOf returns the name of a file without folder and extension.
func baseOf(path string) string {
	if path == stdinPath {
		return stdinBase
	}
	base := filepath.Base(path)
	if name := strings.TrimSuffix(base, filepath.Ext(base)); name != "" {
		return name
	}
	return base
}
