package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate/config"
)

type buildCommand struct {
	blockWriter
	unlinted bool
	judge    judge
	specs    []string
	made     map[string]string // the spec of each file, by its path in small letters
}

func newBuild() *cobra.Command {
	c := &buildCommand{}
	cmd := &cobra.Command{
		Use:   "build SPEC...",
		Short: "Turn specs into blocks",
		Long: `Build turns each SPEC, a file of YAML or JSON, into a block. - is standard input.

Of several specs each gets a file in the folder that -o names: one that is there,
or is made if the name ends in /. The file is called as the spec is but for its
ending, with the kind before that for the buffers of perflib.h: cpu.yaml becomes
cpu.query-data.bin, which lint and dump understand. Nothing is written for a spec that
is wrong; the others are built all the same, and the exit status is 2. An output that
is one of the SPECs, by any name, is refused.

What was built is linted, under the ` + config.FileName + ` of the spec's folder or the next
one above that has it. Findings that fail it, errors unless that file says otherwise,
are listed on standard error, and the exit status is 1; the block is written all the
same. A spec with patches is wrong on purpose: a line says what is found, and the
status is 0.

Formats of the block:
` + table(blockFormats()) + "\n\n" + namesHelp,
		Example: `  perfblock build cpu.yaml -o cpu.bin
  perfblock build cpu.yaml --format hex
  perfblock build specs/*.yaml -o blocks/
  perfblock build cpu.yaml --format go --name fixtures.CPU -o cpu.go
  perfblock dump cpu.bin --format yaml | perfblock build - -o again.bin`,
		Args: wantArgs("a SPEC, or - for standard input", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkBuild(&c.blockWriter, args); err != nil {
				return seeHelp(cmd, err)
			}
			c.specs, c.made = args, make(map[string]string)
			end := error(nil)
			for _, path := range args {
				switch err := c.one(path); {
				case errors.Is(err, errFindings) && end == nil:
					end = err
				case err != nil && !errors.Is(err, errFindings):
					complain(err)
					end = errFailed
				}
			}
			return end
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	c.flags(cmd, blockFormats(), "write to `FILE` or folder/; - is stdout")
	cmd.Flags().BoolVar(&c.unlinted, "no-lint", false, "do not lint what is built")
	return cmd
}

// checkBuild reports what would make one block overwrite another, or go nowhere.
func checkBuild(w *blockWriter, specs []string) error {
	if err := w.check(); err != nil {
		return err
	}
	if len(specs) == 1 {
		return checkSame([]string{w.file(baseOf(specs[0]) + w.ext())}, specs)
	}
	switch {
	case !w.given:
		return fmt.Errorf("%d specs make %d files: name a folder for them with -o", len(specs), len(specs))
	case !w.isFolder():
		return fmt.Errorf("%d specs do not go into one file: -o %s is no folder; write %s/ to make one", len(specs), w.path, w.path)
	case w.name != "":
		return fmt.Errorf("--name is for one spec, not for %d", len(specs))
	}
	seen, files := make(map[string]string), []string(nil)
	for _, s := range specs {
		file := strings.ToLower(baseOf(s)) // as file systems compare names at the strictest
		if other, ok := seen[file]; ok {
			return fmt.Errorf("%s and %s would both become %s", other, s, w.file(baseOf(s)+w.ext()))
		}
		seen[file] = s
		files = append(files, w.file(baseOf(s)+w.ext()))
	}
	return checkSame(files, specs)
}

func (c *buildCommand) one(path string) error {
	text, err := readInput(path)
	switch {
	case err != nil:
		return err
	case len(text) == 0:
		return empty(path)
	}
	s, err := spec.Parse(inputName(path), text)
	if err != nil {
		return err
	}
	b, err := s.Build()
	if err != nil {
		return err
	}
	if err := c.claim(c.blockFile(baseOf(path), s.Kind()), path); err != nil {
		return err
	}
	if err := c.block(baseOf(path), s.Kind(), b); err != nil || c.unlinted {
		return err
	}
	return c.lint(path, s, b)
}

// claim refuses to write a block where another stands or a spec does: checkBuild knows
// no kinds, which may be in the names of the files.
func (c *buildCommand) claim(to, path string) error {
	if other, ok := c.made[strings.ToLower(to)]; ok {
		return fmt.Errorf("%s: not built: %s is the block of %s", inputName(path), to, inputName(other))
	}
	if err := checkSame([]string{to}, c.specs); err != nil {
		return fmt.Errorf("%s: not built: %w", inputName(path), err)
	}
	c.made[strings.ToLower(to)] = path
	return nil
}

// baseOf returns a file's name without folder and ending, to name another by.
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

// wantArgs checks how many arguments there are; a negative limit is none.
func wantArgs(what string, least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return seeHelp(cmd, fmt.Errorf("%s wants %s", cmd.Name(), what))
		case most >= 0 && len(args) > most:
			return seeHelp(cmd, fmt.Errorf("%s does not know what to do with %q", cmd.Name(), args[most]))
		}
		return nil
	}
}
