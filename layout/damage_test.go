package layout_test

import (
	"errors"
	"testing"

	"github.com/perfblock/perfblock/internal/walktest"
	"github.com/perfblock/perfblock/layout"
)

const most = 0xFFFFFFFF

// A mutation overwrites a DWORD of a block. Reading the block must return a fault with this kind, path, off and len.
type mutation struct {
	at     int
	value  uint32
	kind   error // nil for no fault
	path   string
	off    int64
	len    int
	reason string
}

var headerMutations = []mutation{
	{0x00, 0, layout.ErrSignature, "Signature", 0, 8, "the signature must be PERF"},
	{0x08, 0, layout.ErrByteOrder, "LittleEndian", 8, 4, "blocks of big-endian computers are not supported"},
	{0x08, 2, nil, "", 0, 0, "only the validator reports values other than 0 and 1"},
	{0x14, 0, layout.ErrBounds, "TotalByteLength", 0x14, 4, "a length of 0 is out of range"},
	{0x14, 87, layout.ErrBounds, "TotalByteLength", 0x14, 4, "the length must include the structure"},
	{0x14, 95, layout.ErrBounds, "HeaderLength", 0x18, 4, "the header is longer than the block"},
	{0x14, 96, layout.ErrShort, "object[0]", 0x60, 0, "the first object is missing"},
	{0x14, 503, layout.ErrBounds, "object[1].TotalByteLength", 0x100, 4, "the last object must end inside the block"},
	{0x14, 505, layout.ErrBounds, "TotalByteLength", 0x14, 4, "the length must not exceed the input"},
	{0x14, most, layout.ErrBounds, "TotalByteLength", 0x14, 4, "the value is out of range"},
	{0x18, 0, layout.ErrBounds, "HeaderLength", 0x18, 4, "the length must include the structure"},
	{0x18, 87, layout.ErrBounds, "HeaderLength", 0x18, 4, "the length must include the structure"},
	{0x18, 88, layout.ErrBounds, "SystemNameLength", 0x50, 4, "the length must include the name"},
	{0x18, 93, layout.ErrBounds, "SystemNameLength", 0x50, 4, "the length truncates the name"},
	{0x18, 94, layout.ErrBounds, "object[0].TotalByteLength", 0x5E, 4, "the first object is read at a wrong offset"},
	{0x18, 504, layout.ErrShort, "object[0]", 0x1F8, 0, "the first object is missing"},
	{0x18, 505, layout.ErrBounds, "HeaderLength", 0x18, 4, "the header must end inside the block"},
	{0x18, most, layout.ErrBounds, "HeaderLength", 0x18, 4, "the value is out of range"},
	{0x1C, 0, nil, "", 0, 0, "the count asks for no objects"},
	{0x1C, 1, nil, "", 0, 0, "the count asks for one object"},
	{0x1C, 3, layout.ErrShort, "object[2]", 0x1F8, 0, "reading stops after the last record"},
	{0x1C, most, layout.ErrShort, "object[2]", 0x1F8, 0, "reading stops after the last record"},
	{0x50, 0, nil, "", 0, 0, "a length of 0 means no name"},
	{0x50, 4, layout.ErrUnterminated, "", 0x5A, 2, "the length must include the NUL"},
	{0x50, 5, layout.ErrUnterminated, "", 0x5B, 2, "an odd length ends inside a UTF-16 unit"},
	{0x50, 8, layout.ErrNUL, "", 0x5C, 2, "the length must not include padding after the NUL"},
	{0x50, 9, layout.ErrBounds, "SystemNameLength", 0x50, 4, "the name must end inside the header"},
	{0x50, most, layout.ErrBounds, "SystemNameLength", 0x50, 4, "the value is out of range"},
	{0x54, 0, layout.ErrBounds, "SystemNameOffset", 0x54, 4, "the offset must be after the structure"},
	{0x54, 87, layout.ErrBounds, "SystemNameOffset", 0x54, 4, "the offset must be after the structure"},
	{0x54, 90, layout.ErrNUL, "", 0x5C, 2, "the name is read from its second character and includes padding"},
	{0x54, 91, layout.ErrBounds, "SystemNameLength", 0x50, 4, "the name must end inside the header"},
	{0x54, most, layout.ErrBounds, "SystemNameOffset", 0x54, 4, "the value is out of range"},
	{0x58, 0x0041DC00, layout.ErrText, "", 0x58, 2, "an unpaired surrogate is not text"},
}

