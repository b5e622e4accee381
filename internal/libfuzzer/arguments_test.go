package libfuzzer

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
)

// TestEncode writes arguments out and reads them back.
func TestEncode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		args []any
		want string
	}{
		{"one text is the input", []any{[]byte("PERF")}, "PERF"},
		{"nothing is nothing", []any{""}, ""},
		{"a number stands first", []any{uint8(7), []byte("PERF")}, "\x07PERF"},
		{"wherever its place is", []any{[]byte("PERF"), uint8(7)}, "\x07PERF"},
		{"in the order of the block's own", []any{uint16(1), uint32(2), uint64(3)}, "\x01\x00\x02\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00"},
		{"a sign is kept", []any{int8(-1), int16(-2), int32(-3), int64(-4), -5}, "\xff\xfe\xff\xfd\xff\xff\xff\xfc\xff\xff\xff\xff\xff\xff\xff\xfb\xff\xff\xff\xff\xff\xff\xff"},
		{"all of 64 bits count", []any{uint64(math.MaxUint64), uint(math.MaxUint32)}, strings.Repeat("\xff", 12) + "\x00\x00\x00\x00"},
		{"a bool and floats", []any{true, false, float32(1), 1.0}, "\x01\x00\x00\x00\x80\x3f\x00\x00\x00\x00\x00\x00\xf0\x3f"},
		{"a text before the last has its length", []any{"a.yaml", []byte("objects: []")}, "\x06\x00a.yamlobjects: []"},
		{"a type of more than one byte in between", []any{[]byte("ab"), "cd", int64(3), 4}, "\x03\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x02\x00abcd"},
	} {
		got, err := Encode(tt.args...)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v; want %q", tt.why, got, err, tt.want)
		}
		var types []reflect.Type
		for _, arg := range tt.args {
			types = append(types, reflect.TypeOf(arg))
		}
		for i, arg := range decode(types, got) {
			if !reflect.DeepEqual(arg.Interface(), tt.args[i]) {
				t.Errorf("%s: argument %d is read as %#v, not %#v", tt.why, i, arg, tt.args[i])
			}
		}
	}
	if got, err := Encode(make([]byte, 1<<16), "a"); err == nil {
		t.Errorf("a length of more than two bytes is written in %d", len(got))
	}
}

// TestDecodeShort reads inputs that end early, as libFuzzer makes them.
func TestDecodeShort(t *testing.T) {
	t.Parallel()
	types := []reflect.Type{reflect.TypeFor[uint16](), reflect.TypeFor[string](), reflect.TypeFor[[]byte]()}
	for _, tt := range []struct {
		why, input string
		number     uint16
		name       string
		rest       string
	}{
		{"nothing at all", "", 0, "", ""},
		{"half a number", "\x01", 1, "", ""},
		{"a number", "\x01\x02", 0x201, "", ""},
		{"half a length", "\x01\x02\x03", 0x201, "", ""},
		{"a length and too little behind it", "\x01\x02\x03\x00ab", 0x201, "ab", ""},
		{"as much as the length says", "\x01\x02\x03\x00abc", 0x201, "abc", ""},
		{"and more", "\x01\x02\x03\x00abcd", 0x201, "abc", "d"},
		{"a length of nothing", "\x01\x02\x00\x00d", 0x201, "", "d"},
	} {
		input := []byte(tt.input)
		args := decode(types, input)
		if args[0].Interface() != tt.number || args[1].String() != tt.name || string(args[2].Bytes()) != tt.rest || args[2].IsNil() {
			t.Errorf("%s: %v %q %q", tt.why, args[0], args[1], args[2])
		}
		for i := range args[2].Bytes() {
			args[2].Bytes()[i]++
		}
		if !bytes.Equal(input, []byte(tt.input)) {
			t.Errorf("%s: what the target is given is libFuzzer's own", tt.why)
		}
	}
}
