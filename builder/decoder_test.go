package builder_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// TestBroken checks that UnmarshalBinary and UnmarshalLossy refuse input on which readers disagree
// or crash, and that the error has the byte offset of the fault.
func TestBroken(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		field  string // overwritten with value
		value  int64
		path   string // the path of the error, "" means the path in field
		kind   error
	}{
		{"another signature", "LittleEndian", 0, "", layout.ErrByteOrder},
		{"a byte order of 2", "LittleEndian", 2, "", layout.ErrRange},
		{"a block of 0 bytes", "TotalByteLength", 0, "", layout.ErrBounds},
		{"a block longer than its bytes", "TotalByteLength", 1 << 31, "", layout.ErrBounds},
		{"a block shorter than its objects", "TotalByteLength", 500, "object[1].TotalByteLength", layout.ErrBounds},
		{"a header of 0 bytes", "HeaderLength", 0, "", layout.ErrBounds},
		{"a header whose length is not a multiple of 8", "HeaderLength", 100, "", layout.ErrAlign},
		{"NumObjectTypes is one too small", "NumObjectTypes", 1, "TotalByteLength", layout.ErrBounds},
		{"NumObjectTypes is one too large", "NumObjectTypes", 3, "object[2]", layout.ErrShort},
		{"NumObjectTypes is the largest DWORD", "NumObjectTypes", -1, "object[2]", layout.ErrShort},
		{"a system name inside the structure", "SystemNameOffset", 84, "", layout.ErrBounds},
		{"a system name that ends after the header", "SystemNameLength", 1000, "", layout.ErrBounds},
		{"an object of 0 bytes", "object[0].TotalByteLength", 0, "", layout.ErrBounds},
		{"an object whose length is not a multiple of 8", "object[0].TotalByteLength", 254, "object[0].TotalByteLength", layout.ErrAlign},
		{"an object longer than its last instance", "object[0].NumInstances", 1, "object[0].TotalByteLength", layout.ErrBounds},
		{"definitions longer than the object", "object[0].DefinitionLength", 4096, "", layout.ErrBounds},
		{"definitions shorter than the header", "object[0].DefinitionLength", 56, "", layout.ErrBounds},
		{"DefinitionLength ends before the last counter", "object[0].DefinitionLength", 64 + 40, "object[0].counter[1]", layout.ErrShort},
		{"NumCounters is one too small", "object[0].NumCounters", 1, "object[0].DefinitionLength", layout.ErrBounds},
		{"NumInstances is one too large", "object[0].NumInstances", 3, "object[0].instance[2]", layout.ErrShort},
		{"NumInstances is the largest LONG", "object[0].NumInstances", 1<<31 - 1, "object[0].instance[2]", layout.ErrShort},
		{"NumInstances is -4, which has no meaning", "object[0].NumInstances", -4, "", layout.ErrRange},
		{"instances in a metadata object", "object[0].NumInstances", -2, "object[0].TotalByteLength", layout.ErrBounds},
		{"instances, but NumInstances is 0", "object[0].NumInstances", 0, "object[0].TotalByteLength", layout.ErrBounds},
		{"UTF-16 as a code page", "object[0].CodePage", 1200, "", layout.ErrRange},
		{"an unknown code page", "object[0].CodePage", 1259, "", layout.ErrRange},
		{"a counter definition of 0 bytes", "object[0].counter[0].ByteLength", 0, "", layout.ErrBounds},
		{"a counter of 3 bytes", "object[0].counter[0].CounterSize", 3, "", layout.ErrRange},
		{"a value that overlaps the ByteLength of the counter block", "object[0].counter[0].CounterOffset", 0, "", layout.ErrRange},
		{"a value after the counter block", "object[0].counter[0].CounterOffset", 24, "object[0].instance[0].block.ByteLength", layout.ErrBounds},
		{"a scale of 8", "object[0].counter[0].DefaultScale", 8, "", layout.ErrRange},
		{"the base of another type", "object[1].counter[2].CounterType", 0x40030402, "object[1].counter[1].CounterType", builder.ErrBase},
		{"an instance of 0 bytes", "object[0].instance[0].ByteLength", 0, "", layout.ErrBounds},
		{"an instance of 4 billion bytes", "object[0].instance[1].ByteLength", -1, "", layout.ErrBounds},
		{"an instance whose length is not a multiple of 8", "object[0].instance[1].ByteLength", 28, "object[0].instance[1].ByteLength", layout.ErrAlign},
		{"a name inside the definition", "object[0].instance[1].NameOffset", 20, "", layout.ErrBounds},
		{"a name that ends after the instance", "object[0].instance[1].NameLength", 10, "", layout.ErrBounds},
		{"a name of 4 billion bytes", "object[0].instance[1].NameLength", -2, "", layout.ErrBounds},
		{"a name of an odd length", "object[0].instance[1].NameLength", 3, "object[0].instance[1].Name", layout.ErrUnterminated},
		{"a name without its NUL", "object[0].instance[1].NameLength", 2, "object[0].instance[1].Name", layout.ErrUnterminated},
		{"a block of 0 bytes", "object[0].instance[1].block.ByteLength", 0, "", layout.ErrBounds},
		{"a block too short for its values", "object[0].instance[0].block.ByteLength", 16, "", layout.ErrBounds},
		{"a parent position that does not exist", "object[0].instance[1].ParentObjectTitleIndex", 230, "-", nil},
	} {
		b, err := sampleBlock().MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		setField(t, b, test.field, test.value)
		if test.path == "-" { // object 230 has an instance at position 0, and none at position 2
			var d builder.DataBlock
			if err := d.UnmarshalBinary(b); err != nil {
				t.Errorf("%s: %v", test.reason, err)
			}
			setField(t, b, "object[0].instance[1].ParentObjectInstance", 2)
			test.path, test.kind = "object[0].instance[1].ParentObjectInstance", builder.ErrParent
		}
		if test.path == "" {
			test.path = test.field
		}
		got := builder.DataBlock{SystemName: "untouched"}
		for _, err := range []error{got.UnmarshalBinary(b), lossy(&got, b)} {
			e, ok := errors.AsType[*layout.Error](err)
			if !ok || e.Path.String() != test.path || !errors.Is(err, test.kind) || e.Off < 0 || e.Off+int64(e.Len) > int64(len(b)) {
				t.Errorf("%s: %v, want %v at %s", test.reason, err, test.kind, test.path)
			}
			if ok && (errors.Is(err, builder.ErrBase) || errors.Is(err, builder.ErrParent)) && e.Len != 4 {
				t.Errorf("%s: the error covers %d bytes, want the 4 of the field", test.reason, e.Len)
			}
		}
		if got.SystemName != "untouched" || got.Objects != nil {
			t.Errorf("%s: the failed call changed the model", test.reason)
		}
	}
}

