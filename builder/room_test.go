package builder_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// Without room nothing is wrong, and what it takes is counted to the end.
func TestFillCountsBeyondItsBuffer(t *testing.T) {
	t.Parallel()
	template := compile(t, site())
	fill := func(f *builder.Fill) ([]byte, error) {
		f.DataBlock(&builder.DataBlock{SystemName: "HOST"})
		for range 3 {
			f.Object(template)
			for _, name := range []string{"", "a", "größe", strings.Repeat("🦀", 100)} {
				f.Instance(name)
				f.UniqueID(1)
				f.Set64(template.Handle64(0), 1)
				f.Block(template.CounterBlock())
				f.Values(1, 2, 3, 4)
			}
		}
		return f.Done()
	}
	whole := builder.NewFill(nil)
	want, err := fill(&whole)
	if err != nil {
		t.Fatal(err)
	}
	none := builder.NewFixedFill(nil)
	if b, err := fill(&none); !errors.Is(err, builder.ErrMoreData) || b != nil || none.Need() != len(want) || none.Objects() != 0 {
		t.Errorf("%v, %d bytes; it needs %d for %d objects and took %d", err, len(b), none.Need(), none.Objects(), len(want))
	}
	exact := builder.NewFixedFill(make([]byte, 0, none.Need()))
	if b, err := fill(&exact); err != nil || !bytes.Equal(b, want) {
		t.Errorf("%v, %d bytes", err, len(b))
	}
}

// Nothing is too large for a count until 32 bits are.
func TestFillCountsTo32Bits(t *testing.T) {
	t.Parallel()
	template := compile(t, &builder.Object{BlockLength: 1 << 30})
	f := builder.NewFixedFill(nil)
	f.Object(template)
	for range 3 {
		f.Instance("")
	}
	if math.MaxInt > math.MaxInt32 {
		if need := uint64(f.Need()); need != 64+3*(24+1<<30) {
			t.Errorf("it needs %d", need)
		}
	}
	f.Instance("")
	if _, err := f.Done(); !errors.Is(err, builder.ErrTooLarge) {
		t.Errorf("4 GiB: %v", err)
	}
	// As much as 32 bits can tell, behind what the buffer holds.
	whole := compile(t, &builder.Object{NumInstances: layout.PERF_NO_INSTANCES, BlockLength: math.MaxUint32 - 7 - 64})
	f = builder.NewFixedFill(make([]byte, 104))
	f.Object(whole)
	wanted := builder.ErrMoreData
	if math.MaxInt == math.MaxInt32 {
		wanted = builder.ErrTooLarge
	}
	if _, err := f.Done(); !errors.Is(err, wanted) {
		t.Errorf("all of 32 bits: %v", err)
	}
}

// The error of a buffer that is too small says how many bytes are needed and how many
// there are.
func TestErrMoreData(t *testing.T) {
	t.Parallel()
	template := compile(t, site())
	f := builder.NewFixedFill(make([]byte, 8, 300))
	f.Object(template)
	f.Instance("a")
	f.Instance("b")
	_, err := f.Done()
	want := "the buffer is too small: it has a capacity of 300 bytes, and 360 are needed"
	if !errors.Is(err, builder.ErrMoreData) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if errors.Is(err, builder.ErrCount) {
		t.Error("it is another error too")
	}
}
