package validate_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// The tests add patches to these specs. The definitions of an object with two counters end at offset 144, and its
// counter blocks have 16 bytes. Each instance of multiSpec has 32 bytes, so the object has 144 + 2*(32+16) = 240 bytes.
const (
	emptySpec = `kind: objects
objects:
  - ObjectNameTitleIndex: 260
    counters: [{CounterNameTitleIndex: 262, CounterType: PERF_COUNTER_RAWCOUNT}, {CounterNameTitleIndex: 264, CounterType: PERF_COUNTER_RAWCOUNT}]
`
	singleSpec   = emptySpec + "    NumInstances: PERF_NO_INSTANCES\n    values: [1, 2]\n"
	metadataSpec = emptySpec + "    NumInstances: PERF_METADATA_NO_INSTANCES\n"
	multiSpec    = emptySpec + "    instances: [{name: a, values: [1, 2]}, {name: b, values: [3, 4]}]\n"
	wideSpec     = emptySpec + "    instances: [{name: a, ByteLength: 40, values: [1, 2]}]\n" // the instance has the length of a counter definition
	anotherSpec  = "  - ObjectNameTitleIndex: 266\n    counters: [{CounterNameTitleIndex: 268, CounterType: PERF_COUNTER_RAWCOUNT}]\n"
	thirdSpec    = "  - ObjectNameTitleIndex: 270\n    counters: [{CounterNameTitleIndex: 272, CounterType: PERF_COUNTER_RAWCOUNT}]\n"
	nothingSpec  = "kind: objects\nobjects:\n  - {ObjectNameTitleIndex: 260, counters: []}\n"
)

// zeros returns n zero bytes in the syntax of patches.
func zeros(n int) string { return "'" + strings.Repeat("00 ", n) + "'" }

// objectFindings returns the rule and the path of each finding in the block of a spec with
// patches. For rules of objects it adds the message.
func objectFindings(t *testing.T, text string, patches []string, ctx validate.Context) []string {
	t.Helper()
	if len(patches) > 0 {
		text += "patches:\n  - " + strings.Join(patches, "\n  - ") + "\n"
	}
	kind, b := specBlock(t, "", []byte(text))
	var list []string
	for _, f := range validate.Bytes(kind, b, ctx).Findings {
		line := f.Rule.Name + " " + f.Path.String()
		if strings.HasPrefix(f.Rule.Name, "obj-") {
			line += ": " + f.Message()
		}
		list = append(list, line)
	}
	return list
}

// An objectRow is a spec with patches and its expected findings.
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

