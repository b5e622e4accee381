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

// TestInstanceLists checks PERF_INSTANCE_HEADER with its name and padding in a list of
// instances.
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
		{"the list may be empty", nil, nil},
		{"the list may have one instance", list("C:"), nil},
		{"the list may have several instances", list("C:", "Größe", "_Total"), nil},

		{"the second instance has an empty name", list("a", ""), []string{"instance-name-empty instance[1].Name: the name is empty, must have at least one character before the NUL"}},
		{"two instances have an empty name, which are not duplicates", list("", ""), []string{
			"instance-name-empty instance[0].Name: the name is empty, must have at least one character before the NUL",
			"instance-name-empty instance[1].Name: the name is empty, must have at least one character before the NUL"}},
		{"a name may have 1023 characters", list(x + "y"), nil},
		{"a name must not have 1024 characters", list(x + "yz"), []string{"instance-name-too-long instance[0].Name: the name has 1024 characters, must have at most 1023"}},
		{"the name differs from that of the second instance only in case", list("a", "web", "Web"), []string{"instance-name-case-duplicate instance[2].Name: the name differs only in case from the name of the instance at 0x10, must have the same case, or differ in more than case"}},
		{"a surrogate pair counts as two characters", list(strings.Repeat("𝄞", 512)), []string{"instance-name-too-long instance[0].Name: the name has 1024 characters, must have at most 1023"}},
		{"two names differ only after the 1023rd character", list(x+"yz", x+"y"), []string{"instance-name-too-long instance[0].Name: the name has 1024 characters, must have at most 1023"}},
		{"the first half of a surrogate pair is alone", instanceHeader(1, wide('a', 0xD834, 'b', 0)), []string{"instance-name-utf16 instance[0].Name: U+D834 is an unpaired surrogate, must be part of a surrogate pair"}},
		{"the halves of a surrogate pair are in the wrong order", instanceHeader(1, wide(0xDD1E, 0xD834, 0)), []string{"instance-name-utf16 instance[0].Name: U+DD1E is an unpaired surrogate, must be part of a surrogate pair"}},
		{"a surrogate pair is valid", instanceHeader(1, wide(0xD834, 0xDD1E, 0)), nil},
		{"the first half of a surrogate pair is before the NUL", instanceHeader(1, wide(0xDBFF, 0)), []string{"instance-name-utf16 instance[0].Name: U+DBFF is an unpaired surrogate, must be part of a surrogate pair"}},
		{"the name has a star", list("a*"), []string{"instance-name-wildcard instance[0].Name: the name has the wildcard *, must have neither * nor ?"}},
		{"the name has a question mark and a star, and the first is reported", list("?*"), []string{"instance-name-wildcard instance[0].Name: the name has the wildcard ?, must have neither * nor ?"}},
		{"U+012A has the low byte of a star, but is a letter", instanceHeader(1, wide(0x012A, 0)), nil},
		{"U+0100 has a zero byte but is not a NUL", instanceHeader(1, wide(0x0100, 0x0041, 0)), nil},

		{"the name has no NUL", instanceHeader(1, wide('a', 'b', 'c', 'd')), []string{"instance-name-unterminated instance[0].Name: the 8 bytes of the name have no NUL, must end in a NUL"}},
		{"the first of two names has no NUL", append(instanceHeader(1, wide('a', 'b', 'c', 'd')), list("x")...), []string{"instance-name-unterminated instance[0].Name: the 8 bytes of the name have no NUL, must end in a NUL"}},
		{"the name has no NUL and a star, which is not reported", instanceHeader(1, wide('*', 'b', 'c', 'd')), []string{"instance-name-unterminated instance[0].Name: the 8 bytes of the name have no NUL, must end in a NUL"}},

		{"8 zero bytes follow the last instance", append(instanceHeader(1, text("a\x00")), 0, 0, 0, 0, 0, 0, 0, 0), []string{"instance-header-bounds instance[1]: 8 bytes left in the list, must be at least 16, the smallest Size"}},
		{"Size counts 8 extra zero bytes", sized(24, text("a\x00")+strings.Repeat("\x00", 12)), []string{"instance-header-slack instance[0].Size: Size is 24, must be 16, the size that the name requires"}},
		{"a letter follows the NUL in the padding", instanceHeader(1, text("a\x00b")), []string{"padding-nonzero instance[0].padding: padding has the byte 0x62, must be 0"}},

		{"Size is 0", sized(0, text("a\x00")), []string{"instance-header-bounds instance[0].Size: Size is 0, must be 16, the size that the name requires"}},
		{"Size is that of the header", sized(8, text("a\x00")), []string{"instance-header-bounds instance[0].Size: Size is 8, must be 16, the size that the name requires"}},
		{"Size omits the padding", sized(18, text("abcd\x00")), []string{"instance-header-align instance[0].Size: Size is 18, must be 24, a multiple of 8"}},
		{"Size is larger than the name requires and not a multiple of 8", poke(append(instanceHeader(1, text("a\x00")), make([]byte, 8)...), 0, 20), []string{"instance-header-align instance[0].Size: Size is 20, must be 24, a multiple of 8"}},
		{"Size is four billion", sized(4_000_000_000, text("a\x00")), []string{"instance-header-bounds instance[0].Size: Size is 4000000000, must be 16, the size that the name requires"}},
		{"Size is four billion, and the name has no NUL", sized(4_000_000_000, wide('a', 'b', 'c', 'd')), []string{"instance-list-cover instance[0].Size: Size is 4000000000, must be 16, the number of bytes left in the list"}},
		{"Size includes the next instance", poke(list("a", "b", "c"), 16, 32), []string{"instance-list-cover instance[1].Size: Size is 32, must be 16, the size that the name requires"}},
		{"Size includes all following instances", poke(list("a", "b", "c"), 0, 48), []string{"instance-list-cover instance[0].Size: Size is 48, must be 16, the size that the name requires"}},
		{"Size of the first and of the third instance is wrong", poke(list("a", "b", "c"), 0, 32, 32, 0), []string{
			"instance-list-cover instance[0].Size: Size is 32, must be 16, the size that the name requires",
			"instance-header-bounds instance[2].Size: Size is 0, must be 16, the size that the name requires"}},
		{"3 bytes follow the last instance", append(list("a"), 1, 2, 3), []string{"instance-list-cover instance[1]: has 3 bytes before the end of the list, must have at least 8, the size of PERF_INSTANCE_HEADER"}},
		{"the list ends in a name after 20 bytes", list("a", "Größe")[:36], []string{"instance-list-cover instance[1]: has 20 bytes before the end of the list, must have 24, the Size: the list is 4 bytes too short"}},
		{"the list ends in a name", list("a", "Größe")[:28], []string{"instance-list-cover instance[1]: has 12 bytes before the end of the list, must have 24, the Size: the list is 12 bytes too short"}},
		{"the last 4 bytes of the list are missing", list("a", "b")[:28], []string{"instance-list-cover instance[1]: has 12 bytes before the end of the list, must have 16, the Size: the list is 4 bytes too short"}},
		{"the list ends in a name, and Size is four billion", poke(list("a"), 0, 4_000_000_000)[:12], []string{"instance-list-cover instance[0]: 12 bytes left in the list, must be at least 16, the smallest Size"}},
		{"Size of the last instance is that of the header, and the list ends there", append(list("a"), 8, 0, 0, 0, 0, 0, 0, 0), []string{"instance-header-bounds instance[1]: 8 bytes left in the list, must be at least 16, the smallest Size"}},
		{"the list has one byte", []byte{16}, []string{"instance-list-cover instance[0]: has 1 byte before the end of the list, must have at least 8, the size of PERF_INSTANCE_HEADER"}},

		{"InstanceId is 0xffffffff", instanceHeader(0xFFFFFFFF, text("a\x00")), []string{"instance-id-wildcard instance[0].InstanceId: InstanceId is 4294967295, must be another id"}},
		{"InstanceId is 0xfffffffe", instanceHeader(0xFFFFFFFE, text("a\x00")), nil},
	} {
		tt.run(t, layout.InstancesKind, validate.Context{})
	}
}

