package spec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// aResult returns the text of query data with one result that has the given keys.
func aResult(keys string) string { return "kind: query-data\nresults:\n- {" + keys + "}" }

// These constants are the first lines of texts of V2 blocks.
const (
	aGUID   = "CounterSetGuid: 11111111-2222-3333-4444-555555555555\n"
	regSet  = "kind: reg-set\n" + aGUID
	oneSet  = "kind: template\n" + aGUID + "ProviderGuid: 11111111-2222-3333-4444-555555555555\n"
	oneName = "kind: strings\nstrings:\n- CounterId: 1\n"
)

// TestPerflibErrors checks the errors for faulty texts of V2 blocks, with line and column.
func TestPerflibErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []errorTest{
		{"no results", "kind: query-data", "1:1: query data requires the key results"},
		{"a result without a type", aResult("Status: 5"), "3:3: a result requires the key Type"},
		{"an unknown type", aResult("Type: PERF_COUNTER_SET"), `3:10: Type: "PERF_COUNTER_SET" is not a result type; did you mean PERF_COUNTERSET?`},
		{"a part of a type's name", aResult("Type: COUNTERSET"), `3:10: Type: "COUNTERSET" is not a result type; did you mean PERF_COUNTERSET?`},
		{"a name without a suggestion", aResult("Type: all"), `3:10: Type: "all" is not a result type: it must be one of PERF_ERROR_RETURN, PERF_SINGLE_COUNTER, PERF_MULTIPLE_COUNTERS, PERF_MULTIPLE_INSTANCES, PERF_COUNTERSET, or a number`},
		{"a misspelled name of a status", aResult("Type: 0, Status: ERROR_WMI_INSTANCE_NOTFOUND"), `3:21: Status: "ERROR_WMI_INSTANCE_NOTFOUND" is not the name of a known status; did you mean ERROR_WMI_INSTANCE_NOT_FOUND?`},
		{"a status of 33 bits", aResult("Type: 0, Status: 4294967296"), "3:21: Status: 4294967296 is out of range, must be 0 to 4294967295"},
		{"a type that the builder refuses", aResult("Type: 3"), "3:10: result[0].Type: is 3, must be PERF_ERROR_RETURN (0), PERF_SINGLE_COUNTER (1), PERF_MULTIPLE_COUNTERS (2), PERF_MULTIPLE_INSTANCES (4) or PERF_COUNTERSET (6)"},
		{"the field name dwType instead of the key Type", aResult("dwType: 1"), "3:4: a result has no key dwType; use Type"},
		{"the field name dwStatus instead of the key Status", aResult("Type: 0, dwStatus: 1"), "3:13: a result has no key dwStatus; use Status"},
		{"a computed field", aResult("Type: 0, dwSize: 1"), "3:13: dwSize is computed; use a patch to write another value"},
		{"a computed field of the header", "kind: query-data\ndwTotalSize: 1\nresults: []", "2:1: dwTotalSize is computed; use a patch to write another value"},
		{"a clock of V1", "kind: query-data\nPerfTime: 1\nresults: []", `2:1: query data has no key "PerfTime"; did you mean PerfTimeStamp?`},
		{"another clock of V1", "kind: query-data\nPerfTime100nSec: 5\nresults: []", `2:1: query data has no key "PerfTime100nSec"; did you mean PerfTime100NSec?`},
		{"a clock of V2", "PerfTimeStamp: 1\nobjects: []", `1:1: a data block has no key "PerfTimeStamp"; did you mean PerfTime?`},
		{"a key without a suggestion", "kind: query-data\nDefaultObject: 5\nresults: []", `2:1: query data has no key "DefaultObject"; a block of kind data-block has this key`},
		{"a clock below 0", "kind: query-data\nPerfTimeStamp: -1\nresults: []", "2:16: PerfTimeStamp: -1 is out of range, must be 0 to 9223372036854775807"},
		{"a time out of range", "kind: query-data\nPerfTime100NSec: 9223372036854775807\nresults: []", "2:18: PerfTime100NSec: year 30828 is out of range, must be 1601 to 30827"},
		{"an id of 33 bits", aResult("Type: PERF_COUNTERSET, counters: [1, 4294967296]"), "3:41: counters: 4294967296 is out of range, must be 0 to 4294967295"},
		{"the wildcard id", aResult("Type: PERF_COUNTERSET, counters: [1, 4294967295]"), "3:41: result[0].counter[1].CounterId: is 4294967295, must be the id of one counter: this value selects all counters"},
		{"a counter that is a text", aResult("Type: PERF_COUNTERSET, counters: [x]"), `3:38: a counter must be a mapping, is the text "x"`},
		{"counters are a list", aResult("Type: PERF_COUNTERSET, counters: 1"), "3:37: counters: is 1, must be a list"},
		{"a type in lower case", aResult("type: PERF_COUNTERSET"), `3:4: a result has no key "type"; did you mean Type?`},
		{"an id of a counter", aResult("Type: PERF_COUNTERSET, counters: [{id: 1}]"), `3:39: a counter has no key "id"; did you mean CounterId?`},
		{"an id of a counter in capitals", aResult("Type: PERF_COUNTERSET, counters: [{ID: 1}]"), `3:39: a counter has no key "ID"; did you mean CounterId?`},
		{"an id of an instance", aResult("Type: PERF_COUNTERSET, counters: [], instances: [{id: 5}]"), `3:54: an instance has no key "id"; did you mean InstanceId?`},
		{"a key id of a registered counter, which has many keys that end in Id", regSet + "counters: [{Type: 0, id: 1}]", `3:22: a counter has no key "id"; did you mean CounterId?`},
		{"the GUID of an identifier", "kind: identifiers\nidentifiers: [{guid: x}]", `2:16: an identifier has no key "guid"; did you mean CounterSetGuid?`},
		{"an unknown key that is only the last letters of a known key", "kind: identifiers\nidentifiers: [{us: x}]", `2:16: an identifier has no key "us"; it has the keys CounterSetGuid, Status, Size, CounterId, InstanceId, Index, name`},
		{"a size of 2 bytes", aResult("Type: PERF_COUNTERSET, counters: [{CounterId: 1, Size: 2}]"), "3:59: result[0].counter[0].Size: is 2, must be 0, 4 or 8"},
		{"a size in addition to bytes", aResult("Type: PERF_COUNTERSET, counters: [{CounterId: 1, Size: 4, bytes: true}]"), "3:59: result[0].counter[0].Size: is 4, must be 0: if bytes is true, each value has its own size"},
		{"an id in a result whose counter has no id", aResult("Type: PERF_SINGLE_COUNTER, counters: [3], values: [1]"), "3:42: result[0].counter[0].CounterId: is 3, must be 0: PERF_SINGLE_COUNTER has no ids"},
		{"two counters in a result that has one", aResult("Type: PERF_SINGLE_COUNTER, counters: [0, 0]"), "3:41: result[0].counters: has 2 counters, must have exactly one counter for the type PERF_SINGLE_COUNTER"},
		{"an empty list of counters", aResult("Type: PERF_SINGLE_COUNTER, counters: []"), "3:41: result[0].counters: has 0 counters, must have exactly one counter for the type PERF_SINGLE_COUNTER"},
		{"a counter in a result that is an error", aResult("Type: PERF_ERROR_RETURN, counters: [1]"), "3:39: result[0].counters: has 1 counter, must have none for PERF_ERROR_RETURN"},
		{"instances in a result that has none", aResult("Type: PERF_MULTIPLE_COUNTERS, counters: [1], instances: [{}]"), "3:60: result[0].instances: has 1 instance, must have none for PERF_MULTIPLE_COUNTERS"},
		{"values in addition to instances", aResult("Type: PERF_COUNTERSET, counters: [1], values: [1]"), "3:50: result[0].values: has 1 number and 0 texts, must have none: the values of a PERF_COUNTERSET are in its instances"},
		{"too few values", aResult("Type: PERF_MULTIPLE_COUNTERS, counters: [1, 2], values: [1]"), "3:60: result[0].values: has 1 value for 2 counters, must have one for each counter"},
		{"no values", aResult("Type: PERF_MULTIPLE_COUNTERS, counters: [1, 2]"), "3:3: result[0].values: has 0 values for 2 counters, must have one for each counter"},
		{"too many values of an instance", aResult("Type: PERF_MULTIPLE_INSTANCES, instances: [{values: [1]}, {values: [1, 2]}]"), "3:71: result[0].instance[1].values: has 2 values for 1 counter, must have one for each counter"},
		{"a value of 33 bits in 4 bytes", aResult("Type: PERF_COUNTERSET, counters: [1, {CounterId: 2, Size: 4}], instances: [{values: [1, 4294967296]}]"), "3:92: result[0].instance[0].data[1]: is 4294967296, must fit the counter's 4 bytes"},
		{"a number for bytes", aResult("Type: PERF_SINGLE_COUNTER, counters: [{bytes: true}], values: [1]"), `3:67: values: the value of counter 0 is 1, must be bytes, {hex: "…"}`},
		{"bytes for a number", aResult(`Type: PERF_SINGLE_COUNTER, values: [{hex: "00"}]`), "3:40: values: the value of counter 0 is a mapping, must be a whole number"},
		{"shortIDs although the list of ids has no padding", aResult("Type: PERF_COUNTERSET, counters: [1, 2], shortIDs: true"), "3:55: result[0].shortIDs: is true, must be false: only an odd number of ids has padding after it"},
		{"a NUL in a name", aResult(`Type: PERF_MULTIPLE_INSTANCES, instances: [{name: "a\0", values: [1]}]`), `3:54: result[0].instance[0].Name: NUL at byte 1 of "a\x00"`},
		{"a size that has no room for the name", aResult("Type: PERF_MULTIPLE_INSTANCES, instances: [{name: abcd, Size: 16, values: [1]}]"), "3:66: result[0].instance[0].Size: is 16, must be 0 or a multiple of 8 that is at least 24"},
		{"a long instance", aResult("Type: PERF_MULTIPLE_INSTANCES, instances: [{values: [1]}, {Size: 0xFFFFFFF8, values: [1]}]"), "3:69: result[0].instance[1]: makes the total length of the instances 4294967344 bytes, must be at most 4294967295"},

		{"an instance of a list", "kind: instances\ninstances: [{name: a}, {name: b, values: [1]}]", `2:34: an instance has no key "values"; it has the keys name, InstanceId, Size`},
		{"a wrong size of an instance of a list", "kind: instances\ninstances: [{name: a}, {name: b, Size: 12}]", "2:40: instance[1].Size: is 12, must be 0 or a multiple of 8 that is at least 16"},

		{"an identifier without a set", "kind: identifiers\nidentifiers: [{CounterId: 1}]", "2:15: an identifier requires the key CounterSetGuid"},
		{"no GUID", "kind: identifiers\nidentifiers: [{CounterSetGuid: b4fc721a}]", `2:32: CounterSetGuid: "b4fc721a" is not a GUID such as {b4fc721a-0378-476f-89ba-a5a79f810b36}`},
		{"a GUID without quotes", "kind: identifiers\nidentifiers: [{CounterSetGuid: {b4fc721a-0378-476f-89ba-a5a79f810b36}}]", "2:32: CounterSetGuid: is a mapping, must be a GUID; a GUID in braces requires quotes"},
		{"no counter", "kind: identifiers\nidentifiers: [{" + aGUID[:52] + ", CounterId: all}]", `2:81: CounterId: "all" is not a number or PERF_WILDCARD_COUNTER`},
		{"the size of an identifier", "kind: identifiers\nidentifiers:\n- " + aGUID + "  Size: 41", "4:9: identifier[0].Size: is 41, must be 0 or a multiple of 8 that is at least 40"},

		{"an instance type", regSet + "InstanceType: PERF_COUNTERSET_FLAG_HISTORY", `3:15: InstanceType: "PERF_COUNTERSET_FLAG_HISTORY" is not an instance type: it must be one of PERF_COUNTERSET_SINGLE_INSTANCE, PERF_COUNTERSET_MULTI_INSTANCES, PERF_COUNTERSET_SINGLE_AGGREGATE, PERF_COUNTERSET_MULTI_AGGREGATE, PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY, PERF_COUNTERSET_INSTANCE_AGGREGATE, or a number`},
		{"an undefined instance type", regSet + "InstanceType: 8", "3:15: InstanceType: is 8, must be PERF_COUNTERSET_SINGLE_INSTANCE (0), _MULTI_INSTANCES (2), _SINGLE_AGGREGATE (4), _MULTI_AGGREGATE (6), _SINGLE_AGGREGATE_HISTORY (12) or _INSTANCE_AGGREGATE (22)"},
		{"a registered counter without a type", regSet + "counters: [{CounterId: 1}]", "3:12: a counter requires the key Type"},
		{"a flag", regSet + "counters: [{Type: 0, Attrib: PERF_ATTRIB_DISPLAY_AS_REEL}]", `3:30: Attrib: "PERF_ATTRIB_DISPLAY_AS_REEL" is not one of PERF_ATTRIB_BY_REFERENCE, PERF_ATTRIB_NO_DISPLAYABLE, PERF_ATTRIB_NO_GROUP_SEPARATOR, PERF_ATTRIB_DISPLAY_AS_REAL, PERF_ATTRIB_DISPLAY_AS_HEX; did you mean PERF_ATTRIB_DISPLAY_AS_REAL?`},
		{"empty flags", regSet + "counters: [{Type: 0, Attrib: }]", "3:30: Attrib: is empty, must be flags"},
		{"a bit that is not a flag", regSet + "counters: [{Type: 0, Attrib: 0x20}]", "3:30: counter[0].Attrib: is 0x20, may have only the flags PERF_ATTRIB_BY_REFERENCE|PERF_ATTRIB_NO_DISPLAYABLE|PERF_ATTRIB_NO_GROUP_SEPARATOR|PERF_ATTRIB_DISPLAY_AS_REAL|PERF_ATTRIB_DISPLAY_AS_HEX"},
		{"a scale", regSet + "counters: [{Type: 0, DefaultScale: 11}]", "3:36: counter[0].DefaultScale: is 11, must be -10 to 10"},
		{"an aggregate function", regSet + "counters: [{Type: 0, AggregateFunc: PERF_AGGREGATE_SUM}]", `3:37: AggregateFunc: "PERF_AGGREGATE_SUM" is not an aggregate function: it must be one of PERF_AGGREGATE_UNDEFINED, PERF_AGGREGATE_TOTAL, PERF_AGGREGATE_AVG, PERF_AGGREGATE_MIN, PERF_AGGREGATE_MAX, or a number`},
		{"two counters with the same id", regSet + "counters:\n- {CounterId: 1, Type: 0}\n- {Type: 0, CounterId: 1}", "5:24: counter[1].CounterId: is 1, must differ from the CounterId of counter[0]"},
		{"a base that does not exist", regSet + "counters:\n- {CounterId: 1, Type: PERF_RAW_FRACTION, BaseCounterId: 7}", "4:58: counter[0].BaseCounterId: is 7, must be the id of a counter of the set"},
		{"0xFFFFFFFF instead of none for a reference", regSet + "counters:\n- {CounterId: 1, Type: PERF_RAW_FRACTION, BaseCounterId: 0xFFFFFFFF}", "4:58: counter[0].BaseCounterId: is 4294967295, must be the id of a counter, or none for no reference"},
		{"no reference where the type requires a base", regSet + "counters:\n- {CounterId: 1, Type: PERF_RAW_FRACTION, BaseCounterId: none}", "4:58: counter[0].BaseCounterId: is none, must be the id of a PERF_RAW_BASE: PERF_RAW_FRACTION cannot be computed without it"},
		{"an unknown word for a reference", regSet + "counters:\n- {CounterId: 1, Type: 0, BaseCounterId: any}", `4:42: BaseCounterId: "any" is not a number or none`},
		{"a missing key where the type requires a base", regSet + "counters:\n- {CounterId: 1, Type: PERF_RAW_FRACTION}", "4:3: counter[0].BaseCounterId: is none, must be the id of a PERF_RAW_BASE: PERF_RAW_FRACTION cannot be computed without it"},
		{"a single counter", "kind: reg-counter\nType: 0\nDefaultScale: -11", "3:15: counter[0].DefaultScale: is -11, must be -10 to 10"},
		{"a single counter without a type", "kind: reg-counter\nType: PERF_RAW_FRACTION", "1:1: counter[0].BaseCounterId: is none, must be the id of a PERF_RAW_BASE: PERF_RAW_FRACTION cannot be computed without it"},
		{"a counter of V1", regSet + "counters: [{CounterType: 0}]", `3:13: a counter has no key "CounterType"; did you mean Type?`},

		{"a template without counters", oneSet + "counters: []", "4:11: counters: is empty, must have at least one counter"},
		{"a template without the key", oneSet, "1:1: a template requires the key counters"},
		{"a scale of a template's counter", oneSet + "counters: [{Type: 0, Scale: 11}]", "4:29: counter[0].Scale: is 11, must be -10 to 10"},
		{"a reference in a template", oneSet + "counters: [{Type: 0, MultiId: 1}]", `4:22: a counter has no key "MultiId"; it has the keys CounterId, Type, Attrib, Size, DetailLevel, Scale, Offset`},

		{"a text although none is true", oneName + "  text: a\n  none: true", `4:9: entry[0].Text: is "a", must be empty, because none is true`},
		{"a NUL in a text", oneName + `  text: "a\0"`, `4:9: entry[0].Text: NUL at byte 1 of "a\x00"`},
		{"an empty text value", oneName + "  text:", `4:8: text: is empty, must be a text; write "" with the quotes`},
		{"offsets without a text", "kind: strings\nfromEntries: true\nstrings: []", "2:14: fromEntries: is true, must be false, because no entry has a text"},
		{"a NUL in a name of a set", "kind: reg-string\ntext: \"a\\0\"", `2:7: Text: NUL at byte 1 of "a\x00"`},
		{"no text", "kind: reg-string", "1:1: a block of kind reg-string requires the key text"},
		{"a GUID of a list", "kind: guids\nguids: [x]", `2:9: guids: "x" is not a GUID such as {b4fc721a-0378-476f-89ba-a5a79f810b36}`},
		{"a number for a GUID", "kind: guids\nguids: [1, 2]", "2:9: guids: \"1\" is not a GUID such as {b4fc721a-0378-476f-89ba-a5a79f810b36}\n2:12: guids: \"2\" is not a GUID such as {b4fc721a-0378-476f-89ba-a5a79f810b36}"},
		{"a NUL in the name of an instance", "kind: instance-block\n" + aGUID + "name: \"a\\0\"", `3:7: Name: NUL at byte 1 of "a\x00"`},
		{"a value of an instance", "kind: instance-block\n" + aGUID + "values: [1, -1]", "3:13: values: -1 is out of range, must be 0 to 18446744073709551615; values are unsigned, write -1 as 0xffffffffffffffff or 18446744073709551615"},
	} {
		tt.run(t, "t.yaml")
	}
}

