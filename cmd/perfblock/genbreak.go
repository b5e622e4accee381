package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A ruleBreaker makes blocks that break rules: generated blocks, or a given block with a fault.
type ruleBreaker struct {
	seed uint64
	kind string     // of --kind, "" if it is not given
	name string     // of the given block
	base *fuzz.Base // nil for generated blocks
}

// breaker returns the ruleBreaker for the flags and FILE.
func (c *genCommand) breaker(path string, kindGiven bool) (*ruleBreaker, error) {
	b := &ruleBreaker{seed: c.seed}
	if kindGiven {
		b.kind = c.kind.value
	}
	if c.workload.value == "" && path == "" {
		return b, nil
	}
	base, err := c.base(path, kindGiven)
	if err != nil {
		return nil, err
	}
	b.name, b.kind, c.names = base.name, base.model.Kind().String(), base.names
	if b.base, err = fuzz.NewBase(base.model); err != nil {
		return nil, fmt.Errorf("%s: %w", base.name, err)
	}
	return b, nil
}

// breakRule returns a block that breaks the rule. Without a base, it tries several seeds until the block has the kind of
// --kind.
func (b *ruleBreaker) breakRule(r *validate.Rule) (fuzz.Broken, error) {
	about := r.Kinds()
	if b.kind != "" && len(about) > 0 && !slices.ContainsFunc(about, func(k layout.Kind) bool { return k.String() == b.kind }) {
		return fuzz.Broken{}, fmt.Errorf("the rule %s does not check blocks of kind %s, only %s", r.Name, b.kind, kindList(about, "and"))
	}
	if b.base != nil {
		broken, err := b.base.Break(r.Name, fuzz.Seed(b.seed), fuzz.Config{})
		if errors.Is(err, fuzz.ErrNoPlace) {
			err = fmt.Errorf("%s: %w", b.name, err)
		}
		return broken, err
	}
	for i := range uint64(64) {
		broken, err := fuzz.Break(r.Name, fuzz.Seed(b.seed+i<<32), fuzz.Config{})
		if err != nil || b.kind == "" || broken.Kind.String() == b.kind {
			return broken, err
		}
	}
	return fuzz.Broken{}, fmt.Errorf("--seed %d makes no block of kind %s that breaks %s; try another seed", b.seed, b.kind, r.Name)
}

// breakRule writes a block that breaks the rule, and the files that lint needs to find the fault.
func (c *genCommand) breakRule(args []string, kindGiven bool) error {
	from, err := c.breaker(strings.Join(args, ""), kindGiven)
	if err != nil {
		return err
	}
	b, err := from.breakRule(c.broken.rule)
	if err != nil {
		return err
	}
	return c.writeBroken(b, args...)
}

// writeBroken writes the block and its context files, and prints the flags that lint needs to find the fault. It does not
// overwrite the inputs.
func (c *genCommand) writeBroken(b fuzz.Broken, inputs ...string) error {
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
	if err := checkSame(paths, inputs); err != nil {
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
