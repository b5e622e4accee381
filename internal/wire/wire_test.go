package wire_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// A member is a member of a C structure, copied from the documentation.
type member struct {
	at   int
	typ  string // w4: WCHAR[4], st: SYSTEMTIME, guid: GUID, otherwise the sign and the number of bits
	name string
}

// A record is a C structure with a view in package layout and a struct in package wire.
type record struct {
	name   string
	size   int
	fields []member
	view   func(layout.Span) any
	get    any // the function of package wire that reads the struct
}

var records = slices.Concat(winperfRecords, perflibRecords)

// read returns the struct read from b.
func (r record) read(b []byte) reflect.Value {
	return reflect.ValueOf(r.get).Call([]reflect.Value{reflect.ValueOf(b)})[0]
}

// TestEveryRecordIsListed checks that the list of these tests has every record with a view.
func TestEveryRecordIsListed(t *testing.T) {
	t.Parallel()
	var want, got []string
	for _, r := range slices.Concat(layout.Winperf, layout.Perflib) {
		if r.View != "" {
			want = append(want, r.Name+" of "+r.View)
		}
	}
	for _, r := range records {
		got = append(got, r.name+" of "+reflect.TypeOf(r.view(layout.Span{})).Name())
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

// number returns the little-endian number of size bytes that starts at b[at].
func number(b []byte, at, size int) (n uint64) {
	for i := range size {
		n |= uint64(b[at+i]) << (8 * i)
	}
	return n
}

// guidAt returns the GUID that starts at b[at].
func guidAt(b []byte, at int) layout.GUID {
	return layout.GUID{Data1: uint32(number(b, at, 4)), Data2: uint16(number(b, at+4, 2)), Data3: uint16(number(b, at+6, 2)), Data4: [8]byte(b[at+8 : at+16])}
}

// units returns the elements of an array or the fields of a SystemTime, which have 16 bits.
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

// checkField compares got, the value of the field f, with the bytes of b at the field's offset.
func checkField(t *testing.T, b []byte, f member, got reflect.Value) {
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

func TestFieldsHaveTheirOffsets(t *testing.T) {
	t.Parallel()
	for _, r := range records {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			b := pattern(r.size)
			v := reflect.ValueOf(r.view(layout.NewSpan(b, 0)))
			read := r.read(b)
			if got := read.Type().Name(); got != r.name {
				t.Errorf("Get%s returns a %s", r.name, got)
			}
			var names []string
			for _, f := range r.fields {
				names = append(names, f.name)
				checkField(t, b, f, read.FieldByName(f.name))
				if f.name != "Padding" {
					checkField(t, b, f, v.MethodByName(f.name).Call(nil)[0])
				} else if v.MethodByName(f.name).IsValid() {
					t.Errorf("the view has an accessor for padding")
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

func TestAppendIsTheInverseOfGet(t *testing.T) {
	t.Parallel()
	for _, r := range records {
		for _, prefix := range []string{"", "keep me"} {
			b := pattern(r.size)
			dst := append(make([]byte, 0, 200), prefix...)
			got := r.read(b).Interface().(interface{ Append([]byte) []byte }).Append(dst)
			if diff := cmp.Diff(append([]byte(prefix), b...), got); diff != "" {
				t.Errorf("%s after %q (-want +got):\n%s", r.name, prefix, diff)
			}
		}
	}
}

// TestPutIsTheInverseOfGet checks that Put writes exactly the bytes of the record, and panics without writing if the
// buffer is one byte too short.
func TestPutIsTheInverseOfGet(t *testing.T) {
	t.Parallel()
	for _, r := range records {
		b := pattern(r.size)
		read := r.read(b)
		pointer := reflect.New(read.Type())
		pointer.Elem().Set(read)
		put := pointer.Interface().(interface{ Put([]byte) }).Put

		got := bytes.Repeat([]byte{0x5A}, r.size+3)
		put(got)
		if diff := cmp.Diff(append(slices.Clone(b), 0x5A, 0x5A, 0x5A), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r.name, diff)
		}

		short := make([]byte, r.size-1)
		if !panics(func() { put(short) }) || !bytes.Equal(short, make([]byte, r.size-1)) {
			t.Errorf("%s: no panic or a byte written into a buffer that is one byte too short", r.name)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

func TestGUIDBytes(t *testing.T) {
	t.Parallel()
	b := pattern(16)
	g := guidAt(b, 0)
	if got := wire.GUID(g).Append([]byte("x")); !bytes.Equal(got, append([]byte("x"), b...)) {
		t.Errorf("Append: got % x", got)
	}
}

func TestSystemTimeBytes(t *testing.T) {
	t.Parallel()
	b := pattern(88)
	v := layout.DataBlock{Span: layout.NewSpan(b, 0)}.SystemTime()
	for i, name := range systemTime {
		if got := reflect.ValueOf(v).FieldByName(name).Uint(); got != number(b, 36+2*i, 2) {
			t.Errorf("%s: 0x%x, want 0x%x", name, got, number(b, 36+2*i, 2))
		}
	}
	if got := wire.SystemTime(v).Append([]byte("x")); !bytes.Equal(got, append([]byte("x"), b[36:52]...)) {
		t.Errorf("got % x", got)
	}
}

// TestGetIgnoresLaterBytes checks that the bytes after a record do not change the result of Get.
func TestGetIgnoresLaterBytes(t *testing.T) {
	t.Parallel()
	for _, r := range records {
		b := pattern(r.size)
		short := r.read(b[:r.size:r.size]).Interface()
		long := r.read(append(b, strings.Repeat("x", 50)...)).Interface()
		if diff := cmp.Diff(short, long); diff != "" {
			t.Errorf("%s (-exact +longer):\n%s", r.name, diff)
		}
	}
}
