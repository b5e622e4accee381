package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

type genCommand struct {
	blockWriter
	kind, workload choice
	broken         ruleFlag
	seed           uint64
	list           bool
}

func newGen() *cobra.Command {
	c := &genCommand{
		kind:     choice{value: layout.DataBlockKind.String(), options: kindOptions(layout.Kinds())},
		workload: choice{options: workloads()},
	}
	formats := append(blockFormats(), yamlOption)
	cmd := &cobra.Command{
		Use:   "gen",
		Short: "Generate a block, valid or broken on purpose",

		SuggestFor: []string{"fuzz", "generate", "new"},
		Long: `Gen generates a block without errors. --seed N makes a random block with legal values,
including unusual ones that lint warns of. --workload makes a block like a real system's.
The same flags always make the same block.

--break RULE makes a block that breaks the rule, at a place that the seed chooses; the
block may have other findings too. Lines on standard error name the other rules that the
same fault breaks, and the flags that lint needs to find the fault. Files for these flags
are written beside the block: for -o cpu.query-data.bin they are cpu.identifiers.bin,
cpu.1.reg-set.bin and so on. They replace existing files, as -o does. They are not written
if the block goes to standard output.
Without --kind, the seed chooses one of the kinds that the rule checks.

Workloads:
` + table(workloads()) + `

Kinds of block:
` + table(kindOptions(layout.Kinds())) + `

Formats:
` + table(formats) + "\n\n" + outputHelp,
		Example: `  perfblock gen --seed 7 -o block.bin
  perfblock gen --workload cpu --format hex
  perfblock gen --seed 7 --kind objects | perfblock dump - --kind objects
  perfblock gen --break data-total-length --seed 7 -o broken.bin
  perfblock gen --list`,
		Args: requireArgs("", 0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.list {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), table(workloads()))
				return err
			}
			if err := c.checkWhat(cmd.Flags().Changed); err != nil {
				return seeHelp(cmd, err)
			}
			if err := c.check(); err != nil {
				return seeHelp(cmd, err)
			}
			if c.broken.rule != nil {
				return c.breakRule(cmd.Flags().Changed("kind"))
			}
			return c.run()
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.flags(cmd, formats, "write to `FILE` or folder/; - is stdout")
	c.kind.flag(cmd, "kind", "the kind of the block")
	c.workload.flag(cmd, "workload", "make the block of a workload")
	cmd.Flags().Uint64Var(&c.seed, "seed", 0, "make a random block from the seed `N`")
	noFiles(cmd, "seed")
	c.broken.flag(cmd, "break", "make a block that breaks the rule with that ID or name")
	cmd.Flags().BoolVar(&c.list, "list", false, "list the workloads")
	return cmd
}

// checkWhat returns an error unless the flags select exactly one block.
func (c *genCommand) checkWhat(given func(flag string) bool) error {
	breaks := c.broken.rule != nil
	switch {
	case given("seed") && given("workload"):
		return errors.New("--seed and --workload exclude each other: a workload has no seed")
	case breaks && given("workload"):
		return errors.New("--break and --workload exclude each other: --break requires --seed")
	case breaks && c.format.value == yamlOption.name:
		return errors.New("--break cannot write a spec, because a spec is a valid block; perfblock build makes a broken block from a spec with patches")
	case breaks && !given("seed"):
		return errors.New("--break requires --seed N, which chooses the place of the fault")
	case given("workload") && given("kind"):
		w, err := fuzz.FindWorkload(c.workload.value)
		if err == nil && w.Kind.String() != c.kind.value && !(w.Kind.V1() && c.kind.value == layout.ObjectsKind.String()) {
			return fmt.Errorf("the workload %s has the kind %v, not %s", w.Name, w.Kind, c.kind.value)
		}
	case !given("seed") && !given("workload"):
		return fmt.Errorf("gen requires --seed N or --workload NAME, where NAME is one of %s", strings.Join(c.workload.names(), ", "))
	}
	return nil
}

