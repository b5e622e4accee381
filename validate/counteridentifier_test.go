package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// findingsAt returns the findings of a block, each as rule, path and offset. Rule names are
// without the prefix family. The finding texts are added to w.
func findingsAt(w *transcript, reason string, kind layout.Kind, b []byte, ctx validate.Context, family string) string {
	var list []string
	findings := validate.Bytes(kind, b, ctx).Findings
	w.add(reason, findings)
	for _, f := range findings {
		list = append(list, fmt.Sprintf("%s %v %d+%d", strings.TrimPrefix(f.Rule.Name, family), f.Path, f.Off, f.Len))
	}
	return strings.Join(list, ", ")
}

var gpu = layout.GUID{Data1: 0xB4FC721A, Data2: 1, Data3: 2}

// identifierOfName returns an identifier of all counters, and of any instance with that name.
func identifierOfName(name string) wire.CounterIdentifier {
	return wire.CounterIdentifier{CounterSetGuid: gpu, CounterId: layout.PERF_WILDCARD_COUNTER, InstanceId: 0xFFFFFFFF, Size: uint32(40 + (len(name)+7)&^7)}
}

// appendIdentifier appends an identifier and the bytes of a name with its NUL, padded with zeros
// to a multiple of 8.
func appendIdentifier(b []byte, id wire.CounterIdentifier, name string) []byte {
	b = append(id.Append(b), name...)
	return append(b, make([]byte, -len(name)&7)...)
}

