package spec_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/cname"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// An errorTest is a faulty text and the expected error. The error comes from Parse. If Parse succeeds, the error comes
// from Build.
type errorTest struct {
	reason, text, want string
}

// run checks that the text has the expected error, with a line and a column.
func (tt errorTest) run(t *testing.T, file string) {
	t.Helper()
	s, err := spec.Parse(file, []byte(tt.text))
	if err == nil {
		_, err = s.Build()
	}
	if err == nil {
		t.Errorf("%s: no error, want %s", tt.reason, tt.want)
		return
	}
	if got, want := err.Error(), file+":"+strings.ReplaceAll(tt.want, "\n", "\n"+file+":"); got != want {
		t.Errorf("%s:\n got %s\nwant %s", tt.reason, got, want)
	}
	if e, ok := errors.AsType[*spec.Error](err); !ok || e.Line < 1 || e.Column < 1 {
		t.Errorf("%s: %#v has no place", tt.reason, err)
	}
}

const one = "objects:\n- ObjectNameTitleIndex: 2\n"

// TestTextErrors checks the errors for texts with faulty syntax, texts that use unsupported parts of YAML, and texts
// that are not a mapping.
func TestTextErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []errorTest{
		{"an empty text", "", `1:1: the text is empty, must have at least the key "objects"`},
		{"only a comment", "# x\n", `1:1: the text is empty, must have at least the key "objects"`},
		{"a list", "- a", "1:1: a data block must be a mapping, is a list"},
		{"a scalar", "block", `1:1: a data block must be a mapping, is the text "block"`},
		{"null", "~", "1:1: a data block must be a mapping, is null"},
		{"a syntax error", "a: b: c", "1:5: mapping values are not allowed in this context"},
		{"columns count characters", "é: é: c", "1:5: mapping values are not allowed in this context"},
		{"an empty document without a line end", "---", "1:4: a data block must be a mapping, is empty"},
		{"a list without an end", "objects: [\n", "2:1: did not find expected node content while parsing a flow node that starts at 2:1"},
		{"a path between braces", patch("insert: {at: object[0], hex: '00'}"), "3:22: did not find expected ',' or '}' while parsing a flow mapping that starts at 3:11; a path between braces or brackets requires quotes"},
		{"a tab", "objects:\n\t- a", "2:1: a tab in the indentation: YAML indents with spaces, replace each tab with spaces"},
		{"a second document", "objects: []\n---\nobjects: []", "2:1: a second document; the text must have one document"},
		{"a second document that is broken", "objects: []\n---\n]", "3:1: did not find expected node content while parsing a block node that starts at 3:1"},
		{"not UTF-8", "SystemName: é\xff", "1:14: byte 0xff is not UTF-8; save the text as UTF-8"},
		{"UTF-16 that ends inside a character", "\xff\xfeo\x00b", "1:2: the text is UTF-16 and ends inside a character; save it as UTF-8"},
		{"a control character", "a: b\nc: \x01", `2:4: control character 0x01; write it as \u0001 in double quotes`},
		{"not a character", "a: \uffff", `1:4: U+FFFF is not a character; write it as \uffff in double quotes`},
		{"an anchor", "objects: &a []", "1:10: anchor &a: YAML anchors and aliases are not supported"},
		{"an alias", "objects: &a [*a]", "1:10: anchor &a: YAML anchors and aliases are not supported"},
		{"an unknown alias", "objects: *a", "1:10: unknown anchor 'a' referenced"},
		{"a merge key", "<<: {objects: []}", `1:1: a data block has no key "<<"`},
		{"a tag", "SystemName: !!str 5\nobjects: []", "1:13: tag !!str: YAML tags are not supported"},
		{"the tag without a name", "SystemName: ! 5\nobjects: []", "1:13: tag !: YAML tags are not supported"},
		{"lists that are nested too deep", strings.Repeat("[", 17) + strings.Repeat("]", 17), "1:17: more than 16 lists and mappings inside each other"},
		{"a key that is a list", "? [a]\n: b", "1:3: a key must be a word, is a list"},
		{"an empty key", ": b", `1:1: a data block has no key ""`},
	} {
		tt.run(t, "t.yaml")
	}
}

