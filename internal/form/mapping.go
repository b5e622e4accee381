package form

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

// A Key is one key of a mapping.
type Key[T any] struct {
	Name     string
	Form     *Form
	Doc      string
	OwnDoc   bool // if true, Doc replaces the description of the record's field; if false, Doc follows it
	Required bool
	// Needs lists keys that this key depends on. They must be before this key in [Mapping].Keys. If one of them has
	// a fault, this key could report an error that is only a consequence of the fault.
	Needs []string
	// Without is called only if a key in Needs is faulty. It returns a form that replaces Form, and that reports only
	// errors that do not depend on the faulty keys. If Without is nil or returns nil, this key is not read. The
	// parameter faulty has the repeated keys, and the earlier keys with a fault. If the mapping has an unknown or a
	// repeated key, faulty also has the earlier keys that are missing.
	Without func(faulty []string) *Form
	// Field returns the field of the model that stores the value. The result is a pointer to the field, or a value
	// such as an [IntField].
	Field func(*T) any
}

// A Mapping describes a YAML mapping that is read into a T.
type Mapping[T any] struct {
	Name    string // the name in the schema's $defs and in the reference
	What    string // the noun in messages, with its article
	Example string // follows "must be a mapping" in messages, or ""
	Doc     string
	// Record is the record that the mapping describes, or nil. A key in CamelCase is the name of a field of Record.
	Record *layout.Record
	Keys   []Key[T] // read and written in this order
	// Foreign returns a special error about a key that is not in Keys. If the function or its result is nil, the error
	// is the usual one.
	Foreign func(word string) error
	// Note, if not nil, is called with the node of the mapping before the keys are read. It can store the node in the
	// T, for errors that are found later: see [yamltext.Child].
	Note func(to *T, n *yaml.Node)
}

// Read sets the fields of a T from the YAML mapping n. After a fault in a key, Read continues with the other keys, so
// the error has all faults. It skips only keys that need the faulty key: see [Key].Without.
func (m *Mapping[T]) Read(n *yaml.Node, to *T) error {
	if n.Kind != yaml.MappingNode {
		return yamltext.On(n, "%s must be a mapping%s, is %s", m.What, m.Example, yamltext.Describe(n))
	}
	if m.Note != nil {
		m.Note(to, n)
	}
	var few [16]*yaml.Node // enough for most mappings, on the stack
	found := append(few[:0], make([]*yaml.Node, len(m.Keys))...)
	faults, faulty := m.find(n, found) // faulty has the keys that have a fault
	misspelled := len(faults) > 0      // if true, a missing key may be in the text, but misspelled
	for i, k := range m.Keys {
		switch {
		case found[i] == nil && misspelled:
			faulty = append(faulty, k.Name)
		case found[i] == nil && k.Required:
			faults.Add(yamltext.On(n, "%s requires the key %s", m.What, k.Name))
		case found[i] == nil:
		default:
			f := k.formFor(faulty)
			if f == nil {
				continue
			}
			if err := f.Read(found[i], k.Field(to)); err != nil {
				faults.Add(yamltext.Under(k.Name, found[i], err))
				faulty = append(faulty, k.Name)
			}
		}
	}
	return faults.Err()
}

// formFor returns the form that reads the value of k, or nil if the value must not be read. The parameter faulty is as
// in [Key].Without.
func (k *Key[T]) formFor(faulty []string) *Form {
	switch {
	case !slices.ContainsFunc(k.Needs, func(need string) bool { return slices.Contains(faulty, need) }):
		return k.Form
	case k.Without != nil:
		return k.Without(faulty)
	}
	return nil
}

// find sets found[i] to the value of key i in n, or to nil if n does not have the key. It
// returns a fault for each key that is unknown or repeated, and the names of the repeated keys.
func (m *Mapping[T]) find(n *yaml.Node, found []*yaml.Node) (faults yamltext.Faults, repeated []string) {
	for i := 0; i < len(n.Content) && !faults.Full(); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		switch j := m.index(name); {
		case j < 0:
			faults.Add(m.unknown(name))
		case found[j] != nil:
			faults.Add(Repeated(name, keyOf(n, found[j])))
			repeated = append(repeated, name.Value)
		default:
			found[j] = value
		}
	}
	return faults, repeated
}

