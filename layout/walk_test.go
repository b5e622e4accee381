package layout_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/walktest"
	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

func TestWalkYieldsEveryPart(t *testing.T) {
	t.Parallel()
	b, all := smallBlock(t)
	checkWalk(t, layout.DataBlockKind, b, all, 0)
	var objects []wantedPart
	for _, w := range all {
		if w.Off >= smallObjects {
			w.Off -= smallObjects
			objects = append(objects, w)
		}
	}
	checkWalk(t, layout.ObjectsKind, b[smallObjects:], objects, smallObjects)
}

func checkWalk(t *testing.T, kind layout.Kind, b []byte, parts []wantedPart, origin int64) {
	t.Helper()
	var got []wantedPart
	for p := range layout.Walk(kind, b) {
		w := wantedPart{p.Sort.String(), p.Path.String(), p.Off(), p.Len(), ""}
		if n, ok := p.Int(); ok {
			w.Value = strconv.FormatInt(n, 10)
		} else if n, ok := p.Number(); ok && p.Sort == layout.ValuePart {
			w.Value = strconv.FormatUint(n, 10)
		}
		got = append(got, w)
		if &p.Bytes()[0] != &b[p.Off()] {
			t.Errorf("%v is a copy", p.Path)
		}
		if isField := p.Sort == layout.FieldPart; (p.Field != nil) != isField || (p.Record != nil) != isField || p.Err != nil {
			t.Errorf("%v, %v: record %v, field %v, %v", p.Path, p.Sort, p.Record, p.Field, p.Err)
		}
		if p.Field != nil && p.Record.Field(p.Field.Name) != p.Field {
			t.Errorf("%v is not a field of %s", p.Path, p.Record.C)
		}
	}
	if diff := cmp.Diff(parts, got); diff != "" {
		t.Errorf("%v from %d (-want +got):\n%s", kind, origin, diff)
	}
}

