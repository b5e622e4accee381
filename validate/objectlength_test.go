package validate_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/spec"
	"github.com/perfblock/perfblock/validate"
)

// Specs of objects to patch. With two counters the definitions end at 144. The values need 12
// bytes, so the counter block has 16.
const (
	emptySpec = `kind: objects
objects:
  - ObjectNameTitleIndex: 260
    counters: [{CounterNameTitleIndex: 262, CounterType: PERF_COUNTER_RAWCOUNT}, {CounterNameTitleIndex: 264, CounterType: PERF_COUNTER_RAWCOUNT}]
`
	singleSpec   = emptySpec + "    NumInstances: PERF_NO_INSTANCES\n    values: [1, 2]\n"
	metadataSpec = emptySpec + "    NumInstances: PERF_METADATA_NO_INSTANCES\n"
	multiSpec    = emptySpec + "    instances: [{name: a, values: [1, 2]}, {name: b, values: [3, 4]}]\n" // each instance has 32 and 16 bytes, so the object has 240
	likeSpec     = emptySpec + "    instances: [{name: a, ByteLength: 40, values: [1, 2]}]\n"            // the instance is as long as a counter definition
	anotherSpec  = "  - ObjectNameTitleIndex: 266\n    counters: [{CounterNameTitleIndex: 268, CounterType: PERF_COUNTER_RAWCOUNT}]\n"
	thirdSpec    = "  - ObjectNameTitleIndex: 270\n    counters: [{CounterNameTitleIndex: 272, CounterType: PERF_COUNTER_RAWCOUNT}]\n"
	nothingSpec  = "kind: objects\nobjects:\n  - {ObjectNameTitleIndex: 260, counters: []}\n"
)

// zeros returns n zero bytes in the syntax of patches.
func zeros(n int) string { return "'" + strings.Repeat("00 ", n) + "'" }

