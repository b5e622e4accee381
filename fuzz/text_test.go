package fuzz_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// A model written as text and read again is the same model, and builds the same
// block.

func TestModelSurvivesItsText(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds / 2) {
		textSurvives(t, fuzz.Seed(seed), layout.Kinds()[seed%uint64(len(layout.Kinds()))])
	}
}

func FuzzModelSurvivesItsText(f *testing.F) {
	for seed := range uint64(16) {
		data := make([]byte, 16<<(seed%6))
		_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(data)
		f.Add(uint8(seed), data)
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		textSurvives(t, fuzz.FromBytes(data), layout.Kinds()[int(kind)%len(layout.Kinds())])
	})
}

func textSurvives(t *testing.T, s *fuzz.Source, kind layout.Kind) {
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
	if diff := cmp.Diff(want.Model, got.Model); diff != "" {
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
