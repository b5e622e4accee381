package builder_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// site returns an object with a counter of 8 bytes, a counter of 4 bytes, and a fraction with its
// base. Its counter blocks have 4 bytes of padding at the end.
func site() *builder.Object {
	return builder.NewObject(4000).
		Counter(4002, layout.PERF_COUNTER_BULK_COUNT).
		Counter(4004, layout.PERF_COUNTER_COUNTER).
		WithBase(4006, layout.PERF_RAW_FRACTION)
}

func compile(t testing.TB, o *builder.Object) *builder.Template {
	t.Helper()
	template, err := o.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return template
}

// TestTemplateIsACopy checks that changing an object does not change its template.
func TestTemplateIsACopy(t *testing.T) {
	t.Parallel()
	o := site()
	o.DefaultCounter = new(int32(1))
	template := compile(t, o)
	want, err := (&builder.Object{ObjectNameTitleIndex: 4000, DefaultCounter: new(int32(1)), Counters: o.Counters}).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	*o.DefaultCounter = 0
	o.Counters[0] = builder.Counter{CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 8}
	o.Define(builder.Counter{CounterType: layout.PERF_COUNTER_RAWCOUNT})
	f := builder.NewFill(nil)
	f.Object(template)
	got, err := f.Done()
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
	rebased, err := template.Rebase(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	was := site()
	was.DefaultCounter = new(int32(1))
	sameObject(t, rebased, *was)
}

// TestCompileRefuses checks that Compile and encoding return the same error.
func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		o      builder.Object
		want   error
	}{
		{"a header field", builder.Object{DetailLevel: 7}, layout.ErrRange},
		{"a NumInstances above 0", builder.Object{NumInstances: 3}, layout.ErrRange},
		{"a counter without its base", *builder.NewObject(2).Counter(4, layout.PERF_RAW_FRACTION), builder.ErrBase},
		{"a CounterOffset inside ByteLength", *builder.NewObject(2).Define(builder.Counter{CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterOffset: 2}), layout.ErrRange},
		{"blocks that are too short", builder.Object{BlockLength: 8, Counters: []builder.Counter{{CounterType: layout.PERF_COUNTER_BULK_COUNT}}}, layout.ErrRange},
		{"a text longer than its size", builder.Object{
			NumInstances: layout.PERF_NO_INSTANCES, Values: []uint64{0}, Texts: []string{"long"},
			Counters: []builder.Counter{{CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 8}},
		}, layout.ErrRange},
	} {
		template, err := c.o.Compile()
		_, encoding := c.o.MarshalBinary()
		if template != nil || !errors.Is(err, c.want) || encoding == nil || err.Error() != encoding.Error() {
			t.Errorf("%s: compiling gives %v, encoding %v", c.reason, err, encoding)
		}
	}
}

// TestCompileRefusesTextWithoutSize checks a text counter without a CounterSize. Compile must require a text that is
// not empty. Encoding must not require a text.
func TestCompileRefusesTextWithoutSize(t *testing.T) {
	t.Parallel()
	text := builder.Counter{CounterType: layout.PERF_COUNTER_TEXT}
	o := site().Define(text)
	want := "object[0].counter[4].CounterSize: is 0, and no instance has a text that gives the size: set CounterSize to 4 plus the bytes of the longest text"
	if template, err := o.Compile(); template != nil || !errors.Is(err, layout.ErrRange) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for _, text := range []string{"", "x"} {
		o.Instances = []builder.Instance{{Values: make([]uint64, 5), Texts: []string{text}}}
		if _, err := o.MarshalBinary(); err != nil {
			t.Errorf("encoding %q: %v", text, err)
		}
		if _, err := o.Compile(); (err == nil) != (text != "") {
			t.Errorf("compiling %q: %v", text, err)
		}
	}
	text.CounterSize = 4 // has room for empty texts only
	compile(t, site().Define(text))
}

