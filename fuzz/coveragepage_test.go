//go:build !race

// Under race it takes long, and nothing in it is done at the same time as another thing.

package fuzz_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

const coveragePage = "../docs/fuzz-coverage.md"

// TestCoverage holds the generator to its promise that everything comes up: each record,
// field, named value and field of a model, each place of the grammar, and cases that
// several of them make.
func TestCoverage(t *testing.T) {
	t.Parallel()
	c := &coverage{index: map[caseOf]int{}, never: maps.Clone(neverMade)}
	c.declareKinds()
	c.declareRecords()
	c.declarePlaces()
	c.declareModels(t)
	c.declareCases()
	for _, kind := range layout.Kinds() {
		for seed := range uint64(seeds) {
			m := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})
			b, err := m.MarshalBinary()
			fatal(t, err)
			c.kind(kind)
			c.records(kind, b)
			c.places(t, kind, b)
			c.models(m)
			c.cases(m)
		}
	}
	for i, r := range c.rows {
		reason, never := c.never[r]
		switch n := c.times[i]; {
		case never && n > 0:
			t.Errorf("%s, %s: %d times, though %s", r.of, r.what, n, reason)
		case !never && n < enough:
			t.Errorf("%s, %s: %d times", r.of, r.what, n)
		}
	}
	for r := range c.never {
		if _, known := c.index[r]; !known {
			t.Errorf("%s, %s is no row", r.of, r.what)
		}
	}
	page := c.page()
	t.Logf("%d rows\n%s", len(c.rows), page)
	if *update {
		fatal(t, os.WriteFile(coveragePage, page, 0o644))
	}
	want, err := os.ReadFile(coveragePage)
	fatal(t, err)
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), string(page)); diff != "" {
		t.Errorf("%s is out of date; -update writes it anew (-page +made):\n%s", coveragePage, diff)
	}
}
