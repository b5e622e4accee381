package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// schema returns docs/schema/perfblock-spec.schema.json, the JSON Schema (2020-12) of the text
// form for editors. It describes each value, but not how values depend on each other.
func schema() []byte {
	whole := members{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", "https://raw.githubusercontent.com/perfblock/perfblock/main/docs/schema/perfblock-spec.schema.json"},
		{"title", "perfblock spec"},
		{"description", "A block of Windows performance counters in text form. " + ruleOfKeys},
		{"type", "object"},
		{"properties", members{{"kind", kindForm.schema}}},
		{"allOf", kindSchemas()},
		{"$defs", definitions()},
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(whole); err != nil {
		panic(err) // cannot happen: the schema has only strings, numbers and booleans
	}
	return b.Bytes()
}

// kindSchemas returns, for each kind, the condition on the key kind and the schema of the text.
func kindSchemas() []any {
	var all []any
	for kind, w := range kindMappings {
		is := members{{"properties", members{{"kind", members{{"const", w.name}}}}}}
		if layout.Kind(kind) != layout.DataBlockKind { // the default
			is = append(is, member{"required", []string{"kind"}})
		}
		all = append(all, members{{"if", is}, {"then", ref(w.name)}})
	}
	return all
}

const ruleOfKeys = "Keys in CamelCase are names of the format and the model. Keys in lower case belong to the text form only. Missing keys are computed. 0 means the same as a missing key, except for DefaultCounter, UniqueID and the ids by which a registered counter refers to other counters."

// A section is the part of a mapping that the schema and the reference describe.
type section struct {
	name, doc string
	rows      []row
}

func sectionOf[T any](m *mapping[T]) section { return section{m.name, m.doc, m.rows()} }

// sections lists the mappings in the order of the reference.
func sections() []section {
	var list []section
	for _, w := range kindMappings {
		list = append(list, sectionOf(&w.mapping))
	}
	return append(list,
		sectionOf(&objectMapping),
		sectionOf(&counterMapping),
		sectionOf(&instanceMapping),
		sectionOf(&resultMapping),
		sectionOf(&queryCounterMapping),
		sectionOf(&queryInstanceMapping),
		sectionOf(&listedInstanceMapping),
		sectionOf(&identifierMapping),
		sectionOf(&regCounterMapping),
		sectionOf(&stringMapping),
		sectionOf(&templateCounterMapping),
		sectionOf(&timeMapping),
		sectionOf(&bytesMapping),
		sectionOf(&rangeMapping),
		sectionOf(&insertMapping),
		sectionOf(&appendMapping),
	)
}

func definitions() members {
	var defs members
	for _, s := range sections() {
		defs = append(defs, member{s.name, s.schema()})
	}
	hex := row{name: "hex", form: hexForm, required: true, doc: "Two hexadecimal digits for each byte."}
	return append(defs,
		member{"hex", section{"hex", "Bytes.", []row{hex}}.schema()},
		member{"patch", patchSchema()},
	)
}

// schema returns the JSON Schema of a mapping.
func (s section) schema() members {
	var required []string
	var properties members
	for _, r := range s.rows {
		properties = append(properties, member{r.name, described(r.doc, r.form.schema)})
		if r.required {
			required = append(required, r.name)
		}
	}
	out := members{{"description", s.doc}, {"type", "object"}, {"additionalProperties", false}}
	if required != nil {
		out = append(out, member{"required", required})
	}
	return append(out, member{"properties", properties})
}

func patchSchema() members {
	one := members{{"minProperties", 1}, {"maxProperties", 1}}
	var properties members
	for _, v := range operations {
		properties = append(properties, member{v.name, described(v.doc, v.schema)})
	}
	write := members{{"description", writeDoc}, {"anyOf", []any{numberSchema, members{{"type", "string"}}, ref("hex")}}}
	word := append(members{{"type", "object"}, {"additionalProperties", false}}, one...)
	word = append(word, member{"properties", properties}, member{"patternProperties", members{{pathPattern, write}}})
	return members{{"description", patchDoc}, {"anyOf", []any{ref(bytesMapping.name), word}}}
}

const (
	patchDoc = "One change to the bytes of the block. Paths and offsets refer to the block before any patch. Writes come first, in order, then cuts and inserts, then appended bytes."
	writeDoc = "Writes over the part that the path names: a number, little-endian, in the width of the field or value; the name of a number, such as a CounterType; a GUID over a GUID; or bytes, {hex: \"…\"}, at most as many as the part has. Indexes count from 0."
)

// pathPattern matches a path whose first element exists in a block of some kind.
var pathPattern = `^((` + strings.Join(listParts, "|") + `)\[[0-9]+\](\.[A-Za-z][A-Za-z0-9]*(\[[0-9]+\])?){0,4}|(dw)?[A-Z][A-Za-z0-9]*(\.[A-Za-z0-9]+)?|padding)$`

var (
	pathSchema   = members{{"type", "string"}, {"pattern", pathPattern}}
	textSchema   = members{{"type", []string{"string", "number", "boolean"}}}
	numberSchema = members{{"type", "integer"}}
	hexSchema    = members{{"type", []string{"string", "integer"}}, {"pattern", `^\s*([0-9A-Fa-f]\s*[0-9A-Fa-f]\s*)*$`}}
)

// typeSchema returns the schema of a counter type. It lists the names for completion in editors
// and allows names and numbers joined by |.
func typeSchema() any {
	return anyOf(enumSchema(typeNames()...), flagsSchema("PERF_"), members{{"type", "string"}, {"pattern", `^0[xX][0-9A-Fa-f]{1,8}$`}}, integerSchema(dword))
}

// flagsSchema returns the schema of names that start with prefix, and numbers, joined by |.
func flagsSchema(prefix string) any {
	word := "(" + prefix + "[A-Z0-9_]+|0[xX][0-9A-Fa-f]+|[0-9]+)"
	return members{{"type", "string"}, {"pattern", `^\s*` + word + `(\s*\|\s*` + word + `)+\s*$`}}
}

func integerSchema(s span) any {
	return members{{"type", "integer"}, {"minimum", s.lo}, {"maximum", s.hi}}
}

func enumSchema(words ...string) any { return members{{"enum", words}} }

func anyOf(schemas ...any) any { return members{{"anyOf", schemas}} }

func listSchema(of any) any { return members{{"type", "array"}, {"items", of}} }

func ref(name string) members { return members{{"$ref", "#/$defs/" + name}} }

// described adds a description to a schema.
func described(doc string, schema any) members {
	return append(members{{"description", doc}}, schema.(members)...)
}

// reference returns the page docs/schema/keys.md, which lists every key.
func reference() []byte {
	var b strings.Builder
	b.WriteString("# Keys of a spec\n\n<!-- Code generated by go test ./spec -update; DO NOT EDIT. -->\n\n" + ruleOfKeys + "\n\n" + ruleOfNumbers + "\n")
	fmt.Fprintf(&b, ruleOfSize+"\n", reader.MaxBytes>>20, maxPatches, reader.MaxMarks, yamltext.Marks, reader.MaxLineMarks)
	for _, s := range sections() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", s.name, s.doc)
		b.WriteString("| key | value | |\n|---|---|---|\n")
		for _, r := range s.rows {
			writeRow(&b, r)
		}
	}
	b.WriteString("\n## patch\n\n" + patchDoc + "\n\n| key | |\n|---|---|\n")
	fmt.Fprintf(&b, "| a path, such as `object[0].instance[1].NameLength` | %s |\n", writeDoc)
	fmt.Fprintf(&b, "| `at`, `hex` | %s |\n", bytesMapping.doc)
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
	ruleOfNumbers = "A number is decimal, or hexadecimal, octal or binary after `0x`, `0o` or `0b`. It may have a sign, `+5`, and must not have a `_` between its digits. JSON has decimal numbers only."
	ruleOfSize    = "\nTo limit the memory for reading, a text may have at most %d MiB and %d patches. It may have %d of the characters `%s`, but only %d of them on one line of YAML. A hyphen before a letter or digit and characters in the quotes of JSON do not count. A list of decimal numbers on one line counts as one character."
)

func writeRow(b *strings.Builder, r row) {
	doc := sentence(r.doc)
	if r.required {
		doc = strings.TrimSpace("Required. " + doc)
	}
	fmt.Fprintf(b, "| `%s` | %s | %s |\n", r.name, strings.ReplaceAll(r.form.name, "|", `\|`), strings.ReplaceAll(doc, "|", `\|`))
}

// sentence returns the text with a capital letter and a full stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	s = strings.ToUpper(s[:1]) + s[1:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// members is a JSON object with ordered members.
type members []member

type member struct {
	name  string
	value any
}

// MarshalJSON returns the JSON object with the members in their order.
func (m members) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, one := range m {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(one.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(one.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}
