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

// A NamedNumber is a number and its name. In YAML, either can be written.
type NamedNumber struct {
	Value int64
	Name  string
}

// Named returns the form of a number that can be written as one of several names. The noun, such as "a detail level",
// is for messages.
func Named(noun string, plain *Form, values []NamedNumber) *Form {
	var names []string
	for _, v := range values {
		names = append(names, v.Name)
	}
	f := *plain
	f.Name = "one of " + strings.Join(names, ", ") + "; or a " + plain.Name
	f.Schema = AnyOf(EnumSchema(names...), plain.Schema)
	f.Read = func(n *yaml.Node, to any) error {
		if n.Kind != yaml.ScalarNode || yamltext.IsNumber(n) || yamltext.IsNull(n) {
			return plain.Read(n, to)
		}
		i := slices.Index(names, n.Value)
		if i < 0 {
			return layout.Faultf(layout.ErrRange, "%s is not %s%s", quote.Short(n.Value), noun, suggestOrList(n.Value, names))
		}
		v := values[i].Value
		to.(IntField).Set(Number{v < 0, uint64(max(v, -v))})
		return nil
	}
	f.Write = func(w *Writer, from any, indent string) error {
		v, _ := from.(IntField).Get()
		if i := slices.IndexFunc(values, func(one NamedNumber) bool { return one.Value == v }); i >= 0 {
			w.Addf(" %s", names[i])
			return nil
		}
		return plain.Write(w, from, indent)
	}
	return &f
}

// suggestOrList returns the end of the message about an unknown word: the most similar name, or
// a list of all names if no name is similar.
func suggestOrList(word string, names []string) string {
	if end := suggest.Key(word, names); end != "" || len(names) < 2 {
		return end
	}
	return fmt.Sprintf(": it must be one of %s, or a number", strings.Join(names, ", "))
}

// Boolean is the [Form] of a key whose value is true or false. [Key.Field] must return a *bool.
var Boolean = &Form{
	Name:   "true or false",
	Schema: Members{{"type", "boolean"}},
	Read: func(n *yaml.Node, to any) error {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
			return yamltext.Want(n, "true or false")
		}
		*to.(*bool) = strings.EqualFold(n.Value, "true")
		return nil
	},
	Zero:  func(from any) bool { return !*from.(*bool) },
	Write: func(w *Writer, _ any, _ string) error { w.Add(" true"); return nil },
}

// Word returns the [Form] of a key whose value is one of the given words. [Key.Field] must return a *T. If the key is
// missing, its field has the zero T.
func Word[T interface {
	comparable
	fmt.Stringer
}](words []string, parse func(string) (T, error)) *Form {
	return &Form{
		Name:   "one of " + strings.Join(words, ", "),
		Schema: EnumSchema(words...),
		Read: func(n *yaml.Node, to any) error {
			if n.Kind != yaml.ScalarNode || yamltext.IsNull(n) {
				return yamltext.Want(n, "one of "+strings.Join(words, ", "))
			}
			v, err := parse(n.Value)
			if err != nil {
				return layout.Faultf(err, "%v%s", err, suggest.DidYouMean(n.Value, words))
			}
			*to.(*T) = v
			return nil
		},
		Zero:  func(from any) bool { return *from.(*T) == *new(T) },
		Write: func(w *Writer, from any, _ string) error { w.Addf(" %v", *from.(*T)); return nil },
	}
}

// Bits returns the form of a number whose bits have names. The noun, such as "a counter type", is for messages.
func Bits[T IntegerType](noun, description string, schema Members, parse func(string) (T, error)) *Form {
	return &Form{
		Name: description, Schema: schema, Zero: isMissing,
		Read: func(n *yaml.Node, to any) error {
			if n.Kind != yaml.ScalarNode || yamltext.IsNull(n) {
				return yamltext.Want(n, noun)
			}
			v, err := parse(n.Value)
			to.(IntField).Set(Number{Magnitude: uint64(v)})
			return err
		},
		Write: func(w *Writer, from any, _ string) error {
			v, _ := from.(IntField).Get()
			w.Addf(" %v", T(v))
			return nil
		},
	}
}