// TestKeyErrors checks the errors for missing, unknown, repeated and computed keys.
func TestKeyErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []errorTest{
		{"objects is missing", "SystemName: x", "1:1: a data block requires the key objects"},
		{"a title is missing", "objects:\n- {}", "2:3: an object requires the key ObjectNameTitleIndex"},
		{"a type is missing", one + "  counters: [{CounterNameTitleIndex: 2}]", "3:14: a counter requires the key CounterType"},
		{"a misspelled key", "objcets: []", `1:1: a data block has no key "objcets"; did you mean objects?`},
		{"the wrong case", one + "  instances:\n  - Name: x", `4:5: an instance has no key "Name"; did you mean name?`},
		{"an unknown key that ends in a known one", one + "  instances:\n  - XYZNAME: x", `4:5: an instance has no key "XYZNAME"`},
		{"an unknown key whose last word is a known one", one + "  instances:\n  - WhatIsMyName: x", `4:5: an instance has no key "WhatIsMyName"; did you mean name?`},
		{"two letters swapped", "knid: objects\nobjects: []", `1:1: a data block has no key "knid"; did you mean kind?`},
		{"no similar key", one + "  colour: red", `3:3: an object has no key "colour"`},
		{"a computed field", one + "  NumCounters: 3", "3:3: NumCounters is computed; use a patch to write another value"},
		{"a repeated key", "SystemName: a\nobjects: []\nSystemName: a", "3:1: SystemName is repeated, first at 1:1; remove one"},
		{"a repeated key in braces", one + "  instances: [{name: a, name: b}]", "3:25: name is repeated, first at 3:16; remove one"},
		{"a key of another kind", "kind: query-data\nobjects: []", `2:1: query data has no key "objects"; a block of kind data-block has this key`},
		{"a key of another kind, with the default kind", "results: []", `1:1: a data block has no key "results"; a block of kind query-data has this key`},
		{"an unknown kind", "kind: object\nobjects: []", `1:7: kind: "object" is not a kind: it must be one of data-block, objects, query-data, instances, identifiers, reg-set, reg-counter, reg-string, reg-guid, strings, guids, template, instance-block; did you mean objects?`},
		{"a header key in a block without a header", "objects: []\nSystemName: x\nkind: objects", "2:1: SystemName belongs to the header of a data block; a block of kind objects has no header"},
		{"objects is a number", "objects: 5", "1:10: objects: is 5, must be a list"},
		{"objects is empty", "objects:", "1:9: objects: is empty, must be a list"},
		{"an object is a number", "objects: [5]", "1:11: an object must be a mapping, is 5"},
	} {
		tt.run(t, "t.yaml")
	}
}

