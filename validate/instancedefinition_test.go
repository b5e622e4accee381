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

const noID = layout.PERF_NO_UNIQUE_ID

// findingPaths returns the rule and the path of each finding whose rule has one of the prefixes.
// The prefix inst- is removed from the rule.
func findingPaths(kind layout.Kind, b []byte, prefixes ...string) []string {
	var list []string
	for _, f := range validate.Bytes(kind, b, validate.Context{}).Findings {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(f.Rule.Name, p) }) {
			list = append(list, strings.TrimPrefix(f.Rule.Name, "inst-")+" "+f.Path.String())
		}
	}
	return list
}

func withParent(name string, title, position uint32) testInstance {
	in := namedInstance(terminated(text16(name), 0))
	in.parent = [2]uint32{title, position}
	return in
}

func withID(name string, id int32) testInstance {
	in := namedInstance(terminated(text16(name), 0))
	in.id = id
	return in
}

// objectOfTitle returns the header of a valid object with the given title.
func objectOfTitle(title uint32) wire.Object {
	head := object4000
	head.ObjectNameTitleIndex, head.ObjectHelpTitleIndex = title, title+1
	return head
}

// TestParents checks ParentObjectTitleIndex and ParentObjectInstance. The second of two objects
// has an instance with a parent.
func TestParents(t *testing.T) {
	t.Parallel()
	two := appendObject(nil, objectOfTitle(10), oneCounter, []testInstance{withParent("a", 0, 0), withParent("b", 0, 0)})
	one := appendObject(nil, objectOfTitle(10), oneCounter, []testInstance{withParent("a", 0, 0)})
	empty := appendObject(nil, objectOfTitle(10), oneCounter, nil)
	counted := func(n int32) []byte { // an object without instances whose NumInstances is n
		b := slices.Clone(empty)
		binary.LittleEndian.PutUint32(b[40:], uint32(n))
		return b
	}
	children := func(title, position uint32) []byte { // an object whose instance has the given parent
		return appendObject(nil, objectOfTitle(20), oneCounter, []testInstance{withParent("c", title, position)})
	}
	join := func(objects ...[]byte) []byte { return slices.Concat(objects...) }
	const missing, title, position = "parent-missing object[1].instance[0].ParentObjectTitleIndex", "parent-range object[1].instance[0].ParentObjectTitleIndex", "parent-range object[1].instance[0].ParentObjectInstance"
	for _, tt := range []struct {
		reason string
		kind   layout.Kind
		b      []byte
		want   []string
	}{
		{"the parent is the last of two instances", layout.ObjectsKind, join(two, children(10, 1)), nil},
		{"the parent is the third of two instances", layout.ObjectsKind, join(two, children(10, 2)), []string{position}},
		{"the parent is the third of two instances of a data block", layout.DataBlockKind, dataBlockBytes(join(two, children(10, 2)), 2, 0), []string{position}},
		{"the position exceeds int32", layout.ObjectsKind, join(two, children(10, 1<<31)), []string{position}},
		{"the position is the largest uint32", layout.ObjectsKind, join(two, children(10, math.MaxUint32)), []string{position}},
		{"the parent's object has NumInstances 0", layout.ObjectsKind, join(empty, children(10, 0)), []string{title}},
		{"the parent's object has NumInstances -1", layout.ObjectsKind, join(counted(-1), children(10, 0)), []string{title}},
		{"the parent's object has NumInstances -2, PERF_METADATA_MULTIPLE_INSTANCES", layout.ObjectsKind, join(counted(-2), children(10, 0)), []string{title}},
		{"the parent's object has NumInstances -3, PERF_METADATA_NO_INSTANCES", layout.ObjectsKind, join(counted(-3), children(10, 0)), []string{title}},
		{"another rule reports a NumInstances of -4", layout.ObjectsKind, join(counted(-4), children(10, 0)), nil},
		{"two objects have the parent's title, and the first has the instance", layout.ObjectsKind, join(two, children(10, 1), one), nil},
		{"two objects have the parent's title, and only the second has the instance", layout.ObjectsKind, join(one, children(10, 1), two), []string{position}},
		{"the parent's object follows the instance", layout.ObjectsKind, join(one, children(12, 1), appendObject(nil, objectOfTitle(12), oneCounter, []testInstance{withParent("a", 0, 0)})), []string{position}},
		{"the parent is the instance itself", layout.ObjectsKind, join(one, children(20, 0)), nil},
		{"the parent is a missing instance of the same object", layout.ObjectsKind, join(one, children(20, 1)), []string{position}},
		{"no object of the provider has the parent's title, but an object of another provider may have it", layout.ObjectsKind, join(one, children(12, 0)), nil},
		{"no object of a data block has the parent's title", layout.DataBlockKind, dataBlockBytes(join(one, children(12, 0)), 2, 0), []string{missing}},
		{"the parent's object may be in the truncated part of the data block", layout.DataBlockKind, dataBlockBytes(join(one, children(12, 0)), 3, 200), nil},
		{"all objects are in the data block, although TotalByteLength is too large", layout.DataBlockKind, dataBlockBytes(join(one, children(12, 0)), 2, 200), []string{missing}},
		{"NumObjectTypes is too large, and no object has the parent's title", layout.DataBlockKind, dataBlockBytes(join(one, children(12, 0)), 3, 0), []string{missing}},
		{"NumObjectTypes is too small, but the block has the parent's object", layout.DataBlockKind, dataBlockBytes(join(one, children(12, 0), appendObject(nil, objectOfTitle(12), oneCounter, []testInstance{withParent("a", 0, 0)})), 2, 0), nil},
		{"an object cannot be read, and may be the parent's object", layout.DataBlockKind, dataBlockBytes(join(one, children(12, 0), make([]byte, 64)), 3, 0), nil},
		{"an instance without a parent has a position", layout.ObjectsKind, join(one, children(0, 1)), []string{"parent-stray object[1].instance[0].ParentObjectInstance"}},
		{"an instance without a parent has a position, and an object has the title 0", layout.ObjectsKind, join(appendObject(nil, objectOfTitle(0), oneCounter, nil), children(0, 1)), []string{"parent-stray object[1].instance[0].ParentObjectInstance"}},
		{"an instance without a parent has the largest position", layout.ObjectsKind, join(one, children(0, math.MaxUint32)), []string{"parent-stray object[1].instance[0].ParentObjectInstance"}},
		{"an instance may have no parent", layout.DataBlockKind, dataBlockBytes(join(one, children(0, 0)), 2, 0), nil},
	} {
		if diff := cmp.Diff(tt.want, findingPaths(tt.kind, tt.b, "inst-parent")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestUniqueIDs checks duplicate UniqueIDs, and objects in which only some instances have a
// UniqueID.
func TestUniqueIDs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason string
		ids    []int32
		want   []string
	}{
		{"all UniqueIDs are different", []int32{0, 1, -2, math.MaxInt32, math.MinInt32}, nil},
		{"no instance has a UniqueID", []int32{noID, noID, noID}, nil},
		{"each later duplicate is reported", []int32{7, 8, 7, 7}, []string{"unique-id-duplicate object[0].instance[2].UniqueID", "unique-id-duplicate object[0].instance[3].UniqueID"}},
		{"0 is a UniqueID", []int32{0, 0}, []string{"unique-id-duplicate object[0].instance[1].UniqueID"}},
		{"the smallest int32 is a UniqueID", []int32{math.MinInt32, math.MinInt32}, []string{"unique-id-duplicate object[0].instance[1].UniqueID"}},
		{"the first instance has a UniqueID, and two others have none, which is one finding", []int32{7, 8, noID, noID}, []string{"unique-id-mixed object[0].instance[2].UniqueID"}},
		{"the first instance has no UniqueID, and two others have one, which is one finding", []int32{noID, noID, 7, 8}, []string{"unique-id-mixed object[0].instance[2].UniqueID"}},
		{"the first instance has no UniqueID, and two others have the same", []int32{noID, 7, noID, 7}, []string{"unique-id-mixed object[0].instance[1].UniqueID", "unique-id-duplicate object[0].instance[3].UniqueID"}},
	} {
		var list []testInstance
		for i, id := range tt.ids {
			list = append(list, withID(string(rune('a'+i)), id))
		}
		b := appendObject(nil, object4000, oneCounter, list)
		if diff := cmp.Diff(tt.want, findingPaths(layout.ObjectsKind, b, "inst-unique")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
		// A second object with the same instances has the same findings.
		var twice []string
		for _, line := range tt.want {
			twice = append(twice, strings.Replace(line, "object[0]", "object[1]", 1))
		}
		if diff := cmp.Diff(slices.Concat(tt.want, twice), findingPaths(layout.ObjectsKind, appendObject(b, objectOfTitle(10), oneCounter, list), "inst-unique")); diff != "" {
			t.Errorf("%s, twice (-want +got):\n%s", tt.reason, diff)
		}
	}
}

// TestTotalIsLast checks the rule that no instance with the same parent follows an instance named
// _Total.
func TestTotalIsLast(t *testing.T) {
	t.Parallel()
	const first, second = "total-last object[0].instance[0].Name", "total-last object[0].instance[1].Name"
	total := withParent("_Total", 0, 0)
	bare := total
	bare.name = text16("_Total")
	for _, tt := range []struct {
		reason string
		list   []testInstance
		want   []string
	}{
		{"_Total is the only instance", []testInstance{total}, nil},
		{"_Total is the last instance", []testInstance{withParent("a", 0, 0), total}, nil},
		{"_Total is the first of two instances", []testInstance{total, withParent("a", 0, 0)}, []string{first}},
		{"three instances follow _Total, which is one finding", []testInstance{total, withParent("a", 0, 0), withParent("b", 0, 0), withParent("c", 0, 0)}, []string{first}},
		{"two instances have the name _Total, and another instance follows", []testInstance{total, total, withParent("a", 0, 0)}, []string{first, second}},
		{"an unnamed instance follows _Total", []testInstance{total, namedInstance(nil)}, []string{first}},
		{"an instance with a parent follows the _Total without a parent", []testInstance{total, withParent("a", 4000, 0)}, nil},
		{"an instance of another parent follows _Total", []testInstance{withParent("_Total", 4000, 0), withParent("a", 4000, 1)}, nil},
		{"an instance of the same parent follows _Total", []testInstance{withParent("_Total", 4000, 1), withParent("a", 4000, 1)}, []string{first}},
		{"the instances have no parent, so their positions are ignored", []testInstance{withParent("_Total", 0, 1), withParent("a", 0, 2)}, []string{first}},
		{"an instance of another parent precedes the instance that follows _Total", []testInstance{total, withParent("a", 4000, 1), withParent("b", 0, 0)}, []string{first}},
		{"each parent has its own _Total", []testInstance{withParent("a", 4000, 0), withParent("_Total", 4000, 0), withParent("a", 4000, 1), withParent("_Total", 4000, 1)}, nil},
		{"an instance of the second parent follows the second _Total", []testInstance{withParent("_Total", 4000, 0), withParent("_Total", 4000, 1), withParent("a", 4000, 1)}, []string{second}},
		{"the name differs in case", []testInstance{withParent("_total", 0, 0), withParent("a", 0, 0)}, nil},
		{"the name starts with _Total", []testInstance{withParent("_Total2", 0, 0), withParent("a", 0, 0)}, nil},
		{"the name _Total has no terminator, which another rule reports", []testInstance{bare, withParent("a", 0, 0)}, []string{first}},
	} {
		if diff := cmp.Diff(tt.want, findingPaths(layout.ObjectsKind, appendObject(nil, object4000, oneCounter, tt.list), "inst-total")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
	head := object4000
	head.CodePage = 1252
	list := []testInstance{namedInstance([]byte("_Total\x00")), namedInstance([]byte("a\x00"))}
	if got := findingPaths(layout.ObjectsKind, appendObject(nil, head, oneCounter, list), "inst-total"); got != nil {
		t.Errorf("findings in names of a code page, which must not be decoded: %v", got)
	}
	ends := appendObject(nil, object4000, oneCounter, []testInstance{withParent("a", 0, 0), total})
	if got := findingPaths(layout.ObjectsKind, appendObject(ends, objectOfTitle(10), oneCounter, []testInstance{withParent("a", 0, 0)}), "inst-total"); got != nil {
		t.Errorf("findings after a _Total of the previous object: %v", got)
	}
}

// TestPaddingIsZero checks the rule that the bytes before and after the name of an instance are 0.
// The instance has 64 bytes.
func TestPaddingIsZero(t *testing.T) {
	t.Parallel()
	type found struct {
		Path string
		Off  int64 // offset in the instance
		Len  int
		Got  string
	}
	const start = 64 + 40
	for _, tt := range []struct {
		reason    string
		from, n   uint32 // NameOffset and NameLength
		at        []int  // offsets in the instance of the bytes that are 0xAA
		want      []found
		otherRule bool // another rule reports the name
	}{
		{reason: "all bytes of the padding are 0", from: 24, n: 4},
		{reason: "the first byte after the name is not 0", from: 24, n: 4, at: []int{28}, want: []found{{"padding", 28, 1, "the padding has the bytes aa"}}},
		{reason: "the last byte of the instance is not 0", from: 24, n: 4, at: []int{63}, want: []found{{"padding", 63, 1, "the padding has the bytes aa"}}},
		{reason: "the finding covers the bytes from the first to the last that are not 0", from: 24, n: 4, at: []int{30, 32}, want: []found{{"padding", 30, 3, "the padding has the bytes aa 00 aa"}}},
		{reason: "the finding shows eight bytes", from: 24, n: 4, at: []int{30, 37}, want: []found{{"padding", 30, 8, "the padding has the bytes aa 00 00 00 00 00 00 aa"}}},
		{reason: "the finding covers nine bytes and shows eight", from: 24, n: 4, at: []int{30, 38}, want: []found{{"padding", 30, 9, "the padding has the bytes aa 00 00 00 00 00 00 00 and 1 byte more"}}},
		{reason: "the first byte of the gap before the name is not 0", from: 32, n: 4, at: []int{24}, want: []found{{"gap", 24, 1, "the gap before the name has the bytes aa"}}},
		{reason: "the last byte of the gap before the name is not 0", from: 32, n: 4, at: []int{31}, want: []found{{"gap", 31, 1, "the gap before the name has the bytes aa"}}},
		{reason: "both the gap and the padding have bytes that are not 0", from: 32, n: 4, at: []int{25, 36, 63}, want: []found{{"gap", 25, 1, "the gap before the name has the bytes aa"}, {"padding", 36, 28, "the padding has the bytes aa 00 00 00 00 00 00 00 and 20 bytes more"}}},
		{reason: "bytes of the name need not be 0", from: 24, n: 40, at: []int{24, 61}},
		{reason: "all bytes are padding if there is no name", from: 0, n: 0, at: []int{24}, want: []found{{"padding", 24, 1, "the padding has the bytes aa"}}},
		{reason: "all bytes are padding if NameLength is 0, whatever NameOffset is", from: 40, n: 0, at: []int{24}, want: []found{{"padding", 24, 1, "the padding has the bytes aa"}}},
		{reason: "the name ends after the instance", from: 24, n: 42, at: []int{28}, otherRule: true},
		{reason: "the name starts in the structure", from: 8, n: 4, at: []int{28}, otherRule: true},
	} {
		b := appendObject(nil, object4000, oneCounter, []testInstance{namedInstance(make([]byte, 40))})
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
		if tt.otherRule && others == 0 {
			t.Errorf("%s: no other rule reports the name", tt.reason)
		}
	}
}

// TestDuplicateNameText checks how a finding of inst-name-duplicate quotes the name.
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
		b := appendObject(nil, head, oneCounter, []testInstance{in, in})
		at := slices.IndexFunc(validate.Bytes(layout.ObjectsKind, b, validate.Context{}).Findings, func(f validate.Finding) bool {
			return f.Rule.Name == "inst-name-duplicate" && f.Got == tt.want && f.Len == len(in.name)
		})
		if at < 0 {
			t.Errorf("no finding has the text %s", tt.want)
		}
	}
}

// TestBoundsAreAligned checks the bounds in messages, such as 24 and 40 in "must be a multiple of 8 from 24 to 40".
// The bounds must be aligned if the profile requires alignment.
func TestBoundsAreAligned(t *testing.T) {
	t.Parallel()
	const longName = "object[0].instance[1].NameLength: 5000" // with this NameLength, the right ByteLength is not known
	for _, tt := range []struct {
		reason      string
		spec        string
		patches     []string
		strict, nt4 string
	}{
		{"ByteLength of an instance is too large", multiSpec, []string{"object[0].instance[1].ByteLength: 1176", longName},
			"ByteLength is 1176, must be a multiple of 8 from 24 to 40, because the largest ByteLength that leaves 4 bytes for the counter block is 44",
			"ByteLength is 1176, must be 24 to 44, the largest ByteLength that leaves 4 bytes for the counter block"},
		{"ByteLength of the only counter block is 0", singleSpec, []string{"object[0].block.ByteLength: 0"},
			"ByteLength is 0, must be 16, the number of bytes up to TotalByteLength",
			"ByteLength is 0, must be 12 to 16, the number of bytes up to TotalByteLength"},
		{"CounterOffset of a value of 8 bytes is 0", strings.Replace(singleSpec, "RAWCOUNT", "LARGE_RAWCOUNT", 1), []string{"object[0].counter[0].CounterOffset: 0"},
			"CounterOffset is 0, must be at least 8, the first multiple of CounterSize after ByteLength of the counter block",
			"CounterOffset is 0, must be at least 4, the offset after ByteLength of the counter block"},
	} {
		kind, b := specBlock(t, "", []byte(tt.spec+"patches:\n  - "+strings.Join(tt.patches, "\n  - ")+"\n"))
		for profile, want := range map[validate.Profile]string{validate.Strict: tt.strict, validate.NT4: tt.nt4} {
			v, err := validate.New(validate.Options{Profile: profile})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range v.Bytes(kind, b, validate.Context{}).Findings {
				got = append(got, f.Message())
			}
			if !slices.Contains(got, want) {
				t.Errorf("%s, profile %v: %q, want %q", tt.reason, profile, got, want)
			}
		}
	}
}