// identifiersOf returns identifiers with those names. Each has a different CounterId.
func identifiersOf(names ...string) (b []byte) {
	for i, name := range names {
		id := identifierOfName(text(name))
		id.CounterId = uint32(i)
		b = appendIdentifier(b, id, text(name))
	}
	return b
}

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	var said transcript
	const star, total, none = "*\x00", "_Total\x00", ""
	for _, test := range []struct {
		reason string
		b      []byte
		want   string
	}{
		{reason: "none", b: nil},
		{reason: "one without a name, one with, one whose name is empty", b: identifiersOf(none, star, "\x00", total)},

		{reason: "less than a structure", b: identifiersOf(none)[:39], want: "bounds identifier[0] 0+39"},
		{reason: "a byte", b: make([]byte, 1), want: "bounds identifier[0] 0+1"},
		{reason: "eight zeros after it, which are not an empty name", b: append(identifiersOf(none), make([]byte, 8)...), want: "bounds identifier[1] 40+8"},
		{reason: "eight bytes after a name", b: append(identifiersOf(star), text("ab**")...), want: "bounds identifier[1] 48+8"},
		{reason: "trailing zeros, as many as an identifier takes", b: append(identifiersOf(star), make([]byte, 40)...), want: "bounds identifier[1].Size 68+4"},
		{reason: "Size is 0 and cannot be inferred", b: poke(identifiersOf(none, none), 20, 0, 60, 0), want: "bounds identifier[0].Size 20+4"},
		{reason: "no Size in the last", b: poke(identifiersOf(star, none), 68, 0), want: "bounds identifier[1].Size 68+4"},
		{reason: "Size of the last leads out, by one step", b: poke(identifiersOf(star, star), 68, 56), want: "bounds identifier[1].Size 68+4"},
		{reason: "Size leads far out", b: poke(identifiersOf(star, star), 20, 0xFFFFFFFF), want: "bounds identifier[0].Size 20+4"},
		{reason: "Size is less than the structure", b: poke(identifiersOf(total, star), 20, 39), want: "bounds identifier[0].Size 20+4"},
		{reason: "Size is 0, and the name is followed by bytes that are not NUL: the next identifier is checked", b: poke(identifiersOf("a\u0100xxxx\x00", star), 20, 0, 56+36, 1), want: "bounds identifier[0].Size 20+4, reserved-zero identifier[1].Reserved 92+4"},
		{reason: "two in a row are wrong, and the names are not enough to tell", b: poke(identifiersOf(total, star, none), 20, 8, 76, 0), want: "bounds identifier[0].Size 20+4"},
		{reason: "two that are not in a row", b: poke(identifiersOf(total, star, none), 20, 8, 124, 0), want: "bounds identifier[0].Size 20+4, bounds identifier[2].Size 124+4"},

		{reason: "Size of the last is odd", b: poke(identifiersOf(star, star), 68, 47), want: "align identifier[1].Size 68+4"},
		{reason: "Size is even", b: poke(identifiersOf(star, star), 20, 46), want: "align identifier[0].Size 20+4"},
		{reason: "Size is one too many", b: poke(identifiersOf(star, star), 20, 49), want: "align identifier[0].Size 20+4"},
		{reason: "Size is one too many, and there is no name", b: poke(identifiersOf(none, star), 20, 41), want: "align identifier[0].Size 20+4"},
		{reason: "Size is even, and has room that the name does not need", b: append(poke(identifiersOf(star), 20, 52), make([]byte, 8)...), want: "align identifier[0].Size 20+4"},
		{reason: "Size has room, is one too few, and another follows", b: slices.Concat(poke(identifiersOf(star), 20, 55), make([]byte, 8), poke(identifiersOf(total), 36, 1)), want: "align identifier[0].Size 20+4, reserved-zero identifier[1].Reserved 92+4"},
		{reason: "Size is one more than the room that there is", b: append(poke(identifiersOf(star), 20, 57), make([]byte, 8)...), want: "bounds identifier[0].Size 20+4"},

		{reason: "Size leaves the name out", b: poke(identifiersOf(star, star), 20, 40), want: "cover identifier[0].Size 20+4"},
		{reason: "Size of the last leaves the name out", b: poke(identifiersOf(star, star), 68, 40), want: "cover identifier[1].Size 68+4"},
		{reason: "Size leaves a part of the name out", b: poke(identifiersOf(total, star), 20, 48), want: "cover identifier[0].Size 20+4"},
		{reason: "Size has a part of the next", b: poke(identifiersOf(star, star), 20, 56), want: "cover identifier[0].Size 20+4"},
		{reason: "Size has all of the next", b: poke(identifiersOf(star, total), 20, 48+56), want: "cover identifier[0].Size 20+4"},
		{reason: "Size has all that follow", b: poke(identifiersOf(star, total, star), 20, 48+56+48), want: "cover identifier[0].Size 20+4"},
		{reason: "Size has all that follow, and there is no name", b: poke(identifiersOf(none, none, none), 20, 120), want: "cover identifier[0].Size 20+4"},
		{reason: "two of three have those that follow", b: poke(identifiersOf(star, star, star), 20, 144, 68, 96), want: "cover identifier[0].Size 20+4, cover identifier[1].Size 68+4"},
		{reason: "Size has all of the next, and room that the name does not need", b: slices.Concat(poke(identifiersOf("ab\x00"), 20, 56+48), make([]byte, 8), identifiersOf(star)), want: "cover identifier[0].Size 20+4"},
		{reason: "more room than for a name", b: slices.Concat(poke(identifiersOf("ab\x00"), 20, 88+48+56), make([]byte, 40), identifiersOf(star, total)), want: "cover identifier[0].Size 20+4"},
		{reason: "extra room, and the next identifier is invalid", b: slices.Concat(poke(identifiersOf("ab\x00"), 20, 56+48), make([]byte, 8), poke(identifiersOf(star), 20, 39)), want: "slack identifier[0].Size 20+4, v2-padding-nonzero identifier[0].padding 56+48"},
		{reason: "the identifier in it is broken: nothing says that it is one", b: poke(identifiersOf(star, star), 20, 96, 68, 39), want: "slack identifier[0].Size 20+4, v2-padding-nonzero identifier[0].padding 48+48"},

		{reason: "a long name, and padding that is not zeros", b: identifiersOf(strings.Repeat("n", 21) + "\x00\u0100\u0100"), want: "v2-padding-nonzero identifier[0].padding 85+3"},
		{reason: "room for more, and zeros there", b: append(poke(identifiersOf(star), 20, 56), make([]byte, 8)...), want: "slack identifier[0].Size 20+4"},
		{reason: "room for another, and zeros there", b: append(poke(identifiersOf(star), 20, 88), make([]byte, 40)...), want: "slack identifier[0].Size 20+4"},
		{reason: "zeros after the last letter that could be read as a Size", b: append(poke(identifiersOf("0123456789x\x00"), 20, 160), make([]byte, 160-64)...), want: "slack identifier[0].Size 20+4"},

		{reason: "no NUL", b: identifiersOf("abcd"), want: "name-unterminated identifier[0].Name 46+2"},
		{reason: "half a NUL", b: identifiersOf("abc\u0100"), want: "name-unterminated identifier[0].Name 46+2"},
		{reason: "no NUL in the first", b: identifiersOf("abcd", star), want: "name-unterminated identifier[0].Name 46+2"},
		{reason: "a name of one byte", b: append(poke(identifiersOf(none), 20, 41), 'a'), want: "align identifier[0].Size 20+4, name-unterminated identifier[0].Name 40+1"},
		{reason: "after the NUL", b: identifiersOf("a\x00b\x00"), want: "v2-padding-nonzero identifier[0].padding 44+4"},

		{reason: "a GUID of zeros", b: poke(identifiersOf(none), 0, 0, 4, 0), want: "guid-zero identifier[0].CounterSetGuid 0+16"},
		{reason: "a GUID of one bit", b: poke(identifiersOf(none), 0, 0, 4, 1<<31)},
		{reason: "Reserved", b: poke(identifiersOf(star, none), 48+36, 1), want: "reserved-zero identifier[1].Reserved 84+4"},
		{reason: "Status and Index, whose use depends on the caller", b: poke(identifiersOf(none), 16, 1, 32, 7)},

		{reason: "1023 characters", b: identifiersOf(strings.Repeat("x", 1023) + "\x00")},
		{reason: "1024 characters", b: identifiersOf(strings.Repeat("x", 1024) + "\x00"), want: "name-too-long identifier[0].Name 2086+2"},
		{reason: "1026 without an end", b: identifiersOf(strings.Repeat("x", 1028)), want: "name-unterminated identifier[0].Name 2094+2"},

		{reason: "the same twice", b: append(identifiersOf(star), identifiersOf(star)...), want: "duplicate identifier[1] 48+48"},
		{reason: "the same three times", b: append(identifiersOf(none), append(identifiersOf(none), identifiersOf(none)...)...), want: "duplicate identifier[1] 40+40, duplicate identifier[2] 80+40"},
		{reason: "another counter", b: identifiersOf(star, star)},
		{reason: "another instance", b: poke(append(identifiersOf(star), identifiersOf(star)...), 28, 7)},
		{reason: "another set", b: poke(append(identifiersOf(star), identifiersOf(star)...), 4, 7)},
		{reason: "another name", b: append(identifiersOf(star), identifiersOf("?\x00")...)},
		{reason: "a name that differs in case, which a provider may distinguish", b: append(identifiersOf("a\x00"), identifiersOf("A\x00")...)},
		{reason: "another Status and Index, which ask for nothing", b: poke(append(identifiersOf(star), identifiersOf(star)...), 16, 7, 32, 7), want: "duplicate identifier[1] 48+48"},
		{reason: "other padding", b: append(identifiersOf("a\x00"), identifiersOf("a\x00b")...), want: "duplicate identifier[1] 48+48, v2-padding-nonzero identifier[1].padding 92+4"},
	} {
		if got := findingsAt(&said, test.reason, layout.IdentifiersKind, test.b, validate.Context{}, "v2-identifier-"); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.reason, got, test.want)
		}
	}
	said.compare(t, "identifiers.txt")
}

