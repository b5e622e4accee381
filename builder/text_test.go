package builder_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestTextLengths checks decoding of texts that are shorter or longer than their CounterSize, or longer than the
// counter block.
func TestTextLengths(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_TEXT)
	o.NumInstances, o.Values, o.Texts = layout.PERF_NO_INSTANCES, []uint64{0}, []string{"text"}
	for _, test := range []struct {
		size   int64
		length byte
		text   string
		losses []string
		err    error
		reason string
	}{
		{12, 8, "text", nil, nil, "unchanged"},
		{12, 9, "", nil, layout.ErrBounds, "one byte longer than the block"},
		{12, 12, "", nil, layout.ErrBounds, "as long as the block, including the bytes of the length"},
		{12, 4, "te", []string{"object[0].block.value[0]"}, nil, "shorter, and the bytes after the text are not zero"},
		{9, 8, "te", []string{"object[0].block.value[0]", "object[0].block.value[0]", "object[0].block.padding"}, nil, "an odd CounterSize is rounded down to whole UTF-16 code units"},
	} {
		b, err := builder.DataBlock{Objects: []builder.Object{*o}}.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		value := findPart(t, b, "object[0].block.value[0]").Off()
		setField(t, b, "object[0].counter[0].CounterSize", test.size)
		b[value] = test.length
		var got builder.DataBlock
		losses, err := got.UnmarshalLossy(b)
		if !errors.Is(err, test.err) {
			t.Errorf("%s: %v", test.reason, err)
		}
		if err != nil {
			continue
		}
		var lost []string
		for _, l := range losses {
			lost = append(lost, l.Path.String())
			if strings.Contains(l.Error(), "even number") {
				t.Errorf("%s: %v", test.reason, l)
			}
		}
		if diff := cmp.Diff(test.losses, lost); diff != "" || got.Objects[0].Texts[0] != test.text {
			t.Errorf("%s: %q, lost (-want +got)\n%s", test.reason, got.Objects[0].Texts[0], diff)
		}
	}
}

// TestOddText checks that decoding a UTF-16 text with an odd number of bytes returns ErrUnkept.
func TestOddText(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_TEXT)
	o.NumInstances, o.Values, o.Texts = layout.PERF_NO_INSTANCES, []uint64{0}, []string{"text"}
	b, err := builder.DataBlock{Objects: []builder.Object{*o}}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	value := findPart(t, b, "object[0].block.value[0]").Off()
	b[value], b[value+4+6] = 7, 0x80
	var got builder.DataBlock
	losses, err := got.UnmarshalLossy(b)
	if err != nil || len(losses) != 1 || !strings.Contains(losses[0].Error(), "even number") || got.Objects[0].Texts[0] != "tex" {
		t.Errorf("%+v, %v, %v", got, losses, err)
	}
}

// TestFillText checks that a second SetText erases the first text, and that Fill.Block copies
// the text of a counter block.
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
		{"the second text replaces the first", func(f *builder.Fill) {
			f.SetText(text, "longer")
			f.SetText(text, "x")
		}},
		{"Block copies the text of a counter block", func(f *builder.Fill) {
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

// TestTextLongerThanItsCounter checks that only the bytes of a text up to its CounterSize are
// decoded, because the bytes after them belong to another value.
func TestTextLongerThanItsCounter(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_TEXT)
	o.NumInstances, o.Values, o.Texts = layout.PERF_NO_INSTANCES, []uint64{0}, []string{"text"}
	d := builder.DataBlock{Objects: []builder.Object{*o}}
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	setField(t, b, "object[0].counter[0].CounterSize", 8)
	var got builder.DataBlock
	losses, err := got.UnmarshalLossy(b)
	if err != nil || len(losses) == 0 || losses[0].Path.String() != "object[0].block.value[0]" {
		t.Fatalf("lost %v, %v", losses, err)
	}
	d.Objects[0].Texts = []string{"te"}
	if diff := cmp.Diff(d, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestTextWithoutRoom checks that decoding returns ErrUnkept for a PERF_COUNTER_TEXT whose CounterSize is less than 4.
func TestTextWithoutRoom(t *testing.T) {
	t.Parallel()
	// The object has no instances. The encoded CounterSize of the text counter is then 4, the smallest valid size.
	d := builder.DataBlock{Objects: []builder.Object{*builder.NewObject(2).Counter(4, layout.PERF_COUNTER_TEXT).Counter(6, layout.PERF_COUNTER_RAWCOUNT)}}
	b, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for size := range int64(4) { // the length before a text takes 4 bytes
		setField(t, b, "object[0].counter[0].CounterSize", size)
		var got builder.DataBlock
		if err := got.UnmarshalBinary(b); !errors.Is(err, builder.ErrUnkept) {
			t.Errorf("a size of %d: %v", size, err)
		}
		if losses, err := got.UnmarshalLossy(b); err != nil || len(losses) != 1 || !cmp.Equal(d, got) {
			t.Errorf("a size of %d: lost %v, %v", size, losses, err)
		}
	}
}
