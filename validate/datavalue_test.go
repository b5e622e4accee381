package validate_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// The system name of these blocks is HOST001 with its NUL: 16 bytes at 88, up to HeaderLength.
func TestSystemName(t *testing.T) {
	t.Parallel()
	const (
		length = "SystemNameLength"
		offset = "SystemNameOffset"
		two    = "a multiple of 2, the bytes of a character"
	)
	for _, tt := range []struct {
		reason  string
		units   []uint16 // written over the name
		changes []written
		want    []string
	}{
		{"the name as it is", nil, nil, nil},
		{"no name", nil, []written{{length, 0}, {offset, 0}}, nil},
		{"no name, so it does not matter where", nil, []written{{length, 0}, {offset, fourBillion}}, nil},
		{"no name, so it does not matter whether that is even", nil, []written{{length, 0}, {offset, 89}}, nil},
		{"a character more than the header has room for", nil, []written{{length, 18}},
			[]string{"data-system-name-range SystemNameLength: SystemNameLength is 18, must be at most 16, for which the header has room"}},
		{"four billion bytes", nil, []written{{length, fourBillion}},
			[]string{"data-system-name-range SystemNameLength: SystemNameLength is 4000000000, must be at most 16, for which the header has room"}},
		{"the header has no room at all", nil, []written{{"HeaderLength", 88}, {"NumObjectTypes", 0}, {"TotalByteLength", 88}},
			[]string{"data-system-name-range SystemNameLength: SystemNameLength is 16, must be at most 0, for which the header has room", "data-trailing-bytes rest: 16 bytes follow the block, must be none"}},
		{"in the structure", nil, []written{{offset, 87}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 87, must be 88, so that the name is inside the header"}},
		{"at nothing", nil, []written{{offset, 0}, {length, 4}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 0, must be 88 to 100, so that the name is inside the header"}},
		{"up to the end of the header", nil, []written{{offset, 90}, {length, 14}}, nil},
		{"two bytes beyond the header", nil, []written{{offset, 92}, {length, 14}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 92, must be 88 to 90, so that the name is inside the header"}},
		{"far beyond the header", nil, []written{{offset, fourBillion}},
			[]string{"data-system-name-range SystemNameOffset: SystemNameOffset is 4000000000, must be 88, so that the name is inside the header"}},

		{"an odd length, and no word on a terminator", nil, []written{{length, 13}},
			[]string{"data-system-name-even SystemNameLength: SystemNameLength is 13, must be " + two}},
		{"an odd offset", nil, []written{{offset, 89}, {length, 14}},
			[]string{"data-system-name-even SystemNameOffset: SystemNameOffset is 89, must be " + two}},
		{"both odd", nil, []written{{offset, 89}, {length, 13}},
			[]string{"data-system-name-even SystemNameLength: SystemNameLength is 13, must be " + two, "data-system-name-even SystemNameOffset: SystemNameOffset is 89, must be " + two}},
		{"of an odd length no half of a pair is looked for", []uint16{0xD800}, []written{{length, 15}},
			[]string{"data-system-name-even SystemNameLength: SystemNameLength is 15, must be " + two}},
		{"a pair", []uint16{'a', 0xD83D, 0xDE00, 'b'}, nil, nil},
		{"a pair, and no NUL", []uint16{0xD83D, 0xDE00}, []written{{length, 4}},
			[]string{"data-system-name-terminator SystemName: U+DE00 ends the name, must be a NUL, which SystemNameLength counts"}},
		{"two pairs", []uint16{0xD800, 0xDC00, 0xDBFF, 0xDFFF}, nil, nil},
		{"neighbours of surrogates", []uint16{0xD7FF, 0xE000}, nil, nil},
		{"the first half alone", []uint16{'a', 0xD83D, 'b'}, nil,
			[]string{"data-system-name-even SystemName: U+D83D is half of a surrogate pair, must be the pair, or neither half"}},
		{"the second half alone, behind a pair", []uint16{0xD83D, 0xDE00, 0xDE00}, nil,
			[]string{"data-system-name-even SystemName: U+DE00 is half of a surrogate pair, must be the pair, or neither half"}},
		{"the wrong way round: the first of them is named", []uint16{0xDE00, 0xD83D}, nil,
			[]string{"data-system-name-even SystemName: U+DE00 is half of a surrogate pair, must be the pair, or neither half"}},
		{"the first half before the NUL", []uint16{'a', 'b', 'c', 'd', 'e', 'f', 0xDBFF}, nil,
			[]string{"data-system-name-even SystemName: U+DBFF is half of a surrogate pair, must be the pair, or neither half"}},
		{"the first half at the end", []uint16{'a', 0xD800}, []written{{length, 4}},
			[]string{"data-system-name-even SystemName: U+D800 is half of a surrogate pair, must be the pair, or neither half",
				"data-system-name-terminator SystemName: U+D800 ends the name, must be a NUL, which SystemNameLength counts"}},
		{"no NUL", nil, []written{{length, 14}},
			[]string{"data-system-name-terminator SystemName: U+0031 ends the name, must be a NUL, which SystemNameLength counts"}},
		{"a letter whose low byte is 0 is no NUL", []uint16{'a', 0x0100}, []written{{length, 4}},
			[]string{"data-system-name-terminator SystemName: U+0100 ends the name, must be a NUL, which SystemNameLength counts"}},
		{"nothing but a NUL", []uint16{0}, []written{{length, 2}},
			[]string{"data-system-name-terminator SystemName: a NUL alone, must be a character before it, or a SystemNameLength of 0"}},
		{"padding is counted", []uint16{'a', 'b', 0, 0}, []written{{length, 8}},
			[]string{"data-system-name-terminator SystemName: the name has a NUL 2 bytes before the one that ends it, must have no other NUL"}},
		{"of several NULs the first is named", []uint16{'a', 0, 'b', 0, 0}, []written{{length, 10}},
			[]string{"data-system-name-terminator SystemName: the name has a NUL 6 bytes before the one that ends it, must have no other NUL"}},
		{"nothing but NULs", []uint16{0, 0}, []written{{length, 4}},
			[]string{"data-system-name-terminator SystemName: the name has a NUL 2 bytes before the one that ends it, must have no other NUL"}},
		{"a NUL inside, and none at the end", []uint16{'a', 0, 'b'}, []written{{length, 6}},
			[]string{"data-system-name-terminator SystemName: U+0062 ends the name, must be a NUL, which SystemNameLength counts"}},
		{"H is wrong, so there is no word on the name", nil, []written{{"HeaderLength", 80}, {length, fourBillion}},
			[]string{"data-header-length HeaderLength: HeaderLength is 80, must be 88 to 104, inside the block"}},
		{"H is wrong, so there is no word on how long the name is", nil, []written{{"HeaderLength", fourBillion}, {length, 15}},
			[]string{"data-header-length HeaderLength: HeaderLength is 4000000000, must be 88 to 104, inside the block"}},
	} {
		b := headed(headerEnd)
		for i, u := range tt.units {
			binary.LittleEndian.PutUint16(b[88+2*i:], u)
		}
		expectFindings(t, tt.reason, layout.DataBlockKind, rewritten(b, tt.changes...), tt.want...)
	}
}

// Where exactly a fault in the name is.
func TestSystemNamePlaces(t *testing.T) {
	t.Parallel()
	b := headed(headerEnd)
	binary.LittleEndian.PutUint16(b[92:], 0xD800)
	setHeader(b, "SystemNameLength", 14)
	found := validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Findings
	if len(found) != 2 || found[0].Off != 92 || found[0].Len != 2 || found[1].Off != 100 || found[1].Len != 2 {
		t.Errorf("half a pair at 92 and no NUL at 100: %v", found)
	}
}

func TestHeaderValues(t *testing.T) {
	t.Parallel()
	const none = "data-perf-freq-unused PerfFreq: PerfFreq is 0, must be greater than 0"
	for _, tt := range []struct {
		reason  string
		block   []byte
		changes []written
		want    []string
	}{
		{"Version 0 is as unknown as 2", twoObjects(), []written{{"Version", 0}}, []string{"data-version Version: Version is 0, must be 1"}},
		{"Revision 0 is as unknown as 2", twoObjects(), []written{{"Revision", 0}}, []string{"data-revision Revision: Revision is 0, must be 1"}},
		{"PerfTime of 0 can be", twoObjects(), []written{{"PerfTime", 0}}, nil},
		{"PerfTime below 0", twoObjects(), []written{{"PerfTime", -1}}, []string{"data-perf-time PerfTime: PerfTime is -1, must be at least 0"}},
		{"each clock is a fault of its own", twoObjects(), []written{{"PerfTime", -9}, {"PerfTime100nSec", -9}},
			[]string{"data-perf-time PerfTime: PerfTime is -9, must be at least 0", "data-perf-time PerfTime100nSec: PerfTime100nSec is -9, must be greater than 0"}},
		{"the least that the clocks can have", twoObjects(), []written{{"PerfTime100nSec", 1}, {"PerfFreq", 1}}, nil},
		{"any byte of the padding", twoObjects(), []written{{"Padding", 1 << 24}}, []string{"data-padding-zero Padding: Padding is 16777216, must be 0"}},
		{"PerfFreq below 0", twoObjects(), []written{{"PerfFreq", -1}}, []string{"data-perf-freq-unused PerfFreq: PerfFreq is -1, must be greater than 0"}},
		{"without objects no counter uses PerfFreq", headed(headerEnd), []written{{"PerfFreq", 0}}, []string{none}},
		{"a difference does not use PerfFreq", headed(headerEnd, lone(2, layout.PERF_COUNTER_DELTA)), []written{{"PerfFreq", 0}}, []string{none}},
		{"a rate of the last object uses it", headed(headerEnd, inhabited(6), lone(2, layout.PERF_COUNTER_COUNTER)), []written{{"PerfFreq", 0}},
			[]string{"data-perf-freq PerfFreq: PerfFreq is 0, must be greater than 0, as a PERF_COUNTER_COUNTER is computed with it"}},
		{"the first counter that uses it is named", headed(headerEnd, lone(2, layout.PERF_SAMPLE_COUNTER), lone(4, layout.PERF_COUNTER_COUNTER)), []written{{"PerfFreq", -2}},
			[]string{"data-perf-freq PerfFreq: PerfFreq is -2, must be greater than 0, as a PERF_SAMPLE_COUNTER is computed with it"}},
	} {
		expectFindings(t, tt.reason, layout.DataBlockKind, rewritten(tt.block, tt.changes...), tt.want...)
	}
}

// Every type that is computed with the PerfFreq of the block, and no other.
func TestTypesThatUsePerfFreq(t *testing.T) {
	t.Parallel()
	uses := []layout.CounterType{layout.PERF_SAMPLE_COUNTER, layout.PERF_COUNTER_COUNTER, layout.PERF_COUNTER_BULK_COUNT, layout.PERF_AVERAGE_TIMER}
	for typ := range layout.CounterTypes() {
		b := headed(headerEnd, lone(2, typ))
		setHeader(b, "PerfFreq", 0)
		got := slices.ContainsFunc(findings(layout.DataBlockKind, b), func(line string) bool { return strings.HasPrefix(line, "data-perf-freq ") })
		if want := slices.Contains(uses, typ); got != want {
			t.Errorf("%v uses PerfFreq: %t, want %t", typ, got, want)
		}
	}
}

func TestSystemTime(t *testing.T) {
	t.Parallel()
	least := [8]uint16{1601, 1, 0, 1, 0, 0, 0, 0}
	most := [8]uint16{30827, 12, 6, 31, 23, 59, 59, 999}
	names := [8]string{"wYear", "wMonth", "wDayOfWeek", "wDay", "wHour", "wMinute", "wSecond", "wMilliseconds"}
	at := func(fields [8]uint16) []byte {
		b := headed(headerEnd)
		for i, v := range fields {
			binary.LittleEndian.PutUint16(b[36+2*i:], v)
		}
		return b
	}
	expectFindings(t, "the least of each field", layout.DataBlockKind, at(least))
	expectFindings(t, "the most of each field, though no calendar has the date", layout.DataBlockKind, at(most))
	expectFindings(t, "nothing filled in: the first field is enough", layout.DataBlockKind, at([8]uint16{}),
		"data-systemtime SystemTime.wYear: wYear is 0, must be 1601 to 30827")
	for i, name := range names {
		for _, edge := range []struct {
			fields [8]uint16
			by     uint16
		}{{least, 0xFFFF}, {most, 1}} {
			if edge.fields[i] == 0 {
				continue // there is nothing below
			}
			edge.fields[i] += edge.by
			b := at(edge.fields)
			found := validate.Bytes(layout.DataBlockKind, b, validate.Context{}).Findings
			if len(found) != 1 || found[0].Rule.Name != "data-systemtime" || found[0].Path.String() != "SystemTime."+name || found[0].Off != int64(36+2*i) || found[0].Len != 2 {
				t.Errorf("%s of %d: %v", name, edge.fields[i], found)
			}
		}
	}
}

func TestDuplicateObjects(t *testing.T) {
	t.Parallel()
	again := func(i, first string) string {
		return "data-object-duplicate object[" + i + "].ObjectNameTitleIndex: ObjectNameTitleIndex is 6, must be unique: object[" + first + "] has this title"
	}
	three := [][]byte{lone(2), inhabited(6), lone(6), lone(6), lone(8)}
	want := []string{again("2", "1"), again("3", "1")}
	expectFindings(t, "each later one, against the first", layout.DataBlockKind, headed(headerEnd, three...), want...)
	expectFindings(t, "a provider's objects", layout.ObjectsKind, slices.Concat(three...), want...)
	for _, line := range findings(layout.ObjectsKind, slices.Concat(lone(0), lone(0))) {
		if strings.HasPrefix(line, "data-object-duplicate") {
			t.Errorf("two objects without a title: %s", line)
		}
	}
}
