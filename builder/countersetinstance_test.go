package builder_test

import (
	"testing"

	"github.com/perfblock/perfblock/builder"
)

func TestSetInstanceLosses(t *testing.T) {
	t.Parallel()
	plain := builder.CounterSetInstance{CounterSetGuid: processors, InstanceId: 7, Name: "ab", Values: []uint64{1, 2}} // 32 + 16 + 6 + 2
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		left   func(in *builder.CounterSetInstance)
	}{
		{"bytes after the instance", appendZeros, "rest", nil},
		{"padding", func(b []byte) []byte { b[55] = 1; return b }, "padding", nil},
		{"no padding", insert(54, -2, 16), "dwSize", nil},
		{"more padding", insert(56, 8, 16), "dwSize", nil},
		{"bytes between the values and the name", insert(48, 4, 16, 24), "InstanceNameOffset dwSize", nil},
		{"a name without bytes, not even a NUL", inOrder(putDWORD(28, 0), putDWORD(48, 0), putDWORD(52, 0)), "InstanceNameSize dwSize", func(in *builder.CounterSetInstance) { in.Name = "" }},
		{"a name without bytes at the end of the instance", inOrder(putDWORD(24, 56), putDWORD(28, 0)), "InstanceNameSize", func(in *builder.CounterSetInstance) {
			in.Name, in.Values = "", []uint64{1, 2, 'b'<<16 | 'a'}
		}},
		{"a text after a NUL", putDWORD(48, 'a'), "Name", func(in *builder.CounterSetInstance) { in.Name = "a" }},
		{"an unpaired surrogate", putDWORD(48, 'b'<<16|0xd800), "Name", func(in *builder.CounterSetInstance) { in.Name = "\uFFFDb" }},
	} {
		in := plain
		b, err := in.MarshalBinary()
		if err != nil || len(b) != 56 {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		if test.left != nil {
			test.left(&in)
		}
		checkLosses(t, test.reason, test.damage(b), test.path, in, builder.CounterSetInstance{InstanceId: 4711})
	}
	b, err := plain.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	err = new(builder.CounterSetInstance).UnmarshalBinary(insert(48, 4, 16, 24)(b))
	if want := "InstanceNameOffset at 0x18: is 52, must be 48, where the last value ends"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestSetInstanceBytes checks that instances encode to the expected bytes, and that the bytes decode
// to the same instances.
func TestSetInstanceBytes(t *testing.T) {
	t.Parallel()
	checkEncoding(t, builder.CounterSetInstance{CounterSetGuid: processors, InstanceId: 11, Name: "11", Values: []uint64{42, 0x1122334455667788}}, hexBytes(t, processorsBytes+`
38 00 00 00  0b 00 00 00                             dwSize 32 + 2 * 8 + 6 and padding = 56, id 11
30 00 00 00  06 00 00 00                             the name at 32 + 2 * 8, of 6 bytes
2a 00 00 00 00 00 00 00  88 77 66 55 44 33 22 11
31 00 31 00 00 00  00 00                             1 1 NUL
`), new(builder.CounterSetInstance))
	checkEncoding(t, builder.CounterSetInstance{}, hexBytes(t, `
00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00
28 00 00 00  00 00 00 00  20 00 00 00  02 00 00 00   dwSize 40, the name at 32, of 2 bytes
00 00  00 00 00 00 00 00
`), new(builder.CounterSetInstance))
}