// TestRebase checks the title indexes after one Rebase, and after two.
func TestRebase(t *testing.T) {
	t.Parallel()
	o := &builder.Object{DefaultCounter: new(int32(2))}
	o.Define(
		builder.Counter{CounterNameTitleIndex: 2, CounterType: layout.PERF_COUNTER_RAWCOUNT},
		builder.Counter{CounterNameTitleIndex: 4, CounterHelpTitleIndex: 6, CounterType: layout.PERF_COUNTER_RAWCOUNT},
		builder.Counter{CounterNameTitleIndex: 8, NoHelp: true, CounterType: layout.PERF_RAW_FRACTION},
		builder.Counter{CounterType: layout.PERF_RAW_BASE},
		builder.Counter{CounterHelpTitleIndex: 12, CounterType: layout.PERF_COUNTER_RAWCOUNT},
	)
	template := compile(t, o)
	for range 2 { // the second Rebase also adds to the compiled title indexes
		rebased, err := template.Rebase(1000, 2001)
		if err != nil {
			t.Fatal(err)
		}
		if got := rebased.ObjectNameTitleIndex(); got != 1000 {
			t.Errorf("the object has title %d", got)
		}
		template = rebased
	}
	want := builder.Object{ObjectNameTitleIndex: 1000, ObjectHelpTitleIndex: 2001, DefaultCounter: new(int32(2))}
	want.Define(
		builder.Counter{CounterNameTitleIndex: 1002, CounterHelpTitleIndex: 2003, CounterType: layout.PERF_COUNTER_RAWCOUNT},
		builder.Counter{CounterNameTitleIndex: 1004, CounterHelpTitleIndex: 2007, CounterType: layout.PERF_COUNTER_RAWCOUNT},
		builder.Counter{CounterNameTitleIndex: 1008, NoHelp: true, CounterType: layout.PERF_RAW_FRACTION},
		builder.Counter{CounterType: layout.PERF_RAW_BASE},
		builder.Counter{CounterNameTitleIndex: 1000, CounterHelpTitleIndex: 2013, CounterType: layout.PERF_COUNTER_RAWCOUNT},
	)
	sameObject(t, template, want)
}

// TestRebaseToNoHelp checks that an object has no help text if its help index is 0 after Rebase. The encoded help index
// must be 0. It must not be the default, the name index plus 1.
func TestRebaseToNoHelp(t *testing.T) {
	t.Parallel()
	rebased, err := compile(t, &builder.Object{}).Rebase(10, 0)
	if err != nil {
		t.Fatal(err)
	}
	sameObject(t, rebased, builder.Object{ObjectNameTitleIndex: 10, NoHelp: true})
}

// TestRebaseDefaultCounter checks that a DefaultCounter is rebased if it is a title index, and
// kept if it is a position or -1.
func TestRebaseDefaultCounter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason    string
		was, want int32
	}{
		{"a position does not change", 1, 1},
		{"a title index is rebased", 40, 1040},
		{"-1 does not change", -1, -1},
	} {
		o := builder.NewObject(2).Counter(38, layout.PERF_COUNTER_RAWCOUNT).Counter(40, layout.PERF_COUNTER_RAWCOUNT)
		o.DefaultCounter = &c.was
		template := compile(t, o)
		if _, err := template.Rebase(1, 1); err != nil { // must not change template
			t.Fatal(err)
		}
		rebased, err := template.Rebase(1000, 1001)
		if err != nil {
			t.Fatal(err)
		}
		want := builder.NewObject(1002).Counter(1038, layout.PERF_COUNTER_RAWCOUNT).Counter(1040, layout.PERF_COUNTER_RAWCOUNT)
		want.DefaultCounter = &c.want
		t.Log(c.reason)
		sameObject(t, rebased, *want)
	}
}