// TestErrorsAreShort checks that a message shows only the beginning of a long value.
func TestErrorsAreShort(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 100_000)
	for _, tt := range []struct{ reason, text string }{
		{"a kind", "kind: " + long},
		{"a key", long + ": 1"},
		{"a GUID", "kind: reg-guid\nguid: " + long},
		{"a GUID of a list", "kind: guids\nguids: [" + long + "]"},
		{"a type of a result", aResult("Type: " + long)},
		{"a status", aResult("Type: 0, Status: " + long)},
		{"flags", "kind: reg-counter\nType: 0\nAttrib: " + long},
		{"a counter type", "kind: reg-counter\nType: " + long},
		{"a text although none is true", oneName + "  none: true\n  text: " + long},
		{"a NUL in a text", oneName + "  text: \"" + long + "\\0\""},
		{"two instances of one name", one + "  instances: [{name: " + long + "}, {name: " + long + "}]"},
		{"a path", "objects: []\npatches: [{" + long + ": 1}]"},
	} {
		s, err := spec.Parse("", []byte(tt.text))
		if err == nil {
			_, err = s.Build()
		}
		if err == nil {
			t.Errorf("%s: no error", tt.reason)
		} else if n := len(err.Error()); n > 500 {
			t.Errorf("%s: the message has %d bytes", tt.reason, n)
		}
	}
}

