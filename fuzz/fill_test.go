package fuzz_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
)

// TestFillEqualsModel checks that a Fill with the templates of a model writes the bytes of the encoded model.
func TestFillEqualsModel(t *testing.T) {
	t.Parallel()
	for _, kind := range v1Kinds {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(sampleSize) {
				fillEqualsModel(t, kind, fuzz.Seed(seed), allSpares)
			}
		})
	}
}

func FuzzFillEqualsModel(f *testing.F) {
	for i, kind := range v1Kinds {
		f.Add(uint8(i), []byte{}, uint8(0))
		for seed := range uint64(32) {
			f.Add(uint8(i), fuzz.Input(kind, seed, fuzz.Config{}), uint8(seed))
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, data []byte, room uint8) {
		fillEqualsModel(t, v1KindOf(i), fuzz.FromBytes(data), allSpares.oneOf(room))
	})
}

// v1Kinds are the kinds of block that Fill writes.
var v1Kinds = []layout.Kind{layout.DataBlockKind, layout.ObjectsKind}

func v1KindOf(n uint8) layout.Kind { return v1Kinds[int(n)%len(v1Kinds)] }

func fillEqualsModel(t *testing.T, kind layout.Kind, s *fuzz.Source, r spares) {
	t.Helper()
	if kind == layout.ObjectsKind {
		objects := *fuzz.New[builder.Objects](s, fuzz.Config{})
		plainInstances(objects)
		if want, err := objects.MarshalBinary(); err == nil { // without its own lengths, an instance may be too long
			newFilling(t, nil, objects).equals(t, r, want)
		}
		return
	}
	d := *fuzz.New[builder.DataBlock](s, fuzz.Config{})
	plainInstances(d.Objects)
	if want, err := d.MarshalBinary(); err == nil {
		header := d
		header.Objects = nil
		newFilling(t, &header, d.Objects).equals(t, r, want)
	}
}

// plainInstances clears the instance fields that a Fill cannot write: NameOffset, ByteLength, BlockLength, and a
// ParentObjectInstance without a ParentObjectTitleIndex.
func plainInstances(objects []builder.Object) {
	for i := range objects {
		sizeTexts(&objects[i])
		for j := range objects[i].Instances {
			in := &objects[i].Instances[j]
			in.NameOffset, in.ByteLength, in.BlockLength = 0, 0, 0
			if in.ParentObjectTitleIndex == 0 {
				in.ParentObjectInstance = 0
			}
		}
	}
}

// sizeTexts sets the CounterSize of text counters that have only empty texts. It sets 4, the size of an empty text.
// Compile refuses a text counter without CounterSize.
func sizeTexts(o *builder.Object) {
	text := -1
	for i := range o.Counters {
		c := &o.Counters[i]
		if _, fixed := c.CounterType.Width(); fixed {
			continue
		}
		text++
		empty := func(texts []string) bool { return text >= len(texts) || texts[text] == "" }
		if c.CounterType.IsText() && c.CounterSize == 0 && empty(o.Texts) &&
			!slices.ContainsFunc(o.Instances, func(in builder.Instance) bool { return !empty(in.Texts) }) {
			c.CounterSize = 4
		}
	}
}

// A filling is a model and the templates with which a Fill writes the block of this model.
type filling struct {
	header    *builder.DataBlock // nil for objects without one
	objects   []builder.Object
	templates []*builder.Template
}

func newFilling(t *testing.T, header *builder.DataBlock, objects []builder.Object) *filling {
	t.Helper()
	f := &filling{header: header, objects: objects}
	for i := range objects {
		template, err := objects[i].Compile()
		if err != nil {
			t.Fatalf("object %d encodes but does not compile: %v", i, err)
		}
		f.templates = append(f.templates, template)
	}
	return f
}

