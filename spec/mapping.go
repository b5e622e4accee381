package spec

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// A form is the form of a value: how it is read and written, and its description in the
// schema and the reference.
type form struct {
	name   string // in the reference
	schema any    // as JSON Schema
	// read sets what to points at. A plain error is about n as a whole.
	read func(n *yaml.Node, to any) error
	// zero reports whether the value is that of a missing key.
	zero func(from any) bool
	// write writes what read reads, on the line of the key or on lines below it that begin with
	// indent.
	write func(w *writer, from any, indent string) error
}

// A key is one row of a mapping's table.
type key[T any] struct {
	name     string
	form     *form
	doc      string
	ownDoc   bool // doc replaces the description of the format's field instead of following it
	required bool
	// needs are earlier keys that decide how the value is read. If one of them has a fault, the
	// value is not read, because its errors could be consequences.
	needs []string
	// field returns what the form reads into and writes from.
	field func(*T) any
}

// A mapping is the table of keys of one sort of mapping. Reading, writing, suggestions, the
// schema and the reference use it. Keys are read and written in the order of the table.
type mapping[T any] struct {
	name string // in the schema's $defs and the reference; the kind for a whole text
	what string // in messages, with the article
	doc  string
	// record is the structure that has the keys in CamelCase as fields.
	record *layout.Record
	keys   []key[T]
	// foreign returns a message about a key that is not in the table, or "".
	foreign func(word string) string
}

// noun returns what without the article.
func (m *mapping[T]) noun() string {
	_, noun, _ := strings.Cut(m.what, " ")
	return noun
}

// A row is a key without the type of what it sets.
type row struct {
	name, doc string
	form      *form
	required  bool
}

// rows returns the table with the documentation of the format's fields.
func (m *mapping[T]) rows() []row {
	rows := make([]row, len(m.keys))
	for i, k := range m.keys {
		rows[i] = row{k.name, k.doc, k.form, k.required}
		if m.record == nil || k.ownDoc {
			continue
		}
		switch f := m.record.Field(k.name); {
		case f != nil && k.doc == "":
			rows[i].doc = f.Doc
		case f != nil:
			rows[i].doc = f.Doc + ". " + k.doc
		}
	}
	return rows
}

// read sets to by the mapping n.
func (m *mapping[T]) read(n *yaml.Node, to *T) error {
	if n.Kind != yaml.MappingNode {
		return yamltext.On(n, "%s must be a mapping, is %s", m.what, yamltext.Describe(n))
	}
	var few [16]*yaml.Node // enough for every table, on the stack
	found := append(few[:0], make([]*yaml.Node, len(m.keys))...)
	faults := m.find(n, found)
	misspelled := len(faults) > 0 // then a missing key may be the misspelled one
	var faulty uint64             // bit i is key i
	for i, k := range m.keys {
		switch {
		case found[i] == nil && misspelled:
			faulty |= 1 << i
		case found[i] == nil && k.required:
			faults.Add(yamltext.On(n, "%s requires the key %s", m.what, k.name))
		case found[i] == nil || faulty&m.bits(k.needs) != 0:
		default:
			if err := k.form.read(found[i], k.field(to)); err != nil {
				faults.Add(yamltext.Under(k.name, found[i], err))
				faulty |= 1 << i
			}
		}
	}
	return faults.Err()
}

// bits returns a set with a bit for each name of a key.
func (m *mapping[T]) bits(names []string) (set uint64) {
	for i := range m.keys {
		if slices.Contains(names, m.keys[i].name) {
			set |= 1 << i
		}
	}
	return set
}

// find sets found to the value of each key of n, nil for missing keys. It returns a fault for
// each key that is unknown or repeated.
func (m *mapping[T]) find(n *yaml.Node, found []*yaml.Node) (faults yamltext.Faults) {
	for i := 0; i < len(n.Content) && !faults.Full(); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		switch j := m.index(name); {
		case j < 0:
			faults.Add(m.unknown(name))
		case found[j] != nil:
			first := keyOf(n, found[j])
			faults.Add(yamltext.On(name, "%s is repeated, first at %d:%d; remove one", name.Value, first.Line, first.Column))
		default:
			found[j] = value
		}
	}
	return faults
}

// keyOf returns the key of a value of n.
func keyOf(n, value *yaml.Node) *yaml.Node { return n.Content[slices.Index(n.Content, value)-1] }

func (m *mapping[T]) index(name *yaml.Node) int {
	if name.Kind == yaml.ScalarNode {
		for i := range m.keys {
			if m.keys[i].name == name.Value {
				return i
			}
		}
	}
	return -1
}

// unknown returns the error of a key that is not in the table.
func (m *mapping[T]) unknown(name *yaml.Node) error {
	if name.Kind != yaml.ScalarNode {
		return yamltext.On(name, "a key must be a word, is %s", yamltext.Describe(name))
	}
	if m.foreign != nil {
		if message := m.foreign(name.Value); message != "" {
			return yamltext.On(name, "%s", message)
		}
	}
	if word, ok := strings.CutPrefix(name.Value, "dw"); ok { // the prefix of the format's fields
		for _, own := range m.names() {
			if strings.EqualFold(own, word) {
				return yamltext.On(name, "%s has no key %s; use %s", m.what, name.Value, own)
			}
		}
	}
	if m.record != nil && m.record.Field(name.Value) != nil {
		return yamltext.On(name, "%s is computed; use a patch to write another value", name.Value)
	}
	return yamltext.On(name, "%s has no key %s%s", m.what, quote.Short(name.Value), m.suggest(name.Value))
}

// suggest returns the end of a message about an unknown key.
func (m *mapping[T]) suggest(word string) string { return suggest.Key(word, m.names()) }

func (m *mapping[T]) names() []string {
	names := make([]string, len(m.keys))
	for i := range m.keys {
		names[i] = m.keys[i].name
	}
	return names
}

// write writes the keys that are not zero, with a separator between them.
func (m *mapping[T]) write(w *writer, from *T, indent, separator string) error {
	first := true
	for _, k := range m.keys {
		field := k.field(from)
		if !k.required && k.form.zero(field) {
			continue
		}
		if !first {
			w.add(separator)
		}
		first = false
		w.add(k.name)
		w.add(":")
		if err := k.form.write(w, field, indent); err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		w.bound()
	}
	return nil
}

// writeBraced writes the keys that are not zero on one line, in braces.
func (m *mapping[T]) writeBraced(w *writer, from *T) error {
	w.add("{")
	err := m.write(w, from, "", ", ")
	w.add("}")
	return err
}