// TestCanonicalPerflib checks that AppendYAML writes identical YAML for V2 texts that are written
// differently but mean the same.
func TestCanonicalPerflib(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, text, want string }{
		{"no results", "kind: query-data\nPerfFreq: 0\nresults: []", "kind: query-data\nresults: []\n"},
		{"the one counter", aResult("Type: PERF_SINGLE_COUNTER, counters: [{Size: 0}], values: [1]"), "kind: query-data\nresults:\n  - Type: PERF_SINGLE_COUNTER\n    values: [1]\n"},
		{"an empty list of counters", aResult("Type: PERF_SINGLE_COUNTER, counters: []"), "kind: query-data\nresults:\n  - Type: PERF_SINGLE_COUNTER\n    counters: []\n"},
		{"a type by its number", aResult("Type: 6, counters: []"), "kind: query-data\nresults:\n  - Type: PERF_COUNTERSET\n"},
		{"an unknown type", aResult("Type: 0x100"), "kind: query-data\nresults:\n  - Type: 256\n"},
		{"a status by its number", aResult("Type: 0, Status: 4201"), "kind: query-data\nresults:\n  - Type: PERF_ERROR_RETURN\n    Status: ERROR_WMI_INSTANCE_NOT_FOUND\n"},
		{"a status without a name", aResult("Type: 0, Status: 1"), "kind: query-data\nresults:\n  - Type: PERF_ERROR_RETURN\n    Status: 1\n"},
		{"a status of an identifier", "kind: identifiers\nidentifiers: [{" + aGUID[:52] + ", Status: ERROR_WMI_ITEMID_NOT_FOUND}]", "kind: identifiers\nidentifiers:\n  - {CounterSetGuid: \"{11111111-2222-3333-4444-555555555555}\", Status: ERROR_WMI_ITEMID_NOT_FOUND}\n"},
		{"counters by their ids", aResult("Type: 6, counters: [{CounterId: 1}, {CounterId: 2, bytes: false}, 0x3]"), "kind: query-data\nresults:\n  - Type: PERF_COUNTERSET\n    counters: [1, 2, 3]\n"},
		{"counters, one with more fields", aResult("Type: 6, counters: [1, {CounterId: 2, Size: 4}, {CounterId: 3, bytes: true}]"), "kind: query-data\nresults:\n  - Type: PERF_COUNTERSET\n    counters:\n      - {CounterId: 1}\n      - {CounterId: 2, Size: 4}\n      - {CounterId: 3, bytes: true}\n"},
		{"an instance", aResult("Type: 4, instances: [{values: [0x10], InstanceId: 0, name: a}]"), "kind: query-data\nresults:\n  - Type: PERF_MULTIPLE_INSTANCES\n    instances:\n      - {name: a, values: [16]}\n"},
		{"no instances", "kind: instances\ninstances: []", "kind: instances\ninstances: []\n"},
		{"words of an identifier", "kind: identifiers\nidentifiers: [{CounterSetGuid: AAAAAAAA-2222-3333-4444-555555555555, CounterId: 0xFFFFFFFF, InstanceId: 4294967295, name: '*'}]", "kind: identifiers\nidentifiers:\n  - {CounterSetGuid: \"{aaaaaaaa-2222-3333-4444-555555555555}\", CounterId: PERF_WILDCARD_COUNTER, InstanceId: any, name: \"*\"}\n"},
		{"a zero GUID", "kind: reg-guid\nguid: 00000000-0000-0000-0000-000000000000", "kind: reg-guid\nguid: \"{00000000-0000-0000-0000-000000000000}\"\n"},
		{"flags", "kind: reg-counter\nType: 0\nAttrib: 0x20 | PERF_ATTRIB_NO_DISPLAYABLE|1", "kind: reg-counter\nType: PERF_COUNTER_RAWCOUNT_HEX\nAttrib: PERF_ATTRIB_BY_REFERENCE|PERF_ATTRIB_NO_DISPLAYABLE|0x20\n"},
		{"no references", "kind: reg-counter\nType: 0\nBaseCounterId: none\nPerfTimeId: none\nPerfFreqId: none\nMultiId: none", "kind: reg-counter\nType: PERF_COUNTER_RAWCOUNT_HEX\n"},
		{"a reference to 0", "kind: reg-counter\nType: 0\nMultiId: 0", "kind: reg-counter\nType: PERF_COUNTER_RAWCOUNT_HEX\nMultiId: 0\n"},
		{"enumerations", "kind: reg-set\n" + aGUID + "DetailLevel: 200\nInstanceType: 12\ncounters: [{Type: 65536, AggregateFunc: 4}]", "kind: reg-set\nCounterSetGuid: \"{11111111-2222-3333-4444-555555555555}\"\nDetailLevel: PERF_DETAIL_ADVANCED\nInstanceType: PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY\ncounters:\n  - {Type: PERF_COUNTER_RAWCOUNT, AggregateFunc: PERF_AGGREGATE_MAX}\n"},
		{"no text", "kind: reg-string\ntext: ''", "kind: reg-string\ntext: \"\"\n"},
		{"an empty text and no text", oneName + "- {text: ''}\n- {none: true}", "kind: strings\nstrings:\n  - {CounterId: 1}\n  - {}\n  - {none: true}\n"},
	} {
		got, err := parse(t, "", []byte(tt.text)).AppendYAML(nil)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %v (-want +got)\n%s", tt.reason, err, cmp.Diff(tt.want, string(got)))
		}
	}
}

