package spec

import (
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/yamltext"
)

// instancesFormOf returns the form of a list of instances. O is an object or a result, E is its
// instance, and T is the text of an instance. item reads and writes a T. instancesOf returns
// the instances of an O, and a function that converts an E to a T. Reading allocates the list
// once, because there can be many instances.
func instancesFormOf[O, E, T any](item *form.Mapping[T], instancesOf func(*O) (list *[]E, text func(*E) *T)) *form.Form {
	return &form.Form{
		Name:   "list of instances",
		Schema: form.ListSchema(form.Ref(item.Name)),
		Read: func(n *yaml.Node, to any) error {
			list, text := instancesOf(to.(*O))
			return form.ReadEach(n, func(i int, one *yaml.Node) error {
				if i == 0 {
					*list = make([]E, yamltext.Len(n))
				}
				return item.Read(one, text(&(*list)[i]))
			})
		},
		Zero: func(from any) bool { list, _ := instancesOf(from.(*O)); return len(*list) == 0 },
		Write: func(w *form.Writer, from any, indent string) error {
			list, text := instancesOf(from.(*O))
			return form.WriteEach(w, len(*list), indent, "instance", func(i int) error { return item.WriteBraced(w, text(&(*list)[i])) })
		},
	}
}
