package fuzz_test

import (
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// The two judges meet over what perflib.h describes, too: of what is built no rule says
// that it is an error, and what no rule calls one decodes.

func TestPerflibBuiltHasNoErrors(t *testing.T) {
	t.Parallel()
	for _, kind := range perflibKinds {
		for seed := range uint64(seeds) {
			noErrors(t, fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}))
		}
	}
}

func FuzzPerflibBuiltHasNoErrors(f *testing.F) {
	for i := range perflibKinds {
		addBytes(f, uint8(i))
	}
	f.Fuzz(func(t *testing.T, i uint8, data []byte) {
		kind := perflibKinds[int(i)%len(perflibKinds)]
		noErrors(t, fuzz.Model(kind, fuzz.FromBytes(data), fuzz.Config{}))
	})
}

func noErrors(t *testing.T, m builder.Model) {
	t.Helper()
	b, err := m.MarshalBinary()
	fatal(t, err)
	result := validate.Bytes(m.Kind(), b, validate.Context{})
	if err := result.Err(validate.Error); err != nil || result.Unjudged != nil {
		t.Fatalf("what was built of a %v has errors: %v, %v\n% x", m.Kind(), err, result.Unjudged, b)
	}
}

func TestPerflibJudgeAndDecoder(t *testing.T) {
	t.Parallel()
	for _, kind := range perflibKinds {
		var sound, broken int
		for seed := range uint64(seeds) {
			if perflibAgrees(t, kind, damaged(t, seed, kind)) {
				sound++
			} else {
				broken++
			}
		}
		if t.Logf("%v: %d without error, %d with", kind, sound, broken); sound < seeds/16 || broken < seeds/16 {
			t.Errorf("%v: the damage is one-sided", kind)
		}
	}
}

func FuzzPerflibJudgeAndDecoder(f *testing.F) {
	addPerflib(f)
	f.Fuzz(func(t *testing.T, i uint8, b []byte) {
		perflibAgrees(t, perflibKinds[int(i)%len(perflibKinds)], b)
	})
}

// perflibAgrees fails the test where the validator finds no error in what cannot be
// decoded. It reports whether there was no error.
func perflibAgrees(t *testing.T, kind layout.Kind, b []byte) bool {
	t.Helper()
	result := validate.Bytes(kind, b, validate.Context{})
	if result.Counts.Error > 0 {
		return false
	}
	if _, err := empty(t, kind).UnmarshalLossy(b); err != nil {
		t.Fatalf("no error is found in a %v that does not decode: %v\nfound: %v\n% x", kind, err, result.Err(validate.Info), b)
	}
	return true
}
