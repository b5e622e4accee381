package builder_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// What readers would disagree on or crash over is an error at its byte, whether
// losses are asked for or not.
func TestBroken(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		field  string // written
		value  int64
		path   string // of the error, "" for the field
		kind   error
	}{
		{"another signature", "LittleEndian", 0, "", layout.ErrByteOrder},
		{"a byte order of 2", "LittleEndian", 2, "", layout.ErrRange},
		{"a block of 0 bytes", "TotalByteLength", 0, "", layout.ErrBounds},
		{"a block longer than its bytes", "TotalByteLength", 1 << 31, "", layout.ErrBounds},
		{"a block shorter than its objects", "TotalByteLength", 500, "object[1].TotalByteLength", layout.ErrBounds},
		{"a header of 0 bytes", "HeaderLength", 0, "", layout.ErrBounds},
		{"a header that is no multiple of 8", "HeaderLength", 100, "", layout.ErrAlign},
		{"an object too few", "NumObjectTypes", 1, "TotalByteLength", layout.ErrBounds},
		{"an object too many", "NumObjectTypes", 3, "object[2]", layout.ErrShort},
		{"objects without end", "NumObjectTypes", -1, "object[2]", layout.ErrShort},
		{"a system name inside the structure", "SystemNameOffset", 84, "", layout.ErrBounds},
		{"a system name behind the header", "SystemNameLength", 1000, "", layout.ErrBounds},
		{"an object of 0 bytes", "object[0].TotalByteLength", 0, "", layout.ErrBounds},
		{"an object that is no multiple of 8", "object[0].TotalByteLength", 254, "object[0].TotalByteLength", layout.ErrAlign},
		{"an object longer than its last instance", "object[0].NumInstances", 1, "object[0].TotalByteLength", layout.ErrBounds},
		{"definitions longer than the object", "object[0].DefinitionLength", 4096, "", layout.ErrBounds},
		{"definitions shorter than the header", "object[0].DefinitionLength", 56, "", layout.ErrBounds},
		{"definitions without the last counter", "object[0].DefinitionLength", 64 + 40, "object[0].counter[1]", layout.ErrShort},
		{"a counter too few", "object[0].NumCounters", 1, "object[0].DefinitionLength", layout.ErrBounds},
		{"an instance too many", "object[0].NumInstances", 3, "object[0].instance[2]", layout.ErrShort},
		{"instances without end", "object[0].NumInstances", 1<<31 - 1, "object[0].instance[2]", layout.ErrShort},
		{"an unholy number of instances", "object[0].NumInstances", -4, "", layout.ErrRange},
		{"instances in a metadata answer", "object[0].NumInstances", -2, "object[0].TotalByteLength", layout.ErrBounds},
		{"instances of an object of 0", "object[0].NumInstances", 0, "object[0].TotalByteLength", layout.ErrBounds},
		{"UTF-16 as a code page", "object[0].CodePage", 1200, "", layout.ErrRange},
		{"a code page that nobody knows", "object[0].CodePage", 1259, "", layout.ErrRange},
		{"a counter definition of 0 bytes", "object[0].counter[0].ByteLength", 0, "", layout.ErrBounds},
		{"a counter of 3 bytes", "object[0].counter[0].CounterSize", 3, "", layout.ErrRange},
		{"a value in the block's length", "object[0].counter[0].CounterOffset", 0, "", layout.ErrRange},
		{"a value behind the block", "object[0].counter[0].CounterOffset", 24, "object[0].instance[0].block.ByteLength", layout.ErrBounds},
		{"a scale of 8", "object[0].counter[0].DefaultScale", 8, "", layout.ErrRange},
		{"another type's base", "object[1].counter[2].CounterType", 0x40030402, "object[1].counter[1].CounterType", builder.ErrBase},
		{"an instance of 0 bytes", "object[0].instance[0].ByteLength", 0, "", layout.ErrBounds},
		{"an instance of 4 billion bytes", "object[0].instance[1].ByteLength", -1, "", layout.ErrBounds},
		{"an instance that is no multiple of 8", "object[0].instance[1].ByteLength", 28, "object[0].instance[1].ByteLength", layout.ErrAlign},
		{"a name inside the definition", "object[0].instance[1].NameOffset", 20, "", layout.ErrBounds},
		{"a name behind the instance", "object[0].instance[1].NameLength", 10, "", layout.ErrBounds},
		{"a name of 4 billion bytes", "object[0].instance[1].NameLength", -2, "", layout.ErrBounds},
		{"a name of an odd length", "object[0].instance[1].NameLength", 3, "object[0].instance[1].Name", layout.ErrUnterminated},
		{"a name without its NUL", "object[0].instance[1].NameLength", 2, "object[0].instance[1].Name", layout.ErrUnterminated},
		{"a block of 0 bytes", "object[0].instance[1].block.ByteLength", 0, "", layout.ErrBounds},
		{"a block too short for its values", "object[0].instance[0].block.ByteLength", 16, "", layout.ErrBounds},
		{"a parent position that is not there", "object[0].instance[1].ParentObjectTitleIndex", 230, "-", nil},
	} {
		b, err := sample().MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		set(t, b, test.field, test.value)
		if test.path == "-" { // position 0 of object 230 is there: the near miss
			var d builder.DataBlock
			if err := d.UnmarshalBinary(b); err != nil {
				t.Errorf("%s: %v", test.reason, err)
			}
			set(t, b, "object[0].instance[1].ParentObjectInstance", 2)
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
				t.Errorf("%s: %d bytes are said to be wrong, want those of the field", test.reason, e.Len)
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

// Of the types with a base a PERF_MULTI_COUNTER alone may do without.
func TestNoBase(t *testing.T) {
	t.Parallel()
	for _, last := range []bool{false, true} {
		o := builder.NewObject(2).Counter(4, layout.PERF_COUNTER_BULK_COUNT).Counter(6, layout.PERF_COUNTER_BULK_COUNT).Single(1, 2)
		b, err := builder.Objects{*o}.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		if last {
			i = 1
		}
		binary.LittleEndian.PutUint32(b[64+40*i+28:], uint32(layout.PERF_AVERAGE_BULK))
		err = new(builder.Objects).UnmarshalBinary(b)
		e, ok := errors.AsType[*layout.Error](err)
		if !ok || !errors.Is(err, builder.ErrBase) || e.Path.String() != fmt.Sprintf("object[0].counter[%d].CounterType", i) {
			t.Errorf("counter %d: %v", i, err)
		}
	}
}
