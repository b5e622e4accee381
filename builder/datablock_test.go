package builder_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestAddCopiesTheObject checks that adding an instance to an object does not change its copy in a block, and that
// adding an instance to the copy does not change the object.
func TestAddCopiesTheObject(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2)
	o.Instances = make([]builder.Instance, 0, 8)
	var d builder.DataBlock
	d.Add(o)
	o.Instance("of o")
	d.Objects[0].Instance("of d")
	if o.Instances[0].Name != "of o" || len(d.Objects[0].Instances) != 1 || d.Objects[0].Instances[0].Name != "of d" {
		t.Errorf("the object has %q, the block %q", o.Instances[0].Name, d.Objects[0].Instances[0].Name)
	}
	o.Counters = make([]builder.Counter, 0, 8)
	d.Add(o)
	d.Objects[1].Counter(4, layout.PERF_COUNTER_RAWCOUNT)
	o.Counter(6, layout.PERF_COUNTER_RAWCOUNT)
	if title := d.Objects[1].Counters[0].CounterNameTitleIndex; title != 4 {
		t.Errorf("the counter of the block has title %d, want 4", title)
	}
}

// TestAt checks the encoded SystemTime and PerfTime100nSec after At, and that encoding refuses a
// time out of range.
func TestAt(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, 11, 21, 12, 34, 56, 789_123_456, time.FixedZone("", 3600))
	d := builder.DataBlock{SystemTime: layout.SystemTime{WYear: 2000}}
	b, err := d.At(moment).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	v, err := layout.ReadDataBlock(b)
	if err != nil {
		t.Fatal(err)
	}
	want := layout.SystemTime{WYear: 2026, WMonth: 11, WDayOfWeek: 6, WDay: 21, WHour: 11, WMinute: 34, WSecond: 56, WMilliseconds: 789}
	if v.SystemTime() != want || v.PerfTime100nSec() != 134397344967891234 {
		t.Errorf("SystemTime %+v, PerfTime100nSec %d", v.SystemTime(), v.PerfTime100nSec())
	}
	if _, err := new(builder.DataBlock).At(time.Date(1600, 12, 31, 0, 0, 0, 0, time.UTC)).MarshalBinary(); !errors.Is(err, layout.ErrRange) {
		t.Errorf("1600: %v", err)
	}
	if _, err := new(builder.DataBlock).At(time.Date(1601, 1, 1, 0, 0, 0, 0, time.UTC)).MarshalBinary(); !errors.Is(err, layout.ErrRange) {
		t.Errorf("1601-01-01, whose PerfTime100nSec is 0: %v", err)
	}
	if _, err := new(builder.DataBlock).At(time.Date(40000, 1, 1, 0, 0, 0, 0, time.UTC)).MarshalBinary(); !errors.Is(err, layout.ErrRange) {
		t.Errorf("40000: %v", err)
	}
}

// sampleBlock returns a valid block for tests to modify. The block has an object with two instances, and an object
// with PERF_NO_INSTANCES.
func sampleBlock() builder.DataBlock {
	return builder.DataBlock{SystemName: "HOST", Objects: []builder.Object{
		*builder.NewObject(230).Counter(6, layout.PERF_100NSEC_TIMER).Counter(680, layout.PERF_COUNTER_RAWCOUNT).
			Instance("a", 1, 2).Instance("b", 3, 4),
		*builder.NewObject(2).Counter(10, layout.PERF_COUNTER_COUNTER).WithBase(1350, layout.PERF_RAW_FRACTION).Single(5, 6, 7),
	}}
}

