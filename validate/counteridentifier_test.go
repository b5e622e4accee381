package validate_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// findingsAt validates b and returns the rule, the path, the offset and the length of each finding,
// such as "bounds identifier[3] 120+1". It removes the prefix `family` from the name of the rule,
// and adds the findings to w.
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

// identifierOfName returns an identifier that has the given name and requests all counters.
func identifierOfName(name string) wire.CounterIdentifier {
	return wire.CounterIdentifier{CounterSetGuid: gpu, CounterId: layout.PERF_WILDCARD_COUNTER, InstanceId: 0xFFFFFFFF, Size: uint32(40 + (len(name)+7)&^7)}
}

// appendIdentifier appends an identifier and the bytes of a name, padded with zeros to a multiple of
// 8. If the name should have a NUL, name must include it.
func appendIdentifier(b []byte, id wire.CounterIdentifier, name string) []byte {
	b = append(id.Append(b), name...)
	return append(b, make([]byte, -len(name)&7)...)
}

// identifiersOf returns one identifier for each name. Each identifier has a different CounterId.
func identifiersOf(names ...string) (b []byte) {
	for i, name := range names {
		id := identifierOfName(text(name))
		id.CounterId = uint32(i)
		b = appendIdentifier(b, id, text(name))
	}
	return b
}