func lossy(d *builder.DataBlock, b []byte) error {
	_, err := d.UnmarshalLossy(b)
	return err
}

// findPart returns the part of the block at path.
func findPart(t *testing.T, b []byte, path string) layout.Part {
	t.Helper()
	p, err := layout.ParsePath(path)
	if err != nil {
		t.Fatal(err)
	}
	part, err := layout.Find(layout.DataBlockKind, b, p)
	if err != nil {
		t.Fatal(err)
	}
	return part
}

// setField overwrites the field at path with v.
func setField(t *testing.T, b []byte, path string, v int64) {
	t.Helper()
	part := findPart(t, b, path)
	n := binary.LittleEndian.AppendUint64(nil, uint64(v))
	copy(b[part.Off():part.End()], n)
}

// overwriteBytes returns a function that overwrites bytes at an offset in the part at path.
func overwriteBytes(path string, offset int, bytes ...byte) func(*testing.T, []byte) []byte {
	return func(t *testing.T, b []byte) []byte {
		copy(b[int(findPart(t, b, path).Off())+offset:], bytes)
		return b
	}
}

// overwriteField returns a function that overwrites the field at path with v.
func overwriteField(path string, v int64) func(*testing.T, []byte) []byte {
	return func(t *testing.T, b []byte) []byte {
		setField(t, b, path, v)
		return b
	}
}

