package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

type genCommand struct {
	blockWriter
	kind, workload choice
	kindGiven      bool // the user has given --kind
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
including unusual ones that lint warns of. --workload makes a block like that of a real system.
The same flags always make the same block.

--break RULE makes a random block that breaks the rule. With --workload, or with a spec or a
definition FILE, it makes the block of the workload or of the FILE, with one fault and no other
change. --seed chooses the place of the fault; the default is 0. The block may have other
findings too. Lines on standard error name the other rules that the same fault breaks, and the
flags that lint needs to find the fault. Gen writes files for these flags beside the block: for
-o cpu.query-data.bin they are cpu.identifiers.bin, cpu.1.reg-set.bin and so on. They replace
existing files, as -o does. They are not written if the block goes to standard output.
Without --kind, the seed chooses one of the kinds that the rule checks.

--break all writes a block for each rule into the folder of -o. It also writes ` + manifestFile + `
with the expected findings, and with the reason for each rule that has no block.
docs/fuzzing.md describes this file.

--series N writes N blocks of one imaginary machine into the folder of -o. The first block
comes from --workload or from FILE, which is a spec or a definition. For a definition, --kind
query-data makes blocks of V2. From block to block, clocks advance by exactly --interval,
counters move, and instances come and go. --seed selects another series. ` + expectedFile + `
has the values that a consumer displays, in the form of perfblock cook --format json. They are
computed from the events on the machine, and not from the blocks. FILE cannot be a spec of
query data, because the spec has no counter types.
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
			given, path := cmd.Flags().Changed, strings.Join(args, "")
			c.kindGiven = given("kind")
			if err := c.checkWhat(given, path); err != nil {
				return seeHelp(cmd, err)
			}
			if err := c.check(); err != nil {
				return seeHelp(cmd, err)
			}
			switch {
			case given("series"):
				return c.writeSeries(path)
			case c.broken.all:
				return c.breakAll(path)
			case c.broken.rule != nil:
				return c.breakRule(path)
			}
			return c.run()
		},
	}
	c.flags(cmd, formats)
	c.kind.flag(cmd, "kind", "the kind of the block", kindOptions(layout.Kinds()))
	c.workload.flag(cmd, "workload", "make the block of a workload", workloads())
	cmd.Flags().Uint64Var(&c.seed, "seed", 0, "the seed `N` of a random block, a fault or a series")
	noFiles(cmd, "seed")
	c.broken.flag(cmd)
	cmd.Flags().IntVar(&c.count, "series", 0, "make `N` blocks of one machine, and a file of their displayed values")
	cmd.Flags().DurationVar(&c.interval, "interval", time.Second, "the time between two blocks of --series")
	noFiles(cmd, "series", "interval")
	cmd.Flags().BoolVar(&c.list, "list", false, "list the workloads")
	return cmd
}

// checkWhat returns an error if the arguments do not tell gen what to make, or if flags cannot be combined. path is the
// path of the FILE, or "" without a FILE.
func (c *genCommand) checkWhat(given func(flag string) bool, path string) error {
	breaks := c.broken.rule != nil || c.broken.all
	workloads := strings.Join(names(c.workload.options), ", ")
	switch {
	case given("workload") && path != "":
		return fmt.Errorf("--workload and the FILE %s exclude each other", path)
	case given("series"):
		return c.checkSeries(breaks, given("workload") || path != "", workloads)
	case given("interval"):
		return errors.New("--interval requires --series N")
	case breaks && c.format.value == yamlOption.name:
		return errors.New("--break cannot write a spec, because a spec is a valid block; to make a broken block, add patches to a spec and run perfblock build")
	case c.broken.all:
		return c.checkFolder("--break " + allRules)
	case breaks:
		return nil
	case path != "":
		return fmt.Errorf("a FILE requires --series N or --break RULE; to make the block of a spec, run perfblock build %s", path)
	case given("seed") && given("workload"):
		return errors.New("--seed and --workload exclude each other: a workload has no seed")
	case !given("seed") && !given("workload"):
		return fmt.Errorf("gen requires --seed N or --workload NAME, where NAME is one of %s", workloads)
	}
	return nil
}

// checkSeries returns an error for flags that do not fit --series. hasBase is true if a workload or a FILE is given.
func (c *genCommand) checkSeries(breaks, hasBase bool, workloads string) error {
	switch {
	case c.count < 1:
		return fmt.Errorf("--series is %d, must be at least 1", c.count)
	case c.interval <= 0:
		return fmt.Errorf("--interval is %v, must be more than 0", c.interval)
	case breaks:
		return errors.New("--series and --break exclude each other; a series has no faults")
	case !hasBase:
		return fmt.Errorf("--series requires --workload NAME, or a FILE with a spec or a definition; NAME is one of %s", workloads)
	}
	return c.checkFolder("--series")
}

