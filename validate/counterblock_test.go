package validate_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// TestBlockLengths has consecutive instances whose counter blocks have the given lengths.
func TestBlockLengths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		at     uint32 // CounterOffset of the one value, of 4 bytes
		blocks []uint32
		want   string // short form: the instance and the finding
	}{
		{"as long as the value needs", 4, []uint32{8, 8}, ""},
		{"rounded up", 8, []uint32{16, 16}, ""},
		{"just as long, without rounding", 12, []uint32{16, 16}, ""},
		{"eight bytes more, in each", 4, []uint32{16, 16}, "0 slack, 1 slack"},
		{"the second is longer", 4, []uint32{8, 16, 8}, "1 length-uniform, 1 slack"},
		{"the first is longer", 4, []uint32{16, 8}, "0 slack, 1 length-uniform"},
		{"each that is not as the first", 4, []uint32{8, 16, 24}, "1 length-uniform, 1 slack, 2 length-uniform, 2 slack"},
		{"too short for the value, which another rule says", 12, []uint32{8, 8}, ""},
		{"no multiple of 8", 8, []uint32{12, 12}, "0 length-align, 1 length-align"},
		{"no multiple of 8, and too long: once", 4, []uint32{12, 12}, "0 length-align, 1 length-align"},
		{"no multiple of 4 either", 4, []uint32{9, 15}, "0 length-align, 1 length-align, 1 length-uniform"},
		{"the least", 4, []uint32{4, 4}, "0 length-align, 1 length-align"},
	} {
		counter := counting[0]
		counter.CounterOffset = tt.at
		var list []testInstance
		for i, n := range tt.blocks {
			in := namedInstance(terminated(text16(string(rune('a'+i))), 0))
			in.block = n
			list = append(list, in)
		}
		b := appendObject(nil, object4000, []wire.CounterDefinition{counter}, list)
		if diff := cmp.Diff(tt.want, blockFindings(b)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestBlockOfInvalidCounters checks that blocks are not reported as too long or too short where
// a counter's offset or size is invalid. That counter has its own finding.
func TestBlockOfInvalidCounters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason   string
		typ      layout.CounterType
		size, at uint32 // of the second value
		slack    bool
	}{
		{"inside the ByteLength", raw, 4, 3, false},
		{"at the ByteLength", label, 0, 0, false},
		{"directly after the first value", raw, 4, 4, true},
		{"without bytes", raw, 0, 8, false},
		{"of too few bytes", large, 2, 8, false},
		{"of as many as the other numbers", large, 4, 4, true},
		{"a label, which needs none", label, 0, 8, true},
	} {
		counters := withTitles([]wire.CounterDefinition{counterOf(raw, 4, 4), counterOf(tt.typ, tt.size, tt.at)})
		want := ""
		if tt.slack {
			want = "0 slack"
		}
		if got := blockFindings(withBlocks(counters, 16)); got != want {
			t.Errorf("%s: %q, want %q", tt.reason, got, want)
		}
	}
}

// blockFindings returns the findings of the first object's counter blocks, in short form.
func blockFindings(b []byte) string {
	short := strings.NewReplacer("blk-", "", "object[0].instance[", "", "].block.ByteLength", "")
	var list []string
	for _, line := range findingPaths(layout.ObjectsKind, b, "blk-") {
		rule, path, _ := strings.Cut(short.Replace(line), " ")
		list = append(list, path+" "+rule)
	}
	return strings.Join(list, ", ")
}

// TestBlockBounds changes the length of one of two blocks of 8 bytes. The last block ends the
// object.
func TestBlockBounds(t *testing.T) {
	t.Parallel()
	sound := appendObject(nil, object4000, counting, []testInstance{namedInstance(terminated(text16("a"), 0)), namedInstance(terminated(text16("b"), 0))})
	last := len(sound) - 8
	for _, tt := range []struct {
		reason string
		length uint32
		want   string
	}{
		{"nothing is wrong", 8, ""},
		{"0 is not a valid length", 0, "1 length-min"},
		{"less than the field", 3, "1 length-min"},
		{"the field alone", 4, "1 length-align"},
		{"a byte more than there is", 9, "1 length-bound"},
		{"the largest", 0xFFFFFFFF, "1 length-bound"},
		{"as an int32 less than 0", 0x80000000, "1 length-bound"},
	} {
		b := append([]byte(nil), sound...)
		binary.LittleEndian.PutUint32(b[last:], tt.length)
		if diff := cmp.Diff(tt.want, blockFindings(b)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestBlockTruncated removes bytes from the block of an object without instances.
func TestBlockTruncated(t *testing.T) {
	t.Parallel()
	sound := appendObject(nil, object4000, counting, nil)
	binary.LittleEndian.PutUint32(sound[40:], 0xFFFFFFFF)
	for n, want := range map[int]string{
		0: "blk-truncated object[0].block",
		3: "blk-truncated object[0].block",
		4: "blk-length-min object[0].block.ByteLength", // it is 0
	} {
		b := append(append([]byte(nil), sound...), make([]byte, n)...)
		binary.LittleEndian.PutUint32(b, uint32(len(b)))
		if diff := cmp.Diff([]string{want}, findingPaths(layout.ObjectsKind, b, "blk-")); diff != "" {
			t.Errorf("with %d bytes of a block (-want +got):\n%s", n, diff)
		}
	}
}
