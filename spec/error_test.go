package spec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
)

// An errorTest is a text that is wrong, and what is said of it: by Parse, or by
// Build where the text is well formed.
type errorTest struct {
	reason, text, want string
}

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
	if got := err.Error(); got != file+":"+tt.want {
		t.Errorf("%s:\n got %s\nwant %s:%s", tt.reason, got, file, tt.want)
	}
	if e, ok := errors.AsType[*spec.Error](err); !ok || e.Line < 1 || e.Column < 1 {
		t.Errorf("%s: %#v has no place", tt.reason, err)
	}
}

const one = "objects:\n- ObjectNameTitleIndex: 2\n"

func TestTextErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []errorTest{
		{"an empty text", "", "1:1: the text is empty, and a block has at least the key objects"},
		{"nothing but a comment", "# x\n", "1:1: the text is empty, and a block has at least the key objects"},
		{"no mapping", "- a", "1:1: a data block is a mapping, not a list"},
		{"a scalar", "block", `1:1: a data block is a mapping, not the text "block"`},
		{"null", "~", "1:1: a data block is a mapping, not nothing"},
		{"YAML that is none", "a: b: c", "1:5: mapping values are not allowed in this context"},
		{"columns count characters", "é: é: c", "1:5: mapping values are not allowed in this context"},
		{"nothing, and no end of its line", "---", "1:4: a data block is a mapping, not nothing"},
		{"a list without an end", "objects: [\n", "2:1: did not find expected node content while parsing a flow node that starts at 2:1"},
		{"a path between braces", patch("insert: {at: object[0], hex: '00'}"), "3:22: did not find expected ',' or '}' while parsing a flow mapping that starts at 3:11; between braces or brackets a path stands in quotes"},
		{"a tab", "objects:\n\t- a", "2:1: found character that cannot start any token while scanning for the next token that starts at 2:1"},
		{"a second document", "objects: []\n---\nobjects: []", "2:1: a second document, and a text describes one block"},
		{"a second document that is broken", "objects: []\n---\n]", "3:1: did not find expected node content while parsing a block node that starts at 3:1"},
		{"not UTF-8", "SystemName: é\xff", "1:14: byte 0xff is not UTF-8"},
		{"UTF-16", "\xff\xfeo\x00", "1:1: byte 0xff is not UTF-8"},
		{"a control character", "a: b\nc: \x01", `2:4: the control character 0x01; in quotes write \u0001`},
		{"no character", "a: \uffff", `1:4: U+FFFF is no character; in quotes write \uffff`},
		{"an anchor", "objects: &a []", "1:10: an anchor, &a; anchors and aliases have no use here"},
		{"an alias", "objects: &a [*a]", "1:10: an anchor, &a; anchors and aliases have no use here"},
		{"an alias to nothing", "objects: *a", "1:10: unknown anchor 'a' referenced"},
		{"a merge key", "<<: {objects: []}", `1:1: a data block has no key "<<"`},
		{"a tag", "SystemName: !!str 5\nobjects: []", "1:13: a tag, !!str; values have no tags here"},
		{"the tag of no kind", "SystemName: ! 5\nobjects: []", "1:13: a tag, !; values have no tags here"},
		{"depth", strings.Repeat("[", 17) + strings.Repeat("]", 17), "1:17: more than 16 lists and mappings in each other"},
		{"a key that is a list", "? [a]\n: b", "1:3: a key is a word, not a list"},
		{"no key", ": b", `1:1: a data block has no key ""`},
	} {
		tt.run(t, "t.yaml")
	}
}

func TestKeyErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []errorTest{
		{"objects is missing", "SystemName: x", "1:1: a data block has no objects"},
		{"a title is missing", "objects:\n- {}", "2:3: an object has no ObjectNameTitleIndex"},
		{"a type is missing", one + "  counters: [{CounterNameTitleIndex: 2}]", "3:14: a counter has no CounterType"},
		{"a slip", "objcets: []", `1:1: a data block has no key "objcets"; did you mean objects?`},
		{"the wrong case", one + "  instances:\n  - Name: x", `4:5: an instance has no key "Name"; did you mean name?`},
		{"a key at the end of a word", one + "  instances:\n  - XYZNAME: x", `4:5: an instance has no key "XYZNAME"`},
		{"a key behind a word of two letters", one + "  instances:\n  - WhatIsMyName: x", `4:5: an instance has no key "WhatIsMyName"; did you mean name?`},
		{"two letters swapped", "knid: objects\nobjects: []", `1:1: a data block has no key "knid"; did you mean kind?`},
		{"nothing like it", one + "  colour: red", `3:3: an object has no key "colour"`},
		{"a computed field", one + "  NumCounters: 3", "3:3: NumCounters is computed; a patch can write another value"},
		{"twice", "SystemName: a\nobjects: []\nSystemName: a", "3:1: SystemName stands twice in one mapping"},
		{"twice, between braces", one + "  instances: [{name: a, name: b}]", "3:25: name stands twice in one mapping"},
		{"a key of another kind", "kind: query-data\nobjects: []", `2:1: query data has no key "objects"; a block of kind data-block has it`},
		{"no kind, so that of the default", "results: []", `1:1: a data block has no key "results"; a block of kind query-data has it`},
		{"a kind that there is not", "kind: object\nobjects: []", `1:7: kind: no kind "object": it is one of data-block, objects, query-data, instances, identifiers, reg-set, reg-counter, reg-string, reg-guid, strings, guids, template, instance-block; did you mean objects?`},
		{"a header key where there is no header", "objects: []\nSystemName: x\nkind: objects", "2:1: SystemName belongs to the header of a data block, and a block of kind objects has none"},
		{"objects is no list", "objects: 5", "1:10: objects: wants a list, not 5"},
		{"objects is nothing", "objects:", "1:9: objects: wants a list, not nothing"},
		{"an object is no mapping", "objects: [5]", "1:11: an object is a mapping, not 5"},
	} {
		tt.run(t, "t.yaml")
	}
}

