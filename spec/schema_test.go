package spec_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/spec"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
)

// TestGenerated checks that the files in docs/schema are up to date.
func TestGenerated(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][]byte{
		"../docs/schema/perfblock-spec.schema.json": spec.Schema(),
		"../docs/schema/keys.md":                    spec.Reference(),
	} {
		golden.File(t, path, string(want))
	}
}

// compiled returns the JSON Schema for validation.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("spec.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("spec.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// instance converts YAML to the Go value that the schema validates.
func instance(t *testing.T, text []byte) any {
	t.Helper()
	var n yaml.Node
	if err := yaml.Unmarshal(text, &n); err != nil {
		t.Fatal(err)
	}
	return plain(t, n.Content[0])
}

// plain converts n to the Go value that package encoding/json would decode from the same content.
func plain(t *testing.T, n *yaml.Node) any {
	t.Helper()
	switch {
	case n.Kind == yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(t, n.Content[i+1])
		}
		return m
	case n.Kind == yaml.SequenceNode:
		list := []any{}
		for _, n := range n.Content {
			list = append(list, plain(t, n))
		}
		return list
	case n.Tag == "!!int":
		if v, err := strconv.ParseUint(n.Value, 0, 64); err == nil {
			return json.Number(strconv.FormatUint(v, 10))
		}
		return json.Number(n.Value)
	case n.Tag == "!!float":
		return json.Number(n.Value)
	case n.Tag == "!!bool":
		return n.Value == "true"
	case n.Tag == "!!null":
		return nil
	}
	return n.Value
}

// TestSchemaAcceptsSpecs checks that the schema accepts all texts in testdata, and the texts
// that AppendYAML writes for their Specs.
func TestSchemaAcceptsSpecs(t *testing.T) {
	t.Parallel()
	schema := compiled(t)
	for name, text := range files(t) {
		if err := schema.Validate(instance(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		again, err := parse(t, name, text).AppendYAML(nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if err := schema.Validate(instance(t, again)); err != nil {
			t.Errorf("%s, as AppendYAML writes it: %v", name, err)
		}
	}
}

// object returns the text of a block with one object that has the given keys.
func object(keys string) string { return "objects:\n- {ObjectNameTitleIndex: 2, " + keys + "}\n" }

// patch returns the text of a block with one patch.
func patch(p string) string { return "objects: []\npatches:\n- " + p + "\n" }

// TestSchemaRefuses checks that the JSON Schema and Parse both refuse faulty texts.
func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	schema := compiled(t)
	for _, tt := range []struct{ reason, text string }{
		{"a list", "[]"},
		{"objects is required", "SystemName: x"},
		{"objects is a list", "objects: {}"},
		{"an unknown key", "objects: []\nobject: 1"},
		{"an unknown kind", "kind: data\nobjects: []"},
		{"a header key with kind objects", "kind: objects\nSystemName: x\nobjects: []"},
		{"a list for a name", "SystemName: [x]\nobjects: []"},
		{"a date without time", "SystemTime: '2020-05-01'\nobjects: []"},
		{"finer than milliseconds", "SystemTime: '2020-05-01T12:34:56.7891Z'\nobjects: []"},
		{"an unknown field of SYSTEMTIME", "SystemTime: {year: 2020}\nobjects: []"},
		{"a field of 16 bits", "SystemTime: {wYear: 65536}\nobjects: []"},
		{"a clock below 0", "PerfTime: -1\nobjects: []"},
		{"a fraction", "PerfTime: 1.5\nobjects: []"},
		{"more than 63 bits", "PerfTime: 9223372036854775808\nobjects: []"},
		{"more than 31 bits", "DefaultObject: 2147483648\nobjects: []"},
		{"a number in quotes", "DefaultObject: '1'\nobjects: []"},
		{"an object without a title", "objects: [{}]"},
		{"an unknown detail level", object("DetailLevel: PERF_DETAIL_NEWBIE")},
		{"a help text that is not an index", object("ObjectHelpTitleIndex: some")},
		{"a number of instances", object("NumInstances: 3")},
		{"a number for a flag", object("duplicateNames: 1")},
		{"a computed field", object("TotalByteLength: 8")},
		{"a counter without a type", object("counters: [{CounterNameTitleIndex: 2}]")},
		{"an unknown type", object("counters: [{CounterType: PERF_COUNTER}]")},
		{"a type of 33 bits", object("counters: [{CounterType: 4294967296}]")},
		{"a scale out of range", object("counters: [{CounterType: 0, DefaultScale: 8}]")},
		{"a negative value", object("values: [-1]")},
		{"more than 64 bits", object("values: [18446744073709551616]")},
		{"no value", object("values: [null]")},
		{"an odd number of digits", object("values: [{hex: abc}]")},
		{"no digits", object("values: [{hex: xy}]")},
		{"null for a name", object("instances: [{name: null}]")},
		{"an unknown key of an instance", object("instances: [{Name: x}]")},
		{"an empty patch", patch("{}")},
		{"two patches in one", patch("{Signature: 1, Version: 2}")},
		{"an unknown operation", patch("{remove: Signature}")},
		{"bytes without a place", patch("{hex: '00'}")},
		{"a place without bytes", patch("{at: 0}")},
		{"a range without an end", patch("{cut: {from: 0}}")},
		{"insert without bytes", patch("{insert: {at: 0}}")},
		{"append with a place", patch("{append: {at: 0, hex: '00'}}")},
		{"not a path", patch("{'object[0]..x': 1}")},
		{"a path that begins in no kind of block", patch("{cut: 'value[0]'}")},
	} {
		if schema.Validate(instance(t, []byte(tt.text))) == nil {
			t.Errorf("%s: the schema accepts\n%s", tt.reason, tt.text)
		}
		if s, err := spec.Parse("", []byte(tt.text)); err == nil {
			t.Errorf("%s: Parse accepts the text and returns %+v", tt.reason, s)
		}
	}
}

// TestReferenceIsComplete checks that docs/schema/keys.md has a table for each kind and has no
// table twice. It also searches the page for some keys.
func TestReferenceIsComplete(t *testing.T) {
	t.Parallel()
	page := string(spec.Reference())
	for _, want := range []string{"`duplicateNames`", "`withBase`", "`wMilliseconds`", "`PERF_PRECISION_TIMESTAMP`", "`insert`", "`shortIDs`", "`fromEntries`", "`MultiId`"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in the reference", want)
		}
	}
	headings := map[string]bool{}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "## ") && headings[line] {
			t.Errorf("there are two tables %s", line)
		}
		headings[line] = true
	}
	for _, kind := range layout.Kinds() {
		if !headings["## "+kind.String()+"\n"] {
			t.Errorf("no table of the kind %v", kind)
		}
	}
}
