package validate_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// TestBlockLengths checks the lengths of the counter blocks of consecutive instances.
func TestBlockLengths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		at     uint32 // CounterOffset of the only value, which has 4 bytes
		blocks []uint32
		want   string // the index of the instance and the rule of each finding
	}{
		{"the blocks end with the value", 4, []uint32{8, 8}, ""},
		{"the blocks end at the next multiple of 8 after the value", 8, []uint32{16, 16}, ""},
		{"the value ends at a multiple of 8", 12, []uint32{16, 16}, ""},
		{"each block has 8 more bytes than the value requires", 4, []uint32{16, 16}, "0 slack, 1 slack"},
		{"the second block is longer than the first", 4, []uint32{8, 16, 8}, "1 length-uniform, 1 slack"},
		{"the first block is longer than the second", 4, []uint32{16, 8}, "0 slack, 1 length-uniform"},
		{"each block that differs from the first has a finding", 4, []uint32{8, 16, 24}, "1 length-uniform, 1 slack, 2 length-uniform, 2 slack"},
		{"the blocks are too short for the value, which ctr-offset-range reports", 12, []uint32{8, 8}, ""},
		{"the lengths are not multiples of 8", 8, []uint32{12, 12}, "0 length-align, 1 length-align"},
		{"the lengths are too large and not multiples of 8, which is one finding each", 4, []uint32{12, 12}, "0 length-align, 1 length-align"},
		{"the lengths are not multiples of 4", 4, []uint32{9, 15}, "0 length-align, 1 length-align, 1 length-uniform"},
		{"the blocks have only their ByteLength", 4, []uint32{4, 4}, "0 length-align, 1 length-align"},
	} {
		counter := oneCounter[0]
		counter.CounterOffset = tt.at
		var list []testInstance
		for i, n := range tt.blocks {
			in := namedInstance(terminated(text16(string(rune('a'+i))), 0))
			in.block = n
			list = append(list, in)
		}
		b := appendObject(nil, object4000, []wire.Counter{counter}, list)
		if diff := cmp.Diff(tt.want, blockFindings(b)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestBlockOfInvalidCounters checks that a counter with an invalid offset or size causes no finding
// about the length of the block.
func TestBlockOfInvalidCounters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason   string
		typ      layout.CounterType
		size, at uint32 // of the second value
		slack    bool
	}{
		{"the offset of the second value is inside ByteLength", raw, 4, 3, false},
		{"the offset of the second value is 0", label, 0, 0, false},
		{"the values are equal, so the block is too long", raw, 4, 4, true},
		{"the CounterSize of a number is 0", raw, 0, 8, false},
		{"the CounterSize of a number is 2", large, 2, 8, false},
		{"the CounterSize is valid but does not match the type", large, 4, 4, true},
		{"a label has no bytes", label, 0, 8, true},
	} {
		counters := withTitles([]wire.Counter{counterOf(raw, 4, 4), counterOf(tt.typ, tt.size, tt.at)})
		want := ""
		if tt.slack {
			want = "0 slack"
		}
		if got := blockFindings(withBlocks(counters, 16)); got != want {
			t.Errorf("%s: %q, want %q", tt.reason, got, want)
		}
	}
}

// blockFindings returns the instance index and the rule of each finding in counter blocks of the
// first object.
func blockFindings(b []byte) string {
	short := strings.NewReplacer("blk-", "", "object[0].instance[", "", "].block.ByteLength", "")
	var list []string
	for _, line := range findingPaths(layout.ObjectsKind, b, "blk-") {
		rule, path, _ := strings.Cut(short.Replace(line), " ")
		list = append(list, path+" "+rule)
	}
	return strings.Join(list, ", ")
}

