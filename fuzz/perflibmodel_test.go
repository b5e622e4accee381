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

func TestQueryDataSurvivesItsBytes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		querySurvives(t, fuzz.Seed(seed))
	}
}

func FuzzQueryDataSurvivesItsBytes(f *testing.F) {
	addBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) { querySurvives(t, fuzz.FromBytes(data)) })
}

func querySurvives(t *testing.T, s *fuzz.Source) {
	t.Helper()
	q := fuzz.QueryData(s, fuzz.Config{})
	survives(t, q, q.AppendBinary, new(builder.QueryData))
	b, err := q.MarshalBinary()
	fatal(t, err)
	viewsAgree(t, q, b)
}

func TestListsSurviveTheirBytes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		listsSurvive(t, fuzz.Seed(seed), fuzz.Seed(seed))
	}
}

func FuzzListsSurviveTheirBytes(f *testing.F) {
	addBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) { listsSurvive(t, fuzz.FromBytes(data), fuzz.FromBytes(data)) })
}

func listsSurvive(t *testing.T, a, b *fuzz.Source) {
	t.Helper()
	list, ids := fuzz.InstanceList(a, fuzz.Config{}), fuzz.Identifiers(b, fuzz.Config{})
	survives(t, list, list.AppendBinary, new(builder.InstanceList))
	survives(t, ids, ids.AppendBinary, new(builder.Identifiers))
	listsAgree(t, list, ids)
}

// addBytes gives a target bytes of several lengths to make choices of.
func addBytes(f *testing.F) {
	f.Helper()
	f.Add([]byte{})
	for seed := range uint64(32) {
		r := rand.NewChaCha8([32]byte{byte(seed)})
		data := make([]byte, 16<<(seed%6))
		_, _ = r.Read(data)
		f.Add(data)
	}
}

func TestQueryDataThatEndsTooEarly(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		b, err := fuzz.QueryData(fuzz.Seed(seed), fuzz.Config{}).MarshalBinary()
		fatal(t, err)
		prefixes(t, b, func(int) bool { return false }, builder.QueryData{PerfTimeStamp: 4711})
	}
}

// A list has no length of its own: where an element ends, a list does.
func TestListsThatEndTooEarly(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		list, ids := fuzz.InstanceList(fuzz.Seed(seed), fuzz.Config{}), fuzz.Identifiers(fuzz.Seed(seed), fuzz.Config{})
		b, err := list.MarshalBinary()
		fatal(t, err)
		prefixes(t, b, ends(t, list, builder.InstanceList.EncodedLen), builder.InstanceList{{InstanceId: 4711}})
		b, err = ids.MarshalBinary()
		fatal(t, err)
		prefixes(t, b, ends(t, ids, builder.Identifiers.EncodedLen), builder.Identifiers{{Index: 4711}})
	}
}

// ends returns whether an element of the list ends at an offset, or none has started.
func ends[L ~[]E, E any](t *testing.T, list L, length func(L) (int, error)) func(int) bool {
	t.Helper()
	at := map[int]bool{}
	for i := range list {
		n, err := length(list[:i])
		fatal(t, err)
		at[n] = true
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
