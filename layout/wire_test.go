package layout_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

// A wireField is a member as the documentation of its header has it.
type wireField struct {
	at   int
	typ  string // w4: WCHAR[4], st: SYSTEMTIME, guid: GUID, else sign and bits
	name string
}

// A wire is a record with a view, and what is generated for it.
type wire struct {
	record string
	size   int
	fields []wireField
	view   func(layout.Span) any
	append any
	put    any
}

var wires = slices.Concat(winperfWires, perflibWires)

func TestEveryRecordHasItsWire(t *testing.T) {
	t.Parallel()
	var want, got []string
	for _, r := range records {
		if r.View != "" {
			want = append(want, r.Name+" of "+r.View)
		}
	}
	for _, w := range wires {
		got = append(got, w.record+" of "+reflect.TypeOf(w.view(layout.Span{})).Name())
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
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

// guidAt reads a GUID, by hand.
func guidAt(b []byte, at int) layout.GUID {
	return layout.GUID{Data1: uint32(number(b, at, 4)), Data2: uint16(number(b, at+4, 2)), Data3: uint16(number(b, at+6, 2)), Data4: [8]byte(b[at+8 : at+16])}
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
	case "guid":
		if want := guidAt(b, f.at); got.Interface() != want {
			t.Errorf("%s: %v, want %v", f.name, got, want)
		}
	case "u32":
		if got.Kind() != reflect.Uint32 || got.Uint() != number(b, f.at, 4) {
			t.Errorf("%s: %v %v, want 0x%x", f.name, got.Type(), got, number(b, f.at, 4))
		}
	case "i32":
		if got.Kind() != reflect.Int32 || got.Int() != int64(int32(number(b, f.at, 4))) {
			t.Errorf("%s: %v %v, want %d", f.name, got.Type(), got, int32(number(b, f.at, 4)))
		}
	case "u64":
		if got.Kind() != reflect.Uint64 || got.Uint() != number(b, f.at, 8) {
			t.Errorf("%s: %v %v, want 0x%x", f.name, got.Type(), got, number(b, f.at, 8))
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

// Put writes the record's bytes, none behind them, and none at all where there is no room.
func TestPutIsTheInverseOfRead(t *testing.T) {
	t.Parallel()
	for _, w := range wires {
		b := pattern(w.size)
		read := reflect.ValueOf(w.view(layout.NewSpan(b, 0))).MethodByName("Read").Call(nil)[0]
		record := reflect.New(read.Type())
		record.Elem().Set(read)
		put := func(dst []byte) { reflect.ValueOf(w.put).Call([]reflect.Value{reflect.ValueOf(dst), record}) }

		got := bytes.Repeat([]byte{0x5A}, w.size+3)
		if panics(func() { put(got) }) {
			t.Errorf("%s: a panic where there is room for %d bytes", w.record, w.size)
		} else if diff := cmp.Diff(append(slices.Clone(b), 0x5A, 0x5A, 0x5A), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", w.record, diff)
		}

		short := make([]byte, w.size-1)
		if !panics(func() { put(short) }) || !bytes.Equal(short, make([]byte, w.size-1)) {
			t.Errorf("%s: no panic, or something written, where a byte is missing", w.record)
		}
	}
}

func TestGUIDBytes(t *testing.T) {
	t.Parallel()
	b := pattern(16)
	g := guidAt(b, 0)
	if got := layout.AppendGUID([]byte("x"), g); !bytes.Equal(got, append([]byte("x"), b...)) {
		t.Errorf("AppendGUID: got % x", got)
	}
	got := make([]byte, 16)
	layout.PutGUID(got, &g)
	if !bytes.Equal(got, b) {
		t.Errorf("PutGUID: got % x", got)
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