// objectFindings returns the rule and path of the findings in a spec with patches. For findings
// in objects it adds the message.
func objectFindings(t *testing.T, text string, patches []string, ctx validate.Context) []string {
	t.Helper()
	if len(patches) > 0 {
		text += "patches:\n  - " + strings.Join(patches, "\n  - ") + "\n"
	}
	s, err := spec.Parse("", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range validate.Bytes(s.Kind(), b, ctx).Findings {
		line := f.Rule.Name + " " + f.Path.String()
		if strings.HasPrefix(f.Rule.Name, "obj-") {
			line += ": " + f.Message()
		}
		list = append(list, line)
	}
	return list
}

type objectRow struct {
	reason        string
	spec          string
	patches, want []string
}

func checkObjects(t *testing.T, rows []objectRow) {
	t.Helper()
	for _, row := range rows {
		if diff := cmp.Diff(row.want, objectFindings(t, row.spec, row.patches, validate.Context{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.reason, diff)
		}
	}
}

func TestObjectBounds(t *testing.T) {
	t.Parallel()
	checkObjects(t, []objectRow{
		{"64 may be TotalByteLength, DefinitionLength and HeaderLength", nothingSpec, nil,
			[]string{"obj-no-counters object[0].NumCounters: NumCounters is 0, must be at least 1"}},
		{"63 bytes are none", emptySpec, []string{"append: {hex: " + zeros(63) + "}"},
			[]string{"obj-truncated object[1]: 63 bytes left for it, must be at least 64, the size of PERF_OBJECT_TYPE"}},
		{"64 are one", emptySpec, []string{"append: {hex: " + zeros(64) + "}"},
			[]string{"obj-total-length-min object[1].TotalByteLength: TotalByteLength is 0, must be at least 64"}},
		{"the second object is displaced, the third with it", singleSpec + anotherSpec + thirdSpec,
			[]string{"object[0].TotalByteLength: 164", "insert: {at: 'object[1]', hex: " + zeros(4) + "}"},
			[]string{
				"obj-single-slack object[0].TotalByteLength: TotalByteLength is 164, must be 160, where the counter block ends",
				"obj-offset-align object[1]: it starts at 164, must be a multiple of 8",
			}},
		{"nothing follows the last object, but its length is still odd", singleSpec,
			[]string{"object[0].TotalByteLength: 161", "append: {hex: '00'}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 161, must be a multiple of 8",
				"obj-single-slack object[0].TotalByteLength: TotalByteLength is 161, must be 160, where the counter block ends",
			}},
		{"a multiple of 8 bytes after the last", singleSpec, []string{"object[0].TotalByteLength: 168", "append: {hex: " + zeros(8) + "}"},
			[]string{"obj-single-slack object[0].TotalByteLength: TotalByteLength is 168, must be 160, where the counter block ends"}},
		{"inside the structure", emptySpec, []string{"object[0].HeaderLength: 63"},
			[]string{"obj-header-length-min object[0].HeaderLength: HeaderLength is 63, must be 64 to 144, the DefinitionLength"}},
		{"one after the shortest DefinitionLength", nothingSpec, []string{"object[0].HeaderLength: 65"},
			[]string{"obj-header-length-min object[0].HeaderLength: HeaderLength is 65, must be 64, the DefinitionLength"}},
		{"one after a DefinitionLength that is outside the object", emptySpec, []string{"object[0].HeaderLength: 146", "object[0].DefinitionLength: 145"},
			[]string{"obj-definition-bound object[0].DefinitionLength: DefinitionLength is 145, must be at most 144, the TotalByteLength"}},
		{"one after DefinitionLength", emptySpec, []string{"object[0].HeaderLength: 145"},
			[]string{"obj-header-length-min object[0].HeaderLength: HeaderLength is 145, must be 64 to 144, the DefinitionLength"}},
		{"no usable DefinitionLength", emptySpec, []string{"object[0].HeaderLength: 63", "object[0].DefinitionLength: 63"},
			[]string{"obj-header-length-min object[0].HeaderLength: HeaderLength is 63, must be 64"}},
		{"DefinitionLength is inside the structure", emptySpec, []string{"object[0].DefinitionLength: 63"},
			[]string{"obj-definition-bound object[0].DefinitionLength: DefinitionLength is 63, must be 64 to 144, from HeaderLength to TotalByteLength"}},
		{"both lead out of the object", emptySpec, []string{"object[0].HeaderLength: 145", "object[0].DefinitionLength: 145"},
			[]string{"obj-definition-bound object[0].DefinitionLength: DefinitionLength is 145, must be at most 144, the TotalByteLength"}},
	})
}

func TestTotalLengthAlign(t *testing.T) {
	t.Parallel()
	checkObjects(t, []objectRow{
		{"lengths that add up", multiSpec,
			[]string{"object[0].instance[1].block.ByteLength: 12", "object[0].TotalByteLength: 236", "cut: {from: 236, to: end}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 236, must be a multiple of 8",
				"blk-length-align object[0].instance[1].block.ByteLength",
				"blk-length-uniform object[0].instance[1].block.ByteLength",
			}},
		{"the finding that it is too long is more specific", multiSpec, []string{"object[0].TotalByteLength: 244", "append: {hex: " + zeros(4) + "}"},
			[]string{"obj-multi-length object[0].TotalByteLength: TotalByteLength is 244, must be 240, where the last instance ends"}},
		{"and so it does without instances", emptySpec, []string{"object[0].TotalByteLength: 148", "append: {hex: " + zeros(4) + "}"},
			[]string{"obj-empty-length object[0].TotalByteLength: TotalByteLength is 148, must be 144, the DefinitionLength, as there are no instances"}},
		{"it should be the end of a block that should not be there", singleSpec,
			[]string{"object[0].NumInstances: 0", "object[0].HeaderLength: 68", "object[0].DefinitionLength: 148", "object[0].TotalByteLength: 164", "insert: {at: 'object[0].counter[0]', hex: " + zeros(4) + "}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 164, must be a multiple of 8",
				"obj-definition-align object[0].DefinitionLength: DefinitionLength is 148, must be a multiple of 8",
				"obj-header-length-exact object[0].HeaderLength: HeaderLength is 68, must be 64",
				"obj-empty-block object[0].rest: a counter block of 16 bytes follows the definitions, must not be there, as NumInstances is 0",
			}},
		{"the block has no length it can have", singleSpec,
			[]string{"object[0].TotalByteLength: 156", "object[0].block.ByteLength: 3", "cut: {from: 156, to: end}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 156, must be a multiple of 8",
				"blk-length-min object[0].block.ByteLength",
			}},
		{"the bytes after the definitions are only a warning where NumInstances is -3", metadataSpec,
			[]string{"object[0].TotalByteLength: 148", "append: {hex: " + zeros(4) + "}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 148, must be a multiple of 8",
				"obj-metadata-single-body object[0].TotalByteLength: TotalByteLength is 148, must be 144, the DefinitionLength, as PERF_METADATA_NO_INSTANCES has no values",
			}},
		{"the same with an object after it, which is displaced", metadataSpec + anotherSpec,
			[]string{"object[0].TotalByteLength: 148", "insert: {at: 'object[1]', hex: " + zeros(4) + "}"},
			[]string{
				"obj-metadata-single-body object[0].TotalByteLength: TotalByteLength is 148, must be 144, the DefinitionLength, as PERF_METADATA_NO_INSTANCES has no values",
				"obj-offset-align object[1]: it starts at 148, must be a multiple of 8",
			}},
		{"bytes after the definitions are an error where NumInstances is -2", metadataSpec,
			[]string{"object[0].NumInstances: PERF_METADATA_MULTIPLE_INSTANCES", "object[0].TotalByteLength: 148", "append: {hex: " + zeros(4) + "}"},
			[]string{"obj-metadata-body object[0].TotalByteLength: TotalByteLength is 148, must be 144, the DefinitionLength, as PERF_METADATA_MULTIPLE_INSTANCES has no values"}},
		{"the right value is unknown", emptySpec,
			[]string{"object[0].TotalByteLength: 148", "object[0].NumInstances: 0xfffffffc", "append: {hex: " + zeros(4) + "}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 148, must be a multiple of 8",
				"obj-num-instances-domain object[0].NumInstances: NumInstances is -4, must be at least -3",
			}},
	})
}

func TestDefinitionSum(t *testing.T) {
	t.Parallel()
	gap := func(n string, size int) string {
		return "insert: {at: 'object[0].instance[0]', hex: '" + n + strings.Repeat(" 00", size-1) + "'}"
	}
	checkObjects(t, []objectRow{
		{"bytes that belong to nothing, and the body is checked", multiSpec,
			[]string{"object[0].DefinitionLength: 152", "object[0].TotalByteLength: 248", "object[0].instance[1].NameOffset: 23", gap("00", 8)},
			[]string{
				"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 152, must be 144, where the last definition ends",
				"inst-name-offset-min object[0].instance[1].NameOffset",
			}},
		{"it leads into the first instance, and the body is left", multiSpec, []string{"object[0].DefinitionLength: 152"},
			[]string{"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 152, must be 144, where the last definition ends"}},
		{"DefinitionLength is after an instance that looks like a definition", likeSpec, []string{"object[0].DefinitionLength: 184"},
			[]string{"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 184, must be 144, where the last definition ends"}},
		{"39 is no definition", multiSpec, []string{"object[0].DefinitionLength: 183", "object[0].TotalByteLength: 279", gap("27", 39)},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 279, must be a multiple of 8",
				"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 183, must be 144, where the last definition ends",
			}},
		{"39 is no length of one", multiSpec, []string{"object[0].DefinitionLength: 184", "object[0].TotalByteLength: 280", gap("27", 40)},
			[]string{"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 184, must be 144, where the last definition ends"}},
		{"41 is more than there are", multiSpec, []string{"object[0].DefinitionLength: 184", "object[0].TotalByteLength: 280", gap("29", 40)},
			[]string{"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 184, must be 144, where the last definition ends"}},
		{"39 and 41 are not two of 40", multiSpec, []string{"object[0].DefinitionLength: 224", "object[0].TotalByteLength: 320", gap("27"+strings.Repeat(" 00", 38)+" 29", 41)},
			[]string{"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 224, must be 144, where the last definition ends"}},
		{"what is not counted has values, so the blocks are not too long", multiSpec, []string{"object[0].NumCounters: 1"},
			[]string{"obj-definition-sum object[0].NumCounters: NumCounters is 1, must be 2, the definitions that fill DefinitionLength"}},
		{"none is counted, though there are some", emptySpec, []string{"object[0].NumCounters: 0"},
			[]string{"obj-definition-sum object[0].NumCounters: NumCounters is 0, must be 2, the definitions that fill DefinitionLength"}},
		{"an odd DefinitionLength that is too long is said to be that", emptySpec,
			[]string{"object[0].DefinitionLength: 148", "object[0].TotalByteLength: 148", "append: {hex: " + zeros(4) + "}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 148, must be a multiple of 8",
				"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 148, must be 144, where the last definition ends",
			}},
		{"a base is not all there is", emptySpec, []string{"object[0].counter[0].CounterType: PERF_RAW_BASE", "object[0].DefaultCounter: -1"},
			[]string{"ctr-base-first object[0].counter[0].CounterType"}},
	})
}

// TestNumCounters checks which field is reported where the counters do not fit into
// DefinitionLength.
func TestNumCounters(t *testing.T) {
	t.Parallel()
	checkObjects(t, []objectRow{
		{"HeaderLength is in their way", multiSpec, []string{"object[0].HeaderLength: 72"},
			[]string{"obj-num-counters object[0].HeaderLength: HeaderLength is 72, must be 64, after which DefinitionLength has room for the 2 of NumCounters"}},
		{"HeaderLength is DefinitionLength", multiSpec, []string{"object[0].HeaderLength: 144"},
			[]string{"obj-num-counters object[0].HeaderLength: HeaderLength is 144, must be 64, after which DefinitionLength has room for the 2 of NumCounters"}},
		{"HeaderLength is in their way, and not just that", emptySpec,
			[]string{"object[0].HeaderLength: 80", "object[0].DefinitionLength: 152", "object[0].TotalByteLength: 152", "append: {hex: " + zeros(8) + "}"},
			[]string{"obj-num-counters object[0].NumCounters: NumCounters is 2, must be at most 1, for which DefinitionLength has room"}},
		{"the instances follow the last counter", multiSpec, []string{"object[0].DefinitionLength: 104"},
			[]string{"obj-num-counters object[0].DefinitionLength: DefinitionLength is 104, must be 144, the HeaderLength and the 2 definitions of NumCounters"}},
		{"the counter block follows the last counter", singleSpec, []string{"object[0].DefinitionLength: 104"},
			[]string{"obj-num-counters object[0].DefinitionLength: DefinitionLength is 104, must be 144, the HeaderLength and the 2 definitions of NumCounters"}},
		{"the object ends after the last counter", metadataSpec, []string{"object[0].DefinitionLength: 143"},
			[]string{"obj-num-counters object[0].DefinitionLength: DefinitionLength is 143, must be 144, the HeaderLength and the 2 definitions of NumCounters"}},
		{"no body fits after so many counters", multiSpec, []string{"object[0].NumCounters: 3"},
			[]string{"obj-num-counters object[0].NumCounters: NumCounters is 3, must be at most 2, for which DefinitionLength has room"}},
		{"the kind of body is unknown", multiSpec, []string{"object[0].NumCounters: 3", "object[0].NumInstances: 0xfffffffc"},
			[]string{"obj-num-counters object[0].NumCounters: NumCounters is 3, must be at most 2, for which DefinitionLength has room"}},
		{"four billion", emptySpec, []string{"object[0].NumCounters: 0xffffffff"},
			[]string{"obj-num-counters object[0].NumCounters: NumCounters is 4294967295, must be at most 2, for which DefinitionLength has room"}},
	})
}
