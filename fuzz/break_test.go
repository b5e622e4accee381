package fuzz_test

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestBreak checks that the block of Break breaks the rule. The block may also break the rules in Broken.Also, but no
// others.
func TestBreak(t *testing.T) {
	t.Parallel()
	endless := fuzz.Config{MaxObjects: math.MaxInt, MaxCounters: math.MaxInt, MaxInstances: math.MaxInt, MaxText: math.MaxInt}
	for _, r := range blockRules() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			skipWithoutBreaker(t, r)
			seeds := long.Count(8, 100)
			if bigRules[r.Name] {
				seeds = long.Count(4, 60)
			}
			seen := map[string]bool{}
			for seed := range uint64(seeds) {
				for _, rule := range checkBreak(t, r, fuzz.Seed(seed), fuzz.Config{}) {
					seen[rule] = true
				}
			}
			checkBreak(t, r, fuzz.FromBytes(nil), fuzz.Config{})
			checkBreak(t, r, fuzz.Seed(1), endless)
			for seed := range uint64(seeds / 4) {
				checkBreak(t, r, fuzz.Seed(seed), fuzz.Config{ASCII: true, Numbers: true})
				checkBreak(t, r, fuzz.Seed(seed), fuzz.Config{MaxText: 1, Computed: true})
			}
			for _, rule := range fuzz.MayBreak(r.Name) {
				if !seen[rule] && seeds >= 60 {
					t.Errorf("the breaker may break %s too, but no seed does", rule)
				}
			}
		})
	}
}

// blockRules returns the rules that check a single block. Other packages can register rules about other inputs, such as
// two blocks. blockRules leaves these rules out.
func blockRules() []*validate.Rule {
	return slices.DeleteFunc(validate.Rules(), func(r *validate.Rule) bool { return r.Kinds() == nil })
}

// bigRules has the rules whose breakers can make a block of more than a hundred thousand bytes. Tests use these
// breakers less often.
var bigRules = map[string]bool{
	"v2-multi-counters-limit":     true,
	"v2-multi-counters-limit-max": true,
	"v2-template-limit":           true,
	"v2-template-limit-max":       true,
}

// skipWithoutBreaker skips the test for a rule without a breaker. The rule must have a fixture that breaks it.
func skipWithoutBreaker(t *testing.T, r *validate.Rule) {
	t.Helper()
	if _, err := fuzz.Break(r.Name, fuzz.FromBytes(nil), fuzz.Config{}); errors.Is(err, fuzz.ErrNoBreaker) {
		if _, err := os.Stat("../testdata/rules/" + r.Name + "/broken.yaml"); err != nil {
			t.Fatalf("%s has neither a breaker nor a fixture: %v", r.Name, err)
		}
		t.Skipf("%s has no breaker, only a fixture", r.Name)
	}
}

func FuzzBreak(f *testing.F) {
	rules := blockRules()
	for i := range rules {
		f.Add(uint8(i), []byte{})
		f.Add(uint8(i), []byte{1, 200, 3, 254, 5, 160, 7, 80, 9, 255, 11, 90})
	}
	f.Fuzz(func(t *testing.T, rule uint8, data []byte) {
		r := rules[int(rule)%len(rules)]
		if skipWithoutBreaker(t, r); bigRules[r.Name] && !oneIn(16, data) {
			return
		}
		checkBreak(t, r, fuzz.FromBytes(data), fuzz.Config{})
	})
}

// checkBreak calls Break for a rule and checks the two blocks. For each finding that is in Block but not in Before, it
// returns the name of the rule.
func checkBreak(t *testing.T, r *validate.Rule, s *fuzz.Source, c fuzz.Config) (rules []string) {
	t.Helper()
	broken, err := fuzz.Break(r.ID, s, c)
	fatal(t, err)
	before := map[string]int{} // by rule and path
	for _, f := range findings(t, broken.Kind, broken.Before, broken.Context) {
		if before[f.Rule.Name+" "+f.Path.String()]++; f.Severity == validate.Error {
			t.Errorf("the block without the fault of %s has an error: %v\n%x", r.Name, f, broken.Before)
		}
	}
	hasError, changed := false, map[string]bool{}
	for _, f := range findings(t, broken.Kind, broken.Block, broken.Context) {
		path := f.Path.String()
		if key := f.Rule.Name + " " + path; before[key] > 0 {
			before[key]--
			continue
		}
		hasError = hasError || f.Severity == validate.Error
		changed[firstStep(path)] = true
		if rules = append(rules, f.Rule.Name); f.Rule != r && !slices.Contains(broken.Also, f.Rule.Name) {
			t.Errorf("a fault of %s has a finding of another rule: %v\n%x", r.Name, f, broken.Block)
		}
		if !slices.Contains(f.Rule.Kinds(), broken.Kind) {
			t.Errorf("%s applies to %v and has a finding in a %v", f.Rule.Name, f.Rule.Kinds(), broken.Kind)
		}
	}
	if !slices.Contains(rules, r.Name) {
		t.Errorf("a block that breaks %s has no new finding of it\n%x\n%x", r.Name, broken.Before, broken.Block)
	}
	// All findings in broken.Before must also be in broken.Block, with two exceptions. An error can end the validation.
	// A record with a new finding can lose its other findings.
	for key, n := range before {
		if _, path, _ := strings.Cut(key, " "); n > 0 && !hasError && !changed[firstStep(path)] {
			t.Errorf("with a fault of %s the finding %s disappears\n%x", r.Name, key, broken.Block)
		}
	}
	return rules
}

// firstStep returns the first step of a path: a record, or a field of the header.
func firstStep(path string) string {
	first, _, _ := strings.Cut(path, ".")
	return first
}

func findings(t *testing.T, kind layout.Kind, b []byte, ctx validate.Context) []validate.Finding {
	t.Helper()
	result := validate.Bytes(kind, b, ctx)
	if result.Unchecked != nil || result.Truncated {
		t.Fatalf("the validation is not complete: %v, truncated: %v", result.Unchecked, result.Truncated)
	}
	return result.Findings
}

// TestBreakUnknownRule checks that Break returns an error for an unknown rule.
func TestBreakUnknownRule(t *testing.T) {
	t.Parallel()
	if _, err := fuzz.Break("no-rule", fuzz.Seed(1), fuzz.Config{}); !errors.Is(err, layout.ErrRange) {
		t.Errorf("Break of an unknown rule returns %v", err)
	}
}