var objectMutations = []mutation{
	{0x60, 0, layout.ErrBounds, "object[0].TotalByteLength", 0x60, 4, "a record of 0 bytes must not loop forever"},
	{0x60, 63, layout.ErrBounds, "object[0].TotalByteLength", 0x60, 4, "the length must include the structure"},
	{0x60, 64, layout.ErrBounds, "object[0].DefinitionLength", 0x64, 4, "the length must include the counters"},
	{0x60, 144, layout.ErrShort, "object[0].block", 0xF0, 0, "the length must include the block"},
	{0x60, 147, layout.ErrShort, "object[0].block", 0xF0, 3, "the length truncates the block's length"},
	{0x60, 159, layout.ErrBounds, "object[0].block.ByteLength", 0xF0, 4, "the counter block must end inside the object"},
	{0x60, 161, layout.ErrBounds, "object[1].TotalByteLength", 0x101, 4, "the next object is read at a wrong offset"},
	{0x60, 409, layout.ErrBounds, "object[0].TotalByteLength", 0x60, 4, "the length must not exceed the input"},
	{0x60, most, layout.ErrBounds, "object[0].TotalByteLength", 0x60, 4, "the value is out of range"},
	{0x64, 0, layout.ErrBounds, "object[0].DefinitionLength", 0x64, 4, "the length must include the structure"},
	{0x64, 63, layout.ErrBounds, "object[0].DefinitionLength", 0x64, 4, "the length must include the structure"},
	{0x64, 64, layout.ErrShort, "object[0].counter[0]", 0xA0, 0, "the length must include the counters"},
	{0x64, 103, layout.ErrShort, "object[0].counter[0]", 0xA0, 39, "the length truncates the first counter"},
	{0x64, 104, layout.ErrShort, "object[0].counter[1]", 0xC8, 0, "the length must include the second counter"},
	{0x64, 145, layout.ErrBounds, "object[0].block.ByteLength", 0xF1, 4, "the counter block is read at a wrong offset"},
	{0x64, 160, layout.ErrShort, "object[0].block", 0x100, 0, "the counter block is missing"},
	{0x64, 161, layout.ErrBounds, "object[0].DefinitionLength", 0x64, 4, "the length must not exceed the object"},
	{0x64, most, layout.ErrBounds, "object[0].DefinitionLength", 0x64, 4, "the value is out of range"},
	{0x68, 0, layout.ErrBounds, "object[0].HeaderLength", 0x68, 4, "the length must include the structure"},
	{0x68, 63, layout.ErrBounds, "object[0].HeaderLength", 0x68, 4, "the length must include the structure"},
	{0x68, 65, layout.ErrBounds, "object[0].counter[0].ByteLength", 0xA1, 4, "the first counter is read at a wrong offset"},
	{0x68, 104, layout.ErrShort, "object[0].counter[1]", 0xF0, 0, "the second counter is read as the first, so one is missing"},
	{0x68, 144, layout.ErrShort, "object[0].counter[0]", 0xF0, 0, "the counters are missing"},
	{0x68, 145, layout.ErrBounds, "object[0].HeaderLength", 0x68, 4, "the header must end inside the definitions"},
	{0x68, most, layout.ErrBounds, "object[0].HeaderLength", 0x68, 4, "the value is out of range"},
	{0x80, 1, nil, "", 0, 0, "the count asks for one counter"},
	{0x80, 3, layout.ErrShort, "object[0].counter[2]", 0xF0, 0, "reading stops after the last record"},
	{0x80, most, layout.ErrShort, "object[0].counter[2]", 0xF0, 0, "reading stops after the last record"},
	{0x88, 0, nil, "", 0, 0, "an object with 0 instances has no counter block"},
	{0x88, 0xFFFFFFFE, nil, "", 0, 0, "a metadata object has no counter block"},
	{0x88, 0x80000000, nil, "", 0, 0, "a negative count means no instances"},
	{0x88, 1, layout.ErrShort, "object[0].instance[0]", 0xF0, 16, "the counter block is read as an instance"},
	{0x88, 0x7FFFFFFF, layout.ErrShort, "object[0].instance[0]", 0xF0, 16, "reading stops after the last record"},
	{0xA0, 0, layout.ErrBounds, "object[0].counter[0].ByteLength", 0xA0, 4, "a record of 0 bytes must not loop forever"},
	{0xA0, 39, layout.ErrBounds, "object[0].counter[0].ByteLength", 0xA0, 4, "the length must include the structure"},
	{0xA0, 41, layout.ErrShort, "object[0].counter[1]", 0xC9, 39, "the next counter is read at a wrong offset"},
	{0xA0, 80, layout.ErrShort, "object[0].counter[1]", 0xF0, 0, "the next counter is skipped, so one is missing"},
	{0xA0, 81, layout.ErrBounds, "object[0].counter[0].ByteLength", 0xA0, 4, "the length must not exceed the definitions"},
	{0xA0, most, layout.ErrBounds, "object[0].counter[0].ByteLength", 0xA0, 4, "the value is out of range"},
	{0xC0, 13, layout.ErrBounds, "object[0].counter[0].CounterOffset", 0xC4, 4, "the value must end inside the block"},
	{0xC4, 3, layout.ErrBounds, "object[0].counter[0].CounterOffset", 0xC4, 4, "the value must be after ByteLength"},
	{0xC4, most, layout.ErrBounds, "object[0].counter[0].CounterOffset", 0xC4, 4, "the value is out of range"},
	{0xEC, 9, layout.ErrBounds, "object[0].counter[1].CounterOffset", 0xEC, 4, "the value must end inside the block"},
	{0xF0, 15, layout.ErrBounds, "object[0].counter[1].CounterOffset", 0xEC, 4, "the block must include its values"},
	{0xF0, 3, layout.ErrBounds, "object[0].block.ByteLength", 0xF0, 4, "the length must include its own 4 bytes"},
	{0xF0, 17, layout.ErrBounds, "object[0].block.ByteLength", 0xF0, 4, "the length must not exceed the object"},
}