// TestValueErrors checks the errors for values that do not fit their keys.
func TestValueErrors(t *testing.T) {
	t.Parallel()
	counters := one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}, {CounterType: PERF_COUNTER_TEXT}, {CounterType: 0xB00|PERF_TEXT_ASCII}, {CounterType: 0x300, CounterSize: 2}]\n"
	for _, tt := range []errorTest{
		{"a number below its range", "PerfTime: -1\nobjects: []", "1:11: PerfTime: -1 is out of range, must be 0 to 9223372036854775807"},
		{"a number of more than 64 bits", "PerfTime: 99999999999999999999\nobjects: []", `1:11: PerfTime: "99999999999999999999" does not fit 64 bits`},
		{"a number above its range", one + "  CodePage: 4294967296", "3:13: CodePage: 4294967296 is out of range, must be 0 to 4294967295"},
		{"a hexadecimal number above its range", one + "  CodePage: 0x100000000", "3:13: CodePage: 4294967296 is out of range, must be 0 to 4294967295"},
		{"a leading 0", one + "  CodePage: 010", `3:13: CodePage: "010" begins with 0, which some readers read as octal; remove the 0, or write 0o for octal`},
		{"a leading 0 before a digit 9", one + "  CodePage: 09", `3:13: CodePage: "09" begins with 0, which some readers read as octal; remove the 0, or write 0o for octal`},
		{"a fraction", one + "  CodePage: 1.0", `3:13: CodePage: "1.0" is not a whole number`},
		{"an exponent", one + "  CodePage: 1e3", `3:13: CodePage: "1e3" is not a whole number`},
		{"a text", one + "  CodePage: '1252'", `3:13: CodePage: is the text "1252", must be a whole number`},
		{"a boolean", one + "  CodePage: true", "3:13: CodePage: is true, must be a whole number"},
		{"an empty value", one + "  CodePage:", "3:12: CodePage: is empty, must be a whole number"},
		{"a list", one + "  CodePage: [1]", "3:13: CodePage: is a list, must be a whole number"},
		{"a number for a flag", one + "  duplicateNames: 1", "3:19: duplicateNames: is 1, must be true or false"},
		{"yes for a flag", one + "  duplicateNames: yes", `3:19: duplicateNames: is the text "yes", must be true or false`},
		{"a misspelled detail level", one + "  DetailLevel: PERF_DETAIL_NOVISE", `3:16: DetailLevel: "PERF_DETAIL_NOVISE" is not a detail level; did you mean PERF_DETAIL_NOVICE?`},
		{"a NumInstances that is not one of the constants", one + "  NumInstances: 1", "3:17: NumInstances: 1 is out of range, must be -3 to 0"},
		{"an unknown name of a number of instances", one + "  NumInstances: none", `3:17: NumInstances: "none" is not a name for NumInstances: it must be one of PERF_NO_INSTANCES, PERF_METADATA_MULTIPLE_INSTANCES, PERF_METADATA_NO_INSTANCES, or a number`},
		{"a word for the index of a help text", one + "  ObjectHelpTitleIndex: no", `3:25: ObjectHelpTitleIndex: is the text "no", must be a whole number`},
		{"a misspelled counter type", one + "  counters: [{CounterType: PERF_COUNTER_CUONTER}]", `3:28: CounterType: "PERF_COUNTER_CUONTER" is not a counter type: it must be a name of winperf.h or a number of 32 bits; did you mean PERF_COUNTER_COUNTER?`},
		{"an unknown word among flags of a counter type", one + "  counters: [{CounterType: PERF_SIZE_LARGE | x}]", `3:28: CounterType: "x" is not a counter type: it must be a name of winperf.h or a number of 32 bits`},
		{"null for a counter type", one + "  counters: [{CounterType: ~}]", "3:28: CounterType: is null, must be a counter type"},
		{"a base of a counter type that does not require one", one + "  counters: [{CounterType: PERF_COUNTER_COUNTER, withBase: true}]", "3:60: withBase: is not allowed, because PERF_COUNTER_COUNTER does not require a base; write an optional base as a separate counter"},
		{"a date without time", "SystemTime: 2020-05-01\nobjects: []", `1:13: SystemTime: is "2020-05-01", must be a time such as 2006-01-02T15:04:05.000Z`},
		{"a time with more digits than milliseconds", "SystemTime: 2020-05-01T12:34:56.7891Z\nobjects: []", `1:13: SystemTime: "2020-05-01T12:34:56.7891Z" is more precise than SYSTEMTIME, which has only milliseconds`},
		{"a time before 1601", "SystemTime: 1600-05-01T12:34:56Z\nobjects: []", "1:13: SystemTime: year 1600 is out of range, must be 1601 to 30827"},
		{"a field of SYSTEMTIME that is out of range", "SystemTime: {wYear: 70000}\nobjects: []", "1:21: wYear: 70000 is out of range, must be 0 to 65535"},
		{"a null name", one + "  instances: [{name: null}]", `3:22: name: is null, must be a text; write "null" with the quotes`},
		{"an empty name", one + "  instances: [{name: }]", `3:22: name: is empty, must be a text; write "" with the quotes`},
		{"a list for a name", one + "  instances: [{name: [a]}]", "3:22: name: is a list, must be a text"},
		{"bytes without a code page", one + "  instances: [{name: {hex: '41'}}]", "3:22: name: is {hex: …}, must be a text, because the object has no CodePage"},
		{"a text in a code page", one + "  CodePage: 1252\n  instances: [{name: é}]", `4:22: name: "é" has characters outside ASCII, which cannot be converted to code page 1252; write the bytes, {hex: "…"}`},
		{"an odd number of digits", one + "  CodePage: 1252\n  instances: [{name: {hex: abc}}]", `4:28: hex: is "abc", must be pairs of hexadecimal digits`},
		{"another key in addition to hex", one + "  CodePage: 1252\n  instances: [{name: {hex: ab, x: 1}}]", `4:32: the key is "x", must be "hex", as in {hex: "00 ff"}`},
		{"bytes without hex", one + "  CodePage: 1252\n  instances: [{name: {}}]", `4:22: the mapping must have one key, "hex", as in {hex: "00 ff"}`},
		{"a repeated hex", one + "  CodePage: 1252\n  instances: [{name: {hex: aa, hex: bb}}]", `4:22: the mapping must have one key, "hex", as in {hex: "00 ff"}`},
		{"values is a number", counters + "  values: 5", "4:11: values: is 5, must be a list"},
		{"a value below 0", counters + "  values: [-1]", "4:12: values: -1 is out of range, must be 0 to 4294967295; values are unsigned, write -1 as 0xffffffff or 4294967295"},
		{"underscores between digits", "PerfTime: 1_000\nobjects: []", `1:11: PerfTime: "1_000" is not a whole number; remove the _ between its digits`},
		{"underscores in a hexadecimal number", "PerfTime: 0x_10\nobjects: []", `1:11: PerfTime: "0x_10" is not a whole number; remove the _ between its digits`},
		{"underscores in a number for a counter type", one + "  counters: [{CounterType: 1_0}]", `3:28: CounterType: "1_0" is not a counter type: it must be a name of winperf.h or a number of 32 bits`},
		{"underscores in a flag of a counter type", one + "  counters: [{CounterType: PERF_SIZE_LARGE | 1_0}]", `3:28: CounterType: "1_0" is not a counter type: it must be a name of winperf.h or a number of 32 bits`},
		{"a text for a number", counters + "  values: [x]", `4:12: values: the value of counter 0 (PERF_COUNTER_RAWCOUNT) is the text "x", must be a whole number`},
		{"a number for a text", counters + "  values: [1, 5]", "4:15: values: the value of counter 1 is 5, must be a text; put quotes around a text such as 5 or true"},
		{"characters outside ASCII in an ASCII text", counters + "  values: [1, x, é]", `4:18: values: the value of counter 2 is "é", must be ASCII; write other bytes as {hex: "…"}`},
		{"a text for bytes", counters + "  values: [1, x, y, z]", `4:21: values: the value of counter 3 is the text "z", must be bytes, {hex: "…"}`},
	} {
		tt.run(t, "t.yaml")
	}
}

