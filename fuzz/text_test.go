package fuzz_test

import (
	"bytes"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// A model written as text and read again is the same model, and builds the same
// block.

func TestModelSurvivesItsText(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		for seed := range uint64(rounds / 20) {
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
	if err != nil {
		t.Fatal(err)
	}
	if again, err := got.Build(); err != nil || !bytes.Equal(again, block) {
		t.Fatalf("the text builds another block, %v:\n%s", err, text)
	}
}
