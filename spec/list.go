package spec

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/internal/yamltext"
)

// listForm returns the form of a list of mappings, written in braces with one item on a line.
func listForm[E any](name string, item *mapping[E]) *form {
	return listOf(name, item, func(w *writer, e *E, _ string) error { return item.writeBraced(w, e) })
}

// blockListForm is listForm for items with one key on each line.
func blockListForm[E any](name string, item *mapping[E]) *form {
	return listOf(name, item, func(w *writer, e *E, indent string) error {
		inner := indent + "  "
		return item.write(w, e, inner+"  ", inner)
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
		write: func(w *writer, from any, indent string) error {
			list := *from.(*[]E)
			if len(list) == 0 {
				w.add(" []")
			}
			return writeEach(w, len(list), indent, item.noun(), func(i int) error { return write(w, &list[i], indent) })
		},
	}
}

// instancesFormOf returns the form of a list of instances. Values of instances depend on the
// object or result they belong to. There can be many instances, so they are read in place: of
// returns the list and a function that returns the text form of an item.
func instancesFormOf[O, E, T any](item *mapping[T], of func(*O) (list *[]E, text func(*E) *T)) *form {
	return &form{
		name:   "list of instances",
		schema: listSchema(ref(item.name)),
		read: func(n *yaml.Node, to any) error {
			list, text := of(to.(*O))
			return readEach(n, func(i int, one *yaml.Node) error {
				if i == 0 {
					*list = make([]E, yamltext.Len(n))
				}
				return item.read(one, text(&(*list)[i]))
			})
		},
		zero: func(from any) bool { list, _ := of(from.(*O)); return len(*list) == 0 },
		write: func(w *writer, from any, indent string) error {
			list, text := of(from.(*O))
			return writeEach(w, len(*list), indent, item.noun(), func(i int) error { return item.writeBraced(w, text(&(*list)[i])) })
		},
	}
}

// readEach reads the items of the list n and returns their faults.
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

// writeEach writes n items of a list, each on a line of its own.
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

// A writer collects the text of a Spec. It discards a text that is too long for [Parse] and
// counts its bytes, for the error message.
type writer struct {
	b       []byte
	start   int // of the text in b
	dropped int // bytes that were discarded
}

func (w *writer) add(s string) { w.b = append(w.b, s...) }

// comma adds a comma before item i, unless it is the first.
func (w *writer) comma(i int) {
	if i > 0 {
		w.add(", ")
	}
}

func (w *writer) addf(format string, args ...any) { w.b = fmt.Appendf(w.b, format, args...) }

// bound discards a text that is too long.
func (w *writer) bound() {
	if n := w.len(); n > reader.MaxBytes {
		w.dropped, w.b = n, w.b[:w.start]
	}
}

// len returns the length of the text so far.
func (w *writer) len() int { return w.dropped + len(w.b) - w.start }

// guess returns the approximate length of the text of s, so that the text is not copied while
// it grows.
func (s *Spec) guess() int {
	n := 512
	switch m := s.Model.(type) {
	case *builder.DataBlock:
		n += guessObjects(m.Objects)
	case *builder.Objects:
		n += guessObjects(*m)
	case *builder.QueryData:
		for _, r := range m.Results {
			n += 256 + 32*len(r.Counters)
			for _, in := range r.Instances {
				n += len("\n      - {name: , InstanceId: 1234567890, values: []}") + len(in.Name) + 12*len(in.Values)
			}
		}
	}
	return min(n, reader.MaxBytes+1<<16) // at which bound discards it
}

func guessObjects(objects []builder.Object) (n int) {
	for _, o := range objects {
		n += 512 + 128*len(o.Counters)
		for _, in := range o.Instances {
			n += len("\n      - {name: , values: []}") + len(in.Name) + 12*len(in.Values)
		}
	}
	return n
}