// TestBuilderErrors checks that an error of the builder names the line and column of the faulty
// value.
func TestBuilderErrors(t *testing.T) {
	t.Parallel()
	counters := one + "  counters:\n  - {CounterType: PERF_RAW_FRACTION, withBase: true}\n  - CounterType: PERF_COUNTER_RAWCOUNT\n"
	for _, tt := range []errorTest{
		{"a header field", "HeaderLength: 89\nobjects: []", "1:15: HeaderLength: is 89, must be 0 or a multiple of 8 that is at least 88"},
		{"a NUL in a name", "SystemName: \"a\\0\"\nobjects: []", `1:13: SystemName: NUL at byte 1 of "a\x00"`},
		{"a missing field of SYSTEMTIME", "SystemTime: {wYear: 2020}\nobjects: []", "1:13: SystemTime: wMonth is 0, must be 1 to 12"},
		{"a field of an object", one + "  DefaultCounter: 4", "3:19: object[0].DefaultCounter: is 4, must be -1, or the position or title index of a counter that is not a base"},
		{"a field with another name in the text", one + "  blockLength: 9", "3:16: object[0].blockLength: is 9, must be 0 or a multiple of 8 that is at least 8"},
		{"a field of a counter", counters + "    CounterOffset: 3\n", "6:20: object[0].counter[2].CounterOffset: is 3 and overlaps the ByteLength of the counter block, must be 0 or at least 4"},
		{"a counter without its base", one + "  counters:\n  - {CounterType: PERF_RAW_FRACTION}", "4:19: object[0].counter[0].CounterType: is PERF_RAW_FRACTION, must be followed by its base PERF_RAW_BASE"},
		{"values without instances", counters + "  values: [1, 2, 3]", "6:11: object[0]: has values of its own (3 numbers, 0 texts), must have none because NumInstances is not PERF_NO_INSTANCES: set NumInstances, or move the values to instances"},
		{"too few values", counters + "  NumInstances: PERF_NO_INSTANCES\n  values: [1, 2]", "7:11: object[0].block: has 2 values for 3 counters, must have one for each counter, bases included"},
		{"no values", counters + "  NumInstances: PERF_NO_INSTANCES", "2:3: object[0].block: has 0 values for 3 counters, must have one for each counter, bases included"},
		{"a value of an object", counters + "  NumInstances: PERF_NO_INSTANCES\n  values: [1, 2, 4294967296]", "7:18: object[0].block.value[2]: is 4294967296, must fit the counter's 4 bytes"},
		{"a value of an instance", counters + "  instances:\n  - name: a\n    values: [1,\n      4294967296, 3]", "9:7: object[0].instance[0].block.value[1]: is 4294967296, must fit the counter's 4 bytes"},
		{"too many values of an instance", counters + "  instances: [{name: a, values: [1, 2, 3, 4]}]", "6:33: object[0].instance[0].block: has 4 values for 3 counters, must have one for each counter, bases included"},
		{"no values of an instance", counters + "  instances: [{name: a}]", "6:15: object[0].instance[0].block: has 0 values for 3 counters, must have one for each counter, bases included"},
		{"a blockLength of an instance", counters + "  instances: [{name: a, blockLength: 7, values: [1, 2, 3]}]", "6:38: object[0].instance[0].blockLength: is 7, must be 0 or a multiple of 8 that is at least 16"},
		{"a repeated name", one + "  instances: [{name: a}, {name: A}]", `3:33: object[0].instance[1].Name: is "A", which differs only in letter case from the name "a" of instance[0]: set duplicateNames to allow it`},
		{"a repeated instance name that equals a field name of the model", one + "  instances: [{name: Values}, {name: Values}]", `3:38: object[0].instance[1].Name: is "Values", which is the name of instance[0] too: set duplicateNames to allow it`},
		{"a field of an instance", one + "  instances: [{name: a, blockLength: 16, NameOffset: 23}]", "3:54: object[0].instance[0].NameOffset: is 23 and overlaps PERF_INSTANCE_DEFINITION, must be 0 or at least 24"},
		{"a parent that does not exist", one + "  instances: [{name: a, ParentObjectTitleIndex: 2, ParentObjectInstance: 1}]", "3:74: object[0].instance[0].ParentObjectInstance: is 1, must be the position of an instance: object 2 has 1 instance, and positions start at 0"},
		{"counter blocks whose length exceeds 32 bits", one + "  instances: [{name: a}]\n  blockLength: 0xFFFFFFF8", "4:16: object[0].TotalByteLength: is 4294967384, must be at most 4294967295"},
		{"one counter block whose length exceeds 32 bits", one + "  instances: [{name: a, blockLength: 8}, {name: b, blockLength: 0xFFFFFFF8}]", "3:65: object[0].TotalByteLength: is 4294967424, must be at most 4294967295"},
		{"two long instances, of which the second is longer", one + "  instances: [{name: a, NameOffset: 0x20000000}, {name: b, ByteLength: 0xFFFFFFF8}]", "3:72: object[0].TotalByteLength: is 4831838288, must be at most 4294967295"},
		{"two long instances, of which the first is longer", one + "  instances: [{name: a, ByteLength: 0xFFFFFFF8}, {name: b, NameOffset: 0x20000000}]", "3:37: object[0].TotalByteLength: is 4831838288, must be at most 4294967295"},
		{"a header that makes the block exceed 32 bits", "HeaderLength: 0xFFFFFFF8\n" + one, "1:15: object[0]: ends at byte 4294967352 of the block, must end at " + fmt.Sprint(min(uint64(math.MaxInt), math.MaxUint32)) + " or before"},
		{"a header that exceeds MaxBlock", "objects: []\nHeaderLength: 0x7FFFFFF8", "2:15: the block has 2147483640 bytes, must have at most 1073741824"},
		{"a name at a large offset", "SystemName: a\nSystemNameOffset: 0xFFFFFFF8\nobjects: []", "2:19: SystemNameOffset: makes the length of the record 4294967296 bytes, must be at most " + fmt.Sprint(min(uint64(math.MaxInt), math.MaxUint32))},
		{"an unknown key in the second object", one + "- ObjectNameTitleIndex: 4\n  NoSuch: 1", `4:3: an object has no key "NoSuch"`},
		{"a field of the second object", one + "- ObjectNameTitleIndex: 4\n  DefaultCounter: 1", "4:19: object[1].DefaultCounter: is 1, must be -1, or the position or title index of a counter that is not a base"},
	} {
		tt.run(t, "t.yaml")
	}
}

