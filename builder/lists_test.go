package builder_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// processorInformation is the GUID of the counter set "Processor Information".
var processorInformation = layout.GUID{Data1: 0xb4fc721a, Data2: 0x0378, Data3: 0x476f, Data4: [8]byte{0x89, 0xba, 0xa5, 0xa7, 0x9f, 0x81, 0x0b, 0x36}}

const allProcessors = `
1a 72 fc b4 78 03 6f 47  89 ba a5 a7 9f 81 0b 36
00 00 00 00  30 00 00 00  ff ff ff ff  ff ff ff ff   Status, Size 40 + 4 and padding = 48, CounterId, InstanceId
00 00 00 00  00 00 00 00  2a 00 00 00  00 00 00 00   Index, Reserved, * NUL
`

const returnedIdentifiers = `
1a 72 fc b4 78 03 6f 47  89 ba a5 a7 9f 81 0b 36
00 00 00 00  38 00 00 00  07 00 00 00  02 00 00 00   Size 40 + 14 and padding = 56
01 00 00 00  00 00 00 00                             Index 1
5f 00 54 00 6f 00 74 00  61 00 6c 00 00 00  00 00    _ T o t a l NUL
1a 72 fc b4 78 03 6f 47  89 ba a5 a7 9f 81 0b 36
69 10 00 00  28 00 00 00  03 00 00 00  00 00 00 00   Status 4201, Size 40: no name
00 00 00 00  00 00 00 00                             Index 0
1a 72 fc b4 78 03 6f 47  89 ba a5 a7 9f 81 0b 36
00 00 00 00  30 00 00 00  03 00 00 00  ff ff ff ff   Size 48: a name of no characters
02 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00
`

const listedInstances = `
10 00 00 00  00 00 00 00  43 00 3a 00 00 00  00 00   Size 8 + 6 and padding = 16, id 0, C : NUL
18 00 00 00  05 00 00 00                             Size 8 + 14 and padding = 24, id 5
5f 00 54 00 6f 00 74 00  61 00 6c 00 00 00  00 00
10 00 00 00  07 00 00 00  00 00 00 00  00 00 00 00   an empty name has its NUL
18 00 00 00  08 00 00 00  44 00 00 00  00 00 00 00   Size 24, although 16 is enough
00 00 00 00  00 00 00 00
`

// TestIdentifierBytes checks that identifiers encode to the expected bytes, and that the bytes
// decode to the same identifiers.
func TestIdentifierBytes(t *testing.T) {
	t.Parallel()
	checkEncoding(t, builder.Identifiers{builder.AllCounters(processorInformation, "*")}, hexBytes(t, allProcessors), new(builder.Identifiers))
	checkEncoding(t, builder.Identifiers{
		{CounterSetGuid: processorInformation, CounterId: 7, InstanceId: 2, Index: 1, Name: "_Total"},
		{CounterSetGuid: processorInformation, CounterId: 3, Status: 4201},
		{CounterSetGuid: processorInformation, CounterId: 3, InstanceId: 0xFFFFFFFF, Index: 2, Size: 48},
	}, hexBytes(t, returnedIdentifiers), new(builder.Identifiers))
	checkEncoding(t, builder.Identifiers(nil), nil, &builder.Identifiers{{}})
}

// TestInstanceListBytes checks that lists of instances encode to the expected bytes, and that the
// bytes decode to the same lists.
func TestInstanceListBytes(t *testing.T) {
	t.Parallel()
	checkEncoding(t, builder.InstanceList{{Name: "C:"}, {Name: "_Total", InstanceId: 5}, {InstanceId: 7}, {Name: "D", InstanceId: 8, Size: 24}}, hexBytes(t, listedInstances), new(builder.InstanceList))
	checkEncoding(t, builder.InstanceList(nil), nil, &builder.InstanceList{{}})
}

// most is the largest valid length of a list in bytes. It must fit a DWORD and an int.
const most = min(math.MaxUint32, math.MaxInt)

