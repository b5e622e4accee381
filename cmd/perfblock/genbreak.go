package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/layout"
)

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