// TestErrorChain checks that an Error wraps the error of the builder, with its path and its kind.
func TestErrorChain(t *testing.T) {
	t.Parallel()
	s := parse(t, "a.yaml", []byte(one+"  instances: [{name: a}, {name: a}]"))
	_, err := s.Build()
	if e, ok := errors.AsType[*layout.Error](err); !ok || e.Path.String() != "object[0].instance[1].Name" || !errors.Is(err, builder.ErrDuplicate) {
		t.Errorf("%#v", err)
	}
	if _, err := spec.Parse("", []byte(one+"  CodePage: -1")); !errors.Is(err, layout.ErrRange) {
		t.Errorf("%v does not wrap ErrRange", err)
	}
}

// TestErrorText checks that the text of an Error is one line and that the zero Error does not
// panic.
func TestErrorText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, want string
		err          spec.Error
	}{
		{"an empty value", "no error", spec.Error{}},
		{"only a place", "a:1:2: no error", spec.Error{File: "a", Line: 1, Column: 2}},
		{"a path of Windows", `C:\é "x".yaml: x`, spec.Error{File: `C:\é "x".yaml`, Err: errors.New("x")}},
		{"lines", `a\n1:1: b\r\x1b\xff\u2028'.yaml:3:4: x`, spec.Error{File: "a\n1:1: b\r\x1b\xff\u2028'.yaml", Line: 3, Column: 4, Err: errors.New("x")}},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.reason, got, tt.want)
		}
	}
}

