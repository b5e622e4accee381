package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Encode returns a JSON Schema as the text of a file.
func Encode(schema any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(schema); err != nil {
		panic(err) // cannot happen: a schema has only strings, numbers and booleans
	}
	return b.Bytes()
}

// A Section describes the properties of a mapping. The schema and the reference page show each Section.
type Section struct {
	Name, Doc string
	Rows      []Row
}

// A Row has the properties of a key that the schema and the reference page show.
type Row struct {
	Name, Doc string
	Form      *Form
	Required  bool
}

// Section returns the keys with their descriptions. If OwnDoc is false, the description of the record's field comes
// before the Doc of the key.
func (m *Mapping[T]) Section() Section {
	rows := make([]Row, len(m.Keys))
	for i, k := range m.Keys {
		rows[i] = Row{k.Name, k.Doc, k.Form, k.Required}
		if m.Record == nil || k.OwnDoc {
			continue
		}
		switch f := m.Record.Field(k.Name); {
		case f != nil && k.Doc == "":
			rows[i].Doc = f.Doc
		case f != nil:
			rows[i].Doc = f.Doc + ". " + k.Doc
		}
	}
	return Section{m.Name, m.Doc, rows}
}

// Schema returns the JSON Schema of the mapping.
func (s Section) Schema() Members {
	var required []string
	var properties Members
	for _, r := range s.Rows {
		properties = append(properties, Member{r.Name, Described(r.Doc, r.Form.Schema)})
		if r.Required {
			required = append(required, r.Name)
		}
	}
	out := Members{{"type", "object"}, {"additionalProperties", false}}
	if s.Doc != "" {
		out = Described(s.Doc, out)
	}
	if required != nil {
		out = append(out, Member{"required", required})
	}
	return append(out, Member{"properties", properties})
}

// Reference returns the section of the reference page, in Markdown.
func (s Section) Reference() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| key | value | |\n|---|---|---|\n", s.Name, s.Doc)
	cell := strings.NewReplacer("|", `\|`)
	for _, r := range s.Rows {
		doc := sentence(r.Doc)
		if r.Required {
			doc = strings.TrimSpace("Required. " + doc)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Name, cell.Replace(r.Form.Name), cell.Replace(doc))
	}
	return b.String()
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

// TextSchema is the schema of a text. It also accepts a number or a boolean, because the reader accepts a number or
// a boolean as text.
var TextSchema = Members{{"type", []string{"string", "number", "boolean"}}}

// IntegerSchema returns the schema of a number in the range s.
func IntegerSchema(s Span) Members {
	return Members{{"type", "integer"}, {"minimum", s.Lo}, {"maximum", s.Hi}}
}

// EnumSchema returns the schema of a value that is one of the words.
func EnumSchema(words ...string) Members { return Members{{"enum", words}} }

// PatternSchema returns the schema of a text that matches a regular expression.
func PatternSchema(pattern string) Members { return Members{{"type", "string"}, {"pattern", pattern}} }

// AnyOf returns the schema of a value that matches at least one of the given schemas.
func AnyOf(schemas ...Members) Members { return Members{{"anyOf", schemas}} }

// ListSchema returns the schema of a list.
func ListSchema(of Members) Members { return Members{{"type", "array"}, {"items", of}} }

// Ref returns a schema that refers to the schema called name in $defs.
func Ref(name string) Members { return Members{{"$ref", "#/$defs/" + name}} }

// Described adds a description to a schema.
func Described(doc string, schema Members) Members {
	return append(Members{{"description", doc}}, schema...)
}

// Members is a JSON object with ordered members.
type Members []Member

// A Member is the name and the value of a member of a JSON object.
type Member [2]any

// MarshalJSON returns the JSON object with the members in their order.
func (m Members) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, one := range m {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(one[0])
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(one[1])
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}
