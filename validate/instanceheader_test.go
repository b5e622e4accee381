package validate_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestInstanceLists checks names and their padding in a list of instances. The same rules check
// the instances of a result.
func TestInstanceLists(t *testing.T) {
	t.Parallel()
	list := func(names ...string) (b []byte) { // with the ids 1, 2, 3, …
		for i, name := range names {
			b = append(b, instanceHeader(uint32(i+1), text(name)+"\x00\x00")...)
		}
		return b
	}
	sized := func(size uint32, name string) []byte { return poke(instanceHeader(1, name), 0, size) }
	x := strings.Repeat("x", 1022)
	for _, tt := range []queryTest{
		{"none", nil, nil},
		{"one", list("C:"), nil},
		{"three", list("C:", "Größe", "_Total"), nil},

		{"without a name", list("a", ""), []string{"instance-name-empty instance[1].Name: the name is empty, must be a name before the NUL"}},
		{"several without, which are not duplicates", list("", ""), []string{
			"instance-name-empty instance[0].Name: the name is empty, must be a name before the NUL",
			"instance-name-empty instance[1].Name: the name is empty, must be a name before the NUL"}},
		{"a name as long as can be", list(x + "y"), nil},
		{"a character more", list(x + "yz"), []string{"instance-name-too-long instance[0].Name: the name has 1024 characters, must have at most 1023"}},
		{"another case, of one that is not the first of all", list("a", "web", "Web"), []string{"instance-name-case-duplicate instance[2].Name: the instance at 0x10 has this name in another case, must have a name that differs in more, or not at all"}},
		{"pairs count as two", list(strings.Repeat("𝄞", 512)), []string{"instance-name-too-long instance[0].Name: the name has 1024 characters, must have at most 1023"}},
		{"names that differ only after it are different", list(x+"yz", x+"y"), []string{"instance-name-too-long instance[0].Name: the name has 1024 characters, must have at most 1023"}},
		{"the first half of a pair", instanceHeader(1, wide('a', 0xD834, 'b', 0)), []string{"instance-name-utf16 instance[0].Name: U+D834 is half of a surrogate pair, must be the pair, or neither half"}},
		{"the halves the wrong way round", instanceHeader(1, wide(0xDD1E, 0xD834, 0)), []string{"instance-name-utf16 instance[0].Name: U+DD1E is half of a surrogate pair, must be the pair, or neither half"}},
		{"a pair", instanceHeader(1, wide(0xD834, 0xDD1E, 0)), nil},
		{"half a pair at the end, and the NUL", instanceHeader(1, wide(0xDBFF, 0)), []string{"instance-name-utf16 instance[0].Name: U+DBFF is half of a surrogate pair, must be the pair, or neither half"}},
		{"a star", list("a*"), []string{"instance-name-wildcard instance[0].Name: the name has *, which asks for several, must have neither * nor ?"}},
		{"a question mark first, which is said", list("?*"), []string{"instance-name-wildcard instance[0].Name: the name has ?, which asks for several, must have neither * nor ?"}},
		{"a letter whose low byte is a star", instanceHeader(1, wide(0x012A, 0)), nil},
		{"a byte 0 is no NUL", instanceHeader(1, wide(0x0100, 0x0041, 0)), nil},

		{"no NUL", instanceHeader(1, wide('a', 'b', 'c', 'd')), []string{"instance-name-unterminated instance[0].Name: the 8 bytes of the name have no NUL, must end in a NUL"}},
		{"no NUL, of the first", append(instanceHeader(1, wide('a', 'b', 'c', 'd')), list("x")...), []string{"instance-name-unterminated instance[0].Name: the 8 bytes of the name have no NUL, must end in a NUL"}},
		{"no NUL, and a star, of which nothing is said", instanceHeader(1, wide('*', 'b', 'c', 'd')), []string{"instance-name-unterminated instance[0].Name: the 8 bytes of the name have no NUL, must end in a NUL"}},

		{"more bytes after the NUL", append(instanceHeader(1, text("a\x00")), 0, 0, 0, 0, 0, 0, 0, 0), []string{"instance-header-bounds instance[1].Size: Size is 0, must be at least 16, though 8 bytes are left"}},
		{"counted", sized(24, text("a\x00")+strings.Repeat("\x00", 12)), []string{"instance-header-slack instance[0].Size: Size is 24, must be 16, for the name"}},
		{"more text after it", instanceHeader(1, text("a\x00b")), []string{"padding-nonzero instance[0].padding: padding has the byte 0x62, must be 0"}},

		{"a Size of none", sized(0, text("a\x00")), []string{"instance-header-bounds instance[0].Size: Size is 0, must be 16, for the name"}},
		{"a Size of the name alone", sized(8, text("a\x00")), []string{"instance-header-bounds instance[0].Size: Size is 8, must be 16, for the name"}},
		{"a Size without padding", sized(18, text("abcd\x00")), []string{"instance-header-align instance[0].Size: Size is 18, must be 24, a multiple of 8"}},
		{"one with more room than it needs, cut short", poke(append(instanceHeader(1, text("a\x00")), make([]byte, 8)...), 0, 20), []string{"instance-header-align instance[0].Size: Size is 20, must be 24, a multiple of 8"}},
		{"a Size of four billion", sized(4_000_000_000, text("a\x00")), []string{"instance-header-bounds instance[0].Size: Size is 4000000000, must be 16, for the name"}},
		{"the same and no NUL", sized(4_000_000_000, wide('a', 'b', 'c', 'd')), []string{"instance-list-cover instance[0].Size: Size is 4000000000, must be 16, the bytes left in the list"}},
		{"a Size with the next", poke(list("a", "b", "c"), 16, 32), []string{"instance-list-cover instance[1].Size: Size is 32, must be 16, for the name"}},
		{"a Size with all that follow", poke(list("a", "b", "c"), 0, 48), []string{"instance-list-cover instance[0].Size: Size is 48, must be 16, for the name"}},
		{"two of them", poke(list("a", "b", "c"), 0, 32, 32, 0), []string{
			"instance-list-cover instance[0].Size: Size is 32, must be 16, for the name",
			"instance-header-bounds instance[2].Size: Size is 0, must be 16, for the name"}},
		{"less than a header is left", append(list("a"), 1, 2, 3), []string{"instance-list-cover instance[1]: 3 bytes left in the list, must be none, or an instance"}},
		{"cut off in a name", list("a", "Größe")[:28], []string{"instance-list-cover instance[1].Size: Size is 24, must be at least 16, though 12 bytes are left in the list"}},
		{"the size leaves room for a header only", append(list("a"), 8, 0, 0, 0, 0, 0, 0, 0), []string{"instance-header-bounds instance[1].Size: Size is 8, must be at least 16, though 8 bytes are left"}},
		{"a byte", []byte{16}, []string{"instance-list-cover instance[0]: 1 byte left in the list, must be none, or an instance"}},

		{"an InstanceId that is none", instanceHeader(0xFFFFFFFF, text("a\x00")), []string{"instance-id-wildcard instance[0].InstanceId: InstanceId is 4294967295, must be another id"}},
		{"the one before it", instanceHeader(0xFFFFFFFE, text("a\x00")), nil},
	} {
		tt.run(t, layout.InstancesKind, validate.Context{})
	}
}