// fill writes the block. It calls set for the values of each counter block.
func (f *filling) fill(to *builder.Fill, set setValues) ([]byte, error) {
	if f.header != nil {
		to.DataBlock(f.header)
	}
	for i := range f.objects {
		o := &f.objects[i]
		to.Object(f.templates[i])
		if f.header == nil && o.PerfTime == 0 && slices.ContainsFunc(o.Counters, func(c builder.Counter) bool { return c.CounterType.UsesObjectTimer() }) {
			to.PerfTime(builder.DefaultTime) // the default of the model
		}
		if o.NumInstances == layout.PERF_NO_INSTANCES {
			set(to, f.templates[i], o.Counters, o.Values, o.Texts)
		}
		for j := range o.Instances {
			in := &o.Instances[j]
			if in.ParentObjectTitleIndex == 0 {
				to.Instance(in.Name)
			} else {
				to.Child(in.ParentObjectTitleIndex, in.ParentObjectInstance, in.Name)
			}
			if in.UniqueID != nil {
				to.UniqueID(*in.UniqueID)
			}
			set(to, f.templates[i], o.Counters, in.Values, in.Texts)
		}
	}
	return to.Done()
}

// equals checks that a Fill writes the bytes `want` into a growing buffer and into fixed buffers of various sizes.
func (f *filling) equals(t *testing.T, r spares, want []byte) {
	t.Helper()
	for name, values := range map[string]setValues{"at once": setAll, "by handle": setEach} {
		to := builder.NewFill(nil)
		got, err := f.fill(&to, values)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("values %s: %v (-model +filled):\n%s", name, err, cmp.Diff(want, got))
		}
		if to.Need() != len(want) || to.Objects() != len(f.objects) {
			t.Fatalf("values %s: Need is %d for %d objects, the block has %d bytes and %d objects", name, to.Need(), to.Objects(), len(want), len(f.objects))
		}
	}
	maker(func(b []byte, fixed bool) (int, []byte, error) {
		to, set := builder.NewFill(b), setAll
		if fixed {
			to, set = builder.NewFixedFill(b), setEach
		}
		got, err := f.fill(&to, set)
		return to.Need(), got, err
	}).checkRange(t, r, want)
	f.refreshed(t, want)
}

// refreshed checks that a Refresh writes the bytes `want` into a block that was filled without values.
func (f *filling) refreshed(t *testing.T, want []byte) {
	t.Helper()
	var to builder.Fill
	got, err := f.fill(&to, setNone)
	if err != nil {
		t.Fatal(err)
	}
	rest := got
	if f.header != nil {
		d, err := layout.ReadDataBlock(got)
		if err != nil {
			t.Fatal(err)
		}
		rest = got[d.HeaderLength():]
	}
	for i := range f.objects {
		o, template := &f.objects[i], f.templates[i]
		r := template.Refresh(rest)
		if o.NumInstances == layout.PERF_NO_INSTANCES && r.Next() {
			setEach(&r, template, o.Counters, o.Values, o.Texts)
		}
		for j := 0; r.Next(); j++ {
			set := setAll
			if j%2 == 1 {
				set = setEach
			}
			set(&r, template, o.Counters, o.Instances[j].Values, o.Instances[j].Texts)
		}
		if rest, err = r.Done(); err != nil {
			t.Fatal(err)
		}
	}
	if len(rest) > 0 || !bytes.Equal(got, want) {
		t.Fatalf("refreshed, %d bytes left (-model +refreshed):\n%s", len(rest), cmp.Diff(want, got))
	}
}

// setValues sets the values and texts of the counters in one counter block.
type setValues func(s setter, template *builder.Template, counters []builder.Counter, values []uint64, texts []string)

// A setter is a Fill or a Refresh.
type setter interface {
	Set32(builder.Handle32, uint32)
	Set64(builder.Handle64, uint64)
	Values(...uint64)
	SetText(builder.HandleText, string)
}

func setNone(setter, *builder.Template, []builder.Counter, []uint64, []string) {}

// setAll sets all numbers with one call.
func setAll(s setter, template *builder.Template, counters []builder.Counter, values []uint64, texts []string) {
	s.Values(values...)
	setTexts(s, template, counters, texts)
	s.Values(values...) // calling Values again must not change the texts
}

