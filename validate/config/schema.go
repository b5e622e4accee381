package config

import (
	"bytes"
	"encoding/json"
	"maps"
)

// A schema is a piece of JSON Schema.
type schema map[string]any

func oneOf(words []string) schema { return schema{"enum": words} }

func ref(name string) schema { return schema{"$ref": "#/$defs/" + name} }

// Schema returns the JSON Schema (2020-12) of the file, for editors:
// docs/schema/perfblock-config.schema.json. It cannot say that a rule is not to be set
// by ID and by name at once.
func Schema() []byte {
	whole := schema{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         "https://raw.githubusercontent.com/perfblock/perfblock/main/docs/schema/perfblock-config.schema.json",
		"title":       FileName,
		"description": "How perfblock judges the blocks in a folder and below.",
		"anyOf":       []schema{ref("file"), nothing},
		"$defs": schema{
			"file":    fileMapping.schema(),
			"rules":   schema{"anyOf": []schema{rulesMapping.schema(), nothing}},
			"rule":    schema{"anyOf": []schema{oneOf(severities()), ref("setting")}},
			"setting": withRequired(settingMapping.schema(), "severity"),
		},
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(whole); err != nil {
		panic(err) // it is made of texts and numbers alone
	}
	return b.Bytes()
}

// nothing is what a file or a list of rules is in which all is commented out.
var nothing = schema{"type": "null"}

func (m *mapping[T]) schema() schema {
	properties := schema{}
	for _, k := range m.keys {
		one := schema{"description": k.doc}
		maps.Copy(one, k.schema)
		properties[k.name] = one
	}
	return schema{"type": "object", "additionalProperties": false, "properties": properties}
}

func withRequired(s schema, names ...string) schema {
	s["required"] = names
	return s
}