func TestValueErrors(t *testing.T) {
	t.Parallel()
	counters := one + "  counters: [{CounterType: PERF_COUNTER_RAWCOUNT}, {CounterType: PERF_COUNTER_TEXT}, {CounterType: 0xB00|PERF_TEXT_ASCII}, {CounterType: 0x300, CounterSize: 2}]\n"
	for _, tt := range []errorTest{
		{"below", "PerfTime: -1\nobjects: []", "1:11: PerfTime: -1 is not 0 to 9223372036854775807"},
		{"beyond 64 bits", "PerfTime: 99999999999999999999\nobjects: []", `1:11: PerfTime: "99999999999999999999" does not fit 64 bits`},
		{"above", one + "  CodePage: 4294967296", "3:13: CodePage: 4294967296 is not 0 to 4294967295"},
		{"above, in hex", one + "  CodePage: 0x100000000", "3:13: CodePage: 4294967296 is not 0 to 4294967295"},
		{"octal or not", one + "  CodePage: 010", `3:13: CodePage: "010" begins with a 0, which some read as octal: write 0o for octal, or leave the 0 out`},
		{"nor with a digit that octal lacks", one + "  CodePage: 09", `3:13: CodePage: "09" begins with a 0, which some read as octal: write 0o for octal, or leave the 0 out`},
		{"a fraction", one + "  CodePage: 1.0", `3:13: CodePage: "1.0" is no whole number`},
		{"an exponent", one + "  CodePage: 1e3", `3:13: CodePage: "1e3" is no whole number`},
		{"a text", one + "  CodePage: '1252'", `3:13: CodePage: wants a whole number, not the text "1252"`},
		{"a boolean", one + "  CodePage: true", "3:13: CodePage: wants a whole number, not true"},
		{"nothing", one + "  CodePage:", "3:12: CodePage: wants a whole number, not nothing"},
		{"a list", one + "  CodePage: [1]", "3:13: CodePage: wants a whole number, not a list"},
		{"a number for a flag", one + "  duplicateNames: 1", "3:19: duplicateNames: wants true or false, not 1"},
		{"yes is a text", one + "  duplicateNames: yes", `3:19: duplicateNames: wants true or false, not the text "yes"`},
		{"a detail level", one + "  DetailLevel: PERF_DETAIL_NOVISE", `3:16: DetailLevel: "PERF_DETAIL_NOVISE" is no detail level; did you mean PERF_DETAIL_NOVICE?`},
		{"a count of instances", one + "  NumInstances: 1", "3:17: NumInstances: 1 is not -3 to 0"},
		{"a name for no instances", one + "  NumInstances: none", `3:17: NumInstances: "none" is no number of instances that has a name: it is one of PERF_NO_INSTANCES, PERF_METADATA_MULTIPLE_INSTANCES, PERF_METADATA_NO_INSTANCES, or a number`},
		{"a help text", one + "  ObjectHelpTitleIndex: no", `3:25: ObjectHelpTitleIndex: wants a whole number, not the text "no"`},
		{"a type", one + "  counters: [{CounterType: PERF_COUNTER_CUONTER}]", `3:28: CounterType: no counter type "PERF_COUNTER_CUONTER": it is a name of winperf.h or a number of 32 bits; did you mean PERF_COUNTER_COUNTER?`},
		{"one of several words", one + "  counters: [{CounterType: PERF_SIZE_LARGE | x}]", `3:28: CounterType: no counter type "x": it is a name of winperf.h or a number of 32 bits`},
		{"a type of nothing", one + "  counters: [{CounterType: ~}]", "3:28: CounterType: wants a counter type, not nothing"},
		{"a base where none is required", one + "  counters: [{CounterType: PERF_COUNTER_COUNTER, withBase: true}]", "3:60: withBase: PERF_COUNTER_COUNTER requires no base; one that may follow is written as a counter of its own"},
		{"a date without time", "SystemTime: 2020-05-01\nobjects: []", `1:13: SystemTime: "2020-05-01" is no moment such as 2006-01-02T15:04:05.000Z`},
		{"too fine", "SystemTime: 2020-05-01T12:34:56.7891Z\nobjects: []", `1:13: SystemTime: "2020-05-01T12:34:56.7891Z" is finer than milliseconds, which is all that SYSTEMTIME holds`},
		{"too early", "SystemTime: 1600-05-01T12:34:56Z\nobjects: []", "1:13: SystemTime: year 1600 is not 1601 to 30827"},
		{"a field of a date", "SystemTime: {wYear: 70000}\nobjects: []", "1:21: wYear: 70000 is not 0 to 65535"},
		{"null is no name", one + "  instances: [{name: null}]", `3:22: name: has no text; in quotes "null" would be one`},
		{"nor is nothing", one + "  instances: [{name: }]", `3:22: name: has no text; in quotes "" would be one`},
		{"a name is one text", one + "  instances: [{name: [a]}]", "3:22: name: wants a text, not a list"},
		{"bytes without a code page", one + "  instances: [{name: {hex: '41'}}]", "3:22: name: bytes are for an object with a CodePage; without one a name is text"},
		{"a text in a code page", one + "  CodePage: 1252\n  instances: [{name: é}]", `4:22: name: "é" is not ASCII, and its bytes in code page 1252 are not known here: write them, {hex: "…"}`},
		{"an odd number of digits", one + "  CodePage: 1252\n  instances: [{name: {hex: abc}}]", `4:28: hex wants pairs of hexadecimal digits, not "abc"`},
		{"another key beside hex", one + "  CodePage: 1252\n  instances: [{name: {hex: ab, x: 1}}]", `4:32: unknown key "x": bytes are written {hex: "00 ff"}`},
		{"bytes without hex", one + "  CodePage: 1252\n  instances: [{name: {}}]", `4:22: bytes are written {hex: "00 ff"}, with one key hex`},
		{"hex that stands twice", one + "  CodePage: 1252\n  instances: [{name: {hex: aa, hex: bb}}]", `4:22: bytes are written {hex: "00 ff"}, with one key hex`},
		{"values are a list", counters + "  values: 5", "4:11: values: wants a list, not 5"},
		{"a value below 0", counters + "  values: [-1]", "4:12: values: -1 is not 0 to 18446744073709551615"},
		{"underscores", "PerfTime: 1_000\nobjects: []", `1:11: PerfTime: "1_000" is no whole number: no _ stands between digits`},
		{"underscores in hex", "PerfTime: 0x_10\nobjects: []", `1:11: PerfTime: "0x_10" is no whole number: no _ stands between digits`},
		{"a type of underscores", one + "  counters: [{CounterType: 1_0}]", `3:28: CounterType: no counter type "1_0": it is a name of winperf.h or a number of 32 bits`},
		{"underscores in a type", one + "  counters: [{CounterType: PERF_SIZE_LARGE | 1_0}]", `3:28: CounterType: no counter type "1_0": it is a name of winperf.h or a number of 32 bits`},
		{"a text for a number", counters + "  values: [x]", `4:12: values: counter 0 is a PERF_COUNTER_RAWCOUNT and wants a whole number, not the text "x"`},
		{"a number for a text", counters + "  values: [1, 5]", "4:15: values: counter 1 has a text for a value, not 5; a text that looks like something else stands in quotes"},
		{"no ASCII", counters + "  values: [1, x, é]", `4:18: values: "é" is not ASCII, as the text of counter 2 is: write its bytes, {hex: "…"}`},
		{"a text for bytes", counters + "  values: [1, x, y, z]", `4:21: values: counter 3 has bytes for a value, {hex: "…"}, not the text "z"`},
	} {
		tt.run(t, "t.yaml")
	}
}

