package layout_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

// A wireField is a member as the documentation of winperf.h has it.
type wireField struct {
	at   int
	typ  string // w4: WCHAR[4], st: SYSTEMTIME, else sign and bits
	name string
}

var wires = []struct {
	record string
	size   int
	fields []wireField
	view   func(layout.Span) any
	append any
}{
	{"DataBlock", 88, []wireField{
		{0, "w4", "Signature"}, {8, "u32", "LittleEndian"}, {12, "u32", "Version"}, {16, "u32", "Revision"},
		{20, "u32", "TotalByteLength"}, {24, "u32", "HeaderLength"}, {28, "u32", "NumObjectTypes"}, {32, "i32", "DefaultObject"},
		{36, "st", "SystemTime"}, {52, "u32", "Padding"}, {56, "i64", "PerfTime"}, {64, "i64", "PerfFreq"},
		{72, "i64", "PerfTime100nSec"}, {80, "u32", "SystemNameLength"}, {84, "u32", "SystemNameOffset"},
	}, func(s layout.Span) any { return layout.Data{Span: s} }, layout.AppendDataBlock},
	{"ObjectType", 64, []wireField{
		{0, "u32", "TotalByteLength"}, {4, "u32", "DefinitionLength"}, {8, "u32", "HeaderLength"}, {12, "u32", "ObjectNameTitleIndex"},
		{16, "u32", "ObjectNameTitle"}, {20, "u32", "ObjectHelpTitleIndex"}, {24, "u32", "ObjectHelpTitle"}, {28, "u32", "DetailLevel"},
		{32, "u32", "NumCounters"}, {36, "i32", "DefaultCounter"}, {40, "i32", "NumInstances"}, {44, "u32", "CodePage"},
		{48, "i64", "PerfTime"}, {56, "i64", "PerfFreq"},
	}, func(s layout.Span) any { return layout.Object{Span: s} }, layout.AppendObjectType},
	{"CounterDefinition", 40, []wireField{
		{0, "u32", "ByteLength"}, {4, "u32", "CounterNameTitleIndex"}, {8, "u32", "CounterNameTitle"}, {12, "u32", "CounterHelpTitleIndex"},
		{16, "u32", "CounterHelpTitle"}, {20, "i32", "DefaultScale"}, {24, "u32", "DetailLevel"}, {28, "u32", "CounterType"},
		{32, "u32", "CounterSize"}, {36, "u32", "CounterOffset"},
	}, func(s layout.Span) any { return layout.Counter{Span: s} }, layout.AppendCounterDefinition},
	{"InstanceDefinition", 24, []wireField{
		{0, "u32", "ByteLength"}, {4, "u32", "ParentObjectTitleIndex"}, {8, "u32", "ParentObjectInstance"}, {12, "i32", "UniqueID"},
		{16, "u32", "NameOffset"}, {20, "u32", "NameLength"},
	}, func(s layout.Span) any { return layout.Instance{Span: s} }, layout.AppendInstanceDefinition},
	{"CounterBlock", 4, []wireField{{0, "u32", "ByteLength"}},
		func(s layout.Span) any { return layout.Block{Span: s} }, layout.AppendCounterBlock},
}

var systemTime = []string{"WYear", "WMonth", "WDayOfWeek", "WDay", "WHour", "WMinute", "WSecond", "WMilliseconds"}

// pattern returns n bytes that are all different, most with the sign bit set.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(0xF1 - i)
	}
	return b
}

// number reads size bytes from at, by hand.
func number(b []byte, at, size int) (n uint64) {
	for i := range size {
		n |= uint64(b[at+i]) << (8 * i)
	}
	return n
}

// units returns the 16-bit numbers of an array or of a SystemTime.
func units(v reflect.Value) (all []uint64) {
	if v.Kind() == reflect.Array {
		for i := range v.Len() {
			all = append(all, v.Index(i).Uint())
		}
		return all
	}
	for _, field := range v.Fields() {
		all = append(all, field.Uint())
	}
	return all
}