// TestErrorWithoutText checks the errors of a Spec without a text. The errors have no line and column, and use the
// field names of the model.
func TestErrorWithoutText(t *testing.T) {
	t.Parallel()
	s := &spec.Spec{Model: &builder.DataBlock{PerfTime: -1}, Patches: []spec.Patch{{Op: spec.Append}}}
	if _, err := s.Build(); err == nil || err.Error() != "PerfTime: is -1, must not be negative" {
		t.Error(err)
	}
	s = &spec.Spec{Model: &builder.DataBlock{Objects: []builder.Object{{ObjectNameTitleIndex: 2, BlockLength: 9}}}}
	if _, err := s.Build(); err == nil || !strings.HasPrefix(err.Error(), "object[0].BlockLength: is 9, must be 0 or") {
		t.Error(err)
	}
	s = &spec.Spec{Model: new(builder.DataBlock), Patches: []spec.Patch{{Op: spec.Insert, At: spec.Place{Offset: 999}}}}
	if _, err := s.Build(); err == nil || err.Error() != "patch 1: offset 0x3e7 is after the end of the block, 0x58" {
		t.Error(err)
	}
	for _, s := range []*spec.Spec{
		{},
		{Model: (*builder.DataBlock)(nil)},
		{Model: &builder.DataBlock{Objects: []builder.Object{{Texts: []string{"x"}}}}},
		{Model: &builder.DataBlock{SystemName: "\xff"}},
		{Model: &builder.DataBlock{Objects: []builder.Object{{Counters: []builder.Counter{{CounterType: layout.PERF_COUNTER_TEXT}}, Values: []uint64{1}, Texts: []string{"x"}}}}},
		{Model: &builder.DataBlock{Objects: []builder.Object{{ObjectHelpTitleIndex: 1, NoHelp: true}}}},
		{Model: new(builder.DataBlock), Patches: []spec.Patch{{Op: 99}}},
	} {
		if b, err := s.AppendYAML([]byte("x")); err == nil || string(b) != "x" {
			t.Errorf("%+v: %q, %v", s, b, err)
		}
	}
	for _, op := range []spec.Op{spec.WriteNumber, spec.WritePart, spec.CutPart} { // without a path, the text cannot be parsed
		s = &spec.Spec{Model: new(builder.DataBlock), Patches: []spec.Patch{{Op: op, Bytes: []byte{1}}}}
		const want = "patch 1: At.Path is not set, must be a path such as object[0].instance[1].NameLength"
		if b, err := s.AppendYAML(nil); err == nil || err.Error() != "patches: "+want {
			t.Errorf("a patch with operation %d and without a path: %q, %v", op, b, err)
		}
		if _, err := s.Build(); err == nil || err.Error() != want {
			t.Errorf("Build of a patch with operation %d and without a path: %v", op, err)
		}
	}
	for _, tt := range []struct {
		patch spec.Patch
		want  string
	}{
		{spec.Patch{Op: spec.Append}, "hex: is empty, must have at least one byte"},
		{spec.Patch{Op: spec.WritePart, At: spec.Place{Path: layout.Path{}.Field("Version")}}, "is empty, must have at least one byte"},
		{spec.Patch{Op: spec.Insert, At: spec.Place{End: true}, Bytes: []byte{1}}, "at: has End set, but only a cut can end there; use an append to add bytes at the end of the block"},
		{spec.Patch{Op: spec.CutRange, At: spec.Place{End: true}, To: spec.Place{End: true}}, "from: has End set, but only a cut can end there; use an append to add bytes at the end of the block"},
	} { // Parse refuses such a text
		s := &spec.Spec{Model: new(builder.DataBlock), Patches: []spec.Patch{{Op: spec.Append, Bytes: []byte{1}}, tt.patch}}
		if b, err := s.AppendYAML(nil); err == nil || err.Error() != "patches: patch 2: "+tt.want {
			t.Errorf("%+v: %q, %v", tt.patch, b, err)
		}
	}
	for _, s := range []*spec.Spec{{}, {Model: (*builder.Objects)(nil)}} {
		if _, err := s.Build(); err == nil || !errors.Is(err, layout.ErrRange) {
			t.Errorf("Build of a Spec without a Model: %v", err)
		}
		if kind := s.Kind(); kind != layout.DataBlockKind {
			t.Errorf("the kind of a Spec without a Model is %v", kind)
		}
	}
	if _, _, err := spec.FromBlock(99, nil, true); err == nil {
		t.Error("FromBlock of kind 99 returns no error")
	}
}