// TestObjectBounds checks TotalByteLength, DefinitionLength and HeaderLength against each other
// and against the input.
func TestObjectBounds(t *testing.T) {
	t.Parallel()
	checkObjects(t, []objectRow{
		{"TotalByteLength, DefinitionLength and HeaderLength are 64, which is valid", nothingSpec, nil,
			[]string{"obj-no-counters object[0].NumCounters: NumCounters is 0, must be at least 1"}},
		{"63 bytes are too few for an object", emptySpec, []string{"append: {hex: " + zeros(63) + "}"},
			[]string{"obj-truncated object[1]: the space left in the block is 63 bytes, must be at least 64, the size of PERF_OBJECT_TYPE"}},
		{"64 bytes are enough for an object", emptySpec, []string{"append: {hex: " + zeros(64) + "}"},
			[]string{"obj-total-length-min object[1].TotalByteLength: TotalByteLength is 0, must be at least 64"}},
		{"TotalByteLength is too large, and the next object shows the right number", singleSpec + anotherSpec, []string{"object[0].TotalByteLength: 9000"},
			[]string{"obj-total-length-bound object[0].TotalByteLength: TotalByteLength is 9000, must be 160, the distance to the next object or the end of the block"}},
		{"TotalByteLength is 0, and the end of the block shows the right number", multiSpec, []string{"object[0].TotalByteLength: 0"},
			[]string{"obj-total-length-min object[0].TotalByteLength: TotalByteLength is 0, must be 240, the distance to the next object or the end of the block"}},
		{"TotalByteLength is too large, and the content ends at an offset that is not a multiple of 8", multiSpec,
			[]string{"object[0].instance[1].block.ByteLength: 12", "object[0].TotalByteLength: 300", "cut: {from: 236, to: end}"},
			[]string{"obj-total-length-bound object[0].TotalByteLength: TotalByteLength is 300, must be a multiple of 8 from 64 to 232, because the number of bytes up to the end of the block is 236"}},
		{"TotalByteLength is too large, and nothing follows the content that NumInstances declares", multiSpec,
			[]string{"object[0].NumInstances: 1", "object[0].TotalByteLength: 9000"},
			[]string{
				"obj-total-length-bound object[0].TotalByteLength: TotalByteLength is 9000, must be a multiple of 8 from 64 to 240, the number of bytes up to the end of the block",
				"obj-truncated object[1]: the space left in the block is 48 bytes, must be at least 64, the size of PERF_OBJECT_TYPE",
			}},
		{"DefinitionLength and HeaderLength are wrong", multiSpec, []string{"object[0].HeaderLength: 65", "object[0].DefinitionLength: 32"},
			[]string{"obj-definition-bound object[0].DefinitionLength: DefinitionLength is 32, must be a multiple of 8 from 72 to 240, between HeaderLength and TotalByteLength"}},
		{"no multiple of 8 is between HeaderLength and TotalByteLength", multiSpec,
			[]string{"object[0].HeaderLength: 239", "object[0].DefinitionLength: 240", "object[0].TotalByteLength: 239", "cut: {from: 239, to: end}"},
			[]string{"obj-definition-bound object[0].DefinitionLength: DefinitionLength is 240, must be 239, between HeaderLength and TotalByteLength"}},
		{"the second object starts at an offset that is not a multiple of 8", singleSpec + anotherSpec + thirdSpec,
			[]string{"object[0].TotalByteLength: 164", "insert: {at: 'object[1]', hex: " + zeros(4) + "}"},
			[]string{
				"obj-single-slack object[0].TotalByteLength: TotalByteLength is 164, must be 160, where the counter block ends",
				"obj-offset-align object[1]: the offset of the object is 164, must be a multiple of 8",
			}},
		{"the TotalByteLength of the last object is odd", singleSpec,
			[]string{"object[0].TotalByteLength: 161", "append: {hex: '00'}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 161, must be a multiple of 8",
				"obj-single-slack object[0].TotalByteLength: TotalByteLength is 161, must be 160, where the counter block ends",
			}},
		{"the TotalByteLength of the last object counts 8 extra bytes", singleSpec, []string{"object[0].TotalByteLength: 168", "append: {hex: " + zeros(8) + "}"},
			[]string{"obj-single-slack object[0].TotalByteLength: TotalByteLength is 168, must be 160, where the counter block ends"}},
		{"HeaderLength is one less than the structure", emptySpec, []string{"object[0].HeaderLength: 63"},
			[]string{"obj-header-length-min object[0].HeaderLength: HeaderLength is 63, must be 64"}},
		{"HeaderLength is one more than the smallest DefinitionLength", nothingSpec, []string{"object[0].HeaderLength: 65"},
			[]string{"obj-header-length-min object[0].HeaderLength: HeaderLength is 65, must be 64"}},
		{"HeaderLength is one more than DefinitionLength, which is outside the object", emptySpec, []string{"object[0].HeaderLength: 146", "object[0].DefinitionLength: 145"},
			[]string{"obj-header-length-min object[0].HeaderLength: HeaderLength is 146, must be 64"}},
		{"HeaderLength is one more than DefinitionLength", emptySpec, []string{"object[0].HeaderLength: 145"},
			[]string{"obj-header-length-min object[0].HeaderLength: HeaderLength is 145, must be 64"}},
		{"HeaderLength and DefinitionLength are both less than the structure", emptySpec, []string{"object[0].HeaderLength: 63", "object[0].DefinitionLength: 63"},
			[]string{"obj-header-length-min object[0].HeaderLength: HeaderLength is 63, must be 64"}},
		{"DefinitionLength is one less than the structure", emptySpec, []string{"object[0].DefinitionLength: 63"},
			[]string{"obj-definition-bound object[0].DefinitionLength: DefinitionLength is 63, must be 144, the HeaderLength plus 40 times NumCounters"}},
		{"HeaderLength and DefinitionLength are both outside the object", emptySpec, []string{"object[0].HeaderLength: 145", "object[0].DefinitionLength: 145"},
			[]string{"obj-header-length-min object[0].HeaderLength: HeaderLength is 145, must be 64"}},
		{"HeaderLength is outside the object, and DefinitionLength is 0", emptySpec, []string{"object[0].HeaderLength: 1446649667", "object[0].DefinitionLength: 0"},
			[]string{"obj-header-length-min object[0].HeaderLength: HeaderLength is 1446649667, must be 64"}},
	})
}

