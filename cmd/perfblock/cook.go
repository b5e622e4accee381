package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
)

type cookCommand struct {
	output
	blockFlags
	format        choice
	explain, wrap bool
	names         namesFlag
	context       contextFlags
	sets          setNames // the names in the definition of --definition
}

var cookFormats = []option{
	{"text", "a table for each object"},
	{"json", "a JSON object; docs/cook.md describes its members"},
}

func newCook() *cobra.Command {
	c := &cookCommand{}
	cmd := &cobra.Command{
		Use:   "cook OLD [NEW]...",
		Short: "Show the values that Performance Monitor displays",

		SuggestFor: []string{"calculate", "compute", "display", "values"},
		Long: `Cook computes the displayed value of each counter from two blocks of one provider or computer.
With more blocks, it computes the values of each block from this block and the previous block of
the same kind. In a bundle of perfblock capture, it uses the previous block of the same query.
With one block, it shows the values that need no older block. - is standard input.

Instances match by name, UniqueID and parent, not by position. If a value cannot be computed,
cook shows the reason in its place, such as no-older-sample. A formula that uses the change of a
number gives no value if the number has fallen. With --wrap, such a formula assumes that a number
of 4 bytes that has fallen has wrapped once.

Query data does not contain its counter sets and types. A bundle contains them. For other
blocks, use --identifiers and --reginfo, or --definition.

Exit status:
  0  no errors
  1  a part of a block could not be read
  2  the command could not run
` + section("Formats", cookFormats) + blockHelp(cookedKinds) + titlesHelp,
		Example: `  perfblock cook before.bin after.bin
  perfblock cook before.bin after.bin --explain
  perfblock cook capture.zip --format json -o values.json
  perfblock cook 1.query-data.bin 2.query-data.bin --definition shop.yaml --identifiers query.bin`,
		Args: requireArgs("a FILE, or - for standard input", 1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkStdin(slices.Concat(args, c.names.files, c.context.files())); err != nil {
				return seeHelp(cmd, err)
			}
			if err := c.context.check(cmd); err != nil {
				return seeHelp(cmd, err)
			}
			return c.run(cmd.Context(), args)
		},
	}
	c.flag(cmd, "write to `FILE`, folder/, or \"-\" (stdout)")
	c.blockFlags.flags(cmd, cookedKinds)
	c.format.preset(cmd, "format", "the format of the output", cookFormats)
	cmd.Flags().BoolVar(&c.explain, "explain", false, "show the formulas and their inputs")
	cmd.Flags().BoolVar(&c.wrap, "wrap", false, "compute changes of 4-byte numbers modulo 2^32")
	c.names.flags(cmd)
	c.context.setFlags(cmd)
	return cmd
}

func (c *cookCommand) run(ctx context.Context, paths []string) error {
	to := c.file("values" + extension(c.format.value))
	if err := checkSame([]string{to}, slices.Concat(paths, c.names.files, c.context.files())); err != nil {
		return err
	}
	series := sampleReader{sampleSeries: sampleSeries{across: true}, kind: c.kind.value, input: c.form()}
	var given validate.Context
	err := c.readContext(&given)
	if err == nil {
		series.flags, err = samples.ReadQuery(given)
	}
	if err != nil {
		return err
	}
	names, err := c.names.lookup(paths...)
	if err != nil {
		return err
	}
	faulty := false
	err = c.writeFile(to, func(w io.Writer) error {
		out := cookedOutput{w: &stickyWriter{w: w}, names: names, sets: c.sets, explain: c.explain}
		var t cookedWriter = &cookedText{cookedOutput: out}
		if c.format.value == "json" {
			t = &cookedJSON{cookedOutput: out}
		}
		for pair, err := range series.pairs(ctx, paths) {
			if err != nil {
				return err
			}
			if err := pair.reversed(); err != nil {
				complain(err)
			}
			t.begin(pair)
			for v, err := range (samples.Options{Wrap: c.wrap}).Values(pair.older, pair.newer) {
				if err != nil {
					faulty = true
					complain(err)
				}
				t.writeValue(&v, err)
			}
			if err := t.end(); err != nil {
				return err
			}
		}
		return t.close()
	})
	if err == nil && (faulty || series.faulty) {
		return errFaulty
	}
	return err
}