// TestSeveralErrors checks that Parse reports all errors of a text, except errors that may be
// consequences of other errors.
func TestSeveralErrors(t *testing.T) {
	t.Parallel()
	counters := one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}, {CounterType: PERF_COUNTER_TEXT}]\n"
	for _, tt := range []errorTest{
		{"errors are in the order of the text", "objects: [{}]\nPerfTime: -1\nSystemName: [a]", "1:11: an object requires the key ObjectNameTitleIndex\n2:11: PerfTime: -1 is out of range, must be 0 to 9223372036854775807\n3:13: SystemName: is a list, must be a text"},
		{"unknown keys", one + "  colour: red\n  CodePage: x\n  shape: round", "3:3: an object has no key \"colour\"\n4:13: CodePage: is the text \"x\", must be a whole number\n5:3: an object has no key \"shape\""},
		{"a misspelled key is not also reported as missing", "objcets: []", `1:1: a data block has no key "objcets"; did you mean objects?`},
		{"values in two instances", counters + "  instances:\n  - values: [x, y]\n  - values: [1, 2]", "5:14: values: the value of counter 0 (PERF_COUNTER_RAWCOUNT) is the text \"x\", must be a whole number\n6:17: values: the value of counter 1 is 2, must be a text; put quotes around a text such as 5 or true"},
		{"values are not checked if a counter is faulty", one + "  counters: [{CounterType: PERF_COUNTER_TXET}]\n  instances: [{values: [x]}]", `3:28: CounterType: "PERF_COUNTER_TXET" is not a counter type: it must be a name of winperf.h or a number of 32 bits; did you mean PERF_COUNTER_TEXT?`},
		{"values are not checked if the key counters is misspelled", one + "  conuters: [{CounterType: PERF_COUNTER_TEXT}]\n  instances: [{values: [x]}]", `3:3: an object has no key "conuters"; did you mean counters?`},
		{"names in bytes are not checked if CodePage is faulty", one + "  CodePage: x\n  instances: [{name: {hex: 00}}]", `3:13: CodePage: is the text "x", must be a whole number`},
		{"other keys of instances are checked even if a counter is faulty", one + "  counters: [{CounterType: x}]\n  instances: [{nme: a, values: [x]}, {name: [a], UniqueID: foo}, {name: é, values: 5}]\n  values: 5",
			"3:28: CounterType: \"x\" is not a counter type: it must be a name of winperf.h or a number of 32 bits\n4:16: an instance has no key \"nme\"; did you mean name?\n4:45: name: is a list, must be a text\n4:60: UniqueID: is the text \"foo\", must be a whole number\n4:84: values: is 5, must be a list\n5:11: values: is 5, must be a list"},
		{"other keys of instances are checked even if the key counters is misspelled", one + "  conuters: []\n  instances: [{nme: a, values: [x]}]", "3:3: an object has no key \"conuters\"; did you mean counters?\n4:16: an instance has no key \"nme\"; did you mean name?"},
		{"values are not checked if the key counters is repeated", one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}]\n  counters: [{CounterType: PERF_COUNTER_TEXT}]\n  values: [x]", "4:3: counters is repeated, first at 3:3; remove one"},
		{"a faulty CodePage hides only errors that depend on the CodePage", one + "  CodePage: x\n  instances: [{name: {hex: 0}}, {name: {hx: 00}}, {name: [a]}, {name: é}, {values: [1]}]\n  counters: [{CounterType: PERF_COUNTER_TEXT}]",
			"3:13: CodePage: is the text \"x\", must be a whole number\n4:28: hex: is \"0\", must be pairs of hexadecimal digits\n4:41: the key is \"hx\", must be \"hex\", as in {hex: \"00 ff\"}\n4:58: name: is a list, must be a text\n4:85: values: the value of counter 0 is 1, must be a text; put quotes around a text such as 5 or true"},
		{"other keys of a result's instances are checked even if a counter is faulty", aResult("Type: PERF_COUNTERSET, counters: [x], instances: [{nme: a}], values: 5"), "3:38: a counter must be a mapping, is the text \"x\"\n3:55: an instance has no key \"nme\"; did you mean name?\n3:73: values: is 5, must be a list"},
		{"values of a result are not checked if a counter is faulty", aResult("Type: PERF_COUNTERSET, counters: [x], instances: [{values: [{hex: 00}]}], Status: y"), "3:38: a counter must be a mapping, is the text \"x\"\n3:86: Status: \"y\" is not the name of a known status: it must be one of " + strings.Join(statusNames(), ", ") + ", or a number"},
		{"patches", twoInstances + "- cut: object[1]\n- append: {hex: 00}\n- object[0].CodePage: -1\n- object[0].counter[0]: 1", "7:8: patch 1: there is no object[1]: the block has object[0]\n10:25: patch 4: object[0].counter[0] is not a number; write its bytes, {hex: \"…\"}"},
		{"values that the builder refuses", one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT, CounterSize: 9}]\n- ObjectNameTitleIndex: 4\n  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}]\n  instances: [{name: a, values: [1, 2]}, {name: b, values: [1]}, {name: c, values: []}, {name: b, values: [1]}]\n- ObjectNameTitleIndex: 6\n  counters: [{CounterType: PERF_COUNTER_RAWCOUNT, CounterSize: 7}]",
			"3:64: object[0].counter[0].CounterSize: is 9, must be 0, 4 or 8 for a number\n6:33: object[1].instance[0].block: has 2 values for 1 counter, must have one for each counter, bases included\n6:84: object[1].instance[2].block: has 0 values for 1 counter, must have one for each counter, bases included\n6:96: object[1].instance[3].Name: is \"b\", which is the name of instance[1] too: set duplicateNames to allow it\n8:64: object[2].counter[0].CounterSize: is 7, must be 0, 4 or 8 for a number"},
		{"errors have the position of the instance in the text, even if the builder refuses an earlier instance", one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}]\n  instances: [{name: a, values: [1]}, {name: a, values: []}, {name: a, values: [1]}, {name: b, ParentObjectTitleIndex: 2, ParentObjectInstance: 1, values: [1]}]",
			"4:46: object[0].instance[1].Name: is \"a\", which is the name of instance[0] too: set duplicateNames to allow it\n4:57: object[0].instance[1].block: has 0 values for 1 counter, must have one for each counter, bases included\n4:69: object[0].instance[2].Name: is \"a\", which is the name of instance[0] too: set duplicateNames to allow it"},
		{"the header and an instance", "kind: data-block\nHeaderLength: 12\n" + one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}]\n  instances: [{name: a, values: []}]",
			"2:15: HeaderLength: is 12, must be 0 or a multiple of 8 that is at least 88\n6:33: object[0].instance[0].block: has 0 values for 1 counter, must have one for each counter, bases included"},
		{"a blockLength that is wrong for any counter", one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT, CounterSize: 7}]\n  blockLength: 13",
			"3:64: object[0].counter[0].CounterSize: is 7, must be 0, 4 or 8 for a number\n4:16: object[0].blockLength: is 13, must be 0 or a multiple of 8 that is at least 8"},
		{"more values than are shown", one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}]\n  instances:\n" + strings.Repeat("  - values: []\n", 22), strings.Join(emptyBlocks(20), "\n") + "\n and 2 more errors"},
		{"instances that the builder refuses", "kind: query-data\nresults:\n- {Type: PERF_COUNTERSET, counters: [5], instances: [{values: [1, 2]}, {values: [1]}, {}]}\n- {Type: PERF_SINGLE_COUNTER, values: []}",
			"3:63: result[0].instance[0].values: has 2 values for 1 counter, must have one for each counter\n3:87: result[0].instance[2].values: has 0 values for 1 counter, must have one for each counter\n4:39: result[1].values: has 0 values for 1 counter, must have one for each counter"},
		{"more errors than are shown", one + strings.Repeat("  a: b\n", 22), strings.Join(linesOf(20, "an object has no key \"a\""), "\n") + "\n and 2 more errors"},
		{"more errors than are counted", one + strings.Repeat("  a: b\n", 2000), strings.Join(linesOf(20, "an object has no key \"a\""), "\n") + "\n and at least 980 more errors"},
	} {
		tt.run(t, "t.yaml")
	}
	_, err := spec.Parse("t.yaml", []byte("objects: []\na: b\nc: d"))
	several, ok := err.(interface{ Unwrap() []error })
	if !ok || len(several.Unwrap()) != 2 {
		t.Fatalf("%v does not unwrap to two errors", err)
	}
	if e, ok := errors.AsType[*spec.Error](several.Unwrap()[1]); !ok || e.Line != 3 || e.File != "t.yaml" {
		t.Errorf("the second error is %#v", several.Unwrap()[1])
	}
}

