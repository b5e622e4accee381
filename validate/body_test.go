package validate_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/validate"
)

func TestSingleBody(t *testing.T) {
	t.Parallel()
	checkObjects(t, []objectRow{
		{"4 bytes are the start of a block", singleSpec, []string{"object[0].TotalByteLength: 148", "cut: {from: 148, to: end}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 148, must be a multiple of 8",
				"obj-single-length object[0].block.ByteLength: ByteLength is 16, must be at most 4, the bytes that TotalByteLength leaves",
			}},
		{"3 bytes are not", singleSpec, []string{"object[0].TotalByteLength: 147", "cut: {from: 147, to: end}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 147, must be a multiple of 8",
				"blk-truncated object[0].block",
			}},
		{"the padding is there and not counted, which the block's length says", singleSpec, []string{"object[0].block.ByteLength: 12"},
			[]string{"blk-length-align object[0].block.ByteLength"}},
		{"so it does of a block that is longer than it need be", singleSpec,
			[]string{"object[0].block.ByteLength: 20", "object[0].TotalByteLength: 168", "append: {hex: " + zeros(8) + "}"},
			[]string{"blk-length-align object[0].block.ByteLength"}},
		{"a block that is too short for its values and should be as long as there is room", singleSpec, []string{"object[0].block.ByteLength: 8"},
			[]string{"ctr-offset-range object[0].counter[1].CounterOffset"}},
		{"a block too short, and more room than it needs", singleSpec,
			[]string{"object[0].block.ByteLength: 8", "object[0].TotalByteLength: 168", "append: {hex: " + zeros(8) + "}"},
			[]string{
				"obj-single-slack object[0].TotalByteLength: TotalByteLength is 168, must be 152, where the counter block ends",
				"ctr-offset-range object[0].counter[1].CounterOffset",
			}},
	})
}

func TestBodyOfInstances(t *testing.T) {
	t.Parallel()
	checkObjects(t, []objectRow{
		{"no instance and no block", emptySpec, []string{"object[0].TotalByteLength: 152", "append: {hex: " + zeros(8) + "}"},
			[]string{"obj-empty-length object[0].TotalByteLength: TotalByteLength is 152, must be 144, the DefinitionLength, as there are no instances"}},
		{"a block of an odd length is none", emptySpec,
			[]string{"object[0].TotalByteLength: 156", "append: {hex: '0c 00 00 00 00 00 00 00 00 00 00 00'}"},
			[]string{"obj-empty-length object[0].TotalByteLength: TotalByteLength is 156, must be 144, the DefinitionLength, as there are no instances"}},
		{"two instances, and none is counted", multiSpec, []string{"object[0].NumInstances: 0"},
			[]string{"obj-empty-length object[0].NumInstances: NumInstances is 0, must be 2, the instances that fill TotalByteLength"}},
		{"a block and no instance", singleSpec, []string{"object[0].NumInstances: 0"},
			[]string{"obj-empty-block object[0].rest: a counter block of 16 bytes follows the definitions, must not be there, as NumInstances is 0"}},
		{"an instance of 24 bytes and a block of 4 that are not counted", multiSpec,
			[]string{"object[0].TotalByteLength: 268", "append: {hex: '18" + strings.Repeat(" 00", 23) + " 04 00 00 00'}"},
			[]string{"obj-multi-length object[0].NumInstances: NumInstances is 2, must be 3, the instances that fill TotalByteLength"}},
		{"an instance that is not counted, without a block", multiSpec,
			[]string{"object[0].TotalByteLength: 264", "append: {hex: '18" + strings.Repeat(" 00", 23) + "'}"},
			[]string{"obj-multi-length object[0].TotalByteLength: TotalByteLength is 264, must be 240, where the last instance ends"}},
		{"one after the instances of a second object", singleSpec + anotherSpec + "    instances: [{name: a, values: [1]}, {name: b, values: [2]}]\n",
			[]string{"object[1].TotalByteLength: 208", "append: {hex: '18" + strings.Repeat(" 00", 23) + "'}"},
			[]string{"obj-multi-length object[1].TotalByteLength: TotalByteLength is 208, must be 184, where the last instance ends"}},
		{"an instance's block is not that of the object", multiSpec, []string{"object[0].instance[1].block.ByteLength: 24"},
			[]string{"blk-length-bound object[0].instance[1].block.ByteLength"}},
		{"23 bytes are no instance", emptySpec,
			[]string{"object[0].TotalByteLength: 172", "append: {hex: '17" + strings.Repeat(" 00", 22) + " 05 00 00 00 00'}"},
			[]string{"obj-empty-length object[0].TotalByteLength: TotalByteLength is 172, must be 144, the DefinitionLength, as there are no instances"}},
		{"28 bytes are room for one", emptySpec,
			[]string{"object[0].NumInstances: 1", "object[0].TotalByteLength: 172", "append: {hex: '18" + strings.Repeat(" 00", 23) + " 04 00 00 00'}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 172, must be a multiple of 8",
				"ctr-offset-range object[0].counter[0].CounterOffset",
				"ctr-offset-range object[0].counter[1].CounterOffset",
				"blk-length-align object[0].instance[0].block.ByteLength",
			}},
		{"three could be there, and are not", multiSpec, []string{"object[0].NumInstances: 3"},
			[]string{"inst-truncated object[0].NumInstances"}},
		{"four could not", multiSpec, []string{"object[0].NumInstances: 4"},
			[]string{"obj-instance-count-bound object[0].NumInstances: NumInstances is 4, must be at most 3, for which TotalByteLength has room"}},
	})
}

func TestUnexpectedMetadata(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		query   string
		unasked bool
		reason  string
	}{
		{"", true, "an empty query asks for all values"},
		{"Global", true, "values"},
		{"260 6", true, "values of these objects"},
		{"Global Metadata", true, "not the first word"},
		{"Metadat", true, "a word that is cut off"},
		{"OLD_Global", true, "values of V1 providers"},
		{"OLD_", true, "no word"},
		{"MetadataGlobal", false, "as it is documented"},
		{"Metadata", false, "no more than that"},
		{"metadataCOSTLY", false, "case does not matter"},
		{"Metadata Global", false, "two words"},
		{"  MetadataGlobal", false, "spaces before it"},
		{"old_MetadataGlobal", false, "metadata of V1 providers"},
	} {
		got := objectFindings(t, metadataSpec, nil, validate.Context{Query: &tt.query})
		if (len(got) == 1) != tt.unasked {
			t.Errorf("%q: %v: %s", tt.query, got, tt.reason)
		}
	}
	if got := objectFindings(t, metadataSpec, nil, validate.Context{}); got != nil {
		t.Errorf("without a query: %v", got)
	}
	if got := objectFindings(t, singleSpec, nil, validate.Context{Query: new(string)}); got != nil {
		t.Errorf("values: %v", got)
	}
}
