package spec

import (
	"errors"
	"fmt"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

// A form is what a value may look like: how it is read and written, and how the
// schema and the reference show it.
type form struct {
	name   string // as the reference says it
	schema any    // as JSON Schema says it
	// read sets what to points at. A plain error is about n as a whole.
	read func(n *yaml.Node, to any) error
	// zero reports whether leaving the key out says the same.
	zero func(from any) bool
	// write appends what read reads, on the line of the key or on lines below it
	// that begin with indent.
	write func(b []byte, from any, indent string) ([]byte, error)
	// writeLong stands in place of write for what may be longer than any text.
	writeLong func(w *writer, from any, indent string) error
}

// A key is one row of a mapping's table: all there is to know of it.
type key[T any] struct {
	name     string
	form     *form
	doc      string
	ownDoc   bool // doc stands in place of that of the format's field, not behind it
	required bool
	// field returns what the form reads into and writes from.
	field func(*T) any
}

// A mapping is the table of the keys that one sort of mapping has. Reading,
// writing, suggestions, the schema and the reference all come from it. Keys are read
// and written in the order of the table.
type mapping[T any] struct {
	name string // its $defs name, and its heading in the reference; of a whole text the kind
	what string // as messages call it
	doc  string
	// record is the structure whose fields the keys in CamelCase are.
	record *layout.Record
	keys   []key[T]
}

// noun returns what messages call it, without the article.
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

// rows returns the table with the documentation of the format's fields filled in.
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
	var few [16]*yaml.Node // enough for every table, without memory of its own
	found := append(few[:0], make([]*yaml.Node, len(m.keys))...)
	if err := m.find(n, found); err != nil {
		return err
	}
	for i, k := range m.keys {
		if found[i] == nil {
			if k.required {
				return faultf(n, "%s has no %s", m.what, k.name)
			}
			continue
		}
		if err := k.form.read(found[i], k.field(to)); err != nil {
			return under(k.name, found[i], err)
		}
	}
	return nil
}

// under returns err as one about the value of a key, unless it has a place already.
func under(name string, value *yaml.Node, err error) error {
	if _, placed := errors.AsType[*Error](err); placed || err == nil {
		return err
	}
	return faultf(value, "%s: %w", name, err)
}

// find sets found to the value of each key; it stays nil for those that n does not have.
func (m *mapping[T]) find(n *yaml.Node, found []*yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return faultf(n, "%s is a mapping, not %s", m.what, describe(n))
	}
	for i := 0; i < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		j := m.index(name)
		if j < 0 {
			return m.unknown(name)
		}
		if found[j] != nil {
			return faultf(name, "%s stands twice in one mapping", name.Value)
		}
		found[j] = value
	}
	return nil
}

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

func (m *mapping[T]) unknown(name *yaml.Node) error {
	if name.Kind != yaml.ScalarNode {
		return faultf(name, "a key is a word, not %s", describe(name))
	}
	if word, ok := strings.CutPrefix(name.Value, "dw"); ok { // as the format has it
		for _, own := range m.names() {
			if strings.EqualFold(own, word) {
				return faultf(name, "%s has no key %s; here it is %s", m.what, name.Value, own)
			}
		}
	}
	if m.record != nil && m.record.Field(name.Value) != nil {
		return faultf(name, "%s is computed; a patch can write another value", name.Value)
	}
	return faultf(name, "%s has no key %s%s", m.what, quote.Short(name.Value), m.meant(name.Value))
}

// meant returns the end of a message: the key that was meant by a word that is none.
func (m *mapping[T]) meant(word string) string { return didYouMean(word, m.names()) }

func (m *mapping[T]) names() []string {
	names := make([]string, len(m.keys))
	for i := range m.keys {
		names[i] = m.keys[i].name
	}
	return names
}

// write appends the keys that are not zero, each after the separator that sep
// returns for it.
func (m *mapping[T]) write(b []byte, from *T, indent string, sep func(first bool) string) ([]byte, error) {
	w := writer{b: b, start: len(b)}
	err := m.writeLong(&w, from, indent, sep)
	return w.b, err
}

// writeLong is write for what may be longer than any text.
func (m *mapping[T]) writeLong(w *writer, from *T, indent string, sep func(first bool) string) error {
	first := true
	for _, k := range m.keys {
		field := k.field(from)
		if !k.required && k.form.zero(field) {
			continue
		}
		w.b = append(w.b, sep(first)...)
		first = false
		w.b = append(append(w.b, k.name...), ':')
		var err error
		if k.form.writeLong != nil {
			err = k.form.writeLong(w, field, indent)
		} else {
			w.b, err = k.form.write(w.b, field, indent)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		w.bound()
	}
	return nil
}

// child returns the value of a key of n, nil if there is none.
func child(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// item returns the value at a position of the list n, nil if there is none.
func item(n *yaml.Node, i int) *yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	for j, one := range items(n) {
		if j == i {
			return one
		}
	}
	return nil
}
