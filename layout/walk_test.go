package layout_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/layout"
)

func TestWalkGivesEveryPart(t *testing.T) {
	t.Parallel()
	b, all := small(t)
	checkWalk(t, layout.DataBlockKind, b, all, 0)
	var objects []want
	for _, w := range all {
		if w.Off >= smallObjects {
			w.Off -= smallObjects
			objects = append(objects, w)
		}
	}
	checkWalk(t, layout.ObjectsKind, b[smallObjects:], objects, smallObjects)
}

func checkWalk(t *testing.T, kind layout.Kind, b []byte, parts []want, origin int64) {
	t.Helper()
	var got []want
	for p := range layout.Walk(kind, b) {
		w := want{p.Sort.String(), p.Path.String(), p.Off(), p.Len(), ""}
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
		if p.Field != nil && (p.Base+int64(p.Field.At) != p.Off() || p.Record.Field(p.Field.Name) != p.Field) {
			t.Errorf("%v is at %d, its record at %d, in which it is at %d", p.Path, p.Off(), p.Base, p.Field.At)
		}
	}
	if diff := cmp.Diff(parts, got); diff != "" {
		t.Errorf("%v from %d (-want +got):\n%s", kind, origin, diff)
	}
}

// What a part says beside its place.
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

// Where each field leads that leads somewhere, by the documentation.
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

// A slot is how many bytes from where one of the two counters of object[0] has.
type slot struct{ size, at uint32 }

func TestWalkOfValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		slots  [2]slot
		want   []string
		reason string
	}{
		{[2]slot{{4, 4}, {8, 8}}, []string{"value value[0] 0xf4 4", "value value[1] 0xf8 8"}, "as it was"},
		{[2]slot{{8, 8}, {4, 4}}, []string{"value value[1] 0xf4 4", "value value[0] 0xf8 8"}, "in the order of the bytes"},
		{[2]slot{{4, 4}, {8, 4}}, []string{"value value[1] 0xf4 8", "padding padding 0xfc 4"}, "the widest counter of an offset"},
		{[2]slot{{8, 4}, {4, 4}}, []string{"value value[0] 0xf4 8", "padding padding 0xfc 4"}, "the widest counter of an offset"},
		{[2]slot{{8, 4}, {8, 8}}, []string{"value value[0] 0xf4 8", "value value[1] 0xf8 8"}, "those that overlap come each"},
		{[2]slot{{12, 4}, {2, 6}}, []string{"value value[0] 0xf4 12", "value value[1] 0xf6 2"}, "one inside the other, and no padding behind"},
		{[2]slot{{4, 12}, {0, 8}}, []string{"padding hole 0xf4 8", "value value[0] 0xfc 4"}, "a counter without a value is no part"},
		{[2]slot{{4, 3}, {8, 8}}, []string{"padding hole 0xf4 4", "value value[1] 0xf8 8"}, "a value in the block's length"},
		{[2]slot{{4, 13}, {4, 4}}, []string{"value value[1] 0xf4 4", "unread padding 0xf8 8"}, "a value that ends one behind the block"},
		{[2]slot{{8, 12}, {2, 14}}, []string{"padding hole 0xf4 10", "value value[1] 0xfe 2"}, "one that does not fit, then one that does"},
		{[2]slot{{4, 16}, {4, 4}}, []string{"value value[1] 0xf4 4", "unread padding 0xf8 8"}, "a value behind the block"},
		{[2]slot{{most, 4}, {8, most}}, []string{"unread padding 0xf4 12"}, "four billion of either"},
		{[2]slot{{3, 5}, {1, 10}}, []string{"padding hole 0xf4 1", "value value[0] 0xf5 3", "padding hole 0xf8 2", "value value[1] 0xfa 1", "padding padding 0xfb 5"}, "odd places"},
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
		covered(t, layout.DataBlockKind, b)
	}
}

func lastOf(elems []layout.Elem) string {
	e := elems[len(elems)-1]
	if e.Indexed {
		return layout.Path{}.At(e.Name, e.Index).String()
	}
	return e.Name
}