// TestIdentifiers checks lists of identifiers: their sizes, names, padding and duplicates.
func TestIdentifiers(t *testing.T) {
	t.Parallel()
	var golden transcript
	const star, total, none = "*\x00", "_Total\x00", ""
	for _, test := range []struct {
		reason string
		b      []byte
		want   string
	}{
		{reason: "the list may be empty", b: nil},
		{reason: "an identifier may have no name, a name or an empty name", b: identifiersOf(none, star, "\x00", total)},

		{reason: "the input is one byte shorter than an identifier", b: identifiersOf(none)[:39], want: "bounds identifier[0] 0+39"},
		{reason: "the input has one byte", b: make([]byte, 1), want: "bounds identifier[0] 0+1"},
		{reason: "eight zero bytes after an identifier are not its name", b: append(identifiersOf(none), make([]byte, 8)...), want: "bounds identifier[1] 40+8"},
		{reason: "eight bytes follow a name", b: append(identifiersOf(star), text("ab**")...), want: "bounds identifier[1] 48+8"},
		{reason: "40 zero bytes follow the last identifier", b: append(identifiersOf(star), make([]byte, 40)...), want: "bounds identifier[1].Size 68+4"},
		{reason: "Size of two identifiers without a name is 0, so the right Size is not known", b: poke(identifiersOf(none, none), 20, 0, 60, 0), want: "bounds identifier[0].Size 20+4"},
		{reason: "Size of the last identifier is 0", b: poke(identifiersOf(star, none), 68, 0), want: "bounds identifier[1].Size 68+4"},
		{reason: "Size of the last identifier is 8 bytes too large", b: poke(identifiersOf(star, star), 68, 56), want: "bounds identifier[1].Size 68+4"},
		{reason: "Size is four billion", b: poke(identifiersOf(star, star), 20, 0xFFFFFFFF), want: "bounds identifier[0].Size 20+4"},
		{reason: "Size is one less than an identifier requires", b: poke(identifiersOf(total, star), 20, 39), want: "bounds identifier[0].Size 20+4"},
		{reason: "Size is 0, and the name is followed by bytes that are not NUL: the next identifier is checked", b: poke(identifiersOf("a\u0100xxxx\x00", star), 20, 0, 56+36, 1), want: "bounds identifier[0].Size 20+4, reserved-zero identifier[1].Reserved 92+4"},
		{reason: "Size of two consecutive identifiers is wrong, so the right Size is not known", b: poke(identifiersOf(total, star, none), 20, 8, 76, 0), want: "bounds identifier[0].Size 20+4"},
		{reason: "Size of the first and of the third identifier is wrong", b: poke(identifiersOf(total, star, none), 20, 8, 124, 0), want: "bounds identifier[0].Size 20+4, bounds identifier[2].Size 124+4"},

		{reason: "Size of the last identifier is odd", b: poke(identifiersOf(star, star), 68, 47), want: "align identifier[1].Size 68+4"},
		{reason: "Size is even but not a multiple of 8", b: poke(identifiersOf(star, star), 20, 46), want: "align identifier[0].Size 20+4"},
		{reason: "Size is one too large", b: poke(identifiersOf(star, star), 20, 49), want: "align identifier[0].Size 20+4"},
		{reason: "Size of an identifier without a name is one too large", b: poke(identifiersOf(none, star), 20, 41), want: "align identifier[0].Size 20+4"},
		{reason: "Size is even and larger than the name requires", b: append(poke(identifiersOf(star), 20, 52), make([]byte, 8)...), want: "align identifier[0].Size 20+4"},
		{reason: "Size is larger than the name requires and one less than a multiple of 8", b: slices.Concat(poke(identifiersOf(star), 20, 55), make([]byte, 8), poke(identifiersOf(total), 36, 1)), want: "align identifier[0].Size 20+4, reserved-zero identifier[1].Reserved 92+4"},
		{reason: "Size is one larger than the input", b: append(poke(identifiersOf(star), 20, 57), make([]byte, 8)...), want: "bounds identifier[0].Size 20+4"},

		{reason: "Size omits the name", b: poke(identifiersOf(star, star), 20, 40), want: "cover identifier[0].Size 20+4"},
		{reason: "Size of the last identifier omits the name", b: poke(identifiersOf(star, star), 68, 40), want: "cover identifier[1].Size 68+4"},
		{reason: "Size omits a part of the name", b: poke(identifiersOf(total, star), 20, 48), want: "cover identifier[0].Size 20+4"},
		{reason: "Size includes a part of the next identifier", b: poke(identifiersOf(star, star), 20, 56), want: "cover identifier[0].Size 20+4"},
		{reason: "Size includes the next identifier", b: poke(identifiersOf(star, total), 20, 48+56), want: "cover identifier[0].Size 20+4"},
		{reason: "Size includes all following identifiers", b: poke(identifiersOf(star, total, star), 20, 48+56+48), want: "cover identifier[0].Size 20+4"},
		{reason: "Size of an identifier without a name includes all following identifiers", b: poke(identifiersOf(none, none, none), 20, 120), want: "cover identifier[0].Size 20+4"},
		{reason: "Size of the first two identifiers includes all following identifiers", b: poke(identifiersOf(star, star, star), 20, 144, 68, 96), want: "cover identifier[0].Size 20+4, cover identifier[1].Size 68+4"},
		{reason: "Size includes extra bytes and the next identifier", b: slices.Concat(poke(identifiersOf("ab\x00"), 20, 56+48), make([]byte, 8), identifiersOf(star)), want: "cover identifier[0].Size 20+4"},
		{reason: "Size ends one byte before the end of the next identifier", b: slices.Concat(poke(identifiersOf("ab\x00"), 20, 56+47), make([]byte, 8), poke(identifiersOf(star), 36, 1)), want: "align identifier[0].Size 20+4, reserved-zero identifier[1].Reserved 92+4"},
		{reason: "Size includes 40 extra bytes and all following identifiers", b: slices.Concat(poke(identifiersOf("ab\x00"), 20, 88+48+56), make([]byte, 40), identifiersOf(star, total)), want: "cover identifier[0].Size 20+4"},
		{reason: "Size includes extra bytes and bytes that are not a valid identifier", b: slices.Concat(poke(identifiersOf("ab\x00"), 20, 56+48), make([]byte, 8), poke(identifiersOf(star), 20, 39)), want: "slack identifier[0].Size 20+4, v2-padding-nonzero identifier[0].padding 56+48"},
		{reason: "Size includes the next identifier, whose own Size is invalid", b: poke(identifiersOf(star, star), 20, 96, 68, 39), want: "slack identifier[0].Size 20+4, v2-padding-nonzero identifier[0].padding 48+48"},

		{reason: "the padding of a long name is not 0", b: identifiersOf(strings.Repeat("n", 21) + "\x00\u0100\u0100"), want: "v2-padding-nonzero identifier[0].padding 85+3"},
		{reason: "Size includes 8 extra zero bytes", b: append(poke(identifiersOf(star), 20, 56), make([]byte, 8)...), want: "slack identifier[0].Size 20+4"},
		{reason: "Size includes 40 extra zero bytes", b: append(poke(identifiersOf(star), 20, 88), make([]byte, 40)...), want: "slack identifier[0].Size 20+4"},
		{reason: "Size includes 96 extra zero bytes, and the last letter could be read as a Size", b: append(poke(identifiersOf("0123456789x\x00"), 20, 160), make([]byte, 160-64)...), want: "slack identifier[0].Size 20+4"},

		{reason: "the name has no NUL", b: identifiersOf("abcd"), want: "name-unterminated identifier[0].Name 46+2"},
		{reason: "the name ends in U+0100, whose low byte is 0", b: identifiersOf("abc\u0100"), want: "name-unterminated identifier[0].Name 46+2"},
		{reason: "the first of two names has no NUL", b: identifiersOf("abcd", star), want: "name-unterminated identifier[0].Name 46+2"},
		{reason: "the name has one byte", b: append(poke(identifiersOf(none), 20, 41), 'a'), want: "align identifier[0].Size 20+4, name-unterminated identifier[0].Name 40+1"},
		{reason: "letters follow the NUL in the padding", b: identifiersOf("a\x00b\x00"), want: "v2-padding-nonzero identifier[0].padding 44+4"},

		{reason: "CounterSetGuid is all zeros", b: poke(identifiersOf(none), 0, 0, 4, 0), want: "guid-zero identifier[0].CounterSetGuid 0+16"},
		{reason: "only the last bit of Data2 is set in CounterSetGuid", b: poke(identifiersOf(none), 0, 0, 4, 1<<31)},
		{reason: "Reserved is 1", b: poke(identifiersOf(star, none), 48+36, 1), want: "reserved-zero identifier[1].Reserved 84+4"},
		{reason: "Status and Index may be any value if the role of the identifiers is not known", b: poke(identifiersOf(none), 16, 1, 32, 7)},

		{reason: "the longest valid name has 1023 characters", b: identifiersOf(strings.Repeat("x", 1023) + "\x00")},
		{reason: "the name has 1024 characters", b: identifiersOf(strings.Repeat("x", 1024) + "\x00"), want: "name-too-long identifier[0].Name 2086+2"},
		{reason: "the name has 1028 characters and no NUL", b: identifiersOf(strings.Repeat("x", 1028)), want: "name-unterminated identifier[0].Name 2094+2"},

		{reason: "the same identifier is there twice", b: append(identifiersOf(star), identifiersOf(star)...), want: "duplicate identifier[1] 48+48"},
		{reason: "the same identifier is there three times", b: append(identifiersOf(none), append(identifiersOf(none), identifiersOf(none)...)...), want: "duplicate identifier[1] 40+40, duplicate identifier[2] 80+40"},
		{reason: "two identifiers differ in CounterId", b: identifiersOf(star, star)},
		{reason: "two identifiers differ in InstanceId", b: poke(append(identifiersOf(star), identifiersOf(star)...), 28, 7)},
		{reason: "two identifiers differ in CounterSetGuid", b: poke(append(identifiersOf(star), identifiersOf(star)...), 4, 7)},
		{reason: "two identifiers differ in their names", b: append(identifiersOf(star), identifiersOf("?\x00")...)},
		{reason: "two names differ only in case, which a provider may distinguish", b: append(identifiersOf("a\x00"), identifiersOf("A\x00")...)},
		{reason: "two identifiers differ only in Status and Index, so they ask for the same counters", b: poke(append(identifiersOf(star), identifiersOf(star)...), 16, 7, 32, 7), want: "duplicate identifier[1] 48+48"},
		{reason: "two identifiers differ only in their padding", b: append(identifiersOf("a\x00"), identifiersOf("a\x00b")...), want: "duplicate identifier[1] 48+48, v2-padding-nonzero identifier[1].padding 92+4"},
	} {
		if got := findingsAt(&golden, test.reason, layout.IdentifiersKind, test.b, validate.Context{}, "v2-identifier-"); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.reason, got, test.want)
		}
	}
	golden.compare(t, "identifiers.txt")
}