// What only the builder sees is placed by walking its path through the text.
func TestBuilderErrors(t *testing.T) {
	t.Parallel()
	counters := one + "  counters:\n  - {CounterType: PERF_RAW_FRACTION, withBase: true}\n  - CounterType: PERF_COUNTER_RAWCOUNT\n"
	for _, tt := range []errorTest{
		{"a header field", "HeaderLength: 89\nobjects: []", "1:15: HeaderLength: 89 is no length of this header: it is 0, or a multiple of 8 from 88 on"},
		{"a NUL", "SystemName: \"a\\0\"\nobjects: []", `1:13: SystemName: NUL at byte 1 of "a\x00"`},
		{"a field that is left out", "SystemTime: {wYear: 2020}\nobjects: []", "1:13: SystemTime: wMonth is out of its range"},
		{"an object's field", one + "  DefaultCounter: 4", "3:19: object[0].DefaultCounter: 4 is neither -1 nor the position or title index of a counter that is no base"},
		{"a field that the text has under another name", one + "  blockLength: 9", "3:16: object[0].blockLength: 9 is no length of these blocks: it is 0, or a multiple of 8 from 8 on"},
		{"a counter's field", counters + "    CounterOffset: 3\n", "6:20: object[0].counter[2].CounterOffset: 3 is inside the block's ByteLength: it is 0 or at least 4"},
		{"a counter that no base follows", one + "  counters:\n  - {CounterType: PERF_RAW_FRACTION}", "4:19: object[0].counter[0].CounterType: PERF_RAW_FRACTION wants its base PERF_RAW_BASE right behind it"},
		{"values without instances", counters + "  values: [1, 2, 3]", "6:11: object[0]: an object has values of its own only with NumInstances PERF_NO_INSTANCES"},
		{"too few values", counters + "  NumInstances: PERF_NO_INSTANCES\n  values: [1, 2]", "7:11: object[0].block: 2 values for 3 counters"},
		{"no values", counters + "  NumInstances: PERF_NO_INSTANCES", "2:3: object[0].block: 0 values for 3 counters"},
		{"a value of an object", counters + "  NumInstances: PERF_NO_INSTANCES\n  values: [1, 2, 4294967296]", "7:18: object[0].block.value[2]: 4294967296 does not fit the counter's 4 bytes"},
		{"a value of an instance", counters + "  instances:\n  - name: a\n    values: [1,\n      4294967296, 3]", "9:7: object[0].instance[0].block.value[1]: 4294967296 does not fit the counter's 4 bytes"},
		{"too many values of an instance", counters + "  instances: [{name: a, values: [1, 2, 3, 4]}]", "6:33: object[0].instance[0].block: 4 values for 3 counters"},
		{"no values of an instance", counters + "  instances: [{name: a}]", "6:15: object[0].instance[0].block: 0 values for 3 counters"},
		{"an instance's block", counters + "  instances: [{name: a, blockLength: 7, values: [1, 2, 3]}]", "6:38: object[0].instance[0].blockLength: 7 is no length of these blocks: it is 0, or a multiple of 8 from 16 on"},
		{"a name of two", one + "  instances: [{name: a}, {name: A}]", `3:33: object[0].instance[1].Name: "A" is the name of instance[0] too; duplicateNames allows it`},
		{"an instance's field", one + "  instances: [{name: a, blockLength: 16, NameOffset: 23}]", "3:54: object[0].instance[0].NameOffset: 23 is inside the definition: it is 0 or at least 24"},
		{"no such parent", one + "  instances: [{name: a, ParentObjectTitleIndex: 2, ParentObjectInstance: 1}]", "3:74: object[0].instance[0].ParentObjectInstance: 1, but object 2 has 1 instances"},
		{"blocks beyond 32 bits", one + "  instances: [{name: a}]\n  blockLength: 0xFFFFFFF8", "4:16: object[0].TotalByteLength: the object takes 4294967384 bytes, which does not fit 32 bits"},
		{"one of the blocks", one + "  instances: [{name: a, blockLength: 8}, {name: b, blockLength: 0xFFFFFFF8}]", "3:65: object[0].TotalByteLength: the object takes 4294967424 bytes, which does not fit 32 bits"},
		{"the longer of two", one + "  instances: [{name: a, NameOffset: 0x20000000}, {name: b, ByteLength: 0xFFFFFFF8}]", "3:72: object[0].TotalByteLength: the object takes 4831838288 bytes, which does not fit 32 bits"},
		{"the longer comes first", one + "  instances: [{name: a, ByteLength: 0xFFFFFFF8}, {name: b, NameOffset: 0x20000000}]", "3:37: object[0].TotalByteLength: the object takes 4831838288 bytes, which does not fit 32 bits"},
		{"a long header", "HeaderLength: 0xFFFFFFF8\n" + one, "1:15: object[0]: with it the block takes 4294967352 bytes, which is too many"},
		{"a long header alone", "objects: []\nHeaderLength: 0x7FFFFFF8", "2:15: the block takes 2147483640 bytes, and may take 1073741824"},
		{"a name far off", "SystemName: a\nSystemNameOffset: 0xFFFFFFF8\nobjects: []", "2:19: HeaderLength: 4294967296 is too long"},
		{"an object of many", one + "- ObjectNameTitleIndex: 4\n  NoSuch: 1", `4:3: an object has no key "NoSuch"`},
		{"the second of two", one + "- ObjectNameTitleIndex: 4\n  DefaultCounter: 1", "4:19: object[1].DefaultCounter: 1 is neither -1 nor the position or title index of a counter that is no base"},
	} {
		tt.run(t, "t.yaml")
	}
}