var instanceMutations = []mutation{
	{0x128, most, nil, "", 0, 0, "PERF_NO_INSTANCES: the first instance is read as a block"},
	{0x128, 3, layout.ErrShort, "object[1].instance[2]", 0x1F8, 0, "reading stops after the last record"},
	{0x128, 0x7FFFFFFF, layout.ErrShort, "object[1].instance[2]", 0x1F8, 0, "reading stops after the last record"},
	{0x12C, 1252, layout.ErrNUL, "", 0x1A9, 1, "UTF-16 that is read in a code page has a NUL inside the name"},
	{0x190, 0, layout.ErrBounds, "object[1].instance[0].ByteLength", 0x190, 4, "a record of 0 bytes must not loop forever"},
	{0x190, 23, layout.ErrBounds, "object[1].instance[0].ByteLength", 0x190, 4, "the length must include the structure"},
	{0x190, 24, layout.ErrBounds, "object[1].instance[0].NameLength", 0x1A4, 4, "the length must include the name"},
	{0x190, 27, layout.ErrBounds, "object[1].instance[0].NameLength", 0x1A4, 4, "the length truncates the name"},
	{0x190, 28, layout.ErrBounds, "object[1].instance[0].block.ByteLength", 0x1AC, 4, "the counter block is read from the padding"},
	{0x190, 104, layout.ErrShort, "object[1].instance[0].block", 0x1F8, 0, "the counter block is missing"},
	{0x190, 105, layout.ErrBounds, "object[1].instance[0].ByteLength", 0x190, 4, "the length must not exceed the object"},
	{0x190, most, layout.ErrBounds, "object[1].instance[0].ByteLength", 0x190, 4, "the value is out of range"},
	{0x1A0, 0, layout.ErrBounds, "object[1].instance[0].NameOffset", 0x1A0, 4, "the offset must be after the structure"},
	{0x1A0, 23, layout.ErrBounds, "object[1].instance[0].NameOffset", 0x1A0, 4, "the offset must be after the structure"},
	{0x1A0, 28, layout.ErrNUL, "", 0x1AC, 2, "the name is read from the padding"},
	{0x1A0, 29, layout.ErrBounds, "object[1].instance[0].NameLength", 0x1A4, 4, "the name must end inside the definition"},
	{0x1A0, most, layout.ErrBounds, "object[1].instance[0].NameOffset", 0x1A0, 4, "the value is out of range"},
	{0x1A4, 0, nil, "", 0, 0, "a length of 0 means no name"},
	{0x1A4, 1, layout.ErrUnterminated, "", 0x1A8, 1, "half a UTF-16 unit is not a NUL"},
	{0x1A4, 2, layout.ErrUnterminated, "", 0x1A8, 2, "the length must include the NUL"},
	{0x1A4, 6, layout.ErrNUL, "", 0x1AA, 2, "the length must not include padding after the NUL"},
	{0x1A4, 9, layout.ErrBounds, "object[1].instance[0].NameLength", 0x1A4, 4, "the name must end inside the definition"},
	{0x1A4, most, layout.ErrBounds, "object[1].instance[0].NameLength", 0x1A4, 4, "the value is out of range"},
	{0x1A8, 0x0000D800, layout.ErrText, "", 0x1A8, 2, "an unpaired surrogate is not text"},
	{0x1B0, 0, layout.ErrBounds, "object[1].instance[0].block.ByteLength", 0x1B0, 4, "a record of 0 bytes must not loop forever"},
	{0x1B0, 3, layout.ErrBounds, "object[1].instance[0].block.ByteLength", 0x1B0, 4, "the length must include its own 4 bytes"},
	{0x1B0, 15, layout.ErrBounds, "object[1].instance[1].ByteLength", 0x1BF, 4, "the next instance is read at a wrong offset"},
	{0x1B0, 72, layout.ErrShort, "object[1].instance[1]", 0x1F8, 0, "the next instance is skipped, so one is missing"},
	{0x1B0, 73, layout.ErrBounds, "object[1].instance[0].block.ByteLength", 0x1B0, 4, "the length must not exceed the object"},
	{0x1B0, most, layout.ErrBounds, "object[1].instance[0].block.ByteLength", 0x1B0, 4, "the value is out of range"},
	{0x1E8, 17, layout.ErrBounds, "object[1].instance[1].block.ByteLength", 0x1E8, 4, "the block must end inside the object"},
}

