package validate_test

import (
	"bytes"
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

// validBuffers has a valid buffer of each V2 kind except query data and instance lists.
var validBuffers = map[layout.Kind][]byte{
	layout.RegSetKind:        validRegistration().bytes(),
	layout.RegCounterKind:    registeredCounter(1, layout.PERF_COUNTER_COUNTER).Append(nil),
	layout.RegStringKind:     append(text16("Set"), 0, 0),
	layout.RegGUIDKind:       wire.GUID(someSet).Append(nil),
	layout.TemplateKind:      validTemplate().bytes(),
	layout.InstanceBlockKind: validSetInstance().bytes(),
	layout.IdentifiersKind:   identifiersOf("*\x00", "", "_Total\x00", ""),
	layout.GUIDsKind:         wire.GUID(gpu).Append(nil),
	layout.StringsKind:       stringsOf(text("Ab\x00"), text("Cde\x00"), ""), // strings at 32 and 38; 48 bytes in all
}

// valuesWithoutError has the fields in which some wrong numbers give no error. A key is the kind
// and the name of the field.
var valuesWithoutError = map[string]struct {
	reason  string
	noError func(wrong, right uint32) bool
}{
	"template NumCounters": {"Windows accepts a template with bytes after its counters", func(wrong, right uint32) bool { return wrong > 0 && wrong < right }},
	"strings dwSize":       {"a dwSize that omits only padding is a warning", func(wrong, _ uint32) bool { return wrong == 46 || wrong == 47 }},
	"strings dwOffset":     {"the offset points to other text, or means that there is no text", func(wrong, _ uint32) bool { return wrong >= 32 && wrong < 48 || wrong == layout.NoString }},
	"template Size":        {"Windows ignores the field, so a wrong value is a warning", func(uint32, uint32) bool { return true }},
}

// TestEveryWrongLengthIsError writes wrong numbers into each length, count and offset of valid
// buffers. Each wrong number must be an error, except those that valuesWithoutError allows.
func TestEveryWrongLengthIsError(t *testing.T) {
	t.Parallel()
	for kind, sound := range validBuffers {
		if r := validate.Bytes(kind, sound, validate.Context{}); r.Err(validate.Info) != nil {
			t.Fatalf("%v: %v", kind, r.Err(validate.Info))
		}
		for part := range layout.Walk(kind, sound) {
			if f := part.Field; f != nil && f.Type == layout.U32 && slices.Contains([]layout.RoleKind{layout.Length, layout.Count, layout.Offset}, f.Role.Kind) {
				checkWrongNumbers(t, kind, sound, part)
			}
		}
	}
}

// checkWrongNumbers writes wrong numbers into one field and checks the findings.
func checkWrongNumbers(t *testing.T, kind layout.Kind, sound []byte, part layout.Part) {
	t.Helper()
	was := binary.LittleEndian.Uint32(part.Bytes())
	for _, is := range []uint32{0, 1, was - 8, was - 4, was - 2, was - 1, was + 1, was + 2, was + 4, was + 8, 2 * was, was << 8, 1 << 31, 1<<32 - 8, 1<<32 - 1} {
		if is == was {
			continue
		}
		b := bytes.Clone(sound)
		binary.LittleEndian.PutUint32(b[part.Off():], is)
		r := validate.Bytes(kind, b, validate.Context{})
		exception, found := valuesWithoutError[fmt.Sprint(kind, " ", part.Field.Name)]
		legal := found && exception.noError(is, was)
		switch {
		case !legal && r.Counts.Error == 0:
			t.Errorf("%v: %v is %d and was %d, must be an error: %v", kind, part.Path, is, was, r.Err(validate.Info))
		case legal && r.Counts.Error > 0:
			t.Errorf("%v: %v is %d and was %d, must not be an error, as %s: %v", kind, part.Path, is, was, exception.reason, r.Err(validate.Info))
		case len(r.Findings) == 0:
			t.Errorf("%v: %v is %d and was %d, must have a finding", kind, part.Path, is, was)
		}
	}
}

// TestWrongObjectLength checks that a wrong TotalByteLength gives one finding, and that later
// objects are still checked.
func TestWrongObjectLength(t *testing.T) {
	t.Parallel()
	const none = 9 // index of no object
	for _, test := range []struct {
		reason string
		object int
		total  func(uint32) uint32
		rule   string
		other  int // index of another object, whose TotalByteLength the test sets to 0
	}{
		{"the length includes 8 bytes of the next object", 0, func(n uint32) uint32 { return n + 8 }, "obj-multi-length", none},
		{"the length ends in the last counter block", 0, func(n uint32) uint32 { return n - 8 }, "obj-multi-length", none},
		{"the length ends in the first instance", 0, func(n uint32) uint32 { return n - 60 }, "obj-multi-length", none},
		{"0 is not a valid length", 0, func(uint32) uint32 { return 0 }, "obj-total-length-min", none},
		{"63 is less than the structure", 1, func(uint32) uint32 { return 63 }, "obj-total-length-min", none},
		{"the length ends outside the input", 0, func(uint32) uint32 { return 1 << 31 }, "obj-total-length-bound", none},
		{"the length is the largest uint32", 1, func(uint32) uint32 { return 1<<32 - 1 }, "obj-total-length-bound", none},
		{"the length ends in the only counter block", 1, func(n uint32) uint32 { return n - 8 }, "obj-single-length", none},
		{"the lengths of two consecutive objects are wrong", 0, func(n uint32) uint32 { return n - 8 }, "obj-multi-length", 1},
	} {
		for _, kind := range []layout.Kind{layout.DataBlockKind, layout.ObjectsKind} {
			t.Run(fmt.Sprintf("%s %s %v", test.rule, test.reason, kind), func(t *testing.T) {
				t.Parallel()
				b := fourObjects(t, kind)
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
				// The last object has another fault, which must be found.
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

// TestWrongLengthOffsetLooksLikeObject checks an object with a wrong TotalByteLength. With this
// length, the next object would start at counter values that look like an object ("the false
// object"). The validator must report TotalByteLength.
func TestWrongLengthOffsetLooksLikeObject(t *testing.T) {
	t.Parallel()
	header := func(total uint32) (list []uint64) { // the header of an object without counters and instances
		b := wire.Object{TotalByteLength: total, DefinitionLength: 64, HeaderLength: 64, DefaultCounter: -1, NumInstances: layout.PERF_NO_INSTANCES}.Append(nil)
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
		{"the length of the false object is 0, and no counter block follows", append(header(0), 4)},
		{"the length of the false object is 0, and a counter block follows", append(header(0), 8, 1)},
		{"the false object ends at no object, and a counter block and another false object follow its header", slices.Concat(header(64+8+64+8), []uint64{8}, header(0), []uint64{8, 1})},
		{"the false object ends at no object, and a counter block ends there", slices.Concat(header(64+8), []uint64{8, 1})},
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

// fourObjects returns four valid objects. The second has no instances.
func fourObjects(t *testing.T, kind layout.Kind) []byte {
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

// TestWrongLengthInObject changes one length, offset or count inside an object. The first finding must be at the
// changed field, and its requirement must allow the original number.
func TestWrongLengthInObject(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		path   string
		to     uint32
		want   string
	}{
		{"the instance's ByteLength counts the padding twice", "object[2].instance[0].ByteLength", 48, "inst-length-bound object[2].instance[0].ByteLength: ByteLength is 48, must be 40, the distance to the counter block"},
		{"the instance's ByteLength omits the end of the name", "object[2].instance[0].ByteLength", 32, "inst-length-bound object[2].instance[0].ByteLength: ByteLength is 32, must be 40, the distance to the counter block"},
		{"the instance's ByteLength omits the padding", "object[2].instance[1].ByteLength", 38, "inst-length-align object[2].instance[1].ByteLength: ByteLength is 38, must be 40, the distance to the counter block"},
		{"the instance's ByteLength is less than the structure", "object[2].instance[1].ByteLength", 8, "inst-length-min object[2].instance[1].ByteLength: ByteLength is 8, must be 40, the distance to the counter block"},
		{"the instance's ByteLength ends outside the object", "object[2].instance[1].ByteLength", 1 << 30, "inst-length-bound object[2].instance[1].ByteLength: ByteLength is 1073741824, must be 40, the distance to the counter block"},
		{"a counter block includes bytes of the next instance", "object[2].instance[0].block.ByteLength", 16, "blk-length-bound object[2].instance[0].block.ByteLength: ByteLength is 16, must be 8, the distance to the next instance or the end of the object"},
		{"the last counter block ends outside the object", "object[2].instance[1].block.ByteLength", 24, "blk-length-bound object[2].instance[1].block.ByteLength: ByteLength is 24, must be 8, the distance to the next instance or the end of the object"},
		{"the ByteLength of a counter block is 0", "object[2].instance[1].block.ByteLength", 0, "blk-length-min object[2].instance[1].block.ByteLength: ByteLength is 0, must be 8, the distance to the next instance or the end of the object"},
		{"the ByteLength of the only counter block is 0", "object[1].block.ByteLength", 0, "blk-length-min object[1].block.ByteLength: ByteLength is 0, must be 8, the number of bytes up to TotalByteLength"},
		{"the ByteLength of a counter block is odd", "object[2].instance[0].block.ByteLength", 13, "blk-length-align object[2].instance[0].block.ByteLength: ByteLength is 13, must be 8, the distance to the next instance or the end of the object"},
		{"NameOffset is too large, so the name ends outside the instance", "object[2].instance[0].NameOffset", 30, "inst-name-range object[2].instance[0].NameOffset: NameOffset is 30, must be 24, the offset after the structure"},
		{"NameOffset is after the instance, and the name fits into the instance", "object[2].instance[0].NameOffset", 48, "inst-name-range object[2].instance[0].NameOffset: NameOffset is 48, must be 24, the offset after the structure"},
		{"NameLength is too large", "object[2].instance[0].NameLength", 18, "inst-name-range object[2].instance[0].NameLength: NameLength is 18, must be 12, the number of bytes up to and including the first NUL"},
		{"a counter definition includes bytes of the instance after it", "object[2].counter[0].ByteLength", 48, "ctr-byte-length-min object[2].counter[0].ByteLength: ByteLength is 48, must be 40: DefinitionLength is HeaderLength plus 40 for each counter"},
		{"HeaderLength is so large that the counters do not fit", "object[2].HeaderLength", 80, "obj-num-counters object[2].HeaderLength: HeaderLength is 80, must be 64, the DefinitionLength minus 40 times NumCounters"},
		{"the instance's ByteLength ends inside its counter block", "object[2].instance[0].ByteLength", 44, "inst-length-align object[2].instance[0].ByteLength: ByteLength is 44, must be 40, the distance to the counter block"},
		{"NumInstances is one too large", "object[2].NumInstances", 3, "inst-truncated object[2].NumInstances: NumInstances is 3, must be 2, the number of instances up to TotalByteLength"},
		{"NumInstances is -1, but the object has two instances", "object[2].NumInstances", 1<<32 - 1, "obj-single-slack object[2].NumInstances: NumInstances is -1, must be 2, the number of instances up to TotalByteLength\n" +
			"blk-slack object[2].block.ByteLength: ByteLength is 40, must be 8, the number of bytes that the values require"},
		{"the TotalByteLength of the second to last object is too large", "object[2].TotalByteLength", 208, "obj-multi-length object[2].TotalByteLength: TotalByteLength is 208, must be 200, where the last instance ends"},
		{"the last object is too short", "object[3].TotalByteLength", 192, "obj-multi-length object[3].TotalByteLength: TotalByteLength is 192, must be 200, where the last instance ends"},
		{"the last object is shorter than its definitions", "object[3].TotalByteLength", 96, "obj-multi-length object[3].TotalByteLength: TotalByteLength is 96, must be 200, where the last instance ends"},
	} {
		for _, kind := range []layout.Kind{layout.DataBlockKind, layout.ObjectsKind} {
			t.Run(fmt.Sprintf("%s %v", test.reason, kind), func(t *testing.T) {
				t.Parallel()
				b := fourObjects(t, kind)
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

// TestWrongHeaderLength checks that a wrong HeaderLength gives one finding. HeaderLength is the
// offset of the first object.
func TestWrongHeaderLength(t *testing.T) {
	t.Parallel()
	for _, n := range []uint32{0, 88, 96, 106, 112, 120, 144, 208, 1 << 31} {
		b := fourObjects(t, layout.DataBlockKind)
		binary.LittleEndian.PutUint32(b[24:], n)
		var got []string
		for _, f := range validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Findings {
			got = append(got, f.Rule.Name+": "+f.Message())
		}
		want := []string{fmt.Sprintf("data-header-length: HeaderLength is %d, must be 104, the offset of the first object", n)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d (-want +got):\n%s", n, diff)
		}
	}
}

// TestWrongLengthOfEmptyObject checks an object that ends with its definitions. A wrong
// TotalByteLength of this object must give one finding.
func TestWrongLengthOfEmptyObject(t *testing.T) {
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
		{layout.PERF_METADATA_NO_INSTANCES, -8, "obj-definition-bound"},
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

// TestLongMetadataObject checks an object with NumInstances -3. If TotalByteLength includes bytes of
// the next object, the validator must report an error.
func TestLongMetadataObject(t *testing.T) {
	t.Parallel()
	empty := builder.NewObject(10).Counter(12, layout.PERF_COUNTER_RAWCOUNT)
	empty.NumInstances = layout.PERF_METADATA_NO_INSTANCES
	last := builder.NewObject(20).Counter(22, layout.PERF_COUNTER_RAWCOUNT).Instance("one", 1)
	b, err := builder.Objects{*empty, *last}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	right := binary.LittleEndian.Uint32(b)
	for _, by := range []uint32{8, 64, 104} {
		binary.LittleEndian.PutUint32(b, right+by)
		if r := validate.Bytes(layout.ObjectsKind, b, validate.Context{}); r.Counts.Error == 0 {
			t.Errorf("TotalByteLength is %d too large, must be an error: %v", by, r.Err(validate.Info))
		}
	}
}

// TestWrongLengthOfResult checks that a result with a wrong dwSize has one finding. It also checks
// that the name of the last identifier in a list must have a NUL.
func TestWrongLengthOfResult(t *testing.T) {
	t.Parallel()
	const dwSize = 8
	results := func(first uint32) []byte {
		return queryBytes(poke(singleCounter(4), dwSize, first), errorResult(4201), singleCounter(8))
	}
	for _, tt := range []queryTest{
		{"dwSize is that of the next result, so the next result starts inside the value", results(16), []string{
			"counter-size-sum result[0].dwSize: dwSize is 16, must be 32, the size of the header and the content"}},
		{"dwSize includes the next result", results(48), []string{
			"counter-size-sum result[0].dwSize: dwSize is 48, must be 32, the size of the header and the content"}},
	} {
		tt.run(t, layout.QueryDataKind, validate.Context{})
	}
	names := identifiersOf("*\x00", "_Total\x00")
	queryTest{"the input ends with a name without a NUL, so nothing contradicts Size", append(names[:len(names)-4:len(names)-4], 'l', 0, 'l', 0), []string{
		"identifier-name-unterminated identifier[1].Name: the 16 bytes of the name have no NUL, must end in a NUL"}}.run(t, layout.IdentifiersKind, validate.Context{})
}