// The chain of an error is whole: its place, its path and its kind.
func TestErrorChain(t *testing.T) {
	t.Parallel()
	s := parse(t, "a.yaml", []byte(one+"  instances: [{name: a}, {name: a}]"))
	_, err := s.Build()
	if e, ok := errors.AsType[*layout.Error](err); !ok || e.Path.String() != "object[0].instance[1].Name" || !errors.Is(err, builder.ErrDuplicate) {
		t.Errorf("%#v", err)
	}
	if _, err := spec.Parse("", []byte(one+"  CodePage: -1")); !errors.Is(err, layout.ErrRange) {
		t.Errorf("%v is no ErrRange", err)
	}
}

// An Error is one line and never a panic.
func TestErrorText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, want string
		err          spec.Error
	}{
		{"nothing", "no error", spec.Error{}},
		{"a place alone", "a:1:2: no error", spec.Error{File: "a", Line: 1, Column: 2}},
		{"a path of Windows", `C:\é "x".yaml: x`, spec.Error{File: `C:\é "x".yaml`, Err: errors.New("x")}},
		{"lines", `a\n1:1: b\r\x1b\xff\u2028'.yaml:3:4: x`, spec.Error{File: "a\n1:1: b\r\x1b\xff\u2028'.yaml", Line: 3, Column: 4, Err: errors.New("x")}},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.reason, got, tt.want)
		}
	}
}

// A Spec without a text has errors without a place, in the words of the model.
func TestErrorWithoutText(t *testing.T) {
	t.Parallel()
	s := &spec.Spec{Model: &builder.DataBlock{PerfTime: -1}, Patches: []spec.Patch{{Op: spec.Append}}}
	if _, err := s.Build(); err == nil || err.Error() != "PerfTime: -1 is below 0" {
		t.Error(err)
	}
	s = &spec.Spec{Model: &builder.DataBlock{Objects: []builder.Object{{ObjectNameTitleIndex: 2, BlockLength: 9}}}}
	if _, err := s.Build(); err == nil || !strings.HasPrefix(err.Error(), "object[0].BlockLength: 9 is no length") {
		t.Error(err)
	}
	s = &spec.Spec{Model: new(builder.DataBlock), Patches: []spec.Patch{{Op: spec.Insert, At: spec.Place{Offset: 999}}}}
	if _, err := s.Build(); err == nil || err.Error() != "patch 0: offset 0x3e7 is past the end of the block, 0x58" {
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
	for _, s := range []*spec.Spec{{}, {Model: (*builder.Objects)(nil)}} {
		if _, err := s.Build(); err == nil || !errors.Is(err, layout.ErrRange) {
			t.Errorf("built of no Model: %v", err)
		}
		if kind := s.Kind(); kind != layout.DataBlockKind {
			t.Errorf("no Model is of kind %v", kind)
		}
	}
	if _, _, err := spec.FromBlock(99, nil, true); err == nil {
		t.Error("a block of kind 99")
	}
}
