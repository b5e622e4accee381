package builder_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A text that is set again leaves nothing of the one before, and what a counter block keeps
// is a text too.
func TestFillText(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Define(builder.Counter{CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 20})
	template := compile(t, o)
	text := template.HandleText(0)
	o.Add(builder.Instance{Name: "a", Values: []uint64{0}, Texts: []string{"x"}})
	want, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reason string
		set    func(f *builder.Fill)
	}{
		{"set again", func(f *builder.Fill) {
			f.SetText(text, "longer")
			f.SetText(text, "x")
		}},
		{"of a counter block", func(f *builder.Fill) {
			block := template.CounterBlock()
			block.SetText(text, "x")
			f.Block(block)
		}},
	} {
		f := builder.NewFill(nil)
		f.Object(template)
		f.Instance("a")
		tt.set(&f)
		if got, err := f.Done(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v (-want +got):\n%s", tt.reason, err, cmp.Diff(want, got))
		}
	}
}

// Names of a code page are filled in as the model has them, and not as UTF-16.
func TestFillCodePage(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Define(builder.Counter{CounterType: layout.PERF_COUNTER_RAWCOUNT})
	o.CodePage = 1252
	f := builder.NewFixedFill(make([]byte, 0, 512)) // which has room, so that nothing but the code page keeps UTF-16 away
	f.Object(compile(t, o))
	f.Instance("chrome")
	o.Add(builder.Instance{Name: "chrome", Values: []uint64{0}})
	want, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Done(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
}
