package validate_test

import (
	"strings"
	"testing"

	"github.com/perfblock/perfblock/validate"
)

// TestSingleBody checks the counter block of an object without instances.
func TestSingleBody(t *testing.T) {
	t.Parallel()
	checkObjects(t, []objectRow{
		{"4 bytes are left, which hold the ByteLength of the block", singleSpec, []string{"object[0].TotalByteLength: 148", "cut: {from: 148, to: end}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 148, must be a multiple of 8",
				"obj-single-length object[0].block: TotalByteLength leaves 4 bytes for the counter block, must leave at least 8",
			}},
		{"3 bytes are left, which are too few for a block", singleSpec, []string{"object[0].TotalByteLength: 147", "cut: {from: 147, to: end}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 147, must be a multiple of 8",
				"blk-truncated object[0].block",
			}},
		{"ByteLength of the block omits its padding", singleSpec, []string{"object[0].block.ByteLength: 12"},
			[]string{"blk-length-align object[0].block.ByteLength"}},
		{"ByteLength omits the padding of a block that is longer than its values", singleSpec,
			[]string{"object[0].block.ByteLength: 20", "object[0].TotalByteLength: 168", "append: {hex: " + zeros(8) + "}"},
			[]string{"blk-length-align object[0].block.ByteLength"}},
		{"ByteLength is too small for the values, and TotalByteLength is right", singleSpec, []string{"object[0].block.ByteLength: 8"},
			[]string{"ctr-offset-range object[0].counter[1].CounterOffset"}},
		{"ByteLength is too small for the values, and TotalByteLength is too large", singleSpec,
			[]string{"object[0].block.ByteLength: 8", "object[0].TotalByteLength: 168", "append: {hex: " + zeros(8) + "}"},
			[]string{
				"obj-single-slack object[0].TotalByteLength: TotalByteLength is 168, must be 152, where the counter block ends",
				"ctr-offset-range object[0].counter[1].CounterOffset",
			}},
		{"TotalByteLength ends neither with the block nor with the input", singleSpec, []string{"object[0].TotalByteLength: 164", "append: {hex: " + zeros(8) + "}"},
			[]string{"obj-single-length object[0].TotalByteLength: TotalByteLength is 164, must be 168, the distance to the next object or the end of the block"}},
		{"TotalByteLength is the end of a part of the block, and the next object follows the block", singleSpec + anotherSpec, []string{"object[0].TotalByteLength: 152"},
			[]string{"obj-single-length object[0].TotalByteLength: TotalByteLength is 152, must be 160, where the counter block ends"}},
	})
}