// checkField compares the value read with the bytes of the place.
func checkField(t *testing.T, b []byte, f wireField, got reflect.Value) {
	t.Helper()
	switch f.typ {
	case "w4", "st":
		for i, u := range units(got) {
			if u != number(b, f.at+2*i, 2) {
				t.Errorf("%s, unit %d: 0x%x, want 0x%x", f.name, i, u, number(b, f.at+2*i, 2))
			}
		}
	case "u32":
		if got.Kind() != reflect.Uint32 || got.Uint() != number(b, f.at, 4) {
			t.Errorf("%s: %v %v, want 0x%x", f.name, got.Type(), got, number(b, f.at, 4))
		}
	case "i32":
		if got.Kind() != reflect.Int32 || got.Int() != int64(int32(number(b, f.at, 4))) {
			t.Errorf("%s: %v %v, want %d", f.name, got.Type(), got, int32(number(b, f.at, 4)))
		}
	case "i64":
		if got.Kind() != reflect.Int64 || got.Int() != int64(number(b, f.at, 8)) {
			t.Errorf("%s: %v %v, want %d", f.name, got.Type(), got, int64(number(b, f.at, 8)))
		}
	}
}

func TestAccessorsReadTheirOffsets(t *testing.T) {
	t.Parallel()
	for _, w := range wires {
		t.Run(w.record, func(t *testing.T) {
			t.Parallel()
			b := pattern(w.size)
			v := reflect.ValueOf(w.view(layout.NewSpan(b, 0)))
			read := v.MethodByName("Read").Call(nil)[0]
			if got := read.Type().Name(); got != w.record {
				t.Errorf("Read returns a %s", got)
			}
			var names []string
			for _, f := range w.fields {
				names = append(names, f.name)
				checkField(t, b, f, read.FieldByName(f.name))
				if f.name != "Padding" {
					checkField(t, b, f, v.MethodByName(f.name).Call(nil)[0])
				} else if v.MethodByName(f.name).IsValid() {
					t.Errorf("the padding, no member in C, has an accessor")
				}
			}
			var got []string
			for f := range read.Type().Fields() {
				got = append(got, f.Name)
			}
			if diff := cmp.Diff(names, got); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAppendIsTheInverseOfRead(t *testing.T) {
	t.Parallel()
	for _, w := range wires {
		for _, prefix := range []string{"", "keep me"} {
			b := pattern(w.size)
			read := reflect.ValueOf(w.view(layout.NewSpan(b, 0))).MethodByName("Read").Call(nil)[0]
			dst := append(make([]byte, 0, 200), prefix...)
			got := reflect.ValueOf(w.append).Call([]reflect.Value{reflect.ValueOf(dst), read})[0].Bytes()
			if diff := cmp.Diff(append([]byte(prefix), b...), got); diff != "" {
				t.Errorf("%s after %q (-want +got):\n%s", w.record, prefix, diff)
			}
		}
	}
}

func TestSystemTimeBytes(t *testing.T) {
	t.Parallel()
	b := pattern(88)
	v := layout.Data{Span: layout.NewSpan(b, 0)}.SystemTime()
	for i, name := range systemTime {
		if got := reflect.ValueOf(v).FieldByName(name).Uint(); got != number(b, 36+2*i, 2) {
			t.Errorf("%s: 0x%x, want 0x%x", name, got, number(b, 36+2*i, 2))
		}
	}
	if got := layout.AppendSystemTime([]byte("x"), v); !bytes.Equal(got, append([]byte("x"), b[36:52]...)) {
		t.Errorf("got % x", got)
	}
}

// The bytes behind a record are not its own.
func TestReadLooksNoFurther(t *testing.T) {
	t.Parallel()
	for _, w := range wires {
		b := pattern(w.size)
		short := reflect.ValueOf(w.view(layout.NewSpan(b[:w.size:w.size], 0))).MethodByName("Read").Call(nil)[0].Interface()
		long := reflect.ValueOf(w.view(layout.NewSpan(append(b, strings.Repeat("x", 50)...), 7))).MethodByName("Read").Call(nil)[0].Interface()
		if diff := cmp.Diff(short, long); diff != "" {
			t.Errorf("%s (-exact +with more behind it):\n%s", w.record, diff)
		}
	}
}