func TestMutations(t *testing.T) {
	t.Parallel()
	for _, rows := range [][]mutation{headerMutations, objectMutations, instanceMutations} {
		for _, m := range rows {
			b := patched(t, patch{m.at, m.value})
			m.check(t, readAll(layout.DataBlockKind, b), 0, len(b))
			if m.at >= smallObjects {
				m.check(t, readAll(layout.ObjectsKind, b[smallObjects:]), smallObjects, len(b)-smallObjects)
			}
		}
	}
	whole := mutation{at: 0x60, value: 408, kind: layout.ErrShort, path: "object[1]", off: 0x1F8, reason: "the next object is skipped, so one is missing"}
	whole.check(t, readAll(layout.DataBlockKind, patched(t, patch{0x60, 408})), 0, 504)
	if err := readAll(layout.ObjectsKind, patched(t, patch{0x60, 408})[smallObjects:]); err != nil {
		t.Errorf("%v: a block without a header has no count of objects, so the last object may have any length", err)
	}
}

// check compares err with the expected fault. The input is the damaged block without its first `origin` bytes.
func (m mutation) check(t *testing.T, err error, origin int64, size int) {
	t.Helper()
	e, ok := errors.AsType[*layout.Error](err)
	switch {
	case m.kind == nil && err == nil:
		return
	case !ok || m.kind == nil || !errors.Is(err, m.kind):
		t.Errorf("0x%x = 0x%x: %v, want %v: %s", m.at, m.value, err, m.kind, m.reason)
	case e.Path.String() != m.path || e.Off != m.off-origin || e.Len != m.len:
		t.Errorf("0x%x = 0x%x: %v, %d bytes; want %d bytes of %q at 0x%x: %s", m.at, m.value, err, e.Len, m.len, m.path, m.off-origin, m.reason)
	default:
		walktest.Inside(t, err, size)
	}
}

func TestTruncatedAtEveryLength(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)
	for n := range len(b) {
		short := b[:n:n]
		err := readAll(layout.DataBlockKind, short)
		if err == nil {
			t.Errorf("%d bytes of %d were read without a fault", n, len(b))
		}
		walktest.Inside(t, err, n)
		if want := n < 88; errors.Is(err, layout.ErrShort) != want {
			t.Errorf("%d bytes: %v", n, err)
		}
		walktest.Check(t, layout.DataBlockKind, short)
		if n < 88 {
			continue
		}
		// TotalByteLength is set to n, so the header is valid and the fault must be in a later record.
		short = patched(t, patch{0x14, uint32(n)})[:n:n]
		if err = readAll(layout.DataBlockKind, short); err == nil {
			t.Errorf("%d bytes of %d were read without a fault", n, len(b))
		}
		walktest.Inside(t, err, n)
		walktest.Check(t, layout.DataBlockKind, short)
	}
	objects := b[smallObjects:]
	for n := range len(objects) {
		short := objects[:n:n]
		if err := readAll(layout.ObjectsKind, short); err == nil {
			if n != 0 && n != 160 {
				t.Errorf("%d bytes of objects were read without a fault", n)
			}
		} else {
			walktest.Inside(t, err, n)
		}
		walktest.Check(t, layout.ObjectsKind, short)
	}
}

// TestInstanceBeforeItsBrokenBlock checks the order for an instance with a broken counter block. Instances must
// first yield the instance, and then the fault of its block.
func TestInstanceBeforeItsBrokenBlock(t *testing.T) {
	t.Parallel()
	b := patched(t, patch{0x1E8, 17})
	var got []string
	for o := range layout.ReadObjects(b[smallObjects:]) {
		for in, err := range o.Instances() {
			if err != nil {
				got = append(got, "fault "+err.Error())
				continue
			}
			got = append(got, in.Path().String())
		}
	}
	want := []string{"object[1].instance[0]", "object[1].instance[1]",
		"fault object[1].instance[1].block.ByteLength at 0x188: 17 bytes from 0x0 do not fit into 16 bytes"}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("got %q, want %q", got, want)
	}
}
