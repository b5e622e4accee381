package spec_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
)

// twoInstances is the text of an object with one counter and two instances. The offsets are: object 0, counter 64,
// instances 104 and 144, counter blocks 136 and 184.
const twoInstances = `kind: objects
objects:
- ObjectNameTitleIndex: 2
  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}]
  instances: [{name: a, values: [1]}, {name: abcd, values: [2]}]
patches:
`

// TestPatches checks the bytes of a block with patches of each operation.
func TestPatches(t *testing.T) {
	t.Parallel()
	text, _, _ := strings.Cut(twoInstances, "patches:")
	whole := build(t, parse(t, "", []byte(text)))
	if len(whole) != 192 {
		t.Fatalf("%d bytes", len(whole))
	}
	set := func(at int, b ...byte) []byte {
		out := slices.Clone(whole)
		copy(out[at:], b)
		return out
	}
	le := binary.LittleEndian
	for _, tt := range []struct {
		reason, patches string
		want            []byte
	}{
		{"a field", "- object[0].instance[1].NameLength: 3", set(144+20, 3, 0, 0, 0)},
		{"all bytes of a field are written", "- object[0].TotalByteLength: 0x0a0b0c0d", set(0, 0x0d, 0x0c, 0x0b, 0x0a)},
		{"the largest number of 4 bytes", "- object[0].NumCounters: 4294967295", set(32, 255, 255, 255, 255)},
		{"a negative number", "- object[0].NumInstances: -4", set(40, 0xfc, 255, 255, 255)},
		{"the smallest number of a width", "- object[0].NumCounters: -2147483648", set(32, 0, 0, 0, 0x80)},
		{"a number of 8 bytes", "- object[0].PerfTime: 0xfedcba9876543210", set(48, le.AppendUint64(nil, 0xfedcba9876543210)...)},
		{"a name of a number", "- object[0].NumInstances: PERF_NO_INSTANCES", set(40, 255, 255, 255, 255)},
		{"a detail level", "- object[0].counter[0].DetailLevel: PERF_DETAIL_WIZARD", set(64+24, 0x90, 1, 0, 0)},
		{"a counter type", "- object[0].counter[0].CounterType: PERF_SIZE_LARGE | PERF_TYPE_TEXT", set(64+28, 0, 9, 0, 0)},
		{"a value", "- object[0].instance[0].block.value[0]: 7", set(140, 7, 0, 0, 0)},
		{"the first bytes of a part", "- object[0].instance[0].padding: {hex: ff fe}", set(132, 0xff, 0xfe)},
		{"two writes to the same field, in order", "- object[0].CodePage: 1\n- object[0].CodePage: 2", set(44, 2, 0, 0, 0)},
		{"bytes at an offset", "- {at: 0x2c, hex: '01 02'}", set(44, 1, 2)},
		{"bytes from a path on, across parts", "- {at: 'object[0].CodePage', hex: 0102030405}", set(44, 1, 2, 3, 4, 5)},
		{"a part is cut", "- cut: object[0].instance[0]", slices.Concat(whole[:104], whole[136:])},
		{"a range is cut", "- cut: {from: 10, to: 'object[0].counter[0]'}", slices.Concat(whole[:10], whole[64:])},
		{"all bytes from a path on are cut", "- cut: {from: 'object[0].instance[1].block', to: end}", whole[:184]},
		{"bytes are inserted", "- insert: {at: 'object[0].instance[0]', hex: aabb}", slices.Concat(whole[:104], []byte{0xaa, 0xbb}, whole[104:])},
		{"an insert at the end comes before an append", "- insert: {at: 192, hex: aa}\n- append: {hex: bb}", slices.Concat(whole, []byte{0xaa, 0xbb})},
		{"two inserts at the same place, in order", "- insert: {at: 8, hex: aa}\n- insert: {at: 8, hex: bb}", slices.Concat(whole[:8], []byte{0xaa, 0xbb}, whole[8:])},
		{"inserts before and after a cut", "- cut: {from: 8, to: 16}\n- insert: {at: 16, hex: bb}\n- insert: {at: 8, hex: aa}", slices.Concat(whole[:8], []byte{0xaa, 0xbb}, whole[16:])},
		{"cuts that touch", "- cut: {from: 8, to: 16}\n- cut: {from: 0, to: 8}", whole[16:]},
		{"appends are applied last, in order", "- append: {hex: aa}\n- cut: {from: 8, to: end}\n- append: {hex: bb}", slices.Concat(whole[:8], []byte{0xaa, 0xbb})},
		{
			"every place is that of the unpatched block",
			"- object[0].instance[0].ByteLength: 0\n- object[0].DefinitionLength: 0\n- cut: {from: 0, to: 4}\n- object[0].instance[1].NameLength: 5",
			func() []byte {
				b := set(4, 0, 0, 0, 0)
				copy(b[104:], []byte{0, 0, 0, 0})
				copy(b[164:], []byte{5, 0, 0, 0})
				return b[4:]
			}(),
		},
	} {
		got := build(t, parse(t, "", []byte(twoInstances+tt.patches)))
		if !bytes.Equal(got, tt.want) {
			t.Errorf("%s:\n got % x\nwant % x", tt.reason, got, tt.want)
		}
	}
}