// TestTotalLengthAlign checks which wrong TotalByteLengths the rule obj-total-length-align reports,
// and which it leaves to other rules.
func TestTotalLengthAlign(t *testing.T) {
	t.Parallel()
	const (
		anotherMetadata = anotherSpec + "    NumInstances: PERF_METADATA_NO_INSTANCES\n"
		threeMetadata   = metadataSpec + anotherMetadata + thirdSpec
	)
	misalignTwo := []string{
		"object[0].TotalByteLength: 148", "insert: {at: 'object[1]', hex: " + zeros(4) + "}",
		"object[1].TotalByteLength: 108", "insert: {at: 'object[2]', hex: " + zeros(4) + "}",
	}
	checkObjects(t, []objectRow{
		{"the lengths of the instances add up to TotalByteLength", multiSpec,
			[]string{"object[0].instance[1].block.ByteLength: 12", "object[0].TotalByteLength: 236", "cut: {from: 236, to: end}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 236, must be a multiple of 8",
				"blk-length-align object[0].instance[1].block.ByteLength",
				"blk-length-uniform object[0].instance[1].block.ByteLength",
			}},
		{"the lengths add up to TotalByteLength, so the next object, which is misaligned, is not reported too", multiSpec + anotherSpec,
			[]string{"object[0].instance[1].block.ByteLength: 12", "object[0].TotalByteLength: 236", "cut: {from: 236, to: 240}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 236, must be a multiple of 8",
				"blk-length-align object[0].instance[1].block.ByteLength",
				"blk-length-uniform object[0].instance[1].block.ByteLength",
			}},
		{"TotalByteLength is a multiple of 8, but the instances end at another offset", multiSpec,
			[]string{"object[0].instance[1].block.ByteLength: 12", "object[0].TotalByteLength: 232", "cut: {from: 236, to: end}"},
			[]string{
				"obj-multi-length object[0].TotalByteLength: TotalByteLength is 232, must be 240, where the last instance ends, rounded up to a multiple of 8",
				"blk-length-align object[0].instance[1].block.ByteLength",
				"blk-length-uniform object[0].instance[1].block.ByteLength",
			}},
		{"the padding of the counter block is missing, and another object follows", singleSpec + anotherSpec,
			[]string{"object[0].block.ByteLength: 12", "cut: {from: 156, to: 160}"},
			[]string{
				"obj-single-length object[0].TotalByteLength: TotalByteLength is 160, must be where the counter block ends: this is 156, because a ByteLength in the object is not a multiple of 8",
				"blk-length-align object[0].block.ByteLength",
				"obj-offset-align object[1]: the offset of the object is 156, must be a multiple of 8",
			}},
		{"TotalByteLength is larger than the instances require", multiSpec, []string{"object[0].TotalByteLength: 244", "append: {hex: " + zeros(4) + "}"},
			[]string{"obj-multi-length object[0].TotalByteLength: TotalByteLength is 244, must be 240, where the last instance ends"}},
		{"TotalByteLength is larger than an object without instances requires", emptySpec, []string{"object[0].TotalByteLength: 148", "append: {hex: " + zeros(4) + "}"},
			[]string{"obj-empty-length object[0].TotalByteLength: TotalByteLength is 148, must be 144, the DefinitionLength, because there are no instances"}},
		{"TotalByteLength is the end of a counter block that must not be there", singleSpec,
			[]string{"object[0].NumInstances: 0", "object[0].HeaderLength: 68", "object[0].DefinitionLength: 148", "object[0].TotalByteLength: 164", "insert: {at: 'object[0].counter[0]', hex: " + zeros(4) + "}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 164, must be a multiple of 8",
				"obj-definition-align object[0].DefinitionLength: DefinitionLength is 148, must be a multiple of 8",
				"obj-header-length-exact object[0].HeaderLength: HeaderLength is 68, must be 64",
				"obj-empty-block object[0].rest: a counter block of 16 bytes follows the definitions, must not follow, because NumInstances is 0",
			}},
		{"the ByteLength of the counter block is invalid", singleSpec,
			[]string{"object[0].TotalByteLength: 156", "object[0].block.ByteLength: 3", "cut: {from: 156, to: end}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 156, must be a multiple of 8",
				"blk-length-min object[0].block.ByteLength",
			}},
		{"TotalByteLength is 8 too large for a counter block that is not a multiple of 8", singleSpec,
			[]string{"object[0].TotalByteLength: 168", "object[0].block.ByteLength: 12", "append: {hex: " + zeros(8) + "}"},
			[]string{
				"obj-single-slack object[0].TotalByteLength: TotalByteLength is 168, must be 160, where the counter block ends, rounded up to a multiple of 8",
				"blk-length-align object[0].block.ByteLength",
			}},
		{"NumInstances is -3, and bytes follow the definitions, which is a warning", metadataSpec,
			[]string{"object[0].TotalByteLength: 148", "append: {hex: " + zeros(4) + "}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 148, must be a multiple of 8",
				"obj-metadata-single-body object[0].TotalByteLength: TotalByteLength is 148, must be 144, the DefinitionLength, because an object with PERF_METADATA_NO_INSTANCES has no values",
			}},
		{"NumInstances is -3, and rounded up, TotalByteLength is the end of the input", metadataSpec,
			[]string{"object[0].TotalByteLength: 148", "append: {hex: " + zeros(8) + "}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 148, must be a multiple of 8",
				"obj-metadata-single-body object[0].TotalByteLength: TotalByteLength is 148, must be 144, the DefinitionLength, because an object with PERF_METADATA_NO_INSTANCES has no values",
			}},
		{"NumInstances is -3, bytes follow the definitions, and another object follows", metadataSpec + anotherSpec,
			[]string{"object[0].TotalByteLength: 148", "insert: {at: 'object[1]', hex: " + zeros(4) + "}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 148, must be a multiple of 8",
				"obj-metadata-single-body object[0].TotalByteLength: TotalByteLength is 148, must be 144, the DefinitionLength, because an object with PERF_METADATA_NO_INSTANCES has no values",
			}},
		{"NumInstances is -3 and bytes follow the definitions in two objects, and a third object is aligned", threeMetadata, misalignTwo,
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 148, must be a multiple of 8",
				"obj-metadata-single-body object[0].TotalByteLength: TotalByteLength is 148, must be 144, the DefinitionLength, because an object with PERF_METADATA_NO_INSTANCES has no values",
				"obj-total-length-align object[1].TotalByteLength: TotalByteLength is 108, must be a multiple of 8",
				"obj-metadata-single-body object[1].TotalByteLength: TotalByteLength is 108, must be 104, the DefinitionLength, because an object with PERF_METADATA_NO_INSTANCES has no values",
			}},
		{"NumInstances is -3 and bytes follow the definitions in the second object, and the third object is misaligned", threeMetadata, misalignTwo[2:],
			[]string{
				"obj-total-length-align object[1].TotalByteLength: TotalByteLength is 108, must be a multiple of 8",
				"obj-metadata-single-body object[1].TotalByteLength: TotalByteLength is 108, must be 104, the DefinitionLength, because an object with PERF_METADATA_NO_INSTANCES has no values",
			}},
		{"NumInstances is -3 and bytes follow the definitions in the second object, which is misaligned after an object with instances", multiSpec + anotherMetadata + thirdSpec,
			append([]string{"object[0].TotalByteLength: 244", "insert: {at: 'object[1]', hex: " + zeros(4) + "}"}, misalignTwo[2:]...),
			[]string{
				"obj-multi-length object[0].TotalByteLength: TotalByteLength is 244, must be 240, where the last instance ends",
				"obj-offset-align object[1]: the offset of the object is 244, must be a multiple of 8",
				"obj-total-length-align object[1].TotalByteLength: TotalByteLength is 108, must be a multiple of 8",
				"obj-metadata-single-body object[1].TotalByteLength: TotalByteLength is 108, must be 104, the DefinitionLength, because an object with PERF_METADATA_NO_INSTANCES has no values",
			}},
		{"TotalByteLength is larger than the instances require, and only the next object is reported as misaligned", multiSpec + anotherMetadata + thirdSpec,
			[]string{"object[0].TotalByteLength: 244", "insert: {at: 'object[1]', hex: " + zeros(4) + "}"},
			[]string{
				"obj-multi-length object[0].TotalByteLength: TotalByteLength is 244, must be 240, where the last instance ends",
				"obj-offset-align object[1]: the offset of the object is 244, must be a multiple of 8",
			}},
		{"NumInstances is -1 and bytes follow the counter block in two objects, and the second is misaligned", singleSpec + anotherSpec + "    NumInstances: PERF_NO_INSTANCES\n    values: [1]\n" + thirdSpec,
			[]string{
				"object[0].TotalByteLength: 164", "insert: {at: 'object[1]', hex: " + zeros(4) + "}",
				"object[1].TotalByteLength: 116", "insert: {at: 'object[2]', hex: " + zeros(4) + "}",
			},
			[]string{
				"obj-single-slack object[0].TotalByteLength: TotalByteLength is 164, must be 160, where the counter block ends",
				"obj-offset-align object[1]: the offset of the object is 164, must be a multiple of 8",
				"obj-total-length-align object[1].TotalByteLength: TotalByteLength is 116, must be a multiple of 8",
				"obj-single-slack object[1].TotalByteLength: TotalByteLength is 116, must be 112, where the counter block ends",
			}},
		{"NumInstances is -2, and bytes follow the definitions, which is an error", metadataSpec,
			[]string{"object[0].NumInstances: PERF_METADATA_MULTIPLE_INSTANCES", "object[0].TotalByteLength: 148", "append: {hex: " + zeros(4) + "}"},
			[]string{"obj-metadata-body object[0].TotalByteLength: TotalByteLength is 148, must be 144, the DefinitionLength, because an object with PERF_METADATA_MULTIPLE_INSTANCES has no values"}},
		{"NumInstances is invalid, so the right TotalByteLength is not known", emptySpec,
			[]string{"object[0].TotalByteLength: 148", "object[0].NumInstances: 0xfffffffc", "append: {hex: " + zeros(4) + "}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 148, must be a multiple of 8",
				"obj-num-instances-domain object[0].NumInstances: NumInstances is -4, must be at least -3",
			}},
	})
}