// TestLosses checks UnmarshalBinary and UnmarshalLossy for data that a model cannot hold.
func TestLosses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func(*testing.T, []byte) []byte
		path   string                                                      // the paths of all errors, separated by spaces
		left   func(d *builder.DataBlock, process, system *builder.Object) // changes the expected model, nil for no change
	}{
		{"another version", overwriteField("Version", 2), "Version", nil},
		{"another revision", overwriteField("Revision", 0), "Revision", nil},
		{"bytes between SystemTime and PerfTime", overwriteField("Padding", 1), "Padding", nil},
		{"a negative clock", overwriteField("PerfTime", -5), "PerfTime", nil},
		{"no frequency", overwriteField("PerfFreq", 0), "PerfFreq", nil},
		{"the count of 100 ns is 0", overwriteField("PerfTime100nSec", 0), "PerfTime100nSec", nil},
		{"hour 24", overwriteField("SystemTime.wHour", 24), "SystemTime", nil},
		{"padding after the system name is not zero", overwriteBytes("padding", 5, 0x80), "padding", nil},
		{"a system name without its NUL", overwriteField("SystemNameLength", 8), "SystemName", nil},
		{"PerfTime100nSec is 0, and SystemTime is not a valid date", func(t *testing.T, b []byte) []byte {
			setField(t, b, "PerfTime100nSec", 0)
			setField(t, b, "SystemTime.wDayOfWeek", 0)
			return b
		}, "PerfTime100nSec SystemTime", nil},
		{"a system name that fills the header and has no NUL", func(t *testing.T, b []byte) []byte {
			copy(b[88:], "H\x00O\x00S\x00T\x00-\x00A\x00B\x00C\x00")
			setField(t, b, "SystemNameLength", 16)
			return b
		}, "SystemName", func(d *builder.DataBlock, _, _ *builder.Object) { d.SystemName = "HOST-ABC" }},
		{"a system name that starts with its NUL", overwriteBytes("SystemName", 0, 0, 0), "SystemName", func(d *builder.DataBlock, _, _ *builder.Object) {
			d.SystemName, d.HeaderLength = "", 104
		}},
		{"bytes after the block", func(_ *testing.T, b []byte) []byte { return append(b, 0, 0, 0) }, "rest", nil},
		{"ObjectNameTitle is a pointer", overwriteField("object[0].ObjectNameTitle", 0x1000), "object[0].ObjectNameTitle", nil},
		{"ObjectHelpTitle is a pointer", overwriteField("object[0].ObjectHelpTitle", 1), "object[0].ObjectHelpTitle", nil},
		{"an undefined DetailLevel", overwriteField("object[0].DetailLevel", 150), "object[0].DetailLevel", nil},
		{"a DefaultCounter that does not exist", overwriteField("object[0].DefaultCounter", 77), "object[0].DefaultCounter", nil},
		{"an object's clock below 0", overwriteField("object[0].PerfTime", -1), "object[0].PerfTime", nil},
		{"CounterNameTitle is a pointer", overwriteField("object[0].counter[1].CounterNameTitle", 1), "object[0].counter[1].CounterNameTitle", nil},
		{"CounterHelpTitle is a pointer", overwriteField("object[0].counter[1].CounterHelpTitle", 1), "object[0].counter[1].CounterHelpTitle", nil},
		{"an undefined DetailLevel of a counter", overwriteField("object[0].counter[1].DetailLevel", 7), "object[0].counter[1].DetailLevel", nil},
		{"padding after a name is not zero", overwriteBytes("object[0].instance[1].padding", 3, 1), "object[0].instance[1].padding", nil},
		{"a gap between two values is not zero", overwriteBytes("object[0].instance[1].block", 4, 1), "object[0].instance[1].block.padding", nil},
		{"padding at the end of a block is not zero", overwriteBytes("object[0].instance[1].block.padding", 0, 1), "object[0].instance[1].block.padding", nil},
		{"padding counted into NameLength", overwriteField("object[0].instance[1].NameLength", 8), "object[0].instance[1].Name", nil},
		{"an unpaired surrogate", overwriteBytes("object[0].instance[1].Name", 0, 0x00, 0xd8), "object[0].instance[1].Name", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[1].Name = "\uFFFD" }},
		{"a name that starts with its NUL", overwriteBytes("object[0].instance[1].Name", 0, 0, 0), "object[0].instance[1].Name", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[1].Name, o.Instances[1].ByteLength = "", 32
		}},
		{"NameLength covers only the NUL", func(t *testing.T, b []byte) []byte {
			name := findPart(t, b, "object[0].instance[1].Name")
			clear(b[name.Off():name.End()])
			setField(t, b, "object[0].instance[1].NameLength", 2)
			return b
		}, "object[0].instance[1].Name", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[1].Name, o.Instances[1].ByteLength = "", 32
		}},
		{"a counter block, but NumInstances is 0", overwriteField("object[1].NumInstances", 0), "object[1].block", func(_ *builder.DataBlock, _, o *builder.Object) {
			o.NumInstances, o.Values = 0, nil
		}},
		{"a counter block in a metadata object", overwriteField("object[1].NumInstances", -3), "object[1].rest", func(_ *builder.DataBlock, _, o *builder.Object) {
			o.NumInstances, o.Values = layout.PERF_METADATA_NO_INSTANCES, nil
		}},
		{"bytes after the only counter block of an object", func(t *testing.T, b []byte) []byte {
			setField(t, b, "object[1].TotalByteLength", int64(findPart(t, b, "object[1]").Len()+8))
			setField(t, b, "TotalByteLength", int64(len(b)+8))
			return append(b, make([]byte, 8)...)
		}, "object[1].rest", nil},
		{"a longer object header", func(t *testing.T, b []byte) []byte { return grow(t, b, "object[0].HeaderLength", 64) }, "object[0].extension", nil},
		{"a longer counter definition", func(t *testing.T, b []byte) []byte { return grow(t, b, "object[0].counter[0].ByteLength", 64+40) }, "object[0].counter[0].extension", nil},
	} {
		original := sampleBlock()
		b, err := original.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		b = test.damage(t, b)
		got := builder.DataBlock{SystemName: "untouched"}
		err = got.UnmarshalBinary(b)
		e, ok := errors.AsType[*layout.Error](err)
		if first, _, _ := strings.Cut(test.path, " "); !ok || e.Path.String() != first || !errors.Is(err, builder.ErrUnkept) {
			t.Errorf("%s: %v, want a loss at %s", test.reason, err, test.path)
			continue
		}
		if got.SystemName != "untouched" || got.Objects != nil {
			t.Errorf("%s: the failed call changed the model", test.reason)
		}
		losses, err := got.UnmarshalLossy(b)
		var lost []string
		for _, l := range losses {
			lost = append(lost, l.Path.String())
		}
		if err != nil || strings.Join(lost, " ") != test.path {
			t.Errorf("%s: lost %v, %v; want %s", test.reason, losses, err, test.path)
			continue
		}
		if test.left != nil {
			test.left(&original, &original.Objects[0], &original.Objects[1])
		}
		if diff := cmp.Diff(original, got); diff != "" {
			t.Errorf("%s: kept (-want +got)\n%s", test.reason, diff)
		}
	}
}

