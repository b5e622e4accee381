package builder_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// The structs differ in what a binding must do to copy them.
type (
	oneRun struct { // all fields are next to each other in the struct and in the block
		A uint64 `perf:"type=PERF_COUNTER_BULK_COUNT,scale=-1,default"`
		B int64
		C uint32
		D int32 `perf:"level=PERF_DETAIL_EXPERT"`
	}
	withGaps struct { // bytes without meaning are between the fields and after them
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
	withNarrow struct { // a field of 8 bytes whose counter has 4
		_ uint32 // not exported and without a tag: no counter
		A uint32 `perf:"type=PERF_SAMPLE_FRACTION"`
		B uint32 `perf:"type=PERF_SAMPLE_BASE"`
		C uint64 `perf:"type=PERF_AVERAGE_TIMER,title=70"`
		D uint32 `perf:"type=PERF_AVERAGE_BASE"`
		N string `perf:"-"`
		E uint64
	}
)

// TestDefine checks the counters that Define makes of a struct.
func TestDefine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		define func(uint32) (*builder.Object, error)
		want   *builder.Object
	}{
		{builder.Define[oneRun], builder.NewObject(40).Define(
			builder.Counter{CounterNameTitleIndex: 42, CounterType: layout.PERF_COUNTER_BULK_COUNT, DefaultScale: -1, CounterSize: 8, CounterOffset: 8},
			builder.Counter{CounterNameTitleIndex: 44, CounterType: layout.PERF_COUNTER_LARGE_RAWCOUNT, CounterSize: 8, CounterOffset: 16},
			builder.Counter{CounterNameTitleIndex: 46, CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterSize: 4, CounterOffset: 24},
			builder.Counter{CounterNameTitleIndex: 48, CounterType: layout.PERF_COUNTER_RAWCOUNT, DetailLevel: layout.PERF_DETAIL_EXPERT, CounterSize: 4, CounterOffset: 28},
		)},
		{builder.Define[withNarrow], builder.NewObject(40).Define(
			builder.Counter{CounterNameTitleIndex: 42, CounterType: layout.PERF_SAMPLE_FRACTION, CounterSize: 4, CounterOffset: 8},
			builder.Counter{CounterType: layout.PERF_SAMPLE_BASE, CounterSize: 4, CounterOffset: 12},
			builder.Counter{CounterNameTitleIndex: 70, CounterType: layout.PERF_AVERAGE_TIMER, CounterSize: 4, CounterOffset: 16},
			builder.Counter{CounterType: layout.PERF_AVERAGE_BASE, CounterSize: 4, CounterOffset: 24},
			builder.Counter{CounterNameTitleIndex: 50, CounterType: layout.PERF_COUNTER_LARGE_RAWCOUNT, CounterSize: 8, CounterOffset: 32},
		)},
	} {
		got, err := tt.define(40)
		if err != nil {
			t.Fatal(err)
		}
		if tt.want.Counters[0].CounterType == layout.PERF_COUNTER_BULK_COUNT {
			tt.want.DefaultCounter = new(int32(0))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestDefineNames checks the names that Define takes from tags.
func TestDefineNames(t *testing.T) {
	t.Parallel()
	type named struct {
		A uint32 `perf:"name=Depth"`
		B uint32 `perf:"scale=1, name=Messages/sec ,type=PERF_COUNTER_COUNTER"`
		C uint32 `perf:" name='Bytes in, ''total''' , scale=-1"`
		D uint32 `perf:"name=It's %"`
		E uint32
	}
	o, err := builder.Define[named](40)
	if err != nil {
		t.Fatal(err)
	}
	o.Name = "Shop"
	var got []string
	for _, c := range o.Counters {
		got = append(got, c.Name)
	}
	if diff := cmp.Diff([]string{"Depth", "Messages/sec", "Bytes in, 'total'", "It's %", ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c := o.Counters[2]; c.DefaultScale != -1 {
		t.Errorf("the item after a name in quotes is lost: %+v", c)
	}
	o.Instances = []builder.Instance{{Name: "a", Values: []uint64{1, 2, 3, 4, 5}}}
	want := map[uint32]string{40: "Shop", 42: "Depth", 44: "Messages/sec", 46: "Bytes in, 'total'", 48: "It's %"}
	if diff := cmp.Diff(want, builder.Names(&builder.Objects{*o})); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	base := builder.Objects{{Counters: []builder.Counter{{Name: "a base", CounterType: layout.PERF_RAW_BASE}}}}
	if names := builder.Names(&base); len(names) > 0 {
		t.Errorf("index 0 has a name: %v", names)
	}
	b, err := builder.Objects{*o}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	o.Name = ""
	for i := range o.Counters {
		o.Counters[i].Name = ""
	}
	if without, err := (builder.Objects{*o}).MarshalBinary(); err != nil || !bytes.Equal(b, without) {
		t.Errorf("a block without names has other bytes, error %v", err)
	}
}

// TestFieldErrors checks that Define and Bind name the field that cannot be a counter.
func TestFieldErrors(t *testing.T) {
	t.Parallel()
	numbers := compiled(t, builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT).Counter(6, layout.PERF_COUNTER_LARGE_RAWCOUNT))
	shared := compiled(t, builder.NewObject(2).Define(
		builder.Counter{CounterNameTitleIndex: 4, CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterOffset: 8},
		builder.Counter{CounterNameTitleIndex: 6, CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterOffset: 8}))
	text := compiled(t, builder.NewObject(2).Define(builder.Counter{CounterNameTitleIndex: 4, CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 16}))
	for _, tt := range []struct {
		reason string
		err    error
		want   string
	}{
		{"not a struct", define[int](), "int is no struct"},
		{"no counter", define[struct {
			A int `perf:"-"`
		}](), "has no field that is a counter"},
		{"only a field that is not exported", define[struct{ a uint32 }](), "has no field that is a counter"},
		{"a tag of a field that is not exported", define[struct {
			a uint32 `perf:"type=PERF_COUNTER_RAWCOUNT"`
		}](), `field a of struct { a uint32 "perf:\"type=PERF_COUNTER_RAWCOUNT\"" }: it has a tag and is not exported`},
		{"an empty tag of a field that is not exported", define[struct {
			a uint32 `perf:""`
		}](), "it has a tag and is not exported"},
		{"an embedded struct, whose fields are not counters", define[struct {
			oneRun
			A uint32
		}](), "field oneRun of"},
		{"a size that depends on the machine", define[struct{ A int }](), "its type is int, must be uint32"},
		{"a nested struct", define[struct{ A oneRun }](), "field A of"},
		{"an unknown item", define[struct {
			A uint32 `perf:"scal=1"`
		}](), `the item "scal=1", must have name=`},
		{"an unknown type", define[struct {
			A uint32 `perf:"type=PERF_COUNTER_RAWCONT"`
		}](), "is not a counter type"},
		{"a scale that is no number", define[struct {
			A uint32 `perf:"scale=x"`
		}](), `the item "scale=x"`},
		{"a scale that no counter can have", define[struct {
			A uint32 `perf:"scale=8"`
		}](), `the item "scale=8": must be a whole number from -7 to 7`},
		{"a title with a sign", define[struct {
			A uint32 `perf:"title=-4"`
		}](), `the item "title=-4": must be a whole number from 0 to 4294967295`},
		{"an item twice, where the last would win", define[struct {
			A uint32 `perf:"scale=1,scale=2"`
		}](), "the tag perf has two items scale"},
		{"a name without its second quote", define[struct {
			A uint32 `perf:"name='a,scale=1"`
		}](), `the item "name='a,scale=1": the name has no closing quote`},
		{"text after a name in quotes", define[struct {
			A uint32 `perf:"name='a'b,scale=1"`
		}](), `a comma must follow the closing quote of the name`},
		{"a name with a comma and without quotes", define[struct {
			A uint32 `perf:"name=Bytes in, total"`
		}](), `the item " total", must have name=`},
		{"an empty name", define[struct {
			A uint32 `perf:"name=''"`
		}](), `the name is empty`},
		{"a comma at the end", define[struct {
			A uint32 `perf:"scale=1,"`
		}](), `the item ""`},
		{"an excluded field with other items", define[struct {
			A uint32 `perf:"-,scale=1"`
		}](), `the item "-"`},
		{"a default title that a tag repeats", define[struct {
			A uint32 `perf:"title=6"`
			B uint32
		}](), "its title index is 6, the same as that of field A of"},
		{"a text", define[struct {
			A uint32 `perf:"type=PERF_COUNTER_TEXT"`
		}](), "is a text, which a field cannot hold"},
		{"a counter without a value", define[struct {
			A uint32 `perf:"type=PERF_COUNTER_NODATA"`
		}](), "has no number"},
		{"a missing base at the end", define[struct {
			A uint32 `perf:"type=PERF_RAW_FRACTION"`
		}](), "requires a base: add a field with type=PERF_RAW_BASE after it"},
		{"a field that is not the base", define[struct {
			A uint32 `perf:"type=PERF_RAW_FRACTION"`
			B uint32
		}](), "requires a base"},
		{"readers read 8 bytes for the timer", define[struct {
			A uint32 `perf:"type=PERF_AVERAGE_TIMER"`
			B uint32 `perf:"type=PERF_AVERAGE_BASE"`
		}](), "field A of struct"},
		{"a field narrower than its type", define[struct {
			A uint32 `perf:"type=PERF_COUNTER_BULK_COUNT"`
		}](), "it has 4 bytes, must have 8, the width of a PERF_COUNTER_BULK_COUNT"},
		{"a field wider than its type", define[struct {
			A uint64 `perf:"type=PERF_COUNTER_COUNTER"`
		}](), "it has 8 bytes, must have 4, the width of a PERF_COUNTER_COUNTER"},
		{"two default counters", define[struct {
			A uint32 `perf:"default"`
			B uint32 `perf:"default"`
		}](), "which only one field can have"},
		{"a default with a value", define[struct {
			A uint32 `perf:"default=false"`
		}](), "default has no value"},
		{"shared bytes", bound[struct{ A, B uint32 }](shared), "counter[1] shares bytes with counter[0]"},
		{"too many fields", bound[withGaps](numbers), "field C of builder_test.withGaps: the template has only 2 counters"},
		{"too few fields", bound[struct{ A uint32 }](numbers), "has 1 field, and the template has 2: counter[1], a PERF_COUNTER_LARGE_RAWCOUNT, has no field"},
		{"a field that is too wide", bound[struct{ A, B uint64 }](numbers), "field A of struct { A uint64; B uint64 }: it has 8 bytes, and counter[0], a PERF_COUNTER_RAWCOUNT, has 4"},
		{"a text in the template", bound[struct{ A uint64 }](text), "counter[0] is a PERF_COUNTER_TEXT, which has no number"},
	} {
		if !errors.Is(tt.err, builder.ErrField) || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, must contain %q", tt.reason, tt.err, tt.want)
		}
	}
	if _, err := builder.Define[oneRun](math.MaxUint32 - 1); !errors.Is(err, builder.ErrField) || !strings.Contains(err.Error(), "field A of builder_test.oneRun: its title index is 4294967296") {
		t.Errorf("title indexes of more than 32 bits: %v", err)
	}
	if err := bound[oneRun](new(builder.Template)); !errors.Is(err, builder.ErrForeign) {
		t.Errorf("a zero template: %v", err)
	}
}

func define[T any]() error {
	_, err := builder.Define[T](2)
	return err
}

func bound[T any](t *builder.Template) error {
	_, err := builder.Bind[T](t)
	return err
}

func compiled(t testing.TB, o *builder.Object) *builder.Template {
	t.Helper()
	c, err := o.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// FuzzBinding checks that a binding writes the same bytes as Fill.Values and Refresh.Values, and
// reads the values back, for templates of Define and for the offsets that the builder chooses.
func FuzzBinding(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33})
	f.Add([]byte(strings.Repeat("\xff", 80)))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		testBinding[oneRun](t, data)
		testBinding[withGaps](t, data)
		testBinding[withAtomics](t, data)
		testBinding[withNarrow](t, data)
	})
}

