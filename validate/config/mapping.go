package config

import (
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/suggest"
	"github.com/perfblock/perfblock/internal/yamltext"
	"go.yaml.in/yaml/v4"
)

// A key is one row of a mapping's table: all there is to know of it.
type key[T any] struct {
	name   string
	doc    string
	schema schema
	// read sets to by the value. A plain error is about the value as a whole.
	read func(to *T, name, value *yaml.Node) error
}

// A mapping is the table of the keys that one sort of mapping has. Reading,
// suggestions and the schema come from it.
type mapping[T any] struct {
	what    string // as messages call it
	unknown string // what to say of a key that is none of the table's
	keys    []key[T]
}

// read sets to by the mapping n.
func (m *mapping[T]) read(n *yaml.Node, to *T) error {
	if n.Kind != yaml.MappingNode {
		return yamltext.On(n, "%s is a mapping, not %s", m.what, yamltext.Describe(n))
	}
	first := make(map[string]*yaml.Node)
	for i := 0; i < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		k, err := m.find(name)
		if err != nil {
			return err
		}
		if at := first[k.name]; at != nil {
			return yamltext.On(name, "%s stands twice, first at %d:%d", k.name, at.Line, at.Column)
		}
		first[k.name] = name
		if err := k.read(to, name, value); err != nil {
			return on(value, k.name, err)
		}
	}
	return nil
}

func (m *mapping[T]) find(name *yaml.Node) (*key[T], error) {
	if name.Kind != yaml.ScalarNode {
		return nil, yamltext.On(name, "a key is a word, not %s", yamltext.Describe(name))
	}
	for i := range m.keys {
		if m.keys[i].name == name.Value {
			return &m.keys[i], nil
		}
	}
	return nil, yamltext.On(name, "%s %s%s", m.unknown, quote.Short(name.Value), suggest.DidYouMean(name.Value, m.names()))
}

func (m *mapping[T]) names() []string {
	var names []string
	for _, k := range m.keys {
		names = append(names, k.name)
	}
	return names
}

// on returns err as one about the value of a key, unless it has a place already.
func on(value *yaml.Node, name string, err error) error {
	if f, ok := err.(*yamltext.Fault); ok {
		return f
	}
	return yamltext.On(value, "%s: %w", name, err)
}

func list(words []string) string { return strings.Join(words, ", ") }