// run writes the block of a workload or of a seed.
func (c *genCommand) run() error {
	b := &genBase{name: "seed-" + strconv.FormatUint(c.seed, 10)}
	var err error
	if c.workload.value != "" {
		b, err = c.base("")
	} else {
		b.model, err = c.seeded(layout.Kinds()[c.kind.chosen()])
	}
	if err != nil {
		return err
	}
	file, _, err := c.modelFile(b.name, b.model)
	if err != nil {
		return err
	}
	if c.format.value == yamlOption.name {
		file.Path = c.file(b.name + c.ext()) // without the kind, because the spec contains it
	}
	return c.writeAll(file)
}

// seeded returns the model for --seed. If the block of the model is empty, seeded tries other seeds.
func (c *genCommand) seeded(kind layout.Kind) (builder.Model, error) {
	for i := uint64(0); ; i++ {
		model := fuzz.Model(kind, fuzz.Seed(c.seed+i<<32), fuzz.Config{})
		if n, err := model.EncodedLen(); err != nil || n > 0 {
			return model, err
		}
	}
}

// A genBase is the block that gen starts with. It comes from a workload, a spec or a definition.
type genBase struct {
	name  string // for the names of files
	model builder.Model

	// The identifiers and the counter sets of query data. They are nil if they are unknown.
	identifiers builder.Identifiers
	sets        []builder.CounterSetRegInfo

	names    *titles.Database // nil means only the built-in names
	setNames setNames
}

// firstTitle is the first title index for a definition without firstCounter.
const firstTitle = 20_000

// base returns the block of --workload or of the FILE at path.
func (c *genCommand) base(path string) (*genBase, error) {
	if c.workload.value != "" {
		w := fuzz.Workloads()[c.workload.chosen()]
		b := &genBase{name: w.Name, model: w.Block()}
		b.identifiers, b.sets = w.Sets()
		return b, c.convert(b)
	}
	text, err := readInput(path)
	switch {
	case err != nil:
		return nil, err
	case len(text) == 0:
		return nil, block.Empty(path)
	}
	if _, is := definition.Detect(path, text); is {
		return c.defined(path, text)
	}
	s, err := spec.Parse(block.NameOf(path), text)
	switch {
	case err != nil && isBlock(path, text):
		return nil, fmt.Errorf("%s: is a block, must be a spec or a definition; make a spec with perfblock dump --format yaml", block.NameOf(path))
	case err != nil:
		return nil, err
	case len(s.Patches) > 0:
		return nil, fmt.Errorf("%s: has patches, must be a spec without faults", block.NameOf(path))
	}
	if _, err := s.Build(); err != nil { // Build reports the line of an error in the spec
		return nil, err
	}
	b := &genBase{name: baseOf(path), model: s.Model, names: namesOf(s.Model)}
	return b, c.convert(b)
}

// convert changes the model from a data block to objects if --kind is objects. It returns an error if the block of the
// model cannot have the kind of --kind.
func (c *genCommand) convert(b *genBase) error {
	kind := b.model.Kind()
	if !c.kindGiven || kind.String() == c.kind.value {
		return nil
	}
	if d, ok := b.model.(*builder.DataBlock); ok && c.kind.value == layout.ObjectsKind.String() {
		b.model = new(builder.Objects(d.Objects))
		return nil
	}
	what := b.name
	if c.workload.value != "" {
		what = "the workload " + what
	}
	return fmt.Errorf("%s has the kind %v, not %s", what, kind, c.kind.value)
}

// defined makes a block from a definition, with invented instances. All values are 0.
func (c *genCommand) defined(path string, text []byte) (*genBase, error) {
	f, err := readDefinition(path, text)
	if err != nil {
		return nil, err
	}
	p := f.Provider
	b := &genBase{name: baseOf(path), setNames: namesOfSets(p)}
	switch c.kind.value {
	case layout.QueryDataKind.String():
		q := fuzz.Query(setsOf(p)...)
		b.model, b.identifiers, b.sets = &q.Data, q.Identifiers, q.Sets
		return b, nil
	case layout.DataBlockKind.String(), layout.ObjectsKind.String():
	default:
		return nil, fmt.Errorf("%s: cannot make a block of kind %s from a definition, only %s", block.NameOf(path), c.kind.value, kindList(cookedKinds, "and"))
	}
	first := uint32(firstTitle)
	if p.FirstCounter != nil {
		first = *p.FirstCounter
	}
	objects, losses := p.V1(first)
	for _, l := range losses {
		complain(fmt.Errorf("%s: left out: %v", block.NameOf(path), l))
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("%s: no counter set of the definition fits into a V1 block; use --kind %v", block.NameOf(path), layout.QueryDataKind)
	}
	for i := range objects {
		o := &objects[i]
		if o.NumInstances != 0 {
			continue
		}
		for n := range 3 {
			o.Instance("instance "+strconv.Itoa(n), make([]uint64, len(o.Counters))...)
		}
		o.Instance("_Total", make([]uint64, len(o.Counters))...)
	}
	b.model = &builder.DataBlock{SystemName: "HOST", Objects: objects}
	b.names = namesOf(b.model)
	if p.FirstCounter == nil {
		complain(fmt.Errorf("%s: has no firstCounter, so its first title index is %d; to show the names, run perfblock cook with --titles %s --first-title %d", block.NameOf(path), first, quoted(path), first))
	}
	return b, c.convert(b)
}