// readContext reads the files that the flags name, such as registrations, into ctx. For --definition, it adds the
// registrations of the counter sets in the definition.
func (c *cookCommand) readContext(ctx *validate.Context) error {
	if err := c.context.read(c.form(), ctx); err != nil {
		return err
	}
	p, err := c.context.readDefinition()
	if err != nil || p == nil {
		return err
	}
	registrations, err := registrationsOf(p)
	ctx.Registrations = append(ctx.Registrations, registrations...)
	c.sets = namesOfSets(p)
	return err
}

// reversed returns an error if the older sample is later than the newer one.
func (p samplePair) reversed() error {
	older, known := p.older.Time()
	newer, alsoKnown := p.newer.Time()
	if !known || !alsoKnown || !newer.Before(older) {
		return nil
	}
	return fmt.Errorf("%s: PerfTime100nSec is earlier than in %s; give the older block first", p.newer.Name, p.older.Name)
}

type sampleReader struct {
	sampleSeries
	kind   string // of --kind
	input  armor.Input
	faulty bool // a block that describes query data could not be read
}

// pairs yields each sample with the previous sample of its series, and at the end each sample that is alone in its
// series. It stops after an error.
func (r *sampleReader) pairs(ctx context.Context, paths []string) iter.Seq2[samplePair, error] {
	return func(yield func(samplePair, error) bool) {
		found, plain := 0, 0
		for m, err := range members(ctx, paths) {
			m, bundle, err := bundleManifest(m, err)
			if bundle != nil {
				r.begin(m.Path, bundle)
			}
			results, _ := block.Each(m, err, r.input, func(b block.Source) (samplePair, error) { return r.sample(m, b) })
			for _, result := range results {
				pair := result.Value
				switch {
				case result.Err != nil:
					yield(samplePair{}, result.Err)
					return
				case pair.newer.Bytes == nil:
					continue
				}
				if found++; !m.Packed() {
					plain++
				}
				if pair.older.Bytes != nil && !yield(pair, nil) {
					return
				}
			}
		}
		switch {
		case found == 0:
			yield(samplePair{}, fmt.Errorf("no FILE has a block of kind %s", kindList(cookedKinds, "or")))
			return
		case r.sampleSeries.pairs == 0 && plain > 1:
			yield(samplePair{}, fmt.Errorf("%s has the kind %v and %s has the kind %v; cook compares blocks of one kind", r.list[0].last.Name, r.list[0].last.Kind, r.list[1].last.Name, r.list[1].last.Kind))
			return
		}
		for _, one := range r.list {
			if !one.paired && !yield(samplePair{newer: one.last}, nil) {
				return
			}
		}
	}
}

// members yields the files at the paths, and the members of archives. A file that is given twice is yielded twice.
func members(ctx context.Context, paths []string) iter.Seq2[inputs.Member, error] {
	return func(yield func(inputs.Member, error) bool) {
		for _, path := range paths {
			for m, err := range (inputs.List{Args: []string{path}}).All(ctx) {
				if !yield(m, err) {
					return
				}
			}
		}
	}
}

// sample returns the sample in a block, and the previous sample of its series. For a block without a sample, it returns
// an error. If the block is in a member of an archive, and the user has not named this member, sample returns an empty
// pair instead of the error.
func (r *sampleReader) sample(m inputs.Member, b block.Source) (pair samplePair, err error) {
	kind, _, err := b.Kind(r.kind)
	switch {
	case err != nil && m.Packed() && !m.Named: // archives can contain other files
		return pair, nil
	case err != nil:
		return pair, err
	case !slices.Contains(cookedKinds, kind) && (!m.Packed() || m.Named):
		return pair, fmt.Errorf("%s: is a block of kind %v, must be %s", b.Name(), kind, kindList(cookedKinds, "or"))
	}
	if pair, err = r.add(m, b.Name(), kind, b.Bytes); err != nil { // cook still shows the values of the other blocks
		r.faulty = true
		complain(fmt.Errorf("%s: %w", b.Name(), err))
	}
	return pair, nil
}
