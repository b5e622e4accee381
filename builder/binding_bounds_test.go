package builder_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	type pair struct{ A, B uint64 }
	reversed, err := builder.Define[pair](40)
	if err != nil {
		t.Fatal(err)
	}
	reversed.Counters[0].CounterOffset, reversed.Counters[1].CounterOffset = 24, 16
	last, err := builder.Bind[pair](compiled(t, reversed))
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
		if err := last.Read(&rows, new(pair)); !errors.Is(err, builder.ErrForeign) {
			t.Errorf("a block of 24 bytes: the error is %v, must wrap ErrForeign, because the value of the first field ends at byte 32", err)
		}
	}
}

// TestBindAdjacentValues writes two values that are adjacent in the block. Their order in the block is the reverse of
// the order of the fields, and both have the same length in total.
func TestBindAdjacentValues(t *testing.T) {
	t.Parallel()
	type pair struct{ A, B uint32 }
	object, err := builder.Define[pair](40)
	if err != nil {
		t.Fatal(err)
	}
	object.Counters[0].CounterOffset, object.Counters[1].CounterOffset = 12, 8
	template := compiled(t, object)
	binding, err := builder.Bind[pair](template)
	if err != nil {
		t.Fatal(err)
	}
	want, err := object.Instance("one", 1, 2).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	f := builder.NewFill(nil)
	f.Object(template)
	binding.Instance(&f, "one", &pair{1, 2})
	if got, err := f.Done(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v (-values +binding):\n%s", err, cmp.Diff(want, got))
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

// TestNarrowFieldTooLarge checks the error for a number in a field of 8 bytes that is too large for a counter of
// 4 bytes.
func TestNarrowFieldTooLarge(t *testing.T) {
	t.Parallel()
	o, err := builder.Define[withNarrow](40)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := compiled(t, o)
	b, err := builder.Bind[withNarrow](tmpl)
	if err != nil {
		t.Fatal(err)
	}
	f, zero := builder.NewFill(nil), builder.NewFill(nil)
	f.Object(tmpl)
	zero.Object(tmpl)
	b.Instance(&f, "one", &withNarrow{A: 1, C: 2})
	b.Instance(&zero, "one", new(withNarrow))
	got, err := f.Done()
	want, zeroErr := zero.Done()
	if err != nil || zeroErr != nil {
		t.Fatal(err, zeroErr)
	}
	r := tmpl.Refresh(got)
	r.Next()
	b.Refresh(&r, &withNarrow{A: 7, C: 1<<32 + 5})
	if _, err := r.Done(); !errors.Is(err, builder.ErrField) {
		t.Errorf("the error is %v, must wrap ErrField", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the values must be 0 (-want +got):\n%s", diff)
	}
}
