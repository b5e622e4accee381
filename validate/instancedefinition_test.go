package validate_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

const none = layout.PERF_NO_UNIQUE_ID

// findingPaths returns the findings of the rules with those prefixes, as "rule path", in order.
func findingPaths(kind layout.Kind, b []byte, prefixes ...string) []string {
	var list []string
	for _, f := range validate.Bytes(kind, b, validate.Context{}).Findings {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(f.Rule.Name, p) }) {
			list = append(list, strings.TrimPrefix(f.Rule.Name, "inst-")+" "+f.Path.String())
		}
	}
	return list
}

// child returns an instance with that parent.
func child(name string, title, position uint32) testInstance {
	in := namedInstance(terminated(text16(name), 0))
	in.parent = [2]uint32{title, position}
	return in
}

// withID returns an instance with that UniqueID.
func withID(name string, id int32) testInstance {
	in := namedInstance(terminated(text16(name), 0))
	in.id = id
	return in
}

// titled returns the head of an object with that title.
func titled(title uint32) wire.ObjectType {
	head := object4000
	head.ObjectNameTitleIndex, head.ObjectHelpTitleIndex = title, title+1
	return head
}

func TestParents(t *testing.T) {
	t.Parallel()
	two := appendObject(nil, titled(10), counting, []testInstance{child("a", 0, 0), child("b", 0, 0)})
	one := appendObject(nil, titled(10), counting, []testInstance{child("a", 0, 0)})
	empty := appendObject(nil, titled(10), counting, nil)
	counted := func(n int32) []byte { // an object without instances whose NumInstances is n
		b := slices.Clone(empty)
		binary.LittleEndian.PutUint32(b[40:], uint32(n))
		return b
	}
	of := func(title, position uint32) []byte {
		return appendObject(nil, titled(20), counting, []testInstance{child("c", title, position)})
	}
	join := func(objects ...[]byte) []byte { return slices.Concat(objects...) }
	const missing, title, position = "parent-missing object[1].instance[0].ParentObjectTitleIndex", "parent-range object[1].instance[0].ParentObjectTitleIndex", "parent-range object[1].instance[0].ParentObjectInstance"
	for _, tt := range []struct {
		reason string
		kind   layout.Kind
		b      []byte
		want   []string
	}{
		{"the last of two", layout.ObjectsKind, join(two, of(10, 1)), nil},
		{"the third of two", layout.ObjectsKind, join(two, of(10, 2)), []string{position}},
		{"the third of two in a data block", layout.DataBlockKind, dataBlockBytes(join(two, of(10, 2)), 2, 0), []string{position}},
		{"larger than an int32", layout.ObjectsKind, join(two, of(10, 1<<31)), []string{position}},
		{"the largest", layout.ObjectsKind, join(two, of(10, math.MaxUint32)), []string{position}},
		{"no instances at the moment", layout.ObjectsKind, join(empty, of(10, 0)), []string{title}},
		{"no instances ever", layout.ObjectsKind, join(counted(-1), of(10, 0)), []string{title}},
		{"a response to a metadata query", layout.ObjectsKind, join(counted(-2), of(10, 0)), []string{title}},
		{"a response to a metadata query, without instances", layout.ObjectsKind, join(counted(-3), of(10, 0)), []string{title}},
		{"an invalid NumInstances has its own rule", layout.ObjectsKind, join(counted(-4), of(10, 0)), nil},
		{"the first of a title counts", layout.ObjectsKind, join(two, of(10, 1), one), nil},
		{"the first of a title counts, though the second is longer", layout.ObjectsKind, join(one, of(10, 1), two), []string{position}},
		{"the parent's object comes later", layout.ObjectsKind, join(one, of(12, 1), appendObject(nil, titled(12), counting, []testInstance{child("a", 0, 0)})), []string{position}},
		{"its own object", layout.ObjectsKind, join(one, of(20, 0)), nil},
		{"its own object, and the next instance", layout.ObjectsKind, join(one, of(20, 1)), []string{position}},
		{"no object of the title, as another provider may have it", layout.ObjectsKind, join(one, of(12, 0)), nil},
		{"no object of the title", layout.DataBlockKind, dataBlockBytes(join(one, of(12, 0)), 2, 0), []string{missing}},
		{"it may be in what was cut off", layout.DataBlockKind, dataBlockBytes(join(one, of(12, 0)), 3, 200), nil},
		{"all objects are there, though TotalByteLength is larger", layout.DataBlockKind, dataBlockBytes(join(one, of(12, 0)), 2, 200), []string{missing}},
		{"NumObjectTypes is wrong, and no more objects are there", layout.DataBlockKind, dataBlockBytes(join(one, of(12, 0)), 3, 0), []string{missing}},
		{"NumObjectTypes is wrong, and the object is there", layout.DataBlockKind, dataBlockBytes(join(one, of(12, 0), appendObject(nil, titled(12), counting, []testInstance{child("a", 0, 0)})), 2, 0), nil},
		{"it may be an object that cannot be read", layout.DataBlockKind, dataBlockBytes(join(one, of(12, 0), make([]byte, 64)), 3, 0), nil},
		{"no parent, and a position", layout.ObjectsKind, join(one, of(0, 1)), []string{"parent-stray object[1].instance[0].ParentObjectInstance"}},
		{"no parent, though an object has the title 0", layout.ObjectsKind, join(appendObject(nil, titled(0), counting, nil), of(0, 1)), []string{"parent-stray object[1].instance[0].ParentObjectInstance"}},
		{"no parent, and the largest position", layout.ObjectsKind, join(one, of(0, math.MaxUint32)), []string{"parent-stray object[1].instance[0].ParentObjectInstance"}},
		{"no parent", layout.DataBlockKind, dataBlockBytes(join(one, of(0, 0)), 2, 0), nil},
	} {
		if diff := cmp.Diff(tt.want, findingPaths(tt.kind, tt.b, "inst-parent")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestUniqueIDs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		ids    []int32
		want   []string
	}{
		{"all differ, to the edges", []int32{0, 1, -2, math.MaxInt32, math.MinInt32}, nil},
		{"no instance has one", []int32{none, none, none}, nil},
		{"each later duplicate", []int32{7, 8, 7, 7}, []string{"unique-id-duplicate object[0].instance[2].UniqueID", "unique-id-duplicate object[0].instance[3].UniqueID"}},
		{"0 is a UniqueID", []int32{0, 0}, []string{"unique-id-duplicate object[0].instance[1].UniqueID"}},
		{"the smallest", []int32{math.MinInt32, math.MinInt32}, []string{"unique-id-duplicate object[0].instance[1].UniqueID"}},
		{"the first has one: once", []int32{7, 8, none, none}, []string{"unique-id-mixed object[0].instance[2].UniqueID"}},
		{"the first has none: once", []int32{none, none, 7, 8}, []string{"unique-id-mixed object[0].instance[2].UniqueID"}},
		{"the others among themselves", []int32{none, 7, none, 7}, []string{"unique-id-mixed object[0].instance[1].UniqueID", "unique-id-duplicate object[0].instance[3].UniqueID"}},
	} {
		var list []testInstance
		for i, id := range tt.ids {
			list = append(list, withID(string(rune('a'+i)), id))
		}
		b := appendObject(nil, object4000, counting, list)
		if diff := cmp.Diff(tt.want, findingPaths(layout.ObjectsKind, b, "inst-unique")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		// Each object is checked on its own: the second has the same findings.
		var twice []string
		for _, line := range tt.want {
			twice = append(twice, strings.Replace(line, "object[0]", "object[1]", 1))
		}
		if diff := cmp.Diff(slices.Concat(tt.want, twice), findingPaths(layout.ObjectsKind, appendObject(b, titled(10), counting, list), "inst-unique")); diff != "" {
			t.Errorf("%s, twice (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestTotalIsLast(t *testing.T) {
	t.Parallel()
	const first, second = "total-last object[0].instance[0].Name", "total-last object[0].instance[1].Name"
	total := child("_Total", 0, 0)
	bare := total
	bare.name = text16("_Total")
	for _, tt := range []struct {
		reason string
		list   []testInstance
		want   []string
	}{
		{"alone", []testInstance{total}, nil},
		{"last", []testInstance{child("a", 0, 0), total}, nil},
		{"first", []testInstance{total, child("a", 0, 0)}, []string{first}},
		{"one finding, however many instances follow", []testInstance{total, child("a", 0, 0), child("b", 0, 0), child("c", 0, 0)}, []string{first}},
		{"one finding for each", []testInstance{total, total, child("a", 0, 0)}, []string{first, second}},
		{"an unnamed instance is one", []testInstance{total, namedInstance(nil)}, []string{first}},
		{"of another parent", []testInstance{total, child("a", 4000, 0)}, nil},
		{"of another position", []testInstance{child("_Total", 4000, 0), child("a", 4000, 1)}, nil},
		{"of one parent", []testInstance{child("_Total", 4000, 1), child("a", 4000, 1)}, []string{first}},
		{"a position without a parent is ignored", []testInstance{child("_Total", 0, 1), child("a", 0, 2)}, []string{first}},
		{"after one of another parent", []testInstance{total, child("a", 4000, 1), child("b", 0, 0)}, []string{first}},
		{"each parent has one", []testInstance{child("a", 4000, 0), child("_Total", 4000, 0), child("a", 4000, 1), child("_Total", 4000, 1)}, nil},
		{"of two, the later one", []testInstance{child("_Total", 4000, 0), child("_Total", 4000, 1), child("a", 4000, 1)}, []string{second}},
		{"another name", []testInstance{child("_total", 0, 0), child("a", 0, 0)}, nil},
		{"a longer name", []testInstance{child("_Total2", 0, 0), child("a", 0, 0)}, nil},
		{"a missing terminator has its own rule", []testInstance{bare, child("a", 0, 0)}, []string{first}},
	} {
		if diff := cmp.Diff(tt.want, findingPaths(layout.ObjectsKind, appendObject(nil, object4000, counting, tt.list), "inst-total")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
	head := object4000
	head.CodePage = 1252
	list := []testInstance{namedInstance([]byte("_Total\x00")), namedInstance([]byte("a\x00"))}
	if got := findingPaths(layout.ObjectsKind, appendObject(nil, head, counting, list), "inst-total"); got != nil {
		t.Errorf("names of a code page are not decoded, got %v", got)
	}
	ends := appendObject(nil, object4000, counting, []testInstance{child("a", 0, 0), total})
	if got := findingPaths(layout.ObjectsKind, appendObject(ends, titled(10), counting, []testInstance{child("a", 0, 0)}), "inst-total"); got != nil {
		t.Errorf("_Total of the previous object must not affect this one, got %v", got)
	}
}

// TestPaddingIsZero writes bytes into an instance of 64 bytes.
func TestPaddingIsZero(t *testing.T) {
	t.Parallel()
	type found struct {
		Path string
		Off  int64 // in the instance
		Len  int
		Got  string
	}
	const start = 64 + 40
	for _, tt := range []struct {
		reason   string
		from, n  uint32 // NameOffset and NameLength
		at       []int  // where bytes are 0xAA, in the instance
		want     []found
		wantElse bool // another rule reports the name
	}{
		{reason: "all is clear", from: 24, n: 4},
		{reason: "the first byte after the name", from: 24, n: 4, at: []int{28}, want: []found{{"padding", 28, 1, "the padding holds aa"}}},
		{reason: "the last byte", from: 24, n: 4, at: []int{63}, want: []found{{"padding", 63, 1, "the padding holds aa"}}},
		{reason: "from the first to the last", from: 24, n: 4, at: []int{30, 32}, want: []found{{"padding", 30, 3, "the padding holds aa 00 aa"}}},
		{reason: "eight are shown", from: 24, n: 4, at: []int{30, 37}, want: []found{{"padding", 30, 8, "the padding holds aa 00 00 00 00 00 00 aa"}}},
		{reason: "of nine, eight are shown", from: 24, n: 4, at: []int{30, 38}, want: []found{{"padding", 30, 9, "the padding holds aa 00 00 00 00 00 00 00 and so on, 9 bytes"}}},
		{reason: "the first byte of the gap", from: 32, n: 4, at: []int{24}, want: []found{{"gap", 24, 1, "the gap holds aa"}}},
		{reason: "the last byte of the gap", from: 32, n: 4, at: []int{31}, want: []found{{"gap", 31, 1, "the gap holds aa"}}},
		{reason: "both", from: 32, n: 4, at: []int{25, 36, 63}, want: []found{{"gap", 25, 1, "the gap holds aa"}, {"padding", 36, 28, "the padding holds aa 00 00 00 00 00 00 00 and so on, 28 bytes"}}},
		{reason: "a name is no padding", from: 24, n: 40, at: []int{24, 61}},
		{reason: "without a name all is padding", from: 0, n: 0, at: []int{24}, want: []found{{"padding", 24, 1, "the padding holds aa"}}},
		{reason: "whatever the offset of no name", from: 40, n: 0, at: []int{24}, want: []found{{"padding", 24, 1, "the padding holds aa"}}},
		{reason: "the name is not in the instance", from: 24, n: 42, at: []int{28}, wantElse: true},
		{reason: "the name is in the structure", from: 8, n: 4, at: []int{28}, wantElse: true},
	} {
		b := appendObject(nil, object4000, counting, []testInstance{namedInstance(make([]byte, 40))})
		binary.LittleEndian.PutUint32(b[start+16:], tt.from)
		binary.LittleEndian.PutUint32(b[start+20:], tt.n)
		for _, at := range tt.at {
			b[start+at] = 0xAA
		}
		var got []found
		others := 0
		for _, f := range validate.Bytes(layout.ObjectsKind, b, validate.Context{}).Findings {
			if f.Rule.Name == "inst-padding-zero" {
				got = append(got, found{strings.TrimPrefix(f.Path.String(), "object[0].instance[0]."), f.Off - start, f.Len, f.Got})
			} else if f.Severity == validate.Error {
				others++
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		if tt.wantElse && others == 0 {
			t.Errorf("%s: no finding", tt.reason)
		}
	}
}

// TestDuplicateNameText checks how inst-name-duplicate prints names.
func TestDuplicateNameText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     []byte
		codePage uint32
		want     string
	}{
		{text16("web"), 0, `the name is "web"`},
		{text16("жé\"𐐀\n"), 0, `the name is "жé\"𐐀\n"`},
		{units16('a', 0xD800), 0, "the name is \"a\uFFFD\""},
		{text16(strings.Repeat("x", 32)), 0, `the name is "` + strings.Repeat("x", 32) + `"`},
		{text16(strings.Repeat("x", 33)), 0, `the name is "` + strings.Repeat("x", 32) + `"...`},
		{[]byte("caf\xE9"), 1252, `the name is "caf\xe9"`},
		{[]byte(strings.Repeat("x", 65)), 1252, `the name is "` + strings.Repeat("x", 64) + `"...`},
	} {
		head := object4000
		head.CodePage = tt.codePage
		in := namedInstance(terminated(tt.name, tt.codePage))
		b := appendObject(nil, head, counting, []testInstance{in, in})
		at := slices.IndexFunc(validate.Bytes(layout.ObjectsKind, b, validate.Context{}).Findings, func(f validate.Finding) bool {
			return f.Rule.Name == "inst-name-duplicate" && f.Got == tt.want && f.Len == len(in.name)
		})
		if at < 0 {
			t.Errorf("no finding says that %s", tt.want)
		}
	}
}
