package validate_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// The block of these tests: a header of 104 bytes, an object of 112 bytes without
// instances and one of 144 bytes with an instance, 360 bytes together.
const (
	headerEnd   = 104
	firstEnd    = 216
	secondEnd   = 360
	fourBillion = 4_000_000_000
)

func twoObjects() []byte {
	return blockOfObjects(headerEnd, objectWithoutInstances(238), objectWithInstance(6))
}

func blockOfObjects(header uint32, objects ...[]byte) []byte {
	body := slices.Concat(objects...)
	b := wire.DataBlock{
		Signature: layout.Signature, LittleEndian: 1, Version: 1, Revision: 1,
		TotalByteLength: header + uint32(len(body)), HeaderLength: header, NumObjectTypes: uint32(len(objects)),
		SystemTime: layout.SystemTime{WYear: 2026, WMonth: 11, WDayOfWeek: 6, WDay: 21}, PerfTime: 1, PerfFreq: 10_000_000, PerfTime100nSec: 134_400_000_000_000_000,
		SystemNameLength: 16, SystemNameOffset: 88,
	}.Append(nil)
	b, _ = layout.AppendUTF16(b, "HOST001\x00")
	return append(append(b, make([]byte, int(header)-len(b))...), body...)
}

// objectWithoutInstances returns an object of 112 bytes without instances.
func objectWithoutInstances(title uint32, types ...layout.CounterType) []byte {
	b := objectHead(title, layout.PERF_NO_INSTANCES, 8, types...)
	return append(b, 8, 0, 0, 0, 0, 0, 0, 0)
}

// objectWithInstance returns an object of 144 bytes with one instance.
func objectWithInstance(title uint32) []byte {
	b := objectHead(title, 1, 40)
	b = wire.InstanceDefinition{ByteLength: 32, UniqueID: -1, NameOffset: 24, NameLength: 4}.Append(b)
	return append(b, 'a', 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0)
}

// objectHead returns an object with one counter, up to the start of its body.
func objectHead(title uint32, instances int32, body uint32, types ...layout.CounterType) []byte {
	b := wire.ObjectType{
		TotalByteLength: 104 + body, DefinitionLength: 104, HeaderLength: 64, ObjectNameTitleIndex: title, ObjectHelpTitleIndex: title + 1,
		DetailLevel: 100, NumCounters: 1, DefaultCounter: -1, NumInstances: instances,
	}.Append(nil)
	types = append(types, layout.PERF_COUNTER_RAWCOUNT)
	return wire.CounterDefinition{
		ByteLength: 40, CounterNameTitleIndex: 1000, CounterHelpTitleIndex: 1001, DetailLevel: 100, CounterType: types[0], CounterSize: 4, CounterOffset: 4,
	}.Append(b)
}

// setHeader writes n into a field of the PERF_DATA_BLOCK.
func setHeader(b []byte, name string, n int64) {
	f := layout.PERF_DATA_BLOCK.Field(name)
	if f.Type == layout.I64 {
		binary.LittleEndian.PutUint64(b[f.At:], uint64(n))
		return
	}
	binary.LittleEndian.PutUint32(b[f.At:], uint32(n))
}

// A written is a number that a test writes into a field of the PERF_DATA_BLOCK.
type written struct {
	field string
	n     int64
}

func rewritten(b []byte, changes ...written) []byte {
	for _, c := range changes {
		setHeader(b, c.field, c.n)
	}
	return b
}

// findings returns the findings of a block: rule, path and message.
func findings(kind layout.Kind, b []byte) []string {
	var lines []string
	for _, f := range validate.Bytes(kind, b, validate.Context{}).Findings {
		lines = append(lines, strings.TrimSpace(f.Rule.Name+" "+f.Path.String())+": "+f.Message())
	}
	return lines
}