// TestDuplicateInstanceHeaders has instances whose names are equal or differ in case, in a list
// and in a result.
func TestDuplicateInstanceHeaders(t *testing.T) {
	t.Parallel()
	type named struct {
		name string
		id   uint32
	}
	const duplicate, other = "instance-duplicate", "instance-name-case-duplicate"
	for _, tt := range []struct {
		reason string
		names  []named
		want   []string
	}{
		{"a name, and another id", []named{{"web", 1}, {"web", 2}}, nil},
		{"and the same", []named{{"web", 1}, {"web", 1}}, []string{"1 " + duplicate}},
		{"another case and the same id", []named{{"web", 1}, {"Web", 1}}, []string{"1 " + duplicate}},
		{"another case and another id", []named{{"web", 1}, {"Web", 2}}, []string{"1 " + other}},
		{"it is compared with the first", []named{{"web", 1}, {"Web", 2}, {"web", 3}, {"wEb", 4}}, []string{"1 " + other, "3 " + other}},
		{"the id of one between", []named{{"web", 1}, {"web", 2}, {"WEB", 2}, {"web", 1}}, []string{"2 " + duplicate, "3 " + duplicate}},
		{"letters that are not of ASCII", []named{{"größe", 1}, {"GRÖßE", 1}, {"яблоко", 1}, {"ЯБЛОКО", 2}}, []string{"1 " + duplicate, "3 " + other}},
		{"a sharp s is no SS", []named{{"straße", 1}, {"STRASSE", 1}}, nil},
		{"a dotless i is no I", []named{{"ı", 1}, {"I", 1}, {"i", 1}}, []string{"2 " + duplicate}},
		{"pairs", []named{{"𐐀", 1}, {"𐐨", 1}}, []string{"1 " + duplicate}},
		{"many ids of one name", []named{{"a", 5}, {"a", 6}, {"a", 7}, {"a", 6}, {"a", 8}, {"a", 7}}, []string{"3 " + duplicate, "5 " + duplicate}},
		{"names without letters", []named{{"0", 1}, {"00", 1}, {"000", 1}}, nil},
	} {
		list, parts := []byte(nil), [][]byte(nil)
		for _, n := range tt.names {
			in := instanceHeader(n.id, text(n.name+"\x00"))
			list = append(list, in...)
			parts = append(parts, in, counterData(8))
		}
		for _, in := range []struct {
			kind   layout.Kind
			b      []byte
			prefix string
		}{
			{layout.InstancesKind, list, ""},
			{layout.QueryDataKind, queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(len(tt.names), parts...))), "result[0]."},
			{layout.QueryDataKind, queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(4), multiInstances(len(tt.names), parts...))), "result[0]."},
		} {
			var got []string
			for _, f := range validate.Bytes(in.kind, in.b, validate.Context{}).Findings {
				index, _ := strings.CutPrefix(f.Path.String(), in.prefix+"instance[")
				index, _ = strings.CutSuffix(index, "].Name")
				got = append(got, index+" "+f.Rule.Name[len("v2-"):])
			}
			if strings.Join(got, ",") != strings.Join(tt.want, ",") {
				t.Errorf("%s, %v: %v, want %v", tt.reason, in.kind, got, tt.want)
			}
		}
	}
}

