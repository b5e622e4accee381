package builder_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// A binding copies each of these structs in a different way.
type (
	oneRun struct { // all fields are next to each other in the struct and in the block
		A uint64 `perf:"type=PERF_COUNTER_BULK_COUNT,scale=-1,default"`
		B int64
		C uint32
		D int32 `perf:"level=PERF_DETAIL_EXPERT"`
	}
	withGaps struct { // on a 64-bit system, padding is between the fields and after the last field
		A uint32
		B uint64
		C uint32
		D int64
		E int32
	}
	withAtomics struct { // some fields must be loaded one by one
		A uint64
		B atomic.Uint64 `perf:"type=PERF_COUNTER_BULK_COUNT"`
		C atomic.Uint32
		D atomic.Int32
		E atomic.Int64
		F uint32
	}
	withNarrow struct { // the counter of C has 4 bytes, and the field has 8 bytes
		_ uint32 // ignored, because the field is not exported and has no tag
		A uint32 `perf:"type=PERF_SAMPLE_FRACTION"`
		B uint32 `perf:"type=PERF_SAMPLE_BASE"`
		C uint64 `perf:"type=PERF_AVERAGE_TIMER,title=70"`
		D uint32 `perf:"type=PERF_AVERAGE_BASE"`
		N string `perf:"-"`
		E uint64
	}
	withOffsets struct { // the order of the fields differs from the order of the values in the block
		A uint32 `perf:"offset=40"`
		B uint64 `perf:"offset=16"`
		C atomic.Uint32
		D uint32 `perf:"offset=12"`
	}
)

