package validate_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

const rulesDir = "../testdata/rules"

// fixtures returns the fixtures of all rules, by rule name.
func fixtures(t *testing.T) map[string]fixture.RuleCase {
	t.Helper()
	list, err := fixture.RuleCases(rulesDir)
	if err != nil {
		t.Fatal(err)
	}
	byRule := make(map[string]fixture.RuleCase)
	for _, c := range list {
		byRule[c.Rule] = c
	}
	return byRule
}

// TestEveryRuleHasFixtures checks that each rule has a pair of fixtures and that each pair
// belongs to a rule.
func TestEveryRuleHasFixtures(t *testing.T) {
	t.Parallel()
	have := fixtures(t)
	for _, r := range validate.Rules() {
		if _, ok := have[r.Name]; !ok {
			t.Errorf("%s %s has no fixtures", r.ID, r.Name)
		}
		delete(have, r.Name)
	}
	for name := range have {
		t.Errorf("the fixtures %s belong to no rule", name)
	}
}

// TestFixtures checks that the broken block of each fixture has the listed findings, and that the
// near miss, a similar block that breaks no rule, has none.
func TestFixtures(t *testing.T) {
	t.Parallel()
	for name, c := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []fixture.Want
			own := false
			for _, f := range validate.Bytes(c.Kind, c.Broken, c.Context).Findings {
				got = append(got, fixture.Want{Rule: f.Rule.Name, Path: f.Path.String()})
				own = own || f.Rule.Name == c.Rule
			}
			if diff := cmp.Diff(c.Wants, got); diff != "" {
				t.Errorf("findings of the broken block (-want +got):\n%s", diff)
			}
			if !own {
				t.Errorf("the broken block does not break the rule")
			}
			for _, f := range validate.Bytes(c.Kind, c.Near, c.Context).Findings {
				t.Errorf("the near miss gives %v", f)
			}
			if c.Note == "" {
				t.Error("the fixture has no note")
			}
			checkDifferences(t, c)
		})
	}
}

// checkDifferences checks that a near miss, the block that breaks no rule, differs from the broken
// block exactly in the parts that the fixture lists.
func checkDifferences(t *testing.T, c fixture.RuleCase) {
	t.Helper()
	if (len(c.Differs) == 0) == (c.Longer == "") {
		t.Fatal("the fixture must have differs or longer, not both")
	}
	if c.Longer != "" {
		if len(c.Broken) == len(c.Near) {
			t.Errorf("the blocks have the same length, so the fixture must have differs instead of longer")
		}
		return
	}
	if len(c.Broken) != len(c.Near) {
		t.Fatalf("the near miss has %d bytes, and the broken block has %d", len(c.Near), len(c.Broken))
	}
	allowed := make([]bool, len(c.Near))
	for _, text := range c.Differs {
		path, err := layout.ParsePath(text)
		if err != nil {
			t.Fatal(err)
		}
		part, err := layout.Find(c.Kind, c.Near, path)
		if err != nil {
			t.Fatal(err)
		}
		differs := false
		for i := part.Off(); i < part.End(); i++ {
			allowed[i] = true
			differs = differs || c.Near[i] != c.Broken[i]
		}
		if !differs {
			t.Errorf("%s does not differ", text)
		}
	}
	for i := range c.Near {
		if c.Near[i] != c.Broken[i] && !allowed[i] {
			t.Errorf("the blocks also differ at 0x%x, which no part of differs covers", i)
		}
	}
}

// A transcript collects the full text of the findings of several blocks for a golden file.
type transcript struct{ strings.Builder }

// add adds findings. name is the name or reason of the test case.
func (w *transcript) add(name string, findings []validate.Finding) {
	for _, f := range findings {
		fmt.Fprintf(w, "%s: [%d bytes] %v\n", name, f.Len, f)
	}
}

// compare compares the transcript with a golden file in testdata.
func (w *transcript) compare(t *testing.T, file string) {
	t.Helper()
	golden.File(t, filepath.Join("testdata", file), w.String())
}

// TestMessages compares the findings of all fixtures with testdata/messages.txt.
func TestMessages(t *testing.T) {
	t.Parallel()
	all := fixtures(t)
	var w transcript
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		w.add(name, validate.Bytes(c.Kind, c.Broken, c.Context).Findings)
	}
	w.compare(t, "messages.txt")
}
