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
// same bytes again, behind whatever the buffer holds.

func TestModelSurvivesItsBytes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		modelSurvives(t, fuzz.Seed(seed), fuzz.Seed(seed))
	}
	// Two objects of one title, and instances of the second with parents in the
	// first: the generator once judged the second alone.
	modelSurvives(t, fuzz.Seed(71140), fuzz.Seed(6064))
}

func FuzzModelSurvivesItsBytes(f *testing.F) {
	addBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) { modelSurvives(t, fuzz.FromBytes(data), fuzz.FromBytes(data)) })
}

func modelSurvives(t *testing.T, a, b *fuzz.Source) {
	t.Helper()
	data, objects := fuzz.DataBlock(a, fuzz.Config{}), fuzz.Objects(b, fuzz.Config{})
	survives(t, data, data.AppendBinary, new(builder.DataBlock))
	survives(t, objects, objects.AppendBinary, new(builder.Objects))
}

// model is what DataBlock and Objects have in common, behind a pointer.
type model[T any] interface {
	*T
	UnmarshalBinary([]byte) error
	UnmarshalLossy([]byte) ([]*layout.Error, error)
	AppendBinary([]byte) ([]byte, error)
	EncodedLen() (int, error)
}

func survives[T any, P model[T]](t *testing.T, want T, encode func([]byte) ([]byte, error), got P) {
	t.Helper()
	b, err := encode(nil)
	if err != nil {
		t.Fatalf("the generated model does not encode: %v", err)
	}
	if err := got.UnmarshalBinary(b); err != nil {
		t.Fatalf("the generated block does not decode: %v", err)
	}
	if diff := cmp.Diff(want, *got); diff != "" {
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
	if losses, err := P(new(T)).UnmarshalLossy(b); len(losses) > 0 || err != nil {
		t.Fatalf("decoding a valid block lost %v, %v", losses, err)
	}
}
