package spec

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// Schema returns the JSON Schema (2020-12) of the text form, for editors:
// docs/schema/perfblock-spec.schema.json. It says what a text can hold, not all
// that is wrong with one: what values mean together is beyond it.
func Schema() []byte {
	schema := members{
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
	if err := e.Encode(schema); err != nil {
		panic(err) // it is made of strings and numbers alone
	}
	return b.Bytes()
}

// kindSchemas returns what holds for a text of each kind.
func kindSchemas() []any {
	var all []any
	for kind, w := range wholes {
		is := members{{"properties", members{{"kind", members{{"const", w.name}}}}}}
		if layout.Kind(kind) != layout.DataBlockKind { // which a text without the key is of
			is = append(is, member{"required", []string{"kind"}})
		}
		all = append(all, members{{"if", is}, {"then", ref(w.name)}})
	}
	return all
}

const ruleOfKeys = "Keys in CamelCase are what the format and the model have under that name; keys in lower case are the text form's own. What is left out is computed, and 0 is as good as leaving a key out, but for DefaultCounter, UniqueID and the ids by which a registered counter refers to others."

// A section is a mapping's table, as the schema and the reference need it.
type section struct {
	name, doc string
	rows      []row
}

func sectionOf[T any](m *mapping[T]) section { return section{m.name, m.doc, m.rows()} }

// sections lists the mappings in the order of the reference.
func sections() []section {
	var list []section
	for _, w := range wholes {
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

// schema returns the schema of the mapping.
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
	for _, v := range verbs {
		properties = append(properties, member{v.name, described(v.doc, v.schema)})
	}
	write := members{{"description", writeDoc}, {"anyOf", []any{numberSchema, members{{"type", "string"}}, ref("hex")}}}
	word := append(members{{"type", "object"}, {"additionalProperties", false}}, one...)
	word = append(word, member{"properties", properties}, member{"patternProperties", members{{pathPattern, write}}})
	return members{{"description", patchDoc}, {"anyOf", []any{ref(bytesMapping.name), word}}}
}

const (
	patchDoc = "One change to the bytes. What it names is looked up in the block before any patch. Writes come first, in order, then cuts and inserts, then what is appended."
	writeDoc = "Writes over the part that the key is the path of: a number, little-endian, at the width of the field or value, the name of a value that has one, such as a CounterType, over a GUID its text, or bytes, {hex: \"…\"}, not longer than the part."
)

// pathPattern is of paths that start in what a block consists of, or before that.
var pathPattern = `^((` + strings.Join(listParts, "|") + `)\[[0-9]+\](\.[A-Za-z][A-Za-z0-9]*(\[[0-9]+\])?){0,4}|(dw)?[A-Z][A-Za-z0-9]*(\.[A-Za-z0-9]+)?|padding)$`

var (
	pathSchema   = members{{"type", "string"}, {"pattern", pathPattern}}
	textSchema   = members{{"type", []string{"string", "number", "boolean"}}}
	numberSchema = members{{"type", "integer"}}
	hexSchema    = members{{"type", []string{"string", "integer"}}, {"pattern", `^\s*([0-9A-Fa-f]\s*[0-9A-Fa-f]\s*)*$`}}
)

// typeSchema returns the schema of a counter type. Its names are listed for editors to
// complete; any text that is made of words joined by | is let through, for the bits.
func typeSchema() any {
	return anyOf(enumSchema(typeNames()...), flagsSchema("PERF_"), members{{"type", "string"}, {"pattern", `^0[xX][0-9A-Fa-f]{1,8}$`}}, integerSchema(dword))
}

// flagsSchema returns the schema of words that begin so, and numbers, joined by |.
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

// described returns the schema with a description before the rest.
func described(doc string, schema any) members {
	return append(members{{"description", doc}}, schema.(members)...)
}

// members is a JSON object whose members keep their order.
type members []member

type member struct {
	name  string
	value any
}

// MarshalJSON returns the object.
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
