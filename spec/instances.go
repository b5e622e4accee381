package spec

import (
	"go.yaml.in/yaml/v4"

	"github.com/perfblock/perfblock/internal/form"
	"github.com/perfblock/perfblock/internal/yamltext"
)

// instancesFormOf returns the form of the list of instances of an O, which is an object or a result.
// E is the type of an instance in the model, and T its type in the text, which item reads and
// writes. instancesOf returns the list of an O, and a function from E to T. Reading allocates memory
// for the list only once, because there can be many instances.
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
