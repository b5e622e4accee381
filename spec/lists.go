package spec

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"go.yaml.in/yaml/v4"
)

// The forms of the lists of mappings.

// listForm returns the form of a list of such mappings. The items stand in braces, one on
// a line.
func listForm[E any](name string, item *mapping[E]) *form {
	return listOf(name, item, func(w *writer, e *E, _ string) error {
		w.b = append(w.b, '{')
		err := item.writeLong(w, e, "", comma)
		w.b = append(w.b, '}')
		return err
	})
}

// blockListForm is listForm for items with a key on each line.
func blockListForm[E any](name string, item *mapping[E]) *form {
	return listOf(name, item, func(w *writer, e *E, indent string) error {
		inner := indent + "  "
		return item.writeLong(w, e, inner+"  ", func(first bool) string {
			if first {
				return ""
			}
			return inner
		})
	})
}

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
		writeLong: func(w *writer, from any, indent string) error {
			list := *from.(*[]E)
			if len(list) == 0 {
				w.b = append(w.b, " []"...)
			}
			for i := range list {
				w.b = append(append(w.b, indent...), "- "...)
				if err := write(w, &list[i], indent); err != nil {
					return fmt.Errorf("%s %d: %w", item.noun(), i, err)
				}
			}
			return nil
		},
	}
}

var objectsForm = blockListForm("objects", &objectMapping)

// readEach reads the items of n, if it is a list, until there is an error.
func readEach(n *yaml.Node, read func(i int, n *yaml.Node) error) error {
	if err := wantList(n); err != nil {
		return err
	}
	for i, n := range items(n) {
		if err := read(i, n); err != nil {
			return err
		}
	}
	return nil
}

// wantList returns an error unless n is a list.
func wantList(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return fmt.Errorf("wants a list, not %s", describe(n))
	}
	return nil
}

var countersForm = &form{
	name:   "list of counters",
	schema: listSchema(ref("counter")),
	read: func(n *yaml.Node, to any) error {
		o := to.(*builder.Object)
		if err := wantList(n); err != nil {
			return err
		}
		for _, n := range n.Content {
			var c counterText
			if err := counterMapping.read(n, &c); err != nil {
				return err
			}
			o.Define(c.Counter)
			if !c.withBase {
				continue
			}
			base, ok := c.CounterType.Base()
			if !ok {
				return faultf(child(n, "withBase"), "withBase: %v requires no base; one that may follow is written as a counter of its own", c.CounterType)
			}
			o.Define(builder.Counter{CounterType: base})
		}
		return nil
	},
	zero: func(from any) bool { return len(from.(*builder.Object).Counters) == 0 },
	write: func(b []byte, from any, indent string) ([]byte, error) {
		counters := from.(*builder.Object).Counters
		for i := 0; i < len(counters); i++ {
			c := counterText{Counter: counters[i]}
			if base, ok := c.CounterType.Base(); ok && i+1 < len(counters) && counters[i+1] == (builder.Counter{CounterType: base}) {
				c.withBase = true
			}
			var err error
			b = append(append(b, indent...), "- {"...)
			if b, err = counterMapping.write(b, &c, "", comma); err != nil {
				return nil, fmt.Errorf("counter %d: %w", i, err)
			}
			b = append(b, '}')
			if c.withBase {
				i++
			}
		}
		return b, nil
	},
}

// instancesFormOf returns the form of a list of instances, which are read with a view to
// what they are instances of. There are many, so they are read where the model has them.
func instancesFormOf[O, E, T any](name string, item *mapping[T], of func(*O) (list *[]E, text func(*E) *T)) *form {
	return &form{
		name:   "list of " + name,
		schema: listSchema(ref(item.name)),
		read: func(n *yaml.Node, to any) error {
			list, text := of(to.(*O))
			return readEach(n, func(i int, one *yaml.Node) error {
				if i == 0 {
					*list = make([]E, countItems(n))
				}
				return item.read(one, text(&(*list)[i]))
			})
		},
		zero: func(from any) bool { list, _ := of(from.(*O)); return len(*list) == 0 },
		writeLong: func(w *writer, from any, indent string) error {
			list, text := of(from.(*O))
			for i := range *list {
				w.b = append(append(w.b, indent...), "- {"...)
				if err := item.writeLong(w, text(&(*list)[i]), "", comma); err != nil {
					return fmt.Errorf("%s %d: %w", item.noun(), i, err)
				}
				w.b = append(w.b, '}')
			}
			return nil
		},
	}
}

var instancesForm = instancesFormOf("instances", &instanceMapping, func(o *builder.Object) (*[]builder.Instance, func(*builder.Instance) *instanceText) {
	one := instanceText{of: o}
	return &o.Instances, func(in *builder.Instance) *instanceText {
		one.Instance = in
		return &one
	}
})
