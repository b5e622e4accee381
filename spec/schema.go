package spec

import (
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// schema returns the JSON Schema (2020-12) in the file docs/schema/perfblock-spec.schema.json. It describes each
// value of a spec, but not how values depend on each other.
func schema() []byte {
	return form.Encode(form.Members{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", "https://raw.githubusercontent.com/perfblock/perfblock/main/docs/schema/perfblock-spec.schema.json"},
		{"title", "perfblock spec"},
		{"description", "A block of Windows performance counters in text form. " + ruleOfKeys},
		{"type", "object"},
		{"properties", form.Members{{"kind", kindForm.Schema}}},
		{"allOf", kindSchemas()},
		{"$defs", definitions()},
	})
}

// kindSchemas returns a condition and a schema for each kind. A text of this kind satisfies the condition. The
// text must then match the schema.
func kindSchemas() []any {
	var all []any
	for kind, w := range kindMappings {
		is := form.Members{{"properties", form.Members{{"kind", form.Members{{"const", w.Name}}}}}}
		if layout.Kind(kind) != layout.DataBlockKind { // the default
			is = append(is, form.Member{"required", []string{"kind"}})
		}
		all = append(all, form.Members{{"if", is}, {"then", form.Ref(w.Name)}})
	}
	return all
}

const ruleOfKeys = "Keys in CamelCase are names of the format and the model. Keys in lower case belong to the text form only. Missing keys are computed. 0 means the same as a missing key, except for DefaultCounter, UniqueID and the ids by which a registered counter refers to other counters."

// sections lists the mappings in the order of the reference.
func sections() []form.Section {
	var list []form.Section
	for _, w := range kindMappings {
		list = append(list, w.Section())
	}
	return append(list,
		objectMapping.Section(),
		counterMapping.Section(),
		instanceMapping.Section(),
		resultMapping.Section(),
		queryCounterMapping.Section(),
		queryInstanceMapping.Section(),
		listedInstanceMapping.Section(),
		identifierMapping.Section(),
		regCounterMapping.Section(),
		stringMapping.Section(),
		templateCounterMapping.Section(),
		timeMapping.Section(),
		bytesMapping.Section(),
		rangeMapping.Section(),
		insertMapping.Section(),
		appendMapping.Section(),
	)
}

func definitions() form.Members {
	var defs form.Members
	for _, s := range sections() {
		defs = append(defs, form.Member{s.Name, s.Schema()})
	}
	hex := form.Row{Name: "hex", Form: hexForm, Required: true, Doc: "Two hexadecimal digits for each byte."}
	return append(defs,
		form.Member{"hex", form.Section{Name: "hex", Doc: "Bytes.", Rows: []form.Row{hex}}.Schema()},
		form.Member{"patch", patchSchema()},
	)
}

func patchSchema() form.Members {
	one := form.Members{{"minProperties", 1}, {"maxProperties", 1}}
	var properties form.Members
	for _, v := range operations {
		properties = append(properties, form.Member{v.name, form.Described(v.doc, v.schema)})
	}
	write := form.Members{{"description", writeDoc}, {"anyOf", []any{numberSchema, form.Members{{"type", "string"}}, form.Ref("hex")}}}
	word := append(form.Members{{"type", "object"}, {"additionalProperties", false}}, one...)
	word = append(word, form.Member{"properties", properties}, form.Member{"patternProperties", form.Members{{pathPattern, write}}})
	return form.Members{{"description", patchDoc}, {"anyOf", []any{form.Ref(bytesMapping.Name), word}}}
}

const (
	patchDoc = "One change to the bytes of the block. Paths and offsets refer to the block before any patch. Writes come first, in order, then cuts and inserts, then appended bytes."
	writeDoc = "Overwrites the part at the path. The new value is a number, a GUID or bytes. A number is written in little-endian order and in the width of the field or value. Some fields, such as CounterType, also accept a name instead of a number. A GUID can only replace a GUID. Bytes are written as {hex: \"…\"}, and must not be longer than the part. Indexes in the path count from 0."
)

// pathPattern matches a path if its first element is possible in some kind of block.
var pathPattern = `^((` + strings.Join(listParts, "|") + `)\[[0-9]+\](\.[A-Za-z][A-Za-z0-9]*(\[[0-9]+\])?){0,4}|(dw)?[A-Z][A-Za-z0-9]*(\.[A-Za-z0-9]+)?|padding)$`

var (
	pathSchema   = form.Members{{"type", "string"}, {"pattern", pathPattern}}
	numberSchema = form.Members{{"type", "integer"}}
	hexSchema    = form.Members{{"type", []string{"string", "integer"}}, {"pattern", `^\s*([0-9A-Fa-f]\s*[0-9A-Fa-f]\s*)*$`}}
)

// typeSchema returns the schema of a counter type. The list of names is for completion in editors.
func typeSchema() form.Members {
	return form.AnyOf(form.EnumSchema(typeNames()...), flagsSchema("PERF_"), form.Members{{"type", "string"}, {"pattern", `^0[xX][0-9A-Fa-f]{1,8}$`}}, form.IntegerSchema(dword))
}

// flagsSchema returns the schema of a text of flags with vertical bars between them. A flag is a name that starts with
// prefix, or a number.
func flagsSchema(prefix string) form.Members {
	word := "(" + prefix + "[A-Z0-9_]+|0[xX][0-9A-Fa-f]+|[0-9]+)"
	return form.Members{{"type", "string"}, {"pattern", `^\s*` + word + `(\s*\|\s*` + word + `)+\s*$`}}
}

// reference returns the page docs/schema/keys.md, which lists every key.
func reference() []byte {
	var b strings.Builder
	b.WriteString("# Keys of a spec\n\n<!-- Code generated by go test ./spec -update; DO NOT EDIT. -->\n\n" + ruleOfKeys + "\n\n" + ruleOfNumbers + "\n")
	fmt.Fprintf(&b, ruleOfSize+"\n", reader.MaxBytes>>20, maxPatches, reader.MaxMarks, yamltext.Marks, reader.MaxLineMarks)
	for _, s := range sections() {
		b.WriteString(s.Reference())
	}
	b.WriteString("\n## patch\n\n" + patchDoc + "\n\n| key | |\n|---|---|\n")
	fmt.Fprintf(&b, "| a path, such as `object[0].instance[1].NameLength` | %s |\n", writeDoc)
	fmt.Fprintf(&b, "| `at`, `hex` | %s |\n", bytesMapping.Doc)
	for _, v := range operations {
		fmt.Fprintf(&b, "| `%s` | %s |\n", v.name, v.doc)
	}
	b.WriteString("\nInside braces a path with an index requires quotes.\n")
	b.WriteString("\n## Counter types\n\n")
	for _, name := range typeNames() {
		fmt.Fprintf(&b, "- `%s`\n", name)
	}
	return []byte(b.String())
}

const (
	ruleOfNumbers = "A number is decimal, or hexadecimal, octal or binary after `0x`, `0o` or `0b`. A sign is allowed, as in `+5`. A `_` between digits is not allowed. JSON has decimal numbers only."
	ruleOfSize    = "\nTo limit the memory for reading, a text may have at most %d MiB and %d patches. It may have %d of the characters `%s`, and %d of them on one line of YAML. These characters do not count in JSON strings, and a hyphen before a letter or digit does not count. In a list of decimal numbers on one line, such as `[1, 2, 3]`, only the first bracket counts."
)