// TestTotalLengthAlignAlone checks a TotalByteLength that is not a multiple of 8, so that the next
// object is misaligned. If one of the rules obj-total-length-align and obj-offset-align is off, the
// other rule must report the fault.
func TestTotalLengthAlignAlone(t *testing.T) {
	t.Parallel()
	kind, b := specBlock(t, "", []byte(metadataSpec+anotherSpec+"patches:\n  - object[0].TotalByteLength: 148\n  - insert: {at: 'object[1]', hex: "+zeros(4)+"}\n"))
	for off, want := range map[string]string{
		"obj-offset-align":       "obj-total-length-align object[0].TotalByteLength",
		"obj-total-length-align": "obj-offset-align object[1]",
	} {
		v, err := validate.New(validate.Options{Overrides: []validate.Override{{Rule: off, Severity: validate.Off}}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range v.Bytes(kind, b, validate.Context{}).Findings {
			if f.Severity == validate.Error {
				got = append(got, f.Rule.Name+" "+f.Path.String())
			}
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("%s is off (-want +got):\n%s", off, diff)
		}
	}
}

// TestDefinitionSum checks DefinitionLength against the counter definitions.
func TestDefinitionSum(t *testing.T) {
	t.Parallel()
	gap := func(n string, size int) string {
		return "insert: {at: 'object[0].instance[0]', hex: '" + n + strings.Repeat(" 00", size-1) + "'}"
	}
	checkObjects(t, []objectRow{
		{"8 bytes are between the definitions and the instances, and the instances are checked", multiSpec,
			[]string{"object[0].DefinitionLength: 152", "object[0].TotalByteLength: 248", "object[0].instance[1].NameOffset: 23", gap("00", 8)},
			[]string{
				"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 152, must be 144, the end of the last definition",
				"inst-name-offset-min object[0].instance[1].NameOffset",
			}},
		{"DefinitionLength is inside the first instance, and the instances are not checked", multiSpec, []string{"object[0].DefinitionLength: 152"},
			[]string{"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 152, must be 144, the end of the last definition"}},
		{"DefinitionLength is the end of an instance that looks like a counter definition", wideSpec, []string{"object[0].DefinitionLength: 184"},
			[]string{"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 184, must be 144, the end of the last definition"}},
		{"39 bytes after the definitions are too few for another definition", multiSpec, []string{"object[0].DefinitionLength: 183", "object[0].TotalByteLength: 279", gap("27", 39)},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 279, must be a multiple of 8",
				"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 183, must be 144, the end of the last definition",
			}},
		{"40 bytes after the definitions have a ByteLength of 39", multiSpec, []string{"object[0].DefinitionLength: 184", "object[0].TotalByteLength: 280", gap("27", 40)},
			[]string{"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 184, must be 144, the end of the last definition"}},
		{"40 bytes after the definitions have a ByteLength of 41", multiSpec, []string{"object[0].DefinitionLength: 184", "object[0].TotalByteLength: 280", gap("29", 40)},
			[]string{"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 184, must be 144, the end of the last definition"}},
		{"80 bytes after the definitions have ByteLengths of 39 and 41", multiSpec, []string{"object[0].DefinitionLength: 224", "object[0].TotalByteLength: 320", gap("27"+strings.Repeat(" 00", 38)+" 29", 41)},
			[]string{"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 224, must be 144, the end of the last definition"}},
		{"NumCounters is one too small, and the counter blocks have the right length", multiSpec, []string{"object[0].NumCounters: 1"},
			[]string{"obj-definition-sum object[0].NumCounters: NumCounters is 1, must be 2, the number of definitions up to DefinitionLength"}},
		{"NumCounters is 0, but the object has two definitions", emptySpec, []string{"object[0].NumCounters: 0"},
			[]string{"obj-definition-sum object[0].NumCounters: NumCounters is 0, must be 2, the number of definitions up to DefinitionLength"}},
		{"DefinitionLength is too large and not a multiple of 8, which is one finding", emptySpec,
			[]string{"object[0].DefinitionLength: 148", "object[0].TotalByteLength: 148", "append: {hex: " + zeros(4) + "}"},
			[]string{
				"obj-total-length-align object[0].TotalByteLength: TotalByteLength is 148, must be a multiple of 8",
				"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 148, must be 144, the end of the last definition",
			}},
		{"the definitions end at an offset that is not a multiple of 8", multiSpec, []string{"object[0].HeaderLength: 65", "object[0].NumCounters: 0"},
			[]string{
				"obj-definition-sum object[0].DefinitionLength: DefinitionLength is 144, must be the end of the last definition: this is 65, because HeaderLength or a ByteLength in the object is not a multiple of 8",
				"obj-header-length-exact object[0].HeaderLength: HeaderLength is 65, must be 64",
				"blk-slack object[0].instance[0].block.ByteLength",
				"blk-slack object[0].instance[1].block.ByteLength",
			}},
		{"the first counter is a base, and another counter follows", emptySpec, []string{"object[0].counter[0].CounterType: PERF_RAW_BASE", "object[0].DefaultCounter: -1"},
			[]string{"ctr-base-first object[0].counter[0].CounterType"}},
	})
}

// TestNumCounters checks which field is reported if the counters do not fit into
// DefinitionLength.
func TestNumCounters(t *testing.T) {
	t.Parallel()
	checkObjects(t, []objectRow{
		{"HeaderLength is 8 too large", multiSpec, []string{"object[0].HeaderLength: 72"},
			[]string{"obj-num-counters object[0].HeaderLength: HeaderLength is 72, must be 64, the DefinitionLength minus 40 times NumCounters"}},
		{"HeaderLength is equal to DefinitionLength", multiSpec, []string{"object[0].HeaderLength: 144"},
			[]string{"obj-num-counters object[0].HeaderLength: HeaderLength is 144, must be 64, the DefinitionLength minus 40 times NumCounters"}},
		{"HeaderLength is 16 too large, and DefinitionLength is 8 too large", emptySpec,
			[]string{"object[0].HeaderLength: 80", "object[0].DefinitionLength: 152", "object[0].TotalByteLength: 152", "append: {hex: " + zeros(8) + "}"},
			[]string{"obj-num-counters object[0].NumCounters: NumCounters is 2, must be at most 1, the number of definitions between HeaderLength and DefinitionLength"}},
		{"DefinitionLength omits one counter, and the instances follow the counters", multiSpec, []string{"object[0].DefinitionLength: 104"},
			[]string{"obj-num-counters object[0].DefinitionLength: DefinitionLength is 104, must be 144, the HeaderLength plus 40 times NumCounters"}},
		{"DefinitionLength omits one counter, and the counter block follows the counters", singleSpec, []string{"object[0].DefinitionLength: 104"},
			[]string{"obj-num-counters object[0].DefinitionLength: DefinitionLength is 104, must be 144, the HeaderLength plus 40 times NumCounters"}},
		{"DefinitionLength is one less than TotalByteLength, and the counters fill the object", metadataSpec, []string{"object[0].DefinitionLength: 143"},
			[]string{"obj-num-counters object[0].DefinitionLength: DefinitionLength is 143, must be 144, the HeaderLength plus 40 times NumCounters"}},
		{"NumCounters is one too large, and no instances would follow", multiSpec, []string{"object[0].NumCounters: 3"},
			[]string{"obj-num-counters object[0].NumCounters: NumCounters is 3, must be 2, the number of definitions up to DefinitionLength"}},
		{"NumCounters is one too large, and NumInstances is invalid", multiSpec, []string{"object[0].NumCounters: 3", "object[0].NumInstances: 0xfffffffc"},
			[]string{"obj-num-counters object[0].NumCounters: NumCounters is 3, must be 2, the number of definitions up to DefinitionLength"}},
		{"NumCounters is four billion", emptySpec, []string{"object[0].NumCounters: 0xffffffff"},
			[]string{"obj-num-counters object[0].NumCounters: NumCounters is 4294967295, must be 2, the number of definitions up to DefinitionLength"}},
	})
}

// TestDefinitionAfterObject checks an object whose DefinitionLength ends inside the next object. Its TotalByteLength is
// wrong too, and less than DefinitionLength.
func TestDefinitionAfterObject(t *testing.T) {
	t.Parallel()
	b := make([]byte, 184)
	for at, n := range map[int]int32{
		0: 100, 4: 144, 8: 64, 32: 3, 40: layout.PERF_METADATA_NO_INSTANCES, // TotalByteLength, DefinitionLength, HeaderLength, NumCounters, NumInstances
		64:  40,                                                                   // ByteLength of the definition
		104: 80, 108: 64, 112: 64, 136: 0, 144: layout.PERF_METADATA_NO_INSTANCES, // the next object
	} {
		binary.LittleEndian.PutUint32(b[at:], uint32(n))
	}
	findings := validate.Bytes(layout.ObjectsKind, b, validate.Context{}).Findings
	if len(findings) == 0 || findings[0].Rule.Name != "obj-definition-bound" || findings[0].Path.String() != "object[0].DefinitionLength" {
		t.Errorf("%v", findings)
	}
}
