package builder_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestFillRefuses checks the first error of a Fill, with its path. Later calls have no effect,
// and Done returns the buffer with its old length.
func TestFillRefuses(t *testing.T) {
	t.Parallel()
	template := compile(t, site())
	duplicate := compile(t, site())
	single := compile(t, site().Single())
	eight := compile(t, builder.NewObject(2).Define(builder.Counter{CounterType: 0x300, CounterSize: 8}))
	texts := compile(t, builder.NewObject(2).Define(
		builder.Counter{CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 12},
		builder.Counter{CounterType: layout.PERF_COUNTER_NODATA},
	))
	ansi := compile(t, &builder.Object{CodePage: 1252})
	timed := compile(t, builder.NewObject(2).WithBase(4, layout.PERF_PRECISION_OBJECT_TIMER))
	huge := compile(t, &builder.Object{BlockLength: 1 << 31})
	for _, c := range []struct {
		reason string
		fill   func(f *builder.Fill)
		kind   error
		want   string
	}{
		{"a value of 4 bytes for a counter of 8", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Instance("b")
			f.Set32(template.Handle32(0), 1)
		}, builder.ErrForeign, "object[0].instance[1].block.value[0]: PERF_COUNTER_BULK_COUNT has a value of 8 bytes, use Template.Handle64"},
		{"a value of 8 bytes for a counter of 4", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Set64(template.Handle64(1), 1)
		}, builder.ErrForeign, "object[0].instance[0].block.value[1]: PERF_COUNTER_COUNTER has a value of 4 bytes, use Template.Handle32"},
		{"a number for a text counter", func(f *builder.Fill) {
			f.Object(texts)
			f.Instance("a")
			f.Set32(texts.Handle32(0), 1)
		}, builder.ErrForeign, "object[0].instance[0].block.value[0]: PERF_COUNTER_TEXT has a value of variable length, use Template.HandleText"},
		{"a text for a number counter", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.SetText(template.HandleText(1), "x")
		}, builder.ErrForeign, "object[0].instance[0].block.value[1]: PERF_COUNTER_COUNTER has a value of 4 bytes, use Template.Handle32"},
		{"a position after the last counter", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Set32(template.Handle32(4), 1)
		}, builder.ErrForeign, "object[0].instance[0].block.value[4]: the position of the counter is 4, must be 0 to 3: the template has 4 counters"},
		{"a position before the first counter", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Set32(template.Handle32(-1), 1)
		}, builder.ErrForeign, "object[0].instance[0].block.value: the position of the counter is -1, must be 0 to 3: the template has 4 counters"},
		{"a zero handle", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Set64(builder.Handle64{}, 1)
		}, builder.ErrForeign, "object[0].instance[0].block: the handle or its Template is zero: create the Template with Object.Compile, and the handle with Template.Handle32, Handle64 or HandleText"},
		{"a zero handle, and no instance", func(f *builder.Fill) {
			*f = builder.Fill{}
			f.Set32(builder.Handle32{}, 1)
		}, builder.ErrCount, "a value is set without a counter block: call Fill.Object and then Fill.Instance first; a CounterBlock must be from Template.CounterBlock, and a Refresh must be from Template.Refresh"},
		{"a handle of another template with the same definitions", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Set64(duplicate.Handle64(0), 1)
		}, builder.ErrForeign, "object[0].instance[0].block.value[0]: the handle belongs to another template, must be from the current object's template"},
		{"a counter block of another template", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Block(duplicate.CounterBlock())
		}, builder.ErrForeign, "object[0].instance[0].block: the CounterBlock belongs to another template, must be from Template.CounterBlock of the current object's template"},
		{"a nil counter block", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Block(nil)
		}, builder.ErrForeign, "object[0].instance[0].block: the CounterBlock is nil, must be from Template.CounterBlock"},
		{"a counter block with an error", func(f *builder.Fill) {
			b := template.CounterBlock()
			b.Values(1)
			f.Object(template)
			f.Instance("a")
			f.Block(b)
		}, builder.ErrCount, "object[0].instance[0].block: has 1 value for 4 counters, must have one for each counter, bases included"},
		{"too few values", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Values(1, 2, 3)
		}, builder.ErrCount, "object[0].instance[0].block: has 3 values for 4 counters, must have one for each counter, bases included"},
		{"no values", func(f *builder.Fill) {
			f.Object(single)
			f.Values()
		}, builder.ErrCount, "object[0].block: has 0 values for 4 counters, must have one for each counter, bases included"},
		{"a value that does not fit", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Values(1, 1<<32, 3, 4)
		}, layout.ErrRange, "object[0].instance[0].block.value[1]: is 4294967296, must fit the counter's 4 bytes"},
		{"a value that does not fit at the end of the block", func(f *builder.Fill) {
			f.Object(single)
			f.Values(1, 2, 3, 1<<32)
		}, layout.ErrRange, "object[0].block.value[3]: is 4294967296, must fit the counter's 4 bytes"},
		{"a number for a counter without a value", func(f *builder.Fill) {
			f.Object(texts)
			f.Instance("a")
			f.Values(0, 7)
		}, layout.ErrRange, "object[0].instance[0].block.value[1]: is 7, must be 0: PERF_COUNTER_NODATA has no value"},
		{"a number for a text", func(f *builder.Fill) {
			f.Object(texts)
			f.Instance("a")
			f.Values(7, 0)
		}, layout.ErrRange, "object[0].instance[0].block.value[0]: is 7, must be 0: the value of a PERF_COUNTER_TEXT is not a number, set it in Texts or with SetText"},
		{"a text too long", func(f *builder.Fill) {
			f.Object(texts)
			f.Instance("a")
			f.SetText(texts.HandleText(0), "12345")
		}, layout.ErrRange, "object[0].instance[0].block.value[0]: takes 14 bytes including its length field, must take at most 12, the CounterSize: shorten the text, or compile the Object with a CounterSize of 14"},
		{"a text that is not UTF-8", func(f *builder.Fill) {
			f.Object(texts)
			f.Instance("a")
			f.SetText(texts.HandleText(0), "a\xff")
		}, layout.ErrText, `object[0].instance[0].block.value[0]: byte 0xff at offset 1 of "a\xff" is not UTF-8`},
		{"a name that is not UTF-8", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("12345678\xff")
		}, layout.ErrText, `object[0].instance[0].Name: byte 0xff at offset 8 of "12345678\xff" is not UTF-8`},
		{"NUL in a name", func(f *builder.Fill) {
			f.Object(template)
			f.Child(1, 2, "a\x00b")
		}, layout.ErrNUL, `object[0].instance[0].Name: NUL at byte 1 of "a\x00b"`},
		{"NUL in a long name", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a name of 8 and more\x00b")
		}, layout.ErrNUL, `object[0].instance[0].Name: NUL at byte 20 of "a name of 8 and more\x00b"`},
		{"NUL in a name of a code page", func(f *builder.Fill) {
			f.Object(ansi)
			f.Instance("\xe4\x00")
		}, layout.ErrNUL, `object[0].instance[0].Name: NUL at byte 1 of "\xe4\x00"`},
		{"the second object", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Object(single)
			f.PerfTime(-1)
		}, layout.ErrRange, "object[1].PerfTime: is -1, must not be negative"},
		{"an instance before any object", func(f *builder.Fill) { f.Instance("a") }, builder.ErrCount, "an instance is added without an object: call Fill.Object first"},
		{"a UniqueID before any instance", func(f *builder.Fill) {
			f.Object(template)
			f.UniqueID(1)
		}, builder.ErrCount, "object[0]: Fill.UniqueID is called without an instance: call Fill.Instance first"},
		{"a UniqueID before the first instance of the second object", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Object(template)
			f.UniqueID(1)
		}, builder.ErrCount, "object[1]: Fill.UniqueID is called without an instance: call Fill.Instance first"},
		{"a clock before any object", func(f *builder.Fill) { f.PerfTime(1) }, builder.ErrCount, "Fill.PerfTime is called without an object: call Fill.Object first"},
		{"a value before any instance", func(f *builder.Fill) {
			f.Object(template)
			f.Set64(template.Handle64(0), 1)
		}, builder.ErrCount, "object[0]: a value is set without an instance: call Fill.Instance or Fill.Child first"},
		{"values before the first instance of the second object", func(f *builder.Fill) {
			f.Object(template)
			f.Instance("a")
			f.Object(template)
			f.Values(1, 2, 3, 4)
		}, builder.ErrCount, "object[1]: a value is set without an instance: call Fill.Instance or Fill.Child first"},
		{"a block before any instance", func(f *builder.Fill) {
			f.Object(template)
			f.Block(template.CounterBlock())
		}, builder.ErrCount, "object[0]: a value is set without an instance: call Fill.Instance or Fill.Child first"},
		{"an instance for an object without instances", func(f *builder.Fill) {
			f.Object(single)
			f.Instance("a")
		}, builder.ErrCount, "object[0].NumInstances: is PERF_NO_INSTANCES in the Template, must be 0 for an object with instances"},
		{"an instance for a second object without instances", func(f *builder.Fill) {
			f.Object(template)
			f.Object(single)
			f.Instance("a")
		}, builder.ErrCount, "object[1].NumInstances: is PERF_NO_INSTANCES in the Template, must be 0 for an object with instances"},
		{"no values for an object with a text", func(f *builder.Fill) {
			f.Object(texts)
			f.Instance("a")
			f.Values()
		}, builder.ErrCount, "object[0].instance[0].block: has 0 values for 2 counters, must have one for each counter, bases included"},
		{"more bytes than the CounterSize", func(f *builder.Fill) {
			f.Object(eight)
			f.Instance("a")
			f.SetText(eight.HandleText(0), "9 letters")
		}, layout.ErrRange, "object[0].instance[0].block.value[0]: has 9 bytes, must have 8, the CounterSize"},
		{"no template", func(f *builder.Fill) { f.Object(nil) }, builder.ErrCount, "object[0]: the Template is nil or zero, must be from Object.Compile"},
		{"a zero template", func(f *builder.Fill) { f.Object(new(builder.Template)) }, builder.ErrCount, "object[0]: the Template is nil or zero, must be from Object.Compile"},
		{"no parent", func(f *builder.Fill) {
			f.Object(template)
			f.Child(0, 3, "a")
		}, builder.ErrParent, "object[0].instance[0].ParentObjectTitleIndex: is 0, must be the title index of an object: call Template.Rebase on the parent's template; for an instance without a parent, call Fill.Instance"},
		{"the clock is not set", func(f *builder.Fill) {
			f.Object(timed)
			f.Instance("a")
			f.Object(template)
		}, builder.ErrCount, "object[0].PerfTime: is not set, but a counter requires it: call Fill.PerfTime, or Fill.DataBlock before the first object"},
		{"the clock of the last object is not set", func(f *builder.Fill) {
			f.Object(template)
			f.Object(timed)
		}, builder.ErrCount, "object[1].PerfTime: is not set, but a counter requires it: call Fill.PerfTime, or Fill.DataBlock before the first object"},
		{"a clock of 0 that a counter is computed with", func(f *builder.Fill) {
			f.Object(timed)
			f.PerfTime(0)
		}, layout.ErrRange, "object[0].PerfTime: is 0, must be above 0: a counter requires it"},
		{"a data block after an object", func(f *builder.Fill) {
			f.Object(template)
			f.DataBlock(&builder.DataBlock{})
		}, builder.ErrCount, "object[0]: Fill.DataBlock must be called once, before the first Fill.Object"},
		{"a second data block", func(f *builder.Fill) {
			f.DataBlock(&builder.DataBlock{})
			f.DataBlock(&builder.DataBlock{})
		}, builder.ErrCount, "Fill.DataBlock must be called once, before the first Fill.Object"},
		{"a zero block before any instance", func(f *builder.Fill) {
			f.Object(template)
			f.Block(new(builder.CounterBlock))
		}, builder.ErrCount, "object[0]: a value is set without an instance: call Fill.Instance or Fill.Child first"},
		{"the DataBlock is nil, must be the header of the data block", func(f *builder.Fill) { f.DataBlock(nil) }, builder.ErrCount, "the DataBlock is nil, must be the header of the data block"},
		{"a data block with objects", func(f *builder.Fill) {
			f.DataBlock(&builder.DataBlock{Objects: []builder.Object{*site()}})
		}, builder.ErrCount, "the DataBlock has 1 object, must have none: call Fill.Object for each"},
		{"a header field", func(f *builder.Fill) { f.DataBlock(&builder.DataBlock{PerfFreq: -1}) }, layout.ErrRange, "PerfFreq: is -1, must not be negative"},
		{"more than 32 bits", func(f *builder.Fill) {
			f.Object(huge)
			f.Instance("a")
			f.Instance("b")
		}, builder.ErrTooLarge, ""},
		{"a call after Done", func(f *builder.Fill) {
			f.Object(template)
			if _, err := f.Done(); err != nil {
				t.Error(err)
			}
			f.Instance("a")
		}, builder.ErrCount, "Fill.Done was called before: call NewFill or NewFixedFill for another buffer"},
	} {
		given := []byte("8 before")
		f := builder.NewFixedFill(append(make([]byte, 0, 4096), given...)[:len(given):4096])
		c.fill(&f)
		f.Object(template) // this call and all later ones have no effect
		f.Instance("later")
		f.Values(1, 2, 3, 4)
		f.UniqueID(3)
		f.PerfTime(4)
		f.DataBlock(&builder.DataBlock{})
		f.Set32(template.Handle32(1), 1)
		f.SetText(texts.HandleText(0), "x")
		b, err := f.Done()
		if f.Objects() != 0 {
			t.Errorf("%s: Objects returns %d after an error", c.reason, f.Objects())
		}
		if _, ok := errors.AsType[*layout.Error](err); !ok || !errors.Is(err, c.kind) || c.want != "" && err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.reason, err, c.want)
		}
		if b != nil && !bytes.Equal(b, given) {
			t.Errorf("%s: the buffer has become %q", c.reason, b)
		}
	}
}