// TestRefused checks the errors for values that the documentation excludes. An error must have the path of the
// value. Encoding must return the buffer unchanged.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(d *builder.DataBlock, process, system *builder.Object)
		path   string
		kind   error
	}{
		{"a NUL in the system name", func(d *builder.DataBlock, _, _ *builder.Object) { d.SystemName = "a\x00b" }, "SystemName", layout.ErrNUL},
		{"a system name that is not UTF-8", func(d *builder.DataBlock, _, _ *builder.Object) { d.SystemName = "\xff" }, "SystemName", layout.ErrText},
		{"a header shorter than its name", func(d *builder.DataBlock, _, _ *builder.Object) { d.HeaderLength = 96 }, "HeaderLength", layout.ErrRange},
		{"a header whose length is not a multiple of 8", func(d *builder.DataBlock, _, _ *builder.Object) { d.HeaderLength = 108 }, "HeaderLength", layout.ErrRange},
		{"a system name inside the structure", func(d *builder.DataBlock, _, _ *builder.Object) { d.SystemNameOffset = 80 }, "SystemNameOffset", layout.ErrRange},
		{"a system name that ends beyond 32 bits", func(d *builder.DataBlock, _, _ *builder.Object) { d.SystemNameOffset = math.MaxUint32 - 3 }, "SystemNameOffset", builder.ErrTooLarge},
		{"a negative frequency", func(d *builder.DataBlock, _, _ *builder.Object) { d.PerfFreq = -1 }, "PerfFreq", layout.ErrRange},
		{"a negative clock", func(d *builder.DataBlock, _, _ *builder.Object) { d.PerfTime = -1 }, "PerfTime", layout.ErrRange},
		{"a negative count of 100 ns", func(d *builder.DataBlock, _, _ *builder.Object) { d.PerfTime100nSec = -1 }, "PerfTime100nSec", layout.ErrRange},
		{"a count of 100 ns after the year 30827", func(d *builder.DataBlock, _, _ *builder.Object) { d.PerfTime100nSec = math.MaxInt64 }, "PerfTime100nSec", layout.ErrRange},
		{"month 13", func(d *builder.DataBlock, _, _ *builder.Object) {
			d.SystemTime = layout.SystemTime{WYear: 2020, WMonth: 13, WDay: 1}
		}, "SystemTime", layout.ErrRange},
		{"30 February without a count of 100 ns", func(d *builder.DataBlock, _, _ *builder.Object) {
			d.SystemTime = layout.SystemTime{WYear: 2020, WMonth: 2, WDay: 30}
		}, "SystemTime", layout.ErrRange},
		{"a help index with NoHelp", func(_ *builder.DataBlock, o, _ *builder.Object) { o.NoHelp, o.ObjectHelpTitleIndex = true, 5 }, "object[0].ObjectHelpTitleIndex", layout.ErrRange},
		{"a level of 150", func(_ *builder.DataBlock, o, _ *builder.Object) { o.DetailLevel = 150 }, "object[0].DetailLevel", layout.ErrRange},
		{"NumInstances is set to a count", func(_ *builder.DataBlock, o, _ *builder.Object) { o.NumInstances = 2 }, "object[0].NumInstances", layout.ErrRange},
		{"NumInstances is -4, which has no meaning", func(_ *builder.DataBlock, o, _ *builder.Object) { o.NumInstances = -4 }, "object[0].NumInstances", layout.ErrRange},
		{"instances in an object with PERF_NO_INSTANCES", func(_ *builder.DataBlock, o, _ *builder.Object) { o.NumInstances = layout.PERF_NO_INSTANCES }, "object[0].NumInstances", builder.ErrCount},
		{"instances in a metadata object", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.NumInstances = layout.PERF_METADATA_MULTIPLE_INSTANCES
		}, "object[0].NumInstances", builder.ErrCount},
		{"values of an object with instances", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Values = []uint64{1, 2} }, "object[0]", builder.ErrCount},
		{"UTF-16 as a code page", func(_ *builder.DataBlock, o, _ *builder.Object) { o.CodePage = 1200 }, "object[0].CodePage", layout.ErrRange},
		{"an unknown code page", func(_ *builder.DataBlock, o, _ *builder.Object) { o.CodePage = 1259 }, "object[0].CodePage", layout.ErrRange},
		{"a DefaultCounter that does not exist", func(_ *builder.DataBlock, o, _ *builder.Object) { o.DefaultCounter = new(int32(2)) }, "object[0].DefaultCounter", layout.ErrRange},
		{"a base as default counter", func(_ *builder.DataBlock, _, o *builder.Object) { o.DefaultCounter = new(int32(2)) }, "object[1].DefaultCounter", layout.ErrRange},
		{"an object's clock below 0", func(_ *builder.DataBlock, o, _ *builder.Object) { o.PerfTime = -1 }, "object[0].PerfTime", layout.ErrRange},
		{"an object's frequency below 0", func(_ *builder.DataBlock, o, _ *builder.Object) { o.PerfFreq = -1 }, "object[0].PerfFreq", layout.ErrRange},
		{"blocks too short for their values", func(_ *builder.DataBlock, o, _ *builder.Object) { o.BlockLength = 16 }, "object[0].BlockLength", layout.ErrRange},
		{"a BlockLength that is not a multiple of 8", func(_ *builder.DataBlock, o, _ *builder.Object) { o.BlockLength = 28 }, "object[0].BlockLength", layout.ErrRange},
		{"a block too short for its values", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[1].BlockLength = 16 }, "object[0].instance[1].BlockLength", layout.ErrRange},

		{"a counter's help index with NoHelp", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters[1].NoHelp, o.Counters[1].CounterHelpTitleIndex = true, 5
		}, "object[0].counter[1].CounterHelpTitleIndex", layout.ErrRange},
		{"a scale of 8", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Counters[0].DefaultScale = 8 }, "object[0].counter[0].DefaultScale", layout.ErrRange},
		{"a scale of -8", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Counters[0].DefaultScale = -8 }, "object[0].counter[0].DefaultScale", layout.ErrRange},
		{"a counter's level of 1", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Counters[0].DetailLevel = 1 }, "object[0].counter[0].DetailLevel", layout.ErrRange},
		{"a fraction without its base", func(_ *builder.DataBlock, _, o *builder.Object) { o.Counters, o.Values = o.Counters[:2], o.Values[:2] }, "object[1].counter[1].CounterType", builder.ErrBase},
		{"the base of another type", func(_ *builder.DataBlock, _, o *builder.Object) { o.Counters[2].CounterType = layout.PERF_AVERAGE_BASE }, "object[1].counter[1].CounterType", builder.ErrBase},
		{"a base before all counters", func(_ *builder.DataBlock, _, o *builder.Object) { o.Counters[0].CounterType = layout.PERF_RAW_BASE }, "object[1].counter[0].CounterType", builder.ErrBase},
		{"a base after a counter that requires no base", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters[1].CounterType = layout.PERF_RAW_BASE
		}, "object[0].counter[1].CounterType", builder.ErrBase},
		{"a multi counter without its base", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters[1].CounterType = layout.PERF_COUNTER_MULTI_TIMER
		}, "object[0].counter[1].CounterType", builder.ErrBase},
		{"a size of 6, which no number has", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Counters[0].CounterSize = 6 }, "object[0].counter[0].CounterSize", layout.ErrRange},
		{"a size of a counter without a value", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters[0] = builder.Counter{CounterType: layout.PERF_COUNTER_NODATA, CounterSize: 4}
		}, "object[0].counter[0].CounterSize", layout.ErrRange},
		{"a value that overlaps the ByteLength of the counter block", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Counters[0].CounterOffset = 3 }, "object[0].counter[0].CounterOffset", layout.ErrRange},
		{"a value that ends after 32 bits", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Counters[0].CounterOffset = math.MaxUint32 }, "object[0].counter[0].CounterOffset", builder.ErrTooLarge},
		{"the largest offset for a value, which makes the object too long", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters, o.Instances = o.Counters[:1], []builder.Instance{{Values: []uint64{1}}}
			// The largest TotalByteLength is 2^32 - 8. The definitions take 64 + 40 bytes, and the value takes 8 bytes.
			o.Counters[0].CounterOffset = math.MaxUint32 - 7 - 64 - 40 - 8
		}, "object[0].TotalByteLength", builder.ErrTooLarge},
		{"one byte after the largest offset for a value", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters, o.Instances = o.Counters[:1], []builder.Instance{{Values: []uint64{1}}}
			o.Counters[0].CounterOffset = math.MaxUint32 - 7 - 64 - 40 - 7
		}, "object[0].counter[0].CounterOffset", builder.ErrTooLarge},

		{"a NUL in a name", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[1].Name = "b\x00" }, "object[0].instance[1].Name", layout.ErrNUL},
		{"a NUL in a name in a code page", func(_ *builder.DataBlock, o, _ *builder.Object) { o.CodePage, o.Instances[1].Name = 1252, "\x00" }, "object[0].instance[1].Name", layout.ErrNUL},
		{"a name that is not UTF-8", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[1].Name = "a\xc3" }, "object[0].instance[1].Name", layout.ErrText},
		{"a surrogate in UTF-8", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[1].Name = "\xed\xa0\x80" }, "object[0].instance[1].Name", layout.ErrText},
		{"a name inside the definition", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[0].NameOffset = 20 }, "object[0].instance[0].NameOffset", layout.ErrRange},
		{"an instance shorter than its name", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[0].ByteLength = 24 }, "object[0].instance[0].ByteLength", layout.ErrRange},
		{"an instance whose length is not a multiple of 8", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[0].ByteLength = 36 }, "object[0].instance[0].ByteLength", layout.ErrRange},
		{"an unnamed instance that points outside itself", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[0].Name, o.Instances[0].NameOffset = "", 25
		}, "object[0].instance[0].NameOffset", layout.ErrRange},
		{"an unnamed instance that points after its ByteLength", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[0].Name, o.Instances[0].NameOffset, o.Instances[0].ByteLength = "", 33, 32
		}, "object[0].instance[0].ByteLength", layout.ErrRange},
		{"two instances with the same name", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[1].Name = "a" }, "object[0].instance[1].Name", builder.ErrDuplicate},
		{"two names that differ only in case", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[0].Name, o.Instances[1].Name = "é", "É"
		}, "object[0].instance[1].Name", builder.ErrDuplicate},
		{"two names of a code page that differ only in the case of ASCII letters", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.CodePage, o.Instances[0].Name, o.Instances[1].Name = 1252, "\xe9Z", "\xe9z"
		}, "object[0].instance[1].Name", builder.ErrDuplicate},
		{"one name twice without a parent object: the parent position is ignored", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[1].Name, o.Instances[1].ParentObjectInstance = "a", 7
		}, "object[0].instance[1].Name", builder.ErrDuplicate},
		{"a parent position that does not exist", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[1].ParentObjectTitleIndex, o.Instances[1].ParentObjectInstance = 230, 2
		}, "object[0].instance[1].ParentObjectInstance", builder.ErrParent},
		{"a parent in an object without instances", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[1].ParentObjectTitleIndex = 2 }, "object[0].instance[1].ParentObjectInstance", builder.ErrParent},

		{"a value too few", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[1].Values = []uint64{1} }, "object[0].instance[1].block", builder.ErrCount},
		{"one value more than counters", func(_ *builder.DataBlock, _, o *builder.Object) { o.Values = []uint64{1, 2, 3, 4} }, "object[1].block", builder.ErrCount},
		{"a text too many", func(_ *builder.DataBlock, _, o *builder.Object) { o.Texts = []string{"x"} }, "object[1].block", builder.ErrCount},
		{"a value of 33 bits in a DWORD", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[1].Values = []uint64{0, 1 << 32} }, "object[0].instance[1].block.value[1]", layout.ErrRange},
		{"a number for a counter without a value", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters[1].CounterType = layout.PERF_COUNTER_NODATA
		}, "object[0].instance[0].block.value[1]", layout.ErrRange},
		{"two different values at the same offset", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters[1] = builder.Counter{CounterType: layout.PERF_COUNTER_LARGE_RAWCOUNT, CounterOffset: 8}
		}, "object[0].instance[0].block.value[0]", builder.ErrConflict},
		{"two values that overlap by half", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Counters[1].CounterOffset = 12 }, "object[0].instance[0].block.value[0]", builder.ErrConflict},
		{"a text at the offset of a number", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters[1] = builder.Counter{CounterType: layout.PERF_COUNTER_TEXT, CounterOffset: 12}
			for i := range o.Instances {
				o.Instances[i].Values, o.Instances[i].Texts = []uint64{1, 0}, []string{"x"}
			}
		}, "object[0].counter[1].CounterOffset", builder.ErrConflict},
		{"a CounterSize smaller than the text requires", func(_ *builder.DataBlock, _, o *builder.Object) {
			o.Counters = []builder.Counter{{CounterType: layout.PERF_COUNTER_TEXT, CounterSize: 5}}
			o.Values, o.Texts = []uint64{0}, []string{"x"}
		}, "object[1].counter[0].CounterSize", layout.ErrRange},
		{"a text that is not UTF-8", func(_ *builder.DataBlock, _, o *builder.Object) {
			o.Counters = []builder.Counter{{CounterType: layout.PERF_COUNTER_TEXT}}
			o.Values, o.Texts = []uint64{0}, []string{"\xff"}
		}, "object[1].block.value[0]", layout.ErrText},
		{"a value of 4 bytes for a counter with a CounterSize of 5", func(_ *builder.DataBlock, _, o *builder.Object) {
			o.Counters = []builder.Counter{{CounterType: layout.PERF_SIZE_VARIABLE_LEN, CounterSize: 5}}
			o.Values, o.Texts = []uint64{0}, []string{"four"}
		}, "object[1].block.value[0]", layout.ErrRange},
	} {
		d := sampleBlock()
		test.change(&d, &d.Objects[0], &d.Objects[1])
		prefix := []byte("prefix")
		got, err := d.AppendBinary(prefix)
		e, ok := errors.AsType[*layout.Error](err)
		switch {
		case !ok:
			t.Errorf("%s: %v is no layout.Error", test.reason, err)
		case e.Path.String() != test.path || !errors.Is(err, test.kind) || e.Off != -1:
			t.Errorf("%s: %v (%v), want %v at %s", test.reason, err, errors.Unwrap(e.Err), test.kind, test.path)
		case !bytes.Equal(got, prefix):
			t.Errorf("%s: the failed call returned %q", test.reason, got)
		}
		if n, err := d.EncodedLen(); err == nil || n != 0 {
			t.Errorf("%s: EncodedLen says %d, %v", test.reason, n, err)
		}
	}
}

