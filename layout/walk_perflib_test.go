package layout_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/fixture"
	"github.com/perfblock/perfblock/layout"
)

// kind returns the kind of the block.
func (b block) kind() layout.Kind {
	name, _, _ := strings.Cut(b.title, ":")
	return fixture.WorkedKinds[name]
}

// TestWalkOfPerflibExamples checks that Walk yields the parts that testdata/perflib.txt lists,
// and that Find finds each of them.
func TestWalkOfPerflibExamples(t *testing.T) {
	t.Parallel()
	for _, b := range perflibBlocks(t) {
		kind := b.kind()
		var got []seenPart
		for p := range layout.Walk(kind, b.bytes) {
			got = append(got, seenPart{p.Off(), p.Len(), asListed(t, p)})
			if &p.Bytes()[0] != &b.bytes[p.Off()] || cap(p.Bytes()) != p.Len() {
				t.Errorf("%s: %v is a copy, or has room", b.title, p.Path)
			}
			if isField := p.Sort == layout.FieldPart; (p.Field != nil) != isField || (p.Record != nil) != isField || p.Err != nil || p.Untyped != (p.Sort == layout.ValuePart) {
				t.Errorf("%s: %v is %+v", b.title, p.Path, p)
			}
			findsPart(t, kind, b.bytes, p.Path, wantedPart{p.Sort.String(), "", p.Off(), p.Len(), ""})
			findsPart(t, kind, b.bytes, parsePath(t, p.Path.String()), wantedPart{p.Sort.String(), "", p.Off(), p.Len(), ""})
		}
		if diff := cmp.Diff(b.parts, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", b.title, diff)
		}
	}
	// testdata/perflib.txt has no block of RegGUIDKind, so the test uses the first GUID of a list.
	guid := perflibBytes(t, "GUIDs")[:16]
	for p := range layout.Walk(layout.RegGUIDKind, guid) {
		if g, ok := p.GUID(); !ok || g.String() != "{b4fc721a-0378-476f-89ba-a5a79f810b36}" || p.Path.String() != "guid[0]" || p.Len() != 16 {
			t.Errorf("%v is %v, %t", p.Path, g, ok)
		}
		findsPart(t, layout.RegGUIDKind, guid, p.Path, wantedPart{"field", "", 0, 16, ""})
	}
}

// asListed returns a part in the format of testdata/perflib.txt.
func asListed(t *testing.T, p layout.Part) string {
	t.Helper()
	if p.Sort == layout.PaddingPart {
		return "padding"
	}
	var value any
	g, isGUID := p.GUID()
	n, isInt := p.Int()
	switch {
	case p.Sort == layout.NamePart:
		text, err := p.Name().Text()
		if err != nil {
			t.Error(err)
		}
		value = strconv.Quote(text)
	case p.Sort == layout.ValuePart:
		value, _ = p.Number()
	case isGUID:
		value = g
	default:
		value = n
	}
	if isField := p.Sort == layout.FieldPart; isInt != (isField && !isGUID) {
		t.Errorf("%v is a number: %t", p.Path, isInt)
	}
	return fmt.Sprintf("%v = %v", p.Path, value)
}

// TestWalkOfPerflibStopsEarly ends the loop with break after 1 part, after 2 parts, and so on. If Walk calls yield
// again after the break, the loop panics.
func TestWalkOfPerflibStopsEarly(t *testing.T) {
	t.Parallel()
	for _, b := range perflibBlocks(t) {
		for _, kind := range layout.Kinds() {
			for n := range 130 {
				for range layout.Walk(kind, b.bytes) {
					if n--; n < 0 {
						break
					}
				}
			}
		}
	}
}

