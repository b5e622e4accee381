package builder_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestRefreshOutside checks that setting a value is an error before the first instance and after the last
// instance. It also checks which arguments PerfTime accepts.
func TestRefreshOutside(t *testing.T) {
	t.Parallel()
	template, b := twoSites(t)
	before := template.Refresh(b)
	before.Values(1, 2, 3, 4)
	want := "a value is set without an instance: call Refresh.Next first, and set values only after it returns true"
	if _, err := before.Done(); !errors.Is(err, builder.ErrCount) || err.Error() != want {
		t.Errorf("before the first: %v, want %s", err, want)
	}
	last := template.Refresh(b)
	for last.Next() {
	}
	last.Set64(template.Handle64(0), 1)
	if _, err := last.Done(); !errors.Is(err, builder.ErrCount) || err.Error() != "instance[1]: "+want {
		t.Errorf("after the last: %v, want %s", err, want)
	}
	timed := compile(t, builder.NewObject(2).WithBase(4, layout.PERF_PRECISION_OBJECT_TIMER))
	f := builder.NewFill(nil)
	f.Object(timed)
	f.PerfTime(1)
	clock, err := f.Done()
	if err != nil {
		t.Fatal(err)
	}
	zeroTime := timed.Refresh(clock)
	zeroTime.PerfTime(0)
	want = "PerfTime: is 0, must be above 0: a counter requires it"
	if _, err := zeroTime.Done(); !errors.Is(err, layout.ErrRange) || err.Error() != want {
		t.Errorf("a time of 0: %v, want %s", err, want)
	}
	noClock := template.Refresh(b)
	noClock.PerfTime(0)
	if _, err := noClock.Done(); err != nil {
		t.Errorf("a time of 0 that no counter is computed with: %v", err)
	}
	given := bytes.Clone(b)
	last = template.Refresh(b)
	last.PerfTime(-1)
	if _, err := last.Done(); !errors.Is(err, layout.ErrRange) || !bytes.Equal(b, given) {
		t.Errorf("a time below 0: %v (-before +after):\n%s", err, cmp.Diff(given, b))
	}
}

// TestRefreshAfterDone calls methods of a Refresh after Done. The calls must change no byte of the block, and a second
// Done must fail. The test calls the first Done before the last instance.
func TestRefreshAfterDone(t *testing.T) {
	t.Parallel()
	type counts struct {
		Requests                uint64
		Queue, Fraction, Others uint32
	}
	template, before := twoSites(t)
	block := template.CounterBlock()
	sites, err := builder.Bind[counts](template)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason string
		use    func(r *builder.Refresh)
	}{
		{"no call", func(*builder.Refresh) {}},
		{"a value", func(r *builder.Refresh) { r.Set64(template.Handle64(0), 9) }},
		{"all values", func(r *builder.Refresh) { r.Values(9, 9, 9, 9) }},
		{"a counter block", func(r *builder.Refresh) { r.Block(block) }},
		{"a struct", func(r *builder.Refresh) { sites.Refresh(r, &counts{Requests: 9}) }},
		{"the time", func(r *builder.Refresh) { r.PerfTime(9) }},
		{"the next instance", func(r *builder.Refresh) {
			if r.Next() {
				t.Error("Next returns true after Done")
			}
		}},
	} {
		b := bytes.Clone(before)
		r := template.Refresh(b)
		r.Next()
		if _, err := r.Done(); err != nil {
			t.Fatal(err)
		}
		c.use(&r)
		if !bytes.Equal(b, before) {
			t.Errorf("%s: (-want +got):\n%s", c.reason, cmp.Diff(before, b))
		}
		const want = "Refresh.Done was called before: call Template.Refresh for another Refresh"
		if _, err := r.Done(); !errors.Is(err, builder.ErrCount) || err.Error() != want {
			t.Errorf("%s: %v, want %s", c.reason, err, want)
		}
	}
}

// TestZeroRefresh checks the error of a Refresh that is not from Template.Refresh. Done must report the error even
// if no other method is called.
func TestZeroRefresh(t *testing.T) {
	t.Parallel()
	const zero = "the Refresh is zero, must be from Template.Refresh"
	for _, c := range []struct {
		reason string
		use    func(r *builder.Refresh)
		kind   error
		want   string
	}{
		{"no call", func(*builder.Refresh) {}, builder.ErrForeign, zero},
		{"Next", func(r *builder.Refresh) {
			if r.Next() {
				t.Error("Next of a zero Refresh returns true")
			}
		}, builder.ErrForeign, zero},
		{"PerfTime", func(r *builder.Refresh) { r.PerfTime(1) }, builder.ErrForeign, zero},
		{"a value", func(r *builder.Refresh) { r.Values(1) }, builder.ErrCount, "a value is set without a counter block: call Fill.Object and then Fill.Instance first; a CounterBlock must be from Template.CounterBlock, and a Refresh must be from Template.Refresh"},
	} {
		var r builder.Refresh
		c.use(&r)
		rest, err := r.Done()
		if len(rest) > 0 || !errors.Is(err, c.kind) || err.Error() != c.want {
			t.Errorf("%s: %d bytes, %v, want %s", c.reason, len(rest), err, c.want)
		}
	}
	r := new(builder.Template).Refresh(make([]byte, 64))
	want := "the Template is nil or zero, must be from Object.Compile"
	if _, err := r.Done(); !errors.Is(err, builder.ErrForeign) || err.Error() != want {
		t.Errorf("a Refresh of a zero Template: %v, want %s", err, want)
	}
}

// TestRefreshWithoutBlock checks the error for an object with PERF_NO_INSTANCES that ends after its definitions.
func TestRefreshWithoutBlock(t *testing.T) {
	t.Parallel()
	o := site().Single(1, 2, 3, 4)
	b, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	length := len(b) - 32
	r := compile(t, o).Refresh(putDWORD(0, uint32(length))(b)[:length])
	want := "the object has no counter block of 32 bytes, must have a counter block of this length, as in the Template"
	if r.Next() {
		t.Error("Next returns true")
	}
	if _, err := r.Done(); !errors.Is(err, builder.ErrForeign) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