// TestPatchErrors checks the errors of Parse and Build for faulty patches, with line and column.
func TestPatchErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []errorTest{
		{"patches is a mapping", twoInstances + "  at: 0", "7:3: patches: is a mapping, must be a list"},
		{"a patch is a number", twoInstances + "- 5", `7:3: patch 1: is 5, must be a mapping such as {at: 0, hex: "00"}`},
		{"two keys", twoInstances + "- cut: object[0]\n  append: {hex: aa}", `8:3: a patch must have one key; write a separate patch for "append"`},
		{"a misspelled operation", twoInstances + "- apend: {hex: aa}", `7:3: "apend" is not a path or an operation; did you mean append?`},
		{"a misspelled operation that is similar to two", twoInstances + "- ct: {hex: aa}", `7:3: "ct" is not a path or an operation; did you mean cut?`},
		{"a number over a signature", "objects: []\npatches:\n- Signature: 3", `3:14: patch 1: Signature is not a number; write its bytes, {hex: "…"}`},
		{"not a path", twoInstances + "- object[x]: 5", `7:3: "object[x]" is not a path such as object[0].instance[1].NameLength`},
		{"a path that begins inside an object", twoInstances + "- value[0]: 5", `7:3: "value[0]" is not a path or an operation; write a path such as object[0].instance[1].NameLength, an operation (cut, insert or append), or the keys "at" and "hex"`},
		{"an unknown operation", twoInstances + "- delete: object[0]", `7:3: "delete" is not a path or an operation; write a path such as object[0].instance[1].NameLength, an operation (cut, insert or append), or the keys "at" and "hex"`},
		{"a plural", twoInstances + "- objects[0].CodePage: 5", `7:3: "objects[0].CodePage" is not a path or an operation; did you mean object[0].CodePage?`},
		{"a path without an index", twoInstances + "- object.CodePage: 5", `7:3: "object.CodePage" is not a path or an operation; did you mean object[0].CodePage?`},
		{"an index of a field of the header", twoInstances + "- Version[0]: 5", `7:3: "Version[0]" is not a path or an operation; did you mean Version?`},
		{"the plural of a list of another kind", twoInstances + "- cut: results[2].data[0]", `7:8: cut: "results[2].data[0]" is not a path or an operation; did you mean result[2].data[0]?`},
		{"a misspelled field", twoInstances + "- SystmName: {hex: aa}", `7:3: "SystmName" is not a path or an operation; did you mean SystemName?`},
		{"append without a mapping", twoInstances + "- append: aa", `7:11: append must be a mapping such as {append: {hex: "00"}}, is the text "aa"`},
		{"insert without a mapping", twoInstances + "- insert: 00", `7:11: insert must be a mapping such as {insert: {at: 0, hex: "00"}}, is 00`},
		{"append at a place", twoInstances + "- append: {at: 4, hex: aa}", `7:12: the key "at" is not allowed in an append, which adds bytes at the end of the block; use an insert to add bytes at a place`},
		{"the key offset instead of at in an insert", twoInstances + "- insert: {offset: 4, hex: aa}", `7:12: insert has no key "offset"; it has the keys at, hex`},
		{"the key offset instead of at in a write", twoInstances + "- {offset: 4, hex: aa}", `7:4: a patch that writes bytes has no key "offset"; it has the keys at, hex`},
		{"a number to cut", twoInstances + "- cut: 5", "7:8: cut: is 5, must be a path such as object[0].instance[1].NameLength, or a range such as {from: 0, to: 4}"},
		{"bytes with 0x", twoInstances + "- append: {hex: 0xaa}", `7:17: hex: is "0xaa", must be pairs of hexadecimal digits without 0x`},
		{"keys outside of insert", twoInstances + "- insert:\n  at: 4\n  hex: aa", `7:3: a patch has only one operation; make insert a separate patch in its own braces, as in {insert: {at: 0, hex: "00"}}`},
		{"a path of another kind", twoInstances + "- instance[0].NameLength: 5", "7:3: patch 1: there is no instance[0].NameLength: the block has object[0]"},
		{"an empty value", twoInstances + "- object[0].CodePage:", `7:22: object[0].CodePage: is empty, must be a whole number, or bytes, {hex: "…"}`},
		{"a word to write over text", twoInstances + "- object[0].instance[0].Name: x", `7:31: object[0].instance[0].Name: is the text "x", must be bytes, {hex: "…"}`},
		{"a word to write over the computer's name", twoInstances + "- SystemName: x", `7:15: SystemName: is the text "x", must be bytes, {hex: "…"}`},
		{"an empty patch", twoInstances + "- {}", `7:3: patch 1: is an empty mapping, must have a key such as {at: 0, hex: "00"}`},
		{"a word to write", twoInstances + "- object[0].CodePage: x", `7:23: object[0].CodePage: is the text "x", must be a whole number, or bytes, {hex: "…"}`},
		{"an unknown counter type to write", twoInstances + "- object[0].counter[0].CounterType: PERF_X", `7:37: object[0].counter[0].CounterType: "PERF_X" is not a counter type: it must be a name of winperf.h or a number of 32 bits`},
		{"no bytes", twoInstances + "- append: {hex: ''}", "7:17: hex: is empty, must have at least one byte"},
		{"an odd number of digits", twoInstances + "- {at: 0, hex: abc}", `7:16: hex: is "abc", must be pairs of hexadecimal digits`},
		{"a place below 0", twoInstances + "- {at: -1, hex: aa}", "7:8: at: -1 is before the start of the block; offsets count from 0"},
		{"the word end as the place of an insert", twoInstances + "- insert: {at: end, hex: aa}", `7:16: the key "at" is "end", must be the place of a byte; use an append to add bytes at the end of the block`},
		{"a range without end", twoInstances + "- cut: {from: 0}", "7:8: cut requires the key to"},
		{"a path to a field that does not exist", twoInstances + "- object[0].instance[1].Nam: 3", "7:3: patch 1: there is no object[0].instance[1].Nam: object[0].instance[1] has no Nam; did you mean Name?"},
		{"a path to an instance that does not exist", twoInstances + "- cut: object[0].instance[2]", "7:8: patch 1: there is no object[0].instance[2]: object[0] has instance[0] and instance[1]"},
		{"an instance of an object that does not exist", twoInstances + "- cut: object[1].instance[0]", "7:8: patch 1: there is no object[1].instance[0]: the block has object[0]"},
		{"a misspelled name in a path", twoInstances + "- cut: object[0].instnace[0]", "7:8: patch 1: there is no object[0].instnace[0]: object[0] has no instnace; did you mean instance?"},
		{"an index that is missing", twoInstances + "- cut: object[0].instance.Name", "7:8: patch 1: there is no object[0].instance.Name: instance requires an index; elements in object[0]: instance[0] and instance[1]"},
		{"an index of a field", twoInstances + "- object[0].CodePage[0]: 1", "7:3: patch 1: there is no object[0].CodePage[0]: CodePage has no index"},
		{"a part of a field", twoInstances + "- object[0].CodePage.x: 1", "7:3: patch 1: there is no object[0].CodePage.x: object[0].CodePage has no parts"},
		{"a value that does not exist", twoInstances + "- object[0].instance[0].block.value[1]: 1", "7:3: patch 1: there is no object[0].instance[0].block.value[1]: object[0].instance[0].block has value[0]"},
		{"an unknown name in a path, without a suggestion", twoInstances + "- object[0].instance[0].block.xyz: 1", "7:3: patch 1: there is no object[0].instance[0].block.xyz: object[0].instance[0].block has ByteLength, padding, value[0]"},
		{"an object in a block without objects", "kind: objects\nobjects: []\npatches:\n- cut: object[0]", "4:8: patch 1: there is no object[0]: the block has no parts"},
		{"a header field in a block without a header", twoInstances + "- Signature: 3", "7:3: patch 1: there is no Signature: the block has object[0]"},
		{"too large for 4 bytes", twoInstances + "- object[0].CodePage: 4294967296", "7:23: patch 1: 4294967296 does not fit 4 bytes, must be -2147483648 to 4294967295"},
		{"too small for 4 bytes", twoInstances + "- object[0].CodePage: -2147483649", "7:23: patch 1: -2147483649 does not fit 4 bytes, must be -2147483648 to 4294967295"},
		{"too small for 8 bytes", twoInstances + "- object[0].PerfTime: -9223372036854775809", "7:23: patch 1: -9223372036854775809 does not fit 8 bytes, must be -9223372036854775808 to 18446744073709551615"},
		{"a number over a name", twoInstances + "- object[0].instance[0].Name: 1", `7:31: patch 1: object[0].instance[0].Name is not a number; write its bytes, {hex: "…"}`},
		{"a number over an object", twoInstances + "- object[0]: 1", `7:14: patch 1: object[0] is not a number; write its bytes, {hex: "…"}`},
		{"too long for the part", twoInstances + "- object[0].instance[0].padding: {hex: '00 00 00 00 00'}", "7:40: patch 1: has 5 bytes, but object[0].instance[0].padding has 4"},
		{"bytes that end after the block", twoInstances + "- {at: 191, hex: aabb}", "7:18: patch 1: 2 bytes at offset 0xbf would end after the block, which ends at 0xc0"},
		{"a write after the end of the block", twoInstances + "- {at: 193, hex: aa}", "7:8: patch 1: offset 0xc1 is after the end of the block, 0xc0"},
		{"an insert after the end of the block", twoInstances + "- insert: {at: 193, hex: aa}", "7:16: patch 1: offset 0xc1 is after the end of the block, 0xc0"},
		{"a path to insert at", twoInstances + "- insert: {at: 'object[1]', hex: aa}", "7:16: patch 1: there is no object[1]: the block has object[0]"},
		{"an empty range", twoInstances + "- cut: {from: 5, to: 5}", "7:22: patch 1: the range starts at 0x5 and ends at 0x5, must end after its start"},
		{"a range that ends before it starts", twoInstances + "- cut: {from: 5, to: 'object[0]'}", "7:22: patch 1: the range starts at 0x5 and ends at 0x0, must end after its start"},
		{"a range that ends after the block", twoInstances + "- cut: {from: 5, to: 193}", "7:22: patch 1: offset 0xc1 is after the end of the block, 0xc0"},
		{"a range that starts after the block", twoInstances + "- cut: {from: 193, to: end}", "7:15: patch 1: offset 0xc1 is after the end of the block, 0xc0"},
		{"an empty part", twoInstances + "- cut: object[0].instance[1].block.padding", "7:8: patch 1: object[0].instance[1].block.padding has no bytes to cut"},
		{"cuts that overlap", twoInstances + "- cut: object[0]\n- cut: object[0].instance[1]", "8:8: patch 2: offset 0x90 is inside the bytes that patch 1 cuts"},
		{"an insert in a cut", twoInstances + "- insert: {at: 9, hex: aa}\n- cut: {from: 8, to: 16}", "7:16: patch 1: offset 0x9 is inside the bytes that patch 2 cuts"},
	} {
		tt.run(t, "t.yaml")
	}
}

