package spec_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// TestPatchesOfEveryPart checks that a text can patch each part of a block of each kind. Each patch inverts the bytes
// of a part.
func TestPatchesOfEveryPart(t *testing.T) {
	t.Parallel()
	schema := compiled(t)
	parts := map[layout.Kind]int{}
	for seed := range uint64(long.Count(3, 25)) {
		for _, kind := range layout.Kinds() {
			s := &spec.Spec{Model: fuzz.Model(kind, fuzz.Seed(seed), fuzz.Config{MaxInstances: 4})}
			block := build(t, s)
			want := bytes.Clone(block)
			for p := range layout.Walk(kind, block) {
				if p.Len() == 0 || p.Sort == layout.UnreadPart || strings.HasSuffix(p.Path.String(), "hole") || kind.V1() && strings.HasSuffix(p.Path.String(), "gap") {
					continue
				}
				inverted := bytes.Clone(p.Bytes())
				for i := range inverted {
					inverted[i] = ^inverted[i]
				}
				copy(want[p.Off():], inverted)
				s.Patches = append(s.Patches, spec.Patch{Op: spec.WritePart, At: spec.Place{Path: p.Path}, Bytes: inverted})
				parts[kind]++
			}
			text, err := s.AppendYAML(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(instance(t, text)); err != nil {
				t.Fatalf("kind %v, seed %d: %v", kind, seed, err)
			}
			if got := build(t, parse(t, "", text)); !bytes.Equal(got, want) {
				t.Fatalf("kind %v, seed %d:\n got % x\nwant % x\n%s", kind, seed, got, want, text)
			}
		}
	}
	for _, kind := range layout.Kinds() {
		if parts[kind] < long.Count(3, 20) {
			t.Errorf("only %d parts of blocks of kind %v", parts[kind], kind)
		}
	}
}

// template is the text of a template with one counter. The counter starts at offset 40.
const template = `kind: template
CounterSetGuid: "{11111111-2222-3333-4444-555555555555}"
ProviderGuid: "{66666666-7777-8888-9999-aaaaaaaaaaaa}"
counters: [{CounterId: 1, Type: PERF_COUNTER_RAWCOUNT}]
patches:
`

// emptySet is the text of query data. The data has one counter set without instances. The data header ends at
// offset 48, and the result header at offset 64.
const emptySet = "kind: query-data\nresults: [{Type: PERF_COUNTERSET, counters: [1, 2]}]\npatches:\n"

const identifier = "kind: identifiers\nidentifiers: [{CounterSetGuid: 11111111-2222-3333-4444-555555555555}]\npatches:\n"

const regCounter = "kind: reg-counter\nType: PERF_COUNTER_RAWCOUNT\npatches:\n"

// TestPatchesByName checks patches of V2 blocks. The patches write bytes, a GUID, or a number that has a name.
func TestPatchesByName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, text, patch string
		at                  int
		want                []byte
	}{
		{"the type of a result", emptySet, "result[0].dwType: PERF_MULTIPLE_COUNTERS", 52, []byte{2, 0, 0, 0}},
		{"an unknown type", emptySet, "result[0].dwType: 3", 52, []byte{3, 0, 0, 0}},
		{"the status of a result", emptySet, "result[0].dwStatus: ERROR_WMI_INSTANCE_NOT_FOUND", 48, []byte{0x69, 0x10, 0, 0}},
		{"the status of an identifier", identifier, "identifier[0].Status: ERROR_ACCESS_DENIED", 16, []byte{5, 0, 0, 0}},
		{"an id", emptySet, "result[0].ids.id[1]: PERF_WILDCARD_COUNTER", 76, []byte{255, 255, 255, 255}},
		{"an id by its number", emptySet, "result[0].ids.id[1]: 258", 76, []byte{2, 1, 0, 0}},
		{"a signed number for a field of the header", emptySet, "PerfFreq: -1", 24, bytes.Repeat([]byte{255}, 8)},
		{"the instance type", template, "InstanceType: PERF_COUNTERSET_MULTI_AGGREGATE", 36, []byte{6, 0, 0, 0}},
		{"a GUID", template, `ProviderGuid: "{00112233-4455-6677-8899-aabbccddeeff}"`, 16, []byte{0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff}},
		{"a GUID that starts like a number", template, `CounterSetGuid: 00112233-4455-6677-8899-aabbccddeeff`, 0, []byte{0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66}},
		{"bytes of a GUID", template, `CounterSetGuid: {hex: "00 00"}`, 0, []byte{0, 0, 0x11, 0x11}},
		{"a GUID of a list", "kind: reg-guid\nguid: 11111111-2222-3333-4444-555555555555\npatches:\n", "guid[0]: 00000000-0000-0000-0000-0000000000ff", 0, append(make([]byte, 15), 0xff)},
		{"the type of a counter", template, "counter[0].Type: PERF_COUNTER_COUNTER", 44, []byte{0, 4, 0x41, 0x10}},
		{"two flags", template, "counter[0].Attrib: PERF_ATTRIB_DISPLAY_AS_HEX | PERF_ATTRIB_DISPLAY_AS_REAL", 48, []byte{0x18, 0, 0, 0, 0, 0, 0, 0}},
		{"a number for flags", template, "counter[0].Attrib: 0x8000000000000000", 48, []byte{0, 0, 0, 0, 0, 0, 0, 0x80}},
		{"a level that V2 does not have", template, "counter[0].DetailLevel: PERF_DETAIL_WIZARD", 60, []byte{0x90, 1, 0, 0}},
		{"the counter of an identifier", identifier, "identifier[0].CounterId: PERF_WILDCARD_COUNTER", 24, []byte{255, 255, 255, 255}},
		{"the instances of an identifier", identifier, "identifier[0].InstanceId: any", 28, []byte{255, 255, 255, 255}},
		{"none for a reference", regCounter, "counter[0].MultiId: none", 36, []byte{255, 255, 255, 255}},
		{"a number for a reference", regCounter, "counter[0].BaseCounterId: 7", 24, []byte{7, 0, 0, 0}},
		{"an aggregate function", regCounter, "counter[0].AggregateFunc: PERF_AGGREGATE_MAX", 40, []byte{4, 0, 0, 0}},
	} {
		got := build(t, parse(t, "", []byte(tt.text+"- "+tt.patch)))
		if !bytes.Equal(got[tt.at:tt.at+len(tt.want)], tt.want) {
			t.Errorf("%s: % x", tt.reason, got)
		}
	}
	for _, tt := range []errorTest{
		{"an unknown result type", emptySet + "- result[0].dwType: PERF_COUNTERSETS", `4:21: result[0].dwType: "PERF_COUNTERSETS" is not a result type; did you mean PERF_COUNTERSET?`},
		{"an unknown flag", template + "- counter[0].Attrib: PERF_ATTRIB_HEX", `6:22: counter[0].Attrib: "PERF_ATTRIB_HEX" is not one of PERF_ATTRIB_BY_REFERENCE, PERF_ATTRIB_NO_DISPLAYABLE, PERF_ATTRIB_NO_GROUP_SEPARATOR, PERF_ATTRIB_DISPLAY_AS_REAL, PERF_ATTRIB_DISPLAY_AS_HEX`},
		{"not a GUID", template + "- CounterSetGuid: 5", `6:19: CounterSetGuid: "5" is not a GUID such as {b4fc721a-0378-476f-89ba-a5a79f810b36}`},
		{"a GUID in braces without quotes", template + "- CounterSetGuid: {b4fc721a-0378-476f-89ba-a5a79f810b36}", `6:20: the key is "b4fc721a-0378-476f-89ba-a5a79f810b36", must be "hex", as in {hex: "00 ff"}`},
		{"a number over a GUID of a list", "kind: guids\nguids: [11111111-2222-3333-4444-555555555555]\npatches: [{cut: 'guid[1]'}]", "3:17: patch 1: there is no guid[1]: the block has guid[0]"},
		{"a path of V1", emptySet + "- object[0].NumInstances: 1", "4:3: patch 1: there is no object[0].NumInstances: the block has dwTotalSize, dwNumCounters, PerfTimeStamp, PerfTime100NSec, PerfFreq, SystemTime, result[0]"},
		{"a text without hex", "kind: reg-string\ntext: a\npatches:\n- Text: b", `4:9: Text: is the text "b", must be bytes, {hex: "…"}`},
	} {
		tt.run(t, "t.yaml")
	}
}
