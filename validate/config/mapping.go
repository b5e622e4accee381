package config

import (
	"bytes"
	"encoding/json"
	"maps"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
)

// A key is a key of a mapping, with its description and the JSON Schema of its value.
type key[T any] struct {
	name   string
	doc    string
	schema schema
	// read stores the value in a field of `to`. An error without a place is reported at the value.
	read func(to *T, name, value *yaml.Node) error
}

// A mapping describes one type of YAML mapping by its keys. Parse uses it, also for the suggestions
// in errors, and the JSON Schema is made from it.
type mapping[T any] struct {
	what    string // what the mapping is, for messages
	unknown string // format of the message about an unknown key, with the key and a suggestion
	keys    []key[T]

	other func(name string) (*key[T], error) // returns the key for a name that keys does not have; nil for none
	note  func(to *T, name string, line int) // takes the line of each key; nil if lines do not matter
}

// read stores the values of the mapping n in the fields of `to`.
func (m *mapping[T]) read(n *yaml.Node, to *T) error {
	if n.Kind != yaml.MappingNode {
		return yamltext.On(n, "%s must be a mapping, is %s", m.what, yamltext.Describe(n))
	}
	var faults yamltext.Faults
	first := make(map[string]*yaml.Node)
	for i := 0; i < len(n.Content) && !faults.Full(); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		k, err := m.find(name)
		if err != nil {
			faults.Add(err)
			continue
		}
		if at := first[k.name]; at != nil {
			faults.Add(yamltext.On(name, "%s is repeated, first at %d:%d; remove one", k.name, at.Line, at.Column))
			continue
		}
		first[k.name] = name
		faults.Add(yamltext.Under(k.name, value, k.read(to, name, value)))
		if m.note != nil {
			m.note(to, k.name, name.Line)
		}
	}
	return faults.Err()
}

// find returns the key with the name.
func (m *mapping[T]) find(name *yaml.Node) (*key[T], error) {
	if name.Kind != yaml.ScalarNode {
		return nil, yamltext.On(name, "a key must be a word, is %s", yamltext.Describe(name))
	}
	for i := range m.keys {
		if m.keys[i].name == name.Value {
			return &m.keys[i], nil
		}
	}
	if m.other != nil {
		if k, err := m.other(name.Value); err != nil {
			return nil, yamltext.On(name, "%w", err)
		} else if k != nil {
			return k, nil
		}
	}
	return nil, yamltext.On(name, m.unknown, quote.Short(name.Value), suggest.DidYouMean(name.Value, m.names()))
}

func (m *mapping[T]) names() []string {
	var names []string
	for _, k := range m.keys {
		names = append(names, k.name)
	}
	return names
}

// A schema is a JSON Schema or a part of one.
type schema map[string]any

func oneOf(words []string) schema { return schema{"enum": words} }

func ref(name string) schema { return schema{"$ref": "#/$defs/" + name} }

// fileSchema returns the JSON Schema (2020-12) of the file, which is stored in
// docs/schema/perfblock-config.schema.json. Unlike Parse, the schema accepts a file that sets a rule both
// by ID and by name, a pattern that matches no rule, and a glob with an error.
func fileSchema() []byte {
	whole := schema{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         "https://raw.githubusercontent.com/perfblock/perfblock/main/docs/schema/perfblock-config.schema.json",
		"title":       FileName,
		"description": "How perfblock validates the blocks in a folder and its subfolders.",
		"anyOf":       []schema{ref("file"), nullSchema},
		"$defs": schema{
			"file":     fileMapping.schema(),
			"rules":    orNull(withPatterns(rulesMapping.schema(), ref("rule"))),
			"rule":     schema{"anyOf": []schema{oneOf(severities()), ref("setting")}},
			"override": withRequired(overrideMapping.schema(), "paths"),
			"setting":  withRequired(settingMapping.schema(), "severity"),
		},
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(whole); err != nil {
		panic(err) // cannot happen: a schema has only strings and numbers
	}
	return b.Bytes()
}

// nullSchema is the schema of a file or a list whose lines are all commented out.
var nullSchema = schema{"type": "null"}

func (m *mapping[T]) schema() schema {
	properties := schema{}
	for _, k := range m.keys {
		one := schema{"description": k.doc}
		maps.Copy(one, k.schema)
		properties[k.name] = one
	}
	return schema{"type": "object", "additionalProperties": false, "properties": properties}
}

func listOf(element schema) schema { return schema{"type": "array", "items": element} }

func atLeastOne(list schema) schema {
	list["minItems"] = 1
	return list
}

func orNull(s schema) schema { return schema{"anyOf": []schema{s, nullSchema}} }

// globSchema is the schema of a glob.
var globSchema = schema{"type": "string", "minLength": 1}

// withPatterns adds keys that are patterns to the schema of a mapping.
func withPatterns(s schema, value schema) schema {
	s["patternProperties"] = schema{`[*?\[]`: value}
	return s
}

func withRequired(s schema, names ...string) schema {
	s["required"] = names
	return s
}
