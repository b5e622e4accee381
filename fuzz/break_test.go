package fuzz_test

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestBreak breaks every rule many times, in each way that there is, and not always in one
// place to one value.
func TestBreak(t *testing.T) {
	t.Parallel()
	const enough = 8
	for _, r := range validate.Rules() {
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			found, taken, far := map[breach]bool{}, map[int]bool{}, 0
			for seed := range uint64(60) {
				taken[fuzz.WayToBreak(r.Name, fuzz.Seed(seed))] = true
				list, near := breaks(t, r, fuzz.Seed(seed), fuzz.Config{})
				for _, b := range list {
					found[b] = true
				}
				if !near {
					far++
				}
			}
			breaks(t, r, fuzz.FromBytes(nil), fuzz.Config{})
			for i, also := range fuzz.WaysToBreak(r.Name) {
				if !taken[i] {
					t.Errorf("no seed breaks it in way %d, %v with it", i, also)
				}
			}
			if reason, ok := farBreaches[r.Name]; ok && far == 0 {
				t.Errorf("it is always told of beside what was changed, though %s", reason)
			}
			reason, few := fewBreaches[r.Name]
			switch n := len(found); {
			case few && n >= enough:
				t.Errorf("it is broken in %d ways, though it has %s", n, reason)
			case !few && n < enough:
				t.Errorf("it is broken in %d ways only", n)
			}
		})
	}
	for _, names := range []iter.Seq[string]{maps.Keys(fewBreaches), maps.Keys(farBreaches), maps.Keys(bigBreaches)} {
		for name := range names {
			if _, err := validate.FindRule(name); err != nil {
				t.Error(err)
			}
		}
	}
}

// A breach is a place where a rule is broken, and what is there.
type breach struct{ path, got string }

func FuzzBreak(f *testing.F) {
	for i := range validate.Rules() {
		f.Add(uint8(i), []byte{})
		f.Add(uint8(i), []byte{1, 200, 3, 254, 5, 160, 7, 80, 9, 255, 11, 90})
	}
	f.Fuzz(func(t *testing.T, rule uint8, data []byte) {
		rules := validate.Rules()
		r := rules[int(rule)%len(rules)]
		if bigBreaches[r.Name] && !oneIn(16, []byte{rule}, data) {
			return
		}
		breaks(t, r, fuzz.FromBytes(data), fuzz.Config{})
	})
}

// breaks fails the test unless what is found in a block that breaks a rule, and was not in
// the block before, is of that rule and of those that it says the fault breaks too, of
// each of them and of no other. What was found before is found again, unless an error
// keeps what stands there from being read, or the fault is in the same object. A finding of
// the rule is beside what was changed, unless it is one of farBreaches. Before there is no
// error, which the context that goes with both says too. It returns the
// findings of the rule, and whether one is.
func breaks(t *testing.T, r *validate.Rule, s *fuzz.Source, c fuzz.Config) (found []breach, near bool) {
	t.Helper()
	broken, err := fuzz.Break(r.ID, s, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range append(broken.Context.Registrations, broken.Block, broken.Context.Identifiers) {
		if b != nil && len(b) == 0 {
			t.Errorf("%s is broken with a block of no bytes, which is no file", r.Name)
		}
	}
	before := map[string]int{} // by rule and path
	for _, f := range findings(t, broken.Kind, broken.Before, broken.Context) {
		if before[f.Rule.Name+" "+f.Path.String()]++; f.Severity == validate.Error {
			t.Errorf("before there is a fault of %s in the block there is %v\n%x", r.Name, f, broken.Before)
		}
	}
	seen := map[string]bool{r.Name: false}
	for _, name := range broken.Also {
		seen[name] = false
	}
	unread, in := false, map[string]bool{}
	for _, f := range findings(t, broken.Kind, broken.Block, broken.Context) {
		if !slices.Contains(f.Rule.Kinds(), broken.Kind) {
			t.Errorf("%s is about %v, and finds something in a %v", f.Rule.Name, f.Rule.Kinds(), broken.Kind)
		}
		path := f.Path.String()
		if key := f.Rule.Name + " " + path; before[key] > 0 {
			before[key]--
			continue
		}
		unread = unread || f.Severity == validate.Error
		in[firstStep(path)] = true
		if f.Rule == r {
			found = append(found, breach{path, f.Got})
			near = near || beside(broken, f)
		}
		if _, ok := seen[f.Rule.Name]; ok {
			seen[f.Rule.Name] = true
		} else {
			t.Errorf("a fault of %s is found to be one of %v too\n%x", r.Name, f, broken.Block)
		}
	}
	for name, ok := range seen {
		if !ok {
			t.Errorf("no finding of %s in a block that breaks %s\n%x", name, r.Name, broken.Block)
		}
	}
	for key, n := range before {
		if _, path, _ := strings.Cut(key, " "); n > 0 && !unread && !in[firstStep(path)] {
			t.Errorf("with a fault of %s there is no finding any more of %s\n%x", r.Name, key, broken.Block)
		}
	}
	if _, far := farBreaches[r.Name]; !near && !far {
		t.Errorf("what %s is found by is not beside what was changed\n%x\n%x", r.Name, broken.Before, broken.Block)
	}
	return found, near
}

// firstStep returns the first step of a path: an object, or a field of the header.
func firstStep(path string) string {
	first, _, _ := strings.Cut(path, ".")
	return first
}

func findings(t *testing.T, kind layout.Kind, b []byte, ctx validate.Context) []validate.Finding {
	t.Helper()
	result := validate.Bytes(kind, b, ctx)
	if result.Unchecked != nil || result.Truncated {
		t.Fatalf("%v, and not all of it is listed: %v", result.Unchecked, result.Truncated)
	}
	return result.Findings
}
