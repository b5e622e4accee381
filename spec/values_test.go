package spec_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/spec"
)

const three = one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}, {CounterType: PERF_COUNTER_TEXT}, {CounterType: PERF_COUNTER_RAWCOUNT}]\n"

// TestNumberLists checks that Parse reads the same numbers from lists that are written differently.
func TestNumberLists(t *testing.T) {
	t.Parallel()
	want := parse(t, "", []byte(one+"  values: [1, 0x2, 3]"))
	for reason, text := range map[string]string{
		"decimal":              one + "  values: [1, 2, 3]",
		"blanks":               one + "  values: [\t1\t,2 ,  3 ] # [4, 5]",
		"between quotes":       one + "  values: [1, 2, 3]\n  CodePage: 0x0 # \"[1, 2]\"",
		"with a last comma":    one + "  values: [1, 2, 3,]",
		"lines":                one + "  values: [1,\n   2, 3]",
		"JSON":                 `{"objects": [{"ObjectNameTitleIndex": 2, "values": [1,2 , 3 ]}]}`,
		"JSON with other keys": `{"objects": [{"values": [ 1, 2, 3], "ObjectNameTitleIndex": 2}], "SystemName": ""}`,
	} {
		if diff := cmp.Diff(want, parse(t, "", []byte(text)), sameSpec); diff != "" {
			t.Errorf("%s (-want +got)\n%s", reason, diff)
		}
	}
}

// TestNumberListsInTexts checks that text such as "[1, 2]" inside a string is not read as a list
// of numbers.
func TestNumberListsInTexts(t *testing.T) {
	t.Parallel()
	for reason, tt := range map[string]struct{ text, want string }{
		"double quotes":                   {`"[1, 2]"`, "[1, 2]"},
		"single quotes":                   {`'[1,2] é [3,4,5]'`, "[1,2] é [3,4,5]"},
		"none":                            {`x[1, 2] y`, "x[1, 2] y"},
		"a literal":                       {"|-\n  [1, 2]\n  [3, 4]", "[1, 2]\n[3, 4]"},
		"characters that packing may use": {"\"\uE000[1, 2]\uE001\"", "\uE000[1, 2]\uE001"},
		"an escape of such a character":   {`"\uE000[1, 2]"`, "\uE000[1, 2]"},
		"a long escape":                   {`"\\\U0000e000\uE001[1, 2]"`, "\\\uE000\uE001[1, 2]"},
		"a comment after it":              {"a # [1, 2]", "a"},
	} {
		s := parse(t, "", []byte("SystemName: "+tt.text+"\nobjects: [{ObjectNameTitleIndex: 2, values: [1, 2]}]"))
		if dataOf(s).SystemName != tt.want || len(dataOf(s).Objects[0].Values) != 2 {
			t.Errorf("%s: %q, want %q; %d", reason, dataOf(s).SystemName, tt.want, dataOf(s).Objects[0].Values)
		}
	}
}

// TestNumberListsWithoutMark checks that Parse reads lists of numbers if it cannot replace their commas. To save memory
// in the YAML parser, Parse replaces these commas by a character that is not in the text. The text of this test has all
// characters that Parse tries.
func TestNumberListsWithoutMark(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	all.WriteString(";~^|$=/<>()@%+_")
	for r := '\uE000'; r <= '\uF8FF'; r++ {
		all.WriteRune(r)
	}
	s := parse(t, "", []byte("# "+all.String()+"\nSystemName: '[1, 2]\uF900'\nobjects: [{ObjectNameTitleIndex: 2, values: [1, 2]}]"))
	if d := dataOf(s); d.SystemName != "[1, 2]\uF900" || len(d.Objects[0].Values) != 2 {
		t.Errorf("%q, %d", d.SystemName, d.Objects[0].Values)
	}
}

// TestNumberListInListOfTexts checks that a text such as "[1, 2]" is not read as a list of
// numbers if the text is the only item of a list.
func TestNumberListInListOfTexts(t *testing.T) {
	t.Parallel()
	s := parse(t, "", []byte(one+"  counters: [{CounterType: PERF_COUNTER_TEXT}]\n  values: [\"[1, 2]\"]"))
	if o := dataOf(s).Objects[0]; len(o.Texts) != 1 || o.Texts[0] != "[1, 2]" {
		t.Errorf("%q", o.Texts)
	}
}

