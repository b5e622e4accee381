package fuzz_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// The same as for the models of winperf.h holds for those of perflib.h.

// perflibKinds are the kinds that are not of V1.
var perflibKinds = layout.Kinds()[len(layout.V1Kinds()):]

func TestPerflibModelSurvivesItsBytes(t *testing.T) {
	t.Parallel()
	for _, kind := range perflibKinds {
		for seed := range uint64(seeds) {
			perflibSurvives(t, kind, fuzz.Seed(seed))
		}
	}
}

func FuzzPerflibModelSurvivesItsBytes(f *testing.F) {
	for i := range perflibKinds {
		addBytes(f, uint8(i))
	}
	f.Fuzz(func(t *testing.T, i uint8, data []byte) {
		perflibSurvives(t, perflibKinds[int(i)%len(perflibKinds)], fuzz.FromBytes(data))
	})
}

func perflibSurvives(t *testing.T, kind layout.Kind, s *fuzz.Source) {
	t.Helper()
	model, b := survives(t, kind, s)
	viewsAgree(t, model, b)
}

// addBytes gives a target bytes of several lengths to make choices of, behind what else
// it takes.
func addBytes(f *testing.F, before ...any) {
	f.Helper()
	f.Add(append(before, []byte{})...)
	for seed := range uint64(32) {
		r := rand.NewChaCha8([32]byte{byte(seed)})
		data := make([]byte, 16<<(seed%6))
		_, _ = r.Read(data)
		f.Add(append(before, data)...)
	}
}

// A list has no length of its own: where an element ends, a list does. Of a text and of
// GUIDs the same is true.
func TestPerflibModelsThatEndTooEarly(t *testing.T) {
	t.Parallel()
	for _, kind := range perflibKinds {
		for seed := range uint64(60) {
			m := fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{})
			b, err := m.MarshalBinary()
			fatal(t, err)
			prefixes(t, kind, b, ends(t, m))
		}
	}
}

// ends returns whether what starts as the bytes of the model do is whole at an offset.
func ends(t *testing.T, m builder.Model) func(int) bool {
	t.Helper()
	at := map[int]bool{}
	end := func(n int, err error) {
		fatal(t, err)
		at[n] = true
	}
	switch m := m.(type) {
	case *builder.InstanceList:
		for i := range *m {
			end((*m)[:i].EncodedLen())
		}
	case *builder.Identifiers:
		for i := range *m {
			end((*m)[:i].EncodedLen())
		}
	case *builder.GUIDs:
		for i := range *m {
			end((*m)[:i].EncodedLen())
		}
	}
	return func(n int) bool { return at[n] }
}

// What cannot be encoded is an error, and the buffer is as it was.
func TestQueryDataRefusedLeavesTheBuffer(t *testing.T) {
	t.Parallel()
	refused := 0
	for seed := range uint64(300) {
		q := fuzz.QueryData(fuzz.Seed(seed), fuzz.Config{})
		if len(q.Results) == 0 {
			continue
		}
		last := &q.Results[len(q.Results)-1]
		last.Values = append(last.Values, 1)
		b := make([]byte, 3, 1<<12)
		got, err := q.AppendBinary(b)
		if e, ok := errors.AsType[*layout.Error](err); !ok || !errors.Is(err, builder.ErrCount) || e.Off != -1 || e.Path == (layout.Path{}) {
			t.Fatalf("%v", err)
		}
		if len(got) != 3 || &got[0] != &b[0] {
			t.Fatal("the buffer is not as it was")
		}
		for _, c := range b[:cap(b)] {
			if c != 0 {
				t.Fatal("something was written")
			}
		}
		refused++
	}
	if refused < 100 {
		t.Errorf("%d models refused", refused)
	}
}
