package fuzz_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// What is built is judged to be as it was meant: there is no error, and all that is
// advised against, or unusual, is said of exactly the parts that the model has so.

func TestBuiltIsJudgedAsMeant(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		header string
		kinds  []layout.Kind
		rules  int // that have something to say of what is generated, at the least
	}{
		{"winperf.h", layout.V1Kinds(), 30},
		{"perflib.h", perflibKinds, 34},
	} {
		t.Run(tt.header, func(t *testing.T) {
			t.Parallel()
			rules := map[string]int{}
			for seed := range uint64(rounds) {
				for _, kind := range tt.kinds {
					for _, s := range asMeant(t, kind, fuzz.Seed(seed)) {
						rules[s.rule]++
					}
				}
			}
			// A generator that never strays from what is advised would show little.
			if t.Logf("%d rules have something to say: %v", len(rules), rules); len(rules) < tt.rules {
				t.Errorf("only %d rules have something to say of what is generated", len(rules))
			}
		})
	}
}

func FuzzBuiltIsJudgedAsMeant(f *testing.F) {
	addChoices(f)
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) { asMeant(t, kindOf(kind), fuzz.FromBytes(data)) })
}

// asMeant judges what a source makes and returns what was said, of which nothing is an
// error.
func asMeant(t *testing.T, kind layout.Kind, s *fuzz.Source) []said {
	t.Helper()
	m := fuzz.Model(kind, s, fuzz.Config{})
	b, err := m.MarshalBinary()
	fatal(t, err)
	return judgedAs(t, kind, b, validate.Context{}, predict(t, m, b))
}

// judgedAs fails the test unless what is said of a block is what was predicted.
func judgedAs(t *testing.T, kind layout.Kind, b []byte, ctx validate.Context, predicted []said) (got []said) {
	t.Helper()
	result := validate.Bytes(kind, b, ctx)
	if err := result.Err(validate.Error); err != nil {
		t.Fatalf("what was built has errors: %v\n% x", err, b)
	}
	for _, f := range result.Findings {
		got = append(got, said{f.Rule.Name, f.Path.String()})
	}
	sortSaid(got)
	if !slices.Equal(predicted, got) {
		t.Fatalf("what is said of a %v (-predicted +said):\n%s\n% x", kind, cmp.Diff(predicted, got, cmp.AllowUnexported(said{})), b)
	}
	return got
}