func TestListsRefused(t *testing.T) {
	t.Parallel()
	checkRefused(t, "a NUL in a name", builder.InstanceList{{}, {Name: "\x00"}}, "instance[1].Name", layout.ErrNUL)
	checkRefused(t, "a name that is not UTF-8", builder.InstanceList{{Name: "\xff"}}, "instance[0].Name", layout.ErrText)
	checkRefused(t, "no room for the NUL of an empty name", builder.InstanceList{{Size: 8}}, "instance[0].Size", layout.ErrRange)
	checkRefused(t, "a length that is not a multiple of 8", builder.InstanceList{{Size: 20}}, "instance[0].Size", layout.ErrRange)
	checkRefused(t, "instances beyond 32 bits", builder.InstanceList{{Size: most/2 + 1}, {Size: most/2 - 15}, {}}, "instance[2]", builder.ErrTooLarge)
	checkRefused(t, "a NUL in a pattern", builder.Identifiers{{}, {Name: "*\x00"}}, "identifier[1].Name", layout.ErrNUL)
	checkRefused(t, "a length shorter than the structure", builder.Identifiers{{Size: 32}}, "identifier[0].Size", layout.ErrRange)
	checkRefused(t, "a length shorter than the name", builder.Identifiers{{Name: "abcd", Size: 48}}, "identifier[0].Size", layout.ErrRange)
	checkRefused(t, "a length that is not a multiple of 8", builder.Identifiers{{Size: 44}}, "identifier[0].Size", layout.ErrRange)
	checkRefused(t, "identifiers beyond 32 bits", builder.Identifiers{{Size: most/2 + 1}, {Size: most/2 - 39}, {}}, "identifier[2]", builder.ErrTooLarge)
	for _, list := range []builder.InstanceList{{{Size: most/2 + 1}, {Size: most/2 - 15}}, {{Size: most - 7}}} {
		if n, err := list.EncodedLen(); err != nil || n < most-15 {
			t.Errorf("the most that there may be takes %d, %v", n, err)
		}
	}
}

func TestListLosses(t *testing.T) {
	t.Parallel()
	id := builder.CounterIdentifier{CounterSetGuid: processorInformation, CounterId: 1, Name: "C:"} // 48 bytes
	for _, test := range []struct {
		reason string
		damage func([]byte) []byte
		path   string
		left   builder.CounterIdentifier
	}{
		{"a reserved field", putDWORD(48+36, 1), "identifier[1].Reserved", id},
		{"padding after a name is not zero", putDWORD(48+44, 1<<16), "identifier[1].padding", id},
		{"a length that is not a multiple of 8", insert(96, 2, 48+20), "identifier[1].Size", id},
		{"a length that is not a multiple of 8 and too short", insert(94, -2, 48+20), "identifier[1].Size", id},
		{"an unpaired surrogate", putDWORD(48+40, 0x3a<<16|0xdc00), "identifier[1].Name", builder.CounterIdentifier{CounterSetGuid: processorInformation, CounterId: 1, Name: "\uFFFD:"}},
	} {
		b, err := builder.Identifiers{id, id}.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		checkLosses(t, test.reason, test.damage(b), test.path, builder.Identifiers{id, test.left}, builder.Identifiers{{CounterId: 4711}})
	}
	b, err := builder.InstanceList{{Name: "C:"}, {Name: "D:"}}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	checkLosses(t, "a length that is not a multiple of 8", insert(16, 4, 0)(b), "instance[0].Size", builder.InstanceList{{Name: "C:"}, {Name: "D:"}}, builder.InstanceList{{InstanceId: 4711}})
}

func TestListsBroken(t *testing.T) {
	t.Parallel()
	var list builder.InstanceList
	var ids builder.Identifiers
	for _, test := range []struct {
		reason string
		decode func([]byte) ([]*layout.Error, error)
		bytes  string
		path   string
		off    int64
		kind   error
	}{
		{"no room for a name", list.UnmarshalLossy, "08 00 00 00 00 00 00 00", "instance[0].Size", 0, layout.ErrBounds},
		{"a name without NUL", list.UnmarshalLossy, "10 00 00 00 00 00 00 00 41 00 41 00 41 00 41 00", "instance[0].Name", 14, layout.ErrUnterminated},
		{"bytes after the last instance", list.UnmarshalLossy, "10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", "instance[1]", 16, layout.ErrShort},
		{"an instance beyond the bytes", list.UnmarshalLossy, "18 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00", "instance[0].Size", 0, layout.ErrBounds},
		{"no identifier", ids.UnmarshalLossy, "00", "identifier[0]", 0, layout.ErrShort},
		{"an identifier beyond the bytes", ids.UnmarshalLossy, strings.Replace(allProcessors, "30 00 00 00", "38 00 00 00", 1), "identifier[0].Size", 20, layout.ErrBounds},
		{"a pattern without NUL", ids.UnmarshalLossy, strings.Replace(allProcessors, "2a 00 00 00  00 00 00 00", "2a 00 2a 00  2a 00 2a 00", 1), "identifier[0].Name", 46, layout.ErrUnterminated},
	} {
		losses, err := test.decode(hexBytes(t, test.bytes))
		e, ok := errors.AsType[*layout.Error](err)
		if !ok || e.Path.String() != test.path || e.Off != test.off || !errors.Is(err, test.kind) || losses != nil {
			t.Errorf("%s: %v, want %v of %s at 0x%x", test.reason, err, test.kind, test.path, test.off)
		}
	}
	if list != nil || ids != nil {
		t.Error("a failed call changed the model")
	}
}