// TestBlockBounds checks which rule reports a wrong ByteLength of the last counter block of an object.
func TestBlockBounds(t *testing.T) {
	t.Parallel()
	sound := appendObject(nil, object4000, oneCounter, []testInstance{namedInstance(terminated(text16("a"), 0)), namedInstance(terminated(text16("b"), 0))})
	last := len(sound) - 8
	for _, tt := range []struct {
		reason string
		length uint32
		want   string
	}{
		{"the length is right", 8, ""},
		{"0 is not a valid length", 0, "1 length-min"},
		{"the length is smaller than the field", 3, "1 length-min"},
		{"the length is 4, the size of the field", 4, "1 length-align"},
		{"the length is one byte more than the object has", 9, "1 length-bound"},
		{"the length is the largest uint32", 0xFFFFFFFF, "1 length-bound"},
		{"the length is negative as an int32", 0x80000000, "1 length-bound"},
	} {
		b := append([]byte(nil), sound...)
		binary.LittleEndian.PutUint32(b[last:], tt.length)
		if diff := cmp.Diff(tt.want, blockFindings(b)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestWrongBlockLength checks the messages for a wrong ByteLength of the second of three counter
// blocks.
func TestWrongBlockLength(t *testing.T) {
	t.Parallel()
	const distance = "the distance to the next instance or the end of the object"
	for _, tt := range []struct {
		reason            string
		first, right, got uint32 // ByteLength of the first block, right ByteLength of the others, wrong ByteLength of the second
		want              string
	}{
		{"the right length is a multiple of 8, and the value requires fewer bytes", 24, 24, 16, "blk-length-bound: ByteLength is 16, must be 24, " + distance},
		{"the length is 0", 24, 24, 0, "blk-length-min: ByteLength is 0, must be 24, " + distance},
		{"the length is smaller than the field and not a multiple of 8", 24, 24, 3, "blk-length-min: ByteLength is 3, must be 24, " + distance},
		{"the length is not a multiple of 8", 24, 24, 20, "blk-length-align: ByteLength is 20, must be 24, " + distance},
		{"only the right length is not a multiple of 8", 12, 12, 16, "blk-length-bound: ByteLength is 16, must be 12, " + distance},
		{"the length is 0, and the right length is not a multiple of 8", 12, 12, 0, "blk-length-min: ByteLength is 0, must be 12, " + distance},
		{"neither length is a multiple of 8", 12, 12, 20, "blk-length-align: ByteLength is 20, must be a multiple of 8"},
		{"neither length is a multiple of 8, and the block ends outside the object", 12, 12, 0xFFFFFFFF, "blk-length-bound: ByteLength is 4294967295, must be 12, " + distance},
		{"the right length is not the length of the first block", 32, 24, 20, "blk-length-align: ByteLength is 20, must be 24, " + distance},
	} {
		var list []testInstance
		for _, name := range []string{"a", "b", "c"} {
			in := namedInstance(terminated(text16(name), 0))
			in.block = tt.right
			list = append(list, in)
		}
		list[0].block = tt.first
		b := appendObject(nil, object4000, oneCounter, list)
		setField(t, b, "instance[1].block.ByteLength", tt.got)
		var got []string
		for _, line := range findings(layout.ObjectsKind, b) {
			if strings.Contains(line, "instance[1]") {
				got = append(got, strings.Replace(line, " object[0].instance[1].block.ByteLength", "", 1))
			}
		}
		if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestNoSpaceForBlock checks the messages for blocks whose right ByteLength has no space in the object.
func TestNoSpaceForBlock(t *testing.T) {
	t.Parallel()
	instances := func(blocks ...uint32) (list []testInstance) {
		for i, n := range blocks {
			in := namedInstance(terminated(text16(string(rune('a'+i))), 0))
			in.block = n
			list = append(list, in)
		}
		return list
	}
	cut := appendObject(nil, object4000, oneCounter, instances(16, 16))
	cut = cut[:len(cut)-12]
	binary.LittleEndian.PutUint32(cut, uint32(len(cut)))
	setField(t, cut, "instance[1].block.ByteLength", 0)
	for _, tt := range []struct {
		reason string
		block  []byte
		want   string
	}{
		{"the second block is shorter than the first, and ends with the object", appendObject(nil, object4000, oneCounter, instances(24, 16)),
			"blk-length-uniform object[0].instance[1].block.ByteLength: ByteLength is 16, must be the ByteLength of the first counter block, 24, but TotalByteLength leaves only 16 bytes"},
		{"4 bytes are left for the second block", cut,
			"blk-length-min object[0].instance[1].block.ByteLength: ByteLength is 0, must be at least 8, but TotalByteLength leaves only 4 bytes for the counter block"},
	} {
		if got := findings(layout.ObjectsKind, tt.block); !slices.Contains(got, tt.want) {
			t.Errorf("%s: %q, must contain %q", tt.reason, got, tt.want)
		}
	}
}

// TestBlockTruncated checks which rule reports an object without instances if TotalByteLength leaves
// only 0, 3 or 4 bytes for its counter block.
func TestBlockTruncated(t *testing.T) {
	t.Parallel()
	sound := appendObject(nil, object4000, oneCounter, nil)
	binary.LittleEndian.PutUint32(sound[40:], 0xFFFFFFFF)
	for n, want := range map[int]string{
		0: "blk-truncated object[0].block",
		3: "blk-truncated object[0].block",
		4: "blk-length-min object[0].block.ByteLength", // ByteLength is 0, and a multiple of 8 has no space
	} {
		b := append(append([]byte(nil), sound...), make([]byte, n)...)
		binary.LittleEndian.PutUint32(b, uint32(len(b)))
		if diff := cmp.Diff([]string{want}, findingPaths(layout.ObjectsKind, b, "blk-")); diff != "" {
			t.Errorf("with %d bytes of a block (-want +got):\n%s", n, diff)
		}
	}
}
