package samples_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/samples"
	"github.com/perfblock/perfblock/validate"
)

// places returns a text for each finding about two samples: the rule, the path, the offset and the length.
func places(older, newer samples.Sample) (list []string) {
	var v validate.Validator
	for _, f := range samples.Compare(&v, older, newer).Findings {
		list = append(list, fmt.Sprintf("%s %v 0x%x+%d", f.Rule.Name, f.Path, f.Off, f.Len))
	}
	return list
}

// TestRules checks that each rule has a fixture: a pair of samples with findings, and a similar pair without
// findings.
func TestRules(t *testing.T) {
	t.Parallel()
	cases, err := fixture.PairCases("testdata/rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range samples.Rules() {
		if !slices.ContainsFunc(cases, func(c fixture.PairCase) bool { return c.Rule == r.Name }) {
			t.Errorf("%s has no fixtures", r.Name)
		}
	}
	for _, c := range cases {
		sample := func(b []byte) samples.Sample {
			for _, f := range validate.Bytes(c.Kind, b, c.Context).Findings {
				t.Errorf("%s: %v", c.Rule, f)
			}
			return samples.Sample{Kind: c.Kind, Bytes: b, Context: c.Context}
		}
		older := sample(c.Older)
		if diff := cmp.Diff(c.Wants, places(older, sample(c.Broken))); diff != "" || len(c.Wants) == 0 {
			t.Errorf("%s: findings (-want +got):\n%s", c.Rule, diff)
		}
		if got := places(older, sample(c.Near)); got != nil {
			t.Errorf("%s: the near miss has %q", c.Rule, got)
		}
	}
}

// TestCollectSeq checks that a validator describes only the findings that it lists. Millions of further findings are only
// counted.
func TestCollectSeq(t *testing.T) {
	t.Parallel()
	rules := samples.Rules()
	layoutRule, monotonicRule := rules[0], rules[1] // warnings
	v, err := validate.New(validate.Options{MaxFindings: 2, Overrides: []validate.Override{{Rule: layoutRule.Name, Severity: validate.Off}, {Rule: monotonicRule.Name, Severity: validate.Error, Reason: "a test"}}})
	if err != nil {
		t.Fatal(err)
	}
	described := 0
	result := v.CollectSeq(func(yield func(*validate.Rule, func() validate.Finding) bool) {
		for i := range int64(10) {
			for _, r := range []*validate.Rule{layoutRule, monotonicRule} {
				yield(r, func() validate.Finding {
					described++
					return validate.Finding{Rule: r, Off: i}
				})
			}
		}
	})
	if len(result.Findings) != 2 || described != 2 || result.Counts != (validate.Counts{Error: 10}) || !result.Truncated {
		t.Fatalf("%d descriptions, %+v", described, result)
	}
	if f := result.Findings[1]; f.Off != 1 || f.Severity != validate.Error || f.Reason != "a test" {
		t.Errorf("the second finding is %+v", f)
	}
}
