package config

import (
	"encoding/json"

	"github.com/perfblock/perfblock/internal/form"
)

// fileSchema returns the JSON Schema (2020-12) in docs/schema/perfblock-config.schema.json. Only Parse detects a
// rule with two settings, a pattern that matches no rule, and an invalid glob.
func fileSchema() []byte {
	pattern := form.Members{{`[*?\[]`, ruleForm.Schema}}
	text := form.Encode(form.Members{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", "https://raw.githubusercontent.com/perfblock/perfblock/main/docs/schema/perfblock-config.schema.json"},
		{"title", FileName},
		{"description", "How perfblock validates the blocks in a folder and its subfolders."},
		{"anyOf", []form.Members{form.Ref("file"), nullSchema}},
		{"$defs", form.Members{
			{"file", fileMapping.Section().Schema()},
			{"rules", orNull(append(ruleSection().Schema(), form.Member{"patternProperties", pattern}))},
			{"rule", form.AnyOf(severityForm.Schema, form.Ref(settingMapping.Name))},
			{overrideMapping.Name, overrideMapping.Section().Schema()},
			{settingMapping.Name, settingMapping.Section().Schema()},
		}},
	})
	var sorted any // the members of an object in alphabetical order
	if err := json.Unmarshal(text, &sorted); err != nil {
		panic(err) // cannot happen: the text is from Encode
	}
	return form.Encode(sorted)
}

// nullSchema is the schema of null. A file is null if all its lines are commented out.
var nullSchema = form.Members{{"type", "null"}}

func orNull(s form.Members) form.Members { return form.AnyOf(s, nullSchema) }

// globsSchema is the schema of a list of globs.
var globsSchema = form.ListSchema(form.Members{{"type", "string"}, {"minLength", 1}})
