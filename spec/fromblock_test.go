package spec_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// The text of a valid block builds the same bytes, and parses to an equal model.
func TestGeneratedBlocks(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.Count(15, 200)) {
		for _, kind := range layout.Kinds() {
			s := &spec.Spec{Model: fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})}
			if s.Kind() != kind {
				t.Fatalf("the kind of a model of kind %v is %v", kind, s.Kind())
			}
			block := build(t, s)
			read, losses, err := spec.FromBlock(s.Kind(), block, false)
			if err != nil || losses != nil {
				t.Fatalf("seed %d: %v, %v", seed, losses, err)
			}
			text, err := read.AppendYAML(nil)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			again := parse(t, "", text)
			if diff := cmp.Diff(s, again, sameSpec); diff != "" {
				t.Fatalf("seed %d: (-want +got)\n%s\n%s", seed, diff, text)
			}
			if !bytes.Equal(build(t, again), block) {
				t.Fatalf("seed %d: the text of the block builds another one\n%s", seed, text)
			}
		}
	}
}

// FromBlock drops bytes that a model cannot hold and lists them, or returns an error.
func TestFromBlockLosses(t *testing.T) {
	t.Parallel()
	texts := files(t)
	block := build(t, parse(t, "", texts["broken/padding-not-zero.yaml"]))
	if _, _, err := spec.FromBlock(layout.DataBlockKind, block, false); err == nil {
		t.Error("padding is kept")
	}
	s, losses, err := spec.FromBlock(layout.DataBlockKind, block, true)
	if err != nil || len(losses) != 1 || losses[0].Path.String() != "object[0].instance[0].padding" {
		t.Fatalf("%v, %v", losses, err)
	}
	whole := parse(t, "", texts["broken/padding-not-zero.yaml"])
	whole.Patches = nil
	if !bytes.Equal(build(t, s), build(t, whole)) {
		t.Error("more than the padding is lost")
	}
	for _, lossy := range []bool{false, true} {
		s, losses, err := spec.FromBlock(layout.ObjectsKind, nil, lossy)
		if err != nil || losses != nil || !cmp.Equal(s.Model, builder.Model(new(builder.Objects))) {
			t.Errorf("%v, %v, %v", s, losses, err)
		}
	}
}
