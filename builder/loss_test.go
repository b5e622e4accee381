package builder_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// at returns the part of the block that path names.
func at(t *testing.T, b []byte, path string) layout.Part {
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

// set writes a number over the field that path names.
func set(t *testing.T, b []byte, path string, v int64) {
	t.Helper()
	part := at(t, b, path)
	n := binary.LittleEndian.AppendUint64(nil, uint64(v))
	copy(b[part.Off():part.End()], n)
}

// poke writes bytes from an offset of the part that path names.
func poke(path string, offset int, bytes ...byte) func(*testing.T, []byte) []byte {
	return func(t *testing.T, b []byte) []byte {
		copy(b[int(at(t, b, path).Off())+offset:], bytes)
		return b
	}
}

func write(path string, v int64) func(*testing.T, []byte) []byte {
	return func(t *testing.T, b []byte) []byte {
		set(t, b, path, v)
		return b
	}
}

// What a model cannot hold is refused by name, or dropped and listed, and what is
// left is what the block was made of.
func TestLosses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		damage func(*testing.T, []byte) []byte
		path   string                                                      // of each loss, with spaces between
		left   func(d *builder.DataBlock, process, system *builder.Object) // nil: the model as it was
	}{
		{"another version", write("Version", 2), "Version", nil},
		{"another revision", write("Revision", 0), "Revision", nil},
		{"bytes between SystemTime and PerfTime", write("Padding", 1), "Padding", nil},
		{"a clock below 0", write("PerfTime", -5), "PerfTime", nil},
		{"no frequency", write("PerfFreq", 0), "PerfFreq", nil},
		{"no moment", write("PerfTime100nSec", 0), "PerfTime100nSec", nil},
		{"hour 24", write("SystemTime.wHour", 24), "SystemTime", nil},
		{"padding behind the system name", poke("padding", 5, 0x80), "padding", nil},
		{"a system name without its NUL", write("SystemNameLength", 8), "SystemName", nil},
		{"no moment, and a date that gives none", func(t *testing.T, b []byte) []byte {
			set(t, b, "PerfTime100nSec", 0)
			set(t, b, "SystemTime.wDayOfWeek", 0)
			return b
		}, "PerfTime100nSec SystemTime", nil},
		{"a system name that fills the header and has no NUL", func(t *testing.T, b []byte) []byte {
			copy(b[88:], "H\x00O\x00S\x00T\x00-\x00A\x00B\x00C\x00")
			set(t, b, "SystemNameLength", 16)
			return b
		}, "SystemName", func(d *builder.DataBlock, _, _ *builder.Object) { d.SystemName = "HOST-ABC" }},
		{"a system name of nothing but its NUL", poke("SystemName", 0, 0, 0), "SystemName", func(d *builder.DataBlock, _, _ *builder.Object) {
			d.SystemName, d.HeaderLength = "", 104
		}},
		{"bytes behind the block", func(_ *testing.T, b []byte) []byte { return append(b, 0, 0, 0) }, "rest", nil},
		{"a pointer where a title once was", write("object[0].ObjectNameTitle", 0x1000), "object[0].ObjectNameTitle", nil},
		{"a pointer to the help", write("object[0].ObjectHelpTitle", 1), "object[0].ObjectHelpTitle", nil},
		{"a level that is none", write("object[0].DetailLevel", 150), "object[0].DetailLevel", nil},
		{"a default counter that is not there", write("object[0].DefaultCounter", 77), "object[0].DefaultCounter", nil},
		{"an object's clock below 0", write("object[0].PerfTime", -1), "object[0].PerfTime", nil},
		{"a counter's pointer", write("object[0].counter[1].CounterNameTitle", 1), "object[0].counter[1].CounterNameTitle", nil},
		{"a counter's pointer to help", write("object[0].counter[1].CounterHelpTitle", 1), "object[0].counter[1].CounterHelpTitle", nil},
		{"a counter's level that is none", write("object[0].counter[1].DetailLevel", 7), "object[0].counter[1].DetailLevel", nil},
		{"padding behind a name", poke("object[0].instance[1].padding", 3, 1), "object[0].instance[1].padding", nil},
		{"a hole in a block", poke("object[0].instance[1].block", 4, 1), "object[0].instance[1].block.padding", nil},
		{"the end of a block", poke("object[0].instance[1].block.padding", 0, 1), "object[0].instance[1].block.padding", nil},
		{"padding counted into NameLength", write("object[0].instance[1].NameLength", 8), "object[0].instance[1].Name", nil},
		{"an unpaired surrogate", poke("object[0].instance[1].Name", 0, 0x00, 0xd8), "object[0].instance[1].Name", func(_ *builder.DataBlock, o, _ *builder.Object) { o.Instances[1].Name = "\uFFFD" }},
		{"a name of nothing but its NUL", poke("object[0].instance[1].Name", 0, 0, 0), "object[0].instance[1].Name", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[1].Name, o.Instances[1].ByteLength = "", 32
		}},
		{"a name of no more than its NUL", func(t *testing.T, b []byte) []byte {
			name := at(t, b, "object[0].instance[1].Name")
			clear(b[name.Off():name.End()])
			set(t, b, "object[0].instance[1].NameLength", 2)
			return b
		}, "object[0].instance[1].Name", func(_ *builder.DataBlock, o, _ *builder.Object) {
			o.Instances[1].Name, o.Instances[1].ByteLength = "", 32
		}},
		{"a counter block of an object of 0 instances", write("object[1].NumInstances", 0), "object[1].block", func(_ *builder.DataBlock, _, o *builder.Object) {
			o.NumInstances, o.Values = 0, nil
		}},
		{"a counter block in a metadata answer", write("object[1].NumInstances", -3), "object[1].rest", func(_ *builder.DataBlock, _, o *builder.Object) {
			o.NumInstances, o.Values = layout.PERF_METADATA_NO_INSTANCES, nil
		}},
		{"slack behind an object's only block", func(t *testing.T, b []byte) []byte {
			set(t, b, "object[1].TotalByteLength", int64(at(t, b, "object[1]").Len()+8))
			set(t, b, "TotalByteLength", int64(len(b)+8))
			return append(b, make([]byte, 8)...)
		}, "object[1].rest", nil},
		{"a longer object header", func(t *testing.T, b []byte) []byte { return grow(t, b, "object[0].HeaderLength", 64) }, "object[0].extension", nil},
		{"a longer counter definition", func(t *testing.T, b []byte) []byte { return grow(t, b, "object[0].counter[0].ByteLength", 64+40) }, "object[0].counter[0].extension", nil},
	} {
		original := sample()
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

// grow puts 8 zero bytes at an offset of object[0] and makes all lengths fit.
func grow(t *testing.T, b []byte, path string, offset int) []byte {
	t.Helper()
	for _, p := range []string{path, "object[0].TotalByteLength", "object[0].DefinitionLength", "TotalByteLength"} {
		n, _ := at(t, b, p).Int()
		set(t, b, p, n+8)
	}
	// The paths are looked up before the bytes move.
	start := int(binary.LittleEndian.Uint32(b[24:])) + offset
	return slices.Insert(b, start, make([]byte, 8)...)
}

// Of a name with a NUL inside it what stands before that is kept, in a code page as in UTF-16.
func TestNULInsideName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		codePage uint32
		name     string // its bytes, without the NUL at its end
		left     string
	}{
		{0, "a\x00\x00\x00b\x00", "a"},
		{0, "\x00\x00a\x00b\x00", ""},
		{1252, "a\x00b", "a"},
		{1252, "\x00ab", ""},
		{1252, "ab\x00", "ab"},
	} {
		o := builder.NewObject(2).Instance("abc")
		o.CodePage = test.codePage
		b, err := o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		copy(b[64+24:], test.name)
		var objects builder.Objects
		losses, err := objects.UnmarshalLossy(b)
		if err != nil || len(losses) != 1 || losses[0].Path.String() != "object[0].instance[0].Name" || objects[0].Instances[0].Name != test.left {
			t.Errorf("%q of code page %d: %+v, %v, %v; want %q", test.name, test.codePage, objects, losses, err, test.left)
		}
	}
}

// A name that is only its NUL is none that a model has: without a name there is no NUL.
func TestNameOfOnlyItsNUL(t *testing.T) {
	t.Parallel()
	for _, codePage := range []uint32{0, 1252} {
		o := builder.NewObject(2).Instance("a")
		o.CodePage = codePage
		b, err := o.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		unit := uint32(2)
		if codePage != 0 {
			unit = 1
		}
		b[64+20] = byte(unit) // NameLength
		clear(b[64+24 : 64+24+unit])
		var objects builder.Objects
		if err := objects.UnmarshalBinary(b); !errors.Is(err, builder.ErrUnkept) {
			t.Errorf("code page %d: %v", codePage, err)
		}
	}
}
