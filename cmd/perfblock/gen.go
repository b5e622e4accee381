package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
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
		Short: "Make a block up, valid or broken on purpose",
		Long: `Gen makes a block without errors: one for each seed, which shows the corners of the
format, those that lint warns of among them, or a workload, which looks like what a
real system gives. One of --seed and --workload must say which. The same flags always
make the same block.

With --break it makes one that breaks a rule, in a place and a way that the seed
chooses; what is around it may have findings of its own. Where the same fault breaks
other rules, a line on standard error names them. Without --kind it is of a kind that
the seed chooses among those the rule is about, which explain lists. Where lint has
to be told more than the bytes to see the fault, a line says with which flags. What
those read is written beside the block, byte by byte: for -o cpu.query-data.bin as
cpu.identifiers.bin and, for each counter set that is told of, cpu.1.reg-set.bin and so
on. On standard output there is no room for that.

Workloads:
` + table(workloads()) + `

Kinds of block:
` + table(kindOptions(layout.Kinds())) + `

Formats:
` + table(formats) + "\n\n" + namesHelp,
		Example: `  perfblock gen --seed 7 -o block.bin
  perfblock gen --workload cpu --format hex
  perfblock gen --seed 7 --kind objects | perfblock dump - --kind objects
  perfblock gen --break data-total-length --seed 7 -o broken.bin
  perfblock gen --list`,
		Args: wantArgs("", 0, 0),
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
	c.kind.flag(cmd, "kind", "what to make")
	c.workload.flag(cmd, "workload", "make a workload, one of those above")
	cmd.Flags().Uint64Var(&c.seed, "seed", 0, "make the block of the number `N`")
	noFiles(cmd, "seed")
	c.broken.flag(cmd, "break", "make a block that breaks the rule of that ID or name")
	cmd.Flags().BoolVar(&c.list, "list", false, "list the workloads and stop")
	return cmd
}

// checkWhat reports what is wrong with the flags that say what to make.
func (c *genCommand) checkWhat(given func(flag string) bool) error {
	breaks := c.broken.rule != nil
	switch {
	case given("seed") && given("workload"):
		return errors.New("--seed or --workload, not both: a workload has no seed")
	case breaks && given("workload"):
		return errors.New("--break or --workload, not both: a broken block is made up from a seed")
	case breaks && c.format.value == yamlOption.name:
		return errors.New("--break makes no spec, as most broken blocks have none; build makes a broken block of a spec with patches")
	case breaks && !given("seed"):
		return errors.New("--break wants --seed with a number, which chooses the place and the way")
	case given("workload") && given("kind"):
		w, err := fuzz.FindWorkload(c.workload.value)
		if err == nil && w.Kind.String() != c.kind.value && !(w.Kind.V1() && c.kind.value == layout.ObjectsKind.String()) {
			return fmt.Errorf("the workload %s is of the kind %v, not %s", w.Name, w.Kind, c.kind.value)
		}
	case !given("seed") && !given("workload"): // no default is a better block than another
		return fmt.Errorf("gen wants --seed with a number, or --workload with one of %s", strings.Join(c.workload.names(), ", "))
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
			return fmt.Errorf("no spec holds this block: %w", err)
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

// seeded returns the model of the number that was asked for. One of no bytes is no file,
// so where there is none it is of a number that follows from it.
func (c *genCommand) seeded(kind layout.Kind) (builder.Model, error) {
	for i := uint64(0); ; i++ {
		model := fuzz.Model(kind, fuzz.Seed(c.seed+i<<32), fuzz.Config{})
		if n, err := model.EncodedLen(); err != nil || n > 0 {
			return model, err
		}
	}
}
