package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// breakRule writes a block that breaks the rule, of the kind that the flag says if it is given.
func (c *genCommand) breakRule(kind bool) error {
	b, err := c.breakOf(kind)
	if err != nil {
		return err
	}
	if err := c.block(b.Rule+"-"+strconv.FormatUint(c.seed, 10), b.Kind, b.Block); err != nil {
		return err
	}
	if flags := lintFlags(b); len(flags) > 0 {
		complain(fmt.Errorf("lint sees what breaks %s with %s", b.Rule, strings.Join(flags, " ")))
	}
	return nil
}

// breakOf tries seeds derived from the one given until one makes the kind that is wanted.
func (c *genCommand) breakOf(kind bool) (fuzz.Broken, error) {
	const tries = 64 // each kind that a rule is about comes up half the time
	for i := range uint64(tries) {
		b, err := fuzz.Break(c.broken.rule.Name, fuzz.Seed(c.seed+i<<32), fuzz.Config{})
		if err != nil || !kind || b.Kind.String() == c.kind.value {
			return b, err
		}
	}
	return fuzz.Broken{}, fmt.Errorf("%s is no rule for the kind %s", c.broken.rule.Name, c.kind.value)
}

// lintFlags returns the flags without which lint cannot see what is broken.
func lintFlags(b fuzz.Broken) []string {
	var flags []string
	if b.Kind != layout.DataBlockKind || !layout.HasSignature(b.Block) {
		flags = append(flags, "--kind "+b.Kind.String())
	}
	if b.Context.Query != nil {
		flags = append(flags, "--query "+strconv.Quote(*b.Context.Query))
	}
	if first, last := b.Context.FirstCounter, b.Context.LastCounter; first != 0 || last != 0 {
		flags = append(flags, fmt.Sprintf("--first-counter %d", first), fmt.Sprintf("--last-counter %d", last))
	}
	return flags
}
