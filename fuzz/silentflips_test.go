//go:build !race

// Under race it takes minutes, and nothing in it is done at the same time as another thing.

package fuzz_test

import (
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// TestNoSilentDamage flips every bit of the fixtures that are not broken, which makes the
// page, and every bit of some generated blocks of every kind. In many more of those it is one
// bit of each field, another from block to block.
func TestNoSilentDamage(t *testing.T) {
	t.Parallel()
	const whole = rounds / 200 // blocks of which it is every bit
	v, fixtures, generated := strict(t), tally{}, tally{}
	for _, s := range fixtureSubjects(t, v) {
		for _, part := range s.structural() {
			for bit := range 8 * part.Len() {
				fixtures.add(s, part, heldFlip(t, v, s, part, bit))
			}
		}
	}
	for _, s := range rareSubjects(t, v) {
		for _, part := range s.structural() {
			for bit := range 8 * part.Len() {
				generated.add(s, part, heldFlip(t, v, s, part, bit))
			}
		}
	}
	for _, kind := range layout.Kinds() {
		for seed := range uint64(rounds / 10) {
			for _, s := range generatedSubjects(t, v, kind, fuzz.Seed(seed)) {
				for i, part := range s.structural() {
					from, to := 0, 8*part.Len()
					if seed >= whole {
						from = (5*i + 7*int(seed)) % to
						to = from + 1
					}
					for bit := from; bit < to; bit++ {
						generated.add(s, part, heldFlip(t, v, s, part, bit))
					}
				}
			}
		}
	}
	t.Logf("of flipped bits %v in fixtures, and %v in generated blocks", fixtures.sums(), generated.sums())
	everyFieldAndChange(t, fixtures, generated)
	if !t.Failed() {
		fixtures.page(t)
	}
}