// TestZeroFill checks that the zero value of Fill allocates a buffer and grows it.
func TestZeroFill(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).WithBase(4, layout.PERF_PRECISION_OBJECT_TIMER).Instance("a", 1, 2)
	want, err := o.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var f builder.Fill
	f.Object(compile(t, o))
	f.PerfTime(builder.DefaultTime)
	f.Instance("a")
	f.Values(1, 2)
	if b, err := f.Done(); err != nil || !bytes.Equal(b, want) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, b))
	}
	var empty builder.Fill
	if b, err := empty.Done(); len(b) > 0 || err != nil {
		t.Errorf("no objects: %d bytes, %v", len(b), err)
	}
}

// TestFillPerfTime checks the PerfTime of an object. A call of Fill.PerfTime overrides the PerfTime of the compiled
// object, which overrides the time of the data block.
func TestFillPerfTime(t *testing.T) {
	t.Parallel()
	timed := builder.NewObject(2).WithBase(4, layout.PERF_PRECISION_OBJECT_TIMER)
	given := *timed
	given.PerfTime = 5
	for _, c := range []struct {
		reason string
		o      *builder.Object
		header *builder.DataBlock
		set    int64
		want   int64
	}{
		{"PerfTime stays 0 if no counter uses it", site(), &builder.DataBlock{PerfTime100nSec: 9}, -1, 0},
		{"PerfTime is as set, without a data block", timed, nil, 8, 8},
		{"PerfTime is that of the data block", timed, &builder.DataBlock{PerfTime100nSec: 9}, -1, 9},
		{"PerfTime is that of the compiled object", &given, &builder.DataBlock{PerfTime100nSec: 9}, -1, 5},
		{"PerfTime is as set, with a data block", timed, &builder.DataBlock{PerfTime100nSec: 9}, 7, 7},
		{"PerfTime may be set to 0 if no counter uses it", site(), nil, 0, 0},
		{"PerfTime may be set if no counter uses it", site(), nil, 7, 7},
	} {
		f := builder.NewFill(nil)
		if c.header != nil {
			f.DataBlock(c.header)
		}
		start := f.Need()
		f.Object(compile(t, c.o))
		if c.set >= 0 {
			f.PerfTime(c.set)
		}
		b, err := f.Done()
		if err != nil {
			t.Fatal(err)
		}
		for o := range layout.ReadObjects(b[start:]) {
			if o.PerfTime() != c.want {
				t.Errorf("%s: PerfTime %d, want %d", c.reason, o.PerfTime(), c.want)
			}
		}
	}
}