func testBinding[T any](t *testing.T, data []byte) {
	t.Helper()
	defined, err := builder.Define[T](2)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	values := setFields(reflect.ValueOf(&v).Elem(), data)
	packed := *defined
	packed.Counters = append([]builder.Counter(nil), defined.Counters...)
	for i := range packed.Counters {
		packed.Counters[i].CounterOffset = 0 // the builder chooses
	}
	reversed := *defined
	reversed.Counters = append([]builder.Counter(nil), defined.Counters...)
	for i := range reversed.Counters {
		reversed.Counters[i].CounterOffset = uint32(16 * (len(reversed.Counters) - i))
	}
	for _, o := range []*builder.Object{defined, &packed, &reversed} {
		tmpl := compiled(t, o)
		b, err := builder.Bind[T](tmpl)
		if err != nil {
			t.Fatal(err)
		}
		shift := len(data) % 9 // the struct in a block can be at an address that is not aligned
		dirty := bytes.Repeat([]byte{0xAA}, 1024)[shift:]
		f, want := builder.NewFixedFill(dirty[:0]), builder.NewFill(nil)
		f.Object(tmpl)
		want.Object(tmpl)
		b.Instance(&f, "one", &v)
		want.Instance("one")
		want.Values(values...)
		got, gotErr := f.Done()
		wanted, wantErr := want.Done()
		if wantErr != nil {
			if !errors.Is(gotErr, builder.ErrField) {
				t.Fatalf("%T: Values is an error, %v, and the binding returns %v", v, wantErr, gotErr)
			}
			continue
		}
		if gotErr != nil || !bytes.Equal(wanted, got) {
			t.Fatalf("%T: %v (-values +binding):\n%s", v, gotErr, cmp.Diff(wanted, got))
		}
		if read := valuesOf(reflect.ValueOf(readBack(t, b, got)).Elem()); !slices.Equal(values, read) {
			t.Fatalf("%T: (-written +read):\n%s", v, cmp.Diff(values, read))
		}
		zero := new(T)
		for _, p := range []*T{zero, &v} {
			r := tmpl.Refresh(got)
			for r.Next() {
				b.Refresh(&r, p)
			}
			if _, err := r.Done(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(wanted, got) {
			t.Fatalf("%T: after two refreshes (-want +got):\n%s", v, cmp.Diff(wanted, got))
		}
	}
}

// TestBindingPadding checks that padding in a struct is not written to a block. A struct that is read
// from a block can have padding that is not 0.
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
	r := tmpl.Refresh(got)
	r.Next()
	b.Refresh(&r, v)
	if _, err := r.Done(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, readBack(t, b, got)); diff != "" {
		t.Errorf("Refresh writes other values (-want +got):\n%s", diff)
	}
}

func readBack[T any](t *testing.T, b *builder.Binding[T], block []byte) *T {
	t.Helper()
	v := new(T)
	setFields(reflect.ValueOf(v).Elem(), bytes.Repeat([]byte{0xAA}, 64)) // Read must set all bytes of each field
	var rows layout.Rows
	for o, err := range layout.ReadObjects(block) {
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Open(&rows, o); err != nil {
			t.Fatal(err)
		}
		if err := b.Read(&rows, v); !errors.Is(err, builder.ErrForeign) {
			t.Errorf("Read before Next returns %v", err)
		}
		for rows.Next() {
			if err := b.Read(&rows, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	return v
}

// setFields sets the counters of a struct to numbers from data and returns them.
func setFields(v reflect.Value, data []byte) (values []uint64) {
	next := func() uint64 {
		var b [8]byte
		n := copy(b[:], data)
		data = data[n:]
		return binary.LittleEndian.Uint64(b[:])
	}
	for _, f := range counterFields(v) {
		n := next()
		switch p := f.Addr().Interface().(type) {
		case *atomic.Uint32:
			p.Store(uint32(n))
			n = uint64(uint32(n))
		case *atomic.Int32:
			p.Store(int32(n))
			n = uint64(uint32(n))
		case *atomic.Uint64:
			p.Store(n)
		case *atomic.Int64:
			p.Store(int64(n))
		case *uint32:
			*p = uint32(n)
			n = uint64(*p)
		case *int32:
			*p = int32(n)
			n = uint64(uint32(*p))
		case *uint64:
			*p = n
		case *int64:
			*p = int64(n)
		}
		values = append(values, n)
	}
	return values
}

// valuesOf returns the numbers in the counters of a struct.
func valuesOf(v reflect.Value) (values []uint64) {
	for _, f := range counterFields(v) {
		var n uint64
		switch p := f.Addr().Interface().(type) {
		case *atomic.Uint32:
			n = uint64(p.Load())
		case *atomic.Int32:
			n = uint64(uint32(p.Load()))
		case *atomic.Uint64:
			n = p.Load()
		case *atomic.Int64:
			n = uint64(p.Load())
		case *uint32:
			n = uint64(*p)
		case *int32:
			n = uint64(uint32(*p))
		case *uint64:
			n = *p
		case *int64:
			n = uint64(*p)
		}
		values = append(values, n)
	}
	return values
}

func counterFields(v reflect.Value) (fields []reflect.Value) {
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("perf") != "-" {
			fields = append(fields, v.Field(i))
		}
	}
	return fields
}

// TestBindingOfSingle checks the values of an object with PERF_NO_INSTANCES, which are set without
// Instance, and the values of a child.
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
		{"no object", func(f *builder.Fill) { b.Fill(f, new(oneRun)) }, builder.ErrCount},
		{"no instance", func(f *builder.Fill) { f.Object(tmpl); b.Fill(f, new(oneRun)) }, builder.ErrCount},
		{"another template", func(f *builder.Fill) { f.Object(other); b.Instance(f, "x", new(oneRun)) }, builder.ErrForeign},
		{"a zero binding", func(f *builder.Fill) { f.Object(tmpl); new(builder.Binding[oneRun]).Instance(f, "x", new(oneRun)) }, builder.ErrForeign},
		{"a nil binding", func(f *builder.Fill) { f.Object(tmpl); none.Instance(f, "x", new(oneRun)) }, builder.ErrForeign},
		{"a child without a parent", func(f *builder.Fill) { f.Object(tmpl); b.Child(f, 0, 0, "x", new(oneRun)) }, builder.ErrParent},
		{"a nil pointer", func(f *builder.Fill) { f.Object(tmpl); b.Instance(f, "x", nil) }, builder.ErrCount},
		{"a fixed buffer that is full", func(f *builder.Fill) { *f = builder.NewFixedFill(nil); f.Object(tmpl); b.Instance(f, "x", new(oneRun)) }, builder.ErrMoreData},
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
	for reason, object := range map[string]*builder.Object{
		"fewer counters": builder.NewObject(40).Counter(42, layout.PERF_COUNTER_RAWCOUNT).Single(1),
		"another offset": moved.Single(1, 2, 3, 4),
		"another type":   retyped.Single(1, 2, 3, 4),
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
				if err := unbound.Open(&rows, object); !errors.Is(err, builder.ErrForeign) {
					t.Errorf("Open of a nil or zero Binding returns %v", err)
				}
			}
		}
	}
}

// TestNarrowFieldTooLarge checks that a number of more than 4 bytes in a field of 8 is an error, and
// that no part of it is in the refreshed object.
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

// TestBindingDoesNotAllocate checks writing, refreshing and reading.
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

// ExampleBind defines an object by a struct, writes an instance and reads it.
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
