package fuzz_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// plainInstances takes away what a template has no say in: instances that are
// longer than they need be, and positions of parents that are none.
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

// sizeTexts sets the CounterSize of each PERF_COUNTER_TEXT whose texts are all empty to the
// size that is encoded: Compile refuses a text without room.
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

// A filling is a block as templates fill it.
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
			t.Fatalf("object %d encodes and does not compile: %v", i, err)
		}
		f.templates = append(f.templates, template)
	}
	return f
}

// fill writes everything. values gives each instance its values, by handle or at once.
func (f *filling) fill(to *builder.Fill, values func(setter, *builder.Template, []builder.Counter, []uint64, []string)) ([]byte, error) {
	if f.header != nil {
		to.DataBlock(f.header)
	}
	for i := range f.objects {
		o := &f.objects[i]
		to.Object(f.templates[i])
		if f.header == nil && o.PerfTime == 0 && slices.ContainsFunc(o.Counters, func(c builder.Counter) bool { return c.CounterType.UsesObjectTimer() }) {
			to.PerfTime(builder.DefaultTime) // as the model has it
		}
		if o.NumInstances == layout.PERF_NO_INSTANCES {
			values(to, f.templates[i], o.Counters, o.Values, o.Texts)
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
			values(to, f.templates[i], o.Counters, in.Values, in.Texts)
		}
	}
	return to.Done()
}

// equals fills buffers of every kind.
func (f *filling) equals(t *testing.T, r rooms, want []byte) {
	t.Helper()
	for name, values := range map[string]func(setter, *builder.Template, []builder.Counter, []uint64, []string){"at once": setAll, "by handle": setEach} {
		to := builder.NewFill(nil)
		got, err := f.fill(&to, values)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("values %s: %v (-model +filled):\n%s", name, err, cmp.Diff(want, got))
		}
		if to.Need() != len(want) || to.Objects() != len(f.objects) {
			t.Fatalf("values %s: needs %d for %d objects, and wrote %d for %d", name, to.Need(), to.Objects(), len(want), len(f.objects))
		}
	}
	maker(func(b []byte, fixed bool) (int, []byte, error) {
		to, values := builder.NewFill(b), setAll
		if fixed {
			to, values = builder.NewFixedFill(b), setEach
		}
		got, err := f.fill(&to, values)
		return to.Need(), got, err
	}).in(t, r, want)
	f.refreshed(t, want)
}

// refreshed fills the block with zeros for values, and then has the values set.
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

// A setter is a Fill or a Refresh.
type setter interface {
	Set32(builder.Handle32, uint32)
	Set64(builder.Handle64, uint64)
	Values(...uint64)
	SetText(builder.HandleText, string)
}

func setNone(setter, *builder.Template, []builder.Counter, []uint64, []string) {}

func setAll(s setter, template *builder.Template, counters []builder.Counter, values []uint64, texts []string) {
	s.Values(values...)
	setTexts(s, template, counters, texts)
	s.Values(values...) // which leaves the texts alone
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

// setEach sets the values from the last to the first.
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
