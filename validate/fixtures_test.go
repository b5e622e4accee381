package validate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/rulecase"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

const rulesDir = "../testdata/rules"

func fixtures(t *testing.T) map[string]rulecase.Case {
	t.Helper()
	list, err := rulecase.Load(rulesDir)
	if err != nil {
		t.Fatal(err)
	}
	byRule := make(map[string]rulecase.Case)
	for _, c := range list {
		byRule[c.Rule] = c
	}
	return byRule
}

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

func TestFixtures(t *testing.T) {
	t.Parallel()
	for name, c := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []rulecase.Want
			own := false
			for _, f := range validate.Bytes(c.Kind, c.Broken, c.Context).Findings {
				got = append(got, rulecase.Want{Rule: f.Rule.Name, Path: f.Path.String()})
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
				t.Error("no word on what is wrong in it")
			}
			distance(t, c)
		})
	}
}

// distance checks that the near miss differs from the broken block exactly where the fixture
// says.
func distance(t *testing.T, c rulecase.Case) {
	t.Helper()
	if (len(c.Differs) == 0) == (c.Longer == "") {
		t.Fatal("it is differs or longer, one of them")
	}
	if c.Longer != "" {
		if len(c.Broken) == len(c.Near) {
			t.Errorf("both have the same length: list where they differ")
		}
		return
	}
	if len(c.Broken) != len(c.Near) {
		t.Fatalf("the near miss is of %d bytes and the broken block of %d", len(c.Near), len(c.Broken))
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
			t.Errorf("they differ at 0x%x too", i)
		}
	}
}
