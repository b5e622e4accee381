package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/inputs"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
)

type cookCommand struct {
	output
	kind, input, format choice
	explain, wrap       bool
	names               namesFlag
	context             contextFlags
	sets                setNames // of the definition
}

var cookFormats = []option{
	{"text", "a table for each object"},
	{"json", "an object; docs/cook.md describes its members"},
}

// cookedKinds are the kinds of blocks that have displayed values.
var cookedKinds = []layout.Kind{layout.DataBlockKind, layout.ObjectsKind, layout.QueryDataKind}

func newCook() *cobra.Command {
	c := &cookCommand{
		kind:   choice{options: kindOptions(cookedKinds)},
		input:  choice{value: inputForms()[0].name, options: inputForms()},
		format: choice{value: cookFormats[0].name, options: cookFormats},
	}
	cmd := &cobra.Command{
		Use:   "cook OLD [NEW]...",
		Short: "Show the values that Performance Monitor displays",

		SuggestFor: []string{"calculate", "compute", "display", "values"},
		Long: `Cook computes the displayed value of each counter from two blocks of one provider or computer.
With more blocks, or with a bundle of perfblock capture, it computes the values of each block
from this one and the block of the same kind before it. With one block it shows the values that
need no older block. - is standard input.

Instances are matched by name, UniqueID and parent, not by position. A value that cannot be
computed has the reason in its place, such as no-older-sample. A value that falls is missing;
--wrap takes a value of 4 bytes that falls as one that has passed 2^32 - 1 once.

The counter sets and types of query data are not in the block: a bundle has them, or give
--identifiers and --reginfo, or --definition.

Exit status:
  0  no errors
  1  a part of a block could not be read
  2  the command could not run

Formats:
` + table(cookFormats) + `

` + kindHelp + `
` + table(kindOptions(cookedKinds)) + `

` + inputHelp() + `

` + titlesHelp,
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
	c.flag(cmd, "write to `FILE` or folder/; - is stdout")
	c.kind.flag(cmd, "kind", "the kind of the blocks")
	c.input.flag(cmd, "input", "the form of the files")
	c.format.flag(cmd, "format", "the format of the output")
	cmd.Flags().BoolVar(&c.explain, "explain", false, "show the formulas and their inputs")
	cmd.Flags().BoolVar(&c.wrap, "wrap", false, "values of 4 bytes may wrap")
	c.names.flags(cmd)
	c.context.setFlags(cmd)
	return cmd
}

func (c *cookCommand) run(ctx context.Context, paths []string) error {
	to := c.file("values" + extension(c.format.value))
	if err := checkSame([]string{to}, slices.Concat(paths, c.names.files, c.context.files())); err != nil {
		return err
	}
	in, err := armor.InputNamed(c.input.value)
	if err != nil {
		return err
	}
	series := &sampleSeries{kind: c.kind.value, input: in, last: make(map[layout.Kind]*namedSample)}
	if err := c.readContext(&series.context); err != nil {
		return err
	}
	c.names.addBundle(paths...)
	names, err := c.names.lookup()
	if err != nil {
		return err
	}
	faulty := false
	err = c.write(to, func(w io.Writer) error {
		var t cookedWriter = &cookedText{w: w, names: names, sets: c.sets, explain: c.explain}
		if c.format.value == "json" {
			t = &cookedJSON{w: w, names: names, sets: c.sets, explain: c.explain}
		}
		if ctx == nil {
			ctx = context.Background()
		}
		for pair, err := range series.pairs(ctx, paths) {
			if err != nil {
				return err
			}
			t.begin(pair)
			for v, err := range (samples.Options{Wrap: c.wrap}).Values(pair.older.Sample, pair.newer.Sample) {
				if err != nil {
					faulty = true
					err = pair.error(err)
					complain(err)
				}
				t.value(&v, err)
			}
			if err := t.end(); err != nil {
				return err
			}
		}
		return t.close()
	})
	if err == nil && faulty {
		return errFaulty
	}
	return err
}

// readContext sets the context of query data from the flags. A definition adds the registrations of its counter sets.
func (c *cookCommand) readContext(ctx *validate.Context) error {
	if err := c.context.read(c.input.value, ctx); err != nil {
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

// A namedSample is a sample and the name of its file.
type namedSample struct {
	name string
	samples.Sample
}

// A samplePair is two samples of one kind. older has no bytes if there is one sample.
type samplePair struct{ older, newer namedSample }

// error returns an error of reading the samples, with their names.
func (p samplePair) error(err error) error {
	if p.older.Bytes == nil {
		return fmt.Errorf("%s: %w", p.newer.name, err)
	}
	return fmt.Errorf("%s, %s: %w", p.older.name, p.newer.name, err)
}

// A sampleSeries reads samples one after another. It keeps the last one of each kind.
type sampleSeries struct {
	kind    string // of --kind
	input   armor.Input
	context validate.Context
	last    map[layout.Kind]*namedSample
	paired  map[layout.Kind]bool
}

// pairs yields each sample with the sample of its kind before it. A kind with one sample is yielded at the end. Nothing
// follows an error.
func (s *sampleSeries) pairs(ctx context.Context, paths []string) iter.Seq2[samplePair, error] {
	return func(yield func(samplePair, error) bool) {
		s.paired = make(map[layout.Kind]bool)
		found, files := 0, make(map[layout.Kind]bool)
		for m, err := range members(ctx, paths) {
			results, _ := block.Each(m, err, s.input, func(b block.Source) (*namedSample, error) { return s.sample(m, b) })
			for _, r := range results {
				if r.Err != nil {
					yield(samplePair{}, r.Err)
					return
				}
				newer := r.Value
				if newer == nil {
					continue
				}
				found++
				files[newer.Kind] = files[newer.Kind] || !m.Packed()
				older := s.last[newer.Kind]
				s.last[newer.Kind] = newer
				if older == nil {
					continue
				}
				s.paired[newer.Kind] = true
				if !yield(samplePair{*older, *newer}, nil) {
					return
				}
			}
		}
		if len(s.paired) == 0 && found > 1 && len(files) > 1 {
			yield(samplePair{}, errors.New("no two blocks have the same kind; select it with --kind"))
			return
		}
		if found == 0 {
			yield(samplePair{}, fmt.Errorf("no FILE has a block of kind %s", kindList(cookedKinds, "or")))
			return
		}
		for _, kind := range cookedKinds {
			if one := s.last[kind]; one != nil && !s.paired[kind] && !yield(samplePair{newer: *one}, nil) {
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

// sample returns the sample in a block. It returns nil if the block has the context of query data, or has no values and
// is in an archive.
func (s *sampleSeries) sample(m inputs.Member, b block.Source) (*namedSample, error) {
	kind, _, err := b.Kind(s.kind)
	switch {
	case err != nil && m.Packed() && !m.Named:
		return nil, nil
	case err != nil:
		return nil, err
	case slices.Contains(cookedKinds, kind):
		return &namedSample{b.Name(), samples.Sample{Kind: kind, Bytes: b.Bytes, Context: s.context}}, nil
	case !m.Packed() || m.Named:
		return nil, fmt.Errorf("%s: is a block of kind %v, must be %s", b.Name(), kind, kindList(cookedKinds, "or"))
	case kind == layout.IdentifiersKind:
		s.context.Identifiers = b.Bytes
	case kind == layout.RegSetKind:
		s.context.Registrations = append(slices.Clip(s.context.Registrations), b.Bytes)
	}
	return nil, nil
}
