package fuzz_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// What is built decodes to the model it was built from, and that encodes to the
// same bytes again, behind whatever the buffer holds. The views read what was meant.

func TestModelSurvivesItsBytes(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		for seed := range uint64(rounds) {
			modelSurvives(t, kind, fuzz.Seed(seed))
		}
	})
	// Two objects of one title, and instances of the second with parents in the
	// first: the generator once judged the second alone.
	modelSurvives(t, layout.DataBlockKind, fuzz.Seed(71140))
	modelSurvives(t, layout.ObjectsKind, fuzz.Seed(6064))
}

func FuzzModelSurvivesItsBytes(f *testing.F) {
	addChoices(f)
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) { modelSurvives(t, kindOf(kind), fuzz.FromBytes(data)) })
}

func modelSurvives(t *testing.T, kind layout.Kind, s *fuzz.Source) {
	t.Helper()
	want, got := fuzz.Model(kind, s, fuzz.Config{}), empty(t, kind)
	b, err := want.AppendBinary(nil)
	if err != nil {
		t.Fatalf("the generated model does not encode: %v", err)
	}
	if err := got.UnmarshalBinary(b); err != nil {
		t.Fatalf("the generated block does not decode: %v", err)
	}
	if diff := unlike(want, got); diff != "" {
		t.Fatalf("decoding changed the model (-want +got):\n%s", diff)
	}
	if n, err := got.EncodedLen(); n != len(b) || err != nil {
		t.Fatalf("EncodedLen is %d, %v; the block takes %d", n, err, len(b))
	}
	dirty := bytes.Repeat([]byte{0xFF}, 2*len(b)+8)
	again, err := got.AppendBinary(dirty[:3])
	if err != nil || !bytes.Equal(again[3:], b) {
		t.Fatalf("encoding into a dirty buffer gave other bytes, %v", err)
	}
	if losses, err := empty(t, kind).UnmarshalLossy(b); len(losses) > 0 || err != nil {
		t.Fatalf("decoding a valid block lost %v, %v", losses, err)
	}
	viewsAgree(t, want, b)
}

func empty(t *testing.T, kind layout.Kind) builder.Model {
	t.Helper()
	m, err := builder.NewModel(kind)
	fatal(t, err)
	return m
}

// untouched returns a model that is not empty, always the same, to tell whether a call
// changes it.
func untouched(t *testing.T, kind layout.Kind) builder.Model {
	t.Helper()
	small := fuzz.Config{MaxObjects: 1, MaxCounters: 1, MaxInstances: 1, MaxText: 2}
	for seed := range uint64(100) {
		if m := fuzz.Model(kind, fuzz.Seed(seed), small); !cmp.Equal(m, empty(t, kind)) {
			return m
		}
	}
	t.Fatalf("every %v is empty", kind)
	return nil
}