// TestNumberListErrors checks that an error in a list of numbers has the position of the faulty
// number.
func TestNumberListErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []errorTest{
		{"a number of more than 64 bits", one + "  values: [1,  2,18446744073709551616 , 4]", `3:18: values: "18446744073709551616" does not fit 64 bits`},
		{"a number with a leading 0", one + "  values: [1,  02]", `3:16: values: "02" begins with 0, which some readers read as octal; remove the 0, or write 0o for octal`},
		{"a number for a text", three + "  values: [1, 5, 6]", "4:15: values: the value of counter 1 is 5, must be a text; put quotes around a text such as 5 or true"},
		{"a number for a text that is the first value", one + "  counters: [{CounterType: PERF_COUNTER_TEXT}, {CounterType: PERF_COUNTER_RAWCOUNT}]\n  values: [1, 5]", "4:12: values: the value of counter 0 is 1, must be a text; put quotes around a text such as 5 or true"},
		{"a sign alone", "objects: [{ObjectNameTitleIndex: +}]", `1:34: ObjectNameTitleIndex: is the text "+", must be a whole number`},
		{"an error of the builder", one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}, {CounterType: PERF_COUNTER_RAWCOUNT}]\n  instances:\n  - {name: é, values: [ 1,  4294967296]}", "5:29: object[0].instance[0].block.value[1]: is 4294967296, must fit the counter's 4 bytes"},
		{"a list of numbers where objects must be", "objects: [1, 2]", "1:11: an object must be a mapping, is 1\n1:14: an object must be a mapping, is 2"},
		{"a list of numbers where patches must be", "objects: []\npatches: [ 10, 2]", "2:12: patch 1: is 10, must be a mapping such as {at: 0, hex: \"00\"}\n2:16: patch 2: is 2, must be a mapping such as {at: 0, hex: \"00\"}"},
		{"a key", "[1, 2]: a", "1:1: a key must be a word, is a list"},
		{"a missing comma", one + "  values: [1 2, 3]", `3:12: values: "1 2" is not a whole number`},
		{"a missing number", one + "  values: [1, , 3]", "3:15: did not find expected node content while parsing a flow node that starts at 3:15"},
		{"a fault after a list", one + "  values: [1, 2, 3], x", "3:20: did not find expected key while parsing a block mapping that starts at 2:3"},
	} {
		tt.run(t, "t.yaml")
	}
	errorTest{"JSON", "{\"objects\": [{\"ObjectNameTitleIndex\": 2,\n\"values\": [ 1,  02]}]}", "2:18: invalid character '2' after array element"}.run(t, "t.json")
	errorTest{"too large in JSON", "{\"objects\": [{\"ObjectNameTitleIndex\": 2,\n\"values\": [ 1,  18446744073709551616]}]}", `2:17: values: "18446744073709551616" does not fit 64 bits`}.run(t, "t.json")
}

// TestMemory checks how much memory Parse allocates. It must be at most a small multiple of the size of the text.
func TestMemory(t *testing.T) {
	if !long.Enabled() {
		t.Skip("takes seconds")
	}
	const head, tail = one + "  values: [", "1]\n"
	for _, tt := range []struct {
		reason, file, text string
		most               uint64 // limit of the bytes allocated in total, for each byte of the text
	}{
		{"values", "", head + strings.Repeat("1,", 1<<22) + tail, 16},
		{"values of JSON", "", `{"objects": [{"ObjectNameTitleIndex": 2, "values": [` + strings.Repeat("1,", 1<<22) + "1]}]}", 20},
		{"values on lines", "", head + strings.Repeat("1,\n", 1<<22) + tail, 10},
		{"values that are not decimal", "", head + strings.Repeat("0x1,", 1<<22) + tail, 10},
		{"a list of texts that might be a key of a mapping", "", "objects:\n- [" + strings.Repeat("a,", 1<<22) + "]", 10},
		{"inserts", "", "objects: []\npatches:\n" + strings.Repeat("- insert: {at: 0, hex: 00}\n", 500_000), 10},
		{"unknown keys", "", strings.Repeat("aaaaaaaaaaaaa: b\n", 2_000_000), 10},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := spec.Parse(tt.file, []byte(tt.text))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > tt.most*uint64(len(tt.text)) {
			t.Errorf("%s: %d MiB for a text of %d (%v)", tt.reason, took>>20, len(tt.text)>>20, err)
		}
	}
}