// TestAllowed checks that encoding accepts valid values that are close to the values in
// TestRefused.
func TestAllowed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		change func(d *builder.DataBlock, process, system *builder.Object)
	}{
		{"unchanged", func(_ *builder.DataBlock, _, _ *builder.Object) {}},
		{"an instance without a parent, and an object with the title index 0 and no instances", func(d *builder.DataBlock, _, _ *builder.Object) { d.Add(new(builder.Object)) }},
		{"a HeaderLength that is exactly the required length", func(d *builder.DataBlock, _, _ *builder.Object) { d.HeaderLength = 104 }},
		{"30 February with a count of 100 ns", func(d *builder.DataBlock, _, _ *builder.Object) {
			d.SystemTime, d.PerfTime100nSec = layout.SystemTime{WYear: 2020, WMonth: 2, WDay: 30}, 1
		}},
		{"a default counter by title", func(_ *builder.DataBlock, o, _ *builder.Object) { o.DefaultCounter = new(int32(680)) }},
		{"a default counter by position", func(_ *builder.DataBlock, o, _ *builder.Object) { o.DefaultCounter = new(int32(1)) }},
		{"a BlockLength that is exactly the required length", func(_ *builder.DataBlock, o, _ *builder.Object) { o.BlockLength = 24 }},
		{"a ByteLength that is exactly the required length", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[0].ByteLength = 32 }},
		{"a scale of 7", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Counters[0].DefaultScale = 7 }},
		{"a byte string of length 0 inside a number, which overlaps nothing", func(d *builder.DataBlock, _, _ *builder.Object) {
			const number = layout.PERF_COUNTER_RAWCOUNT
			d.Objects = append(d.Objects, builder.Object{ObjectNameTitleIndex: 4, Counters: []builder.Counter{{CounterType: number, CounterOffset: 8, CounterSize: 8}, {CounterType: number, CounterOffset: 8}, {CounterType: 0x300, CounterOffset: 12}},
				Instances: []builder.Instance{{Name: "a", Values: []uint64{5, 5, 0}, Texts: []string{""}}}})
		}},
		{"two instances with the same name and DuplicateNames", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[1].Name, o.DuplicateNames = "a", true
		}},
		{"two names in code page 1252 that differ only in the case of a letter outside ASCII", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.CodePage, o.Instances[0].Name, o.Instances[1].Name = 1252, "\xe9", "\xc9"
		}},
		{"the names ı and I, which differ for .NET", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[0].Name, o.Instances[1].Name = "ı", "I"
		}},
		{"the same name under two parents", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[0].ParentObjectTitleIndex, o.Instances[1].ParentObjectTitleIndex = 230, 230
			o.Instances[1].Name, o.Instances[1].ParentObjectInstance = "a", 1
		}},
		{"a parent object that is not in the block", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[1].ParentObjectTitleIndex, o.Instances[1].ParentObjectInstance = 999, 99
		}},
		{"two unnamed instances", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[0].Name, o.Instances[1].Name = "", ""
		}},
		{"equal values at the same offset", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters[1].CounterOffset = 8 // shares the low 4 bytes of the value of counter[0]
			o.Instances[0].Values, o.Instances[1].Values = []uint64{9<<32 | 7, 7}, []uint64{3, 3}
		}},
		{"a counter without a value whose offset is inside a text", func(_ *builder.DataBlock, _, o *builder.Object) {
			o.Counters = []builder.Counter{
				{CounterType: layout.PERF_COUNTER_TEXT}, {CounterType: layout.PERF_COUNTER_NODATA, CounterOffset: 6},
				{CounterType: layout.PERF_COUNTER_RAWCOUNT}, {CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterOffset: 16},
			}
			o.Values, o.Texts = []uint64{0, 0, 5, 5}, []string{"text"}
		}},
		{"a DWORD type with 8 bytes, as shipped providers have it", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters[1].CounterSize, o.Instances[0].Values = 8, []uint64{1, 1 << 40}
		}},
		{"a sample counter with the base that WMI requires", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters[0].CounterType, o.Counters[1].CounterType = layout.PERF_SAMPLE_COUNTER, layout.PERF_SAMPLE_BASE
		}},
		{"a name of a megabyte", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[0].Name = strings.Repeat("x", 1<<20) }},
		{"no objects at all", func(d *builder.DataBlock, _, _ *builder.Object) { d.Objects = nil }},
		{"no counters at all", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Counters, o.Instances[0].Values, o.Instances[1].Values = nil, nil, nil
		}},
	} {
		d := sampleBlock()
		test.change(&d, &d.Objects[0], &d.Objects[1])
		if _, err := d.MarshalBinary(); err != nil {
			t.Errorf("%s: %v", test.reason, err)
		}
	}
}

