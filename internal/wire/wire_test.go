package wire_test

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// An appender is a struct of package wire.
type appender interface{ Append(b []byte) []byte }

// records has the struct and the view of each record. A record that is only part of other records has no view.
var records = []struct {
	wire appender
	view any
}{
	{wire.DataBlock{}, layout.DataBlock{}},
	{wire.SystemTime{}, nil},
	{wire.Object{}, layout.Object{}},
	{wire.Counter{}, layout.Counter{}},
	{wire.Instance{}, layout.Instance{}},
	{wire.CounterBlock{}, layout.CounterBlock{}},
	{wire.GUID{}, nil},
	{wire.QueryData{}, layout.QueryData{}},
	{wire.Result{}, layout.Result{}},
	{wire.MultiCounters{}, layout.MultiCounters{}},
	{wire.MultiInstances{}, layout.MultiInstances{}},
	{wire.InstanceHeader{}, layout.InstanceHeader{}},
	{wire.CounterData{}, layout.CounterData{}},
	{wire.CounterIdentifier{}, layout.CounterIdentifier{}},
	{wire.CounterSetRegInfo{}, layout.CounterSetRegInfo{}},
	{wire.CounterRegInfo{}, layout.CounterRegInfo{}},
	{wire.StringBuffer{}, layout.StringBuffer{}},
	{wire.StringCounter{}, layout.StringCounter{}},
	{wire.CounterSetInfo{}, layout.CounterSetInfo{}},
	{wire.CounterInfo{}, layout.CounterInfo{}},
	{wire.CounterSetInstance{}, layout.CounterSetInstance{}},
}

// pattern returns n bytes that are all different, most with the sign bit set.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(0xF1 - i)
	}
	return b
}

// decode reads b with encoding/binary into a struct of the type of r, and returns the struct.
func decode(t *testing.T, r appender, b []byte) reflect.Value {
	t.Helper()
	v := reflect.New(reflect.TypeOf(r))
	if n, err := binary.Decode(b, binary.LittleEndian, v.Interface()); err != nil || n != len(b) {
		t.Fatalf("%T: %d bytes of %d, %v", r, n, len(b), err)
	}
	return v.Elem()
}

// TestFields compares each struct with the record table, and the accessors of the view with encoding/binary.
// The tests of package layout compare the table with a C compiler.
func TestFields(t *testing.T) {
	t.Parallel()
	table := slices.Concat(layout.Winperf, layout.Perflib)
	table = slices.DeleteFunc(table, func(r *layout.Record) bool { return r.Name == "" }) // records without Go code
	if len(table) != len(records) {
		t.Fatalf("the tests have %d of %d records", len(records), len(table))
	}
	for _, r := range records {
		name := reflect.TypeOf(r.wire).Name()
		i := slices.IndexFunc(table, func(record *layout.Record) bool {
			return record.View == name || record.View == "" && record.Name == name
		})
		if i < 0 {
			t.Errorf("%T is not in the table", r.wire)
			continue
		}
		record := table[i]
		b := pattern(int(record.Size))
		read := decode(t, r.wire, b)
		var want, got []string
		for f := range read.Type().Fields() {
			got = append(got, f.Name+" "+typeName(f.Type))
		}
		for i, f := range record.Fields {
			name := strings.ToUpper(f.Name[:1]) + f.Name[1:]
			want = append(want, strings.TrimSpace(name+" "+f.Type.Go()+" "+f.Go))
			if r.view != nil && i < read.NumField() {
				checkAccessor(t, view(r.view, b).MethodByName(name), f, read.Field(i))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%T (-table +struct):\n%s", r.wire, diff)
		}
	}
}

// typeName returns the type of a field as in the record table: the Go type and, if the values have names, the name
// of their type.
func typeName(t reflect.Type) string {
	if t.Name() == "" || t.Kind() == reflect.Struct || t.PkgPath() == "" {
		return strings.Replace(strings.TrimPrefix(t.String(), "layout."), "]uint8", "]byte", 1)
	}
	return t.Kind().String() + " " + t.Name()
}

// view returns a view of b that has the type of v.
func view(v any, b []byte) reflect.Value {
	filled := reflect.New(reflect.TypeOf(v)).Elem()
	filled.FieldByName("Span").Set(reflect.ValueOf(layout.NewSpan(b, 0)))
	return filled
}

// checkAccessor checks that an accessor returns the value. Padding has no accessor.
func checkAccessor(t *testing.T, accessor reflect.Value, f layout.Field, want reflect.Value) {
	t.Helper()
	if isPadding := f.Role.Kind == layout.Padding; isPadding || !accessor.IsValid() {
		if isPadding == accessor.IsValid() {
			t.Errorf("%s: the view has an accessor: %t", f.Name, accessor.IsValid())
		}
		return
	}
	if got := accessor.Call(nil)[0]; got.Interface() != want.Interface() {
		t.Errorf("%s: %v, want %v", f.Name, got, want)
	}
}

// TestGet checks that Get reads what encoding/binary reads, and ignores later bytes.
func TestGet(t *testing.T) {
	t.Parallel()
	b := pattern(200)
	var block wire.DataBlock
	block.Get(b)
	var object wire.Object
	object.Get(b)
	for _, got := range []appender{block, object} {
		if want := decode(t, got, b[:binary.Size(got)]).Interface(); got != want {
			t.Errorf("%T (-want +got):\n%s", got, cmp.Diff(want, got))
		}
	}
}

// TestPut checks that Append writes exactly the bytes of the record. If the struct has a method Put, Put must write the
// same bytes. If the buffer is one byte too short, Put must panic before it writes.
func TestPut(t *testing.T) {
	t.Parallel()
	for _, r := range records {
		b := pattern(binary.Size(r.wire))
		read := decode(t, r.wire, b).Interface().(appender)
		for _, prefix := range []string{"", "keep me"} {
			dst := append(make([]byte, 0, 200), prefix...)
			if diff := cmp.Diff(append([]byte(prefix), b...), read.Append(dst)); diff != "" {
				t.Errorf("%T after %q (-want +got):\n%s", r.wire, prefix, diff)
			}
		}
		in, ok := read.(interface{ Put(b []byte) })
		if !ok {
			continue // the record is written only at the end of a buffer
		}
		got := bytes.Repeat([]byte{0x5A}, len(b)+3)
		in.Put(got)
		if diff := cmp.Diff(append(slices.Clone(b), 0x5A, 0x5A, 0x5A), got); diff != "" {
			t.Errorf("%T (-want +got):\n%s", r.wire, diff)
		}
		short := make([]byte, len(b)-1)
		if !panics(func() { in.Put(short) }) || !bytes.Equal(short, make([]byte, len(short))) {
			t.Errorf("%T: no panic or a byte written into a buffer that is one byte too short", r.wire)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