func compiled(t testing.TB, o *builder.Object) *builder.Template {
	t.Helper()
	c, err := o.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestBindingPadding writes a struct whose padding is not 0. Fill must write zeros as the padding of the block. Refresh
// must write the values of the struct.
func TestBindingPadding(t *testing.T) {
	t.Parallel()
	o, err := builder.Define[withGaps](40)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := compiled(t, o)
	b, err := builder.Bind[withGaps](tmpl)
	if err != nil {
		t.Fatal(err)
	}
	fill := func(v *withGaps) []byte {
		f := builder.NewFill(nil)
		f.Object(tmpl)
		b.Instance(&f, "one", v)
		block, err := f.Done()
		if err != nil {
			t.Fatal(err)
		}
		return block
	}
	want := fill(&withGaps{1, 2, 3, 4, 5})
	got := bytes.Clone(want)
	values := got[len(got)-48:] // the counter block
	if n := binary.LittleEndian.Uint32(values); n != 48 {
		t.Fatalf("the ByteLength of the counter block is %d, must be 48", n)
	}
	for _, at := range []int{4, 12, 28, 44} { // after ByteLength, A, C and E
		binary.LittleEndian.PutUint32(values[at:], 0xFFFFFFFF)
	}
	v := readBack(t, b, got)
	if diff := cmp.Diff(want, fill(v)); diff != "" {
		t.Errorf("Fill writes padding (-want +got):\n%s", diff)
	}
	v.A++
	r := tmpl.Refresh(got)
	r.Next()
	b.Refresh(&r, v)
	if _, err := r.Done(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, readBack(t, b, got)); diff != "" {
		t.Errorf("Refresh did not write the values (-want +got):\n%s", diff)
	}
}

// TestBindingOfSomeFields checks that a binding copies only the fields that are counters, even if the counter block has
// space for the whole struct.
func TestBindingOfSomeFields(t *testing.T) {
	t.Parallel()
	type some struct {
		A     uint64
		Other uint64 `perf:"-"`
	}
	o, err := builder.Define[some](40)
	if err != nil {
		t.Fatal(err)
	}
	o.BlockLength = 24
	tmpl := compiled(t, o)
	b, err := builder.Bind[some](tmpl)
	if err != nil {
		t.Fatal(err)
	}
	f := builder.NewFill(nil)
	f.Object(tmpl)
	b.Instance(&f, "one", &some{1, 2})
	block, err := f.Done()
	if err != nil {
		t.Fatal(err)
	}
	values := block[len(block)-24:]
	if !bytes.Equal(values, []byte{0: 24, 8: 1, 23: 0}) {
		t.Errorf("the counter block is % x, must have only A after its ByteLength", values)
	}
	var rows layout.Rows
	for o := range layout.ReadObjects(block) {
		v := some{Other: 9}
		if err := b.Open(&rows, o); err != nil || !rows.Next() || b.Read(&rows, &v) != nil || v != (some{1, 9}) {
			t.Errorf("Read sets the struct to %v, must set only A: %v", v, err)
		}
	}
}

// TestBindingOfSingle checks Binding.Fill for an object with PERF_NO_INSTANCES, and Binding.Child.
func TestBindingOfSingle(t *testing.T) {
	t.Parallel()
	o, err := builder.Define[oneRun](40)
	if err != nil {
		t.Fatal(err)
	}
	single := *o
	single.NumInstances = layout.PERF_NO_INSTANCES
	v := oneRun{1, -2, 3, -4}
	values := []uint64{1, math.MaxUint64 - 1, 3, math.MaxUint32 - 3}
	f, want := builder.NewFill(nil), builder.NewFill(nil)
	for _, o := range []*builder.Object{&single, o} {
		tmpl := compiled(t, o)
		b, err := builder.Bind[oneRun](tmpl)
		if err != nil {
			t.Fatal(err)
		}
		f.Object(tmpl)
		want.Object(tmpl)
		if o.NumInstances == 0 {
			f.Child(40, 0, "child")
			want.Child(40, 0, "child")
		}
		b.Fill(&f, &v)
		want.Values(values...)
		if o.NumInstances == 0 {
			b.Child(&f, 40, 1, "bound", &v)
			want.Child(40, 1, "bound")
			want.Values(values...)
		}
	}
	got, err := f.Done()
	wanted, wantErr := want.Done()
	if diff := cmp.Diff(wanted, got); diff != "" || err != nil || wantErr != nil {
		t.Errorf("%v, %v (-values +binding):\n%s", err, wantErr, diff)
	}
}

// TestBindingMisuse checks the errors of calls at the wrong time, or with another template.
func TestBindingMisuse(t *testing.T) {
	t.Parallel()
	o, err := builder.Define[oneRun](40)
	if err != nil {
		t.Fatal(err)
	}
	tmpl, other := compiled(t, o), compiled(t, o)
	b, err := builder.Bind[oneRun](tmpl)
	if err != nil {
		t.Fatal(err)
	}
	var none *builder.Binding[oneRun]
	for _, tt := range []struct {
		reason string
		use    func(f *builder.Fill)
		kind   error
	}{
		{"Fill requires an object", func(f *builder.Fill) { b.Fill(f, new(oneRun)) }, builder.ErrCount},
		{"Fill requires an instance", func(f *builder.Fill) { f.Object(tmpl); b.Fill(f, new(oneRun)) }, builder.ErrCount},
		{"the current object must have the template of the binding", func(f *builder.Fill) { f.Object(other); b.Instance(f, "x", new(oneRun)) }, builder.ErrForeign},
		{"a zero binding belongs to no template", func(f *builder.Fill) { f.Object(tmpl); new(builder.Binding[oneRun]).Instance(f, "x", new(oneRun)) }, builder.ErrForeign},
		{"a zero binding requires a counter block, like any other", func(f *builder.Fill) { new(builder.Binding[oneRun]).Fill(f, new(oneRun)) }, builder.ErrCount},
		{"a nil binding belongs to no template", func(f *builder.Fill) { f.Object(tmpl); none.Instance(f, "x", new(oneRun)) }, builder.ErrForeign},
		{"a child requires the title index of its parent's object", func(f *builder.Fill) { f.Object(tmpl); b.Child(f, 0, 0, "x", new(oneRun)) }, builder.ErrParent},
		{"the pointer to the struct must not be nil", func(f *builder.Fill) { f.Object(tmpl); b.Instance(f, "x", nil) }, builder.ErrCount},
		{"a full buffer is an error", func(f *builder.Fill) { *f = builder.NewFixedFill(nil); f.Object(tmpl); b.Instance(f, "x", new(oneRun)) }, builder.ErrMoreData},
	} {
		f := builder.NewFill(nil)
		tt.use(&f)
		if _, err := f.Done(); !errors.Is(err, tt.kind) {
			t.Errorf("%s: the error is %v, must wrap %v", tt.reason, err, tt.kind)
		}
	}
	var rows layout.Rows
	if err := b.Read(&rows, new(oneRun)); !errors.Is(err, builder.ErrForeign) {
		t.Errorf("Read of zero rows: %v", err)
	}
	if err := none.Read(&rows, new(oneRun)); !errors.Is(err, builder.ErrForeign) {
		t.Errorf("Read of a nil Binding: %v", err)
	}
	if err := b.Read(&rows, nil); !errors.Is(err, builder.ErrCount) {
		t.Errorf("Read into nil: %v", err)
	}
	single := *o
	broken, err := single.Single(1, 2, 3, 4).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	clear(broken[layout.SizeofObjectType+layout.PERF_COUNTER_DEFINITION.Field("CounterOffset").At:][:4])
	for object := range layout.ReadObjects(broken) {
		if err := b.Open(&rows, object); err == nil || rows.Next() || !errors.Is(rows.Err(), err) {
			t.Errorf("a value that overlaps ByteLength: Open returns %v, and Err %v", err, rows.Err())
		}
	}
	moved := *o
	moved.Counters = slices.Clone(o.Counters)
	moved.Counters[3].CounterOffset += 8
	retyped := *o
	retyped.Counters = slices.Clone(o.Counters)
	retyped.Counters[1].CounterType = layout.PERF_COUNTER_BULK_COUNT
	resized := *o
	resized.Counters = slices.Clone(o.Counters)
	resized.Counters[3].CounterSize = 8
	for reason, object := range map[string]*builder.Object{
		"a counter has a different size in the template":   resized.Single(1, 2, 3, 4),
		"the object has fewer counters than the template":  builder.NewObject(40).Counter(42, layout.PERF_COUNTER_RAWCOUNT).Single(1),
		"a counter has a different offset in the template": moved.Single(1, 2, 3, 4),
		"a counter has a different type in the template":   retyped.Single(1, 2, 3, 4),
	} {
		foreign, err := object.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		for object := range layout.ReadObjects(foreign) {
			if err := b.Open(&rows, object); !errors.Is(err, builder.ErrForeign) || rows.Next() {
				t.Errorf("%s: Open returns %v, or leaves the rows open", reason, err)
			}
			for _, unbound := range []*builder.Binding[oneRun]{nil, new(builder.Binding[oneRun])} {
				if err := rows.Open(object); err != nil {
					t.Fatal(err)
				}
				if err := unbound.Open(&rows, object); !errors.Is(err, builder.ErrForeign) || rows.Next() {
					t.Errorf("Open of a nil or zero Binding returns %v, or leaves the rows open", err)
				}
			}
		}
	}
}

func TestBindingDoesNotAllocate(t *testing.T) {
	o, err := builder.Define[withAtomics](40)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := compiled(t, o)
	b, err := builder.Bind[withAtomics](tmpl)
	if err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 0, 4096)
	var v, read withAtomics
	v.B.Store(7)
	var rows layout.Rows
	if n := testing.AllocsPerRun(10, func() {
		f := builder.NewFixedFill(buffer)
		f.Object(tmpl)
		b.Instance(&f, "one", &v)
		block, err := f.Done()
		if err != nil {
			t.Fatal(err)
		}
		r := tmpl.Refresh(block)
		for r.Next() {
			b.Refresh(&r, &v)
		}
		for object := range layout.ReadObjects(block) {
			if err := b.Open(&rows, object); err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
				if err := b.Read(&rows, &read); err != nil {
					t.Fatal(err)
				}
			}
		}
	}); n != 0 || read.B.Load() != 7 {
		t.Errorf("%v allocations, and field B is %d, must be none and 7", n, read.B.Load())
	}
}

// ExampleBind defines an object with a struct. It writes an instance and reads it.
func ExampleBind() {
	type site struct {
		Requests uint64 `perf:"type=PERF_COUNTER_BULK_COUNT"`
		Queue    uint32
	}
	object, err := builder.Define[site](4002)
	if err != nil {
		log.Fatal(err)
	}
	template, err := object.Compile()
	if err != nil {
		log.Fatal(err)
	}
	sites, err := builder.Bind[site](template)
	if err != nil {
		log.Fatal(err)
	}

	f := builder.NewFill(nil) // in Collect
	f.Object(template)
	sites.Instance(&f, "one", &site{Requests: 7, Queue: 2})
	block, err := f.Done()
	if err != nil {
		log.Fatal(err)
	}

	var rows layout.Rows
	for object, err := range layout.ReadObjects(block) {
		if err == nil {
			err = sites.Open(&rows, object)
		}
		if err != nil {
			log.Fatal(err)
		}
		for rows.Next() {
			var s site
			if err := sites.Read(&rows, &s); err != nil {
				log.Fatal(err)
			}
			name, err := rows.Name().Text()
			fmt.Println(name, s, err)
		}
	}
	// Output:
	// one {7 2} <nil>
}