// Repeated returns the error about a key that occurs twice. The parameter first is the node at which the key occurs
// first.
func Repeated(name, first *yaml.Node) error {
	return yamltext.On(name, "%s is repeated, first at %d:%d; remove one", name.Value, first.Line, first.Column)
}

// notWord returns an error for a key that is a list or a mapping.
func notWord(name *yaml.Node) error {
	if name.Kind == yaml.ScalarNode {
		return nil
	}
	return yamltext.On(name, "a key must be a word, is %s", yamltext.Describe(name))
}

// ReadKeys calls readKey for each key of the mapping n, and returns the faults of all keys. It is for keys that are
// not known in advance, such as file names. The function readKey must report a repeated key: see [Repeated].
func ReadKeys(n *yaml.Node, noun string, readKey func(name, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return yamltext.On(n, "%s must be a mapping, is %s", noun, yamltext.Describe(n))
	}
	var faults yamltext.Faults
	for i := 0; i < len(n.Content) && !faults.Full(); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		err := notWord(name)
		if err == nil {
			err = yamltext.Under(name.Value, value, readKey(name, value))
		}
		faults.Add(err)
	}
	return faults.Err()
}

func keyOf(n, value *yaml.Node) *yaml.Node { return n.Content[slices.Index(n.Content, value)-1] }

func (m *Mapping[T]) index(name *yaml.Node) int {
	if name.Kind != yaml.ScalarNode {
		return -1
	}
	return slices.IndexFunc(m.Keys, func(k Key[T]) bool { return k.Name == name.Value })
}

// unknown returns the error about a key that is not in m.Keys.
func (m *Mapping[T]) unknown(name *yaml.Node) error {
	if err := notWord(name); err != nil {
		return err
	}
	if m.Foreign != nil {
		if err := m.Foreign(name.Value); err != nil {
			return yamltext.On(name, "%w", err)
		}
	}
	if word, ok := strings.CutPrefix(name.Value, "dw"); ok { // the prefix of perflib.h
		for _, own := range m.Names() {
			if strings.EqualFold(own, word) {
				return yamltext.On(name, "%s has no key %s; use %s", m.What, name.Value, own)
			}
		}
	}
	if m.Record != nil && m.Record.Field(name.Value) != nil {
		return yamltext.On(name, "%s is computed; use a patch to write another value", name.Value)
	}
	return yamltext.On(name, "%s has no key %s%s", m.What, quote.Short(name.Value), m.suggest(name.Value))
}

// suggest returns the end of a message about an unknown key: a similar key, or the list of the
// keys if there are few.
func (m *Mapping[T]) suggest(word string) string {
	const few = 7
	if names := m.Names(); suggest.Similar(word, names) == "" && len(names) <= few {
		return "; it has the keys " + strings.Join(names, ", ")
	}
	return suggest.Key(word, m.Names())
}

// Names returns the keys.
func (m *Mapping[T]) Names() []string {
	names := make([]string, len(m.Keys))
	for i := range m.Keys {
		names[i] = m.Keys[i].Name
	}
	return names
}

// write writes the required keys and all keys that are set, with a separator between them.
func (m *Mapping[T]) write(w *Writer, from *T, indent, separator string) error {
	first := true
	for _, k := range m.Keys {
		field := k.Field(from)
		if !k.Required && k.Form.Zero(field) {
			continue
		}
		if !first {
			w.Add(separator)
		}
		first = false
		w.Add(k.Name)
		w.Add(":")
		if err := k.Form.Write(w, field, indent); err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
		w.bound()
	}
	return nil
}

// WriteBraced writes the mapping on one line, in braces.
func (m *Mapping[T]) WriteBraced(w *Writer, from *T) error {
	w.Add("{")
	err := m.write(w, from, "", ", ")
	w.Add("}")
	return err
}
