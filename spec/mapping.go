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

// A form says how a value is read and written, and has the description of the value in the
// schema and the reference.
type form struct {
	name   string // the description in the reference
	schema any    // as JSON Schema
	// read stores the value of the node n in a field of the model. An error without a place
	// gets the place of n.
	read func(n *yaml.Node, to any) error
	// zero reports whether the field has the value that stands for a missing key.
	zero func(from any) bool
	// write writes the field on the line of its key, or on new lines. Each new line starts with
	// indent, which includes the line feed.
	write func(w *writer, from any, indent string) error
}

// A key is one key of a mapping.
type key[T any] struct {
	name     string
	form     *form
	doc      string
	ownDoc   bool // doc replaces the description of the record's field and is not added to it
	required bool
	// needs are the earlier keys on which the reading of the value depends. If one of them has a
	// fault, the value is not read, because its errors could be consequences of that fault.
	needs []string
	// field returns the field of the model that the form reads and writes: a pointer, or a type
	// such as intField.
	field func(*T) any
}

// A mapping has the keys of a YAML mapping that becomes a T. Reading, writing, suggestions, the
// schema and the reference use it. Keys are read and written in the order of the table.
type mapping[T any] struct {
	name    string // the name in the schema's $defs and in the reference; for a whole text, the kind
	what    string // the noun in messages, with its article
	example string // follows "must be a mapping" in messages, or ""
	doc     string
	// record is the record whose fields are the keys in CamelCase.
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

// A row is the part of a key that the schema and the reference describe.
type row struct {
	name, doc string
	form      *form
	required  bool
}

// rows returns the keys with the descriptions of the record's fields.
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

// read reads the YAML mapping n into to.
func (m *mapping[T]) read(n *yaml.Node, to *T) error {
	if n.Kind != yaml.MappingNode {
		return yamltext.On(n, "%s must be a mapping%s, is %s", m.what, m.example, yamltext.Describe(n))
	}
	var few [16]*yaml.Node // enough for every table, on the stack
	found := append(few[:0], make([]*yaml.Node, len(m.keys))...)
	faults := m.find(n, found)
	misspelled := len(faults) > 0 // then a missing key may be the misspelled one
	var faulty uint64             // bit i is set if key i has a fault
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

// bits returns a set with the bit of each key in names.
func (m *mapping[T]) bits(names []string) (set uint64) {
	for i := range m.keys {
		if slices.Contains(names, m.keys[i].name) {
			set |= 1 << i
		}
	}
	return set
}

// find sets found[i] to the value of key i in n, or to nil if n does not have the key. It
// returns a fault for each key that is unknown or repeated.
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

// unknown returns the error about a key that is not in the table.
func (m *mapping[T]) unknown(name *yaml.Node) error {
	if name.Kind != yaml.ScalarNode {
		return yamltext.On(name, "a key must be a word, is %s", yamltext.Describe(name))
	}
	if m.foreign != nil {
		if message := m.foreign(name.Value); message != "" {
			return yamltext.On(name, "%s", message)
		}
	}
	if word, ok := strings.CutPrefix(name.Value, "dw"); ok { // the prefix of perflib.h
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

// suggest returns the end of a message about an unknown key: a similar key, or the list of the
// keys if there are few.
func (m *mapping[T]) suggest(word string) string {
	const few = 3
	if names := m.names(); suggest.Similar(word, names) == "" && len(names) <= few {
		return "; it has the keys " + strings.Join(names, ", ")
	}
	return suggest.Key(word, m.names())
}

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

// listForm returns the form of a list of mappings. Each item is written on one line in braces.
func listForm[E any](name string, item *mapping[E]) *form {
	return listOf(name, item, func(w *writer, e *E, _ string) error { return item.writeBraced(w, e) })
}

// blockListForm returns the form of a list of mappings. Each key of an item is written on its
// own line.
func blockListForm[E any](name string, item *mapping[E]) *form {
	return listOf(name, item, func(w *writer, e *E, indent string) error {
		inner := indent + "  "
		return item.write(w, e, inner+"  ", inner)
	})
}

// listOf returns the form of a list of mappings. The function write writes one item.
func listOf[E any](name string, item *mapping[E], write func(w *writer, e *E, indent string) error) *form {
	return &form{
		name:   "list of " + name,
		schema: listSchema(ref(item.name)),
		read: func(n *yaml.Node, to any) error {
			out := to.(*[]E)
			return readEach(n, func(_ int, n *yaml.Node) error {
				var e E
				err := item.read(n, &e)
				*out = append(*out, e)
				return err
			})
		},
		zero: func(from any) bool { return len(*from.(*[]E)) == 0 },
		write: func(w *writer, from any, indent string) error {
			list := *from.(*[]E)
			if len(list) == 0 {
				w.add(" []")
			}
			return writeEach(w, len(list), indent, item.noun(), func(i int) error { return write(w, &list[i], indent) })
		},
	}
}

// instancesFormOf returns the form of a list of instances. O is an object or a result, E its
// instance, and T the text of an instance, which item reads and writes. instancesOf returns the
// instances of an O, and a function that converts an E to a T. Reading allocates the list once,
// because there can be many instances.
func instancesFormOf[O, E, T any](item *mapping[T], instancesOf func(*O) (list *[]E, text func(*E) *T)) *form {
	return &form{
		name:   "list of instances",
		schema: listSchema(ref(item.name)),
		read: func(n *yaml.Node, to any) error {
			list, text := instancesOf(to.(*O))
			return readEach(n, func(i int, one *yaml.Node) error {
				if i == 0 {
					*list = make([]E, yamltext.Len(n))
				}
				return item.read(one, text(&(*list)[i]))
			})
		},
		zero: func(from any) bool { list, _ := instancesOf(from.(*O)); return len(*list) == 0 },
		write: func(w *writer, from any, indent string) error {
			list, text := instancesOf(from.(*O))
			return writeEach(w, len(*list), indent, item.noun(), func(i int) error { return item.writeBraced(w, text(&(*list)[i])) })
		},
	}
}

// readEach calls read for each item of the list n and returns the faults of all items.
func readEach(n *yaml.Node, read func(i int, n *yaml.Node) error) error {
	if n.Kind != yaml.SequenceNode {
		return yamltext.Want(n, "a list")
	}
	var faults yamltext.Faults
	for i, one := range yamltext.Items(n) {
		if faults.Add(read(i, one)); faults.Full() {
			break
		}
	}
	return faults.Err()
}

// writeEach writes a list of n items, each on its own line. noun describes an item in errors.
func writeEach(w *writer, n int, indent, noun string, write func(i int) error) error {
	for i := range n {
		w.add(indent)
		w.add("- ")
		if err := write(i); err != nil {
			return fmt.Errorf("%s %d: %w", noun, i, err)
		}
		w.bound()
	}
	return nil
}
