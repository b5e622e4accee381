package builder_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// FuzzBinding checks that a binding writes the same bytes as Fill.Values and Refresh.Values, and
// reads the values back.
func FuzzBinding(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33})
	f.Add([]byte(strings.Repeat("\xff", 80)))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		testBinding[oneRun](t, data)
		testBinding[withGaps](t, data)
		testBinding[withAtomics](t, data)
		testBinding[withNarrow](t, data)
		testBinding[withOffsets](t, data)
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
		packed.Counters[i].CounterOffset = 0 // encoding computes the offset
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
		shift := len(data) % 9 // moves the block, so that the values in it are not always aligned
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

// setFields sets the counters of a struct to numbers from data and returns the numbers.
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
