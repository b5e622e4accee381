package config_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/golden"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

const schemaFile = "../../docs/schema/perfblock-config.schema.json"

// TestGenerated checks that the schema in docs/schema is current.
func TestGenerated(t *testing.T) {
	t.Parallel()
	golden.File(t, schemaFile, string(config.Schema()))
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(config.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// plain converts a YAML tree to JSON values. An editor does the same before it validates YAML by a JSON Schema.
func plain(t *testing.T, n *yaml.Node) any {
	t.Helper()
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(t, n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		list := []any{}
		for _, n := range n.Content {
			list = append(list, plain(t, n))
		}
		return list
	}
	switch n.Tag {
	case "!!null":
		return nil
	case "!!int", "!!float":
		return json.Number(n.Value)
	case "!!bool":
		return n.Value == "true"
	}
	return n.Value
}

func instance(t *testing.T, text string) any {
	t.Helper()
	var n yaml.Node
	if err := yaml.Unmarshal([]byte(text), &n); err != nil {
		t.Fatal(err)
	}
	if len(n.Content) == 0 {
		return nil
	}
	return plain(t, n.Content[0])
}

// TestSchema checks that the schema and Parse accept the same texts.
func TestSchema(t *testing.T) {
	t.Parallel()
	schema := compiled(t)
	for _, tt := range []struct {
		text  string
		valid bool
	}{
		{"", true}, {"# nothing", true}, {"{}", true}, {"rules:", true}, {"rules: {}", true},
		{"profile: windows\nfail-on: never\nmax-findings: 0\nrules:\n  data-version: off\n  PERF1106: {severity: error, reason: x}", true},
		{"max-findings: 2147483647", true}, {"max-findings: 2147483648", false},
		{"max-findings: -1", false}, {"max-findings: 1.5", false}, {"max-findings: '1'", false}, {"max-findings:", false},
		{"[]", false}, {"profile", false}, {"profil: nt4", false}, {"profile: windoze", false}, {"profile:", false}, {"profile: [nt4]", false},
		{"fail-on: off", false}, {"fail-on: {}", false},
		{"rules: []", false}, {"rules: {data-verison: off}", false}, {"rules: {perf1105: off}", false},
		{"rules: {data-version: never}", false}, {"rules: {data-version: false}", false}, {"rules: {data-version:}", false}, {"rules: {data-version: {}}", false},
		{"rules: {inst-*: off, 'PERF14?5': {severity: info, reason: x}}", true}, {"rules: {inst-*: of}", false},
		{"overrides: [{paths: [a], kind: objects, profile: nt4, rules: {inst-*: off}}]", true}, {"overrides: []", true}, {"overrides:", true}, {"exclude: [a]", true}, {"exclude:", true},
		{"overrides: [{kind: objects}]", false}, {"overrides: [{paths: []}]", false}, {"overrides: [{paths: a}]", false}, {"overrides: [{paths: [a], kind: x}]", false}, {"overrides: [{paths: [a], fail-on: info}]", false},
		{"suppressions: a.yaml", true}, {"suppressions: 5", false}, {"suppressions:", false}, {"suppressions: ''", false},
		{"exclude: a", false}, {"exclude: ['']", false}, {"exclude: [1]", false},
		{"rules: {data-version: {reason: x}}", false}, {"rules: {data-version: {severity: off, because: x}}", false},
		{"rules: {data-version: {severity: off, reason: []}}", false}, {"rules: {data-version: {severity: off, reason: }}", false},
	} {
		fault := schema.Validate(instance(t, tt.text))
		if (fault == nil) != tt.valid {
			t.Errorf("%q: schema: %v", tt.text, fault)
		}
		if _, err := config.Parse("", []byte(tt.text)); (err == nil) != tt.valid {
			t.Errorf("%q: Parse: %v", tt.text, err)
		}
	}
}

// TestEveryRule checks that Parse and the schema accept the ID and the name of every rule.
func TestEveryRule(t *testing.T) {
	t.Parallel()
	schema, whole := compiled(t), string(config.Schema())
	for _, r := range validate.Rules() {
		for _, name := range []string{r.ID, r.Name} {
			text := "rules:\n  " + name + ": warning"
			c, err := config.Parse("", []byte(text))
			if err != nil || len(c.Rules) != 1 || c.Rules[0] != (validate.Override{Rule: r.Name, Severity: validate.Warning}) {
				t.Errorf("%s: %v, %v", name, c.Rules, err)
			}
			if err := schema.Validate(instance(t, text)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if !strings.Contains(whole, r.ID+" "+r.Name) {
			t.Errorf("the schema does not describe %s", r.ID)
		}
	}
}