// TestSchemaRefusesPerflib checks that the JSON Schema and Parse both refuse faulty texts of V2
// blocks.
func TestSchemaRefusesPerflib(t *testing.T) {
	t.Parallel()
	schema := compiled(t)
	for _, tt := range []struct{ reason, text string }{
		{"a kind in capitals", "kind: Query-Data\nresults: []"},
		{"no results", "kind: query-data"},
		{"results of another kind", "results: []"},
		{"objects in query data", "kind: query-data\nresults: []\nobjects: []"},
		{"an unknown type", aResult("Status: 1")},
		{"a type of 33 bits", aResult("Type: 4294967296")},
		{"a type without a name", aResult("Type: PERF_MULTI_COUNTERS")},
		{"an id below 0", aResult("Type: 6, counters: [-1]")},
		{"an id as a text", aResult("Type: 6, counters: ['1']")},
		{"a key of a counter", aResult("Type: 6, counters: [{id: 1}]")},
		{"values of an instance in a list without values", "kind: instances\ninstances: [{values: [1]}]"},
		{"a text for a value of a result", aResult("Type: 1, values: [a]")},
		{"a text for a value of an instance of a result", aResult("Type: 4, instances: [{values: [a]}]")},
		{"bytes for a value of an instance-block", "kind: instance-block\n" + aGUID + "values: [{hex: '00'}]"},
		{"no GUID", "kind: reg-guid\nguid: '{11111111-2222-3333-4444-555555555555'"},
		{"half a GUID", "kind: guids\nguids: [11111111-2222-3333-4444]"},
		{"a flag", "kind: reg-counter\nType: 0\nAttrib: PERF_ATTRIB"},
		{"an aggregate function", "kind: reg-counter\nType: 0\nAggregateFunc: SUM"},
		{"a reference to all", "kind: reg-counter\nType: 0\nMultiId: any"},
		{"a template without a provider", "kind: template\n" + aGUID + "counters: []"},
		{"a list for a text", "kind: strings\nstrings: [{text: [a]}]"},
		{"a registered text", "kind: reg-string\ntext: null"},
	} {
		if schema.Validate(instance(t, []byte(tt.text))) == nil {
			t.Errorf("%s: the schema accepts\n%s", tt.reason, tt.text)
		}
		if s, err := spec.Parse("", []byte(tt.text)); err == nil {
			t.Errorf("%s: Parse accepts the text and returns %+v", tt.reason, s.Model)
		}
	}
}