// TestPatchFields checks that a patch ignores the fields that its Op does not use.
func TestPatchFields(t *testing.T) {
	t.Parallel()
	s := parse(t, "", []byte(twoInstances+"- cut: object[0].instance[0]\n- cut: {from: 0, to: 4}\n- object[0].CodePage: 3\n"))
	want := build(t, s)
	for i := range s.Patches {
		s.Patches[i].Bytes = []byte("bytes")
	}
	if got := build(t, s); !bytes.Equal(got, want) {
		t.Errorf("\n got % x\nwant % x", got, want)
	}
}

// TestPatchOfHeader checks patches of fields, names and padding in the header of a data block.
func TestPatchOfHeader(t *testing.T) {
	t.Parallel()
	text := "SystemName: x\nobjects: []\npatches:\n- SystemTime.wYear: 65535\n- SystemName: {hex: 7900}\n- padding: {hex: ff}\n"
	b := build(t, parse(t, "", []byte(text)))
	if at := layout.PERF_DATA_BLOCK.Field("SystemTime").At; b[at] != 255 || b[at+1] != 255 || b[88] != 'y' || b[92] != 255 {
		t.Errorf("% x", b)
	}
}

// TestManyPatches checks that thousands of patches are applied in one walk over the block: with
// a walk for each patch, the test would take very long.
func TestManyPatches(t *testing.T) {
	t.Parallel()
	n := long.Count(1000, 20_000)
	var text, patches strings.Builder
	text.WriteString("objects:\n- ObjectNameTitleIndex: 2\n  instances:\n")
	for i := range n {
		fmt.Fprintf(&text, "  - {UniqueID: %d}\n", i)
		fmt.Fprintf(&patches, "- object[0].instance[%d].UniqueID: %d\n", i, i+1)
	}
	s := parse(t, "", []byte(text.String()+"patches:\n"+patches.String()))
	block := build(t, s)
	for _, i := range []int{0, 1, n / 2, n - 1} {
		p, err := layout.Find(s.Kind(), block, layout.Path{}.At("object", 0).At("instance", i).Field("UniqueID"))
		if v, _ := p.Int(); err != nil || v != int64(i+1) {
			t.Errorf("instance %d: %d, %v", i, v, err)
		}
	}
}
