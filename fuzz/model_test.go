package fuzz_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// TestModelSurvivesItsBytes checks that the bytes of a generated model decode to an equal model, which encodes to the same
// bytes again.
func TestModelSurvivesItsBytes(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		for seed := range uint64(3 * sampleSize) {
			modelSurvives(t, fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{}))
		}
	})
	// The models of these seeds have two objects with the same title. Instances of the second object have parents in the
	// first object.
	modelSurvives(t, fuzz.Model(layout.DataBlockKind, fuzz.Seed(71140), fuzz.Config{}))
	modelSurvives(t, fuzz.Model(layout.ObjectsKind, fuzz.Seed(6064), fuzz.Config{}))
}

func FuzzModelSurvivesItsBytes(f *testing.F) {
	addChoices(f)
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		modelSurvives(t, fuzz.Model(kindOf(kind), fuzz.FromBytes(data), fuzz.Config{}))
	})
}

// modelSurvives checks the property of TestModelSurvivesItsBytes for one model.
func modelSurvives(t *testing.T, want builder.Model) {
	t.Helper()
	got := empty(t, want.Kind())
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
		t.Fatalf("EncodedLen is %d, %v; the block has %d bytes", n, err, len(b))
	}
	dirty := bytes.Repeat([]byte{0xFF}, 2*len(b)+8)
	again, err := got.AppendBinary(dirty[:3])
	if err != nil || !bytes.Equal(again[3:], b) || !bytes.Equal(again[:3], []byte{0xFF, 0xFF, 0xFF}) {
		t.Fatalf("encoding into a dirty buffer returns other bytes, %v", err)
	}
	if losses, err := empty(t, want.Kind()).UnmarshalLossy(b); len(losses) > 0 || err != nil {
		t.Fatalf("decoding a valid block lost %v, %v", losses, err)
	}
}

// TestRefusedModelLeavesTheBuffer checks that AppendBinary of a model with too many values returns an error and does not
// change the buffer.
func TestRefusedModelLeavesTheBuffer(t *testing.T) {
	t.Parallel()
	refused := 0
	for seed := range uint64(300) {
		q := fuzz.Model(layout.QueryDataKind, fuzz.Seed(seed), fuzz.Config{}).(*builder.QueryData)
		if len(q.Results) == 0 {
			continue
		}
		last := &q.Results[len(q.Results)-1]
		last.Values = append(last.Values, 1)
		b := make([]byte, 3, 1<<12)
		got, err := q.AppendBinary(b)
		if e, ok := errors.AsType[*layout.Error](err); !ok || !errors.Is(err, builder.ErrCount) || e.Off != -1 || e.Path == (layout.Path{}) {
			t.Fatal(err)
		}
		if len(got) != 3 || &got[0] != &b[0] || bytes.Count(b[:cap(b)], []byte{0}) != cap(b) {
			t.Fatal("the refused encoding changed the buffer")
		}
		refused++
	}
	if refused < 100 {
		t.Errorf("only %d models are refused", refused)
	}
}

// TestModelSurvivesItsText checks that the YAML text of a generated model parses to an equal model, which builds the same
// block.
func TestModelSurvivesItsText(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		for seed := range uint64(sampleSize / 4) {
			textSurvives(t, kind, fuzz.Seed(seed))
		}
	})
}

func FuzzModelSurvivesItsText(f *testing.F) {
	addChoices(f)
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) { textSurvives(t, kindOf(kind), fuzz.FromBytes(data)) })
}

func textSurvives(t *testing.T, kind layout.Kind, s *fuzz.Source) {
	t.Helper()
	want := spec.Spec{Model: fuzz.Model(kind, s, fuzz.Config{})}
	text, err := want.AppendYAML(nil)
	if err != nil {
		t.Fatalf("the generated model has no text: %v", err)
	}
	got, err := spec.Parse("generated.yaml", text)
	if err != nil {
		t.Fatalf("the text of the generated model does not parse: %v\n%s", err, text)
	}
	if diff := unlike(want.Model, got.Model); diff != "" {
		t.Fatalf("the text changed the model (-want +got):\n%s\n%s", diff, text)
	}
	block, err := want.Build()
	fatal(t, err)
	if again, err := got.Build(); err != nil || !bytes.Equal(again, block) {
		t.Fatalf("the text builds another block, %v:\n%s", err, text)
	}
}