func setTexts(s setter, template *builder.Template, counters []builder.Counter, texts []string) {
	n := 0
	for i, c := range counters {
		if _, fixed := c.CounterType.Width(); !fixed {
			s.SetText(template.HandleText(i), texts[n])
			n++
		}
	}
}

// setEach sets each number by its handle, from the last to the first.
func setEach(s setter, template *builder.Template, counters []builder.Counter, values []uint64, texts []string) {
	setTexts(s, template, counters, texts)
	for i := len(counters) - 1; i >= 0; i-- {
		width, fixed := counters[i].CounterType.Width()
		if counters[i].CounterSize != 0 {
			width = counters[i].CounterSize
		}
		switch {
		case !fixed:
		case width == 4:
			s.Set32(template.Handle32(i), uint32(values[i]))
		case width == 8:
			s.Set64(template.Handle64(i), values[i])
		}
	}
}

// A maker appends a block to b. need is the capacity that b must have for the block. If fixed is true, b cannot grow.
type maker func(b []byte, fixed bool) (need int, filled []byte, err error)

// spares is a range of buffer sizes, relative to the size of the block. For example, {-1, 2} means buffers from 1 byte
// too short to 2 bytes longer than the block.
type spares struct{ from, to int }

var allSpares = spares{-17, 17}

// oneOf returns a range that contains only one size of r. n selects this size.
func (r spares) oneOf(n uint8) spares {
	r.from += int(n) % (r.to - r.from + 1)
	r.to = r.from
	return r
}

// checkRange calls m.within and m.grown for each buffer size in the range r.
func (m maker) checkRange(t *testing.T, r spares, want []byte) {
	t.Helper()
	for room := max(0, len(want)+r.from); room <= len(want)+r.to; room++ {
		m.within(t, want, room)
		m.grown(t, want, room)
	}
	m.grown(t, want, len(want)/2)
}

// within fills a fixed buffer of `room` bytes and checks that no bytes before or after it change. If the buffer is
// shorter than the block, m must append nothing.
func (m maker) within(t *testing.T, want []byte, room int) {
	t.Helper()
	const before, after = 8, 16
	all := bytes.Repeat([]byte{0xEE}, before+room+after)
	need, got, err := m(all[:before:before+room], true)
	switch fits := room >= len(want); {
	case need != before+len(want):
		t.Fatalf("a fixed buffer of %d bytes for a block of %d: Need is %d", room, len(want), need)
	case fits && (err != nil || !bytes.Equal(got[before:], want) || &got[0] != &all[0]):
		t.Fatalf("a fixed buffer of %d bytes for a block of %d: %v (-model +filled):\n%s", room, len(want), err, cmp.Diff(want, got[before:]))
	case !fits && (!errors.Is(err, builder.ErrMoreData) || len(got) != before || &got[0] != &all[0]):
		t.Fatalf("a fixed buffer of %d bytes for a block of %d: %v, %d bytes returned", room, len(want), err, len(got))
	}
	if rest := all[before+room:]; bytes.Count(all[:before], []byte{0xEE}) != before || bytes.Count(rest, []byte{0xEE}) != len(rest) {
		t.Fatalf("a fixed buffer of %d bytes for a block of %d: bytes outside the buffer changed", room, len(want))
	}
}

// grown fills a buffer that has `room` bytes and can grow. The result must be in a new buffer if `room` bytes are not
// enough, and otherwise in the same buffer.
func (m maker) grown(t *testing.T, want []byte, room int) {
	t.Helper()
	const before = 8
	dirty := bytes.Repeat([]byte{0xEE}, before+room)
	_, got, err := m(dirty[:before], false)
	if err != nil || !bytes.Equal(got[:before], dirty[:before]) || !bytes.Equal(got[before:], want) {
		t.Fatalf("a buffer of %d bytes for a block of %d: %v (-model +filled):\n%s", room, len(want), err, cmp.Diff(want, got[before:]))
	}
	if stays := room >= len(want); stays != (&got[0] == &dirty[0]) && len(want) > 0 {
		t.Fatalf("a buffer of %d bytes for a block of %d: it grows: %v", room, len(want), !stays)
	}
}
