package builder_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestNeed checks that Need returns the length of all objects if the buffer is full, and that a
// buffer with this capacity is large enough.
func TestNeed(t *testing.T) {
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
		t.Errorf("%v, %d bytes; Need is %d for %d objects, want %d bytes and no objects", err, len(b), none.Need(), none.Objects(), len(want))
	}
	exact := builder.NewFixedFill(make([]byte, 0, none.Need()))
	if b, err := fill(&exact); err != nil || !bytes.Equal(b, want) {
		t.Errorf("%v, %d bytes", err, len(b))
	}
}

// TestNeedOf32Bits checks that Need counts 3 GiB, and that a block of 4 GiB is an error.
func TestNeedOf32Bits(t *testing.T) {
	t.Parallel()
	template := compile(t, &builder.Object{BlockLength: 1 << 30})
	f := builder.NewFixedFill(nil)
	f.Object(template)
	for range 3 {
		f.Instance("")
	}
	if math.MaxInt > math.MaxInt32 {
		if need := uint64(f.Need()); need != 64+3*(24+1<<30) {
			t.Errorf("Need is %d", need)
		}
	}
	f.Instance("")
	if _, err := f.Done(); !errors.Is(err, builder.ErrTooLarge) {
		t.Errorf("4 GiB: %v", err)
	}
	// The object has the largest valid length. A slice on a 32-bit system cannot have this length.
	whole := compile(t, &builder.Object{NumInstances: layout.PERF_NO_INSTANCES, BlockLength: math.MaxUint32 - 7 - 64})
	f = builder.NewFixedFill(make([]byte, 104))
	f.Object(whole)
	wanted := builder.ErrMoreData
	if math.MaxInt == math.MaxInt32 {
		wanted = builder.ErrTooLarge
	}
	if _, err := f.Done(); !errors.Is(err, wanted) {
		t.Errorf("the longest object: %v", err)
	}
}

// TestErrMoreData checks that the error text has the capacity of the buffer and the required capacity.
func TestErrMoreData(t *testing.T) {
	t.Parallel()
	template := compile(t, site())
	f := builder.NewFixedFill(make([]byte, 8, 300))
	f.Object(template)
	f.Instance("a")
	f.Instance("b")
	_, err := f.Done()
	want := "the buffer is too small: its capacity is 300 bytes, must be at least 360"
	if !errors.Is(err, builder.ErrMoreData) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if errors.Is(err, builder.ErrCount) {
		t.Error("the error wraps ErrCount too")
	}
	f = builder.NewFixedFill(make([]byte, 8, 304)) // requires the same capacity as the buffer before
	f.Object(template)
	f.Instance("a")
	f.Instance("b")
	_, err = f.Done()
	if want = "the buffer is too small: its capacity is 304 bytes, must be at least 360"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestUnalignedBuffer checks that a Fill refuses a buffer whose length is not a multiple of 8. The capacity may
// have any value.
func TestUnalignedBuffer(t *testing.T) {
	t.Parallel()
	template := compile(t, site())
	for name, newFill := range map[string]func([]byte) builder.Fill{"NewFill": builder.NewFill, "NewFixedFill": builder.NewFixedFill} {
		for n := range 17 {
			given := make([]byte, n, 401)
			f := newFill(given)
			f.Object(template)
			f.Instance("a")
			f.Set64(template.Handle64(0), 1)
			b, err := f.Done()
			if n%8 == 0 {
				if err != nil {
					t.Errorf("%s with %d bytes: %v", name, n, err)
				}
				continue
			}
			want := fmt.Sprintf("the buffer has a length of %d, must be a multiple of 8, because objects start at multiples of 8: pass b[:0] to overwrite the buffer, or append zeros", n)
			if !errors.Is(err, layout.ErrAlign) || err.Error() != want || len(b) != n || f.Objects() != 0 {
				t.Errorf("%s with %d bytes: %v, %d bytes returned, want %s", name, n, err, len(b), want)
			}
		}
	}
}

// TestBufferAfterDone calls methods of a Fill after Done. The calls must change no byte of the buffer, which the caller
// can use for other data. The buffer must have its whole capacity.
func TestBufferAfterDone(t *testing.T) {
	t.Parallel()
	template := compile(t, site())
	for _, c := range []struct {
		reason string
		use    func(f *builder.Fill)
	}{
		{"an instance", func(f *builder.Fill) { f.Instance("a") }},
		{"an instance with a name outside ASCII", func(f *builder.Fill) { f.Instance("größe") }},
		{"values", func(f *builder.Fill) { f.Values(1, 2, 3, 4) }},
		{"an object", func(f *builder.Fill) { f.Object(template) }},
		{"Done", func(*builder.Fill) {}},
	} {
		f := builder.NewFixedFill(make([]byte, 0, 1000))
		f.Object(template)
		f.Instance("a")
		b, err := f.Done()
		if err != nil || cap(b) != 1000 {
			t.Fatalf("a buffer of %d bytes, want 1,000, %v", cap(b), err)
		}
		b = b[:cap(b)]
		clear(b)
		c.use(&f)
		if _, err := f.Done(); !errors.Is(err, builder.ErrCount) {
			t.Errorf("%s: %v", c.reason, err)
		}
		if n := len(bytes.Trim(b, "\x00")); n > 0 {
			t.Errorf("%s after Done has written %d bytes", c.reason, n)
		}
	}
}

// TestDoneReturnsTheGivenBuffer checks that Done returns the slice of the caller after an error, even if the Fill has
// allocated a longer buffer.
func TestDoneReturnsTheGivenBuffer(t *testing.T) {
	t.Parallel()
	given := make([]byte, 8)
	f := builder.NewFill(given)
	f.Object(compile(t, site()))
	f.Instance("a\x00")
	if b, err := f.Done(); err == nil || len(b) != 8 || &b[0] != &given[0] {
		t.Errorf("%v, another buffer of %d bytes", err, len(b))
	}
}
