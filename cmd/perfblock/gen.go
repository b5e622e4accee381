package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

type genCommand struct {
	blockWriter
	kind, workload choice
	broken         breakFlag
	seed           uint64
	list           bool
	count          int // of --series
	interval       time.Duration
}

func newGen() *cobra.Command {
	c := &genCommand{kind: choice{value: layout.DataBlockKind.String()}}
	formats := append(blockFormats(), yamlOption)
	cmd := &cobra.Command{
		Use:   "gen [FILE]",
		Short: "Generate a block, valid or broken on purpose",

		SuggestFor: []string{"fuzz", "generate", "new"},
		Long: `Gen generates a block without errors. --seed N makes a random block with legal values,
including unusual ones that lint warns of. --workload makes a block like a real system's.
The same flags always make the same block.

--break RULE makes a block that breaks the rule, at a place that --seed chooses (0 if it is not
given). With --workload, or with a spec or a definition FILE, it is this block with one fault,
and nothing else differs; otherwise it is a random block. The block may have other findings
too. Lines on standard error name the other rules that the same fault breaks, and the flags
that lint needs to find the fault. Files for these flags are written beside the block: for
-o cpu.query-data.bin they are cpu.identifiers.bin, cpu.1.reg-set.bin and so on. They replace
existing files, as -o does. They are not written if the block goes to standard output.
Without --kind, the seed chooses one of the kinds that the rule checks.

--break all writes a block for each rule into the folder of -o, and ` + manifestFile + ` with the
findings to expect, and why other rules have no block. docs/fuzzing.md describes it.

--series N makes N blocks of one imaginary machine into the folder of -o, each --interval
after the one before. The first is the block of --workload, of a spec FILE, or of a FILE that
defines a provider; --kind query-data makes V2 of a definition. Clocks advance by exactly the
interval, counters move, and instances come and go. --seed selects another series.
` + expectedFile + ` has what a consumer displays, from what happened on the machine, as
perfblock cook --format json writes it. Query data in a spec has no types of counters, so it
has no series.
` + section("Workloads", workloads()) + section("Kinds of block", kindOptions(layout.Kinds())) + section("Formats", formats) + outputHelp,
		Example: `  perfblock gen --seed 7 -o block.bin
  perfblock gen --workload cpu --format hex
  perfblock gen --seed 7 --kind objects | perfblock dump - --kind objects
  perfblock gen --break data-total-length --seed 7 -o broken.bin
  perfblock gen --break inst-total-last --workload cpu -o total.bin
  perfblock gen --break all -o broken/
  perfblock gen --series 10 --workload cpu -o cpu/
  perfblock gen --series 10 --interval 15s --kind query-data shop.yaml -o shop/
  perfblock gen --list`,
		Args: requireArgs("FILE", 0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.list {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), table(workloads()))
				return err
			}
			given := cmd.Flags().Changed
			if err := c.checkWhat(given, args); err != nil {
				return seeHelp(cmd, err)
			}
			if err := c.check(); err != nil {
				return seeHelp(cmd, err)
			}
			switch {
			case given("series"):
				return c.writeSeries(strings.Join(args, ""), given("kind"))
			case c.broken.all:
				return c.breakAll(args, given("kind"))
			case c.broken.rule != nil:
				return c.breakRule(args, given("kind"))
			}
			return c.run()
		},
	}
	c.flags(cmd, formats, "write to `FILE` or folder/; - is stdout")
	c.kind.flag(cmd, "kind", "the kind of the block", kindOptions(layout.Kinds()))
	c.workload.flag(cmd, "workload", "make the block of a workload", workloads())
	cmd.Flags().Uint64Var(&c.seed, "seed", 0, "the seed `N` of a random block, a fault or a series")
	noFiles(cmd, "seed")
	c.broken.flag(cmd, "break", "make a block that breaks a rule, or one for each rule")
	cmd.Flags().IntVar(&c.count, "series", 0, "make `N` blocks of one machine, and what a consumer displays")
	cmd.Flags().DurationVar(&c.interval, "interval", time.Second, "the time between two blocks of --series")
	noFiles(cmd, "series", "interval")
	cmd.Flags().BoolVar(&c.list, "list", false, "list the workloads")
	return cmd
}

// checkWhat returns an error unless the flags and the arguments select what to make.
func (c *genCommand) checkWhat(given func(flag string) bool, args []string) error {
	if given("series") {
		return c.checkSeries(given, args)
	}
	breaks := c.broken.rule != nil || c.broken.all
	switch {
	case given("interval"):
		return errors.New("--interval requires --series N")
	case given("workload") && len(args) > 0:
		return fmt.Errorf("--workload and the FILE %s exclude each other", args[0])
	case breaks && c.format.value == yamlOption.name:
		return errors.New("--break cannot write a spec, because a spec is a valid block; perfblock build makes a broken block from a spec with patches")
	case c.broken.all:
		return c.checkFolder("--break " + allRules)
	case breaks:
		return nil
	case len(args) > 0:
		return fmt.Errorf("a FILE requires --series N or --break RULE; perfblock build %s makes the block of a spec", args[0])
	case given("seed") && given("workload"):
		return errors.New("--seed and --workload exclude each other: a workload has no seed")
	case given("workload") && given("kind"):
		w, err := fuzz.FindWorkload(c.workload.value)
		if err == nil && w.Kind.String() != c.kind.value && !(w.Kind.V1() && c.kind.value == layout.ObjectsKind.String()) {
			return fmt.Errorf("the workload %s has the kind %v, not %s", w.Name, w.Kind, c.kind.value)
		}
	case !given("seed") && !given("workload"):
		return fmt.Errorf("gen requires --seed N or --workload NAME, where NAME is one of %s", strings.Join(names(workloads()), ", "))
	}
	return nil
}

// checkSeries returns an error for flags and arguments that do not fit --series.
func (c *genCommand) checkSeries(given func(flag string) bool, args []string) error {
	switch {
	case c.count < 1:
		return fmt.Errorf("--series is %d, must be at least 1", c.count)
	case c.interval <= 0:
		return fmt.Errorf("--interval is %v, must be more than 0", c.interval)
	case given("break"):
		return errors.New("--series and --break exclude each other; a series has no faults")
	case given("workload") && len(args) > 0:
		return fmt.Errorf("--workload and the FILE %s exclude each other", args[0])
	case !given("workload") && len(args) == 0:
		return fmt.Errorf("--series requires --workload NAME, or a FILE with a spec or a definition; NAME is one of %s", strings.Join(names(workloads()), ", "))
	}
	return c.checkFolder("--series")
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