// TestMetadata checks that a metadata object has the definitions and no instances.
func TestMetadata(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason    string
		was, want int32
	}{
		{"an object with instances", 0, layout.PERF_METADATA_MULTIPLE_INSTANCES},
		{"an object without instances", layout.PERF_NO_INSTANCES, layout.PERF_METADATA_NO_INSTANCES},
		{"an object that is metadata already", layout.PERF_METADATA_NO_INSTANCES, layout.PERF_METADATA_NO_INSTANCES},
	} {
		t.Log(c.reason)
		o := site()
		o.NumInstances = c.was
		metadata := compile(t, o).Metadata()
		o.NumInstances = c.want
		sameObject(t, metadata, *o)
		rebased, err := metadata.Rebase(0, 1)
		if err != nil {
			t.Fatal(err)
		}
		sameObject(t, rebased, *o)
	}
}

// TestMetadataHasNoValues checks the error for setting a value in a metadata object, which cannot have instances.
func TestMetadataHasNoValues(t *testing.T) {
	t.Parallel()
	for _, o := range []*builder.Object{site(), site().Single()} {
		f := builder.NewFill(nil)
		f.Object(compile(t, o).Metadata())
		f.Values(1)
		if _, err := f.Done(); !errors.Is(err, builder.ErrCount) || !strings.Contains(err.Error(), "call Fill.Object with the original template") {
			t.Errorf("NumInstances %d: %v", o.NumInstances, err)
		}
	}
}

// TestMetadataOfAClock checks that a Fill does not require PerfTime for a metadata object.
func TestMetadataOfAClock(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).WithBase(4, layout.PERF_PRECISION_OBJECT_TIMER)
	metadata := compile(t, o).Metadata()
	o.NumInstances = layout.PERF_METADATA_MULTIPLE_INSTANCES
	sameObject(t, metadata, *o)
	rebased, err := metadata.Rebase(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	sameObject(t, rebased, *o)
	f := builder.NewFill(nil)
	f.DataBlock(&builder.DataBlock{PerfTime100nSec: 9})
	f.Object(metadata)
	want, err := builder.DataBlock{PerfTime100nSec: 9, Objects: []builder.Object{*o}}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Done(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("in a data block: %v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
}

// TestZeroTemplate checks that using a zero Template is an error.
func TestZeroTemplate(t *testing.T) {
	t.Parallel()
	var zero builder.Template
	if _, err := zero.Rebase(1, 2); !errors.Is(err, builder.ErrCount) {
		t.Errorf("rebased: %v", err)
	}
	for _, err := range []error{zero.Handle32(0).Err(), zero.Handle64(0).Err(), zero.HandleText(0).Err()} {
		if !errors.Is(err, builder.ErrForeign) {
			t.Errorf("a handle: %v", err)
		}
	}
	b := zero.CounterBlock()
	if b.Add64(zero.Handle64(0), 1); b.Err() == nil {
		t.Error("a counter block takes a value")
	}
	if b.Clear(); b.Err() != nil {
		t.Errorf("cleared: %v", b.Err())
	}
	r := zero.Metadata().Refresh(nil)
	if _, err := r.Done(); !errors.Is(err, builder.ErrForeign) {
		t.Errorf("refreshed: %v", err)
	}
}

// TestRebaseRefuses checks the error for a title index that exceeds 32 bits.
func TestRebaseRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, help uint32
		want       string
	}{
		{1<<32 - 1, 0, "object[0].ObjectNameTitleIndex: is 4294967295 plus the offset 4000, must be at most 4294967295"},
		{1<<32 - 4003, 0, "object[0].counter[1].CounterNameTitleIndex: is 4294963293 plus the offset 4004, must be at most 4294967295"},
		{0, 1<<32 - 4000, "object[0].ObjectHelpTitleIndex: is 4294963296 plus the offset 4000, must be at most 4294967295"},
	} {
		rebased, err := compile(t, site()).Rebase(c.name, c.help)
		if rebased != nil || !errors.Is(err, builder.ErrTooLarge) || err.Error() != c.want {
			t.Errorf("from %d and %d: %v, want %s", c.name, c.help, err, c.want)
		}
	}
}

