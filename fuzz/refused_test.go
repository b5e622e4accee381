package fuzz_test

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

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