// TestPartDetails checks all fields of a Part except the offset and the length.
func TestPartDetails(t *testing.T) {
	t.Parallel()
	b := patched(t, patch{0x12C, 1252}, patch{0x1A4, 2})
	types := map[string]layout.CounterType{}
	pages := map[string]uint32{}
	for p := range layout.Walk(layout.DataBlockKind, b) {
		switch p.Sort {
		case layout.ValuePart:
			types[p.Path.String()] = p.Type
		case layout.NamePart:
			pages[p.Path.String()] = p.Page
			if n := p.Name(); n.CodePage != p.Page || n.Off() != p.Off() || n.Len() != p.Len() {
				t.Errorf("%v: the name is %d bytes at %d in page %d", p.Path, n.Len(), n.Off(), n.CodePage)
			}
		}
	}
	if diff := cmp.Diff(map[string]layout.CounterType{
		"object[0].block.value[0]": 0x00010000, "object[0].block.value[1]": 0x10410500,
		"object[1].instance[0].block.value[0]": 0x20020400, "object[1].instance[0].block.value[1]": 0x40030403,
		"object[1].instance[1].block.value[0]": 0x20020400, "object[1].instance[1].block.value[1]": 0x40030403,
	}, types); diff != "" {
		t.Errorf("types of values (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]uint32{"SystemName": 0, "object[1].instance[0].Name": 1252, "object[1].instance[1].Name": 1252}, pages); diff != "" {
		t.Errorf("code pages of names (-want +got):\n%s", diff)
	}
}

// TestTargets checks the result of Part.Target: the end of the bytes that a length counts, or the
// place to which an offset points. The result counts from the start of the block.
func TestTargets(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	for p := range layout.Walk(layout.DataBlockKind, smallBytes(t)) {
		if to, ok := p.Target(); ok {
			got[p.Path.String()] = fmt.Sprintf("0x%x", to)
		}
	}
	if diff := cmp.Diff(map[string]string{
		"TotalByteLength": "0x1f8", "HeaderLength": "0x60", "SystemNameOffset": "0x58",
		"object[0].TotalByteLength": "0x100", "object[0].DefinitionLength": "0xf0", "object[0].HeaderLength": "0xa0",
		"object[0].counter[0].ByteLength": "0xc8", "object[0].counter[1].ByteLength": "0xf0", "object[0].block.ByteLength": "0x100",
		"object[1].TotalByteLength": "0x1f8", "object[1].DefinitionLength": "0x190", "object[1].HeaderLength": "0x140",
		"object[1].counter[0].ByteLength": "0x168", "object[1].counter[1].ByteLength": "0x190",
		"object[1].instance[0].ByteLength": "0x1b0", "object[1].instance[0].NameOffset": "0x1a8", "object[1].instance[0].block.ByteLength": "0x1c0",
		"object[1].instance[1].ByteLength": "0x1e8", "object[1].instance[1].NameOffset": "0x1d8", "object[1].instance[1].block.ByteLength": "0x1f8",
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A slot has the size and the offset of a counter of object[0].
type slot struct{ size, at uint32 }

func TestWalkOfValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		slots  [2]slot
		want   []string
		reason string
	}{
		{[2]slot{{4, 4}, {8, 8}}, []string{"value value[0] 0xf4 4", "value value[1] 0xf8 8"}, "values are yielded one after the other"},
		{[2]slot{{8, 8}, {4, 4}}, []string{"value value[1] 0xf4 4", "value value[0] 0xf8 8"}, "values are yielded in the order of the bytes"},
		{[2]slot{{4, 4}, {8, 4}}, []string{"value value[1] 0xf4 8", "padding padding 0xfc 4"}, "only the widest value at an offset is yielded"},
		{[2]slot{{8, 4}, {4, 4}}, []string{"value value[0] 0xf4 8", "padding padding 0xfc 4"}, "only the widest value at an offset is yielded"},
		{[2]slot{{8, 4}, {8, 8}}, []string{"value value[0] 0xf4 8", "value value[1] 0xf8 8"}, "numbers that overlap are yielded separately"},
		{[2]slot{{12, 4}, {2, 6}}, []string{"value value[0] 0xf4 12", "value value[1] 0xf6 2"}, "a value inside another value is yielded too"},
		{[2]slot{{4, 12}, {0, 8}}, []string{"padding hole 0xf4 8", "value value[0] 0xfc 4"}, "a counter without a value has no part"},
		{[2]slot{{4, 3}, {8, 8}}, []string{"padding hole 0xf4 4", "value value[1] 0xf8 8"}, "a value that overlaps ByteLength is left out"},
		{[2]slot{{4, 13}, {4, 4}}, []string{"value value[1] 0xf4 4", "unread padding 0xf8 8"}, "a value that ends after the block is left out"},
		{[2]slot{{8, 12}, {2, 14}}, []string{"padding hole 0xf4 10", "value value[1] 0xfe 2"}, "a value that ends after the block is left out, and a value that fits is yielded"},
		{[2]slot{{4, 16}, {4, 4}}, []string{"value value[1] 0xf4 4", "unread padding 0xf8 8"}, "a value after the block is left out"},
		{[2]slot{{most, 4}, {8, most}}, []string{"unread padding 0xf4 12"}, "offsets and sizes of 4 billion are left out"},
		{[2]slot{{3, 5}, {1, 10}}, []string{"padding hole 0xf4 1", "value value[0] 0xf5 3", "padding hole 0xf8 2", "value value[1] 0xfa 1", "padding padding 0xfb 5"}, "values may have odd offsets"},
	} {
		b := patched(t, patch{0xC0, tt.slots[0].size}, patch{0xC4, tt.slots[0].at}, patch{0xE8, tt.slots[1].size}, patch{0xEC, tt.slots[1].at})
		var got []string
		for p := range layout.Walk(layout.DataBlockKind, b) {
			if p.Off() > 0xF0 && p.Off() < 0x100 {
				got = append(got, fmt.Sprintf("%v %s 0x%x %d", p.Sort, lastOf(p.Path.Elems()), p.Off(), p.Len()))
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v: %s (-want +got):\n%s", tt.slots, tt.reason, diff)
		}
		walktest.Check(t, layout.DataBlockKind, b)
	}
}

func lastOf(elems []layout.Elem) string {
	e := elems[len(elems)-1]
	if e.Indexed() {
		return layout.Path{}.At(e.Name, e.Index).String()
	}
	return e.Name
}

// unread lists the unread parts of a block: path, offset and length, then the kind, offset and path of the fault.
func unread(kind layout.Kind, b []byte) (lines []string) {
	for p := range layout.Walk(kind, b) {
		if p.Sort != layout.UnreadPart {
			continue
		}
		why := "-"
		for name, k := range map[string]error{"short": layout.ErrShort, "bounds": layout.ErrBounds, "signature": layout.ErrSignature, "order": layout.ErrByteOrder, "range": layout.ErrRange} {
			if errors.Is(p.Err, k) {
				why = name
			}
		}
		if e, ok := errors.AsType[*layout.Error](p.Err); ok {
			why = fmt.Sprintf("%s at 0x%x %v", why, e.Off, e.Path)
		}
		lines = append(lines, fmt.Sprintf("%v 0x%x %d %s", p.Path, p.Off(), p.Len(), why))
	}
	return lines
}

// checkUnread checks that Walk yields the unread parts `want`. It also runs walktest.Check.
func checkUnread(t *testing.T, kind layout.Kind, b []byte, want []string, reason string) {
	t.Helper()
	if diff := cmp.Diff(want, unread(kind, b)); diff != "" {
		t.Errorf("%v: %s (-want +got):\n%s", kind, reason, diff)
	}
	walktest.Check(t, kind, b)
}

func TestWalkOfBrokenBlocks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		at     int
		value  uint32
		want   []string
		reason string
	}{
		{0x00, 0, []string{"rest 0x58 416 signature at 0x0 Signature"}, "no signature: only the header's fields"},
		{0x08, 0, []string{"rest 0x58 416 order at 0x8 LittleEndian"}, "blocks of big-endian computers are not supported"},
		{0x14, 505, []string{"rest 0x1f8 0 bounds at 0x14 TotalByteLength"}, "longer than the bytes: all bytes are yielded"},
		{0x14, 503, []string{"object[1].instance[1].block.rest 0x1ec 11 bounds at 0x1e8 object[1].instance[1].block.ByteLength", "object[1].rest 0x1f7 0 bounds at 0x100 object[1].TotalByteLength", "rest 0x1f7 1 -"}, "one short: the last object, then a trailing byte"},
		{0x14, 256, []string{"object[1].rest 0x100 0 short at 0x100 object[1]", "rest 0x100 248 -"}, "the second object is missing"},
		{0x14, 300, []string{"object[1].rest 0x100 44 short at 0x100 object[1]", "rest 0x12c 204 -"}, "the second object is truncated"},
		{0x18, 88, []string{"padding 0x58 0 bounds at 0x50 SystemNameLength", "object[0].rest 0x98 352 bounds at 0x5c object[0].DefinitionLength", "object[0].rest 0x1f8 0 bounds at 0x58 object[0].TotalByteLength"}, "no room for the name, which is taken for an object"},
		{0x18, 505, []string{"rest 0x58 416 bounds at 0x18 HeaderLength"}, "the header must end inside the block"},
		{0x1C, 0, []string{"rest 0x60 408 -"}, "the count asks for no objects"},
		{0x1C, 1, []string{"rest 0x100 248 -"}, "the count asks for one object"},
		{0x1C, 3, []string{"object[2].rest 0x1f8 0 short at 0x1f8 object[2]"}, "one object too many: an empty part with the fault"},
		{0x54, 91, []string{"padding 0x58 8 bounds at 0x50 SystemNameLength"}, "the name must end inside the header"},
		{0x60, 63, []string{"object[0].rest 0xa0 344 bounds at 0x60 object[0].TotalByteLength"}, "without a length there is no next object"},
		{0x64, 161, []string{"object[0].rest 0xa0 96 bounds at 0x64 object[0].DefinitionLength"}, "the next object is still found"},
		{0x68, 63, []string{"object[0].rest 0xa0 96 bounds at 0x68 object[0].HeaderLength"}, "the next object is still found"},
		{0x68, 72, []string{"object[0].extension 0xa0 8 -", "object[0].counter[0].rest 0xd0 32 bounds at 0xa8 object[0].counter[0].ByteLength"}, "a longer header: eight bytes on, a length of 0"},
		{0x80, 1, []string{"object[0].rest 0xc8 40 -"}, "the count asks for one counter"},
		{0x80, 0, []string{"object[0].rest 0xa0 80 -"}, "the count asks for no counters"},
		{0x80, 3, []string{"object[0].counter[2].rest 0xf0 0 short at 0xf0 object[0].counter[2]"}, "the third counter is missing"},
		{0xA0, 39, []string{"object[0].counter[0].rest 0xc8 40 bounds at 0xa0 object[0].counter[0].ByteLength"}, "the block is still found"},
		{0xA0, 48, []string{"object[0].counter[0].extension 0xc8 8 -", "object[0].counter[1].rest 0xd0 32 short at 0xd0 object[0].counter[1]"}, "bytes after the structure of a definition are an extension"},
		{0x88, 0, []string{"object[0].rest 0xf0 16 -"}, "an object with 0 instances has no counter block"},
		{0x88, 0xFFFFFFFE, []string{"object[0].rest 0xf0 16 -"}, "a metadata object has no counter block"},
		{0x88, 1, []string{"object[0].instance[0].rest 0xf0 16 short at 0xf0 object[0].instance[0]"}, "the counter block is read as an instance"},
		{0xF0, 17, []string{"object[0].block.rest 0xf4 12 bounds at 0xf0 object[0].block.ByteLength"}, "the block must end inside the object"},
		{0xF0, 8, []string{"object[0].block.padding 0xf8 0 bounds at 0xec object[0].counter[1].CounterOffset", "object[0].rest 0xf8 8 -"}, "a block shorter than its room: the second value does not fit"},
		{0xC4, 13, []string{"object[0].block.padding 0x100 0 bounds at 0xc4 object[0].counter[0].CounterOffset"}, "the value must end inside the block"},
		{0xEC, 16, []string{"object[0].block.padding 0xf8 8 bounds at 0xec object[0].counter[1].CounterOffset"}, "the value must start inside the block"},
		{0x128, 0, []string{"object[1].rest 0x190 104 -"}, "the count asks for no instances"},
		{0x128, 1, []string{"object[1].rest 0x1c0 56 -"}, "the count asks for one instance"},
		{0x128, 3, []string{"object[1].instance[2].rest 0x1f8 0 short at 0x1f8 object[1].instance[2]"}, "the third instance is missing"},
		{0x190, 23, []string{"object[1].instance[0].rest 0x1a8 80 bounds at 0x190 object[1].instance[0].ByteLength"}, "without a length there is no next instance"},
		{0x190, 100, []string{"object[1].instance[0].block.rest 0x1f8 0 bounds at 0x1f4 object[1].instance[0].block.ByteLength"}, "a block of 0 bytes has no end"},
		{0x1A0, 23, []string{"object[1].instance[0].padding 0x1a8 8 bounds at 0x1a0 object[1].instance[0].NameOffset"}, "the block is still found"},
		{0x1A0, 28, nil, "a gap before the name is padding"},
		{0x1B0, 73, []string{"object[1].instance[0].block.rest 0x1b4 68 bounds at 0x1b0 object[1].instance[0].block.ByteLength"}, "without a length there is no next instance"},
		{0x1E8, 12, []string{"object[1].rest 0x1f4 4 -"}, "bytes after the last block are trailing bytes"},
	} {
		checkUnread(t, layout.DataBlockKind, patched(t, patch{tt.at, tt.value}), tt.want, tt.reason)
	}
}

func TestWalkOfBytesCutOrAdded(t *testing.T) {
	t.Parallel()
	b := smallBytes(t)
	objects := b[smallObjects:]
	of := func(title string, n int) []byte { return perflibBytes(t, title)[:n:n] }
	for _, tt := range []struct {
		kind   layout.Kind
		bytes  []byte
		want   []string
		reason string
	}{
		{layout.DataBlockKind, nil, []string{"rest 0x0 0 short at 0x0 "}, "an empty input has no header"},
		{layout.DataBlockKind, b[:87], []string{"rest 0x0 87 short at 0x0 "}, "the header is truncated"},
		{layout.DataBlockKind, b[:88], []string{"rest 0x58 0 bounds at 0x14 TotalByteLength"}, "the header is complete, and the block is truncated"},
		{layout.DataBlockKind, append(b[:len(b):len(b)], 1, 2, 3), []string{"rest 0x1f8 3 -"}, "bytes after the block are trailing bytes"},
		{layout.DataBlockKind, b[:96:96], []string{"object[0].rest 0x60 0 short at 0x60 object[0]", "rest 0x60 0 bounds at 0x14 TotalByteLength"}, "the first object is missing"},
		{layout.DataBlockKind, append(append(slices.Clone(b[:8]), 0), b[9:400]...), []string{"rest 0x58 312 order at 0x8 LittleEndian"}, "a truncated block with the other byte order"},
		{layout.ObjectsKind, nil, nil, "an empty input has no objects"},
		{layout.ObjectsKind, objects[:1], []string{"object[0].rest 0x0 1 short at 0x0 object[0]"}, "the first object is truncated"},
		{layout.ObjectsKind, objects[:63], []string{"object[0].rest 0x0 63 short at 0x0 object[0]"}, "the first object is truncated"},
		{layout.ObjectsKind, objects[:64], []string{"object[0].rest 0x40 0 bounds at 0x4 object[0].DefinitionLength", "object[0].rest 0x40 0 bounds at 0x0 object[0].TotalByteLength"}, "the definitions are missing"},
		{layout.ObjectsKind, objects[:160], nil, "an input may end after an object"},
		{layout.ObjectsKind, append(objects[:408:408], 1, 2, 3), []string{"object[2].rest 0x198 3 short at 0x198 object[2]"}, "trailing bytes are read as a third object"},

		{layout.QueryDataKind, nil, []string{"rest 0x0 0 short at 0x0 "}, "an empty input has no header"},
		{layout.QueryDataKind, of("query", 47), []string{"rest 0x0 47 short at 0x0 "}, "the header is truncated"},
		{layout.QueryDataKind, of("query", 0x5c), []string{"result[1].data[0].rest 0x58 4 bounds at 0x54 result[1].data[0].dwSize", "result[1].rest 0x5c 0 bounds at 0x48 result[1].dwSize", "rest 0x5c 0 bounds at 0x0 dwTotalSize"}, "the input ends inside a value"},
		{layout.InstancesKind, nil, nil, "an empty input has no instances"},
		{layout.InstancesKind, of("instances", 17), []string{"instance[1].rest 0x10 1 short at 0x10 instance[1]"}, "the second instance is truncated"},
		{layout.IdentifiersKind, nil, nil, "an empty input has no identifiers"},
		{layout.RegSetKind, of("registered set", 31), []string{"rest 0x0 31 short at 0x0 "}, "the header is truncated"},
		{layout.RegCounterKind, nil, []string{"counter[0].rest 0x0 0 short at 0x0 counter[0]"}, "the counter is missing"},
		{layout.RegCounterKind, of("registered set", 50), []string{"rest 0x30 2 -"}, "bytes after the counter are trailing bytes"},
		{layout.RegStringKind, nil, nil, "an empty input has no text"},
		{layout.RegGUIDKind, nil, []string{"guid[0].rest 0x0 0 short at 0x0 guid[0]"}, "the GUID is missing"},
		{layout.RegGUIDKind, of("GUIDs", 32), []string{"rest 0x10 16 -"}, "bytes after the GUID are trailing bytes"},
		{layout.GUIDsKind, nil, nil, "an empty input has no GUIDs"},
		{layout.GUIDsKind, of("GUIDs", 31), []string{"guid[1].rest 0x10 15 short at 0x10 guid[1]"}, "the second GUID is truncated"},
		{layout.StringsKind, of("strings", 30), []string{"rest 0x18 6 bounds at 0x0 dwSize"}, "cut in the entries: the remaining entries are yielded"},
		{layout.StringsKind, of("strings", 36), []string{"padding 0x24 0 bounds at 0x14 entry[1].dwOffset", "rest 0x24 0 bounds at 0x0 dwSize"}, "the input ends inside the texts"},
		{layout.TemplateKind, of("template", 39), []string{"rest 0x0 39 short at 0x0 "}, "the header is truncated"},
		{layout.InstanceBlockKind, of("set instance", 50), []string{"padding 0x30 2 bounds at 0x1c InstanceNameSize", "rest 0x32 0 bounds at 0x10 dwSize"}, "the input ends inside the name"},
		{layout.InstanceBlockKind, wire.CounterSetInstance{DwSize: 40, InstanceNameOffset: 32}.Append(nil)[:32:32], []string{"rest 0x20 0 bounds at 0x10 dwSize"}, "the name without bytes is at the end of the input"},
		{layout.InstanceBlockKind, append(wire.CounterSetInstance{DwSize: 40, InstanceNameOffset: 32}.Append(nil), make([]byte, 8)...), nil, "a name without bytes may be directly after the structure"},
		{layout.InstanceBlockKind, append(wire.CounterSetInstance{DwSize: 40, InstanceNameOffset: 31}.Append(nil), make([]byte, 8)...), []string{"padding 0x20 8 -"}, "a name without bytes may be in the structure"},
		{layout.InstanceBlockKind, slices.Concat(of("set instance", 56), []byte{1}), []string{"rest 0x38 1 -"}, "bytes after the instance are trailing bytes"},
		{layout.Kind(99), []byte{1}, []string{"rest 0x0 1 range at 0x0 "}, "the kind is unknown"},
	} {
		checkUnread(t, tt.kind, tt.bytes, tt.want, tt.reason)
	}
}

// TestWalkOfGaps checks the gaps and padding around names and in records that are longer than
// their structure.
func TestWalkOfGaps(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		patches []patch
		want    string
		reason  string
	}{
		{[]patch{{0x1A0, 28}}, "padding gap 0x1a8 4, name Name 0x1ac 4", "a gap before the name is padding"},
		{[]patch{{0x1A0, 25}, {0x1A4, 5}}, "padding gap 0x1a8 1, name Name 0x1a9 5, padding padding 0x1ae 2", "a name may have an odd offset"},
		{[]patch{{0x1A4, 0}}, "padding padding 0x1a8 8", "no name: all is padding"},
		{[]patch{{0x1A4, 8}}, "name Name 0x1a8 8", "a name may fill its space"},
	} {
		var got string
		for p := range layout.Walk(layout.DataBlockKind, patched(t, tt.patches...)) {
			if p.Off() >= 0x1A8 && p.Off() < 0x1B0 {
				if got != "" {
					got += ", "
				}
				got += fmt.Sprintf("%v %s 0x%x %d", p.Sort, lastOf(p.Path.Elems()), p.Off(), p.Len())
			}
		}
		if got != tt.want {
			t.Errorf("got %s; want %s: %s", got, tt.want, tt.reason)
		}
	}
}