// TestRebaseRefusesDefaultCounter checks the error for a DefaultCounter that exceeds 2^31 - 1 after Rebase.
func TestRebaseRefusesDefaultCounter(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Counter(40, layout.PERF_COUNTER_RAWCOUNT)
	o.DefaultCounter = new(int32(40))
	_, err := compile(t, o).Rebase(math.MaxInt32-39, 0)
	if want := "object[0].DefaultCounter: is 2147483608 plus the offset 40, must be at most 2147483647"; !errors.Is(err, builder.ErrTooLarge) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// sameObject checks that a Fill with the template writes the encoded bytes of the object `want`, which has no
// instances.
func sameObject(t *testing.T, template *builder.Template, want builder.Object) {
	t.Helper()
	f := builder.NewFill(nil)
	f.Object(template)
	b, err := f.Done()
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := want.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, wanted) {
		var got builder.Objects
		if err := got.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		t.Errorf("(-want +got):\n%s", cmp.Diff(builder.Objects{want}, got))
	}
}

// TestTemplateIsShared uses one template in several goroutines, so that the race detector can find
// a data race.
func TestTemplateIsShared(t *testing.T) {
	t.Parallel()
	template := compile(t, site())
	handle := template.Handle64(0)
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			for n := range 100 {
				f := builder.NewFill(nil)
				f.Object(template)
				f.Instance(strings.Repeat("x", n))
				f.Set64(handle, uint64(n))
				b, err := f.Done()
				if err != nil {
					t.Fatal(err)
				}
				r := template.Refresh(b)
				for r.Next() {
					r.Values(1, 2, 3, 4)
				}
				if _, err := r.Done(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestHandleErr checks that Err reports why a handle is not valid.
func TestHandleErr(t *testing.T) {
	t.Parallel()
	template := compile(t, site())
	if err := errors.Join(template.Handle64(0).Err(), template.Handle32(3).Err()); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{template.Handle32(0).Err(), "value[0]: PERF_COUNTER_BULK_COUNT has a value of 8 bytes, use Template.Handle64"},
		{template.Handle64(4).Err(), "value[4]: the position of the counter is 4, must be 0 to 3: the template has 4 counters"},
		{template.Handle64(math.MaxInt).Err(), fmt.Sprintf("value[%d]: the position of the counter is %[1]d, must be 0 to 3: the template has 4 counters", math.MaxInt)},
		{template.Handle64(1).Err(), "value[1]: PERF_COUNTER_COUNTER has a value of 4 bytes, use Template.Handle32"},
		{template.HandleText(1).Err(), "value[1]: PERF_COUNTER_COUNTER has a value of 4 bytes, use Template.Handle32"},
		{compile(t, builder.NewObject(2).Counter(4, layout.PERF_COUNTER_NODATA)).Handle32(0).Err(), "value[0]: PERF_COUNTER_NODATA has no value, so it has no valid handles"},
		{compile(t, builder.NewObject(2)).Handle32(0).Err(), "value[0]: the template has no counters, so it has no valid handles"},
		{compile(t, builder.NewObject(2).Counter(4, layout.PERF_COUNTER_RAWCOUNT)).Handle32(1).Err(), "value[1]: the position of the counter is 1, must be 0: the template has 1 counter"},
		{new(builder.Template).Handle32(0).Err(), "the handle or its Template is zero: create the Template with Object.Compile, and the handle with Template.Handle32, Handle64 or HandleText"},
		{builder.Handle64{}.Err(), "the handle or its Template is zero: create the Template with Object.Compile, and the handle with Template.Handle32, Handle64 or HandleText"},
	} {
		if !errors.Is(c.err, builder.ErrForeign) || c.err.Error() != c.want {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
}