// linesOf returns n errors with the same message, on consecutive lines. The first error is on line 3.
func linesOf(n int, message string) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("%d:3: %s", i+3, message))
	}
	return lines
}

// emptyBlocks returns the errors for n instances without values. The first instance is on line 5.
func emptyBlocks(n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("%d:13: object[0].instance[%d].block: has 0 values for 1 counter, must have one for each counter, bases included", i+5, i))
	}
	return lines
}

func statusNames() (names []string) {
	for _, status := range cname.Statuses {
		names = append(names, status.Name)
	}
	return names
}

// TestNegativeValues checks the error for a negative value. The error must suggest the unsigned number with the
// same bytes.
func TestNegativeValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []errorTest{
		{"-1 in 4 bytes", one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}]\n  values: [-1]", "4:12: values: -1 is out of range, must be 0 to 4294967295; values are unsigned, write -1 as 0xffffffff or 4294967295"},
		{"the smallest int32 in 4 bytes", one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}]\n  values: [-2147483648]", "4:12: values: -2147483648 is out of range, must be 0 to 4294967295; values are unsigned, write -2147483648 as 0x80000000 or 2147483648"},
		{"less than the smallest int32 in 4 bytes", one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}]\n  values: [-2147483649]", "4:12: values: -2147483649 is out of range, must be 0 to 4294967295"},
		{"-2 in 8 bytes", one + "  counters: [{CounterType: PERF_COUNTER_LARGE_RAWCOUNT}]\n  values: [-2]", "4:12: values: -2 is out of range, must be 0 to 18446744073709551615; values are unsigned, write -2 as 0xfffffffffffffffe or 18446744073709551614"},
		{"-1 in 4 bytes of query data", aResult("Type: PERF_MULTIPLE_COUNTERS, counters: [{CounterId: 1, Size: 4}], values: [-1]"), "3:80: values: -1 is out of range, must be 0 to 4294967295; values are unsigned, write -1 as 0xffffffff or 4294967295"},
		{"-1 in 8 bytes of query data", aResult("Type: PERF_MULTIPLE_COUNTERS, counters: [1], values: [-1]"), "3:58: values: -1 is out of range, must be 0 to 18446744073709551615; values are unsigned, write -1 as 0xffffffffffffffff or 18446744073709551615"},
	} {
		tt.run(t, "t.yaml")
	}
}