func (c *genCommand) run() error {
	kind, err := layout.ParseKind(c.kind.value)
	if err != nil {
		return err
	}
	base := "seed-" + strconv.FormatUint(c.seed, 10)
	var model builder.Model
	if c.workload.value != "" {
		w, err := fuzz.FindWorkload(c.workload.value)
		if err != nil {
			return err
		}
		base, model = w.Name, w.Block()
		if block, ok := model.(*builder.DataBlock); ok && kind == layout.ObjectsKind {
			model = new(builder.Objects(block.Objects))
		}
	} else if model, err = c.seeded(kind); err != nil {
		return err
	}
	made := spec.Spec{Model: model}
	if c.format.value == yamlOption.name {
		text, err := made.AppendYAML(nil)
		if err != nil {
			return fmt.Errorf("a spec cannot hold this block: %w", err)
		}
		return c.write(c.file(base+c.ext()), func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	}
	b, err := made.Build()
	if err != nil {
		return err
	}
	return c.block(base, model.Kind(), b)
}

// seeded returns the model that the seed makes. A file must not be empty: if the block of the
// model has no bytes, seeded tries seeds derived from the given one.
func (c *genCommand) seeded(kind layout.Kind) (builder.Model, error) {
	for i := uint64(0); ; i++ {
		model := fuzz.Model(kind, fuzz.Seed(c.seed+i<<32), fuzz.Config{})
		if n, err := model.EncodedLen(); err != nil || n > 0 {
			return model, err
		}
	}
}

// breakRule writes a block that breaks the rule, and the files that lint needs to find the
// fault. kindGiven reports whether the user has given --kind.
func (c *genCommand) breakRule(kindGiven bool) error {
	b, err := c.brokenBlock(kindGiven)
	if err != nil {
		return err
	}
	return c.writeBroken(b)
}

// brokenBlock returns a block that breaks the rule. It tries seeds derived from the given one
// until the block has the kind of --kind.
func (c *genCommand) brokenBlock(kindGiven bool) (fuzz.Broken, error) {
	r, tries := c.broken.rule, uint64(64)
	about := r.Kinds()
	if kindGiven && !slices.ContainsFunc(about, func(k layout.Kind) bool { return k.String() == c.kind.value }) {
		return fuzz.Broken{}, fmt.Errorf("the rule %s does not check blocks of kind %s, only %s", r.Name, c.kind.value, kindList(about, "and"))
	}
	for i := range tries {
		b, err := fuzz.Break(r.Name, fuzz.Seed(c.seed+i<<32), fuzz.Config{})
		if err != nil || !kindGiven || b.Kind.String() == c.kind.value {
			return b, err
		}
	}
	return fuzz.Broken{}, fmt.Errorf("--seed %d makes no block of kind %s that breaks %s; try another seed", c.seed, c.kind.value, r.Name)
}

// writeBroken writes the block and its context files, and prints the flags that lint needs
// to find the fault.
func (c *genCommand) writeBroken(b fuzz.Broken) error {
	base := b.Rule + "-" + strconv.FormatUint(c.seed, 10)
	to := c.blockFile(base, b.Kind)
	flags, missing := lintFlags(b, to), false
	paths, replaced, others := []string{to}, []string(nil), []outfile.File(nil)
	for _, f := range contextFiles(b, to) {
		if missing = to == outfile.Stdout; missing {
			break
		}
		paths, others = append(paths, f.path), append(others, outfile.File{Path: f.path, Fill: f.write})
		if _, err := outfile.Stat(f.path); err == nil {
			replaced = append(replaced, f.path)
		}
	}
	if err := checkSame(paths, nil); err != nil {
		return err
	}
	if err := c.block(base, b.Kind, b.Block, others...); err != nil {
		return err
	}
	if len(b.Also) > 0 {
		complain(fmt.Errorf("the fault breaks %s and also %s", b.Rule, strings.Join(b.Also, ", ")))
	}
	for _, path := range replaced {
		complain(fmt.Errorf("the existing file %s is replaced", path))
	}
	switch {
	case missing:
		complain(fmt.Errorf("lint needs other blocks to find the fault of %s; -o FILE writes them too", b.Rule))
	case len(flags) > 0:
		complain(fmt.Errorf("lint finds the fault of %s with %s", b.Rule, strings.Join(flags, " ")))
	}
	return nil
}
