package validate_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// A TotalByteLength that is wrong is one finding, wherever it leads, and what stands
// behind the object is judged all the same: the last object has a fault of its own.
func TestWrongLengthIsSeenThrough(t *testing.T) {
	t.Parallel()
	const none = 9 // no object
	for _, test := range []struct {
		reason string
		object int
		total  func(uint32) uint32
		rule   string
		other  int // another whose length is 0
	}{
		{"8 bytes of the next one are taken for its own", 0, func(n uint32) uint32 { return n + 8 }, "obj-multi-length", none},
		{"its last block leads out of it", 0, func(n uint32) uint32 { return n - 8 }, "obj-multi-length", none},
		{"it ends in its first instance", 0, func(n uint32) uint32 { return n - 60 }, "obj-multi-length", none},
		{"0 leads nowhere", 0, func(uint32) uint32 { return 0 }, "obj-total-length-min", none},
		{"a length that the structure alone has not", 1, func(uint32) uint32 { return 63 }, "obj-total-length-min", none},
		{"it leads out of the input", 0, func(uint32) uint32 { return 1 << 31 }, "obj-total-length-bound", none},
		{"the greatest there is", 1, func(uint32) uint32 { return 1<<32 - 1 }, "obj-total-length-bound", none},
		{"the one block leads out of it", 1, func(n uint32) uint32 { return n - 8 }, "obj-single-length", none},
		{"two in a row", 0, func(n uint32) uint32 { return n - 8 }, "obj-multi-length", 1},
	} {
		for _, kind := range layout.Kinds() {
			t.Run(fmt.Sprintf("%s %s %v", test.rule, test.reason, kind), func(t *testing.T) {
				t.Parallel()
				b := four(t, kind)
				index := layout.NewIndex(kind, b)
				total := func(i int) []byte {
					part, err := index.Find(layout.Path{}.At("object", i).Field("TotalByteLength"))
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
				scale, err := index.Find(layout.Path{}.At("object", 3).At("counter", 0).Field("DefaultScale"))
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