// TestWalkOfBrokenPerflib checks the unread parts of broken buffers: path, offset, length, fault, and the offset of the
// fault.
func TestWalkOfBrokenPerflib(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		title  string
		at     int
		value  uint32
		want   []string
		reason string
	}{
		{"query", 0x00, 393, []string{"rest 0x188 0 bounds at 0x0 dwTotalSize"}, "longer than the bytes: all bytes are yielded"},
		{"query", 0x00, 47, []string{"rest 0x30 344 bounds at 0x0 dwTotalSize"}, "the length must include the header"},
		{"query", 0x00, 48, []string{"result[0].rest 0x30 0 short at 0x30 result[0]", "rest 0x30 344 -"}, "the first result is missing"},
		{"query", 0x00, 391, []string{"result[4].instance[0].data[2].rest 0x180 7 bounds at 0x17c result[4].instance[0].data[2].dwSize", "result[4].instances.rest 0x187 0 bounds at 0x140 result[4].instances.dwTotalSize", "result[4].rest 0x187 0 bounds at 0x120 result[4].dwSize", "rest 0x187 1 -"}, "one short"},
		{"query", 0x04, 0, []string{"rest 0x30 344 -"}, "the count asks for no results"},
		{"query", 0x04, 4, []string{"rest 0x118 112 -"}, "the count asks for four results"},
		{"query", 0x04, most, []string{"result[5].rest 0x188 0 short at 0x188 result[5]"}, "the sixth result is missing"},
		{"query", 0x38, 15, []string{"result[0].rest 0x40 328 bounds at 0x38 result[0].dwSize"}, "the length must include the header"},
		{"query", 0x38, 24, []string{"result[0].rest 0x40 8 -", "result[1].rest 0x58 304 bounds at 0x50 result[1].dwSize"}, "an error result has trailing bytes"},
		{"query", 0x44, 3, []string{"result[1].rest 0x50 16 range at 0x44 result[1].dwType"}, "an unknown type: the next result is still found"},
		{"query", 0x34, 5, nil, "an unknown type without content"},
		{"query", 0x44, 0, []string{"result[1].rest 0x50 16 -"}, "the value of an error result is not read"},
		{"query", 0x48, 24, []string{"result[1].data[0].rest 0x58 0 bounds at 0x54 result[1].data[0].dwSize", "result[2].rest 0x68 288 bounds at 0x60 result[2].dwSize"}, "the result ends inside its value"},
		{"query", 0x50, 9, []string{"result[1].data[0].padding 0x58 8 bounds at 0x50 result[1].data[0].dwDataSize"}, "the value must end inside its record"},
		{"query", 0x50, 8, nil, "no padding"},
		{"query", 0x50, 0, nil, "no value: all is padding"},
		{"query", 0x54, 7, []string{"result[1].data[0].rest 0x58 8 bounds at 0x54 result[1].data[0].dwSize"}, "the next result is still found"},
		{"query", 0x70, 7, []string{"result[2].ids.rest 0x78 64 bounds at 0x70 result[2].ids.dwSize"}, "the length of the ids must include the structure"},
		{"query", 0x74, 5, []string{"result[2].ids.rest 0x78 64 bounds at 0x74 result[2].ids.dwCounters"}, "the ids must fit into their record"},
		{"query", 0x74, most, []string{"result[2].ids.rest 0x78 64 bounds at 0x74 result[2].ids.dwCounters"}, "the ids must fit into their record"},
		{"query", 0x74, 2, []string{"result[2].rest 0xa8 16 -"}, "a result with two ids has two values"},
		{"query", 0x74, 4, []string{"result[2].data[3].rest 0xb8 0 short at 0xb8 result[2].data[3]"}, "a result with four ids has four values"},
		{"query", 0xC8, 7, []string{"result[3].instances.rest 0xd0 72 bounds at 0xc8 result[3].instances.dwTotalSize"}, "the length of the instances must include the structure"},
		{"query", 0xC8, 40, []string{"result[3].instance[1].rest 0xf0 0 short at 0xf0 result[3].instance[1]", "result[3].rest 0xf0 40 -"}, "the second instance is missing"},
		{"query", 0xC8, 88, []string{"result[3].instances.rest 0x118 0 bounds at 0xc8 result[3].instances.dwTotalSize"}, "instances longer than their result: all are yielded"},
		{"query", 0xCC, 1, []string{"result[3].instances.rest 0xf0 40 -"}, "the count asks for one instance"},
		{"query", 0xCC, most, []string{"result[3].instance[2].rest 0x118 0 short at 0x118 result[3].instance[2]"}, "the third instance is missing"},
		{"query", 0xD0, 7, []string{"result[3].instance[0].rest 0xd8 64 bounds at 0xd0 result[3].instance[0].Size"}, "the Size must include the structure"},
		{"query", 0xD0, 73, []string{"result[3].instance[0].rest 0xd8 64 bounds at 0xd0 result[3].instance[0].Size"}, "the Size must not exceed the instances"},
		{"query", 0x15C, 49, []string{"result[4].instance[0].data[0].rest 0x160 40 bounds at 0x15c result[4].instance[0].data[0].dwSize"}, "the dwSize must not exceed the instances"},
		{"instances", 0x10, 0, []string{"instance[1].rest 0x18 32 bounds at 0x10 instance[1].Size"}, "the Size must include the structure"},
		{"instances", 0x10, 41, []string{"instance[1].rest 0x18 32 bounds at 0x10 instance[1].Size"}, "the Size must not exceed the input"},
		{"identifiers", 0x44, 39, []string{"identifier[1].rest 0x58 56 bounds at 0x44 identifier[1].Size"}, "the Size must include the structure"},
		{"identifiers", 0x14, 145, []string{"identifier[0].rest 0x28 104 bounds at 0x14 identifier[0].Size"}, "the Size must not exceed the input"},
		{"strings", 0x00, 7, []string{"rest 0x8 40 bounds at 0x0 dwSize"}, "the length must include the structure"},
		{"strings", 0x00, 49, []string{"rest 0x30 0 bounds at 0x0 dwSize"}, "longer than the bytes: all bytes are yielded"},
		{"strings", 0x00, 40, []string{"rest 0x28 8 -"}, "bytes after dwSize are trailing bytes"},
		{"strings", 0x00, 24, []string{"rest 0x8 16 bounds at 0x4 dwCounters", "rest 0x18 24 -"}, "the entries must fit into dwSize"},
		{"strings", 0x04, 6, []string{"rest 0x8 40 bounds at 0x4 dwCounters"}, "the entries must fit into dwSize"},
		{"strings", 0x04, most, []string{"rest 0x8 40 bounds at 0x4 dwCounters"}, "the entries must fit into dwSize"},
		{"strings", 0x14, 48, []string{"padding 0x26 10 bounds at 0x14 entry[1].dwOffset"}, "the offset must be inside dwSize"},
		{"strings", 0x0C, 31, []string{"padding 0x2e 2 bounds at 0xc entry[0].dwOffset"}, "the offset must be after the entries"},
		{"strings", 0x14, 34, nil, "a text in another is left out"},
		{"strings", 0x14, 40, nil, "a gap before a text is padding"},
		{"registered set", 0x18, 1, []string{"rest 0x50 48 -"}, "the count asks for one counter"},
		{"registered set", 0x18, 3, []string{"counter[2].rest 0x80 0 short at 0x80 counter[2]"}, "the third counter is missing"},
		{"registered set", 0x18, most, []string{"counter[2].rest 0x80 0 short at 0x80 counter[2]"}, "the third counter is missing"},
		{"registered set", 0x18, 0, []string{"rest 0x20 96 -"}, "the count asks for no counters"},
		{"template", 0x20, 1, []string{"rest 0x48 32 -"}, "the count asks for one counter"},
		{"template", 0x20, most, []string{"counter[2].rest 0x68 0 short at 0x68 counter[2]"}, "the third counter is missing"},
		{"set instance", 0x10, 31, []string{"rest 0x20 24 bounds at 0x10 dwSize"}, "the length must include the structure"},
		{"set instance", 0x10, 57, []string{"rest 0x38 0 bounds at 0x10 dwSize"}, "longer than the bytes: all bytes are yielded"},
		{"set instance", 0x10, 54, []string{"rest 0x36 2 -"}, "bytes after dwSize are trailing bytes"},
		{"set instance", 0x18, 57, []string{"padding 0x20 24 bounds at 0x18 InstanceNameOffset"}, "without a valid InstanceNameOffset, there are no values"},
		{"set instance", 0x18, 31, []string{"padding 0x20 24 bounds at 0x18 InstanceNameOffset"}, "the offset must be after the structure"},
		{"set instance", 0x18, 44, nil, "a gap between the last value and the name is padding"},
		{"set instance", 0x1C, 9, []string{"padding 0x30 8 bounds at 0x1c InstanceNameSize"}, "the name must end inside dwSize"},
		{"set instance", 0x1C, 0, nil, "a size of 0 means no name"},
	} {
		b := perflibBytes(t, tt.title)
		le.PutUint32(b[tt.at:], tt.value)
		checkUnread(t, fixture.WorkedKinds[tt.title], b, tt.want, tt.reason)
	}
}