// TestIdentifiersByRole checks the rules that depend on the Role of the identifiers.
func TestIdentifiersByRole(t *testing.T) {
	t.Parallel()
	var golden transcript
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
		reason      string
		b           []byte
		given, told string
	}{
		{
			reason: "Index is 0, 1, 2", b: three(),
			given: "add-fields identifier[1].Index 72+4, add-fields identifier[2].Index 112+4",
		},
		{
			reason: "Index is 2, 1, 0", b: three(32, 2, 112, 0),
			given: "add-fields identifier[0].Index 32+4, add-fields identifier[1].Index 72+4",
		},
		{
			reason: "Index is 0 in all identifiers", b: three(72, 0, 112, 0),
			told: "index-set identifier[1].Index 72+4, index-set identifier[2].Index 112+4",
		},
		{
			reason: "Index is 0, 0, 3", b: three(32, 0, 72, 0, 112, 3),
			given: "add-fields identifier[2].Index 112+4",
			told:  "index-set identifier[1].Index 72+4, index-set identifier[2].Index 112+4",
		},
		{
			reason: "Status of the first identifier is 4200, and Index is 0 in all identifiers", b: three(16, 4200, 72, 0, 112, 0),
			given: "add-fields identifier[0].Status 16+4",
			told:  "status identifier[0].Status 16+4, index-set identifier[1].Index 72+4, index-set identifier[2].Index 112+4",
		},
		{
			reason: "Index is 0, 1, 1", b: three(112, 1),
			given: "add-fields identifier[1].Index 72+4, add-fields identifier[2].Index 112+4",
			told:  "index-set identifier[2].Index 112+4",
		},
		{
			reason: "Index is 4711, 1, 2, and the list is followed by one byte", b: append(three(32, 4711), 0),
			given: "add-fields identifier[0].Index 32+4, add-fields identifier[1].Index 72+4, add-fields identifier[2].Index 112+4, bounds identifier[3] 120+1",
			told:  "bounds identifier[3] 120+1",
		},
		{
			reason: "Index is 0, 0, 1, and the list is followed by one byte", b: append(three(72, 0, 112, 1), 0),
			given: "add-fields identifier[2].Index 112+4, bounds identifier[3] 120+1",
			told:  "index-set identifier[1].Index 72+4, bounds identifier[3] 120+1",
		},
	} {
		given := findingsAt(&golden, test.reason+", given", layout.IdentifiersKind, test.b, validate.Context{Role: validate.PassedRole}, "v2-identifier-")
		told := findingsAt(&golden, test.reason+", told", layout.IdentifiersKind, test.b, validate.Context{Role: validate.ReturnedRole}, "v2-identifier-")
		if diff := cmp.Diff([]string{test.given, test.told}, []string{given, told}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.reason, diff)
		}
	}
	golden.compare(t, "identifiersbyrole.txt")
}

