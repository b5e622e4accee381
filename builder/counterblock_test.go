package builder_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
)

func TestCounterBlock(t *testing.T) {
	t.Parallel()
	template := compile(t, site())
	b := template.CounterBlock()
	b.Values(1, 2, 3, 4)
	b.Add32(template.Handle32(1), 1<<32-1) // wraps
	b.Add64(template.Handle64(0), 1<<40)
	b.Set32(template.Handle32(3), 8)
	if got, wrong := b.Get64(template.Handle64(0)), b.Get64(template.Handle64(1)); got != 1+1<<40 || wrong != 0 {
		t.Errorf("8 bytes are %d; with another handle %d", got, wrong)
	}
	if got, wrong := b.Get32(template.Handle32(3)), b.Get32(builder.Handle32{}); got != 8 || wrong != 0 {
		t.Errorf("4 bytes are %d; with a zero handle %d", got, wrong)
	}
	f := builder.NewFill(nil)
	f.Object(template)
	f.Instance("a")
	f.Block(b)
	want, err := site().Instance("a", 1+1<<40, 1, 3, 8).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Done(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
	var zero builder.CounterBlock
	zero.Clear()
	if got := zero.Get64(builder.Handle64{}) + zero.Get64(template.Handle64(0)) + uint64(zero.Get32(builder.Handle32{})); got != 0 {
		t.Errorf("a zero block has a value of %d", got)
	}
	noTemplate := "the CounterBlock or its Template is zero: create the Template with Object.Compile, and the CounterBlock with Template.CounterBlock"
	if zero.Add64(builder.Handle64{}, 1); !errors.Is(zero.Err(), builder.ErrCount) || zero.Err().Error() != noTemplate {
		t.Errorf("a zero block: %v, want %s", zero.Err(), noTemplate)
	}
	zero.Clear()
	if zero.Add32(builder.Handle32{}, 1); !errors.Is(zero.Err(), builder.ErrCount) || zero.Err().Error() != noTemplate {
		t.Errorf("a zero block, 4 bytes: %v, want %s", zero.Err(), noTemplate)
	}
	zero.Clear()
	if zero.SetText(builder.HandleText{}, "a"); !errors.Is(zero.Err(), builder.ErrCount) || zero.Err().Error() != noTemplate {
		t.Errorf("a zero block, a text: %v, want %s", zero.Err(), noTemplate)
	}
	for _, c := range []struct {
		reason string
		add    func()
	}{
		{"a handle of 4 bytes for a counter of 8 is not valid", func() { b.Add32(template.Handle32(0), 1) }},
		{"a handle of 8 bytes for a counter of 4 is not valid", func() { b.Add64(template.Handle64(1), 1) }},
		{"a zero handle is not valid", func() { b.Add64(builder.Handle64{}, 1) }},
	} {
		c.add()
		b.Add64(template.Handle64(0), 1) // has no effect
		if !errors.Is(b.Err(), builder.ErrForeign) {
			t.Errorf("%s: %v", c.reason, b.Err())
		}
		if got := b.Get32(template.Handle32(3)); got != 8 && got != 0 {
			t.Errorf("%s: a value has become %d", c.reason, got)
		}
		b.Clear()
		r := template.Refresh(want)
		r.Next()
		r.Block(b)
		zero, err := site().Instance("a", 0, 0, 0, 0).MarshalBinary()
		if b.Err() != nil || err != nil || !bytes.Equal(want, zero) {
			t.Errorf("%s, cleared: %v, %v (-want +got):\n%s", c.reason, b.Err(), err, cmp.Diff(zero, want))
		}
	}
}