// grow inserts 8 zero bytes at an offset in the definitions of object[0]. It adds 8 to the length
// at path, and to the lengths of the definitions, the object and the block.
func grow(t *testing.T, b []byte, path string, offset int) []byte {
	t.Helper()
	for _, p := range []string{path, "object[0].TotalByteLength", "object[0].DefinitionLength", "TotalByteLength"} {
		n, _ := findPart(t, b, p).Int()
		setField(t, b, p, n+8)
	}
	// findPart would return an error here, because the lengths in b are not yet correct.
	start := int(binary.LittleEndian.Uint32(b[24:])) + offset
	return slices.Insert(b, start, make([]byte, 8)...)
}

// TestManyLosses checks that UnmarshalLossy lists 1,000 ErrUnkept errors, and a last error with the number of omitted
// errors.
func TestManyLosses(t *testing.T) {
	t.Parallel()
	o := builder.NewObject(2)
	for i := range 1500 {
		// The first 1,000 names have 8 bytes with their NUL. The other names have 10 bytes, and 6 bytes of padding
		// follow.
		o.Instance(fmt.Sprintf("%03d", i%1000) + strings.Repeat("+", i/1000))
	}
	b, err := builder.DataBlock{Objects: []builder.Object{*o}}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	d, err := layout.ReadDataBlock(b)
	if err != nil {
		t.Fatal(err)
	}
	for o := range d.Objects() {
		for in := range o.Instances() {
			block, err := in.Block()
			if err != nil {
				t.Fatal(err)
			}
			block.Bytes()[4] = 1 // a byte of the padding, which follows ByteLength
		}
	}
	var got builder.DataBlock
	losses, err := got.UnmarshalLossy(b)
	if err != nil || len(losses) != 1001 {
		t.Fatalf("%d losses, %v", len(losses), err)
	}
	if last := losses[1000].Error(); !strings.HasSuffix(last, "and 500 more") {
		t.Errorf("the last loss is %q", last)
	}
}