// registrationWithIDs returns the registration of a counter set with the given counter ids.
func registrationWithIDs(set layout.GUID, instances layout.InstanceType, ids ...uint32) []byte {
	b := wire.CounterSetRegInfo{
		CounterSetGuid: set, DetailLevel: layout.PERF_DETAIL_NOVICE, NumCounters: uint32(len(ids)), InstanceType: instances,
	}.Append(nil)
	for _, id := range ids {
		b = wire.CounterRegInfo{CounterId: id, Type: layout.PERF_COUNTER_COUNTER, DetailLevel: layout.PERF_DETAIL_NOVICE}.Append(b)
	}
	return b
}

// TestIdentifiersOfKnownSets checks that the instance type of a registered set decides whether
// identifiers have a name.
func TestIdentifiersOfKnownSets(t *testing.T) {
	t.Parallel()
	var golden transcript
	other := layout.GUID{Data1: 7}
	for _, test := range []struct {
		reason string
		sets   [][]byte
		name   string
		size   uint32 // of the identifier; 0 means the right size
		want   string
	}{
		{reason: "there is no registration", name: ""},
		{reason: "there is a registration of another set only", sets: [][]byte{registrationWithIDs(other, layout.PERF_COUNTERSET_MULTI_INSTANCES)}},
		{reason: "a set with instances requires a name", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_MULTI_INSTANCES)}, name: text("*\x00")},
		{reason: "the set has instances, and the identifier has no name", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_MULTI_INSTANCES)}, want: "name-missing identifier[0].Size 20+4"},
		{reason: "the set has instances, and the name is empty", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_MULTI_INSTANCES)}, name: text("\x00"), want: "name-missing identifier[0].Name 40+2"},
		{reason: "the set has instances and an aggregate, and the identifier has no name", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_MULTI_AGGREGATE)}, want: "name-missing identifier[0].Size 20+4"},
		{reason: "the set aggregates instances of the same name, and the identifier has no name", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_INSTANCE_AGGREGATE)}, want: "name-missing identifier[0].Size 20+4"},
		{reason: "the set has instances, and another rule reports that the name has no NUL", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_MULTI_INSTANCES)}, name: text("abcd"), want: "name-unterminated identifier[0].Name 46+2"},
		{reason: "a set without instances requires no name", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_SINGLE_INSTANCE)}},
		{reason: "the set has no instances, and the identifier has a name", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_SINGLE_INSTANCE)}, name: text("*\x00"), want: "name-superfluous identifier[0].Size 20+4"},
		{reason: "the set has no instances, and the name is empty", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_SINGLE_INSTANCE)}, name: text("\x00"), want: "name-superfluous identifier[0].Size 20+4"},
		{reason: "the set has no instances, and Size leaves out the name", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_SINGLE_INSTANCE)}, name: text("abc\x00"), size: 40, want: "cover identifier[0].Size 20+4, name-superfluous identifier[0].Name 40+8"},
		{reason: "the set has no instances, and Size is too large for the name", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_SINGLE_INSTANCE)}, name: text("abc\x00"), size: 56, want: "bounds identifier[0].Size 20+4, name-superfluous identifier[0].Name 40+8"},
		{reason: "the set has instances, and Size is too large for an identifier without a name", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_MULTI_INSTANCES)}, size: 48, want: "bounds identifier[0].Size 20+4, name-missing identifier[0].Size 20+4"},
		{reason: "the set has no instances, and Size is also too large for the empty name", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_SINGLE_INSTANCE)}, name: text("\x00\x00\x00\x00\x00"), want: "name-superfluous identifier[0].Size 20+4"},
		{reason: "the set is one aggregate, and the identifier has a name", sets: [][]byte{registrationWithIDs(gpu, layout.PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY)}, name: text("*\x00"), want: "name-superfluous identifier[0].Size 20+4"},
		{
			reason: "the registration of the set is the second one", name: text("*\x00"), want: "name-superfluous identifier[0].Size 20+4",
			sets: [][]byte{registrationWithIDs(other, layout.PERF_COUNTERSET_MULTI_INSTANCES), registrationWithIDs(gpu, layout.PERF_COUNTERSET_SINGLE_INSTANCE)},
		},
	} {
		b := appendIdentifier(nil, identifierOfName(test.name), test.name)
		if test.size != 0 {
			binary.LittleEndian.PutUint32(b[20:], test.size)
		}
		if got := findingsAt(&golden, test.reason, layout.IdentifiersKind, b, validate.Context{Registrations: test.sets}, "v2-identifier-"); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.reason, got, test.want)
		}
	}
	golden.compare(t, "identifiersofsets.txt")
}
