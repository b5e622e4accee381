package fuzz_test

import (
	"slices"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
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

// breaks fails the test unless what is found in a block that breaks a rule, and was not in
// the block before, is of that rule and of those that it says the fault breaks too, of
// each of them and of no other.
func breaks(t *testing.T, r *validate.Rule, s *fuzz.Source) {
	t.Helper()
	broken, err := fuzz.Break(r.ID, s, fuzz.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range append(broken.Context.Registrations, broken.Block, broken.Context.Identifiers) {
		if b != nil && len(b) == 0 {
			t.Errorf("%s is broken with a block of no bytes, which is no file", r.Name)
		}
	}
	was := map[string]int{}
	if broken.Before != nil {
		for _, f := range findings(t, broken.Kind, broken.Before, broken.Context) {
			was[f.Rule.Name+" "+f.Path.String()]++
		}
	}
	want := map[string]bool{r.Name: false}
	for _, name := range broken.Also {
		want[name] = false
	}
	for _, f := range findings(t, broken.Kind, broken.Block, broken.Context) {
		if !slices.Contains(f.Rule.Kinds(), broken.Kind) {
			t.Errorf("%s is about %v, and finds something in a %v", f.Rule.Name, f.Rule.Kinds(), broken.Kind)
		}
		if key := f.Rule.Name + " " + f.Path.String(); was[key] > 0 {
			was[key]--
		} else if _, ok := want[f.Rule.Name]; ok {
			want[f.Rule.Name] = true
		} else {
			t.Errorf("a fault of %s is found to be one of %v too\n%x", r.Name, f, broken.Block)
		}
	}
	for name, found := range want {
		if !found {
			t.Errorf("no finding of %s in a block that breaks %s\n%x", name, r.Name, broken.Block)
		}
	}
}

func findings(t *testing.T, kind layout.Kind, b []byte, ctx validate.Context) []validate.Finding {
	t.Helper()
	result := validate.Bytes(kind, b, ctx)
	if result.Unjudged != nil || result.Truncated {
		t.Fatalf("%v, and not all of it is listed: %v", result.Unjudged, result.Truncated)
	}
	return result.Findings
}