// TestManyInstancesOfQueryData checks the allocations for instances of query data: AppendYAML may make none, and
// Parse may make 40 for each instance.
func TestManyInstancesOfQueryData(t *testing.T) {
	cost := func(n int) (write, read float64) {
		r := builder.CounterSet().Counter(1, 8).Counter(2, 8)
		for range n {
			r.Instance("name", 1, 1, 2)
		}
		s := &spec.Spec{Model: new(builder.QueryData).Add(r)}
		text, err := s.AppendYAML(nil)
		if err != nil {
			t.Fatal(err)
		}
		write = testing.AllocsPerRun(3, func() {
			if _, err := s.AppendYAML(nil); err != nil {
				t.Fatal(err)
			}
		})
		return write, testing.AllocsPerRun(1, func() { parse(t, "", text) })
	}
	fewWrite, fewRead := cost(10)
	manyWrite, manyRead := cost(5000)
	if manyWrite > fewWrite+10 {
		t.Errorf("%v allocations to write 10 instances and %v for 5,000", fewWrite, manyWrite)
	}
	if each := (manyRead - fewRead) / (5000 - 10); each > 40 {
		t.Errorf("%.1f allocations to read an instance", each)
	}
}

// TestKindOfModel checks that Spec.Kind returns the kind of the model.
func TestKindOfModel(t *testing.T) {
	t.Parallel()
	for _, kind := range layout.Kinds() {
		model, err := builder.NewModel(kind)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&spec.Spec{Model: model}).Kind(); got != kind {
			t.Errorf("Kind of a model of kind %v is %v", kind, got)
		}
	}
}