// TestDuplicateInstanceHeaders checks which instances are duplicates and which names differ only in
// case. It checks lists of instances and instances of results.
func TestDuplicateInstanceHeaders(t *testing.T) {
	t.Parallel()
	type instance struct {
		name string
		id   uint32
	}
	const duplicate, other = "instance-duplicate", "instance-name-case-duplicate"
	for _, tt := range []struct {
		reason string
		names  []instance
		want   []string
	}{
		{"the names are equal, and the ids are not", []instance{{"web", 1}, {"web", 2}}, nil},
		{"the names and the ids are equal", []instance{{"web", 1}, {"web", 1}}, []string{"1 " + duplicate}},
		{"the names differ only in case, and the ids are equal", []instance{{"web", 1}, {"Web", 1}}, []string{"1 " + duplicate}},
		{"the names differ only in case, and the ids differ", []instance{{"web", 1}, {"Web", 2}}, []string{"1 " + other}},
		{"each name is compared with the first of the equal names", []instance{{"web", 1}, {"Web", 2}, {"web", 3}, {"wEb", 4}}, []string{"1 " + other, "3 " + other}},
		{"the id of the third instance is that of the second", []instance{{"web", 1}, {"web", 2}, {"WEB", 2}, {"web", 1}}, []string{"2 " + duplicate, "3 " + duplicate}},
		{"the case of letters outside ASCII is ignored", []instance{{"größe", 1}, {"GRÖßE", 1}, {"яблоко", 1}, {"ЯБЛОКО", 2}}, []string{"1 " + duplicate, "3 " + other}},
		{"ß is not SS", []instance{{"straße", 1}, {"STRASSE", 1}}, nil},
		{"ı is not I", []instance{{"ı", 1}, {"I", 1}, {"i", 1}}, []string{"2 " + duplicate}},
		{"the case of letters that are surrogate pairs is ignored", []instance{{"𐐀", 1}, {"𐐨", 1}}, []string{"1 " + duplicate}},
		{"each id is compared with all ids of the same name", []instance{{"a", 5}, {"a", 6}, {"a", 7}, {"a", 6}, {"a", 8}, {"a", 7}}, []string{"3 " + duplicate, "5 " + duplicate}},
		{"names without letters are different", []instance{{"0", 1}, {"00", 1}, {"000", 1}}, nil},
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

// TestNamesOfTwoResults checks that equal instances of different results are not duplicates.
func TestNamesOfTwoResults(t *testing.T) {
	t.Parallel()
	one := resultBytes(layout.PERF_MULTIPLE_INSTANCES, multiInstances(1, instanceHeader(1, text("web\x00")), counterData(8)))
	b := queryBytes(one, bytes.Clone(one))
	if r := validate.Bytes(layout.QueryDataKind, b, validate.Context{}); len(r.Findings) > 0 {
		t.Error(r.Err(validate.Info))
	}
}

// TestPlaceOfTooLongName checks that the finding for a name that is too long has the offset and
// the length of the extra characters.
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

// TestNameSearchIsLimited checks that searches for the end of a name count toward the number of
// bytes that a pass may search.
func TestNameSearchIsLimited(t *testing.T) {
	t.Parallel()
	const size = 2 * 1000
	long := instanceHeader(1, text(strings.Repeat("x", size/2)+"\x00"))
	for _, tt := range []struct {
		reason string
		b      []byte
		least  int64
	}{
		{"names that end inside their Size require no search", slices.Concat(instanceHeader(1, text("a\x00")), instanceHeader(2, text("b\x00"))), 0},
		{"Size is 0, so the validator searches for the end of the name", poke(long, 0, 0), size},
		{"the validator searches for the end of two names", slices.Concat(poke(long, 0, 0), validInstanceHeader(), poke(long, 0, 4_000_000_000)), 2 * size},
		{"the search counts even if it finds no NUL", instanceHeader(1, wide('a', 'b', 'c', 'd')), 8},
	} {
		v, err := validate.New(validate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v.Bytes(layout.InstancesKind, tt.b, validate.Context{})
		looked := validate.Searches*int64(len(tt.b)) - v.Searchable()
		if looked < tt.least || tt.least == 0 && looked != 0 || v.Searchable() < 0 {
			t.Errorf("%s: %d of %d bytes, want %d at least", tt.reason, looked, len(tt.b), tt.least)
		}
	}
}

// TestInstanceHeaderNameEnds checks names of 1 to 260 letters. The validator must find the NUL of a
// name, and report a missing NUL.
func TestInstanceHeaderNameEnds(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 260; n++ {
		letters := strings.Repeat("x", n)
		for _, name := range []string{letters + "\x00", letters, letters[1:] + "\u0100"} {
			if !strings.HasSuffix(name, "\x00") && n%4 != 0 {
				continue // the zeros of the padding would be a NUL
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
