package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/layout"
)

// breakRule writes a block that breaks the rule, of the kind that the flag says if it is
// given, and beside it what lint has to be told of other blocks.
func (c *genCommand) breakRule(kind bool) error {
	b, err := c.breakOf(kind)
	if err != nil {
		return err
	}
	return c.writeBroken(b)
}

// breakOf tries seeds derived from the one given until one makes the kind that is wanted.
func (c *genCommand) breakOf(kind bool) (fuzz.Broken, error) {
	r, tries := c.broken.rule, uint64(64) // each of two kinds comes up half the time
	about := r.Kinds()
	if kind && !slices.ContainsFunc(about, func(k layout.Kind) bool { return k.String() == c.kind.value }) {
		return fuzz.Broken{}, fmt.Errorf("%s is no rule for the kind %s, but for %s", r.Name, c.kind.value, strings.Join(names(kindOptions(about)), ", "))
	}
	for i := range tries {
		b, err := fuzz.Break(r.Name, fuzz.Seed(c.seed+i<<32), fuzz.Config{})
		if err != nil || !kind || b.Kind.String() == c.kind.value {
			return b, err
		}
	}
	return fuzz.Broken{}, fmt.Errorf("no seed near %d breaks %s in the kind %s", c.seed, r.Name, c.kind.value)
}

// writeBroken writes the block and what it needs, and says with which flags lint sees
// what is broken.
func (c *genCommand) writeBroken(b fuzz.Broken) error {
	base := b.Rule + "-" + strconv.FormatUint(c.seed, 10)
	to := c.blockFile(base, b.Kind)
	flags, files := lintFlags(b, to), toldFiles(b, to)
	if err := c.block(base, b.Kind, b.Block); err != nil {
		return err
	}
	if len(b.Also) > 0 {
		complain(fmt.Errorf("what breaks %s breaks %s too", b.Rule, strings.Join(b.Also, ", ")))
	}
	if len(files) > 0 && to == outfile.Stdout {
		complain(fmt.Errorf("lint sees what breaks %s with other blocks, which -o FILE makes beside this one", b.Rule))
		return nil
	}
	for _, f := range files {
		if err := c.write(f.path, func(w io.Writer) error { _, err := w.Write(f.b); return err }); err != nil {
			return err
		}
	}
	if len(flags) > 0 {
		complain(fmt.Errorf("lint sees what breaks %s with %s", b.Rule, strings.Join(flags, " ")))
	}
	return nil
}