// TestNamesOfTwoResults checks that names are compared only inside one result.
func TestNamesOfTwoResults(t *testing.T) {
	t.Parallel()
	one := resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(1, instanceHeader(1, text("web\x00")), counterData(8)))
	b := queryBytes(one, bytes.Clone(one))
	if r := validate.Bytes(layout.QueryDataKind, b, validate.Context{}); len(r.Findings) > 0 {
		t.Error(r.Err(validate.Info))
	}
}

// TestPlaceOfTooLongName checks that the finding for a name that is too long marks the extra
// characters.
func TestPlaceOfTooLongName(t *testing.T) {
	t.Parallel()
	for _, more := range []int{1, 2, 300} {
		b := append(instanceHeader(1, text("a\x00")), instanceHeader(2, text(strings.Repeat("x", 1023+more)+"\x00"))...)
		r := validate.Bytes(layout.InstancesKind, b, validate.Context{})
		if len(r.Findings) != 1 || r.Findings[0].Rule.Name != "v2-instance-name-too-long" || r.Findings[0].Off != 16+8+2*1023 || r.Findings[0].Len != 2*more {
			t.Errorf("%d too many: %+v", more, r.Findings)
		}
	}
}

// TestNameSearchIsLimited checks that a search for the end of a name counts toward the limit of
// a pass.
func TestNameSearchIsLimited(t *testing.T) {
	t.Parallel()
	const size = 2 * 1000
	long := instanceHeader(1, text(strings.Repeat("x", size/2)+"\x00"))
	for _, tt := range []struct {
		reason string
		b      []byte
		least  int64
	}{
		{"names that end where their sizes say take nothing", slices.Concat(instanceHeader(1, text("a\x00")), instanceHeader(2, text("b\x00"))), 0},
		{"an instance whose size is out of range is checked", poke(long, 0, 0), size},
		{"each of them", slices.Concat(poke(long, 0, 0), validInstanceHeader(), poke(long, 0, 4_000_000_000)), 2 * size},
		{"one without a NUL", instanceHeader(1, wide('a', 'b', 'c', 'd')), 8},
	} {
		v, err := validate.New(validate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v.Bytes(layout.InstancesKind, tt.b, validate.Context{})
		looked := int64(len(tt.b)) - v.LooksLeft()
		if looked < tt.least || tt.least == 0 && looked != 0 || v.LooksLeft() < 0 {
			t.Errorf("%s: %d of %d bytes, want %d at least", tt.reason, looked, len(tt.b), tt.least)
		}
	}
}

// TestInstanceHeaderNameEnds has names of each length in lists, results and identifiers. Names
// without a NUL are a multiple of 8 bytes long, because padding would end them.
func TestInstanceHeaderNameEnds(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 260; n++ {
		letters := strings.Repeat("x", n)
		for _, name := range []string{letters + "\x00", letters, letters[1:] + "\u0100"} {
			if !strings.HasSuffix(name, "\x00") && n%4 != 0 {
				continue
			}
			in := instanceHeader(1, text(name))
			for _, tt := range []struct {
				kind layout.Kind
				b    []byte
				at   int // where the name is
				rule string
			}{
				{layout.InstancesKind, in, 8, "v2-instance-name-unterminated"},
				{layout.InstancesKind, slices.Concat(validInstanceHeader(), in, instanceHeader(2, text("a\x00"))), 16 + 8, "v2-instance-name-unterminated"},
				{layout.QueryDataKind, queryBytes(resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(1, in, counterData(8)))), 48 + 16 + 8 + 8, "v2-instance-name-unterminated"},
				{layout.QueryDataKind, queryBytes(resultBytes(layout.PERF_COUNTERSET, multiCounters(4), multiInstances(1, in, counterData(8)))), 48 + 16 + 16 + 8 + 8, "v2-instance-name-unterminated"},
				{layout.IdentifiersKind, identifiersOf(name), 40, "v2-identifier-name-unterminated"},
				{layout.IdentifiersKind, identifiersOf(name, "*\x00"), 40, "v2-identifier-name-unterminated"},
			} {
				var got, want []string
				for _, f := range validate.Bytes(tt.kind, tt.b, validate.Context{}).Findings {
					got = append(got, fmt.Sprintf("%s %d+%d", f.Rule.Name, f.Off, f.Len))
				}
				switch {
				case strings.HasSuffix(name, "\x00"):
				case tt.kind == layout.IdentifiersKind:
					want = []string{fmt.Sprintf("%s %d+2", tt.rule, tt.at+2*n-2)}
				default:
					want = []string{fmt.Sprintf("%s %d+%d", tt.rule, tt.at, 2*n)}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%v, %d letters, %q: %q, want %q", tt.kind, n, name[len(name)-1:], got, want)
				}
			}
		}
	}
}
