package builder_test

import (
	"bytes"
	"errors"
	"reflect"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestValuesAmongOthers checks that Values writes numbers at any offset and changes no other bytes.
func TestValuesAmongOthers(t *testing.T) {
	t.Parallel()
	const number, wide = layout.PERF_COUNTER_RAWCOUNT, layout.PERF_COUNTER_LARGE_RAWCOUNT
	for _, c := range []struct {
		reason   string
		counters []builder.Counter
		values   []uint64
		text     int // the position of the counter that is a text, -1 if there is none
	}{
		{"a text is between two numbers and has the last definition", []builder.Counter{
			{CounterType: number, CounterOffset: 4}, {CounterType: number, CounterOffset: 20},
			{CounterType: layout.PERF_COUNTER_TEXT, CounterOffset: 8, CounterSize: 12},
		}, []uint64{1, 2, 0}, 2},
		{"a text is between two numbers, and so is its definition", []builder.Counter{
			{CounterType: number}, {CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 12}, {CounterType: number},
		}, []uint64{1, 0, 2}, 1},
		{"a text has the size of a number", []builder.Counter{
			{CounterType: number}, {CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 8},
		}, []uint64{1, 0}, 1},
		{"writing 8 bytes at the number of 4 bytes would overwrite the next number", []builder.Counter{
			{CounterType: number, CounterOffset: 4}, {CounterType: number, CounterOffset: 20}, {CounterType: wide, CounterOffset: 8},
		}, []uint64{1, 2, 1 << 63}, -1},
		{"two numbers have the same offset", []builder.Counter{
			{CounterType: number, CounterOffset: 4}, {CounterType: number, CounterOffset: 4},
		}, []uint64{7, 7}, -1},
		{"a counter between numbers has no value", []builder.Counter{
			{CounterType: number}, {CounterType: layout.PERF_COUNTER_NODATA}, {CounterType: number},
		}, []uint64{1, 0, 2}, -1},
		{"the last number has an odd offset", []builder.Counter{
			{CounterType: number}, {CounterType: number, CounterOffset: 11},
		}, []uint64{1, 2}, -1},
	} {
		texts := []string(nil)
		if c.text >= 0 {
			texts = []string{"ab"}
		}
		o := builder.NewObject(2).Define(c.counters...).Add(builder.Instance{Name: "a", Values: c.values, Texts: texts})
		want, err := o.MarshalBinary()
		if err != nil {
			t.Fatalf("%s: %v", c.reason, err)
		}
		template := compile(t, o)
		f := builder.NewFill(bytes.Repeat([]byte{0xEE}, 1000)[:0])
		f.Object(template)
		f.Instance("a")
		if c.text >= 0 {
			f.SetText(template.HandleText(c.text), "ab")
		}
		f.Values(c.values...)
		got, err := f.Done()
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v (-model +filled):\n%s", c.reason, err, cmp.Diff(want, got))
		}
		r := template.Refresh(got)
		for r.Next() {
			r.Values(c.values...) // must not change the text
		}
		if _, err := r.Done(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v (-model +refreshed):\n%s", c.reason, err, cmp.Diff(want, got))
		}
	}
}

// TestValuesOfAllButTheLast checks that Values returns an error if the value for the last counter is missing.
func TestValuesOfAllButTheLast(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Instance("a", 1, 2, 3)
	for range 3 {
		o.Define(builder.Counter{CounterType: layout.PERF_COUNTER_RAWCOUNT})
	}
	b, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	r := compile(t, o).Refresh(b)
	r.Next()
	r.Values(4, 5)
	if _, err := r.Done(); !errors.Is(err, builder.ErrCount) {
		t.Errorf("2 values for 3 counters: %v", err)
	}
}

// TestValuesThatDoNotFit checks that Values reports a number that is too large for its counter. The number can be
// the first, the last, or between other numbers.
func TestValuesThatDoNotFit(t *testing.T) {
	t.Parallel()
	number := builder.Counter{CounterType: layout.PERF_COUNTER_RAWCOUNT}
	nothing := builder.Counter{CounterType: layout.PERF_COUNTER_NODATA}
	for _, c := range []struct {
		counters []builder.Counter
		values   []uint64
		want     string
	}{
		{[]builder.Counter{number, number, number}, []uint64{1 << 32, 1, 1}, "object[0].instance[0].block.value[0]: is 4294967296, must fit the counter's 4 bytes"},
		{[]builder.Counter{number, number, number}, []uint64{1, 1, 1 << 32}, "object[0].instance[0].block.value[2]: is 4294967296, must fit the counter's 4 bytes"},
		{[]builder.Counter{number, nothing, number}, []uint64{1, 1, 1}, "object[0].instance[0].block.value[1]: is 1, must be 0: PERF_COUNTER_NODATA has no value"},
	} {
		f := builder.NewFill(nil)
		f.Object(compile(t, builder.NewObject(2).Define(c.counters...)))
		f.Instance("a")
		f.Values(c.values...)
		if _, err := f.Done(); !errors.Is(err, layout.ErrRange) || err.Error() != c.want {
			t.Errorf("%d: %v, want %s", c.values, err, c.want)
		}
	}
}

// TestCopiesAreReported checks the first field of Fill, Refresh and CounterBlock. This field must
// have the methods of a lock, so that go vet (copylocks) reports copies.
func TestCopiesAreReported(t *testing.T) {
	t.Parallel()
	for _, typ := range []reflect.Type{reflect.TypeFor[builder.Fill](), reflect.TypeFor[builder.Refresh](), reflect.TypeFor[builder.CounterBlock]()} {
		first := typ.Field(0).Type
		if first.Size() != 0 || first.Implements(reflect.TypeFor[sync.Locker]()) || !reflect.PointerTo(first).Implements(reflect.TypeFor[sync.Locker]()) {
			t.Errorf("go vet does not report a copy of a %v: its first field is a %v", typ, first)
		}
		if _, exported := reflect.PointerTo(typ).MethodByName("Lock"); exported {
			t.Errorf("%v has a method Lock", typ)
		}
	}
}