// TestFillDataBlock checks that Fill.DataBlock writes all fields of the header, including the
// system name and a given HeaderLength.
func TestFillDataBlock(t *testing.T) {
	t.Parallel()
	o := site().Instance("a", 1, 2, 3, 4)
	for _, header := range []builder.DataBlock{
		{SystemName: "HOST"},
		{SystemName: "größe", SystemNameOffset: 96, HeaderLength: 128},
		{DefaultObject: 4000, PerfTime: 5, PerfFreq: 6},
	} {
		want, err := new(header).Add(o).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		f := builder.NewFixedFill(bytes.Repeat([]byte{0xff}, 1024)[:0])
		f.DataBlock(&header)
		f.Object(compile(t, o))
		f.Instance("a")
		f.Values(1, 2, 3, 4)
		if got, err := f.Done(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%+v: %v (-want +got):\n%s", header, err, cmp.Diff(want, got))
		}
		if name := utf16.Encode([]rune(header.SystemName)); len(name) > 0 {
			letters, _ := binary.Append(nil, binary.LittleEndian, name)
			if !bytes.Contains(want, letters) {
				t.Errorf("%+v: the name is not in the block", header)
			}
		}
	}
}

// TestFillCodePage checks that names in a code page are not converted to UTF-16.
func TestFillCodePage(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2).Define(builder.Counter{CounterType: layout.PERF_COUNTER_RAWCOUNT})
	o.CodePage = 1252
	f := builder.NewFixedFill(make([]byte, 0, 512)) // has room for the name in UTF-16
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