// TestIdentifiersByRole checks the rules that depend on the use of the identifiers.
func TestIdentifiersByRole(t *testing.T) {
	t.Parallel()
	var said transcript
	three := func(numbers ...uint32) []byte {
		var b []byte
		for i := range 3 {
			id := identifierOfName("")
			id.Index, id.CounterId = uint32(i), uint32(i)
			b = appendIdentifier(b, id, "")
		}
		return poke(b, numbers...)
	}
	for _, test := range []struct {
		reason       string
		b            []byte
		given, lines string
	}{
		{
			reason: "a role that the caller gives", b: three(),
			given: "add-fields identifier[1].Index 72+4, add-fields identifier[2].Index 112+4",
		},
		{
			reason: "in another order", b: three(32, 2, 112, 0),
			given: "add-fields identifier[0].Index 32+4, add-fields identifier[1].Index 72+4",
		},
		{
			reason: "as it is given", b: three(72, 0, 112, 0),
			lines: "index-set identifier[1].Index 72+4, index-set identifier[2].Index 112+4",
		},
		{
			reason: "one more than the last", b: three(32, 0, 72, 0, 112, 3),
			given: "add-fields identifier[2].Index 112+4",
			lines: "index-set identifier[1].Index 72+4, index-set identifier[2].Index 112+4",
		},
		{
			reason: "a Status", b: three(16, 4200, 72, 0, 112, 0),
			given: "add-fields identifier[0].Status 16+4",
			lines: "status identifier[0].Status 16+4, index-set identifier[1].Index 72+4, index-set identifier[2].Index 112+4",
		},
		{
			reason: "two have one, and it is not the first", b: three(112, 1),
			given: "add-fields identifier[1].Index 72+4, add-fields identifier[2].Index 112+4",
			lines: "index-set identifier[2].Index 112+4",
		},
		{
			reason: "how many there are is not known", b: append(three(32, 4711), 0),
			given: "add-fields identifier[0].Index 32+4, add-fields identifier[1].Index 72+4, add-fields identifier[2].Index 112+4, bounds identifier[3] 120+1",
			lines: "bounds identifier[3] 120+1",
		},
		{
			reason: "it is not known, but that two are the same is", b: append(three(72, 0, 112, 1), 0),
			given: "add-fields identifier[2].Index 112+4, bounds identifier[3] 120+1",
			lines: "index-set identifier[1].Index 72+4, bounds identifier[3] 120+1",
		},
	} {
		given := findingsAt(&said, test.reason+", given", layout.IdentifiersKind, test.b, validate.Context{Role: validate.GivenRole}, "v2-identifier-")
		lines := findingsAt(&said, test.reason+", told", layout.IdentifiersKind, test.b, validate.Context{Role: validate.ToldRole}, "v2-identifier-")
		if diff := cmp.Diff([]string{test.given, test.lines}, []string{given, lines}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
	}
	said.compare(t, "identifiersbyrole.txt")
}

// registeredSet returns the registration of a set with counters of those ids.
func registeredSet(set layout.GUID, instances layout.InstanceType, ids ...uint32) []byte {
	b := wire.CounterSetRegInfo{
		CounterSetGuid: set, DetailLevel: layout.PERF_DETAIL_NOVICE, NumCounters: uint32(len(ids)), InstanceType: instances,
	}.Append(nil)
	for _, id := range ids {
		b = wire.CounterRegInfo{CounterId: id, Type: layout.PERF_COUNTER_COUNTER, DetailLevel: layout.PERF_DETAIL_NOVICE}.Append(b)
	}
	return b
}

// TestIdentifiersOfKnownSets checks names against the registration of their set.
func TestIdentifiersOfKnownSets(t *testing.T) {
	t.Parallel()
	var said transcript
	other := layout.GUID{Data1: 7}
	for _, test := range []struct {
		reason string
		sets   [][]byte
		name   string
		want   string
	}{
		{reason: "nothing is known", name: ""},
		{reason: "another set is known", sets: [][]byte{registeredSet(other, layout.PERF_COUNTERSET_MULTI_INSTANCES)}},
		{reason: "a set with instances", sets: [][]byte{registeredSet(gpu, layout.PERF_COUNTERSET_MULTI_INSTANCES)}, name: text("*\x00")},
		{reason: "a set with instances, no name", sets: [][]byte{registeredSet(gpu, layout.PERF_COUNTERSET_MULTI_INSTANCES)}, want: "name-missing identifier[0].Size 20+4"},
		{reason: "a set with instances, an empty name", sets: [][]byte{registeredSet(gpu, layout.PERF_COUNTERSET_MULTI_INSTANCES)}, name: text("\x00"), want: "name-missing identifier[0].Name 40+2"},
		{reason: "a set with instances and their sum, no name", sets: [][]byte{registeredSet(gpu, layout.PERF_COUNTERSET_MULTI_AGGREGATE)}, want: "name-missing identifier[0].Size 20+4"},
		{reason: "those of one name are one, no name", sets: [][]byte{registeredSet(gpu, layout.PERF_COUNTERSET_INSTANCE_AGGREGATE)}, want: "name-missing identifier[0].Size 20+4"},
		{reason: "no NUL is another matter", sets: [][]byte{registeredSet(gpu, layout.PERF_COUNTERSET_MULTI_INSTANCES)}, name: text("abcd"), want: "name-unterminated identifier[0].Name 46+2"},
		{reason: "a set without", sets: [][]byte{registeredSet(gpu, layout.PERF_COUNTERSET_SINGLE_INSTANCE)}},
		{reason: "a set without, a name", sets: [][]byte{registeredSet(gpu, layout.PERF_COUNTERSET_SINGLE_INSTANCE)}, name: text("*\x00"), want: "name-superfluous identifier[0].Size 20+4"},
		{reason: "a set without, an empty name", sets: [][]byte{registeredSet(gpu, layout.PERF_COUNTERSET_SINGLE_INSTANCE)}, name: text("\x00"), want: "name-superfluous identifier[0].Size 20+4"},
		{reason: "a sum alone, a name", sets: [][]byte{registeredSet(gpu, layout.PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY)}, name: text("*\x00"), want: "name-superfluous identifier[0].Size 20+4"},
		{
			reason: "the second set that is known", name: text("*\x00"), want: "name-superfluous identifier[0].Size 20+4",
			sets: [][]byte{registeredSet(other, layout.PERF_COUNTERSET_MULTI_INSTANCES), registeredSet(gpu, layout.PERF_COUNTERSET_SINGLE_INSTANCE)},
		},
	} {
		b := appendIdentifier(nil, identifierOfName(test.name), test.name)
		if got := findingsAt(&said, test.reason, layout.IdentifiersKind, b, validate.Context{Registrations: test.sets}, "v2-identifier-"); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.reason, got, test.want)
		}
	}
	said.compare(t, "identifiersofsets.txt")
}
