package spec_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/perfblock/perfblock/spec"
	"go.yaml.in/yaml/v4"
)

// TestJSONEqualsYAML checks that JSON and YAML with the same content parse to the same Spec.
func TestJSONEqualsYAML(t *testing.T) {
	t.Parallel()
	for name, text := range files(t) {
		var n yaml.Node
		if err := yaml.Unmarshal(text, &n); err != nil {
			t.Fatal(err)
		}
		for _, indent := range []string{"", "\t"} {
			var b bytes.Buffer
			if err := json.Indent(&b, appendJSON(t, nil, n.Content[0]), "", indent); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(parse(t, name, text), parse(t, name, b.Bytes()), sameSpec); diff != "" {
				t.Errorf("%s (-yaml +json)\n%s", name, diff)
			}
		}
	}
}

// appendJSON appends n as JSON. It keeps the order of the keys and the digits of numbers.
func appendJSON(t *testing.T, b []byte, n *yaml.Node) []byte {
	t.Helper()
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		open, end := byte('['), byte(']')
		if n.Kind == yaml.MappingNode {
			open, end = '{', '}'
		}
		b = append(b, open)
		for i, c := range n.Content {
			switch {
			case i > 0 && open == '{' && i%2 == 1:
				b = append(b, ':')
			case i > 0:
				b = append(b, ',')
			}
			b = appendJSON(t, b, c)
		}
		return append(b, end)
	}
	if n.Tag == "!!int" {
		if v, err := strconv.ParseUint(n.Value, 0, 64); err == nil {
			return strconv.AppendUint(b, v, 10)
		}
		return append(b, n.Value...)
	}
	if n.Tag == "!!bool" {
		return append(b, n.Value...)
	}
	text, err := json.Marshal(n.Value)
	if err != nil {
		t.Fatal(err)
	}
	return append(b, text...)
}

// TestJSONText checks names in JSON with escapes, and values with more digits than a float has.
func TestJSONText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ reason, name, want string }{
		{"a pair of escapes", `"\ud834\udd1e"`, "\U0001D11E"},
		{"two pairs of escapes with capital digits", `"\uD834\uDD1E\uD834\uDD1Ex"`, "\U0001D11E\U0001D11Ex"},
		{"an escaped backslash before digits of a surrogate", `"\\ud834"`, `\ud834`},
		{"digits of a surrogate after another escape", `"\td834"`, "\td834"},
		{"digits of a surrogate without a backslash", `"ud834"`, "ud834"},
		{"the replacement character itself", `"\ufffd"`, "\uFFFD"},
		{"a byte order mark", `"\ufeffa"`, "\uFEFFa"},
		{"a number is the text as typed", "1e3", "1e3"},
		{"more digits than a float has", "12345678901234567890123", "12345678901234567890123"},
		{"a boolean is the text as typed", "true", "true"},
	} {
		s := parse(t, "", []byte("\uFEFF \n{\"objects\": [{\"ObjectNameTitleIndex\": 2, \"instances\": [{\"name\": "+tt.name+"}]}]}"))
		if got := dataOf(s).Objects[0].Instances[0].Name; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.reason, got, tt.want)
		}
	}
	s := parse(t, "", []byte(`{"objects": [{"ObjectNameTitleIndex": 2, "values": [18446744073709551615, 9007199254740993]}]}`))
	if got := dataOf(s).Objects[0].Values; got[0] != 1<<64-1 || got[1] != 1<<53+1 {
		t.Errorf("%d: the values were rounded to floats", got)
	}
}

// TestJSONErrors checks the errors for faulty JSON, with line and column.
func TestJSONErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []errorTest{
		{"an empty text", " ", "1:2: unexpected end of JSON input"},
		{"a list without end", `{"objects": [`, "1:14: unexpected end of JSON input"},
		{"a syntax error", "{\n \"objects\": x}", "2:13: invalid character 'x' looking for beginning of value"},
		{"an extra comma", `{"é": 1,}`, "1:9: invalid character '}' looking for beginning of object key string"},
		{"a missing comma in a nested list", "{\"objects\": [\n{\"a\": [1,\n 2 3]}]}", "3:4: invalid character '3' after array element"},
		{"a second value", "{\"objects\": []}\n{}", "2:1: invalid character '{' after top-level value"},
		{"a comment", "# x\n{}", "1:1: invalid character '#' looking for beginning of value"},
		{"half of a surrogate pair", `{"SystemName": "é\ud834"}`, `1:18: \ud834 is half of a surrogate pair, write both halves`},
		{"the second half of a pair", `{"SystemName": "\udd1e\ud834"}`, `1:17: \udd1e is half of a surrogate pair, write both halves`},
		{"two first halves", `{"SystemName": "\ud834\ud834\udd1e"}`, `1:17: \ud834 is half of a surrogate pair, write both halves`},
		{"half of a pair, and the other half is not an escape", `{"SystemName": "\ud834xudd1e"}`, `1:17: \ud834 is half of a surrogate pair, write both halves`},
		{"half of a pair in a key", `{"\ud834": 1}`, `1:3: \ud834 is half of a surrogate pair, write both halves`},
		{"not UTF-8", "{\"SystemName\": \"\xff\"}", "1:17: byte 0xff is not UTF-8; save the text as UTF-8"},
		{"a repeated key", `{"objects": [], "SystemName": "a", "SystemName": "a"}`, "1:36: SystemName is repeated, first at 1:17; remove one"},
		{"a key and its escaped form", `{"objects": [], "object\u0073": []}`, "1:17: objects is repeated, first at 1:2; remove one"},
		{"an unknown key", "{\n\t\"object\": []}", `2:2: a data block has no key "object"; did you mean objects?`},
		{"columns count characters", `{"SystemName": "é𝄞", "x": 1}`, `1:22: a data block has no key "x"`},
		{"more than 64 bits", `{"objects": [{"ObjectNameTitleIndex": 2, "values": [18446744073709551616]}]}`, `1:53: values: "18446744073709551616" does not fit 64 bits`},
		{"not a whole number", `{"objects": [{"ObjectNameTitleIndex": 2.0}]}`, `1:39: ObjectNameTitleIndex: "2.0" is not a whole number`},
		{"a number in quotes", `{"objects": [{"ObjectNameTitleIndex": "2"}]}`, `1:39: ObjectNameTitleIndex: is the text "2", must be a whole number`},
		{"null", `{"SystemName": null, "objects": []}`, `1:16: SystemName: is null, must be a text; write "null" with the quotes`},
		{"an error of the builder", "{\"objects\": [{\"ObjectNameTitleIndex\": 2,\n\"DefaultCounter\": 1}]}", "2:19: object[0].DefaultCounter: is 1, must be -1, or the position or title index of a counter that is not a base"},
	} {
		tt.run(t, "t.json")
	}
	if _, err := spec.Parse("t.yaml", []byte("{objects: []}")); err == nil {
		t.Error("YAML in braces is accepted, must be JSON")
	}
}
