package fuzz_test

import (
	"slices"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/validate"
)

// TestBreak breaks every rule many times.
func TestBreak(t *testing.T) {
	t.Parallel()
	for _, r := range validate.Rules() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(60) {
				breaks(t, r, fuzz.Seed(seed))
			}
			breaks(t, r, fuzz.FromBytes(nil))
		})
	}
}

func FuzzBreak(f *testing.F) {
	for i := range validate.Rules() {
		f.Add(uint8(i), []byte{})
		f.Add(uint8(i), []byte{1, 200, 3, 254, 5, 160, 7, 80, 9, 255, 11, 90})
	}
	f.Fuzz(func(t *testing.T, rule uint8, data []byte) {
		rules := validate.Rules()
		breaks(t, rules[int(rule)%len(rules)], fuzz.FromBytes(data))
	})
}

// breaks fails the test unless a block that breaks a rule has a finding of it, and all
// findings are of rules that are about such blocks.
func breaks(t *testing.T, r *validate.Rule, s *fuzz.Source) {
	t.Helper()
	broken, err := fuzz.Break(r.ID, s, fuzz.Config{})
	if err != nil {
		t.Fatal(err)
	}
	result := validate.Bytes(broken.Kind, broken.Block, broken.Context)
	if !slices.ContainsFunc(result.Findings, func(f validate.Finding) bool { return f.Rule == r }) {
		t.Fatalf("no finding of %s in a block that breaks it: %v\n%x", r.Name, result.Err(validate.Info), broken.Block)
	}
	for _, f := range result.Findings {
		if !slices.Contains(f.Rule.Kinds(), broken.Kind) {
			t.Errorf("%s is about %v, and finds something in a %v", f.Rule.Name, f.Rule.Kinds(), broken.Kind)
		}
	}
}
