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

// The block of these tests has 360 bytes: a header of 104 bytes, an object of 112 bytes without
// instances and an object of 144 bytes with an instance.
const (
	headerEnd   = 104
	firstEnd    = 216
	secondEnd   = 360
	fourBillion = 4_000_000_000
)

// twoObjects returns a valid data block with two objects.
func twoObjects() []byte {
	return blockOfObjects(headerEnd, objectWithoutInstances(238), objectWithInstance(6))
}

// blockOfObjects returns a data block. header is its HeaderLength.
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
	b = wire.Instance{ByteLength: 32, UniqueID: -1, NameOffset: 24, NameLength: 4}.Append(b)
	return append(b, 'a', 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0)
}

// objectHead returns the PERF_OBJECT_TYPE and the counter definition of an object. body is the
// number of bytes that follow the definition.
func objectHead(title uint32, instances int32, body uint32, types ...layout.CounterType) []byte {
	b := wire.Object{
		TotalByteLength: 104 + body, DefinitionLength: 104, HeaderLength: 64, ObjectNameTitleIndex: title, ObjectHelpTitleIndex: title + 1,
		DetailLevel: 100, NumCounters: 1, DefaultCounter: -1, NumInstances: instances,
	}.Append(nil)
	types = append(types, layout.PERF_COUNTER_RAWCOUNT)
	return wire.Counter{
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

// A fieldValue is a number that a test writes into a field of the PERF_DATA_BLOCK.
type fieldValue struct {
	field string
	n     int64
}

// withFields writes numbers into b and returns b.
func withFields(b []byte, changes ...fieldValue) []byte {
	for _, c := range changes {
		setHeader(b, c.field, c.n)
	}
	return b
}

// findings returns the rule, the path and the message of each finding of a block.
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
// (n) is reported if they contradict the objects or the size of the input.
func TestDataBlockLengths(t *testing.T) {
	t.Parallel()
	const (
		total    = "TotalByteLength"
		header   = "HeaderLength"
		number   = "NumObjectTypes"
		ends     = "must be 360, the end of the last object"
		twoThere = "must be 2, the number of objects in the block"
		twoFill  = "must be 2, the number of objects up to the end of the block"
	)
	zeros := make([]byte, 40)
	least := wire.Object{TotalByteLength: 64, DefinitionLength: 64, HeaderLength: 64, ObjectNameTitleIndex: 6, ObjectHelpTitleIndex: 7, DetailLevel: 100, DefaultCounter: -1}.Append(nil)
	for _, tt := range []struct {
		reason  string
		block   []byte
		changes []fieldValue
		want    []string
	}{
		{"nothing is wrong", twoObjects(), nil, nil},

		{"T is too large, and the objects give the end", twoObjects(), []fieldValue{{total, 368}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 368, " + ends}},
		{"T is four billion", twoObjects(), []fieldValue{{total, fourBillion}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 4000000000, " + ends}},
		{"T is too large, and bytes follow it", append(twoObjects(), zeros[:16]...), []fieldValue{{total, 368}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 368, " + ends, "data-trailing-bytes rest: the block is followed by 8 bytes, must be followed by none"}},
		{"T is too large, and is the size of the input", append(twoObjects(), zeros[:8]...), []fieldValue{{total, 368}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 368, " + ends}},
		{"T is too small, and the last object is checked whole", twoObjects(), []fieldValue{{total, 352}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 352, " + ends}},
		{"T is too small, and bytes follow the objects", append(twoObjects(), zeros...), []fieldValue{{total, 352}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 352, " + ends, "data-trailing-bytes rest: the block is followed by 40 bytes, must be followed by none"}},
		{"T is the end of the first object", twoObjects(), []fieldValue{{total, firstEnd}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 216, " + ends}},
		{"T is too small for a header", twoObjects(), []fieldValue{{total, 87}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 87, " + ends}},
		{"T omits the header", twoObjects(), []fieldValue{{total, secondEnd - headerEnd}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 256, " + ends}},
		{"T omits the header and is less than H, which is one finding", blockOfObjects(120, objectWithoutInstances(238)), []fieldValue{{total, 112}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 112, must be 232, the end of the last object"}},
		{"T is 0, and there are no objects", blockOfObjects(headerEnd), []fieldValue{{total, 0}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 0, must be 104, the end of the header, because there are no objects"}},
		{"T is 8 too small, and there are no objects", blockOfObjects(headerEnd), []fieldValue{{total, 96}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 96, must be 104, the end of the header, because there are no objects"}},
		{"T is too large, and there are no objects", append(blockOfObjects(headerEnd), zeros[:8]...), []fieldValue{{total, 112}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 112, must be 104, the end of the header, because there are no objects"}},

		{"n is one too large", twoObjects(), []fieldValue{{number, 3}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 3, " + twoThere}},
		{"n is one too large, and bytes follow the block", append(twoObjects(), zeros...), []fieldValue{{number, 3}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 3, " + twoThere, "data-trailing-bytes rest: the block is followed by 40 bytes, must be followed by none"}},
		{"n is four billion", twoObjects(), []fieldValue{{number, fourBillion}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 4000000000, " + twoThere}},
		{"n is 1, and there are no objects", blockOfObjects(headerEnd), []fieldValue{{number, 1}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 1, must be 0, the number of objects in the block"}},
		{"n is one too small, and the second object is found", twoObjects(), []fieldValue{{number, 1}},
			[]string{"data-object-sum NumObjectTypes: NumObjectTypes is 1, " + twoFill}},
		{"n is 0", twoObjects(), []fieldValue{{number, 0}},
			[]string{"data-object-sum NumObjectTypes: NumObjectTypes is 0, " + twoFill}},
		{"an object that n does not count is checked", blockOfObjects(headerEnd, objectWithoutInstances(238), objectWithoutInstances(238)), []fieldValue{{number, 1}},
			[]string{"data-object-sum NumObjectTypes: NumObjectTypes is 1, " + twoFill, "data-object-duplicate object[1].ObjectNameTitleIndex: ObjectNameTitleIndex is 238, must be unique: object[0] has this title"}},

		{"n is too small, and T is too large", twoObjects(), []fieldValue{{number, 1}, {total, 368}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 368, " + ends, "data-object-sum NumObjectTypes: NumObjectTypes is 1, " + twoFill}},
		{"n is too small, and T is 0", twoObjects(), []fieldValue{{number, 1}, {total, 0}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 0, " + ends, "data-object-sum NumObjectTypes: NumObjectTypes is 1, " + twoFill}},
		{"n and T both omit the second object, which is then trailing bytes", twoObjects(), []fieldValue{{number, 1}, {total, firstEnd}},
			[]string{"data-trailing-bytes rest: the block is followed by 144 bytes, must be followed by none"}},
		{"n is too large, and T is too small", twoObjects(), []fieldValue{{number, 3}, {total, 352}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 352, " + ends, "data-object-count NumObjectTypes: NumObjectTypes is 3, " + twoThere}},
		{"n is four billion, and T omits the header", twoObjects(), []fieldValue{{number, fourBillion}, {total, 256}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 256, " + ends, "data-object-count NumObjectTypes: NumObjectTypes is 4000000000, " + twoThere}},
		{"n and T are four billion", twoObjects(), []fieldValue{{number, fourBillion}, {total, fourBillion}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 4000000000, must be 88 to 360, the length of the input", "data-object-count NumObjectTypes: NumObjectTypes is 4000000000, must be at most 62499998, because the block has no space for more objects"}},

		{"n is too small, and T counts 8 bytes after the objects", append(twoObjects(), zeros[:8]...), []fieldValue{{number, 1}, {total, 368}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 368, " + ends, "data-object-sum NumObjectTypes: NumObjectTypes is 1, " + twoFill}},
		{"T omits the last 8 bytes of an object of 64 bytes", blockOfObjects(headerEnd, objectWithoutInstances(238), least), []fieldValue{{total, 272}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 272, must be 280, the end of the last object", "obj-no-counters object[1].NumCounters: NumCounters is 0, must be at least 1"}},
		{"the length of an object is 0, and the header is right", blockOfObjects(headerEnd, make([]byte, 112), objectWithInstance(6)), nil,
			[]string{"obj-total-length-min object[0].TotalByteLength: TotalByteLength is 0, must be at least 64"}},
		{"the length of an object is 0, and n is larger than the number of objects that fit into the block", blockOfObjects(headerEnd, objectWithoutInstances(238), make([]byte, 112)), []fieldValue{{number, 4}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 4, must be at most 3, because the block has no space for more objects", "obj-total-length-min object[1].TotalByteLength: TotalByteLength is 0, must be at least 64"}},
		{"the length of an object is 0, and n is the number of objects that fit into the block", blockOfObjects(headerEnd, objectWithoutInstances(238), make([]byte, 112)), []fieldValue{{number, 3}},
			[]string{"obj-total-length-min object[1].TotalByteLength: TotalByteLength is 0, must be at least 64"}},

		{"n is 0, and the length of the object is wrong", blockOfObjects(headerEnd, poke(objectWithInstance(6), 0, 64)), []fieldValue{{number, 0}},
			[]string{"data-object-sum NumObjectTypes: NumObjectTypes is 0, must be 1, the number of objects up to the end of the block", "obj-multi-length object[0].TotalByteLength: TotalByteLength is 64, must be 144, where the last instance ends"}},
		{"an object follows the block, and n and T do not count this object", append(twoObjects(), objectWithInstance(8)...), nil,
			[]string{"data-trailing-bytes rest: the block is followed by 144 bytes, must be followed by none"}},
		{"an object follows the block, and n is four billion: T is right", append(twoObjects(), objectWithInstance(8)...), []fieldValue{{number, fourBillion}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 4000000000, " + twoThere, "data-trailing-bytes rest: the block is followed by 144 bytes, must be followed by none"}},
		{"an object follows the block, and n counts it: T is too small", append(twoObjects(), objectWithInstance(8)...), []fieldValue{{number, 3}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 360, must be 504, the end of the last object"}},
		{"an object that is cut off follows the block, and n counts it: T is right", append(blockOfObjects(headerEnd, objectWithInstance(6)), objectWithInstance(8)[:136]...), []fieldValue{{number, 2}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 2, must be 1, the number of objects in the block", "data-trailing-bytes rest: the block is followed by 136 bytes, must be followed by none"}},
		{"n is 0, and the object, whose content has no end, is longer than the input", poke(blockOfObjects(headerEnd, objectWithInstance(6)), headerEnd, 152, headerEnd+104, 0), []fieldValue{{number, 0}},
			[]string{"obj-total-length-bound object[0].TotalByteLength: TotalByteLength is 152, must be a multiple of 8 from 64 to 144, the number of bytes up to the end of the block"}},
		{"T is too small, and the last object is cut off", blockOfObjects(headerEnd, objectWithInstance(6), objectWithoutInstances(238))[:352], []fieldValue{{total, 240}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 240, must be at least 248, the end of object[0]", "obj-total-length-bound object[1].TotalByteLength: TotalByteLength is 112, must be a multiple of 8 from 64 to 104, the number of bytes up to the end of the block"}},

		{"H is larger than T", twoObjects(), []fieldValue{{header, 368}},
			[]string{"data-header-length HeaderLength: HeaderLength is 368, must be 104, the offset of the first object"}},
		{"H is one byte larger than T", twoObjects(), []fieldValue{{header, 361}},
			[]string{"data-header-length HeaderLength: HeaderLength is 361, must be 104, the offset of the first object"}},
		{"H is the size of the input, which leaves no room for objects", twoObjects(), []fieldValue{{header, 360}},
			[]string{"data-object-count NumObjectTypes: NumObjectTypes is 2, must be 0, the number of objects in the block"}},
		{"H is one byte less than PERF_DATA_BLOCK", twoObjects(), []fieldValue{{header, 87}},
			[]string{"data-header-length HeaderLength: HeaderLength is 87, must be 104, the offset of the first object"}},
		{"H is larger than T, and bytes follow the block", append(twoObjects(), zeros...), []fieldValue{{header, 368}},
			[]string{"data-header-length HeaderLength: HeaderLength is 368, must be 104, the offset of the first object", "data-trailing-bytes rest: the block is followed by 40 bytes, must be followed by none"}},
		{"H is larger than T, and n is 0", append(blockOfObjects(headerEnd), zeros[:16]...), []fieldValue{{header, 112}},
			[]string{"data-header-length HeaderLength: HeaderLength is 112, must be a multiple of 8 from 88 to 104, an offset inside the block", "data-trailing-bytes rest: the block is followed by 16 bytes, must be followed by none"}},
		{"H is larger than T, and bytes that are no object follow", append(blockOfObjects(headerEnd), zeros...), []fieldValue{{header, 136}, {number, 1}},
			[]string{"data-header-length HeaderLength: HeaderLength is 136, must be a multiple of 8 from 88 to 104, an offset inside the block", "data-trailing-bytes rest: the block is followed by 40 bytes, must be followed by none"}},
		{"T is less than H, and the object is cut off", blockOfObjects(headerEnd, objectWithInstance(6))[:240], []fieldValue{{total, 96}},
			[]string{"data-object-sum TotalByteLength: TotalByteLength is 96, must be at least 104, the HeaderLength", "obj-total-length-bound object[0].TotalByteLength: TotalByteLength is 144, must be a multiple of 8 from 64 to 136, the number of bytes up to the end of the block"}},
		{"H is larger than T, and the other fields are checked", twoObjects(), []fieldValue{{header, fourBillion}, {"Version", 2}, {"PerfFreq", 0}},
			[]string{"data-version Version: Version is 2, must be 1", "data-header-length HeaderLength: HeaderLength is 4000000000, must be 104, the offset of the first object", "data-perf-freq-unused PerfFreq: PerfFreq is 0, must be greater than 0"}},
		{"H and T are four billion, and only T is reported", twoObjects(), []fieldValue{{header, fourBillion}, {total, fourBillion}},
			[]string{"data-total-length TotalByteLength: TotalByteLength is 4000000000, must be 88 to 360, the length of the input"}},

		{"the input ends in the second object", twoObjects()[:300], nil, truncatedTo("88 to 300")},
		{"the input ends between the objects", twoObjects()[:firstEnd], nil, truncatedTo("88 to 216")},
		{"the input ends in the header of the second object", twoObjects()[:firstEnd+63], nil, truncatedTo("88 to 279")},
		{"the input ends in the first object", twoObjects()[:headerEnd+70], nil, truncatedTo("88 to 174")},
		{"the input ends with the header", twoObjects()[:headerEnd], nil, truncatedTo("88 to 104")},
		{"the input ends in the system name", twoObjects()[:90], nil, truncatedTo("88 to 90")},
		{"the input ends with PERF_DATA_BLOCK", twoObjects()[:88], nil, truncatedTo("88")},
		{"the input ends in PERF_DATA_BLOCK", twoObjects()[:87], nil, []string{"data-truncated: the input has 87 bytes, must have at least 88, the size of PERF_DATA_BLOCK"}},
		{"the input is empty", nil, nil, []string{"data-truncated: the input has 0 bytes, must have at least 88, the size of PERF_DATA_BLOCK"}},
		{"the input is truncated, and n is four billion", twoObjects()[:300], []fieldValue{{number, fourBillion}},
			append(truncatedTo("88 to 300"), "data-object-count NumObjectTypes: NumObjectTypes is 4000000000, must be at most 4, because the block has no space for more objects")},
		{"the input is truncated, and n is the number of objects that fit into T", twoObjects()[:300], []fieldValue{{number, 4}}, truncatedTo("88 to 300")},
		{"the input is truncated, and n is one more than the number of objects that fit into T", twoObjects()[:300], []fieldValue{{number, 5}},
			append(truncatedTo("88 to 300"), "data-object-count NumObjectTypes: NumObjectTypes is 5, must be at most 4, because the block has no space for more objects")},
	} {
		expectFindings(t, tt.reason, layout.DataBlockKind, withFields(tt.block, tt.changes...), tt.want...)
	}
}

// truncatedTo returns the finding for TotalByteLength if a block of 360 bytes is truncated. n is the
// required value of TotalByteLength, such as "88 to 300".
func truncatedTo(n string) []string {
	return []string{"data-total-length TotalByteLength: TotalByteLength is 360, must be " + n + ", the length of the input"}
}

// TestSignature checks blocks with a wrong Signature or LittleEndian.
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
		changes []fieldValue
		want    []string
	}{
		{"the Signature is wrong, and the block is valid otherwise", withWrongSignature(twoObjects()), nil, []string{wrong}},
		{"the Signature is wrong, and T omits the header", withWrongSignature(twoObjects()), []fieldValue{{"TotalByteLength", 256}},
			[]string{wrong, "data-object-sum TotalByteLength: TotalByteLength is 256, must be 360, the end of the last object"}},
		{"the Signature is wrong, and an object has a fault", withWrongSignature(blockOfObjects(headerEnd, objectWithoutInstances(6), objectWithoutInstances(6))), nil,
			[]string{wrong, "data-object-duplicate object[1].ObjectNameTitleIndex: ObjectNameTitleIndex is 6, must be unique: object[0] has this title"}},
		{"the Signature and T are wrong, so the other fields are not checked", withWrongSignature(twoObjects()), []fieldValue{{"TotalByteLength", fourBillion}}, []string{wrong}},
		{"the Signature and H are wrong, so the other fields are not checked", withWrongSignature(twoObjects()), []fieldValue{{"HeaderLength", fourBillion}}, []string{wrong}},
		{"the Signature is wrong, and text follows", withWrongSignature(garbage), nil, []string{wrong}},
		{"the objects of a provider have no PERF_DATA_BLOCK", slices.Concat(objectWithoutInstances(238), objectWithInstance(6)), nil,
			[]string{"data-signature Signature: Signature is 70 00 00 00 68 00 00 00, must be 50 00 45 00 52 00 46 00"}},
		{"all numbers are big-endian", other, nil,
			[]string{"data-signature Signature: Signature is 00 50 00 45 00 52 00 46, must be 50 00 45 00 52 00 46 00"}},
		{"LittleEndian is 0, and the numbers are little-endian", twoObjects(), []fieldValue{{"LittleEndian", 0}},
			[]string{"data-big-endian LittleEndian: LittleEndian is 0, must be 1"}},
		{"LittleEndian is 0, and NumObjectTypes is wrong", twoObjects(), []fieldValue{{"LittleEndian", 0}, {"NumObjectTypes", 3}},
			[]string{"data-big-endian LittleEndian: LittleEndian is 0, must be 1", "data-object-count NumObjectTypes: NumObjectTypes is 3, must be 2, the number of objects in the block"}},
		{"LittleEndian is 2", twoObjects(), []fieldValue{{"LittleEndian", 2}},
			[]string{"data-endian-value LittleEndian: LittleEndian is 2, must be 1"}},
	} {
		expectFindings(t, tt.reason, layout.DataBlockKind, withFields(tt.block, tt.changes...), tt.want...)
	}
}

// withWrongSignature returns a copy of b in which the last letter of the signature is G.
func withWrongSignature(b []byte) []byte {
	b = slices.Clone(b)
	b[6] = 'G'
	return b
}