// TestBodyOfInstances checks NumInstances against the instances and blocks after the
// definitions.
func TestBodyOfInstances(t *testing.T) {
	t.Parallel()
	checkObjects(t, []objectRow{
		{"8 zero bytes follow the definitions of an object without instances", emptySpec, []string{"object[0].TotalByteLength: 152", "append: {hex: " + zeros(8) + "}"},
			[]string{"obj-empty-length object[0].TotalByteLength: TotalByteLength is 152, must be 144, the DefinitionLength, because there are no instances"}},
		{"12 bytes follow that are not a counter block, because their length is not a multiple of 8", emptySpec,
			[]string{"object[0].TotalByteLength: 156", "append: {hex: '0c 00 00 00 00 00 00 00 00 00 00 00'}"},
			[]string{"obj-empty-length object[0].TotalByteLength: TotalByteLength is 156, must be 144, the DefinitionLength, because there are no instances"}},
		{"a counter block follows, and rounded up, TotalByteLength is its end", singleSpec, []string{"object[0].NumInstances: 0", "object[0].TotalByteLength: 156"},
			[]string{
				"obj-single-length object[0].TotalByteLength: TotalByteLength is 156, must be 160, where the counter block ends",
				"obj-empty-block object[0].rest: a counter block of 16 bytes follows the definitions, must not follow, because NumInstances is 0",
			}},
		{"NumInstances is 0, and two instances follow", multiSpec, []string{"object[0].NumInstances: 0"},
			[]string{"obj-empty-length object[0].NumInstances: NumInstances is 0, must be 2, the number of instances up to TotalByteLength"}},
		{"NumInstances is 0, and a counter block follows", singleSpec, []string{"object[0].NumInstances: 0"},
			[]string{"obj-empty-block object[0].rest: a counter block of 16 bytes follows the definitions, must not follow, because NumInstances is 0"}},
		{"NumInstances omits an instance of 24 bytes with a block of 4", multiSpec,
			[]string{"object[0].TotalByteLength: 268", "append: {hex: '18" + strings.Repeat(" 00", 23) + " 04 00 00 00'}"},
			[]string{"obj-multi-length object[0].NumInstances: NumInstances is 2, must be 3, the number of instances up to TotalByteLength"}},
		{"NumInstances omits an instance that has no counter block", multiSpec,
			[]string{"object[0].TotalByteLength: 264", "append: {hex: '18" + strings.Repeat(" 00", 23) + "'}"},
			[]string{"obj-multi-length object[0].TotalByteLength: TotalByteLength is 264, must be 240, where the last instance ends"}},
		{"NumInstances of the second object omits an instance that has no counter block", singleSpec + anotherSpec + "    instances: [{name: a, values: [1]}, {name: b, values: [2]}]\n",
			[]string{"object[1].TotalByteLength: 208", "append: {hex: '18" + strings.Repeat(" 00", 23) + "'}"},
			[]string{"obj-multi-length object[1].TotalByteLength: TotalByteLength is 208, must be 184, where the last instance ends"}},
		{"the block of the last instance is too long, and NumInstances is right", multiSpec, []string{"object[0].instance[1].block.ByteLength: 24"},
			[]string{"blk-length-bound object[0].instance[1].block.ByteLength"}},
		{"23 bytes are too few for an instance", emptySpec,
			[]string{"object[0].TotalByteLength: 172", "append: {hex: '17" + strings.Repeat(" 00", 22) + " 05 00 00 00 00'}"},
			[]string{"obj-empty-length object[0].TotalByteLength: TotalByteLength is 172, must be 144, the DefinitionLength, because there are no instances"}},
		{"28 bytes are enough for an instance and its counter block", emptySpec,
			[]string{"object[0].NumInstances: 1", "object[0].TotalByteLength: 172", "append: {hex: '18" + strings.Repeat(" 00", 23) + " 04 00 00 00'}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 172, must be a multiple of 8",
				"ctr-offset-range object[0].counter[0].CounterOffset",
				"ctr-offset-range object[0].counter[1].CounterOffset",
				"blk-length-align object[0].instance[0].block.ByteLength",
			}},
		{"TotalByteLength has room for three instances, but only two follow", multiSpec, []string{"object[0].NumInstances: 3"},
			[]string{"inst-truncated object[0].NumInstances"}},
		{"TotalByteLength has no room for four instances, and the ByteLength of an instance is wrong", multiSpec,
			[]string{"object[0].NumInstances: 4", "object[0].instance[1].ByteLength: 8"},
			[]string{"obj-instance-count-bound object[0].NumInstances: NumInstances is 4, must be at most 3, because TotalByteLength has no space for more instances"}},
		{"TotalByteLength has no room for four instances", multiSpec, []string{"object[0].NumInstances: 4"},
			[]string{"obj-instance-count-bound object[0].NumInstances: NumInstances is 4, must be 2, the number of instances up to TotalByteLength"}},
	})
}

// TestUnexpectedMetadata checks that metadata in a result causes a finding if the query did not ask for metadata.
func TestUnexpectedMetadata(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		query   string
		unasked bool
		reason  string
	}{
		{"", true, "an empty query asks for all values"},
		{"Global", true, "the query Global asks for all values"},
		{"260 6", true, "numbers ask for the values of these objects"},
		{"Global Metadata", true, "Metadata is not the first word"},
		{"Metadat", true, "the word is too short"},
		{"OLD_Global", true, "the query asks for values of V1 providers"},
		{"OLD_", true, "no word follows OLD_"},
		{"MetadataGlobal", false, "the documented query for metadata"},
		{"Metadata", false, "the shortest query for metadata"},
		{"metadataCOSTLY", false, "the case of the letters is ignored"},
		{"Metadata Global", false, "the query has a second word"},
		{"  MetadataGlobal", false, "leading spaces are ignored"},
		{"old_MetadataGlobal", false, "the query asks for metadata of V1 providers"},
	} {
		got := objectFindings(t, metadataSpec, nil, validate.Context{Query: &tt.query})
		if (len(got) == 1) != tt.unasked {
			t.Errorf("%q: %v: %s", tt.query, got, tt.reason)
		}
	}
	if got := objectFindings(t, metadataSpec, nil, validate.Context{}); got != nil {
		t.Errorf("findings without a query: %v", got)
	}
	if got := objectFindings(t, singleSpec, nil, validate.Context{Query: new(string)}); got != nil {
		t.Errorf("findings in an object with values: %v", got)
	}
}
