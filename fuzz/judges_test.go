package fuzz_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// The two judges meet: what is built is judged to be as it was meant, and what is
// judged to be sound decodes.

func TestBuiltIsJudgedAsMeant(t *testing.T) {
	t.Parallel()
	rules := map[string]int{}
	for seed := range uint64(seeds) {
		for _, s := range asMeant(t, fuzz.Seed(seed), fuzz.Seed(seed)) {
			rules[s.rule]++
		}
	}
	// A generator that never strays from what is advised would show little.
	if t.Logf("%d rules have something to say: %v", len(rules), rules); len(rules) < 30 {
		t.Errorf("only %d rules have something to say of what is generated", len(rules))
	}
}

func FuzzBuiltIsJudgedAsMeant(f *testing.F) {
	f.Add([]byte{})
	for seed := range uint64(32) {
		r := rand.NewChaCha8([32]byte{byte(seed)})
		data := make([]byte, 16<<(seed%6))
		_, _ = r.Read(data)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { asMeant(t, fuzz.FromBytes(data), fuzz.FromBytes(data)) })
}

// asMeant judges what two sources make and returns what was said, of which nothing
// is an error.
func asMeant(t *testing.T, a, b *fuzz.Source) []said {
	t.Helper()
	data, objects := fuzz.DataBlock(a, fuzz.Config{}), fuzz.Objects(b, fuzz.Config{})
	said := meant(t, layout.DataBlockKind, &data, data.Objects, data.AppendBinary)
	return append(said, meant(t, layout.ObjectsKind, nil, objects, objects.AppendBinary)...)
}

func meant(t *testing.T, kind layout.Kind, d *builder.DataBlock, objects []builder.Object, encode func([]byte) ([]byte, error)) []said {
	t.Helper()
	block, err := encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	result := validate.Bytes(kind, block, validate.Context{})
	if err := result.Err(validate.Error); err != nil {
		t.Fatalf("what was built has errors: %v\n% x", err, block)
	}
	var got []said
	for _, f := range result.Findings {
		got = append(got, said{f.Rule.Name, f.Path.String()})
	}
	sortSaid(got)
	if diff := cmp.Diff(predict(t, d, objects, block), got, cmp.AllowUnexported(said{}), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("what is said of a %v (-predicted +said):\n%s\n% x", kind, diff, block)
	}
	return got
}

// TestJudgeAndDecoder damages blocks and asks both.
func TestJudgeAndDecoder(t *testing.T) {
	t.Parallel()
	var sound, broken int
	for seed := range uint64(4 * seeds) {
		kind := layout.V1Kinds()[seed%2]
		if judgesAgree(t, kind, damaged(t, seed, kind)) {
			sound++
		} else {
			broken++
		}
	}
	if t.Logf("%d blocks without error, %d with", sound, broken); sound < seeds/8 || broken < seeds/8 {
		t.Error("the damage is one-sided")
	}
}

func FuzzJudgeAndDecoder(f *testing.F) {
	addBlocks(f)
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) {
		judgesAgree(t, layout.V1Kinds()[int(kind)%len(layout.V1Kinds())], b)
	})
}

// judgesAgree fails the test where the validator finds no error in what cannot be decoded,
// or a finding lies outside. It reports whether there was no error.
func judgesAgree(t *testing.T, kind layout.Kind, b []byte) bool {
	t.Helper()
	result := validate.Bytes(kind, b, validate.Context{})
	for _, f := range result.Findings {
		if f.Off < 0 || f.Len < 0 || f.Off+int64(f.Len) > int64(len(b)) {
			t.Fatalf("%v is of %d bytes, outside the input of %d", f, f.Len, len(b))
		}
		if f.Got == "" || f.Want == "" {
			t.Fatalf("%v lacks what is or what should be", f)
		}
	}
	if result.Counts.Error > 0 {
		return false
	}
	var err error
	if kind == layout.DataBlockKind {
		_, err = new(builder.DataBlock).UnmarshalLossy(b)
	} else {
		_, err = new(builder.Objects).UnmarshalLossy(b)
	}
	if err != nil && !known(err, result) {
		t.Fatalf("no error is found in what does not decode: %v\nfound: %v\n% x", err, result.Err(validate.Info), b)
	}
	return true
}

// known reports whether a block is one of the few that cannot be decoded though the
// documentation only advises against it: there is no model of it.
func known(err error, r validate.Result) bool {
	found := func(rules ...string) bool {
		return slices.ContainsFunc(r.Findings, func(f validate.Finding) bool { return slices.Contains(rules, f.Rule.Name) })
	}
	switch {
	case errors.Is(err, layout.ErrByteOrder):
		return found("data-big-endian")
	case errors.Is(err, builder.ErrBase): // of a type nobody knows it is not known which base it takes
		return found("ctr-type-known", "ctr-type-unassigned-bits")
	case errors.Is(err, builder.ErrConflict): // of values that share bytes not all can be kept, and a text shares with none
		return found("ctr-overlap-partial", "ctr-type-obsolete", "ctr-type-known", "ctr-type-unassigned-bits")
	}
	return false
}