func expectFindings(t *testing.T, reason string, kind layout.Kind, b []byte, want ...string) {
	t.Helper()
	b = slices.Clip(b) // so that a read after the end panics
	if diff := cmp.Diff(want, findings(kind, b)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

// TestDataBlockLengths checks which of TotalByteLength (T), HeaderLength (H) and NumObjectTypes
// (n) is reported where they contradict the objects or the size of the input.
func TestDataBlockLengths(t *testing.T) {
	t.Parallel()
	const (
		total    = "TotalByteLength"
		header   = "HeaderLength"
		number   = "NumObjectTypes"
		ends     = "must be 360, where the last of the objects ends"
		twoThere = "must be 2, the objects that there are"
		twoFill  = "must be 2, the objects that fill the block"
	)
	zeros := make([]byte, 40)
	least := wire.ObjectType{TotalByteLength: 64, DefinitionLength: 64, HeaderLength: 64, ObjectNameTitleIndex: 6, ObjectHelpTitleIndex: 7, DetailLevel: 100, DefaultCounter: -1}.Append(nil)
	for _, tt := range []struct {
		reason  string
		block   []byte
		changes []written
		want    []string
	}{
		{"nothing is wrong", twoObjects(), nil, nil},

		{"T too large: the objects give the end", twoObjects(), []written{{total, 368}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 368, " + ends}},
		{"T far too large", twoObjects(), []written{{total, fourBillion}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 4000000000, " + ends}},
		{"T too large, and there are bytes for it", append(twoObjects(), zeros[:16]...), []written{{total, 368}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 368, " + ends, "data-trailing-bytes rest: the block is followed by 8 bytes, must be none"}},
		{"T too large, and the input has as many bytes: nothing follows the block", append(twoObjects(), zeros[:8]...), []written{{total, 368}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 368, " + ends}},
		{"T too small: the object beyond it is not cut", twoObjects(), []written{{total, 352}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 352, " + ends}},
		{"T too small, and bytes after the objects", append(twoObjects(), zeros...), []written{{total, 352}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 352, " + ends, "data-trailing-bytes rest: the block is followed by 40 bytes, must be none"}},
		{"T ends with the first object", twoObjects(), []written{{total, firstEnd}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 216, " + ends}},
		{"T too small for a header", twoObjects(), []written{{total, 87}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 87, " + ends}},
		{"T without the header", twoObjects(), []written{{total, secondEnd - headerEnd}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 256, " + ends}},
		{"T without the header is less than HeaderLength, and is still the only finding", blockOfObjects(120, objectWithoutInstances(238)), []written{{total, 112}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 112, must be 232, where the last of the objects ends"}},
		{"T without the header, and no objects", blockOfObjects(headerEnd), []written{{total, 0}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 0, must be 88 to 104, the bytes there are"}},
		{"T a little too small, and no objects: the header fills the input", blockOfObjects(headerEnd), []written{{total, 96}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 96, must be 104, where the header ends, as there are no objects"}},
		{"T too large, and no objects", append(blockOfObjects(headerEnd), zeros[:8]...), []written{{total, 112}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 112, must be 104, where the header ends, as there are no objects"}},

		{"n too large by one", twoObjects(), []written{{number, 3}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 3, " + twoThere}},
		{"n too large by one, and bytes after the block", append(twoObjects(), zeros...), []written{{number, 3}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 3, " + twoThere, "data-trailing-bytes rest: the block is followed by 40 bytes, must be none"}},
		{"n of four billion", twoObjects(), []written{{number, fourBillion}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 4000000000, " + twoThere}},
		{"n of one, and no objects", blockOfObjects(headerEnd), []written{{number, 1}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 1, must be 0, the objects that there are"}},
		{"n too small by one: the second object is there all the same", twoObjects(), []written{{number, 1}},
			[]string{"data-object-sum NumObjectTypes: NumObjectTypes is 1, " + twoFill}},
		{"n of none", twoObjects(), []written{{number, 0}},
			[]string{"data-object-sum NumObjectTypes: NumObjectTypes is 0, " + twoFill}},
		{"an object that n does not count is checked", blockOfObjects(headerEnd, objectWithoutInstances(238), objectWithoutInstances(238)), []written{{number, 1}},
			[]string{"data-object-sum NumObjectTypes: NumObjectTypes is 1, " + twoFill, "data-object-duplicate object[1].ObjectNameTitleIndex: ObjectNameTitleIndex is 238, must be unique: object[0] has this title"}},

		{"n too small and T too large: each is wrong", twoObjects(), []written{{number, 1}, {total, 368}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 368, " + ends, "data-object-sum NumObjectTypes: NumObjectTypes is 1, " + twoFill}},
		{"n too small and T no length at all: each is wrong", twoObjects(), []written{{number, 1}, {total, 0}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 0, " + ends, "data-object-sum NumObjectTypes: NumObjectTypes is 1, " + twoFill}},
		{"n and T too small, and they agree: the second object is trailing bytes", twoObjects(), []written{{number, 1}, {total, firstEnd}},
			[]string{"data-trailing-bytes rest: the block is followed by 144 bytes, must be none"}},
		{"n too large and T too small: the objects fill the input, and not T", twoObjects(), []written{{number, 3}, {total, 352}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 352, " + ends, "data-object-count NumObjectTypes: NumObjectTypes is 3, " + twoThere}},
		{"n of four billion and T without the header", twoObjects(), []written{{number, fourBillion}, {total, 256}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 256, " + ends, "data-object-count NumObjectTypes: NumObjectTypes is 4000000000, " + twoThere}},
		{"n and T of four billion", twoObjects(), []written{{number, fourBillion}, {total, fourBillion}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 4000000000, must be 88 to 360, the bytes there are", "data-object-count NumObjectTypes: NumObjectTypes is 4000000000, must be at most 62499998, for which there is room"}},

		{"n too small, and T counts 8 bytes after the objects: T is not their end", append(twoObjects(), zeros[:8]...), []written{{number, 1}, {total, 368}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 368, must be 216, where the last of the objects ends"}},
		{"an object of the least length, at the end, where T ends too early", blockOfObjects(headerEnd, objectWithoutInstances(238), least), []written{{total, 272}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 272, must be 280, where the last of the objects ends", "obj-no-counters object[1].NumCounters: NumCounters is 0, must be at least 1"}},
		{"an object of no length: it is wrong, and not the header", blockOfObjects(headerEnd, make([]byte, 112), objectWithInstance(6)), nil,
			[]string{"obj-total-length-min object[0].TotalByteLength: TotalByteLength is 0, must be at least 64"}},
		{"an object of no length, and n too large for the block", blockOfObjects(headerEnd, objectWithoutInstances(238), make([]byte, 112)), []written{{number, 4}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 4, must be at most 3, for which there is room", "obj-total-length-min object[1].TotalByteLength: TotalByteLength is 0, must be at least 64"}},
		{"an object of no length, and n of as many as have room", blockOfObjects(headerEnd, objectWithoutInstances(238), make([]byte, 112)), []written{{number, 3}},
			[]string{"obj-total-length-min object[1].TotalByteLength: TotalByteLength is 0, must be at least 64"}},

		{"n of none, and an object whose length is wrong: no more is looked for", blockOfObjects(headerEnd, poke(objectWithInstance(6), 0, 64)), []written{{number, 0}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 248, must be 104, where the header ends, as there are no objects"}},
		{"an old object after the block does not belong to it", append(twoObjects(), objectWithInstance(8)...), nil,
			[]string{"data-trailing-bytes rest: the block is followed by 144 bytes, must be none"}},
		{"an old object after the block, and n of four billion: the objects fill T", append(twoObjects(), objectWithInstance(8)...), []written{{number, fourBillion}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 4000000000, " + twoThere, "data-trailing-bytes rest: the block is followed by 144 bytes, must be none"}},
		{"an object after the block that n counts: T is too small", append(twoObjects(), objectWithInstance(8)...), []written{{number, 3}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 360, must be 504, where the last of the objects ends"}},

		{"H beyond T", twoObjects(), []written{{header, 368}},
			[]string{"data-header-length HeaderLength: HeaderLength is 368, must be 104, where the first object starts"}},
		{"H of one byte more than T", twoObjects(), []written{{header, 361}},
			[]string{"data-header-length HeaderLength: HeaderLength is 361, must be 104, where the first object starts"}},
		{"H of the whole input is a valid length that leaves no room for objects", twoObjects(), []written{{header, 360}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 2, must be 0, the objects that there are"}},
		{"H less than the structure", twoObjects(), []written{{header, 87}},
			[]string{"data-header-length HeaderLength: HeaderLength is 87, must be 104, where the first object starts"}},
		{"H beyond T, and there are bytes, but no objects", append(twoObjects(), zeros...), []written{{header, 368}},
			[]string{"data-header-length HeaderLength: HeaderLength is 368, must be 104, where the first object starts", "data-trailing-bytes rest: the block is followed by 40 bytes, must be none"}},
		{"H beyond T, and n is 0", append(blockOfObjects(headerEnd), zeros[:16]...), []written{{header, 112}},
			[]string{"data-header-length HeaderLength: HeaderLength is 112, must be 88 to 104, inside the block", "data-trailing-bytes rest: the block is followed by 16 bytes, must be none"}},
		{"H beyond T: the other fields are checked", twoObjects(), []written{{header, fourBillion}, {"Version", 2}, {"PerfFreq", 0}},
			[]string{"data-version Version: Version is 2, must be 1", "data-header-length HeaderLength: HeaderLength is 4000000000, must be 104, where the first object starts", "data-perf-freq-unused PerfFreq: PerfFreq is 0, must be greater than 0"}},
		{"H and T of four billion: T alone, H may be as long", twoObjects(), []written{{header, fourBillion}, {total, fourBillion}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 4000000000, must be 88 to 360, the bytes there are"}},

		{"cut in the second object", twoObjects()[:300], nil, cutTo("88 to 300")},
		{"cut between the objects", twoObjects()[:firstEnd], nil, cutTo("88 to 216")},
		{"cut in the header of an object", twoObjects()[:firstEnd+63], nil, cutTo("88 to 279")},
		{"cut in the first object", twoObjects()[:headerEnd+70], nil, cutTo("88 to 174")},
		{"cut after the header", twoObjects()[:headerEnd], nil, cutTo("88 to 104")},
		{"cut in the system name", twoObjects()[:90], nil, cutTo("88 to 90")},
		{"cut after the structure", twoObjects()[:88], nil, cutTo("88")},
		{"cut in the structure", twoObjects()[:87], nil, []string{"data-truncated: the input has 87 bytes, must have at least 88"}},
		{"cut before the first byte", nil, nil, []string{"data-truncated: the input has 0 bytes, must have at least 88"}},
		{"cut, and n of four billion: more than T has room for", twoObjects()[:300], []written{{number, fourBillion}},
			append(cutTo("88 to 300"), "data-object-count NumObjectTypes: NumObjectTypes is 4000000000, must be at most 4, for which there is room")},
		{"cut, and n of what T has room for", twoObjects()[:300], []written{{number, 4}}, cutTo("88 to 300")},
		{"cut, and n of one more", twoObjects()[:300], []written{{number, 5}},
			append(cutTo("88 to 300"), "data-object-count NumObjectTypes: NumObjectTypes is 5, must be at most 4, for which there is room")},
	} {
		expectFindings(t, tt.reason, layout.DataBlockKind, rewritten(tt.block, tt.changes...), tt.want...)
	}
}

func cutTo(n string) []string {
	return []string{"data-total-length TotalByteLength: TotalByteLength is 360, must be " + n + ", the bytes there are"}
}

// TestSignature checks blocks whose first bytes are not a valid start.
func TestSignature(t *testing.T) {
	t.Parallel()
	const wrong = "data-signature Signature: Signature is 50 00 45 00 52 00 47 00, must be 50 00 45 00 52 00 46 00"
	garbage := []byte(strings.Repeat("What the buffer held before. ", 12))
	copy(garbage, twoObjects()[:8])
	other := slices.Clone(twoObjects())
	for i := range 4 { // all numbers of the header in big-endian order
		binary.BigEndian.PutUint16(other[2*i:], binary.LittleEndian.Uint16(other[2*i:]))
	}
	for i := 8; i < 36; i += 4 {
		binary.BigEndian.PutUint32(other[i:], binary.LittleEndian.Uint32(other[i:]))
	}
	for _, tt := range []struct {
		reason  string
		block   []byte
		changes []written
		want    []string
	}{
		{"a byte of it is off, and all else is sound", wrongSignatures(twoObjects()), nil, []string{wrong}},
		{"a byte of it is off, and T leaves the header out", wrongSignatures(twoObjects()), []written{{"TotalByteLength", 256}},
			[]string{wrong, "data-object-sum TotalByteLength: TotalByteLength is 256, must be 360, where the last of the objects ends"}},
		{"a byte of it is off, and an object has a fault", wrongSignatures(blockOfObjects(headerEnd, objectWithoutInstances(6), objectWithoutInstances(6))), nil,
			[]string{wrong, "data-object-duplicate object[1].ObjectNameTitleIndex: ObjectNameTitleIndex is 6, must be unique: object[0] has this title"}},
		{"a byte of it is off, and nothing says that it is a block: T", wrongSignatures(twoObjects()), []written{{"TotalByteLength", fourBillion}}, []string{wrong}},
		{"a byte of it is off, and nothing says that it is a block: H", wrongSignatures(twoObjects()), []written{{"HeaderLength", fourBillion}}, []string{wrong}},
		{"a byte of it is off, in garbage", wrongSignatures(garbage), nil, []string{wrong}},
		{"objects as a provider writes them", slices.Concat(objectWithoutInstances(238), objectWithInstance(6)), nil,
			[]string{"data-signature Signature: Signature is 70 00 00 00 68 00 00 00, must be 50 00 45 00 52 00 46 00"}},
		{"numbers of the other byte order", other, nil,
			[]string{"data-signature Signature: Signature is 00 50 00 45 00 52 00 46, must be 50 00 45 00 52 00 46 00"}},
		{"LittleEndian 0: the numbers are read as they are", twoObjects(), []written{{"LittleEndian", 0}},
			[]string{"data-big-endian LittleEndian: LittleEndian is 0, must be 1"}},
		{"LittleEndian 0, and a fault after it", twoObjects(), []written{{"LittleEndian", 0}, {"NumObjectTypes", 3}},
			[]string{"data-big-endian LittleEndian: LittleEndian is 0, must be 1", "data-object-count NumObjectTypes: NumObjectTypes is 3, must be 2, the objects that there are"}},
		{"LittleEndian of no order at all", twoObjects(), []written{{"LittleEndian", 2}},
			[]string{"data-endian-value LittleEndian: LittleEndian is 2, must be 1"}},
	} {
		expectFindings(t, tt.reason, layout.DataBlockKind, rewritten(tt.block, tt.changes...), tt.want...)
	}
}

// wrongSignatures replaces the last letter of the signature with G.
func wrongSignatures(b []byte) []byte {
	b = slices.Clone(b)
	b[6] = 'G'
	return b
}
