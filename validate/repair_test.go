package validate_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestRepairWrongLength checks that a wrong TotalByteLength is one finding, whatever its value,
// and that the objects after it are checked: the last object has a fault of its own.
func TestRepairWrongLength(t *testing.T) {
	t.Parallel()
	const none = 9 // index of no object
	for _, test := range []struct {
		reason string
		object int
		total  func(uint32) uint32
		rule   string
		other  int // another object whose length is 0
	}{
		{"8 bytes of the next one are taken for its own", 0, func(n uint32) uint32 { return n + 8 }, "obj-multi-length", none},
		{"its last block leads out of it", 0, func(n uint32) uint32 { return n - 8 }, "obj-multi-length", none},
		{"it ends in its first instance", 0, func(n uint32) uint32 { return n - 60 }, "obj-multi-length", none},
		{"0 is not a valid length", 0, func(uint32) uint32 { return 0 }, "obj-total-length-min", none},
		{"a length that the structure alone has not", 1, func(uint32) uint32 { return 63 }, "obj-total-length-min", none},
		{"it leads out of the input", 0, func(uint32) uint32 { return 1 << 31 }, "obj-total-length-bound", none},
		{"the greatest there is", 1, func(uint32) uint32 { return 1<<32 - 1 }, "obj-total-length-bound", none},
		{"the one block leads out of it", 1, func(n uint32) uint32 { return n - 8 }, "obj-single-length", none},
		{"two in a row", 0, func(n uint32) uint32 { return n - 8 }, "obj-multi-length", 1},
	} {
		for _, kind := range layout.V1Kinds() {
			t.Run(fmt.Sprintf("%s %s %v", test.rule, test.reason, kind), func(t *testing.T) {
				t.Parallel()
				b := four(t, kind)
				total := func(i int) []byte {
					part, err := layout.Find(kind, b, layout.Path{}.At("object", i).Field("TotalByteLength"))
					if err != nil {
						t.Fatal(err)
					}
					return part.Bytes()
				}
				at := total(test.object)
				var second []byte
				if test.other != none {
					second = total(test.other)
				}
				scale, err := layout.Find(kind, b, layout.Path{}.At("object", 3).At("counter", 0).Field("DefaultScale"))
				if err != nil {
					t.Fatal(err)
				}
				binary.LittleEndian.PutUint32(at, test.total(binary.LittleEndian.Uint32(at)))
				binary.LittleEndian.PutUint32(scale.Bytes(), 99)
				want := []string{fmt.Sprintf("%s object[%d].TotalByteLength", test.rule, test.object)}
				if second != nil {
					clear(second)
					want = append(want, fmt.Sprintf("obj-total-length-min object[%d].TotalByteLength", test.other))
				}
				want = append(want, "ctr-default-scale object[3].counter[0].DefaultScale")
				var got []string
				for _, f := range validate.Bytes(kind, b, validate.Context{}).Findings {
					got = append(got, f.Rule.Name+" "+f.Path.String())
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestWrongLengthOffsetLooksLikeObject has lengths that end at values that look like an object.
// The length is reported, whatever those values are.
func TestWrongLengthOffsetLooksLikeObject(t *testing.T) {
	t.Parallel()
	words := func(total uint32) (list []uint64) { // the head of an object without counters and instances
		b := wire.ObjectType{TotalByteLength: total, DefinitionLength: 64, HeaderLength: 64, DefaultCounter: -1, NumInstances: layout.PERF_NO_INSTANCES}.Append(nil)
		for ; len(b) > 0; b = b[8:] {
			list = append(list, binary.LittleEndian.Uint64(b))
		}
		return list
	}
	const counters = 24
	for _, tt := range []struct {
		reason string
		values []uint64 // of the second object
	}{
		{"no length, and no block after it", append(words(0), 4)},
		{"no length, and a block before nothing", append(words(0), 8, 1)},
		{"a length that leads to nothing, and a block before what looks like one too", slices.Concat(words(64+8+64+8), []uint64{8}, words(0), []uint64{8, 1})},
		{"a length that leads to nothing, and a block that ends there", slices.Concat(words(64+8), []uint64{8, 1})},
	} {
		second := builder.NewObject(20)
		for i := range uint32(counters) {
			second.Counter(100+2*i, layout.PERF_COUNTER_LARGE_RAWCOUNT)
		}
		objects := builder.Objects{*builder.NewObject(10).Counter(12, layout.PERF_COUNTER_RAWCOUNT).Instance("first", 1),
			*second.Single(append(tt.values, make([]uint64, counters-len(tt.values))...)...),
			*builder.NewObject(30).Counter(32, layout.PERF_COUNTER_RAWCOUNT).Instance("third", 1)}
		b, err := builder.DataBlock{Objects: objects}.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		place := func(path string) layout.Part {
			at, err := layout.ParsePath(path)
			if err != nil {
				t.Fatal(err)
			}
			part, err := layout.Find(layout.DataBlockKind, b, at)
			if err != nil {
				t.Fatal(err)
			}
			return part
		}
		value, total := place("object[1].block.value[0]"), place("object[0].TotalByteLength")
		right := binary.LittleEndian.Uint32(total.Bytes())
		binary.LittleEndian.PutUint32(total.Bytes(), uint32(value.Off()-total.Off()))
		want := []string{fmt.Sprintf("obj-multi-length object[0].TotalByteLength: TotalByteLength is %d, must be %d, where the last instance ends", value.Off()-total.Off(), right)}
		if diff := cmp.Diff(want, findings(layout.DataBlockKind, b)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// four returns four objects, the second without instances.
func four(t *testing.T, kind layout.Kind) []byte {
	t.Helper()
	var objects builder.Objects
	for i := range uint32(4) {
		o := builder.NewObject(10+10*i).Counter(12+10*i, layout.PERF_COUNTER_RAWCOUNT)
		if i == 1 {
			o.Single(1)
		} else {
			o.Instance("first", 1).Instance("second", 2)
		}
		objects = append(objects, *o)
	}
	encode := objects.MarshalBinary
	if kind == layout.DataBlockKind {
		encode = (&builder.DataBlock{SystemName: "HOST", Objects: objects}).MarshalBinary
	}
	b, err := encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestWrongLengthInside checks that one wrong length between valid records is the only finding,
// and that the finding gives the right length.
func TestWrongLengthInside(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		path   string
		to     uint32
		want   string
	}{
		{"padding counted twice", "object[2].instance[0].ByteLength", 48, "inst-length-bound object[2].instance[0].ByteLength: ByteLength is 48, must be 40, after which the counter block follows"},
		{"no room for the whole name", "object[2].instance[0].ByteLength", 32, "inst-length-bound object[2].instance[0].ByteLength: ByteLength is 32, must be 40, after which the counter block follows"},
		{"no padding", "object[2].instance[1].ByteLength", 38, "inst-length-align object[2].instance[1].ByteLength: ByteLength is 38, must be 40, a multiple of 8 after which the counter block follows"},
		{"less than the structure", "object[2].instance[1].ByteLength", 8, "inst-length-min object[2].instance[1].ByteLength: ByteLength is 8, must be 40, after which the counter block follows"},
		{"past the end", "object[2].instance[1].ByteLength", 1 << 30, "inst-length-bound object[2].instance[1].ByteLength: ByteLength is 1073741824, must be 40, after which the counter block follows"},
		{"a block that takes bytes of the next instance", "object[2].instance[0].block.ByteLength", 16, "blk-length-bound object[2].instance[0].block.ByteLength: ByteLength is 16, must be 8, after which the next instance or the end of the object follows"},
		{"the last block past the end", "object[2].instance[1].block.ByteLength", 24, "blk-length-bound object[2].instance[1].block.ByteLength: ByteLength is 24, must be 8, after which the next instance or the end of the object follows"},
		{"a block without a length", "object[2].instance[1].block.ByteLength", 0, "blk-length-min object[2].instance[1].block.ByteLength: ByteLength is 0, must be 8, after which the next instance or the end of the object follows"},
		{"a block of an odd length", "object[2].instance[0].block.ByteLength", 13, "blk-length-align object[2].instance[0].block.ByteLength: ByteLength is 13, must be 8, a multiple of 8 after which the next instance or the end of the object follows"},
		{"a name that starts too late", "object[2].instance[0].NameOffset", 30, "inst-name-range object[2].instance[0].NameOffset: NameOffset is 30, must be 24 to 28, so that the 12 bytes of the name are inside ByteLength"},
		{"a definition that takes bytes of the next", "object[2].counter[0].ByteLength", 48, "ctr-byte-length-min object[2].counter[0].ByteLength: ByteLength is 48, must be 40: DefinitionLength has room for no more in each"},
		{"a header that is longer than the rest allows", "object[2].HeaderLength", 80, "obj-num-counters object[2].HeaderLength: HeaderLength is 80, must be 64, after which DefinitionLength has room for the 1 of NumCounters"},
		{"one more instance than there are", "object[2].NumInstances", 3, "inst-truncated object[2].NumInstances: NumInstances is 3, must be 2, which fill TotalByteLength"},
		{"instances that are denied", "object[2].NumInstances", 1<<32 - 1, "obj-single-slack object[2].NumInstances: NumInstances is -1, must be 2, the instances that fill TotalByteLength\n" +
			"blk-slack object[2].block.ByteLength: ByteLength is 40, must be 8, which the values need"},
		{"the second of the last two objects swallows bytes", "object[2].TotalByteLength", 208, "obj-multi-length object[2].TotalByteLength: TotalByteLength is 208, must be 200, where the last instance ends"},
		{"the last object is too short", "object[3].TotalByteLength", 192, "obj-multi-length object[3].TotalByteLength: TotalByteLength is 192, must be 200, where the last instance ends"},
		{"the last object is shorter than its definitions", "object[3].TotalByteLength", 96, "obj-multi-length object[3].TotalByteLength: TotalByteLength is 96, must be 200, where the last instance ends"},
	} {
		for _, kind := range layout.V1Kinds() {
			t.Run(fmt.Sprintf("%s %v", test.reason, kind), func(t *testing.T) {
				t.Parallel()
				b := four(t, kind)
				path, err := layout.ParsePath(test.path)
				if err != nil {
					t.Fatal(err)
				}
				part, err := layout.Find(kind, b, path)
				if err != nil {
					t.Fatal(err)
				}
				binary.LittleEndian.PutUint32(part.Bytes(), test.to)
				var got []string
				for _, f := range validate.Bytes(kind, b, validate.Context{}).Findings {
					got = append(got, f.Rule.Name+" "+f.Path.String()+": "+f.Message())
				}
				if diff := cmp.Diff(strings.Split(test.want, "\n"), got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestWrongHeaderLength checks that a HeaderLength that is not the offset of an object is one
// finding, and that the objects are checked.
func TestWrongHeaderLength(t *testing.T) {
	t.Parallel()
	for _, n := range []uint32{0, 88, 96, 106, 112, 120, 144, 208, 1 << 31} {
		b := four(t, layout.DataBlockKind)
		binary.LittleEndian.PutUint32(b[24:], n)
		var got []string
		for _, f := range validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Findings {
			got = append(got, f.Rule.Name+": "+f.Message())
		}
		want := []string{fmt.Sprintf("data-header-length: HeaderLength is %d, must be 104, where the first object starts", n)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d (-want +got):\n%s", n, diff)
		}
	}
}

// TestRepairLengthOfEmptyObjects checks that the length of objects without bytes after their
// definitions is repaired too.
func TestRepairLengthOfEmptyObjects(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		instances int32
		by        int32
		rule      string
	}{
		{0, 8, "obj-empty-length"},
		{0, -8, "obj-empty-length"},
		{layout.PERF_METADATA_MULTIPLE_INSTANCES, 8, "obj-metadata-body"},
		{layout.PERF_METADATA_MULTIPLE_INSTANCES, -8, "obj-metadata-body"},
	} {
		empty := builder.NewObject(10).Counter(12, layout.PERF_COUNTER_RAWCOUNT)
		empty.NumInstances = test.instances
		last := builder.NewObject(20).Counter(22, layout.PERF_COUNTER_RAWCOUNT).Instance("one", 1)
		b, err := builder.Objects{*empty, *last}.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		n := binary.LittleEndian.Uint32(b) + uint32(test.by)
		binary.LittleEndian.PutUint32(b, n)
		var got []string
		for _, f := range validate.Bytes(layout.ObjectsKind, b, validate.Context{}).Findings {
			got = append(got, fmt.Sprintf("%s %v %s", f.Rule.Name, f.Path, f.Got))
		}
		want := []string{fmt.Sprintf("%s object[0].TotalByteLength TotalByteLength is %d", test.rule, n)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d by %d (-want +got):\n%s", test.instances, test.by, diff)
		}
	}
}
