package builder_test

import (
	"errors"
	"math"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestReadShortBlock checks that Read returns an error for a block that is shorter than in the template.
func TestReadShortBlock(t *testing.T) {
	t.Parallel()
	object, err := builder.Define[oneRun](40)
	if err != nil {
		t.Fatal(err)
	}
	binding, err := builder.Bind[oneRun](compiled(t, object))
	if err != nil {
		t.Fatal(err)
	}
	short, err := builder.NewObject(40).Counter(42, layout.PERF_COUNTER_BULK_COUNT).Counter(44, layout.PERF_COUNTER_BULK_COUNT).Single(1, 2).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var rows layout.Rows
	for o := range layout.ReadObjects(short) {
		// Binding.Open would return an error for this object, so the test calls rows.Open.
		if err := rows.Open(o); err != nil || !rows.Next() {
			t.Fatal("the object has no row", err)
		}
		if err := binding.Read(&rows, new(oneRun)); !errors.Is(err, builder.ErrForeign) {
			t.Errorf("a block of 24 bytes: the error is %v, must wrap ErrForeign, because the values end at byte 32", err)
		}
	}
}

// TestBindAdjacentValues checks that Bind accepts two values that are adjacent in the block. Their order in the block
// is the reverse of the order of the fields.
func TestBindAdjacentValues(t *testing.T) {
	t.Parallel()
	type pair struct{ A, B uint32 }
	object, err := builder.Define[pair](40)
	if err != nil {
		t.Fatal(err)
	}
	object.Counters[0].CounterOffset, object.Counters[1].CounterOffset = 12, 8
	if _, err := builder.Bind[pair](compiled(t, object)); err != nil {
		t.Error(err)
	}
}

// TestNarrowFieldLargest writes the largest 32-bit number from a field of 8 bytes to a counter of 4 bytes.
func TestNarrowFieldLargest(t *testing.T) {
	t.Parallel()
	object, err := builder.Define[withNarrow](40)
	if err != nil {
		t.Fatal(err)
	}
	template := compiled(t, object)
	binding, err := builder.Bind[withNarrow](template)
	if err != nil {
		t.Fatal(err)
	}
	f := builder.NewFill(nil)
	f.Object(template)
	binding.Instance(&f, "one", &withNarrow{C: math.MaxUint32})
	if _, err := f.Done(); err != nil {
		t.Error(err)
	}
}