// TestEmptyBlock checks the bytes of a block without objects. Wine writes the same bytes.
func TestEmptyBlock(t *testing.T) {
	t.Parallel()
	d := builder.DataBlock{SystemName: "wxy", PerfTime: 5, PerfFreq: 3_000_000}
	got, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	want := hexBytes(t, `
50 00 45 00 52 00 46 00                              PERF
01 00 00 00  01 00 00 00  01 00 00 00                little-endian, version 1, revision 1
60 00 00 00  60 00 00 00  00 00 00 00  00 00 00 00   96 bytes, header 96, no objects, DefaultObject 0
d0 07 01 00 06 00 01 00  00 00 00 00 00 00 00 00     2000-01-01, a Saturday, 00:00:00.000
00 00 00 00                                          no member: aligns PerfTime
05 00 00 00 00 00 00 00  c0 c6 2d 00 00 00 00 00     PerfTime, PerfFreq 3,000,000
00 40 6d 25 eb 53 bf 01                              125911584000000000
08 00 00 00  58 00 00 00                             8 bytes of name at 88
77 00 78 00 79 00 00 00                              w x y NUL
`)
	if !bytes.Equal(got, want) {
		t.Errorf("(-want +got)\n%s", cmp.Diff(hex.Dump(want), hex.Dump(got)))
	}
}
